-- What submissions bring to boards that the game defined, with the periods that Postgres knows; looked at before anything is written.
-- Arguments: the game; p_brought: [{i, player, board, name, period, fold, brings, zero, most, timed, named, at}], of item i: the key of the
-- board, the boards.name and the period in it, how it is folded (fold_entry_v1), the strength or what is added to the total, the
-- strength of an empty total and the greatest one, whether scores hold a time, the parts of the board that the submission names, and its time (null: now). A null
-- `period`: the board has none at this time.
-- Result: the same; `reason` says why one does not count: no-period, period-final. Null when one names another period than the rows
-- of periods do, or one that has no row.
-- Locks: none. The caller has the game's shared lock, so no period is closed meanwhile.
-- Called by: submit_scores_v2.
create or replace function brought_entries_v1(p_game text, p_brought json) returns board_entry_v1[] language plpgsql as $$
declare
  v_fits boolean;
  v_entries board_entry_v1[];
begin
  select bool_and(x.period is not distinct from p.period),
    array_agg((x.i, x.board, x.name, x.player, coalesce(x.at, now()), null, x.fold, x.brings, x.zero, x.most,
      p.starts_at, p.ends_at, case when x.timed then p.unit_ms end, x.named, null, null, null, null, false, null, null,
      case when p.period is null then 'no-period'
        when p.state <> 'open' or p.closes_at <= now() then 'period-final' end)::board_entry_v1)
  into v_fits, v_entries
  from json_to_recordset(p_brought) as x (i int, player text, board text, name text collate "C", period text collate "C",
    fold text, brings bigint, zero bigint, most bigint, timed boolean, named jsonb, at timestamptz)
  left join lateral (
    select f.* from (
      select n.* from periods n
      where n.game = p_game and n.board = x.name and n.starts_at <= coalesce(x.at, now())
      order by n.starts_at desc limit 1) f
    where f.ends_at > coalesce(x.at, now())) p on true;
  return case when v_fits then v_entries end;
end $$;
