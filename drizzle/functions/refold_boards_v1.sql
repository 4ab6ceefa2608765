-- Makes the entries of a player on boards that the game defined the fold of their ranked submissions (none while they are banned).
-- Arguments: the game, the player.
-- Locks: none of its own; every caller has the game alone.
-- Called by: refold_player_v1.
--
-- A total may leave its bounds for good when a contribution was taken back that others made up for: it ends within them.
create or replace function refold_boards_v1(p_game text, p_player text) returns void language plpgsql as $$
begin
  delete from bests b using (
    select distinct o.board from submissions s cross join lateral jsonb_object_keys(s.boards) o (board)
    where s.game = p_game and s.player = p_player) k
  where b.game = p_game and b.board = k.board and b.player = p_player;

  with brought as materialized (
    select e.*, cut_time_v1(e.starts, e.submitted_at, e.unit_ms) as cut from unnest(brought_again_v1(p_game, p_player)) e
  ),
  standing as (
    (select distinct on (b.board) b.board, b.brings as strength, b.cut, b.submission_id from brought b where b.fold = 'best'
      order by b.board, b.brings desc, b.cut, b.submission_id)
    union all
    (select distinct on (b.board) b.board, b.brings, b.cut, b.submission_id from brought b where b.fold = 'last'
      order by b.board, b.submitted_at desc, b.submission_id desc)
    union all
    select b.board, least(greatest(b.zero + sum(b.brings), 0), b.most),
      coalesce(max(b.cut) filter (where b.brings <> 0), min(b.cut)),
      (array_agg(b.submission_id order by b.brings <> 0 desc, b.submission_id desc))[1]
    from brought b where b.fold in ('rising', 'total') group by b.board, b.zero, b.most
  )
  insert into bests (game, board, player, points, achieved_at, submission_id, segments, left_segments)
  select p_game, s.board, p_player, s.strength, s.cut, s.submission_id, n.segments, n.left_segments
  from standing s cross join lateral refold_segments_v1(array(
    select b.named from brought b where b.board = s.board and b.named is not null order by b.submission_id)) n
  order by s.board collate "C";
end $$;
