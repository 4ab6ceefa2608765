/** How many sockets a room takes. */
import { limitedAddress } from "../functions/domain/address.ts";

/** A room keeps 32,000 hibernating sockets; beyond 10,000 viewers a game wants shards (docs/scale.md). */
export const MAX_SOCKETS = 15_000;
/** A school or a provider's gateway may be behind one address. Loopback is not counted. */
export const MAX_SOCKETS_PER_ADDRESS = 200;

/** "Try again later": clients come back, and more slowly each time. */
export const FULL_CODE = 1013;

/** The tag by which sockets of one address are found; none for this machine and where no edge says it. */
export function tagsOf(address: string | null): string[] {
  const limited = limitedAddress(address ?? undefined);
  return limited === undefined ? [] : [`address:${limited.slice(0, 100)}`];
}

/** Why one more socket is too many, undefined when it is not. `known` may be too high: then `count` counts. */
export function fullness(known: number, count: () => number, ofAddress: number): string | undefined {
  if (ofAddress > MAX_SOCKETS_PER_ADDRESS) return "too many viewers from this address";
  return known >= MAX_SOCKETS && count() > MAX_SOCKETS ? "the room is full" : undefined;
}
