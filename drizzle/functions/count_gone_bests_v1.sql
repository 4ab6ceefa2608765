-- Trigger of bests: takes entries that are gone off board_sizes.
-- Locks: those of count_new_bests_v1.
-- Called by: the trigger bests_uncounted, once a statement.
create or replace function count_gone_bests_v1() returns trigger language plpgsql as $$
begin
  insert into board_sizes as s (game, board, slot, players)
  select b.game, b.board, pg_backend_pid() % 16, -count(*) from gone_bests b group by b.game, b.board
  order by b.game, b.board
  on conflict (game, board, slot) do update set players = s.players + excluded.players;
  return null;
end $$;
