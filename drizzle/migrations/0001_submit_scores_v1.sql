-- What one upsert did to an entry: the values before it are null when it is new.
create type bests_change_v1 as (board text, player text, points bigint, achieved_at timestamptz);
--> statement-breakpoint
-- Records submissions of one game: the durable half of the submit path, called as one statement.
--
-- A function because its three statements are then planned once a connection (planning the same work as one big
-- statement took longer than running it), and because each of them sees what the one before it waited for: the
-- loser of two concurrent requests with one key finds the winner's row here, without a second request.
--
-- items: [{i, player, key, request, points, country, at}], `at` null = now. One row comes back an item, in order;
-- none at all when the game does not exist. Of several items with one key the first one that may count does, and the
-- others are its replays or conflicts. outcome: accepted | replayed | conflict (the key was used for another
-- request) | too-many-points | banned. Bests are those after the call; *_previous what an accepted item found
-- before the whole call; *_raised says that this call changed the entry (for the week: or its country).
create or replace function submit_scores_v1(p_game text, p_items json)
returns table (
  i int, outcome text, submission_id uuid, submitted_at timestamptz, week text, age_ms bigint, now_us bigint,
  week_points bigint, week_at timestamptz, week_previous bigint, week_previous_at timestamptz, week_raised boolean,
  week_new boolean, country text, left_countries text[], week_submission uuid,
  all_time_points bigint, all_time_at timestamptz, all_time_previous bigint, all_time_previous_at timestamptz,
  all_time_raised boolean, all_time_submission uuid, unverified boolean
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_max_points bigint;
  v_verified uuid;
  v_accepted uuid[];
  v_week_raised bests_change_v1[];
  v_all_time_raised bests_change_v1[];
begin
  select g.max_points, r.verified_until into v_max_points, v_verified
  from games g left join reconciliations r on r.game = g.game where g.game = p_game;
  if not found then return; end if;

  -- Fixed orders (player and key; board and player): two batches that meet wait for each other, never in a circle.
  with input as (
    select x.*, coalesce(x.at, now()) as submitted_at,
      row_number() over (partition by x.player, x.key order by x.points > v_max_points, x.i) as nth
    from json_to_recordset(p_items)
      as x (i int, player text, key text, request text, points bigint, country text, at timestamptz)
  ),
  accepted as (
    insert into submissions (game, player, idempotency_key, request, points, country, week, submitted_at)
    select p_game, n.player, n.key, n.request, n.points, n.country,
      to_char(n.submitted_at at time zone 'UTC', 'IYYY-"W"IW'), n.submitted_at
    from input n
    where n.points <= v_max_points and n.nth = 1
      and not exists (select from players p where p.game = p_game and p.player = n.player and p.banned_at is not null)
    order by n.player, n.key
    on conflict (game, player, idempotency_key) do nothing
    returning id, player, idempotency_key, points, country, week, submitted_at
  ),
  candidates as (
    select distinct on (board, player) board, player, points, achieved_at, id, country
    from (
      select a.week as board, a.player, a.points, date_trunc('second', a.submitted_at) as achieved_at, a.id,
        last_value(a.country) over (
          partition by a.week, a.player order by a.country is not null, n.i
          rows between unbounded preceding and unbounded following) as country
      from accepted a join input n on n.player = a.player and n.key = a.idempotency_key and n.nth = 1
      union all
      select 'all-time', a.player, a.points, date_trunc('second', a.submitted_at), a.id, null
      from accepted a
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
      when s.id is null then 'banned'
      when accepted.id is not null and n.nth = 1 then 'accepted'
      when s.request = n.request then 'replayed'
      else 'conflict'
    end,
    s.id, s.submitted_at, s.week,
    (extract(epoch from clock_timestamp() - s.received_at) * 1000)::bigint,
    (extract(epoch from clock_timestamp()) * 1000000)::bigint,
    w.points, w.achieved_at, wr.points, wr.achieved_at, wr.board is not null,
    wr.board is not null and wr.points is null, w.country, w.left_countries, w.submission_id,
    a.points, a.achieved_at, ar.points, ar.achieved_at, ar.board is not null, a.submission_id,
    v_verified is null or w.submission_id > v_verified or a.submission_id > v_verified
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
