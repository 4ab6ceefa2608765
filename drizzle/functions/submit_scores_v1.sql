-- As submit_scores_v2, for Workers of a release that knows no boards but the default ones.
-- Arguments: those of submit_scores_v2 that come first.
-- Result: the answers of submit_scores_v2.
-- Locks: those of submit_scores_v2.
-- Called by: Workers of the release before.
--
-- Such a Worker cannot say what a submission brings to boards that the game defined, and counting it on the default ones alone would be
-- wrong for ever. It fails instead, before anything is written: the client repeats it with the same key, and comes to a Worker that can.
create or replace function submit_scores_v1(p_game text, p_items json, p_caller text, p_key int) returns setof submit_answer_v1
language plpgsql as $$
begin
  if exists (select from games g where g.game = p_game and g.boards_revision is not null) then
    raise exception 'the game % has boards that this release does not know', p_game using errcode = 'feature_not_supported';
  end if;
  return query select (s.answer).* from submit_scores_v2(p_game, p_items, p_caller, p_key, null, null, false) s;
end $$;
