-- Records submissions of one game: the durable half of the submit path, called as one statement.
-- Arguments: the game; p_items: [{i, player, key, request, points, country, at, values, boards, segments, metadata}], `at` null: now,
-- `points` null: the default boards do not see it, `boards`: what it brings to boards that the game defined, by their keys; p_caller:
-- `server` or `player`; p_key: number of the signing secret that the request was signed with, null when it was not signed; p_revision:
-- games.boards_revision by which the caller computed what is brought, p_brought: that, null when it is nothing (brought_entries_v1);
-- p_strict: a total that would leave its bounds is an error (EB001) that writes nothing.
-- Result: a row for each item, in order; none at all when the game does not exist. Of several items with one key the first one that
-- may count does, and the others are its replays or conflicts. outcome: accepted | replayed | conflict (the key was used for another
-- request) | too-many-points | banned | unsigned (the game wants a signature, or another secret) | limited (too many in the player's
-- window; retry_after has seconds) | held (waits for review; week_points and all_time_points may be null) | removed (a moderator took
-- it back, or review rejected it) | deleted (the player was, less than a day ago). Bests are those after the call; *_previous is what
-- the call found before it, *_raised says that it changed the entry (for the week: or its country), `fresh` that it wrote the
-- submission, `unverified` that Redis may lack one of the bests; week_size is how many players the board of the week has. boards: what became of what it brings (answer_entries_v1), null when
-- that is nothing. Instead of all of them one row without `i` when what is brought has to be computed anew, and nothing is written: with
-- the outcome boards (of another revision: boards has it and the game's boards) or periods (other ones than the rows say: boards
-- has the clock, milliseconds).
-- Locks: the game's, shared; then submissions by player and key, bests by board and player, players, bests of defined boards: two
-- batches that meet wait for each other, never in a circle.
-- Called by: functions/adapters/postgres/submissions.ts.
--
-- A function because its statements are then planned once a connection (planning the same work as one big statement took longer than
-- running it), and because each of them sees what the one before it waited for: the loser of two concurrent requests with one key
-- finds the winner's row here, without a second request.
--
-- Plans of functions are kept for as long as a connection lives, and are made when nothing is known about the length of a batch. The
-- settings, which hold for the steps too, keep out those that are good for empty tables or short batches only: a scan of all players,
-- or each item compared with each, which was most of what a batch of a thousand cost. Planning anew each time would cost more than
-- a single submission does. What looks up one row an item says so by `lateral … limit 1`.
create or replace function submit_scores_v2(
  p_game text, p_items json, p_caller text, p_key int, p_revision int, p_brought json, p_strict boolean)
returns table (answer submit_answer_v1, boards json)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_nestloop = off
as $$
declare
  v_max_points bigint;
  v_max_improvement bigint;
  v_limit int;
  v_window interval;
  v_signed boolean;
  v_verified uuid;
  v_limited int[] := '{}';
  v_held int[] := '{}';
  v_revision int;
  v_entries board_entry_v1[];
  v_answers submit_answer_v1[];
begin
  perform pg_advisory_xact_lock_shared(1, hashtext(p_game)); -- lock_game_v1, without the call

  select g.max_points, g.max_improvement, g.limit_submissions, make_interval(secs => g.limit_seconds),
    case when p_key is null then g.signing = 'nobody' or (g.signing = 'players' and p_caller <> 'player')
      else p_key = g.signing_key or (p_key = g.signing_key - 1 and g.signing_key_at > now() - interval '1 day') end,
    r.verified_until, g.boards_revision
  into v_max_points, v_max_improvement, v_limit, v_window, v_signed, v_verified, v_revision
  from games g left join reconciliations r on r.game = g.game where g.game = p_game;
  if not found then return; end if;

  if not v_signed then
    answer.outcome := 'unsigned';
    for answer.i in select n.i from json_to_recordset(p_items) as n (i int) order by n.i loop
      return next;
    end loop;
    return;
  end if;

  if v_revision is distinct from p_revision then
    answer.outcome := 'boards';
    select json_build_object('revision', v_revision, 'boards', g.boards) into boards from games g where g.game = p_game;
    return next;
    return;
  end if;
  if p_brought is not null then
    v_entries := brought_entries_v1(p_game, p_brought);
    if v_entries is null then
      answer.outcome := 'periods';
      boards := to_json((extract(epoch from now()) * 1000)::bigint);
      return next;
      return;
    end if;
  end if;

  if v_limit is not null then
    v_limited := limited_items_v1(p_game, p_items, v_max_points, v_limit, v_window);
    if v_limited <> '{}' then
      -- It counts the first item with a key only; what comes again in the same call shares its fate. A deleted player is
      -- told so however often they come: coming back later would not help.
      v_limited := array(
        select c.i from json_to_recordset(p_items) as c (i int, player text, key text)
        where (c.player, c.key) in (
            select x.player, x.key from json_to_recordset(p_items) as x (i int, player text, key text)
            where array_position(v_limited, x.i) is not null)
          and not exists (
            select from players p
            where p.game = p_game and p.player = c.player and p.deleted_at > now() - interval '1 day' offset 0));
    end if;
  end if;
  if v_max_improvement is not null then
    v_held := held_items_v1(p_game, p_items, v_max_points, v_max_improvement, v_limited);
  end if;

  if json_array_length(p_items) = 1 then
    answer := submit_one_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified);
    if v_revision is null then
      return next;
      return;
    end if;
    v_answers := array[answer];
  elsif v_revision is null then
    return query select m::submit_answer_v1, null::json
    from submit_many_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified) m;
    return;
  else
    v_answers := array(
      select m::submit_answer_v1 from submit_many_v1(p_game, p_items, v_max_points, v_limited, v_window, v_held, v_verified) m);
  end if;
  return query select * from submit_entries_v1(p_game, v_answers, v_entries, v_verified, p_strict);
end $$;
