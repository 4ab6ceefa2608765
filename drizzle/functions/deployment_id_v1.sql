-- The id of this deployment, made by whoever asks first.
-- Result: the id.
-- Locks: the table's one row.
-- Called by: functions/adapters/store-marks.ts, local/given-stores.ts.
create or replace function deployment_id_v1() returns uuid language plpgsql as $$
begin
  insert into deployment default values on conflict do nothing;
  return (select id from deployment);
end $$;
