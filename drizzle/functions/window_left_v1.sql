-- Seconds until the window of a player ends, at least 1; a function for the reason that why_refused_v1 has.
-- Arguments: the game, the player, the game's window.
-- Locks: none.
-- Called by: answer_items_v1.
create or replace function window_left_v1(p_game text, p_player text, p_window interval) returns int language plpgsql as $$
begin
  return (
    select greatest(1, ceil(extract(epoch from p.window_started_at + p_window - clock_timestamp())))::int
    from players p where p.game = p_game and p.player = p_player);
end $$;
