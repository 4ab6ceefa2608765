-- Makes bests and badges of a player the fold of their ranked submissions (none while they are banned).
-- Arguments: the game, the player.
-- Locks: none of its own; every caller has the game alone.
-- Called by: ban_player_v1, unban_player_v1, decide_submission_v1.
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
    where s.game = p_game and s.player = p_player and s.points is not null
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

  perform refold_boards_v1(p_game, p_player);

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
