-- What counts: boards, feed, badges and every rebuild are made of these rows alone.
create view ranked_submissions as
select s.* from submissions s
where s.state = 'ranked' and not exists (
  select from players p where p.game = s.game and p.player = s.player and p.banned_at is not null);
--> statement-breakpoint
-- Submissions share this lock of their game and moderation takes it alone, so that neither ever sees the other half
-- done: when a ban has committed, every earlier submission of the player has too and every later one sees the ban.
-- In shared memory, not in a row: it writes nothing, and one lock serves a batch of any size.
create function lock_game_v1(p_game text, p_alone boolean) returns void language plpgsql as $$
begin
  if p_alone then
    -- Shorter than the Worker waits: a statement that nobody waits for must not keep submissions from theirs.
    perform set_config('lock_timeout', '4s', true);
    perform pg_advisory_xact_lock(1, hashtext(p_game));
  else
    perform pg_advisory_xact_lock_shared(1, hashtext(p_game));
  end if;
end $$;
--> statement-breakpoint
-- submit_scores_v1 with a state of each submission, a limit per player, a soft bound and signatures.
--
-- p_caller: `server` or `player`. p_key: number of the signing secret that the request was signed with, null when it
-- was not signed. More outcomes: unsigned (this game wants a signature, or another secret) | limited (too many in
-- the player's window; retry_after has seconds) | held (waits for review; week_points and all_time_points may be
-- null) | removed (a moderator took it back, or review rejected it) | deleted (the player was, less than a day ago).
-- `fresh` says that this call wrote the submission.
create function submit_scores_v2(p_game text, p_items json, p_caller text, p_key int)
returns table (
  i int, outcome text, submission_id uuid, submitted_at timestamptz, week text, age_ms bigint, now_us bigint,
  week_points bigint, week_at timestamptz, week_previous bigint, week_previous_at timestamptz, week_raised boolean,
  week_new boolean, country text, left_countries text[], week_submission uuid,
  all_time_points bigint, all_time_at timestamptz, all_time_previous bigint, all_time_previous_at timestamptz,
  all_time_raised boolean, all_time_submission uuid, unverified boolean, fresh boolean, retry_after int
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_max_points bigint;
  v_max_improvement bigint;
  v_limit int;
  v_window interval;
  v_signed boolean;
  v_verified uuid;
  v_limited int[] := '{}';
  v_held int[] := '{}';
  v_accepted uuid[];
  v_week_raised bests_change_v1[];
  v_all_time_raised bests_change_v1[];
begin
  perform pg_advisory_xact_lock_shared(1, hashtext(p_game)); -- lock_game_v1, without the call

  select g.max_points, g.max_improvement, g.limit_submissions, make_interval(secs => g.limit_seconds),
    case when p_key is null then g.signing = 'nobody' or (g.signing = 'players' and p_caller <> 'player')
      else p_key = g.signing_key or (p_key = g.signing_key - 1 and g.signing_key_at > now() - interval '1 day') end,
    r.verified_until
  into v_max_points, v_max_improvement, v_limit, v_window, v_signed, v_verified
  from games g left join reconciliations r on r.game = g.game where g.game = p_game;
  if not found then return; end if;

  if not v_signed then
    for i in select n.i from json_to_recordset(p_items) as n (i int) order by n.i loop
      outcome := 'unsigned';
      return next;
    end loop;
    return;
  end if;

  if v_limit is not null then
    v_limited := limited_items_v1(p_game, p_items, v_max_points, v_limit, v_window);
  end if;
  if v_max_improvement is not null then
    v_held := held_items_v1(p_game, p_items, v_max_points, v_max_improvement);
  end if;

  -- Fixed orders (player and key; board and player): two batches that meet wait for each other, never in a circle.
  -- Ids are given before that, in the order of the items: the feed and a player's last country follow them.
  with numbered as materialized (
    select x.*, uuidv7() as id from json_to_recordset(p_items)
      as x (i int, player text, key text, request text, points bigint, country text, at timestamptz)
  ),
  input as (
    select x.*, coalesce(x.at, now()) as submitted_at,
      row_number() over (partition by x.player, x.key order by x.points > v_max_points, x.i) as nth
    from numbered x
  ),
  accepted as (
    insert into submissions (id, game, player, idempotency_key, request, points, country, week, submitted_at, state)
    select n.id, p_game, n.player, n.key, n.request, n.points, n.country,
      to_char(n.submitted_at at time zone 'UTC', 'IYYY-"W"IW'), n.submitted_at,
      case when array_position(v_held, n.i) is not null then 'held' else 'ranked' end
    from input n
    where n.points <= v_max_points and n.nth = 1 and array_position(v_limited, n.i) is null
      and not exists (
        select from players p where p.game = p_game and p.player = n.player
          and (p.banned_at is not null or p.deleted_at > now() - interval '1 day'))
    order by n.player, n.key
    on conflict (game, player, idempotency_key) do nothing
    returning id, player, idempotency_key, points, country, week, submitted_at, state
  ),
  ranked as (
    select * from accepted where state = 'ranked'
  ),
  candidates as (
    select distinct on (board, player) board, player, points, achieved_at, id, country
    from (
      select a.week as board, a.player, a.points, date_trunc('second', a.submitted_at) as achieved_at, a.id,
        last_value(a.country) over (
          partition by a.week, a.player order by a.country is not null, n.i
          rows between unbounded preceding and unbounded following) as country
      from ranked a join input n on n.player = a.player and n.key = a.idempotency_key and n.nth = 1
      union all
      select 'all-time', a.player, a.points, date_trunc('second', a.submitted_at), a.id, null
      from ranked a
    ) one_board_each
    order by board, player, points desc, achieved_at, id
  ),
  raised as (
    insert into bests as b (game, board, player, points, achieved_at, submission_id, country)
    select p_game, c.board, c.player, c.points, c.achieved_at, c.id, c.country
    from candidates c order by c.board, c.player
    on conflict (game, board, player) do update set
      points = greatest(b.points, excluded.points),
      achieved_at = case when (excluded.points, b.achieved_at) > (b.points, excluded.achieved_at)
        then excluded.achieved_at else b.achieved_at end,
      submission_id = case when (excluded.points, b.achieved_at) > (b.points, excluded.achieved_at)
        then excluded.submission_id else b.submission_id end,
      country = coalesce(excluded.country, b.country),
      left_countries = case when excluded.country <> b.country
        then array_append(array_remove(b.left_countries, excluded.country), b.country) else b.left_countries end
    where (excluded.points, b.achieved_at) > (b.points, excluded.achieved_at)
      or (excluded.country is not null and excluded.country is distinct from b.country)
    returning row(new.board, new.player, old.points, old.achieved_at)::bests_change_v1 as change
  ),
  known as (
    insert into players (game, player)
    select distinct p_game, a.player from accepted a order by a.player
    on conflict (game, player) do nothing
  )
  select (select array_agg(a.id) from accepted a),
    (select array_agg(r.change) from raised r where (r.change).board <> 'all-time'),
    (select array_agg(r.change) from raised r where (r.change).board = 'all-time')
  into v_accepted, v_week_raised, v_all_time_raised;

  return query
  select n.i,
    case
      when s.id is null and n.points > v_max_points then 'too-many-points'
      when s.id is null and array_position(v_limited, n.i) is not null then 'limited'
      when s.id is null then why_refused_v1(p_game, n.player)
      when s.request <> n.request then 'conflict'
      when s.state = 'held' then 'held'
      when s.state <> 'ranked' then 'removed'
      when w.player is null then 'banned' -- a banned player has no bests
      when accepted.id is not null and n.nth = 1 then 'accepted'
      else 'replayed'
    end,
    s.id, s.submitted_at, s.week,
    (extract(epoch from clock_timestamp() - s.received_at) * 1000)::bigint,
    (extract(epoch from clock_timestamp()) * 1000000)::bigint,
    w.points, w.achieved_at, wr.points, wr.achieved_at, wr.board is not null,
    wr.board is not null and wr.points is null, w.country, w.left_countries, w.submission_id,
    a.points, a.achieved_at, ar.points, ar.achieved_at, ar.board is not null, a.submission_id,
    v_verified is null or w.submission_id > v_verified or a.submission_id > v_verified,
    accepted.id is not null and n.nth = 1,
    case when s.id is null and array_position(v_limited, n.i) is not null
      then window_left_v1(p_game, n.player, v_window) end
  from (
    select x.*, row_number() over (partition by x.player, x.key order by x.points > v_max_points, x.i) as nth
    from json_to_recordset(p_items) as x (i int, player text, key text, request text, points bigint)
  ) n
  left join lateral (
    select * from submissions t where t.game = p_game and t.player = n.player and t.idempotency_key = n.key limit 1
  ) s on true
  left join lateral (
    select * from bests t where t.game = p_game and t.board = s.week and t.player = n.player limit 1
  ) w on true
  left join lateral (
    select * from bests t where t.game = p_game and t.board = 'all-time' and t.player = n.player limit 1
  ) a on true
  left join unnest(v_accepted) accepted (id) on accepted.id = s.id
  left join unnest(v_week_raised) wr on wr.board = s.week and wr.player = n.player
  left join unnest(v_all_time_raised) ar on ar.player = n.player
  order by n.i;
end $$;
--> statement-breakpoint
-- The items that are above their player's limit. A window starts with the first submission after the last one ended;
-- the locked row of the player counts it, so that two requests at once cannot share the last place.
create function limited_items_v1(p_game text, p_items json, p_max_points bigint, p_limit int, p_window interval)
returns int[] language plpgsql as $$
declare
  v_limited int[];
begin
  insert into players (game, player)
  select distinct p_game, n.player from json_to_recordset(p_items) as n (player text, points bigint)
  where n.points <= p_max_points order by n.player
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
      where x.points <= p_max_points order by x.player, x.key, x.i
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
--> statement-breakpoint
-- The items that raise their player's all-time best (0 without one) by more than the game lets pass unseen. Those of
-- a call build on each other in its order, as if they had come one by one; what is held raises nothing.
create function held_items_v1(p_game text, p_items json, p_max_points bigint, p_max_improvement bigint)
returns int[] language plpgsql as $$
declare
  v_item record;
  v_player text collate "C";
  v_best bigint;
  v_held int[] := '{}';
begin
  for v_item in
    select n.i, n.player, n.points, coalesce(b.points, 0) as best
    from json_to_recordset(p_items) as n (i int, player text, points bigint)
    left join bests b on b.game = p_game and b.board = 'all-time' and b.player = n.player
    where n.points <= p_max_points
    order by n.player, n.i
  loop
    if v_player is distinct from v_item.player then
      v_player := v_item.player;
      v_best := v_item.best;
    end if;
    if v_item.points - v_best > p_max_improvement then
      v_held := v_held || v_item.i;
    else
      v_best := greatest(v_best, v_item.points);
    end if;
  end loop;
  return v_held;
end $$;
--> statement-breakpoint
-- Functions, so that the submit statement does not open the table for answers that it rarely gives.
create function why_refused_v1(p_game text, p_player text) returns text language plpgsql stable as $$
begin
  return case when exists (
      select from players p where p.game = p_game and p.player = p_player and p.banned_at is not null)
    then 'banned' else 'deleted' end;
end $$;
--> statement-breakpoint
create function window_left_v1(p_game text, p_player text, p_window interval) returns int language plpgsql as $$
begin
  return (
    select greatest(1, ceil(extract(epoch from p.window_started_at + p_window - clock_timestamp())))::int
    from players p where p.game = p_game and p.player = p_player);
end $$;
