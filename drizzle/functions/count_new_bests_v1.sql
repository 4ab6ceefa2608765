-- Trigger of bests: adds new entries to board_sizes. Every way into bests is counted.
-- Locks: a slot of each board, in a fixed order, after the entries themselves: two statements that meet wait for each other, never in a
-- circle. Connections write different slots, so that few wait at all.
-- Called by: the trigger bests_counted, once a statement.
create or replace function count_new_bests_v1() returns trigger language plpgsql as $$
begin
  insert into board_sizes as s (game, board, slot, players)
  select b.game, b.board, pg_backend_pid() % 16, count(*) from new_bests b group by b.game, b.board
  order by b.game, b.board
  on conflict (game, board, slot) do update set players = s.players + excluded.players;
  return null;
end $$;
