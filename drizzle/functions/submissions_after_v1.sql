-- The first submissions after an id, whether they count or not.
-- Arguments: the game, the id, at most how many.
-- Locks: none.
-- Called by: functions/adapters/postgres/reconciliations.ts.
--
-- The settings make it read along an index, as bests_page_v1 says.
create or replace function submissions_after_v1(p_game text, p_after uuid, p_n int) returns table (id uuid, player text, week text)
language plpgsql stable set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off as $$
#variable_conflict use_column
begin
  return query
  select s.id, s.player, s.week from submissions s where s.game = p_game and s.id > p_after order by s.id limit p_n;
end $$;
