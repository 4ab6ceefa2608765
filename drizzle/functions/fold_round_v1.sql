-- Folds at most one submission of a player on each board: the rules of functions/domain/board/folds.ts, which tests compare.
-- Arguments: the game; what is brought; what has a reason not to count is left alone.
-- Result: the same with what became of each (fold_entries_v1).
-- Locks: those of fold_entries_v1.
-- Called by: fold_entries_v1.
create or replace function fold_round_v1(p_game text, p_brought board_entry_v1[]) returns board_entry_v1[]
language plpgsql as $$
declare
  v_added jsonb;
  v_folded board_entry_v1[];
begin
  with added as (
    insert into bests (game, board, player, points, achieved_at, submission_id, segments)
    select p_game, e.board, e.player, e.strength, e.cut, e.submission_id, e.named
    from (
      select n.board collate "C" as board, n.player collate "C" as player, n.submission_id, n.named, n.most,
        n.brings + case when n.fold in ('rising', 'total') then n.zero else 0 end as strength,
        cut_time_v1(n.starts, n.submitted_at, n.unit_ms) as cut
      from unnest(p_brought) n where n.reason is null) e
    where e.strength between 0 and e.most
    order by e.board, e.player
    on conflict (game, board, player) do nothing
    returning board, player
  )
  select coalesce(jsonb_object_agg(a.board || ' ' || a.player, true), '{}') into v_added from added a;

  perform from bests b
  where b.game = p_game and (b.board, b.player) in (
    select e.board collate "C", e.player collate "C" from unnest(p_brought) e
    where e.reason is null and not v_added ? (e.board || ' ' || e.player))
  order by b.board, b.player for update;

  -- Nothing of it changes any more until this call ends.
  with held as materialized (
    select e.*, b.points, b.achieved_at, b.submission_id as held_by, b.segments as held_segments, b.left_segments as held_left,
      v_added ? (e.board || ' ' || e.player) as added, cut_time_v1(e.starts, e.submitted_at, e.unit_ms) as cut,
      e.unit_ms * interval '1 ms' as step, l.points is not null as is_later
    from unnest(p_brought) e
    left join lateral (
      select t.* from bests t
      where e.reason is null and t.game = p_game and t.board = e.board collate "C" and t.player = e.player collate "C" limit 1) b on true
    left join lateral (
      select 1 as points from submissions s
      where e.fold = 'last' and s.game = p_game and s.id = b.submission_id
        and (e.submitted_at, e.submission_id) > (s.submitted_at, s.id) limit 1) l on true
  ),
  folded as materialized (
    select h.*, case
      when h.reason is not null then h.reason
      when h.fold in ('rising', 'total') and not h.added and coalesce(h.points, h.zero) + h.brings not between 0 and h.most
        then 'total-out-of-range' end as refusal,
      case h.fold
        when 'best' then h.brings > h.points or (h.brings = h.points and h.cut < h.achieved_at)
        when 'last' then h.is_later
        -- A zero reaches nothing, so it has no say; among zeros alone the first one counts.
        when 'rising' then h.brings > 0 or (h.points = h.zero and h.cut < h.achieved_at)
        else h.brings <> 0 end as better
    from held h
  ),
  entries as materialized (
    select f.*, f.added or (f.better and f.refusal is null) as is_changed,
      case when f.refusal is not null or f.named is null or f.added or f.held_segments @> f.named then null else f.named end as moves
    from folded f
  ),
  results as materialized (
    select e.i, e.board, e.name, e.player, e.submitted_at, e.submission_id, e.fold, e.brings, e.zero, e.most, e.starts, e.ends,
      e.unit_ms, e.named,
      case when e.added or not e.is_changed then e.points when e.fold in ('best', 'last') then e.brings
        else e.points + e.brings end as strength,
      case when e.added or not e.is_changed then e.achieved_at
        when e.fold = 'best' or (e.fold = 'rising' and e.points = e.zero) then e.cut
        when e.fold = 'rising' then greatest(e.cut, e.achieved_at)
        else greatest(e.cut, e.achieved_at + e.step) end as at,
      -- Of a total the newest that changed it, so that what is verified up to there has all of it.
      case when e.added or not e.is_changed then e.held_by when e.fold in ('best', 'last') then e.submission_id
        else greatest(e.held_by, e.submission_id) end as set_by,
      case when e.added then null else e.points end as previous,
      e.is_changed as changed,
      case when e.moves is null then e.held_segments else m.segments end as segments,
      case when e.moves is null then e.held_left else m.left_segments end as left_segments,
      e.refusal as reason, e.added
    from entries e
    left join lateral (
      select s.* from move_segments_v1(e.held_segments, e.held_left, e.moves) s where e.moves is not null limit 1) m on true
  ),
  updated as (
    update bests b set points = r.strength, achieved_at = r.at, submission_id = r.set_by,
      segments = r.segments, left_segments = r.left_segments
    from results r
    where b.game = p_game and b.board = r.board collate "C" and b.player = r.player collate "C"
      and not r.added and (r.changed or r.segments is distinct from b.segments)
  )
  select array_agg((r.i, r.board, r.name, r.player, r.submitted_at, r.submission_id, r.fold, r.brings, r.zero, r.most, r.starts,
    r.ends, r.unit_ms, r.named, r.strength, r.at, r.set_by, r.previous, r.changed, r.segments, r.left_segments,
    r.reason)::board_entry_v1) into v_folded from results r;
  return v_folded;
end $$;
