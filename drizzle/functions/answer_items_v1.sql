-- What became of the items of a call. What the call wrote is answered from p_items and p_raised; the rest is looked up, in a
-- statement of its own, which sees what the ones before it waited for.
-- Arguments: the game; its items, those with an id written by this call; the entries that they raised, or null; the game's
-- max_points, what limited_items_v1 found and the game's window, how far the game is verified.
-- Result: the answers of submit_scores_v1, in the order of the items.
-- Locks: none.
-- Called by: submit_one_v1, submit_many_v1.
create or replace function answer_items_v1(
  p_game text, p_items submit_item_v1[], p_raised best_change_v1[], p_max_points bigint, p_limited int[], p_window interval,
  p_verified uuid)
returns setof submit_answer_v1 language plpgsql as $$
begin
  return query
  with answered (
    i, outcome, submission_id, submitted_at, week, age_ms, now_us, week_points, week_at, week_previous, week_previous_at,
    week_raised, country, left_countries, week_submission, all_time_points, all_time_at, all_time_previous,
    all_time_previous_at, all_time_raised, all_time_submission, unverified, fresh, retry_after
  ) as materialized (
    select n.i,
      case
        when s.id is null and n.points > p_max_points then 'too-many-points'
        when s.id is null and array_position(p_limited, n.i) is not null then 'limited'
        when s.id is null then why_refused_v1(p_game, n.player)
        when s.request <> n.request then 'conflict'
        when s.state = 'held' then 'held'
        when s.state <> 'ranked' then 'removed'
        when w.points is null and n.points is not null then 'banned' -- a banned player has no bests
        when n.points is null and is_banned_v1(p_game, n.player) then 'banned'
        when n.id is not null then 'accepted'
        else 'replayed'
      end,
      s.id, s.submitted_at, s.week,
      (extract(epoch from clock_timestamp() - s.received_at) * 1000)::bigint,
      (extract(epoch from clock_timestamp()) * 1000000)::bigint,
      w.points, w.achieved_at, wr.previous, wr.previous_at, wr.board is not null,
      w.country, w.left_countries, w.submission_id,
      a.points, a.achieved_at, ar.previous, ar.previous_at, ar.board is not null, a.submission_id,
      p_verified is null or w.submission_id > p_verified or a.submission_id > p_verified,
      n.id is not null,
      case when s.id is null and array_position(p_limited, n.i) is not null
        then window_left_v1(p_game, n.player, p_window) end
    from unnest(p_items) n
    left join lateral (
      select n.id, n.request, n.week, n.state, n.submitted_at, now() as received_at where n.id is not null
      union all (
        select t.id, t.request, t.week, t.state, t.submitted_at, t.received_at from submissions t
        where n.id is null and t.game = p_game and t.player = n.player and t.idempotency_key = n.key limit 1)
    ) s on true
    left join unnest(p_raised) wr on wr.board = s.week and wr.player = n.player
    left join unnest(p_raised) ar on ar.board = 'all-time' and ar.player = n.player
    left join lateral (
      select wr.points, wr.achieved_at, wr.country, wr.left_countries, wr.submission_id where wr.board is not null
      union all (
        select t.points, t.achieved_at, t.country, t.left_countries, t.submission_id from bests t
        where wr.board is null and t.game = p_game and t.board = s.week and t.player = n.player limit 1)
    ) w on true
    left join lateral (
      select ar.points, ar.achieved_at, ar.submission_id where ar.board is not null
      union all (
        select t.points, t.achieved_at, t.submission_id from bests t
        where ar.board is null and t.game = p_game and t.board = 'all-time' and t.player = n.player limit 1)
    ) a on true
  )
  select a.*, z.players
  from answered a
  left join (
    select w.week, (
      select sum(z.players)::bigint from board_sizes z where z.game = p_game and z.board = w.week) as players
    from (select distinct n.week from answered n) w
  ) z on z.week = a.week
  order by a.i;
end $$;
