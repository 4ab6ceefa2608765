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
