-- A page of a board in the order of the board.
-- Arguments: the game, the board, the entry (p_points, p_at, p_player) after which the page begins, its length.
-- Result: one row in columns, which are cheaper to write and to parse than rows: players, points, seconds, countries; and the clock.
-- Locks: none.
-- Called by: functions/adapters/postgres/bests.ts, for rebuilds and comparisons.
--
-- The settings make it read along an index, whatever the statistics say. Of a game that grew since the last ANALYZE they say that it
-- is small, and the plan which that suggests sorts the whole game for every page.
-- Three ranges, so that a page which begins among equal points does not read those above it again. Each is in order and they
-- follow each other; the aggregates take the rows as they come, since sorting them costs a quarter more.
create or replace function bests_page_v1(
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
