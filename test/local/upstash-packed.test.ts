import { Redis } from "@upstash/redis/cloudflare";
import { expect, test } from "vitest";
import { z } from "zod";
import { libraryText } from "../../lua/library.ts";
import { loadLibrary } from "../../lua/loader.ts";
import { SPLITS } from "../domain/packed.ts";
import type { Engine } from "../lua/engine.ts";
import { keysOf } from "../lua/keys.ts";
import { expectPairsKept, LONGEST_MS, PAIRS } from "../lua/packed-pairs.ts";
import { useStores } from "./stores.ts";

const env = useStores();

test.each(SPLITS)(
  `${PAIRS.http} pairs of packed scores with %i bits of strength come back through Upstash's wire`,
  { timeout: LONGEST_MS },
  async (split) => {
    const redis = new Redis({
      url: env.stores.upstashUrl,
      token: env.stores.upstashToken,
      automaticDeserialization: false,
    });
    await loadLibrary((command) => redis.exec([...command]), libraryText(), "redis");
    const keys = keysOf(`packed-${split}`);
    await redis.exec(["XADD", keys.activity, "*", "submission", "s-1"]);
    const call: Engine["call"] = async (verb, list, args, version = 2) =>
      z.array(z.string()).parse(await redis.exec(["FCALL", `lb_${verb}_v${version}`, list.length, ...list, ...args]));
    await expect(expectPairsKept({ call, keys }, split, PAIRS.http)).resolves.toBeUndefined();
  },
);
