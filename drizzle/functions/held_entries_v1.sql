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
