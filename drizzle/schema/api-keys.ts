import { sql } from "drizzle-orm";
import { check, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/** Server keys. Only a SHA-256 of the secret is kept; `prefix` is the public part that finds the row. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`uuidv7()`),
    game: byteText("game").notNull(),
    prefix: byteText("prefix").notNull(),
    hash: text("hash").notNull(),
    scopes: text("scopes").array().notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    unique("api_keys_prefix").on(t.prefix),
    check("api_keys_scopes_known", sql`${t.scopes} <@ array['submit','backdate','admin']`),
  ],
);
