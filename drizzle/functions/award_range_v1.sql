-- Judges the submissions of a game after p_after up to p_until.
-- Arguments: the game, the range, and whether by the rules of today (p_today) or by those that were in force when each was received.
-- Result: a row for each badge that was new.
-- Locks: the game's, shared, first: the statement after it sees every ban and removal that it waited for, so that no award undoes
-- one. Rows are inserted in the order of the key: two runs that meet wait for each other, never in a circle.
-- Called by: award_next_v1, award_history_v1.
create or replace function award_range_v1(p_game text, p_after uuid, p_until uuid, p_today boolean)
returns table (player text, badge text) language plpgsql as $$
#variable_conflict use_column
begin
  perform lock_game_v1(p_game, false);
  return query
  -- Materialized: the page is read first, in the order of the key, whatever the statistics say.
  with page as materialized (
    select t.player, t.points, t.id, t.received_at from submissions t
    where t.game = p_game and t.id > p_after and t.id <= p_until and t.state = 'ranked' order by t.id
  )
  insert into badges as b (game, player, badge, threshold, points, submission_id)
  select p_game, d.player, d.badge, d.threshold, d.points, d.id
  from (
    select distinct on (s.player, r.badge) s.player, r.badge, r.threshold, s.points, s.id
    from page s
    join badge_rules r on r.game = p_game and r.threshold <= s.points and (
      p_today and r.ends_at is null
      or not p_today and r.starts_at <= s.received_at and (r.ends_at is null or s.received_at < r.ends_at))
    where (select p.banned_at from players p where p.game = p_game and p.player = s.player) is null
    order by s.player, r.badge, s.id
  ) d
  order by d.player, d.badge
  on conflict do nothing
  returning b.player, b.badge;
end $$;
