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
