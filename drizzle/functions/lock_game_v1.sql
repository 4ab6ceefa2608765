-- Takes the lock of a game until the transaction ends. Submissions and awards share it and moderation takes it alone, so that neither
-- ever sees the other half done: when a ban has committed, every earlier submission of the player has too and every later one
-- sees the ban. In shared memory, not in a row: it writes nothing, and one lock serves a batch of any size.
-- Arguments: the game, whether alone.
-- Locks: the advisory lock (1, hash of the game), which submit_scores_v1 takes without this call.
-- Called by: ban_player_v1, unban_player_v1, delete_player_v1, decide_submission_v1, award_submissions_v1, award_range_v1,
-- recount_board_v1.
create or replace function lock_game_v1(p_game text, p_alone boolean) returns void language plpgsql as $$
begin
  if p_alone then
    -- Shorter than the Worker waits: a statement that nobody waits for must not keep submissions from theirs.
    perform set_config('lock_timeout', '4s', true);
    perform pg_advisory_xact_lock(1, hashtext(p_game));
  else
    perform pg_advisory_xact_lock_shared(1, hashtext(p_game));
  end if;
end $$;
