/** Games with many players, written straight into Postgres as their submissions would have left it. */
import type { World } from "./world.ts";

/** The first ten have more points than anybody who submits later, so that the top 10 is known. */
export const TOP_POINTS = 5_000_000_000;

export async function seedPlayers({ postgres }: Pick<World, "postgres">, game: string, players: number): Promise<void> {
  await postgres.query(
    `with p as (
        select 'seed-' || lpad(i::text, 7, '0') as player, uuidv7() as id, date_trunc('second', now()) as at,
          case when i <= 10 then ${TOP_POINTS} - i else (i::bigint * 7919) % 1000000 end as points,
          (array['DE', 'FR', null])[1 + i % 3] as country
        from generate_series(1, $2::int) i),
      s as (
        insert into submissions (id, game, player, idempotency_key, request, points, country, week, submitted_at)
        select id, $1, player, 'seed', 'seed', points, country, to_char(at at time zone 'UTC', 'IYYY-"W"IW'), at from p),
      b as (
        insert into bests (game, board, player, points, achieved_at, submission_id, country)
        select $1, to_char(at at time zone 'UTC', 'IYYY-"W"IW'), player, points, at, id, country from p
        union all select $1, 'all-time', player, points, at, id, null from p)
      insert into players (game, player) select $1, player from p`,
    [game, players],
  );
  await postgres.query("analyze bests");
}
