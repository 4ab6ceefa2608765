-- Judges these submissions of a game by the rules that were in force when they were received.
-- Arguments: the game, the ids.
-- Result: a row for each badge that was new.
-- Locks: as award_range_v1.
-- Called by: functions/adapters/postgres/badges.ts, for the cron.
create or replace function award_submissions_v1(p_game text, p_ids uuid[])
returns table (player text, badge text) language plpgsql as $$
#variable_conflict use_column
begin
  perform lock_game_v1(p_game, false);
  return query
  insert into badges as b (game, player, badge, threshold, points, submission_id)
  select p_game, d.player, d.badge, d.threshold, d.points, d.id
  from (
    select distinct on (s.player, r.badge) s.player, r.badge, r.threshold, s.points, s.id
    from unnest(p_ids) as i (id)
    -- Looked up one by one, whatever the statistics say: right after a rush they know nothing of it, and the plan
    -- they suggest then reads the whole game for each id.
    cross join lateral (
      select t.player, t.points, t.id, t.received_at from ranked_submissions t
      where t.game = p_game and t.id = i.id limit 1) s
    join badge_rules r on r.game = p_game and r.threshold <= s.points
      and r.starts_at <= s.received_at and (r.ends_at is null or s.received_at < r.ends_at)
    order by s.player, r.badge, s.id
  ) d
  order by d.player, d.badge
  on conflict do nothing
  returning b.player, b.badge;
end $$;
