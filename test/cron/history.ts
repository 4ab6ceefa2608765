/** The plain computation that awarding is compared with, and the passing of time. */
import { z } from "zod";
import { DEFAULT_BADGES } from "../../functions/domain/badges.ts";
import { badgesFor } from "./deserved.ts";
import type { World } from "./world.ts";

const Row = z.object({ player: z.string(), points: z.coerce.number() });

/** "player badge" of everything that a game's submissions deserve, sorted. */
export async function deservedIn(world: World, game: string, thresholds = DEFAULT_BADGES): Promise<string[]> {
  const submissions = await world.rows(Row, "select player, points from submissions where game = $1", [game]);
  const deserved = submissions.flatMap(({ player, points }) =>
    badgesFor(points, thresholds).map(({ badge }) => `${player} ${badge}`),
  );
  return [...new Set(deserved)].toSorted();
}

/** Makes all that happened to a game so far a minute older, so that it is settled without anybody waiting. */
export async function passMinute(world: World, game: string): Promise<void> {
  const older = (id: string) => `(lpad(to_hex(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint
    - 60000), 12, '0') || substr(replace(${id}::text, '-', ''), 13))::uuid`;
  await world.postgres.query(
    `with s as (update submissions set id = ${older("id")}, received_at = received_at - interval '1 minute'
        where game = $1),
      b as (update bests set submission_id = ${older("submission_id")} where game = $1),
      p as (update badge_positions set position = ${older("position")} where game = $1),
      v as (update reconciliations set verified_until = ${older("verified_until")} where game = $1)
    update badge_rules set starts_at = starts_at - interval '1 minute', ends_at = ends_at - interval '1 minute'
      where game = $1`,
    [game],
  );
}
