/** Addresses of the public, as limits count them. */

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** An IPv4 address in the words of IPv6. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** What one customer has: an IPv4 address, or the 64-bit prefix of an IPv6 one. */
export function limitedAddress(address: string | undefined): string | undefined {
  if (address === undefined || address === "" || LOOPBACK.test(address)) return undefined;
  const plain = address.replace(MAPPED, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail = ""] = plain
    .toLowerCase()
    .replace(/\b0+(?=[\da-f])/g, "")
    .split("::");
  const front = head.split(":").filter((group) => group !== "");
  const back = tail.split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}
