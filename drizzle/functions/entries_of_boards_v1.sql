-- All entries of small boards that a game defined: those of many songs come in one page.
-- Arguments: the game, the keys of the boards.
-- Result: one row: [[key, player, strength, milliseconds, segments, left segments]].
-- Locks: none.
-- Called by: functions/adapters/postgres/bests.ts, for rebuilds.
--
-- Settings and order make it read each board along the index of the order, as bests_page_v1 says.
create or replace function entries_of_boards_v1(p_game text, p_boards text[]) returns table (entries json)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
#variable_conflict use_column
begin
  return query
  select coalesce(json_agg(json_build_array(
    k.board, b.player, b.points, ms_of_v1(b.achieved_at), b.segments, b.left_segments)), '[]')
  from unnest(p_boards) k (board)
  cross join lateral (
    select t.* from bests t where t.game = p_game and t.board = k.board and t.points >= 0
    order by t.points desc, t.achieved_at, t.player desc) b;
end $$;
