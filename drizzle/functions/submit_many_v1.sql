-- The items of a call, any number: writes the submissions that may count, the bests that they raise, the players that are new.
-- Arguments: those of submit_one_v1.
-- Result: the answers of submit_scores_v1, in the order of the items.
-- Locks: those of submit_scores_v1. Ids are given before rows are locked, in the order of the items: the feed and a player's last
-- country follow them.
-- Called by: submit_scores_v2.
create or replace function submit_many_v1(
  p_game text, p_items json, p_max_points bigint, p_limited int[], p_window interval, p_held int[], p_verified uuid)
returns setof submit_answer_v1 language plpgsql as $$
declare
  v_items submit_item_v1[];
  v_candidates best_candidate_v1[];
  v_newcomers text[];
  v_raised best_change_v1[];
begin
  with items as materialized (
    select x.*, coalesce(x.at, now()) as submitted_at, uuidv7() as id, p.known, p.refused
    from json_to_recordset(p_items) as x (
      i int, player text collate "C", key text collate "C", request text, points bigint, country text, at timestamptz,
      "values" jsonb, keys jsonb, boards jsonb, segments jsonb, metadata jsonb)
    left join lateral (
      select p.deleted_at is null as known,
        p.banned_at is not null or p.deleted_at > now() - interval '1 day' as refused
      from players p where p.game = p_game and p.player = x.player limit 1
    ) p on true
  ),
  accepted as (
    insert into submissions (id, game, player, idempotency_key, request, points, country, week, submitted_at, state,
      "values", keys, boards, segments, metadata)
    select n.id, p_game, n.player, n.key, n.request, n.points, n.country,
      to_char(n.submitted_at at time zone 'UTC', 'IYYY-"W"IW'), n.submitted_at,
      case when array_position(p_held, n.i) is not null then 'held' else 'ranked' end,
      n.values, n.keys, n.boards, n.segments, n.metadata
    from (
      select distinct on (x.player, x.key) x.* from items x
      where (x.points <= p_max_points) is not false order by x.player, x.key, x.i
    ) n
    where n.refused is not true and array_position(p_limited, n.i) is null
    order by n.player, n.key
    on conflict (game, player, idempotency_key) do nothing
    returning id, player, points, country, week, submitted_at, state
  ),
  candidates as (
    select distinct on (board, player) board, player, points, achieved_at, id, country
    from (
      select a.week collate "C" as board, a.player, a.points,
        date_trunc('second', a.submitted_at) as achieved_at, a.id,
        last_value(a.country) over (
          partition by a.week, a.player order by a.country is not null, a.id
          rows between unbounded preceding and unbounded following) as country
      from accepted a where a.state = 'ranked' and a.points is not null
      union all
      select 'all-time', a.player, a.points, date_trunc('second', a.submitted_at), a.id, null
      from accepted a where a.state = 'ranked' and a.points is not null
    ) one_board_each
    order by board, player, points desc, achieved_at, id
  )
  select
    (select array_agg(c::best_candidate_v1) from candidates c),
    array_agg((n.i, n.player, n.key, n.request, n.points, n.country, n.submitted_at,
      a.id, a.week, a.state)::submit_item_v1),
    array_agg(distinct n.player) filter (where a.id is not null and n.known is not true)
  into v_candidates, v_items, v_newcomers
  from items n left join accepted a on a.id = n.id;

  if v_candidates is not null then
    v_raised := raise_bests_v1(p_game, v_candidates);
  end if;

  -- A tombstone that has just ended may be going away at this moment, so its player counts as new.
  if v_newcomers is not null then
    insert into players (game, player)
    select p_game, n.player from unnest(v_newcomers) as n (player) order by n.player collate "C"
    on conflict (game, player) do nothing;
  end if;

  return query select * from answer_items_v1(p_game, v_items, v_raised, p_max_points, p_limited, p_window, p_verified);
end $$;
