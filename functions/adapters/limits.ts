/** Workers rate-limit bindings: a shield per location and eventually consistent, never the rule of a game. */
import { log } from "../log.ts";
import type { EdgeLimits } from "../services/access/ports.ts";

/** The part of the binding that is used. */
export type LimitBinding = { limit(options: { key: string }): Promise<{ success: boolean }> };

async function within(binding: LimitBinding | undefined, key: string): Promise<boolean> {
  if (!binding) return true;
  try {
    return (await binding.limit({ key })).success;
  } catch {
    // Letting it pass is a choice: a broken shield must not become an outage.
    log("warn", "edge-limit", { outcome: "failed" });
    return true;
  }
}

export function createEdgeLimits(bindings: {
  readonly players: LimitBinding | undefined;
  readonly addresses: LimitBinding | undefined;
}): EdgeLimits {
  return {
    player: (game, player) => within(bindings.players, `${game}\n${player}`),
    address: (address) => within(bindings.addresses, address),
  };
}
