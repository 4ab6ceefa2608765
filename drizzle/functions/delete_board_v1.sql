-- Deletes a board: submissions and reads know it no more. Its entries and the periods that have begun stay.
-- Arguments: the game, the board, whether also while an open period has entries.
-- Result: done | unknown-game | unknown-board | open-entries.
-- Locks: the game's, alone.
-- Called by: functions/adapters/postgres/definitions.ts.
create or replace function delete_board_v1(p_game text, p_board text, p_now boolean) returns text language plpgsql as $$
declare
  v_name text;
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return 'unknown-game'; end if;

  select b.name into v_name from boards b
  where b.game = p_game and b.board = p_board and b.deleted_at is null for update;
  if not found then return 'unknown-board'; end if;

  if not p_now and exists (
    select from periods p
    where p.game = p_game and p.board = v_name and p.state = 'open' and p.closes_at > now()
      and board_has_entries_v1(p_game, v_name, p.period)) then return 'open-entries'; end if;

  update boards b set deleted_at = now(), revision = b.revision + 1 where b.game = p_game and b.name = v_name;
  delete from periods p where p.game = p_game and p.board = v_name and p.starts_at > clock_timestamp();
  update games g set boards = (
    select jsonb_agg(o.compiled order by o.compiled ->> 'id') from jsonb_array_elements(g.boards) as o (compiled)
    where o.compiled ->> 'id' <> p_board),
    boards_revision = coalesce(g.boards_revision, 0) + 1
  where g.game = p_game;
  return 'done';
end $$;
