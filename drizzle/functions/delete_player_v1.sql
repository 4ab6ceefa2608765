-- Deletes a player for good. What stays for a day is a tombstone that refuses retries and offline queues; what stays in the log is
-- a hash of the id.
-- Arguments: the game, the player, who asked.
-- Result: false when the game does not exist.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function delete_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
declare
  v_hash text := 'sha256:' || encode(sha256(convert_to(p_player, 'UTF8')), 'hex');
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  perform note_correction_v1(p_game, p_player, true, null);
  delete from bests b where b.game = p_game and b.player = p_player and b.board in (
    select 'all-time' union select s.week from submissions s where s.game = p_game and s.player = p_player
    union select o.board from submissions s cross join lateral jsonb_object_keys(s.boards) o (board)
      where s.game = p_game and s.player = p_player);
  delete from badges b where b.game = p_game and b.player = p_player;
  delete from submissions s where s.game = p_game and s.player = p_player;
  delete from players p where p.game = p_game and p.player = p_player;
  insert into players (game, player, deleted_at) values (p_game, p_player, now());
  update moderation_log l set player = v_hash where l.game = p_game and l.player = p_player;
  insert into moderation_log (game, action, player, by) values (p_game, 'delete-player', v_hash, p_by);
  perform end_tombstones_v1();
  return true;
end $$;
