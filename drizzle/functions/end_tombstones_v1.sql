-- Ends the tombstones of deleted players after a day. A player who came back since keeps the row and loses the mark.
-- Locks: none but those of the rows.
-- Called by: delete_player_v1, delete_corrections_v1.
create or replace function end_tombstones_v1() returns void language plpgsql as $$
begin
  update players p set deleted_at = null
  where p.deleted_at < now() - interval '1 day' and exists (
    select from submissions s where s.game = p.game and s.player = p.player);
  delete from players p where p.deleted_at < now() - interval '1 day' and p.banned_at is null;
end $$;
