-- Lifts a ban: folds bests and badges of the player anew.
-- Arguments: the game, the player, who asked.
-- Result: false when the game does not exist; true too when the player was not banned.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function unban_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  update players p set banned_at = null where p.game = p_game and p.player = p_player and p.banned_at is not null;
  if found then
    perform note_correction_v1(p_game, p_player, false, null);
    perform refold_player_v1(p_game, p_player);
    insert into moderation_log (game, action, player, by) values (p_game, 'unban', p_player, p_by);
  end if;
  return true;
end $$;
