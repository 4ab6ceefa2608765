-- Raises bests to these candidates, where they are better or bring another country.
-- Arguments: the game, at most one candidate a board and player, in the order in which the rows are to be locked.
-- Result: the entries that changed; null when none did.
-- Locks: the rows of bests, in the order of the candidates.
-- Called by: submit_one_v1, submit_many_v1.
create or replace function raise_bests_v1(p_game text, p_candidates best_candidate_v1[]) returns best_change_v1[]
language plpgsql as $$
declare
  v_raised best_change_v1[];
begin
  with raised as (
    insert into bests as b (game, board, player, points, achieved_at, submission_id, country)
    select p_game, c.board, c.player, c.points, c.achieved_at, c.submission_id, c.country
    from unnest(p_candidates) c
    on conflict (game, board, player) do update set
      points = greatest(b.points, excluded.points),
      achieved_at = case when (excluded.points, b.achieved_at) > (b.points, excluded.achieved_at)
        then excluded.achieved_at else b.achieved_at end,
      submission_id = case when (excluded.points, b.achieved_at) > (b.points, excluded.achieved_at)
        then excluded.submission_id else b.submission_id end,
      country = coalesce(excluded.country, b.country),
      left_countries = case when excluded.country <> b.country
        then array_append(array_remove(b.left_countries, excluded.country), b.country) else b.left_countries end
    where (excluded.points, b.achieved_at) > (b.points, excluded.achieved_at)
      or (excluded.country is not null and excluded.country is distinct from b.country)
    returning (new.board, new.player, new.points, new.achieved_at, new.submission_id, new.country,
      new.left_countries, old.points, old.achieved_at)::best_change_v1 as change
  )
  select array_agg(r.change) into v_raised from raised r;
  return v_raised;
end $$;
