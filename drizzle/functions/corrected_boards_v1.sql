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
