-- The part of a call that concerns boards which the game defined: counts what new submissions bring, and says of all how they stand.
-- Arguments: the game; the answers so far; what the items bring (brought_entries_v1), null when it is nothing; how far the game is
-- verified; whether a total that would leave its bounds is an error.
-- Result: the answers, each with its boards: [[key, reason, strength, at, previous, changed, proven, segments, left, size, starts, ends,
-- unit]], the three times and unit in milliseconds; null when there are none. `proven`: Redis is known to hold the entry.
-- Locks: those of fold_entries_v1.
-- Called by: submit_scores_v2.
create or replace function submit_entries_v1(
  p_game text, p_answers submit_answer_v1[], p_entries board_entry_v1[], p_verified uuid, p_strict boolean)
returns table (answer submit_answer_v1, boards json) language plpgsql as $$
declare
  v_folded board_entry_v1[];
begin
  v_folded := fold_entries_v1(p_game, array(
    select (e.i, e.board, e.name, e.player, e.submitted_at, a.submission_id, e.fold, e.brings, e.zero, e.most,
      e.starts, e.ends, e.unit_ms, e.named, null, null, null, null, false, null, null, e.reason)::board_entry_v1
    from unnest(p_entries) e join unnest(p_answers) a on a.i = e.i
    where a.outcome = 'accepted'));

  -- What was written says that all of it counts. What does not is rare.
  if exists (select from unnest(v_folded) f where f.reason is not null) then
    if p_strict and exists (select from unnest(v_folded) f where f.reason = 'total-out-of-range') then
      raise exception 'a total would leave its bounds' using errcode = 'EB001',
        detail = (select string_agg(distinct f.name, ' ') from unnest(v_folded) f where f.reason = 'total-out-of-range');
    end if;
    update submissions s set boards = s.boards || n.reasons
    from (
      select f.submission_id, jsonb_object_agg(f.board, f.reason) as reasons
      from unnest(v_folded) f where f.reason is not null group by f.submission_id) n
    where s.game = p_game and s.id = n.submission_id;
  end if;

  return query
  with counted as materialized (
    select f.i, f.name, f.board, f.reason, f.strength, f.at, f.previous, f.changed, f.set_by, f.segments, f.left_segments,
      f.starts, f.ends, f.unit_ms
    from unnest(v_folded) f
    union all
    select a.i, h.name, h.board, h.reason, h.strength, h.at, null, false, h.set_by, h.segments, h.left_segments,
      h.starts, h.ends, h.unit_ms
    from unnest(p_answers) a cross join lateral held_entries_v1(p_game, a.submission_id) h
    where a.outcome = 'replayed'
  ),
  sizes as materialized (
    select d.board, (
      select sum(z.players)::bigint from board_sizes z where z.game = p_game and z.board = d.board) as players
    from (select distinct c.board from counted c where c.reason is null) d
  )
  select a::submit_answer_v1, c.boards
  from unnest(p_answers) a
  left join (
    select c.i, json_agg(json_build_array(c.board, c.reason, c.strength, ms_of_v1(c.at), c.previous, c.changed,
      coalesce(c.set_by <= p_verified, false), c.segments, c.left_segments, z.players,
      ms_of_v1(c.starts), ms_of_v1(c.ends), c.unit_ms) order by c.board) as boards
    from counted c left join sizes z on z.board = c.board
    group by c.i
  ) c on c.i = a.i
  order by a.i;
end $$;
