-- Moves a player to the parts of a board that a submission names. A player counts for at most five values of a segment, the first five
-- different ones, for the reason that keep_country_v1 has; what is named from a sixth one on leaves them where they are.
-- Arguments: the parts that the player is in, `{"platform": "ios"}`, those they left, `{"platform": ["web"]}`, and those named.
-- Result: one row, the first two after it.
-- Locks: none.
-- Called by: fold_round_v1, refold_segments_v1.
create or replace function move_segments_v1(p_in jsonb, p_left jsonb, p_named jsonb)
returns table (segments jsonb, left_segments jsonb) language plpgsql immutable as $$
declare
  v_segment text;
  v_value text;
  v_left jsonb;
begin
  segments := coalesce(p_in, '{}');
  left_segments := p_left;
  for v_segment, v_value in select n.key, n.value from jsonb_each_text(p_named) n loop
    continue when segments ->> v_segment = v_value;
    if segments ? v_segment then
      v_left := coalesce(left_segments -> v_segment, '[]');
      continue when jsonb_array_length(v_left) >= 4 and not v_left ? v_value;
      left_segments := coalesce(left_segments, '{}')
        || jsonb_build_object(v_segment, (v_left - v_value) || (segments -> v_segment));
    end if;
    segments := segments || jsonb_build_object(v_segment, v_value);
  end loop;
  return next;
end $$;
