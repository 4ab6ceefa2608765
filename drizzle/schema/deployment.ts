import { sql } from "drizzle-orm";
import { boolean, check, pgTable, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** One row, made at first contact: which deployment this database is. Redis holds the same id, so that tools see stores that do not belong together. */
export const deployment = pgTable(
  "deployment",
  {
    one: boolean("one").primaryKey().default(true),
    id: uuid("id")
      .notNull()
      .default(sql`gen_random_uuid()`),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [check("deployment_has_one_row", sql`${table.one}`)],
);
