-- Counts the players of a board anew: a restore without triggers may have left anything.
-- Arguments: the game, the board.
-- Locks: the game's, alone.
-- Called by: tools/doctor/check-sizes.ts.
create or replace function recount_board_v1(p_game text, p_board text) returns void language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  delete from board_sizes z where z.game = p_game and z.board = p_board;
  insert into board_sizes (game, board, slot, players)
  select p_game, p_board, 0, count(*) from bests b where b.game = p_game and b.board = p_board;
end $$;
