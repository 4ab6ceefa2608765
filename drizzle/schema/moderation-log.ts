import { sql } from "drizzle-orm";
import { jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { byteText, instant } from "./columns.ts";

/** Who did what. A deleted player's id is replaced by its SHA-256 everywhere in it. */
export const moderationLog = pgTable(
  "moderation_log",
  {
    id: uuid("id")
      .notNull()
      .default(sql`uuidv7()`),
    game: byteText("game").notNull(),
    action: text("action").notNull(),
    player: byteText("player"),
    submissionId: uuid("submission_id"),
    /** Prefix of the server key that asked, or `env` for the key of the environment. */
    by: text("by").notNull(),
    detail: jsonb("detail"),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ name: "moderation_log_pk", columns: [t.game, t.id] })],
);
