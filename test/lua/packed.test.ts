import { describe, it } from "vitest";
import { SPLITS } from "../domain/packed.ts";
import { expectPairsKept, LONGEST_MS, PAIRS } from "./packed-pairs.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

describe.each(SPLITS)("packed scores with %i bits of strength", (split) => {
  it(
    `hold ${PAIRS.redis} pairs in Redis exactly, in the order of strength and time`,
    { timeout: LONGEST_MS },
    async () => {
      await expectPairsKept(await server.openGame(), split, PAIRS.redis);
    },
  );
});
