-- A page of a board that a game defined, in the order of the board.
-- Arguments: the game, the board's key, the entry (p_points, p_at, p_player) after which the page begins, its length.
-- Result: one row: [[player, strength, milliseconds, segments, left segments]].
-- Locks: none.
-- Called by: functions/adapters/postgres/bests.ts, for rebuilds and comparisons.
--
-- Settings and ranges as in bests_page_v1. The first page begins with the greatest strength and `-infinity`: no entry is before that.
create or replace function entries_page_v1(
  p_game text, p_board text, p_points bigint, p_at timestamptz, p_player text, p_n int)
returns table (entries json)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 as $$
#variable_conflict use_column
begin
  return query
  select coalesce(json_agg(json_build_array(p.player, p.points, ms_of_v1(p.achieved_at), p.segments, p.left_segments)), '[]')
  from (
    (select b.* from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at = p_at
        and b.player < p_player
      order by b.player desc limit p_n)
    union all
    (select b.* from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at > p_at
      order by b.achieved_at, b.player desc limit p_n)
    union all
    (select b.* from bests b
      where b.game = p_game and b.board = p_board and b.points < p_points and b.points >= 0
      order by b.points desc, b.achieved_at, b.player desc limit p_n)
    limit p_n) p;
end $$;
