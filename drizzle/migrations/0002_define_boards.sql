ALTER TABLE "games" ADD COLUMN "boards_revision" integer;
--> statement-breakpoint
set local check_function_bodies = off;
--> statement-breakpoint
-- Writes rows of periods that are not there yet. What was computed from a definition that changed meanwhile is not written.
-- Arguments: [{game, board, revision, period, starts, ends, closes, unit}], `board` being its name.
-- Result: game and name of each board that was written for; what is missing has another definition by now.
-- Locks: the rows of the boards, shared, which put_board_v1 and delete_board_v1 take alone; boards and rows in one order.
-- Called by: functions/adapters/postgres/definitions.ts.
create or replace function add_periods_v1(p_periods json) returns table (game text, board text) language sql as $$
  with wanted as materialized (
    select w.* from json_to_recordset(p_periods) as w (game text, board text, revision int, period text,
      starts timestamptz, ends timestamptz, closes timestamptz, unit int)
  ),
  defined as materialized (
    select b.game, b.name from boards b
    where (b.game, b.name, b.revision) in (select w.game, w.board, w.revision from wanted w) and b.deleted_at is null
    order by b.game, b.name for share
  ),
  added as (
    insert into periods (game, board, period, starts_at, ends_at, closes_at, unit_ms)
    select w.game, w.board, w.period, w.starts, w.ends, w.closes, w.unit
    from wanted w join defined d on d.game = w.game and d.name = w.board
    order by w.game, w.board, w.starts
    on conflict do nothing
  )
  select d.game, d.name from defined d
$$;
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
-- Defines a board or changes its definition, as the Worker computed it from what it had read.
-- Arguments: the game; the board; the revision that was read, 0: the game has no such board; its name, rule and schedules; its
-- compiled form for submissions; whether parts of the rule change that entries depend on; whether rows of periods that have not
-- begun are replaced; until when what was computed holds; rows for the next periods: [{period, starts, ends, closes, unit}]; how
-- many boards a game may define.
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
    if p_replace then
      delete from periods p where p.game = p_game and p.board = p_name and p.starts_at > clock_timestamp();
    end if;
  end if;

  insert into periods (game, board, period, starts_at, ends_at, closes_at, unit_ms)
  select p_game, p_name, n.period, n.starts, n.ends, n.closes, n.unit
  from json_to_recordset(p_periods) as n (period text, starts timestamptz, ends timestamptz, closes timestamptz, unit int)
  on conflict do nothing;

  update games g set boards = (
    select jsonb_agg(c.compiled order by c.compiled ->> 'id') from (
      select o.compiled from jsonb_array_elements(coalesce(g.boards, '[]')) as o (compiled)
      where o.compiled ->> 'id' <> p_board
      union all select p_compiled) c),
    boards_revision = coalesce(g.boards_revision, 0) + 1
  where g.game = p_game;
  return case p_revision when 0 then 'created' else 'changed' end;
end $$;
