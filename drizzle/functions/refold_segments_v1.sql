-- The parts of a board that a player is in after these submissions, and those they left.
-- Arguments: what the submissions name, in their order.
-- Result: one row, as move_segments_v1.
-- Locks: none.
-- Called by: refold_boards_v1.
create or replace function refold_segments_v1(p_named jsonb[])
returns table (segments jsonb, left_segments jsonb) language plpgsql immutable as $$
declare
  v_named jsonb;
begin
  foreach v_named in array p_named loop
    select m.segments, m.left_segments into segments, left_segments
    from move_segments_v1(segments, left_segments, v_named) m;
  end loop;
  return next;
end $$;
