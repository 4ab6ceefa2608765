-- Two indexes that must serve nothing but what they are for; schema/bests.ts and schema/submissions.ts have the reasons.
ALTER TABLE "submissions" DROP CONSTRAINT "submissions_once";--> statement-breakpoint
DROP INDEX "bests_order";--> statement-breakpoint
CREATE INDEX "bests_order" ON "bests" USING btree ("game","board","points" DESC NULLS FIRST,"achieved_at","player" DESC NULLS FIRST) WHERE "bests"."points" >= 0;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_once" UNIQUE("player","game","idempotency_key");
--> statement-breakpoint
-- Reads along an index, whatever the statistics say. Of a game that grew since the last ANALYZE they say that it is small, and
-- the plan which that suggests sorts the whole game for every page. Functions, because a setting holds for one only.

-- A page of a board, what comes below the entry (p_points, p_at, p_player), in columns: cheaper to write and to parse than
-- rows. Three ranges, so that a page which begins among equal points does not read those above it again. Each is
-- in order and they follow each other; the aggregates take the rows as they come, since sorting them costs a quarter more.
create function bests_page_v1(
  p_game text, p_board text, p_points bigint, p_at timestamptz, p_player text, p_n int)
returns table (players json, points json, seconds json, countries json, now_us bigint)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 as $$
#variable_conflict use_column
begin
  return query
  select coalesce(json_agg(p.player), '[]'), coalesce(json_agg(p.points), '[]'),
    coalesce(json_agg(date_part('epoch', p.achieved_at)::bigint), '[]'), coalesce(json_agg(p.country), '[]'),
    (extract(epoch from clock_timestamp()) * 1000000)::bigint
  from (
    (select b.player, b.points, b.achieved_at, b.country from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at = p_at
        and b.player < p_player
      order by b.player desc limit p_n)
    union all
    (select b.player, b.points, b.achieved_at, b.country from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at > p_at
      order by b.achieved_at, b.player desc limit p_n)
    union all
    (select b.player, b.points, b.achieved_at, b.country from bests b
      where b.game = p_game and b.board = p_board and b.points < p_points and b.points >= 0
      order by b.points desc, b.achieved_at, b.player desc limit p_n)
    limit p_n) p;
end $$;
--> statement-breakpoint
-- Ids of the newest submissions that count, newest first; p_before null: of all.
create function newest_submissions_v1(p_game text, p_before timestamptz, p_n int) returns setof uuid
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
begin
  return query
  select s.id from ranked_submissions s
  where s.game = p_game and (p_before is null or s.received_at < p_before) order by s.id desc limit p_n;
end $$;
--> statement-breakpoint
-- The first submissions after an id, whether they count or not.
create function submissions_after_v1(p_game text, p_after uuid, p_n int) returns table (id uuid, player text, week text)
language plpgsql stable set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off as $$
#variable_conflict use_column
begin
  return query
  select s.id, s.player, s.week from submissions s where s.game = p_game and s.id > p_after order by s.id limit p_n;
end $$;
