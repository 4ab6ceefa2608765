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
