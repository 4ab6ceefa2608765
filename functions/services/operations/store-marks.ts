/** Postgres and Redis of one deployment hold the same id, so that the boards of one are never repaired by the rows of another. */
import type { StoreMarks } from "./ports.ts";

/** `unmarked`: this Redis is new or was flushed. `foreign`: it belongs to another deployment. */
export type Belonging = "together" | "unmarked" | "foreign";

/** Writes nothing. */
export async function belonging(marks: StoreMarks): Promise<Belonging> {
  const [ofPostgres, ofRedis] = await Promise.all([marks.ofPostgres(), marks.ofRedis()]);
  if (ofRedis === undefined) return "unmarked";
  return ofRedis === ofPostgres ? "together" : "foreign";
}

/** Marks both at first contact; a Redis of another deployment is left as it is. */
export async function markTogether(marks: StoreMarks): Promise<Belonging> {
  const found = await belonging(marks);
  if (found === "unmarked") await marks.put(await marks.make());
  return found === "foreign" ? "foreign" : "together";
}

/** Makes a Redis that belongs to another deployment this one's: only ever because an operator asked for it. */
export async function adopt(marks: StoreMarks): Promise<void> {
  await marks.put(await marks.make());
}
