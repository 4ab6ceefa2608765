-- Arguments: a game.
-- Result: whether it exists.
-- Locks: none.
-- Called by: ban_player_v1, unban_player_v1, delete_player_v1, decide_submission_v1.
create or replace function known_game_v1(p_game text) returns boolean language sql stable as $$
  select exists (select from games g where g.game = p_game)
$$;
