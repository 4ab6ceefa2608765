-- A moment in milliseconds since 1970.
-- Arguments: the moment.
-- Locks: none.
-- Called by: submit_entries_v1.
create or replace function ms_of_v1(p_at timestamptz) returns bigint language sql immutable as $$
  select floor(extract(epoch from p_at) * 1000)::bigint
$$;
