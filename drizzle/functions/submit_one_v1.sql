-- The one item of a call: as submit_many_v1, without what sorts and joins a batch. For one item that costs more than the writing.
-- Arguments: the game, its one item, the game's max_points, what limited_items_v1 found and the game's window, what held_items_v1
-- found, how far the game is verified.
-- Result: the answer of submit_scores_v1.
-- Locks: those of submit_scores_v1.
-- Called by: submit_scores_v2.
create or replace function submit_one_v1(
  p_game text, p_items json, p_max_points bigint, p_limited int[], p_window interval, p_held int[], p_verified uuid)
returns submit_answer_v1 language plpgsql as $$
declare
  v_item submit_item_v1;
  v_known boolean;
  v_refused boolean;
  v_raised best_change_v1[];
  v_change best_change_v1;
  v_week best_change_v1;
  v_all_time best_change_v1;
  v_week_raised boolean;
  v_all_time_raised boolean;
  v_answer submit_answer_v1;
begin
  select x.i, x.player, x.key, x.request, x.points, x.country, coalesce(x.at, now()) into v_item
  from json_to_recordset(p_items)
    as x (i int, player text, key text, request text, points bigint, country text, at timestamptz);

  select p.deleted_at is null, p.banned_at is not null or p.deleted_at > now() - interval '1 day'
  into v_known, v_refused
  from players p where p.game = p_game and p.player = v_item.player;

  if (v_item.points <= p_max_points) is not false and v_refused is not true and p_limited = '{}' then
    insert into submissions (game, player, idempotency_key, request, points, country, week, submitted_at, state,
      "values", keys, boards, segments, metadata)
    select p_game, v_item.player, v_item.key, v_item.request, v_item.points, v_item.country,
      to_char(v_item.submitted_at at time zone 'UTC', 'IYYY-"W"IW'), v_item.submitted_at,
      case when p_held = '{}' then 'ranked' else 'held' end, x.values, x.keys, x.boards, x.segments, x.metadata
    from json_to_recordset(p_items) as x ("values" jsonb, keys jsonb, boards jsonb, segments jsonb, metadata jsonb)
    on conflict (game, player, idempotency_key) do nothing
    returning id, week, state into v_item.id, v_item.week, v_item.state;
  end if;

  if v_item.state = 'ranked' and v_item.points is not null then
    v_raised := raise_bests_v1(p_game, array[
      (v_item.week, v_item.player, v_item.points, date_trunc('second', v_item.submitted_at), v_item.id,
        v_item.country)::best_candidate_v1,
      ('all-time', v_item.player, v_item.points, date_trunc('second', v_item.submitted_at), v_item.id,
        null)::best_candidate_v1]);
  end if;

  -- A tombstone that has just ended may be going away at this moment, so its player counts as new.
  if v_item.id is not null and v_known is not true then
    insert into players (game, player) values (p_game, v_item.player) on conflict (game, player) do nothing;
  end if;

  if v_item.state is distinct from 'ranked' then
    select * into v_answer
    from answer_items_v1(p_game, array[v_item], v_raised, p_max_points, p_limited, p_window, p_verified);
    return v_answer;
  end if;

  -- What most calls are: one new submission. answer_items_v1 says the same of any items and what became of them.
  foreach v_change in array coalesce(v_raised, '{}') loop
    if v_change.board = 'all-time' then v_all_time := v_change; else v_week := v_change; end if;
  end loop;
  v_week_raised := v_week.board is not null;
  v_all_time_raised := v_all_time.board is not null;
  if not v_week_raised then
    select b.points, b.achieved_at, b.country, b.left_countries, b.submission_id
    into v_week.points, v_week.achieved_at, v_week.country, v_week.left_countries, v_week.submission_id
    from bests b where b.game = p_game and b.board = v_item.week and b.player = v_item.player;
  end if;
  if not v_all_time_raised then
    select b.points, b.achieved_at, b.submission_id
    into v_all_time.points, v_all_time.achieved_at, v_all_time.submission_id
    from bests b where b.game = p_game and b.board = 'all-time' and b.player = v_item.player;
  end if;
  return (v_item.i, 'accepted', v_item.id, v_item.submitted_at, v_item.week,
    (extract(epoch from clock_timestamp() - now()) * 1000)::bigint,
    (extract(epoch from clock_timestamp()) * 1000000)::bigint,
    v_week.points, v_week.achieved_at, v_week.previous, v_week.previous_at, v_week_raised,
    v_week.country, v_week.left_countries, v_week.submission_id,
    v_all_time.points, v_all_time.achieved_at, v_all_time.previous, v_all_time.previous_at,
    v_all_time_raised, v_all_time.submission_id,
    p_verified is null or v_week.submission_id > p_verified or v_all_time.submission_id > p_verified, true, null::int,
    (select sum(z.players)::bigint from board_sizes z where z.game = p_game and z.board = v_item.week))::submit_answer_v1;
end $$;
