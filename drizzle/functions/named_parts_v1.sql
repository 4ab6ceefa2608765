-- The parts of a board that a submission names.
-- Arguments: the board's segments, `["country", "platform"]`; the submission's country and its segments, `{"platform": "ios"}`.
-- Result: `{"country": "DE", "platform": "ios"}`; null when it names none.
-- Locks: none.
-- Called by: brought_again_v1.
create or replace function named_parts_v1(p_segments jsonb, p_country text, p_named jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(n.key, n.value)
  from jsonb_each(coalesce(p_named, '{}') || jsonb_strip_nulls(jsonb_build_object('country', p_country))) n
  where p_segments ? n.key
$$;
