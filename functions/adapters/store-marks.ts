/** The id of a deployment, which Postgres and Redis both hold. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { DependencyError } from "../domain/errors.ts";
import type { StoreMarks } from "../services/operations/ports.ts";
import type { Postgres } from "./postgres/client.ts";
import type { RedisClient } from "./redis/client.ts";
import { DEPLOYMENT_KEY } from "./redis/keys.ts";

const row = z.object({ id: z.uuid() });

export function createStoreMarks(postgres: Postgres, redis: RedisClient): StoreMarks {
  return {
    async ofPostgres() {
      const [found] = await postgres.query(row, sql`select id from deployment`);
      return found?.id;
    },
    async make() {
      const [made] = await postgres.query(row, sql`select deployment_id_v1() as id`);
      return z.string().parse(made?.id);
    },
    async ofRedis() {
      try {
        return z.uuid().safeParse(await redis.command(["GET", DEPLOYMENT_KEY])).data;
      } catch (error) {
        // A key of another type says as little as a lost one.
        if (error instanceof DependencyError && error.code === "WRONGTYPE") return undefined;
        throw error;
      }
    },
    async put(id) {
      await redis.command(["SET", DEPLOYMENT_KEY, id]);
    },
  };
}
