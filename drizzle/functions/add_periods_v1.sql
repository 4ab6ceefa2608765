-- Writes rows of periods that are not there yet. What was computed from a definition that changed meanwhile is not written.
-- Arguments: [{game, board, revision, period, starts, ends, closes, unit}], `board` being its name.
-- Result: game and name of each board that was written for; what is missing has another definition by now.
-- Locks: the rows of the boards, shared, which put_board_v1 and delete_board_v1 take alone; boards and rows in one order.
-- Called by: functions/adapters/postgres/definitions.ts.
create or replace function add_periods_v1(p_periods json) returns table (game text, board text) language sql as $$
  with wanted as materialized (
    select w.* from json_to_recordset(p_periods) as w (game text, board text, revision int, period text,
      starts timestamptz, ends timestamptz, closes timestamptz, unit int)
  ),
  defined as materialized (
    select b.game, b.name from boards b
    where (b.game, b.name, b.revision) in (select w.game, w.board, w.revision from wanted w) and b.deleted_at is null
    order by b.game, b.name for share
  ),
  added as (
    insert into periods (game, board, period, starts_at, ends_at, closes_at, unit_ms)
    select w.game, w.board, w.period, w.starts, w.ends, w.closes, w.unit
    from wanted w join defined d on d.game = w.game and d.name = w.board
    order by w.game, w.board, w.starts
    on conflict do nothing
  )
  select d.game, d.name from defined d
$$;
