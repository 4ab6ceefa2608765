-- The items of a call that are above their player's limit, and counts the others. A window starts with the first submission after the
-- last one ended.
-- Arguments: the game, the items, the game's max_points, the limit and its window.
-- Result: the numbers (i) of the items.
-- Locks: the rows of the players, in order: two requests at once cannot share the last place.
-- Called by: submit_scores_v2, whose settings keep nested loops out; it joins a batch with tables of any size and needs them.
create or replace function limited_items_v1(p_game text, p_items json, p_max_points bigint, p_limit int, p_window interval)
returns int[] language plpgsql set enable_nestloop = on as $$
declare
  v_limited int[];
begin
  insert into players (game, player)
  select distinct p_game, n.player from json_to_recordset(p_items) as n (player text, points bigint)
  where (n.points <= p_max_points) is not false order by n.player
  on conflict (game, player) do nothing;
  perform from players p
  where p.game = p_game and p.player in (select n.player from json_to_recordset(p_items) as n (player text))
  order by p.player for update;

  -- A statement of its own: it sees what the lock waited for. Retries of what was accepted are not counted.
  with news as (
    select n.i, n.player, row_number() over (partition by n.player order by n.i) as nth
    from (
      select distinct on (x.player, x.key) x.* from json_to_recordset(p_items)
        as x (i int, player text, key text, points bigint)
      where (x.points <= p_max_points) is not false order by x.player, x.key, x.i
    ) n
    where not exists (
      select from submissions s where s.game = p_game and s.player = n.player and s.idempotency_key = n.key)
  ),
  windows as (
    select p.player, coalesce(p.window_started_at > clock_timestamp() - p_window, false) as runs,
      p.window_started_at, p.window_submissions, (select count(*) from news n where n.player = p.player) as more
    from players p
    where p.game = p_game and p.player in (select n.player from news n) and p.banned_at is null
  ),
  counted as (
    update players p set
      window_started_at = case when w.runs then w.window_started_at else clock_timestamp() end,
      window_submissions = least(p_limit, case when w.runs then w.window_submissions else 0 end + w.more)
    from windows w where p.game = p_game and p.player = w.player
  )
  select array_agg(n.i) into v_limited
  from news n join windows w on w.player = n.player
  where n.nth > p_limit - case when w.runs then w.window_submissions else 0 end;
  return coalesce(v_limited, '{}');
end $$;
