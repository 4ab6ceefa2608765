-- The countries of a player's weeks that count: the first five different ones of each, whatever became of the submissions, since
-- Redis may have had the player there.
-- Arguments: the game, the player.
-- Result: a row for each week that has any.
-- Locks: none.
-- Called by: refold_player_v1.
create or replace function counted_countries_v1(p_game text, p_player text) returns table (week text, countries text[])
language sql stable as $$
  select f.week, (array_agg(f.country order by f.first))[:5]
  from (
    select s.week, s.country, (array_agg(s.id order by s.id))[1] as first from submissions s
    where s.game = p_game and s.player = p_player and s.country is not null and s.state not in ('held', 'rejected')
    group by s.week, s.country
  ) f group by f.week
$$;
