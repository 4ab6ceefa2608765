-- Why a submission of this player was not written: a function, so that the submit statement does not open the table for answers that
-- it rarely gives.
-- Arguments: the game, the player.
-- Result: banned | deleted.
-- Locks: none.
-- Called by: answer_items_v1.
create or replace function why_refused_v1(p_game text, p_player text) returns text language plpgsql stable as $$
begin
  return case when is_banned_v1(p_game, p_player) then 'banned' else 'deleted' end;
end $$;
