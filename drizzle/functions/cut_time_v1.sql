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
