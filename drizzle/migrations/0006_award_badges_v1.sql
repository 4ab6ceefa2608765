-- Awards: each call inserts or ignores and answers with what was really new. Functions because the lock comes first:
-- the statement after it sees every ban and removal that it waited for, so that none of them is undone by an award.
-- Rows are inserted in the order of the key: two runs that meet wait for each other, never in a circle.

-- Judges these submissions by the rules that were in force when they were received.
create function award_submissions_v1(p_game text, p_ids uuid[])
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
-- Judges a page of submissions: those after p_after up to p_until. p_today: by the rules of today instead.
create function award_range_v1(p_game text, p_after uuid, p_until uuid, p_today boolean)
returns table (player text, badge text) language plpgsql as $$
#variable_conflict use_column
begin
  perform lock_game_v1(p_game, false);
  return query
  -- Materialized for the same reason: the page is read first, in the order of the key.
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
    where not exists (
      select from players p where p.game = p_game and p.player = s.player and p.banned_at is not null)
    order by s.player, r.badge, s.id
  ) d
  order by d.player, d.badge
  on conflict do nothing
  returning b.player, b.badge;
end $$;
--> statement-breakpoint
-- No submission of a game below this id can still appear: none is being written by a transaction that began before
-- it. An id is made up to ten seconds before its transaction shows, and begins with unix milliseconds (UUIDv7).
create function settled_submission_v1() returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from least(clock_timestamp() - interval '10 seconds', (
    select min(a.xact_start) from pg_stat_activity a
    where a.datname = current_database() and a.backend_xid is not null and a.pid <> pg_backend_pid()
  ))) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
--> statement-breakpoint
-- Judges at most p_n settled submissions that no earlier call judged, and notes how far it came.
create function award_next_v1(p_game text, p_n int)
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
-- Judges a page of history by the thresholds of today; `last` is where the next page starts.
create function award_history_v1(p_game text, p_after uuid, p_n int)
returns table (awarded int, judged int, last uuid) language plpgsql as $$
begin
  select count(*), (array_agg(page.id order by page.id desc))[1] into judged, last
  from (
    select s.id from submissions s where s.game = p_game and s.id > p_after order by s.id limit p_n
  ) page;
  select count(*) into awarded from award_range_v1(p_game, p_after, last, true);
  return next;
end $$;
