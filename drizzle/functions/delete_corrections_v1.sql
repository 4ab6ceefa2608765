-- Deletes these corrections of a game where they are old enough and no moderator acted on the player again; ends old tombstones too.
-- Arguments: the game, p_settled: [{player, at}], how old they have to be.
-- Result: how many corrections the game has left.
-- Locks: none but those of the rows.
-- Called by: functions/adapters/postgres/moderation.ts, for the cron.
create or replace function delete_corrections_v1(p_game text, p_settled json, p_older_than interval) returns bigint language plpgsql as $$
begin
  delete from corrections c
  using json_to_recordset(p_settled) as s (player text collate "C", at timestamptz)
  where c.game = p_game and c.player = s.player and c.at = s.at and c.at < now() - p_older_than;
  perform end_tombstones_v1();
  return (select count(*) from corrections c where c.game = p_game);
end $$;
