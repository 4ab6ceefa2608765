-- Defines a board or changes its definition, as the Worker computed it from what it had read.
-- Arguments: the game; the board; the revision that was read, 0: the game has no such board; its name, rule and schedules; its
-- compiled form for submissions; whether parts of the rule change that entries depend on; whether rows of periods that have not
-- begun are replaced; until when what was computed holds; rows for the next periods: [{period, starts, ends, closes, unit}], whose
-- units follow from the rule, so that with such parts of it they change too; how many boards a game may define.
-- Result: created | changed | unknown-game | stale (it has to be read and computed again) | too-many | has-entries.
-- Locks: the game's, alone: no submission is counted by half of a definition. Then the board's row, which add_periods_v1 shares.
-- Called by: functions/adapters/postgres/definitions.ts.
create or replace function put_board_v1(p_game text, p_board text, p_revision int, p_name text, p_rule jsonb, p_schedules jsonb,
  p_compiled jsonb, p_entries_depend boolean, p_replace boolean, p_until timestamptz, p_periods json,
  p_most int) returns text
language plpgsql as $$
declare
  v_revision int;
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return 'unknown-game'; end if;

  select b.revision into v_revision from boards b
  where b.game = p_game and b.board = p_board and b.deleted_at is null for update;
  if coalesce(v_revision, 0) <> p_revision or p_until <= clock_timestamp() then return 'stale'; end if;

  if p_revision = 0 then
    if (select count(*) from boards b where b.game = p_game and b.deleted_at is null) >= p_most then return 'too-many'; end if;
    if exists (select from boards b where b.game = p_game and b.name = p_name) then return 'stale'; end if;
    insert into boards (game, name, board, rule, schedules) values (p_game, p_name, p_board, p_rule, p_schedules);
  else
    if p_entries_depend and board_has_entries_v1(p_game, p_name, null) then return 'has-entries'; end if;
    update boards b set rule = p_rule, schedules = p_schedules, revision = b.revision + 1, updated_at = now()
    where b.game = p_game and b.name = p_name;
    if p_entries_depend then
      -- Submissions write those of these that they still count on anew.
      delete from periods p where p.game = p_game and p.board = p_name
        and p.ends_at <= clock_timestamp() and p.closes_at > clock_timestamp();
    end if;
    if p_replace then
      delete from periods p where p.game = p_game and p.board = p_name and p.starts_at > clock_timestamp();
    end if;
  end if;

  insert into periods (game, board, period, starts_at, ends_at, closes_at, unit_ms)
  select p_game, p_name, n.period, n.starts, n.ends, n.closes, n.unit
  from json_to_recordset(p_periods) as n (period text, starts timestamptz, ends timestamptz, closes timestamptz, unit int)
  on conflict do nothing;
  if p_entries_depend then
    update periods p set unit_ms = n.unit from json_to_recordset(p_periods) as n (period text, unit int)
    where p.game = p_game and p.board = p_name and p.period = n.period;
  end if;

  update games g set boards = (
    select jsonb_agg(c.compiled order by c.compiled ->> 'id') from (
      select o.compiled from jsonb_array_elements(coalesce(g.boards, '[]')) as o (compiled)
      where o.compiled ->> 'id' <> p_board
      union all select p_compiled) c),
    boards_revision = coalesce(g.boards_revision, 0) + 1
  where g.game = p_game;
  return case p_revision when 0 then 'created' else 'changed' end;
end $$;
