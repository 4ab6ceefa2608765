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
