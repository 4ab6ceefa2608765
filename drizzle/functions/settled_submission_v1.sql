-- No submission below this id can still appear: none is being written by a transaction that began before it. An id is made up to
-- ten seconds before its transaction shows, and begins with unix milliseconds (UUIDv7).
-- Result: the id; it need not be that of a submission.
-- Locks: none.
-- Called by: award_next_v1.
create or replace function settled_submission_v1() returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from least(clock_timestamp() - interval '10 seconds', (
    select min(a.xact_start) from pg_stat_activity a
    where a.datname = current_database() and a.backend_xid is not null and a.pid <> pg_backend_pid()
  ))) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
