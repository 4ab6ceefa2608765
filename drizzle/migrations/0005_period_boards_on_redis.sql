set local check_function_bodies = off;
--> statement-breakpoint
-- A page of a board that a game defined, in the order of the board.
-- Arguments: the game, the board's key, the entry (p_points, p_at, p_player) after which the page begins, its length.
-- Result: one row: [[player, strength, milliseconds, segments, left segments]].
-- Locks: none.
-- Called by: functions/adapters/postgres/bests.ts, for rebuilds and comparisons.
--
-- Settings and ranges as in bests_page_v1. The first page begins with the greatest strength and `-infinity`: no entry is before that.
create or replace function entries_page_v1(
  p_game text, p_board text, p_points bigint, p_at timestamptz, p_player text, p_n int)
returns table (entries json)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0 as $$
#variable_conflict use_column
begin
  return query
  select coalesce(json_agg(json_build_array(p.player, p.points, ms_of_v1(p.achieved_at), p.segments, p.left_segments)), '[]')
  from (
    (select b.* from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at = p_at
        and b.player < p_player
      order by b.player desc limit p_n)
    union all
    (select b.* from bests b
      where b.game = p_game and b.board = p_board and b.points = p_points and b.points >= 0 and b.achieved_at > p_at
      order by b.achieved_at, b.player desc limit p_n)
    union all
    (select b.* from bests b
      where b.game = p_game and b.board = p_board and b.points < p_points and b.points >= 0
      order by b.points desc, b.achieved_at, b.player desc limit p_n)
    limit p_n) p;
end $$;
--> statement-breakpoint
-- What Redis must hold of some boards that a game defined, to be compared with what it holds: as facts_of_game_v1.
-- Arguments: the game, the keys of the boards.
-- Result: one row. sizes: [[key, players]]; entries: [[key, player, strength, milliseconds, segments, proven]], of a player who is not on
-- the board without the rest.
-- Locks: none.
-- Called by: functions/adapters/postgres/facts.ts.
create or replace function facts_of_entries_v1(p_game text, p_keys text[]) returns table (sizes json, entries json)
language plpgsql stable
set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off as $$
#variable_conflict use_column
declare
  v_verified uuid;
begin
  select r.verified_until into v_verified from reconciliations r where r.game = p_game;
  v_verified := coalesce(v_verified, '00000000-0000-0000-0000-000000000000');

  return query
  with young as materialized (
    (select t.id, t.player, t.state, t.boards from submissions t where t.game = p_game and t.id > v_verified
      order by t.id desc limit 200)
  ),
  -- What an older copy would lack first.
  proven as materialized (
    (select t.id, t.player, t.state, t.boards from submissions t where t.game = p_game and t.id <= v_verified
      order by t.id desc limit 50)
  ),
  pairs as (
    select k.board, s.player from (select * from young union all select * from proven) s, unnest(p_keys) k (board)
    where s.state = 'ranked' and s.boards ? k.board
    union
    select k.board, f.player from unnest(p_keys) k (board) cross join lateral (
      select t.player from bests t where t.game = p_game and t.board = k.board and t.points >= 0
      order by t.points desc, t.achieved_at, t.player desc limit 1) f
    union
    select k.board, m.player from unnest(p_keys) k (board), (
      select l.player from moderation_log l where l.game = p_game order by l.id desc limit 10) m
    where m.player is not null
  )
  select
    (select coalesce(json_agg(json_build_array(k.board, coalesce((
        select sum(z.players)::bigint from board_sizes z where z.game = p_game and z.board = k.board), 0))), '[]')
      from unnest(p_keys) k (board)),
    (select coalesce(json_agg(json_build_array(p.board, p.player, t.points, ms_of_v1(t.achieved_at), t.segments,
        t.submission_id <= v_verified and p.player not in (select y.player from young y))), '[]')
      from pairs p left join lateral (
        select b.points, b.achieved_at, b.segments, b.submission_id from bests b
        where b.game = p_game and b.board = p.board and b.player = p.player limit 1) t on true
      where not exists (select from corrections c where c.game = p_game and c.player = p.player));
end $$;
