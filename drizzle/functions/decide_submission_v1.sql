-- Takes a submission back (`removed`), or decides on one that is held (`ranked`, `rejected`).
-- Arguments: the game, the submission, its new state, who asked.
-- Result: one row: done | unknown-game | unknown-submission, and the player.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function decide_submission_v1(p_game text, p_id uuid, p_state text, p_by text)
returns table (result text, player text) language plpgsql as $$
#variable_conflict use_column
declare
  v_player text collate "C";
  v_before text;
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then
    return query select 'unknown-game', null::text;
    return;
  end if;
  select s.player, s.state into v_player, v_before from submissions s where s.game = p_game and s.id = p_id;
  if v_player is null or (p_state <> 'removed' and v_before not in ('held', p_state)) then
    return query select 'unknown-submission', null::text;
    return;
  end if;
  if v_before <> p_state then
    update submissions s set state = p_state where s.game = p_game and s.id = p_id;
    perform note_correction_v1(p_game, v_player, null, case when p_state = 'removed' then p_id end);
    perform refold_player_v1(p_game, v_player);
    insert into moderation_log (game, action, player, submission_id, by) values (p_game,
      case p_state when 'removed' then 'remove-submission' when 'ranked' then 'release' else 'reject' end,
      v_player, p_id, p_by);
  end if;
  return query select 'done', v_player;
end $$;
