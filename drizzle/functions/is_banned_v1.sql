-- Whether a player is banned; a function for the reason that why_refused_v1 has.
-- Arguments: the game, the player.
-- Locks: none.
-- Called by: answer_items_v1.
create or replace function is_banned_v1(p_game text, p_player text) returns boolean language plpgsql stable as $$
begin
  return exists (select from players p where p.game = p_game and p.player = p_player and p.banned_at is not null);
end $$;
