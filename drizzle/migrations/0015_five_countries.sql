-- A player counts for at most five countries a week: the first five different ones. Every submission takes them off the boards of
-- the countries that they left, so without a bound a player who names another country each time makes it write to all there are.
-- What is submitted from a sixth country counts, for the country that the player is in.
create function keep_country_v1() returns trigger language plpgsql as $$
begin
  new.country := old.country;
  new.left_countries := old.left_countries;
  return new;
end $$;
--> statement-breakpoint
set local lock_timeout = '4s';
--> statement-breakpoint
create trigger bests_countries before update on bests for each row
when (new.country is distinct from old.country and cardinality(new.left_countries) > 4)
execute function keep_country_v1();
--> statement-breakpoint
-- The countries of a player's weeks that count, whatever became of the submissions: Redis may have had the player there.
create function counted_countries_v1(p_game text, p_player text) returns table (week text, countries text[])
language sql stable as $$
  select f.week, (array_agg(f.country order by f.first))[:5]
  from (
    select s.week, s.country, (array_agg(s.id order by s.id))[1] as first from submissions s
    where s.game = p_game and s.player = p_player and s.country is not null and s.state not in ('held', 'rejected')
    group by s.week, s.country
  ) f group by f.week
$$;
--> statement-breakpoint
-- As in 0005, but for the countries.
create or replace function refold_player_v1(p_game text, p_player text) returns void language plpgsql as $$
begin
  -- By board: the primary key has the board before the player.
  delete from bests b where b.game = p_game and b.player = p_player and b.board in (
    select 'all-time' union select s.week from submissions s where s.game = p_game and s.player = p_player);

  insert into bests (game, board, player, points, achieved_at, submission_id, country, left_countries)
  select p_game, b.board, p_player, b.points, b.achieved_at, b.id, l.country,
    coalesce((array_remove(c.countries, l.country))[:4], '{}')
  from (
    select distinct on (board) board, s.points, date_trunc('second', s.submitted_at) as achieved_at, s.id
    from ranked_submissions s, lateral (values (s.week), ('all-time')) as boards (board)
    where s.game = p_game and s.player = p_player
    order by board, s.points desc, achieved_at, s.id
  ) b
  left join (
    select distinct on (s.week) s.week, s.country
    from ranked_submissions s
    join counted_countries_v1(p_game, p_player) n on n.week = s.week and s.country = any(n.countries)
    where s.game = p_game and s.player = p_player
    order by s.week, s.id desc
  ) l on l.week = b.board
  left join counted_countries_v1(p_game, p_player) c on c.week = b.board;

  delete from badges d where d.game = p_game and d.player = p_player and not exists (
    select from submissions s where s.game = p_game and s.id = d.submission_id and s.state = 'ranked');
  -- By the rules that were in force when each submission was received.
  insert into badges (game, player, badge, threshold, points, submission_id)
  select distinct on (r.badge) p_game, p_player, r.badge, r.threshold, s.points, s.id
  from ranked_submissions s
  join badge_rules r on r.game = s.game and s.points >= r.threshold
    and s.received_at >= r.starts_at and (r.ends_at is null or s.received_at < r.ends_at)
  where s.game = p_game and s.player = p_player
  order by r.badge, s.id
  on conflict (game, player, badge) do nothing;
end $$;
