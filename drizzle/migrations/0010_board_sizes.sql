CREATE TABLE "board_sizes" (
	"game" text collate "C" NOT NULL,
	"board" text collate "C" NOT NULL,
	"slot" smallint NOT NULL,
	"players" bigint NOT NULL,
	CONSTRAINT "board_sizes_pk" PRIMARY KEY("game","board","slot")
);
--> statement-breakpoint
-- Short-lived versions of few rows: room on the page for the next version of each.
alter table board_sizes set (fillfactor = 50);
--> statement-breakpoint
-- Every way into bests is counted, those of older Workers and of moderation too. One row a board and statement, in a fixed
-- order, after the entries themselves: two statements that meet wait for each other, never in a circle.
create function count_new_bests_v1() returns trigger language plpgsql as $$
begin
  insert into board_sizes as s (game, board, slot, players)
  select b.game, b.board, pg_backend_pid() % 16, count(*) from new_bests b group by b.game, b.board
  order by b.game, b.board
  on conflict (game, board, slot) do update set players = s.players + excluded.players;
  return null;
end $$;
--> statement-breakpoint
create function count_gone_bests_v1() returns trigger language plpgsql as $$
begin
  insert into board_sizes as s (game, board, slot, players)
  select b.game, b.board, pg_backend_pid() % 16, -count(*) from gone_bests b group by b.game, b.board
  order by b.game, b.board
  on conflict (game, board, slot) do update set players = s.players + excluded.players;
  return null;
end $$;
--> statement-breakpoint
-- Creating a trigger locks bests against writing until this migration ends, so that nothing is counted twice or not at all.
-- Submissions would queue up behind a lock that does not come; then rather start again (docs/deploy.md).
set local lock_timeout = '4s';
--> statement-breakpoint
create trigger bests_counted after insert on bests
referencing new table as new_bests for each statement execute function count_new_bests_v1();
--> statement-breakpoint
create trigger bests_uncounted after delete on bests
referencing old table as gone_bests for each statement execute function count_gone_bests_v1();
--> statement-breakpoint
insert into board_sizes (game, board, slot, players) select game, board, 0, count(*) from bests group by game, board;
--> statement-breakpoint
-- Counts a board anew, for the doctor: a restore without triggers may have left anything.
create function recount_board_v1(p_game text, p_board text) returns void language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  delete from board_sizes z where z.game = p_game and z.board = p_board;
  insert into board_sizes (game, board, slot, players)
  select p_game, p_board, 0, count(*) from bests b where b.game = p_game and b.board = p_board;
end $$;
--> statement-breakpoint
-- submit_scores_v3, which also says how many players the board of the week has now (week_size): asking Redis would be a
-- command of every submission.
create function submit_scores_v4(p_game text, p_items json, p_caller text, p_key int)
returns table (
  i int, outcome text, submission_id uuid, submitted_at timestamptz, week text, age_ms bigint, now_us bigint,
  week_points bigint, week_at timestamptz, week_previous bigint, week_previous_at timestamptz, week_raised boolean,
  week_new boolean, country text, left_countries text[], week_submission uuid,
  all_time_points bigint, all_time_at timestamptz, all_time_previous bigint, all_time_previous_at timestamptz,
  all_time_raised boolean, all_time_submission uuid, unverified boolean, fresh boolean, retry_after int,
  week_size bigint
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_nestloop = off
as $$
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
  v_item submit_item_v3;
  v_items submit_item_v3[];
  v_known boolean;
  v_refused boolean;
  v_candidates best_candidate_v3[];
  v_newcomers text[];
  v_raised best_change_v3[];
  v_change best_change_v3;
  v_week best_change_v3;
  v_all_time best_change_v3;
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
    if v_limited <> '{}' then
      -- It counts the first item with a key only; what comes again in the same call shares its fate. A deleted player is
      -- told so however often they come: coming back later would not help.
      v_limited := array(
        select c.i from json_to_recordset(p_items) as c (i int, player text, key text)
        where (c.player, c.key) in (
            select x.player, x.key from json_to_recordset(p_items) as x (i int, player text, key text)
            where array_position(v_limited, x.i) is not null)
          and not exists (
            select from players p
            where p.game = p_game and p.player = c.player and p.deleted_at > now() - interval '1 day' offset 0));
    end if;
  end if;
  if v_max_improvement is not null then
    v_held := held_items_v2(p_game, p_items, v_max_points, v_max_improvement, v_limited);
  end if;

  -- Fixed orders (player and key; board and player; player): two batches that meet wait for each other, never in a
  -- circle. Ids are given before that, in the order of the items: the feed and a player's last country follow them.
  if json_array_length(p_items) = 1 then
    -- As the batch below, without what sorts and joins it: for one item that costs more than the writing.
    select x.i, x.player, x.key, x.request, x.points, x.country, coalesce(x.at, now()) into v_item
    from json_to_recordset(p_items)
      as x (i int, player text, key text, request text, points bigint, country text, at timestamptz);

    select p.deleted_at is null, p.banned_at is not null or p.deleted_at > now() - interval '1 day'
    into v_known, v_refused
    from players p where p.game = p_game and p.player = v_item.player;

    if v_item.points <= v_max_points and v_refused is not true and v_limited = '{}' then
      insert into submissions (game, player, idempotency_key, request, points, country, week, submitted_at, state)
      values (p_game, v_item.player, v_item.key, v_item.request, v_item.points, v_item.country,
        to_char(v_item.submitted_at at time zone 'UTC', 'IYYY-"W"IW'), v_item.submitted_at,
        case when v_held = '{}' then 'ranked' else 'held' end)
      on conflict (game, player, idempotency_key) do nothing
      returning id, week, state into v_item.id, v_item.week, v_item.state;
    end if;

    v_items := array[v_item];
    if v_item.state = 'ranked' then
      v_candidates := array[
        (v_item.week, v_item.player, v_item.points, date_trunc('second', v_item.submitted_at), v_item.id,
          v_item.country)::best_candidate_v3,
        ('all-time', v_item.player, v_item.points, date_trunc('second', v_item.submitted_at), v_item.id,
          null)::best_candidate_v3];
    end if;
    if v_item.id is not null and v_known is not true then
      v_newcomers := array[v_item.player];
    end if;
  else
    with items as materialized (
      select x.*, coalesce(x.at, now()) as submitted_at, uuidv7() as id, p.known, p.refused
      from json_to_recordset(p_items) as x (
        i int, player text collate "C", key text collate "C", request text, points bigint, country text, at timestamptz)
      left join lateral (
        select p.deleted_at is null as known,
          p.banned_at is not null or p.deleted_at > now() - interval '1 day' as refused
        from players p where p.game = p_game and p.player = x.player limit 1
      ) p on true
    ),
    accepted as (
      insert into submissions (id, game, player, idempotency_key, request, points, country, week, submitted_at, state)
      select n.id, p_game, n.player, n.key, n.request, n.points, n.country,
        to_char(n.submitted_at at time zone 'UTC', 'IYYY-"W"IW'), n.submitted_at,
        case when array_position(v_held, n.i) is not null then 'held' else 'ranked' end
      from (
        select distinct on (x.player, x.key) x.* from items x
        where x.points <= v_max_points order by x.player, x.key, x.i
      ) n
      where n.refused is not true and array_position(v_limited, n.i) is null
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
        from accepted a where a.state = 'ranked'
        union all
        select 'all-time', a.player, a.points, date_trunc('second', a.submitted_at), a.id, null
        from accepted a where a.state = 'ranked'
      ) one_board_each
      order by board, player, points desc, achieved_at, id
    )
    select
      (select array_agg(c::best_candidate_v3) from candidates c),
      array_agg((n.i, n.player, n.key, n.request, n.points, n.country, n.submitted_at,
        a.id, a.week, a.state)::submit_item_v3),
      array_agg(distinct n.player) filter (where a.id is not null and n.known is not true)
    into v_candidates, v_items, v_newcomers
    from items n left join accepted a on a.id = n.id;
  end if;

  if v_candidates is not null then
    with raised as (
      insert into bests as b (game, board, player, points, achieved_at, submission_id, country)
      select p_game, c.board, c.player, c.points, c.achieved_at, c.submission_id, c.country
      from unnest(v_candidates) c
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
      returning (new.board, new.player, new.points, new.achieved_at, new.submission_id, new.country,
        new.left_countries, old.points, old.achieved_at)::best_change_v3 as change
    )
    select array_agg(r.change) into v_raised from raised r;
  end if;

  -- A tombstone that has just ended may be going away at this moment, so its player counts as new.
  if v_newcomers is not null then
    insert into players (game, player)
    select p_game, n.player from unnest(v_newcomers) as n (player) order by n.player collate "C"
    on conflict (game, player) do nothing;
  end if;

  if v_item.state = 'ranked' then
    -- What most calls are: one new submission. The query below says the same of any items and what became of them.
    foreach v_change in array coalesce(v_raised, '{}') loop
      if v_change.board = 'all-time' then v_all_time := v_change; else v_week := v_change; end if;
    end loop;
    week_raised := v_week.board is not null;
    all_time_raised := v_all_time.board is not null;
    if not week_raised then
      select b.points, b.achieved_at, b.country, b.left_countries, b.submission_id
      into v_week.points, v_week.achieved_at, v_week.country, v_week.left_countries, v_week.submission_id
      from bests b where b.game = p_game and b.board = v_item.week and b.player = v_item.player;
    end if;
    if not all_time_raised then
      select b.points, b.achieved_at, b.submission_id
      into v_all_time.points, v_all_time.achieved_at, v_all_time.submission_id
      from bests b where b.game = p_game and b.board = 'all-time' and b.player = v_item.player;
    end if;
    return query select v_item.i, 'accepted', v_item.id, v_item.submitted_at, v_item.week,
      (extract(epoch from clock_timestamp() - now()) * 1000)::bigint,
      (extract(epoch from clock_timestamp()) * 1000000)::bigint,
      v_week.points, v_week.achieved_at, v_week.previous, v_week.previous_at, week_raised,
      week_raised and v_week.previous is null, v_week.country, v_week.left_countries, v_week.submission_id,
      v_all_time.points, v_all_time.achieved_at, v_all_time.previous, v_all_time.previous_at,
      all_time_raised, v_all_time.submission_id,
      v_verified is null or v_week.submission_id > v_verified or v_all_time.submission_id > v_verified, true, null::int,
      (select sum(z.players)::bigint from board_sizes z where z.game = p_game and z.board = v_item.week);
    return;
  end if;

  -- A statement of its own: it sees what the ones above waited for.
  return query
  with answered (
    i, outcome, submission_id, submitted_at, week, age_ms, now_us, week_points, week_at, week_previous, week_previous_at,
    week_raised, week_new, country, left_countries, week_submission, all_time_points, all_time_at, all_time_previous,
    all_time_previous_at, all_time_raised, all_time_submission, unverified, fresh, retry_after
  ) as materialized (
    select n.i,
      case
        when s.id is null and n.points > v_max_points then 'too-many-points'
        when s.id is null and array_position(v_limited, n.i) is not null then 'limited'
        when s.id is null then why_refused_v1(p_game, n.player)
        when s.request <> n.request then 'conflict'
        when s.state = 'held' then 'held'
        when s.state <> 'ranked' then 'removed'
        when w.points is null then 'banned' -- a banned player has no bests
        when n.id is not null then 'accepted'
        else 'replayed'
      end,
      s.id, s.submitted_at, s.week,
      (extract(epoch from clock_timestamp() - s.received_at) * 1000)::bigint,
      (extract(epoch from clock_timestamp()) * 1000000)::bigint,
      w.points, w.achieved_at, wr.previous, wr.previous_at, wr.board is not null,
      wr.board is not null and wr.previous is null, w.country, w.left_countries, w.submission_id,
      a.points, a.achieved_at, ar.previous, ar.previous_at, ar.board is not null, a.submission_id,
      v_verified is null or w.submission_id > v_verified or a.submission_id > v_verified,
      n.id is not null,
      case when s.id is null and array_position(v_limited, n.i) is not null
        then window_left_v1(p_game, n.player, v_window) end
    from unnest(v_items) n
    left join lateral (
      select n.id, n.request, n.week, n.state, n.submitted_at, now() as received_at where n.id is not null
      union all (
        select t.id, t.request, t.week, t.state, t.submitted_at, t.received_at from submissions t
        where n.id is null and t.game = p_game and t.player = n.player and t.idempotency_key = n.key limit 1)
    ) s on true
    left join unnest(v_raised) wr on wr.board = s.week and wr.player = n.player
    left join unnest(v_raised) ar on ar.board = 'all-time' and ar.player = n.player
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
    from (select distinct week from answered) w
  ) z on z.week = a.week
  order by a.i;
end $$;
