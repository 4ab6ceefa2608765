set local check_function_bodies = off;
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
-- A moment cut to the step of time of a period's packed scores, so that Postgres and Redis agree to the last tie.
-- Arguments: the period's start, the moment, the step in milliseconds (null: scores hold no time, so that ids decide among equals).
-- Result: the moment at which its step begins; of scores without a time the period's start.
-- Locks: none.
-- Called by: fold_round_v1, refold_boards_v1.
create or replace function cut_time_v1(p_starts timestamptz, p_at timestamptz, p_unit_ms int) returns timestamptz
language sql immutable as $$
  select p_starts + coalesce(floor((extract(epoch from p_at) - extract(epoch from p_starts)) * 1000 / p_unit_ms)::float8
    * p_unit_ms * interval '1 ms', '0')
$$;
