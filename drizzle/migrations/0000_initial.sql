-- What a call of submit_scores_v1 has for an item. Its submission (id, week, state) is null unless this call wrote it.
create type submit_item_v1 as (
  i int, player text, key text, request text, points bigint, country text, submitted_at timestamptz,
  id uuid, week text, state text
);
--> statement-breakpoint
create type best_candidate_v1 as (
  board text, player text, points bigint, achieved_at timestamptz, submission_id uuid, country text
);
--> statement-breakpoint
-- An entry that a call changed; what it was before is null when it is new.
create type best_change_v1 as (
  board text, player text, points bigint, achieved_at timestamptz, submission_id uuid, country text,
  left_countries text[], previous bigint, previous_at timestamptz
);
--> statement-breakpoint
-- What became of an item: drizzle/functions/submit_scores_v1.sql.
create type submit_answer_v1 as (
  i int, outcome text, submission_id uuid, submitted_at timestamptz, week text, age_ms bigint, now_us bigint,
  week_points bigint, week_at timestamptz, week_previous bigint, week_previous_at timestamptz, week_raised boolean,
  country text, left_countries text[], week_submission uuid,
  all_time_points bigint, all_time_at timestamptz, all_time_previous bigint, all_time_previous_at timestamptz,
  all_time_raised boolean, all_time_submission uuid, unverified boolean, fresh boolean, retry_after int,
  week_size bigint
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"game" text collate "C" NOT NULL,
	"prefix" text collate "C" NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_prefix" UNIQUE("prefix"),
	CONSTRAINT "api_keys_scopes_known" CHECK ("api_keys"."scopes" <@ array['submit','backdate','admin'])
);
--> statement-breakpoint
CREATE TABLE "badge_positions" (
	"game" text collate "C" PRIMARY KEY NOT NULL,
	"position" uuid NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "badge_rules" (
	"game" text collate "C" NOT NULL,
	"badge" text NOT NULL,
	"threshold" bigint NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	CONSTRAINT "badge_rules_pk" PRIMARY KEY("game","badge","starts_at")
);
--> statement-breakpoint
CREATE TABLE "badges" (
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"badge" text NOT NULL,
	"threshold" bigint NOT NULL,
	"points" bigint NOT NULL,
	"submission_id" uuid NOT NULL,
	"awarded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "badges_pk" PRIMARY KEY("game","player","badge")
);
--> statement-breakpoint
CREATE TABLE "bests" (
	"game" text collate "C" NOT NULL,
	"board" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"points" bigint NOT NULL,
	"achieved_at" timestamp with time zone NOT NULL,
	"submission_id" uuid NOT NULL,
	"country" text,
	"left_countries" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "bests_pk" PRIMARY KEY("game","board","player"),
	CONSTRAINT "bests_points_range" CHECK ("bests"."points" between 0 and 8589934591),
	CONSTRAINT "bests_achieved_at_whole_second" CHECK (extract(microseconds from "bests"."achieved_at")::bigint % 1000000 = 0)
);
--> statement-breakpoint
CREATE TABLE "board_sizes" (
	"game" text collate "C" NOT NULL,
	"board" text collate "C" NOT NULL,
	"slot" smallint NOT NULL,
	"players" bigint NOT NULL,
	CONSTRAINT "board_sizes_pk" PRIMARY KEY("game","board","slot")
);
--> statement-breakpoint
CREATE TABLE "corrections" (
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"weeks" jsonb NOT NULL,
	"forget" boolean NOT NULL,
	"submissions" uuid[] DEFAULT '{}' NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "corrections_pk" PRIMARY KEY("game","player")
);
--> statement-breakpoint
CREATE TABLE "deployment" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deployment_has_one_row" CHECK ("deployment"."one")
);
--> statement-breakpoint
CREATE TABLE "games" (
	"game" text collate "C" PRIMARY KEY NOT NULL,
	"badges" jsonb NOT NULL,
	"feed_length" integer NOT NULL,
	"max_points" bigint NOT NULL,
	"max_improvement" bigint,
	"limit_submissions" integer,
	"limit_seconds" integer,
	"signing" text DEFAULT 'nobody' NOT NULL,
	"signing_key" integer DEFAULT 0 NOT NULL,
	"signing_key_at" timestamp with time zone,
	"shards" integer DEFAULT 1 NOT NULL,
	"moderated" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "games_game_form" CHECK ("games"."game" ~ '^[a-z0-9-]{1,32}$'),
	CONSTRAINT "games_feed_length_positive" CHECK ("games"."feed_length" > 0),
	CONSTRAINT "games_shards_range" CHECK ("games"."shards" between 1 and 64),
	CONSTRAINT "games_signing_known" CHECK ("games"."signing" in ('nobody', 'players', 'everyone')),
	CONSTRAINT "games_limit_whole" CHECK (("games"."limit_submissions" is null) = ("games"."limit_seconds" is null)),
	CONSTRAINT "games_max_points_range" CHECK ("games"."max_points" between 0 and 8589934591)
);
--> statement-breakpoint
CREATE TABLE "moderation_log" (
	"id" uuid DEFAULT uuidv7() NOT NULL,
	"game" text collate "C" NOT NULL,
	"action" text NOT NULL,
	"player" text collate "C",
	"submission_id" uuid,
	"by" text NOT NULL,
	"detail" jsonb,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "moderation_log_pk" PRIMARY KEY("game","id")
);
--> statement-breakpoint
CREATE TABLE "players" (
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"banned_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"window_started_at" timestamp with time zone,
	"window_submissions" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "players_pk" PRIMARY KEY("game","player")
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"game" text collate "C" PRIMARY KEY NOT NULL,
	"verified_until" uuid NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"id" uuid DEFAULT uuidv7() NOT NULL,
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"idempotency_key" text collate "C" NOT NULL,
	"request" text NOT NULL,
	"points" bigint NOT NULL,
	"country" text,
	"week" text NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'ranked' NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "submissions_pk" PRIMARY KEY("game","id"),
	CONSTRAINT "submissions_once" UNIQUE("player","game","idempotency_key"),
	CONSTRAINT "submissions_state_known" CHECK ("submissions"."state" in ('ranked', 'held', 'rejected', 'removed')),
	CONSTRAINT "submissions_points_range" CHECK ("submissions"."points" between 0 and 8589934591)
);
--> statement-breakpoint
CREATE TABLE "witnesses" (
	"game" text collate "C" NOT NULL,
	"board" text collate "C" NOT NULL,
	"country" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"submission_id" uuid NOT NULL,
	CONSTRAINT "witnesses_pk" PRIMARY KEY("game","board","country")
);
--> statement-breakpoint
CREATE INDEX "bests_order" ON "bests" USING btree ("game","board","points" DESC NULLS FIRST,"achieved_at","player" DESC NULLS FIRST) WHERE "bests"."points" >= 0;--> statement-breakpoint
CREATE INDEX "players_deleted" ON "players" USING btree ("deleted_at") WHERE "players"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "submissions_held" ON "submissions" USING btree ("game","id") WHERE "submissions"."state" = 'held';
--> statement-breakpoint
-- Short-lived versions of few rows: room on the page for the next version of each.
alter table board_sizes set (fillfactor = 50);
--> statement-breakpoint
-- What counts: boards, feed, badges and every rebuild are made of these rows alone. Whether a player is banned is looked up one by
-- one, whatever the statistics say. Of a game that grew since the last ANALYZE Postgres believes that it has one row. Joining by an
-- index that merely begins with the game then seems as good as by all of its columns, and reads all players of the game for every
-- submission: the thousand newest of a million took two minutes. A scalar subquery cannot become a join.
create view ranked_submissions as
select s.* from submissions s
where s.state = 'ranked'
  and (select p.banned_at from players p where p.game = s.game and p.player = s.player) is null;
--> statement-breakpoint
set local check_function_bodies = off;
--> statement-breakpoint
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
        when w.points is null then 'banned' -- a banned player has no bests
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
--> statement-breakpoint
-- Judges a page of a game's history by the thresholds of today.
-- Arguments: the game, the last submission of the page before (the nil UUID: from the beginning), the length of the page.
-- Result: one row: badges that were new, submissions judged, and the last of them, where the next page starts.
-- Locks: those of award_range_v1.
-- Called by: functions/adapters/postgres/badges.ts, for `npm run badges`.
create or replace function award_history_v1(p_game text, p_after uuid, p_n int)
returns table (awarded int, judged int, last uuid) language plpgsql as $$
begin
  select count(*), (array_agg(page.id order by page.id desc))[1] into judged, last
  from (
    select s.id from submissions s where s.game = p_game and s.id > p_after order by s.id limit p_n
  ) page;
  select count(*) into awarded from award_range_v1(p_game, p_after, last, true);
  return next;
end $$;
--> statement-breakpoint
-- Judges the next settled submissions that no earlier call judged, and notes in badge_positions how far it came.
-- Arguments: the game, at most how many.
-- Result: one row: badges that were new as JSON, submissions judged, whether there are more now (behind), whether there are some
-- that are not settled yet (settling), and the game's feed_length.
-- Locks: those of award_range_v1, then the game's row of badge_positions.
-- Called by: functions/adapters/postgres/badges.ts, for the cron.
create or replace function award_next_v1(p_game text, p_n int)
returns table (awarded json, judged int, behind boolean, settling boolean, feed_length int) language plpgsql as $$
declare
  v_after uuid;
  v_settled uuid := settled_submission_v1();
  v_until uuid;
begin
  select coalesce((select b.position from badge_positions b where b.game = p_game),
    '00000000-0000-0000-0000-000000000000') into v_after;
  -- After the settled id was taken: this statement sees everything below it.
  select count(*), (array_agg(page.id order by page.id desc))[1] into judged, v_until
  from (
    select s.id from submissions s where s.game = p_game and s.id > v_after and s.id < v_settled
    order by s.id limit p_n
  ) page;
  awarded := '[]';
  if judged > 0 then
    select coalesce(json_agg(a), '[]') into awarded from award_range_v1(p_game, v_after, v_until, false) a;
    insert into badge_positions as b (game, position) values (p_game, v_until)
    on conflict (game) do update set position = excluded.position, updated_at = now()
    where excluded.position > b.position;
  end if;
  behind := judged = p_n;
  settling := exists (
    select from submissions s where s.game = p_game and s.id > v_after and s.id >= v_settled);
  select g.feed_length into feed_length from games g where g.game = p_game;
  return next;
end $$;
--> statement-breakpoint
-- Judges the submissions of a game after p_after up to p_until.
-- Arguments: the game, the range, and whether by the rules of today (p_today) or by those that were in force when each was received.
-- Result: a row for each badge that was new.
-- Locks: the game's, shared, first: the statement after it sees every ban and removal that it waited for, so that no award undoes
-- one. Rows are inserted in the order of the key: two runs that meet wait for each other, never in a circle.
-- Called by: award_next_v1, award_history_v1.
create or replace function award_range_v1(p_game text, p_after uuid, p_until uuid, p_today boolean)
returns table (player text, badge text) language plpgsql as $$
#variable_conflict use_column
begin
  perform lock_game_v1(p_game, false);
  return query
  -- Materialized: the page is read first, in the order of the key, whatever the statistics say.
  with page as materialized (
    select t.player, t.points, t.id, t.received_at from submissions t
    where t.game = p_game and t.id > p_after and t.id <= p_until and t.state = 'ranked' order by t.id
  )
  insert into badges as b (game, player, badge, threshold, points, submission_id)
  select p_game, d.player, d.badge, d.threshold, d.points, d.id
  from (
    select distinct on (s.player, r.badge) s.player, r.badge, r.threshold, s.points, s.id
    from page s
    join badge_rules r on r.game = p_game and r.threshold <= s.points and (
      p_today and r.ends_at is null
      or not p_today and r.starts_at <= s.received_at and (r.ends_at is null or s.received_at < r.ends_at))
    where (select p.banned_at from players p where p.game = p_game and p.player = s.player) is null
    order by s.player, r.badge, s.id
  ) d
  order by d.player, d.badge
  on conflict do nothing
  returning b.player, b.badge;
end $$;
--> statement-breakpoint
-- Judges these submissions of a game by the rules that were in force when they were received.
-- Arguments: the game, the ids.
-- Result: a row for each badge that was new.
-- Locks: as award_range_v1.
-- Called by: functions/adapters/postgres/badges.ts, for the cron.
create or replace function award_submissions_v1(p_game text, p_ids uuid[])
returns table (player text, badge text) language plpgsql as $$
#variable_conflict use_column
begin
  perform lock_game_v1(p_game, false);
  return query
  insert into badges as b (game, player, badge, threshold, points, submission_id)
  select p_game, d.player, d.badge, d.threshold, d.points, d.id
  from (
    select distinct on (s.player, r.badge) s.player, r.badge, r.threshold, s.points, s.id
    from unnest(p_ids) as i (id)
    -- Looked up one by one, whatever the statistics say: right after a rush they know nothing of it, and the plan
    -- they suggest then reads the whole game for each id.
    cross join lateral (
      select t.player, t.points, t.id, t.received_at from ranked_submissions t
      where t.game = p_game and t.id = i.id limit 1) s
    join badge_rules r on r.game = p_game and r.threshold <= s.points
      and r.starts_at <= s.received_at and (r.ends_at is null or s.received_at < r.ends_at)
    order by s.player, r.badge, s.id
  ) d
  order by d.player, d.badge
  on conflict do nothing
  returning b.player, b.badge;
end $$;
--> statement-breakpoint
-- Bans a player: takes their bests and badges away and notes that Redis has to follow.
-- Arguments: the game, the player, who asked. The player need not have submitted anything yet.
-- Result: false when the game does not exist.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function ban_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  insert into players as p (game, player, banned_at) values (p_game, p_player, now())
  on conflict (game, player) do update set banned_at = coalesce(p.banned_at, now());
  perform note_correction_v1(p_game, p_player, true, null);
  perform refold_player_v1(p_game, p_player);
  insert into moderation_log (game, action, player, by) values (p_game, 'ban', p_player, p_by);
  return true;
end $$;
--> statement-breakpoint
-- A page of a board in the order of the board.
-- Arguments: the game, the board, the entry (p_points, p_at, p_player) after which the page begins, its length.
-- Result: one row in columns, which are cheaper to write and to parse than rows: players, points, seconds, countries; and the clock.
-- Locks: none.
-- Called by: functions/adapters/postgres/bests.ts, for rebuilds and comparisons.
--
-- The settings make it read along an index, whatever the statistics say. Of a game that grew since the last ANALYZE they say that it
-- is small, and the plan which that suggests sorts the whole game for every page.
-- Three ranges, so that a page which begins among equal points does not read those above it again. Each is in order and they
-- follow each other; the aggregates take the rows as they come, since sorting them costs a quarter more.
create or replace function bests_page_v1(
  p_game text, p_board text, p_points bigint, p_at timestamptz, p_player text, p_n int)
returns table (players json, points json, seconds json, countries json, now_us bigint)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 as $$
#variable_conflict use_column
begin
  return query
  select coalesce(json_agg(p.player), '[]'), coalesce(json_agg(p.points), '[]'),
    coalesce(json_agg(date_part('epoch', p.achieved_at)::bigint), '[]'), coalesce(json_agg(p.country), '[]'),
    (extract(epoch from clock_timestamp()) * 1000000)::bigint
  from (
    (select b.player, b.points, b.achieved_at, b.country from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at = p_at
        and b.player < p_player
      order by b.player desc limit p_n)
    union all
    (select b.player, b.points, b.achieved_at, b.country from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at > p_at
      order by b.achieved_at, b.player desc limit p_n)
    union all
    (select b.player, b.points, b.achieved_at, b.country from bests b
      where b.game = p_game and b.board = p_board and b.points < p_points and b.points >= 0
      order by b.points desc, b.achieved_at, b.player desc limit p_n)
    limit p_n) p;
end $$;
--> statement-breakpoint
-- Trigger of bests: takes entries that are gone off board_sizes.
-- Locks: those of count_new_bests_v1.
-- Called by: the trigger bests_uncounted, once a statement.
create or replace function count_gone_bests_v1() returns trigger language plpgsql as $$
begin
  insert into board_sizes as s (game, board, slot, players)
  select b.game, b.board, pg_backend_pid() % 16, -count(*) from gone_bests b group by b.game, b.board
  order by b.game, b.board
  on conflict (game, board, slot) do update set players = s.players + excluded.players;
  return null;
end $$;
--> statement-breakpoint
-- Trigger of bests: adds new entries to board_sizes. Every way into bests is counted.
-- Locks: a slot of each board, in a fixed order, after the entries themselves: two statements that meet wait for each other, never in a
-- circle. Connections write different slots, so that few wait at all.
-- Called by: the trigger bests_counted, once a statement.
create or replace function count_new_bests_v1() returns trigger language plpgsql as $$
begin
  insert into board_sizes as s (game, board, slot, players)
  select b.game, b.board, pg_backend_pid() % 16, count(*) from new_bests b group by b.game, b.board
  order by b.game, b.board
  on conflict (game, board, slot) do update set players = s.players + excluded.players;
  return null;
end $$;
--> statement-breakpoint
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
--> statement-breakpoint
-- Takes a submission back (`removed`), or decides on one that is held (`ranked`, `rejected`).
-- Arguments: the game, the submission, its new state, who asked.
-- Result: one row: done | unknown-game | unknown-submission, and the player.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function decide_submission_v1(p_game text, p_id uuid, p_state text, p_by text)
returns table (result text, player text) language plpgsql as $$
#variable_conflict use_column
declare
  v_player text collate "C";
  v_before text;
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then
    return query select 'unknown-game', null::text;
    return;
  end if;
  select s.player, s.state into v_player, v_before from submissions s where s.game = p_game and s.id = p_id;
  if v_player is null or (p_state <> 'removed' and v_before not in ('held', p_state)) then
    return query select 'unknown-submission', null::text;
    return;
  end if;
  if v_before <> p_state then
    update submissions s set state = p_state where s.game = p_game and s.id = p_id;
    perform note_correction_v1(p_game, v_player, null, case when p_state = 'removed' then p_id end);
    perform refold_player_v1(p_game, v_player);
    insert into moderation_log (game, action, player, submission_id, by) values (p_game,
      case p_state when 'removed' then 'remove-submission' when 'ranked' then 'release' else 'reject' end,
      v_player, p_id, p_by);
  end if;
  return query select 'done', v_player;
end $$;
--> statement-breakpoint
-- Deletes a player for good. What stays for a day is a tombstone that refuses retries and offline queues; what stays in the log is
-- a hash of the id.
-- Arguments: the game, the player, who asked.
-- Result: false when the game does not exist.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function delete_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
declare
  v_hash text := 'sha256:' || encode(sha256(convert_to(p_player, 'UTF8')), 'hex');
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  perform note_correction_v1(p_game, p_player, true, null);
  delete from bests b where b.game = p_game and b.player = p_player and b.board in (
    select 'all-time' union select s.week from submissions s where s.game = p_game and s.player = p_player);
  delete from badges b where b.game = p_game and b.player = p_player;
  delete from submissions s where s.game = p_game and s.player = p_player;
  delete from players p where p.game = p_game and p.player = p_player;
  insert into players (game, player, deleted_at) values (p_game, p_player, now());
  update moderation_log l set player = v_hash where l.game = p_game and l.player = p_player;
  insert into moderation_log (game, action, player, by) values (p_game, 'delete-player', v_hash, p_by);
  perform end_tombstones_v1();
  return true;
end $$;
--> statement-breakpoint
-- The id of this deployment, made by whoever asks first.
-- Result: the id.
-- Locks: the table's one row.
-- Called by: functions/adapters/store-marks.ts, local/given-stores.ts.
create or replace function deployment_id_v1() returns uuid language plpgsql as $$
begin
  insert into deployment default values on conflict do nothing;
  return (select id from deployment);
end $$;
--> statement-breakpoint
-- What Redis must hold of some boards of a game, to be compared with what it holds: a few entries of each board, those first that an
-- older copy would lack. Nothing here may read a board as a whole, whatever the statistics say; a country is counted on small boards
-- only.
-- Arguments: the game, the boards, the countries (null: any 20 of the country boards that have a witness).
-- Result: one row, none when the game does not exist.
-- Locks: none.
-- Called by: functions/adapters/postgres/facts.ts.
create or replace function facts_of_game_v1(p_game text, p_boards text[], p_countries text[])
returns table (pending int, moderated bigint, moderating boolean, newest_verified uuid, newest uuid, sizes json, entries json)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
#variable_conflict use_column
declare
  v_verified uuid;
  v_moderated bigint;
begin
  select coalesce(r.verified_until, '00000000-0000-0000-0000-000000000000'), g.moderated into v_verified, v_moderated
  from games g left join reconciliations r on r.game = g.game where g.game = p_game;
  if not found then return; end if;

  return query
  with young as materialized (
    select s.player, s.week, s.state, row_number() over () as nth from (
      select t.player, t.week, t.state from submissions t where t.game = p_game and t.id > v_verified
      order by t.id desc limit 1001) s
  ),
  in_countries as materialized (
    select b.board, c.country from unnest(p_boards) b (board), unnest(p_countries) c (country) where b.board <> 'all-time'
    union all
    (select w.board, w.country from witnesses w
      where p_countries is null and w.game = p_game and w.country <> '' and w.board = any(p_boards)
      order by random() limit 20)
  ),
  pairs as (
    select w.board, w.player from witnesses w
    where w.game = p_game and w.board = any(p_boards)
      and (w.country = '' or (w.board, w.country) in (select c.board, c.country from in_countries c))
    union
    select b.board, y.player from young y, unnest(array[y.week, 'all-time']) b (board)
    where y.nth <= 200 and y.state = 'ranked' and b.board = any(p_boards)
    union
    select b.board, f.player from unnest(p_boards) b (board) cross join lateral (
      select t.player from bests t where t.game = p_game and t.board = b.board and t.points >= 0
      order by t.points desc, t.achieved_at, t.player desc limit 1) f
    union
    select b.board, m.player from unnest(p_boards) b (board), (
      select l.player from moderation_log l where l.game = p_game order by l.id desc limit 10) m
    where m.player is not null
  ),
  whole as materialized (
    select b.board, (select sum(z.players)::bigint from board_sizes z where z.game = p_game and z.board = b.board) as players
    from unnest(p_boards) b (board)
  )
  select
    (select count(*)::int from young),
    v_moderated,
    exists (select from corrections c where c.game = p_game),
    (select s.id from ranked_submissions s where s.game = p_game and s.id <= v_verified order by s.id desc limit 1),
    (select s.id from ranked_submissions s where s.game = p_game and s.received_at < now() - interval '2 s'
      order by s.id desc limit 1),
    (select coalesce(json_agg(json_build_array(z.board, z.country, z.players)), '[]') from (
      select w.board, '' as country, w.players from whole w
      union all
      select c.board, c.country, case when w.players <= 5000 then (
        select count(*) from bests t
        where t.game = p_game and t.board = c.board and t.points >= 0 and t.country = c.country) end
      from in_countries c join whole w on w.board = c.board) z),
    (select coalesce(json_agg(json_build_array(p.board, p.player, t.points, extract(epoch from t.achieved_at)::bigint,
        t.country, t.submission_id <= v_verified and p.player not in (select y.player from young y))), '[]')
      from pairs p left join lateral (
        select b.points, b.achieved_at, b.country, b.submission_id from bests b
        where b.game = p_game and b.board = p.board and b.player = p.player limit 1) t on true
      where not exists (select from corrections c where c.game = p_game and c.player = p.player));
end $$;
--> statement-breakpoint
-- Deletes these corrections of a game where they are old enough and no moderator acted on the player again; ends old tombstones too.
-- Arguments: the game, p_settled: [{player, at}], how old they have to be.
-- Result: how many corrections the game has left.
-- Locks: none but those of the rows.
-- Called by: functions/adapters/postgres/moderation.ts, for the cron.
create or replace function delete_corrections_v1(p_game text, p_settled json, p_older_than interval) returns bigint language plpgsql as $$
begin
  delete from corrections c
  using json_to_recordset(p_settled) as s (player text collate "C", at timestamptz)
  where c.game = p_game and c.player = s.player and c.at = s.at and c.at < now() - p_older_than;
  perform end_tombstones_v1();
  return (select count(*) from corrections c where c.game = p_game);
end $$;
--> statement-breakpoint
-- Ends the tombstones of deleted players after a day. A player who came back since keeps the row and loses the mark.
-- Locks: none but those of the rows.
-- Called by: delete_player_v1, delete_corrections_v1.
create or replace function end_tombstones_v1() returns void language plpgsql as $$
begin
  update players p set deleted_at = null
  where p.deleted_at < now() - interval '1 day' and exists (
    select from submissions s where s.game = p.game and s.player = p.player);
  delete from players p where p.deleted_at < now() - interval '1 day' and p.banned_at is null;
end $$;
--> statement-breakpoint
-- The items of a call that raise their player's all-time best (0 without one) by more than the game lets pass unseen. Those of a
-- call build on each other in its order, as if they had come one by one; what is held raises nothing. Only what will be written
-- raises the best that the next item is compared with: not a copy of an item, a retry, another use of a key or what the limit
-- refuses. Else a batch could climb to any score on items that do not count.
-- Arguments: the game, the items, the game's max_points and max_improvement, what limited_items_v1 found.
-- Result: the numbers (i) of the items.
-- Locks: none.
-- Called by: submit_scores_v1, whose settings keep nested loops out; it joins a batch with tables of any size and needs them.
create or replace function held_items_v1(
  p_game text, p_items json, p_max_points bigint, p_max_improvement bigint, p_limited int[])
returns int[] language plpgsql set enable_nestloop = on as $$
declare
  v_item record;
  v_player text collate "C";
  v_best bigint;
  v_held int[] := '{}';
begin
  for v_item in
    select n.i, n.player, n.points, coalesce(b.points, 0) as best
    from (
      select distinct on (x.player, x.key) x.* from json_to_recordset(p_items)
        as x (i int, player text, key text, points bigint)
      where x.points <= p_max_points order by x.player, x.key, x.i
    ) n
    left join bests b on b.game = p_game and b.board = 'all-time' and b.player = n.player
    where array_position(p_limited, n.i) is null and not exists (
      select from submissions s where s.game = p_game and s.player = n.player and s.idempotency_key = n.key)
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
-- Trigger of games: keeps badge_rules in step with games.badges. A threshold that changes ends one rule and starts the next.
-- Locks: none but those of the rows.
-- Called by: the trigger games_keep_badge_rules.
create or replace function keep_badge_rules_v1() returns trigger language plpgsql as $$
begin
  update badge_rules r set ends_at = now()
  where r.game = new.game and r.ends_at is null and not exists (
    select from jsonb_to_recordset(new.badges) as t (badge text, threshold bigint)
    where t.badge = r.badge and t.threshold = r.threshold);
  insert into badge_rules as r (game, badge, threshold, starts_at)
  select new.game, t.badge, t.threshold, now()
  from jsonb_to_recordset(new.badges) as t (badge text, threshold bigint)
  where not exists (
    select from badge_rules o where o.game = new.game and o.badge = t.badge and o.ends_at is null)
  on conflict on constraint badge_rules_pk do update set threshold = excluded.threshold, ends_at = null;
  return null;
end $$;
--> statement-breakpoint
-- Trigger of bests: a player counts for at most five countries a week, the first five different ones. Every submission takes them off
-- the boards of the countries that they left, so without a bound a player who names another country each time makes it write to all
-- there are. What is submitted from a sixth country counts, for the country that the player is in.
-- Locks: none.
-- Called by: the trigger bests_countries, which knows when.
create or replace function keep_country_v1() returns trigger language plpgsql as $$
begin
  new.country := old.country;
  new.left_countries := old.left_countries;
  return new;
end $$;
--> statement-breakpoint
-- Arguments: a game.
-- Result: whether it exists.
-- Locks: none.
-- Called by: ban_player_v1, unban_player_v1, delete_player_v1, decide_submission_v1.
create or replace function known_game_v1(p_game text) returns boolean language sql stable as $$
  select exists (select from games g where g.game = p_game)
$$;
--> statement-breakpoint
-- The items of a call that are above their player's limit, and counts the others. A window starts with the first submission after the
-- last one ended.
-- Arguments: the game, the items, the game's max_points, the limit and its window.
-- Result: the numbers (i) of the items.
-- Locks: the rows of the players, in order: two requests at once cannot share the last place.
-- Called by: submit_scores_v1, whose settings keep nested loops out; it joins a batch with tables of any size and needs them.
create or replace function limited_items_v1(p_game text, p_items json, p_max_points bigint, p_limit int, p_window interval)
returns int[] language plpgsql set enable_nestloop = on as $$
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
-- Takes the lock of a game until the transaction ends. Submissions and awards share it and moderation takes it alone, so that neither
-- ever sees the other half done: when a ban has committed, every earlier submission of the player has too and every later one
-- sees the ban. In shared memory, not in a row: it writes nothing, and one lock serves a batch of any size.
-- Arguments: the game, whether alone.
-- Locks: the advisory lock (1, hash of the game), which submit_scores_v1 takes without this call.
-- Called by: ban_player_v1, unban_player_v1, delete_player_v1, decide_submission_v1, award_submissions_v1, award_range_v1,
-- recount_board_v1.
create or replace function lock_game_v1(p_game text, p_alone boolean) returns void language plpgsql as $$
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
-- Ids of the newest submissions that count, newest first.
-- Arguments: the game, the instant before which they were received (null: all), at most how many.
-- Locks: none.
-- Called by: functions/adapters/postgres/boards.ts, for the feed.
--
-- The settings make it read along an index, as bests_page_v1 says.
create or replace function newest_submissions_v1(p_game text, p_before timestamptz, p_n int) returns setof uuid
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
begin
  return query
  select s.id from ranked_submissions s
  where s.game = p_game and (p_before is null or s.received_at < p_before) order by s.id desc limit p_n;
end $$;
--> statement-breakpoint
-- Notes that Redis has to follow what a moderator does, and lets versions rise when something is about to be taken off the boards.
-- Arguments: the game, the player, whether all events of the player leave the feed (p_forget; null: as before), a submission
-- whose event leaves it, or null.
-- Locks: none of its own. Every caller has the game alone, and folds the player's bests anew afterwards.
-- Called by: ban_player_v1, unban_player_v1, delete_player_v1, decide_submission_v1.
create or replace function note_correction_v1(p_game text, p_player text, p_forget boolean, p_submission uuid)
returns void language plpgsql as $$
begin
  update games g set moderated = greatest(g.moderated + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where g.game = p_game and exists (
    select from bests b where b.game = p_game and b.board = 'all-time' and b.player = p_player);

  insert into corrections as c (game, player, weeks, forget, submissions, at)
  select p_game, p_player, coalesce(jsonb_object_agg(w.week, w.countries), '{}'), coalesce(p_forget, false),
    array_remove(array[p_submission], null), now()
  from (
    -- Redis keeps a week's boards for 35 days after its end.
    select s.week, coalesce(jsonb_agg(distinct s.country) filter (where s.country is not null), '[]') as countries
    from submissions s
    where s.game = p_game and s.player = p_player and s.submitted_at > now() - interval '43 days'
    group by s.week
  ) w
  on conflict (game, player) do update set
    weeks = c.weeks || excluded.weeks,
    forget = coalesce(p_forget, c.forget),
    submissions = array_cat(array_remove(c.submissions, p_submission), excluded.submissions),
    at = excluded.at;
end $$;
--> statement-breakpoint
-- Raises bests to these candidates, where they are better or bring another country.
-- Arguments: the game, at most one candidate a board and player, in the order in which the rows are to be locked.
-- Result: the entries that changed; null when none did.
-- Locks: the rows of bests, in the order of the candidates.
-- Called by: submit_one_v1, submit_many_v1.
create or replace function raise_bests_v1(p_game text, p_candidates best_candidate_v1[]) returns best_change_v1[]
language plpgsql as $$
declare
  v_raised best_change_v1[];
begin
  with raised as (
    insert into bests as b (game, board, player, points, achieved_at, submission_id, country)
    select p_game, c.board, c.player, c.points, c.achieved_at, c.submission_id, c.country
    from unnest(p_candidates) c
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
      new.left_countries, old.points, old.achieved_at)::best_change_v1 as change
  )
  select array_agg(r.change) into v_raised from raised r;
  return v_raised;
end $$;
--> statement-breakpoint
-- Counts the players of a board anew: a restore without triggers may have left anything.
-- Arguments: the game, the board.
-- Locks: the game's, alone.
-- Called by: tools/doctor/check-sizes.ts.
create or replace function recount_board_v1(p_game text, p_board text) returns void language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  delete from board_sizes z where z.game = p_game and z.board = p_board;
  insert into board_sizes (game, board, slot, players)
  select p_game, p_board, 0, count(*) from bests b where b.game = p_game and b.board = p_board;
end $$;
--> statement-breakpoint
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
--> statement-breakpoint
-- No submission below this id can still appear: none is being written by a transaction that began before it. An id is made up to
-- ten seconds before its transaction shows, and begins with unix milliseconds (UUIDv7).
-- Result: the id; it need not be that of a submission.
-- Locks: none.
-- Called by: award_next_v1.
create or replace function settled_submission_v1() returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from least(clock_timestamp() - interval '10 seconds', (
    select min(a.xact_start) from pg_stat_activity a
    where a.datname = current_database() and a.backend_xid is not null and a.pid <> pg_backend_pid()
  ))) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
--> statement-breakpoint
-- The first submissions after an id, whether they count or not.
-- Arguments: the game, the id, at most how many.
-- Locks: none.
-- Called by: functions/adapters/postgres/reconciliations.ts.
--
-- The settings make it read along an index, as bests_page_v1 says.
create or replace function submissions_after_v1(p_game text, p_after uuid, p_n int) returns table (id uuid, player text, week text)
language plpgsql stable set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off as $$
#variable_conflict use_column
begin
  return query
  select s.id, s.player, s.week from submissions s where s.game = p_game and s.id > p_after order by s.id limit p_n;
end $$;
--> statement-breakpoint
-- The items of a call, any number: writes the submissions that may count, the bests that they raise, the players that are new.
-- Arguments: those of submit_one_v1.
-- Result: the answers of submit_scores_v1, in the order of the items.
-- Locks: those of submit_scores_v1. Ids are given before rows are locked, in the order of the items: the feed and a player's last
-- country follow them.
-- Called by: submit_scores_v1.
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
      case when array_position(p_held, n.i) is not null then 'held' else 'ranked' end
    from (
      select distinct on (x.player, x.key) x.* from items x
      where x.points <= p_max_points order by x.player, x.key, x.i
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
      from accepted a where a.state = 'ranked'
      union all
      select 'all-time', a.player, a.points, date_trunc('second', a.submitted_at), a.id, null
      from accepted a where a.state = 'ranked'
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
--> statement-breakpoint
-- The one item of a call: as submit_many_v1, without what sorts and joins a batch. For one item that costs more than the writing.
-- Arguments: the game, its one item, the game's max_points, what limited_items_v1 found and the game's window, what held_items_v1
-- found, how far the game is verified.
-- Result: the answer of submit_scores_v1.
-- Locks: those of submit_scores_v1.
-- Called by: submit_scores_v1.
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

  if v_item.points <= p_max_points and v_refused is not true and p_limited = '{}' then
    insert into submissions (game, player, idempotency_key, request, points, country, week, submitted_at, state)
    values (p_game, v_item.player, v_item.key, v_item.request, v_item.points, v_item.country,
      to_char(v_item.submitted_at at time zone 'UTC', 'IYYY-"W"IW'), v_item.submitted_at,
      case when p_held = '{}' then 'ranked' else 'held' end)
    on conflict (game, player, idempotency_key) do nothing
    returning id, week, state into v_item.id, v_item.week, v_item.state;
  end if;

  if v_item.state = 'ranked' then
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
--> statement-breakpoint
-- Records submissions of one game: the durable half of the submit path, called as one statement.
-- Arguments: the game; p_items: [{i, player, key, request, points, country, at}], `at` null: now; p_caller: `server` or `player`;
-- p_key: number of the signing secret that the request was signed with, null when it was not signed.
-- Result: a row for each item, in order; none at all when the game does not exist. Of several items with one key the first one that
-- may count does, and the others are its replays or conflicts. outcome: accepted | replayed | conflict (the key was used for another
-- request) | too-many-points | banned | unsigned (the game wants a signature, or another secret) | limited (too many in the player's
-- window; retry_after has seconds) | held (waits for review; week_points and all_time_points may be null) | removed (a moderator took
-- it back, or review rejected it) | deleted (the player was, less than a day ago). Bests are those after the call; *_previous is what
-- the call found before it, *_raised says that it changed the entry (for the week: or its country), `fresh` that it wrote the
-- submission, `unverified` that Redis may lack one of the bests; week_size is how many players the board of the week has.
-- Locks: the game's, shared; then submissions by player and key, bests by board and player, players: two batches that meet wait for
-- each other, never in a circle.
-- Called by: functions/adapters/postgres/submissions.ts.
--
-- A function because its statements are then planned once a connection (planning the same work as one big statement took longer than
-- running it), and because each of them sees what the one before it waited for: the loser of two concurrent requests with one key
-- finds the winner's row here, without a second request.
--
-- Plans of functions are kept for as long as a connection lives, and are made when nothing is known about the length of a batch. The
-- settings, which hold for the steps too, keep out those that are good for empty tables or short batches only: a scan of all players,
-- or each item compared with each, which was most of what a batch of a thousand cost. Planning anew each time would cost more than
-- a single submission does. What looks up one row an item says so by `lateral … limit 1`.
create or replace function submit_scores_v1(p_game text, p_items json, p_caller text, p_key int) returns setof submit_answer_v1
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_nestloop = off
as $$
declare
  v_max_points bigint;
  v_max_improvement bigint;
  v_limit int;
  v_window interval;
  v_signed boolean;
  v_verified uuid;
  v_limited int[] := '{}';
  v_held int[] := '{}';
  v_answer submit_answer_v1;
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
    v_answer.outcome := 'unsigned';
    for v_answer.i in select n.i from json_to_recordset(p_items) as n (i int) order by n.i loop
      return next v_answer;
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
    v_held := held_items_v1(p_game, p_items, v_max_points, v_max_improvement, v_limited);
  end if;

  if json_array_length(p_items) = 1 then
    return next submit_one_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified);
  else
    return query select * from submit_many_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified);
  end if;
end $$;
--> statement-breakpoint
-- Lifts a ban: folds bests and badges of the player anew.
-- Arguments: the game, the player, who asked.
-- Result: false when the game does not exist; true too when the player was not banned.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/moderation.ts.
create or replace function unban_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  update players p set banned_at = null where p.game = p_game and p.player = p_player and p.banned_at is not null;
  if found then
    perform note_correction_v1(p_game, p_player, false, null);
    perform refold_player_v1(p_game, p_player);
    insert into moderation_log (game, action, player, by) values (p_game, 'unban', p_player, p_by);
  end if;
  return true;
end $$;
--> statement-breakpoint
-- Why a submission of this player was not written: a function, so that the submit statement does not open the table for answers that
-- it rarely gives.
-- Arguments: the game, the player.
-- Result: banned | deleted.
-- Locks: none.
-- Called by: answer_items_v1.
create or replace function why_refused_v1(p_game text, p_player text) returns text language plpgsql stable as $$
begin
  return case when exists (
      select from players p where p.game = p_game and p.player = p_player and p.banned_at is not null)
    then 'banned' else 'deleted' end;
end $$;
--> statement-breakpoint
-- Seconds until the window of a player ends, at least 1; a function for the reason that why_refused_v1 has.
-- Arguments: the game, the player, the game's window.
-- Locks: none.
-- Called by: answer_items_v1.
create or replace function window_left_v1(p_game text, p_player text, p_window interval) returns int language plpgsql as $$
begin
  return (
    select greatest(1, ceil(extract(epoch from p.window_started_at + p_window - clock_timestamp())))::int
    from players p where p.game = p_game and p.player = p_player);
end $$;
--> statement-breakpoint
create trigger games_keep_badge_rules after insert or update of badges on games
for each row execute function keep_badge_rules_v1();
--> statement-breakpoint
create trigger bests_counted after insert on bests
referencing new table as new_bests for each statement execute function count_new_bests_v1();
--> statement-breakpoint
create trigger bests_uncounted after delete on bests
referencing old table as gone_bests for each statement execute function count_gone_bests_v1();
--> statement-breakpoint
create trigger bests_countries before update on bests for each row
when (new.country is distinct from old.country and cardinality(new.left_countries) > 4)
execute function keep_country_v1();
