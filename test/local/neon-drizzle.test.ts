import { neon, neonConfig } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { bigint, numeric, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { beforeAll, expect, test } from "vitest";
import { useStores } from "./stores.ts";

const env = useStores();

const results = pgTable("results", {
  player: text().primaryKey(),
  points: bigint({ mode: "bigint" }).notNull(),
  share: numeric(),
  at: timestamp({ withTimezone: true }).notNull(),
});

const database = () => drizzle(neon(env.stores.databaseUrl));

beforeAll(async () => {
  neonConfig.fetchEndpoint = () => env.stores.neonUrl;
  await database().execute(
    sql`create table results (player text primary key, points bigint not null, share numeric, at timestamptz not null)`,
  );
});

test("rows go in and come out exactly", async () => {
  const row = { player: "007", points: 9007199254740993n, share: "1.10", at: new Date("2026-10-12T00:00:00.123Z") };
  expect(await database().insert(results).values(row).returning()).toEqual([row]);
});

test("a duplicate returns no row with onConflictDoNothing, and is a cause with code 23505 without", async () => {
  const row = { player: "twice", points: 1n, at: new Date() };
  await database().insert(results).values(row);
  expect(await database().insert(results).values(row).onConflictDoNothing().returning()).toEqual([]);
  await expect(database().insert(results).values(row)).rejects.toMatchObject({
    cause: { code: "23505", constraint: "results_pkey" },
  });
});

test("a batch is one transaction", async () => {
  const db = database();
  const row = (player: string) => ({ player, points: 1n, at: new Date() });
  await expect(
    db.batch([db.insert(results).values(row("rolled-back")), db.insert(results).values(row("rolled-back"))]),
  ).rejects.toMatchObject({ code: "23505" });
  expect(
    await db
      .select()
      .from(results)
      .where(sql`player = 'rolled-back'`),
  ).toEqual([]);
  const [, kept] = await db.batch([
    db.insert(results).values(row("kept")),
    db
      .select({ player: results.player })
      .from(results)
      .where(sql`player = 'kept'`),
  ]);
  expect(kept).toEqual([{ player: "kept" }]);
});
