-- Whether a player is on a board that a game defined, under any key of it.
-- Arguments: the game, the board's name, a period (null: any).
-- Result: true or false. Goes from key to key along the primary key of bests, and reads no board as a whole.
-- Locks: none.
-- Called by: put_board_v1, delete_board_v1.
create or replace function board_has_entries_v1(p_game text, p_name text, p_period text) returns boolean language sql stable as $$
  -- Keys are `laps.2026-10-14` and `song~track-88.all`; no period has a dot, and of bytes `/` follows `.` and DEL follows `~`.
  select exists (
      select from bests b where b.game = p_game and case when p_period is null
        then b.board >= p_name || '.' and b.board < p_name || '/' else b.board = p_name || '.' || p_period end)
    or exists (
      with recursive keyed as (
        (select b.board from bests b
          where b.game = p_game and b.board >= p_name || '~' and b.board < p_name || chr(127) order by b.board limit 1)
        union all
        select (select b.board from bests b
          where b.game = p_game and b.board > k.board and b.board < p_name || chr(127) order by b.board limit 1)
        from keyed k where k.board is not null
      )
      select from keyed k where k.board is not null and (p_period is null or right(k.board, length(p_period) + 1) = '.' || p_period))
$$;
