-- What the ranked submissions of a player bring to boards that the game defined and still has: as brought_entries_v1, from what is stored.
-- Arguments: the game, the player.
-- Locks: none.
-- Called by: refold_boards_v1.
create or replace function brought_again_v1(p_game text, p_player text) returns board_entry_v1[] language sql stable as $$
  with defined as materialized (
    select d.* from games g cross join lateral jsonb_to_recordset(g.boards) as d (
      name text, fold text, zero bigint, most bigint, tie text, segments jsonb)
    where g.game = p_game
  ),
  brought as (
    select s.id, s.submitted_at, s.country, s.segments, o.key as board, o.value::text::bigint as brings,
      split_part(split_part(o.key, '.', 1), '~', 1) as name, split_part(o.key, '.', 2) as period
    from ranked_submissions s cross join lateral jsonb_each(s.boards) o
    where s.game = p_game and s.player = p_player and jsonb_typeof(o.value) = 'number'
  )
  select array_agg((0, b.board, b.name, p_player, b.submitted_at, b.id, d.fold, b.brings, d.zero, d.most,
    p.starts_at, p.ends_at, case when d.tie <> 'id' then p.unit_ms end, named_parts_v1(d.segments, b.country, b.segments),
    null, null, null, null, false, null, null, null)::board_entry_v1)
  from brought b
  join defined d on d.name = b.name
  join periods p on p.game = p_game and p.board = b.name collate "C" and p.period = b.period collate "C"
$$;
