ALTER TABLE "bests" DROP CONSTRAINT "bests_achieved_at_whole_second";--> statement-breakpoint
ALTER TABLE "bests" DROP CONSTRAINT "bests_points_range";--> statement-breakpoint
ALTER TABLE "submissions" ALTER COLUMN "points" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "bests" ADD COLUMN "segments" jsonb;--> statement-breakpoint
ALTER TABLE "bests" ADD COLUMN "left_segments" jsonb;--> statement-breakpoint
ALTER TABLE "corrections" ADD COLUMN "boards" jsonb;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "values" jsonb;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "keys" jsonb;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "boards" jsonb;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "segments" jsonb;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "bests" ADD CONSTRAINT "bests_achieved_at_whole" CHECK (extract(microseconds from "bests"."achieved_at")::bigint % case when strpos("bests"."board", '.') > 0 then 1000 else 1000000 end = 0);--> statement-breakpoint
ALTER TABLE "bests" ADD CONSTRAINT "bests_points_range" CHECK ("bests"."points" between 0 and case when strpos("bests"."board", '.') > 0 then 9007199254740991 else 8589934591 end);
--> statement-breakpoint
create or replace view ranked_submissions as
select s.* from submissions s
where s.state = 'ranked'
  and (select p.banned_at from players p where p.game = s.game and p.player = s.player) is null;
--> statement-breakpoint
-- What a submission brings to a board that its game defined, and what became of it: drizzle/functions/brought_entries_v1.sql.
create type board_entry_v1 as (
  i int, board text, name text, player text, submitted_at timestamptz, submission_id uuid,
  fold text, brings bigint, zero bigint, most bigint,
  starts timestamptz, ends timestamptz, unit_ms int, named jsonb,
  strength bigint, at timestamptz, set_by uuid, previous bigint, changed boolean, segments jsonb, left_segments jsonb, reason text
);
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
--> statement-breakpoint
-- What the ranked submissions of a player bring to boards that the game defined and still has: as brought_entries_v1, from what is stored.
-- Arguments: the game, the player.
-- Locks: none.
-- Called by: refold_boards_v1.
create or replace function brought_again_v1(p_game text, p_player text) returns board_entry_v1[] language sql stable as $$
  with defined as materialized (
    select d.* from games g cross join lateral jsonb_to_recordset(g.boards) as d (
      name text, fold text, zero bigint, most bigint, segments jsonb)
    where g.game = p_game
  ),
  brought as (
    select s.id, s.submitted_at, s.country, s.segments, o.key as board, o.value::text::bigint as brings,
      split_part(split_part(o.key, '.', 1), '~', 1) as name, split_part(o.key, '.', 2) as period
    from ranked_submissions s cross join lateral jsonb_each(s.boards) o
    where s.game = p_game and s.player = p_player and jsonb_typeof(o.value) = 'number'
  )
  select array_agg((0, b.board, b.name, p_player, b.submitted_at, b.id, d.fold, b.brings, d.zero, d.most,
    p.starts_at, p.ends_at, p.unit_ms, named_parts_v1(d.segments, b.country, b.segments),
    null, null, null, null, false, null, null, null)::board_entry_v1)
  from brought b
  join defined d on d.name = b.name
  join periods p on p.game = p_game and p.board = b.name collate "C" and p.period = b.period collate "C"
$$;
--> statement-breakpoint
-- What submissions bring to boards that the game defined, with the periods that Postgres knows; looked at before anything is written.
-- Arguments: the game; p_brought: [{i, player, board, name, period, fold, brings, zero, most, named, at}], of item i: the key of the
-- board, the boards.name and the period in it, how it is folded (fold_entry_v1), the strength or what is added to the total, the
-- strength of an empty total and the greatest one, the parts of the board that the submission names, and its time (null: now). A null
-- `period`: the board has none at this time.
-- Result: the same; `reason` says why one does not count: no-period, period-final. Null when one names another period than the rows
-- of periods do, or one that has no row.
-- Locks: none. The caller has the game's shared lock, so no period is closed meanwhile.
-- Called by: submit_scores_v2.
create or replace function brought_entries_v1(p_game text, p_brought json) returns board_entry_v1[] language plpgsql as $$
declare
  v_fits boolean;
  v_entries board_entry_v1[];
begin
  select bool_and(x.period is not distinct from p.period),
    array_agg((x.i, x.board, x.name, x.player, coalesce(x.at, now()), null, x.fold, x.brings, x.zero, x.most,
      p.starts_at, p.ends_at, p.unit_ms, x.named, null, null, null, null, false, null, null,
      case when p.period is null then 'no-period'
        when p.state <> 'open' or p.closes_at <= now() then 'period-final' end)::board_entry_v1)
  into v_fits, v_entries
  from json_to_recordset(p_brought) as x (i int, player text, board text, name text collate "C", period text collate "C",
    fold text, brings bigint, zero bigint, most bigint, named jsonb, at timestamptz)
  left join lateral (
    select f.* from (
      select n.* from periods n
      where n.game = p_game and n.board = x.name and n.starts_at <= coalesce(x.at, now())
      order by n.starts_at desc limit 1) f
    where f.ends_at > coalesce(x.at, now())) p on true;
  return case when v_fits then v_entries end;
end $$;
--> statement-breakpoint
-- The boards that the game defined on which Redis may have a player, with the parts of each that they ever named.
-- Arguments: the game, the player.
-- Result: `{"laps.2026-10-14": {"platform": ["ios"]}}`; null when there are none.
-- Locks: none.
-- Called by: note_correction_v1.
create or replace function corrected_boards_v1(p_game text, p_player text) returns jsonb language sql stable as $$
  with named as (
    select o.board, p.segment, p.value
    from submissions s
    cross join lateral jsonb_object_keys(s.boards) o (board)
    left join lateral (
      select n.key as segment, n.value
      from jsonb_each_text(coalesce(s.segments, '{}') || jsonb_strip_nulls(jsonb_build_object('country', s.country))) n) p on true
    where s.game = p_game and s.player = p_player and s.boards is not null
  )
  select jsonb_object_agg(b.board, b.parts) from (
    select v.board, coalesce(jsonb_object_agg(v.segment, v.values) filter (where v.segment is not null), '{}') as parts
    from (select n.board, n.segment, jsonb_agg(distinct n.value) as values from named n group by n.board, n.segment) v
    group by v.board) b
$$;
--> statement-breakpoint
-- A moment cut to the step of time of a period's packed scores, so that Postgres and Redis agree to the last tie.
-- Arguments: the period's start, the moment, the step in milliseconds.
-- Result: the moment at which its step begins.
-- Locks: none.
-- Called by: fold_round_v1, refold_boards_v1.
create or replace function cut_time_v1(p_starts timestamptz, p_at timestamptz, p_unit_ms int) returns timestamptz
language sql immutable as $$
  select p_starts + floor((extract(epoch from p_at) - extract(epoch from p_starts)) * 1000 / p_unit_ms)::float8
    * p_unit_ms * interval '1 ms'
$$;
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
    select 'all-time' union select s.week from submissions s where s.game = p_game and s.player = p_player
    union select o.board from submissions s cross join lateral jsonb_object_keys(s.boards) o (board)
      where s.game = p_game and s.player = p_player);
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
    -- Submissions without points have no feed event. A thousand of them in a row say nothing of the feed.
    (select f.id from (
      select s.id, s.points from ranked_submissions s where s.game = p_game and s.id <= v_verified
      order by s.id desc limit 1000) f where f.points is not null limit 1),
    (select f.id from (
      select s.id, s.points from ranked_submissions s where s.game = p_game and s.received_at < now() - interval '2 s'
      order by s.id desc limit 1000) f where f.points is not null limit 1),
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
-- Folds what submissions bring to boards that the game defined into the entries of their players. Of several of a player on one board
-- each builds on the one before, in the order of their ids.
-- Arguments: the game; what is brought, any number, in any order.
-- Result: the same with what became of each: the entry after it, what it was before, whether it changed, and why it did not count.
-- Locks: the rows of bests, after those of the default boards: first those that are new, then the others, each by board and player; two
-- calls that meet wait for each other, never in a circle.
-- Called by: submit_entries_v1.
create or replace function fold_entries_v1(p_game text, p_brought board_entry_v1[]) returns board_entry_v1[]
language plpgsql as $$
declare
  v_rounds int;
  v_folded board_entry_v1[] := '{}';
begin
  select max(r.nth) into v_rounds from (
    select row_number() over (partition by e.board, e.player) as nth
    from unnest(p_brought) e where e.reason is null) r;
  if v_rounds = 1 then
    v_folded := fold_round_v1(p_game, p_brought);
  elsif v_rounds > 1 then
    for v_round in 1 .. v_rounds loop
      v_folded := v_folded || fold_round_v1(p_game, array(
        select r.entry from (
          select e::board_entry_v1 as entry,
            row_number() over (partition by e.board, e.player order by e.submission_id) as nth
          from unnest(p_brought) e where e.reason is null) r
        where r.nth = v_round));
    end loop;
  end if;
  return v_folded || array(select e::board_entry_v1 from unnest(p_brought) e where e.reason is not null and v_rounds is distinct from 1);
end $$;
--> statement-breakpoint
-- Folds at most one submission of a player on each board: the rules of functions/domain/board/folds.ts, which tests compare.
-- Arguments: the game; what is brought; what has a reason not to count is left alone.
-- Result: the same with what became of each (fold_entries_v1).
-- Locks: those of fold_entries_v1.
-- Called by: fold_entries_v1.
create or replace function fold_round_v1(p_game text, p_brought board_entry_v1[]) returns board_entry_v1[]
language plpgsql as $$
declare
  v_added jsonb;
  v_folded board_entry_v1[];
begin
  with added as (
    insert into bests (game, board, player, points, achieved_at, submission_id, segments)
    select p_game, e.board, e.player, e.strength, e.cut, e.submission_id, e.named
    from (
      select n.board collate "C" as board, n.player collate "C" as player, n.submission_id, n.named, n.most,
        n.brings + case when n.fold in ('rising', 'total') then n.zero else 0 end as strength,
        cut_time_v1(n.starts, n.submitted_at, n.unit_ms) as cut
      from unnest(p_brought) n where n.reason is null) e
    where e.strength between 0 and e.most
    order by e.board, e.player
    on conflict (game, board, player) do nothing
    returning board, player
  )
  select coalesce(jsonb_object_agg(a.board || ' ' || a.player, true), '{}') into v_added from added a;

  perform from bests b
  where b.game = p_game and (b.board, b.player) in (
    select e.board collate "C", e.player collate "C" from unnest(p_brought) e
    where e.reason is null and not v_added ? (e.board || ' ' || e.player))
  order by b.board, b.player for update;

  -- Nothing of it changes any more until this call ends.
  with held as materialized (
    select e.*, b.points, b.achieved_at, b.submission_id as held_by, b.segments as held_segments, b.left_segments as held_left,
      v_added ? (e.board || ' ' || e.player) as added, cut_time_v1(e.starts, e.submitted_at, e.unit_ms) as cut,
      e.unit_ms * interval '1 ms' as step, l.points is not null as is_later
    from unnest(p_brought) e
    left join lateral (
      select t.* from bests t
      where e.reason is null and t.game = p_game and t.board = e.board collate "C" and t.player = e.player collate "C" limit 1) b on true
    left join lateral (
      select 1 as points from submissions s
      where e.fold = 'last' and s.game = p_game and s.id = b.submission_id
        and (e.submitted_at, e.submission_id) > (s.submitted_at, s.id) limit 1) l on true
  ),
  folded as materialized (
    select h.*, case
      when h.reason is not null then h.reason
      when h.fold in ('rising', 'total') and not h.added and coalesce(h.points, h.zero) + h.brings not between 0 and h.most
        then 'total-out-of-range' end as refusal,
      case h.fold
        when 'best' then h.brings > h.points or (h.brings = h.points and h.cut < h.achieved_at)
        when 'last' then h.is_later
        -- A zero reaches nothing, so it has no say; among zeros alone the first one counts.
        when 'rising' then h.brings > 0 or (h.points = h.zero and h.cut < h.achieved_at)
        else h.brings <> 0 end as better
    from held h
  ),
  entries as materialized (
    select f.*, f.added or (f.better and f.refusal is null) as is_changed,
      case when f.refusal is not null or f.named is null or f.added or f.held_segments @> f.named then null else f.named end as moves
    from folded f
  ),
  results as materialized (
    select e.i, e.board, e.name, e.player, e.submitted_at, e.submission_id, e.fold, e.brings, e.zero, e.most, e.starts, e.ends,
      e.unit_ms, e.named,
      case when e.added or not e.is_changed then e.points when e.fold in ('best', 'last') then e.brings
        else e.points + e.brings end as strength,
      case when e.added or not e.is_changed then e.achieved_at
        when e.fold = 'best' or (e.fold = 'rising' and e.points = e.zero) then e.cut
        when e.fold = 'rising' then greatest(e.cut, e.achieved_at)
        else greatest(e.cut, e.achieved_at + e.step) end as at,
      -- Of a total the newest that changed it, so that what is verified up to there has all of it.
      case when e.added or not e.is_changed then e.held_by when e.fold in ('best', 'last') then e.submission_id
        else greatest(e.held_by, e.submission_id) end as set_by,
      case when e.added then null else e.points end as previous,
      e.is_changed as changed,
      case when e.moves is null then e.held_segments else m.segments end as segments,
      case when e.moves is null then e.held_left else m.left_segments end as left_segments,
      e.refusal as reason, e.added
    from entries e
    left join lateral (
      select s.* from move_segments_v1(e.held_segments, e.held_left, e.moves) s where e.moves is not null limit 1) m on true
  ),
  updated as (
    update bests b set points = r.strength, achieved_at = r.at, submission_id = r.set_by,
      segments = r.segments, left_segments = r.left_segments
    from results r
    where b.game = p_game and b.board = r.board collate "C" and b.player = r.player collate "C"
      and not r.added and (r.changed or r.segments is distinct from b.segments)
  )
  select array_agg((r.i, r.board, r.name, r.player, r.submitted_at, r.submission_id, r.fold, r.brings, r.zero, r.most, r.starts,
    r.ends, r.unit_ms, r.named, r.strength, r.at, r.set_by, r.previous, r.changed, r.segments, r.left_segments,
    r.reason)::board_entry_v1) into v_folded from results r;
  return v_folded;
end $$;
--> statement-breakpoint
-- What a player holds now on the boards that an earlier submission counted on, or did not.
-- Arguments: the game, the submission.
-- Result: a row a board: its key, the boards.name in it, why the submission does not count there, the entry and the board's period.
-- Locks: none.
-- Called by: submit_entries_v1.
create or replace function held_entries_v1(p_game text, p_submission uuid)
returns table (board text, name text, reason text, strength bigint, at timestamptz, set_by uuid, segments jsonb, left_segments jsonb,
  starts timestamptz, ends timestamptz, unit_ms int) language plpgsql stable as $$
begin
  return query
  select k.board, k.name, k.reason, b.points, b.achieved_at, b.submission_id, b.segments, b.left_segments,
    p.starts_at, p.ends_at, p.unit_ms
  from (
    select s.player, o.key as board, split_part(split_part(o.key, '.', 1), '~', 1) collate "C" as name,
      split_part(o.key, '.', 2) collate "C" as period,
      case when jsonb_typeof(o.value) = 'string' then o.value #>> '{}' end as reason
    from submissions s cross join lateral jsonb_each(s.boards) o
    where s.game = p_game and s.id = p_submission) k
  left join lateral (
    select t.* from bests t
    where k.reason is null and t.game = p_game and t.board = k.board and t.player = k.player limit 1) b on true
  left join lateral (
    select t.* from periods t where t.game = p_game and t.board = k.name and t.period = k.period limit 1) p on true;
end $$;
--> statement-breakpoint
-- The items of a call that raise their player's all-time best (0 without one) by more than the game lets pass unseen. Those of a
-- call build on each other in its order, as if they had come one by one; what is held raises nothing. Only what will be written
-- raises the best that the next item is compared with: not a copy of an item, a retry, another use of a key or what the limit
-- refuses. Else a batch could climb to any score on items that do not count.
-- Arguments: the game, the items, the game's max_points and max_improvement, what limited_items_v1 found.
-- Result: the numbers (i) of the items.
-- Locks: none.
-- Called by: submit_scores_v2, whose settings keep nested loops out; it joins a batch with tables of any size and needs them.
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
-- Whether a player is banned; a function for the reason that why_refused_v1 has.
-- Arguments: the game, the player.
-- Locks: none.
-- Called by: answer_items_v1.
create or replace function is_banned_v1(p_game text, p_player text) returns boolean language plpgsql stable as $$
begin
  return exists (select from players p where p.game = p_game and p.player = p_player and p.banned_at is not null);
end $$;
--> statement-breakpoint
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
--> statement-breakpoint
-- Moves a player to the parts of a board that a submission names. A player counts for at most five values of a segment, the first five
-- different ones, for the reason that keep_country_v1 has; what is named from a sixth one on leaves them where they are.
-- Arguments: the parts that the player is in, `{"platform": "ios"}`, those they left, `{"platform": ["web"]}`, and those named.
-- Result: one row, the first two after it.
-- Locks: none.
-- Called by: fold_round_v1, refold_segments_v1.
create or replace function move_segments_v1(p_in jsonb, p_left jsonb, p_named jsonb)
returns table (segments jsonb, left_segments jsonb) language plpgsql immutable as $$
declare
  v_segment text;
  v_value text;
  v_left jsonb;
begin
  segments := coalesce(p_in, '{}');
  left_segments := p_left;
  for v_segment, v_value in select n.key, n.value from jsonb_each_text(p_named) n loop
    continue when segments ->> v_segment = v_value;
    if segments ? v_segment then
      v_left := coalesce(left_segments -> v_segment, '[]');
      continue when jsonb_array_length(v_left) >= 4 and not v_left ? v_value;
      left_segments := coalesce(left_segments, '{}')
        || jsonb_build_object(v_segment, (v_left - v_value) || (segments -> v_segment));
    end if;
    segments := segments || jsonb_build_object(v_segment, v_value);
  end loop;
  return next;
end $$;
--> statement-breakpoint
-- A moment in milliseconds since 1970.
-- Arguments: the moment.
-- Locks: none.
-- Called by: submit_entries_v1.
create or replace function ms_of_v1(p_at timestamptz) returns bigint language sql immutable as $$
  select floor(extract(epoch from p_at) * 1000)::bigint
$$;
--> statement-breakpoint
-- The parts of a board that a submission names.
-- Arguments: the board's segments, `["country", "platform"]`; the submission's country and its segments, `{"platform": "ios"}`.
-- Result: `{"country": "DE", "platform": "ios"}`; null when it names none.
-- Locks: none.
-- Called by: brought_again_v1.
create or replace function named_parts_v1(p_segments jsonb, p_country text, p_named jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(n.key, n.value)
  from jsonb_each(coalesce(p_named, '{}') || jsonb_strip_nulls(jsonb_build_object('country', p_country))) n
  where p_segments ? n.key
$$;
--> statement-breakpoint
-- Ids of the newest submissions that count and have points, newest first; looked for among five times as many, so that a game
-- whose submissions have none is not read as a whole.
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
  select n.id from (
    select s.id, s.points from ranked_submissions s
    where s.game = p_game and (p_before is null or s.received_at < p_before) order by s.id desc limit 5 * p_n) n
  where n.points is not null limit p_n;
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
  where g.game = p_game and (
    exists (select from bests b where b.game = p_game and b.board = 'all-time' and b.player = p_player)
    or exists (select from submissions s where s.game = p_game and s.player = p_player and s.boards is not null));

  insert into corrections as c (game, player, weeks, boards, forget, submissions, at)
  select p_game, p_player, coalesce(jsonb_object_agg(w.week, w.countries), '{}'), corrected_boards_v1(p_game, p_player),
    coalesce(p_forget, false), array_remove(array[p_submission], null), now()
  from (
    -- Redis keeps a week's boards for 35 days after its end.
    select s.week, coalesce(jsonb_agg(distinct s.country) filter (where s.country is not null), '[]') as countries
    from submissions s
    where s.game = p_game and s.player = p_player and s.submitted_at > now() - interval '43 days'
    group by s.week
  ) w
  on conflict (game, player) do update set
    weeks = c.weeks || excluded.weeks,
    boards = case when c.boards is null then excluded.boards else c.boards || coalesce(excluded.boards, '{}') end,
    forget = coalesce(p_forget, c.forget),
    submissions = array_cat(array_remove(c.submissions, p_submission), excluded.submissions),
    at = excluded.at;
end $$;
--> statement-breakpoint
-- Makes the entries of a player on boards that the game defined the fold of their ranked submissions (none while they are banned).
-- Arguments: the game, the player.
-- Locks: none of its own; every caller has the game alone.
-- Called by: refold_player_v1.
--
-- A total may leave its bounds for good when a contribution was taken back that others made up for: it ends within them.
create or replace function refold_boards_v1(p_game text, p_player text) returns void language plpgsql as $$
begin
  delete from bests b using (
    select distinct o.board from submissions s cross join lateral jsonb_object_keys(s.boards) o (board)
    where s.game = p_game and s.player = p_player) k
  where b.game = p_game and b.board = k.board and b.player = p_player;

  with brought as materialized (
    select e.*, cut_time_v1(e.starts, e.submitted_at, e.unit_ms) as cut from unnest(brought_again_v1(p_game, p_player)) e
  ),
  standing as (
    (select distinct on (b.board) b.board, b.brings as strength, b.cut, b.submission_id from brought b where b.fold = 'best'
      order by b.board, b.brings desc, b.cut, b.submission_id)
    union all
    (select distinct on (b.board) b.board, b.brings, b.cut, b.submission_id from brought b where b.fold = 'last'
      order by b.board, b.submitted_at desc, b.submission_id desc)
    union all
    select b.board, least(greatest(b.zero + sum(b.brings), 0), b.most),
      coalesce(max(b.cut) filter (where b.brings <> 0), min(b.cut)),
      (array_agg(b.submission_id order by b.brings <> 0 desc, b.submission_id desc))[1]
    from brought b where b.fold in ('rising', 'total') group by b.board, b.zero, b.most
  )
  insert into bests (game, board, player, points, achieved_at, submission_id, segments, left_segments)
  select p_game, s.board, p_player, s.strength, s.cut, s.submission_id, n.segments, n.left_segments
  from standing s cross join lateral refold_segments_v1(array(
    select b.named from brought b where b.board = s.board and b.named is not null order by b.submission_id)) n
  order by s.board collate "C";
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
--> statement-breakpoint
-- The parts of a board that a player is in after these submissions, and those they left.
-- Arguments: what the submissions name, in their order.
-- Result: one row, as move_segments_v1.
-- Locks: none.
-- Called by: refold_boards_v1.
create or replace function refold_segments_v1(p_named jsonb[])
returns table (segments jsonb, left_segments jsonb) language plpgsql immutable as $$
declare
  v_named jsonb;
begin
  foreach v_named in array p_named loop
    select m.segments, m.left_segments into segments, left_segments
    from move_segments_v1(segments, left_segments, v_named) m;
  end loop;
  return next;
end $$;
--> statement-breakpoint
-- The part of a call that concerns boards which the game defined: counts what new submissions bring, and says of all how they stand.
-- Arguments: the game; the answers so far; what the items bring (brought_entries_v1), null when it is nothing; how far the game is
-- verified; whether a total that would leave its bounds is an error.
-- Result: the answers, each with its boards: [[key, reason, strength, at, previous, changed, proven, segments, left, size, starts, ends,
-- unit]], the three times and unit in milliseconds; null when there are none. `proven`: Redis is known to hold the entry.
-- Locks: those of fold_entries_v1.
-- Called by: submit_scores_v2.
create or replace function submit_entries_v1(
  p_game text, p_answers submit_answer_v1[], p_entries board_entry_v1[], p_verified uuid, p_strict boolean)
returns table (answer submit_answer_v1, boards json) language plpgsql as $$
declare
  v_folded board_entry_v1[];
begin
  v_folded := fold_entries_v1(p_game, array(
    select (e.i, e.board, e.name, e.player, e.submitted_at, a.submission_id, e.fold, e.brings, e.zero, e.most,
      e.starts, e.ends, e.unit_ms, e.named, null, null, null, null, false, null, null, e.reason)::board_entry_v1
    from unnest(p_entries) e join unnest(p_answers) a on a.i = e.i
    where a.outcome = 'accepted'));

  -- What was written says that all of it counts. What does not is rare.
  if exists (select from unnest(v_folded) f where f.reason is not null) then
    if p_strict and exists (select from unnest(v_folded) f where f.reason = 'total-out-of-range') then
      raise exception 'a total would leave its bounds' using errcode = 'EB001',
        detail = (select string_agg(distinct f.name, ' ') from unnest(v_folded) f where f.reason = 'total-out-of-range');
    end if;
    update submissions s set boards = s.boards || n.reasons
    from (
      select f.submission_id, jsonb_object_agg(f.board, f.reason) as reasons
      from unnest(v_folded) f where f.reason is not null group by f.submission_id) n
    where s.game = p_game and s.id = n.submission_id;
  end if;

  return query
  with counted as materialized (
    select f.i, f.name, f.board, f.reason, f.strength, f.at, f.previous, f.changed, f.set_by, f.segments, f.left_segments,
      f.starts, f.ends, f.unit_ms
    from unnest(v_folded) f
    union all
    select a.i, h.name, h.board, h.reason, h.strength, h.at, null, false, h.set_by, h.segments, h.left_segments,
      h.starts, h.ends, h.unit_ms
    from unnest(p_answers) a cross join lateral held_entries_v1(p_game, a.submission_id) h
    where a.outcome = 'replayed'
  ),
  sizes as materialized (
    select d.board, (
      select sum(z.players)::bigint from board_sizes z where z.game = p_game and z.board = d.board) as players
    from (select distinct c.board from counted c where c.reason is null) d
  )
  select a::submit_answer_v1, c.boards
  from unnest(p_answers) a
  left join (
    select c.i, json_agg(json_build_array(c.board, c.reason, c.strength, ms_of_v1(c.at), c.previous, c.changed,
      coalesce(c.set_by <= p_verified, false), c.segments, c.left_segments, z.players,
      ms_of_v1(c.starts), ms_of_v1(c.ends), c.unit_ms) order by c.board) as boards
    from counted c left join sizes z on z.board = c.board
    group by c.i
  ) c on c.i = a.i
  order by a.i;
end $$;
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
-- As submit_scores_v2, for Workers of a release that knows no boards but the default ones.
-- Arguments: those of submit_scores_v2 that come first.
-- Result: the answers of submit_scores_v2.
-- Locks: those of submit_scores_v2.
-- Called by: Workers of the release before.
--
-- Such a Worker cannot say what a submission brings to boards that the game defined, and counting it on the default ones alone would be
-- wrong for ever. It fails instead, before anything is written: the client repeats it with the same key, and comes to a Worker that can.
create or replace function submit_scores_v1(p_game text, p_items json, p_caller text, p_key int) returns setof submit_answer_v1
language plpgsql as $$
begin
  if exists (select from games g where g.game = p_game and g.boards_revision is not null) then
    raise exception 'the game % has boards that this release does not know', p_game using errcode = 'feature_not_supported';
  end if;
  return query select (s.answer).* from submit_scores_v2(p_game, p_items, p_caller, p_key, null, null, false) s;
end $$;
--> statement-breakpoint
-- Records submissions of one game: the durable half of the submit path, called as one statement.
-- Arguments: the game; p_items: [{i, player, key, request, points, country, at, values, boards, segments, metadata}], `at` null: now,
-- `points` null: the default boards do not see it, `boards`: what it brings to boards that the game defined, by their keys; p_caller:
-- `server` or `player`; p_key: number of the signing secret that the request was signed with, null when it was not signed; p_revision:
-- games.boards_revision by which the caller computed what is brought, p_brought: that, null when it is nothing (brought_entries_v1);
-- p_strict: a total that would leave its bounds is an error (EB001) that writes nothing.
-- Result: a row for each item, in order; none at all when the game does not exist. Of several items with one key the first one that
-- may count does, and the others are its replays or conflicts. outcome: accepted | replayed | conflict (the key was used for another
-- request) | too-many-points | banned | unsigned (the game wants a signature, or another secret) | limited (too many in the player's
-- window; retry_after has seconds) | held (waits for review; week_points and all_time_points may be null) | removed (a moderator took
-- it back, or review rejected it) | deleted (the player was, less than a day ago). Bests are those after the call; *_previous is what
-- the call found before it, *_raised says that it changed the entry (for the week: or its country), `fresh` that it wrote the
-- submission, `unverified` that Redis may lack one of the bests; week_size is how many players the board of the week has. boards: what became of what it brings (answer_entries_v1), null when
-- that is nothing. Instead of all of them one row without `i` when what is brought has to be computed anew, and nothing is written: with
-- the outcome boards (of another revision: boards has it and the game's boards) or periods (other ones than the rows say: boards
-- has the clock, milliseconds).
-- Locks: the game's, shared; then submissions by player and key, bests by board and player, players, bests of defined boards: two
-- batches that meet wait for each other, never in a circle.
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
create or replace function submit_scores_v2(
  p_game text, p_items json, p_caller text, p_key int, p_revision int, p_brought json, p_strict boolean)
returns table (answer submit_answer_v1, boards json)
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
  v_revision int;
  v_entries board_entry_v1[];
  v_answers submit_answer_v1[];
begin
  perform pg_advisory_xact_lock_shared(1, hashtext(p_game)); -- lock_game_v1, without the call

  select g.max_points, g.max_improvement, g.limit_submissions, make_interval(secs => g.limit_seconds),
    case when p_key is null then g.signing = 'nobody' or (g.signing = 'players' and p_caller <> 'player')
      else p_key = g.signing_key or (p_key = g.signing_key - 1 and g.signing_key_at > now() - interval '1 day') end,
    r.verified_until, g.boards_revision
  into v_max_points, v_max_improvement, v_limit, v_window, v_signed, v_verified, v_revision
  from games g left join reconciliations r on r.game = g.game where g.game = p_game;
  if not found then return; end if;

  if not v_signed then
    answer.outcome := 'unsigned';
    for answer.i in select n.i from json_to_recordset(p_items) as n (i int) order by n.i loop
      return next;
    end loop;
    return;
  end if;

  if v_revision is distinct from p_revision then
    answer.outcome := 'boards';
    select json_build_object('revision', v_revision, 'boards', g.boards) into boards from games g where g.game = p_game;
    return next;
    return;
  end if;
  if p_brought is not null then
    v_entries := brought_entries_v1(p_game, p_brought);
    if v_entries is null then
      answer.outcome := 'periods';
      boards := to_json((extract(epoch from now()) * 1000)::bigint);
      return next;
      return;
    end if;
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
    answer := submit_one_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified);
    if v_revision is null then
      return next;
      return;
    end if;
    v_answers := array[answer];
  elsif v_revision is null then
    return query select m::submit_answer_v1, null::json
    from submit_many_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified) m;
    return;
  else
    v_answers := array(
      select m::submit_answer_v1 from submit_many_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified) m);
  end if;
  return query select * from submit_entries_v1(p_game, v_answers, v_entries, v_verified, p_strict);
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
  return case when is_banned_v1(p_game, p_player) then 'banned' else 'deleted' end;
end $$;
