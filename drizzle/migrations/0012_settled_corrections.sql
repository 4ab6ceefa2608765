-- Forgets these corrections ([{player, at}]) of a game where they are old enough and nobody moderated the player again;
-- returns how many the game has left.
create function forget_corrections_v2(p_game text, p_settled json, p_older_than interval) returns bigint language plpgsql as $$
begin
  delete from corrections c
  using json_to_recordset(p_settled) as s (player text collate "C", at timestamptz)
  where c.game = p_game and c.player = s.player and c.at = s.at and c.at < now() - p_older_than;
  perform forget_tombstones_v1();
  return (select count(*) from corrections c where c.game = p_game);
end $$;
