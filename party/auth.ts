/** Bearer secrets, compared in constant time. */

/** True when the header carries one of the secrets. Every secret is compared, so that timing tells nothing. */
export async function isAuthorized(header: string | null, secrets: readonly string[]): Promise<boolean> {
  const token = /^Bearer (\S{1,512})$/i.exec(header ?? "")?.[1];
  if (token === undefined) return false;
  const given = await digest(token);
  const equal = await Promise.all(secrets.map(async (secret) => sameBytes(given, await digest(secret))));
  return equal.includes(true);
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0;
}
