-- Whether a player is banned is looked up one by one, whatever the statistics say. Of a game that grew since the last ANALYZE
-- Postgres believes that it has one row. Joining by an index that merely begins with the game then seems as good as by all of
-- its columns, and reads all players of the game for every submission: the thousand newest of a million took two minutes. A scalar
-- subquery cannot become a join.

create or replace view ranked_submissions as
select s.* from submissions s
where s.state = 'ranked'
  and (select p.banned_at from players p where p.game = s.game and p.player = s.player) is null;
--> statement-breakpoint
-- award_range_v1 as in 0006, but for the last condition.
create or replace function award_range_v1(p_game text, p_after uuid, p_until uuid, p_today boolean)
returns table (player text, badge text) language plpgsql as $$
#variable_conflict use_column
begin
  perform lock_game_v1(p_game, false);
  return query
  -- Materialized for the same reason: the page is read first, in the order of the key.
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
