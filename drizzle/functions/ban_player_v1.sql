-- Bans a player: takes their bests and badges away and notes that Redis has to follow.
-- Arguments: the game, the player, who asked. The player need not have submitted anything yet.
-- Result: false when the game does not exist.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function ban_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  insert into players as p (game, player, banned_at) values (p_game, p_player, now())
  on conflict (game, player) do update set banned_at = coalesce(p.banned_at, now());
  perform note_correction_v1(p_game, p_player, true, null);
  perform refold_player_v1(p_game, p_player);
  insert into moderation_log (game, action, player, by) values (p_game, 'ban', p_player, p_by);
  return true;
end $$;
