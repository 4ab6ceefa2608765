-- The parts of boards that any of their entries is in, or has left.
-- Arguments: the game, the keys of the boards.
-- Locks: none.
-- Called by: functions/adapters/postgres/bests.ts, for rebuilds.
--
-- Settings and order make it read each board along the index of the order, as bests_page_v1 says.
create or replace function parts_of_boards_v1(p_game text, p_boards text[])
returns table (board text, segment text, value text)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
#variable_conflict use_column
begin
  return query
  select distinct k.board, v.segment, v.value
  from unnest(p_boards) k (board)
  cross join lateral (
    select t.segments, t.left_segments from bests t where t.game = p_game and t.board = k.board and t.points >= 0
    order by t.points desc, t.achieved_at, t.player desc) b
  cross join lateral (
    select n.key as segment, n.value from jsonb_each_text(b.segments) n
    union all
    select n.key, l.value from jsonb_each(b.left_segments) n
    cross join lateral jsonb_array_elements_text(n.value) l (value)) v;
end $$;
