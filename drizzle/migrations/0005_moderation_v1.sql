-- Moderation. Every action is: take the game alone, change what is true, fold the player's bests and badges anew,
-- note what has to be corrected in Redis, and log who did it. Each returns false when the game does not exist.

-- Makes bests and badges of a player the fold of their ranked submissions (none while they are banned).
create function refold_player_v1(p_game text, p_player text) returns void language plpgsql as $$
begin
  -- By board: the primary key has the board before the player.
  delete from bests b where b.game = p_game and b.player = p_player and b.board in (
    select 'all-time' union select s.week from submissions s where s.game = p_game and s.player = p_player);

  insert into bests (game, board, player, points, achieved_at, submission_id, country, left_countries)
  select p_game, b.board, p_player, b.points, b.achieved_at, b.id, l.country,
    coalesce(array_remove(c.countries, l.country), '{}')
  from (
    select distinct on (board) board, s.points, date_trunc('second', s.submitted_at) as achieved_at, s.id
    from ranked_submissions s, lateral (values (s.week), ('all-time')) as boards (board)
    where s.game = p_game and s.player = p_player
    order by board, s.points desc, achieved_at, s.id
  ) b
  left join (
    select distinct on (s.week) s.week, s.country from ranked_submissions s
    where s.game = p_game and s.player = p_player and s.country is not null
    order by s.week, s.id desc
  ) l on l.week = b.board
  -- Of every state: Redis may have had the player on these boards.
  left join (
    select s.week, array_agg(distinct s.country) as countries from submissions s
    where s.game = p_game and s.player = p_player and s.country is not null group by s.week
  ) c on c.week = b.board;

  delete from badges d where d.game = p_game and d.player = p_player and not exists (
    select from submissions s where s.game = p_game and s.id = d.submission_id and s.state = 'ranked');
  -- By the rules that were in force when each submission was received.
  insert into badges (game, player, badge, threshold, points, submission_id)
  select distinct on (r.badge) p_game, p_player, r.badge, r.threshold, s.points, s.id
  from ranked_submissions s
  join badge_rules r on r.game = s.game and s.points >= r.threshold
    and s.received_at >= r.starts_at and (r.ends_at is null or s.received_at < r.ends_at)
  where s.game = p_game and s.player = p_player
  order by r.badge, s.id
  on conflict (game, player, badge) do nothing;
end $$;
--> statement-breakpoint
-- Notes that Redis has to follow. p_forget: whether all events of the player leave the feed, null = as before.
create function note_correction_v1(p_game text, p_player text, p_forget boolean, p_submission uuid)
returns void language plpgsql as $$
begin
  insert into corrections as c (game, player, weeks, forget, submissions, at)
  select p_game, p_player, coalesce(jsonb_object_agg(w.week, w.countries), '{}'), coalesce(p_forget, false),
    array_remove(array[p_submission], null), now()
  from (
    -- Redis keeps a week's boards for 35 days after its end.
    select s.week, coalesce(jsonb_agg(distinct s.country) filter (where s.country is not null), '[]') as countries
    from submissions s
    where s.game = p_game and s.player = p_player and s.submitted_at > now() - interval '43 days'
    group by s.week
  ) w
  on conflict (game, player) do update set
    weeks = c.weeks || excluded.weeks,
    forget = coalesce(p_forget, c.forget),
    submissions = array_cat(array_remove(c.submissions, p_submission), excluded.submissions),
    at = excluded.at;
end $$;
--> statement-breakpoint
create function known_game_v1(p_game text) returns boolean language sql stable as $$
  select exists (select from games g where g.game = p_game)
$$;
--> statement-breakpoint
create function ban_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  insert into players as p (game, player, banned_at) values (p_game, p_player, now())
  on conflict (game, player) do update set banned_at = coalesce(p.banned_at, now());
  perform note_correction_v1(p_game, p_player, true, null);
  perform refold_player_v1(p_game, p_player);
  insert into moderation_log (game, action, player, by) values (p_game, 'ban', p_player, p_by);
  return true;
end $$;
--> statement-breakpoint
create function unban_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  update players p set banned_at = null where p.game = p_game and p.player = p_player and p.banned_at is not null;
  if found then
    perform note_correction_v1(p_game, p_player, false, null);
    perform refold_player_v1(p_game, p_player);
    insert into moderation_log (game, action, player, by) values (p_game, 'unban', p_player, p_by);
  end if;
  return true;
end $$;
--> statement-breakpoint
-- Deletes a player for good. What stays for a day is a tombstone that refuses retries and offline queues; what stays
-- in the log is a hash of the id.
create function delete_player_v1(p_game text, p_player text, p_by text) returns boolean language plpgsql as $$
declare
  v_hash text := 'sha256:' || encode(sha256(convert_to(p_player, 'UTF8')), 'hex');
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then return false; end if;
  perform note_correction_v1(p_game, p_player, true, null);
  delete from bests b where b.game = p_game and b.player = p_player and b.board in (
    select 'all-time' union select s.week from submissions s where s.game = p_game and s.player = p_player);
  delete from badges b where b.game = p_game and b.player = p_player;
  delete from submissions s where s.game = p_game and s.player = p_player;
  delete from players p where p.game = p_game and p.player = p_player;
  insert into players (game, player, deleted_at) values (p_game, p_player, now());
  update moderation_log l set player = v_hash where l.game = p_game and l.player = p_player;
  insert into moderation_log (game, action, player, by) values (p_game, 'delete-player', v_hash, p_by);
  perform forget_tombstones_v1();
  return true;
end $$;
--> statement-breakpoint
-- Ends tombstones after a day. A player who came back since keeps the row and loses the mark.
create function forget_tombstones_v1() returns void language plpgsql as $$
begin
  update players p set deleted_at = null
  where p.deleted_at < now() - interval '1 day' and exists (
    select from submissions s where s.game = p.game and s.player = p.player);
  delete from players p where p.deleted_at < now() - interval '1 day' and p.banned_at is null;
end $$;
--> statement-breakpoint
-- Forgets corrections that are older than any submission on its way can be; returns how many are left.
create function forget_corrections_v1(p_game text, p_older_than interval) returns bigint language plpgsql as $$
begin
  delete from corrections c where c.game = p_game and c.at < now() - p_older_than;
  perform forget_tombstones_v1();
  return (select count(*) from corrections c where c.game = p_game);
end $$;
--> statement-breakpoint
-- Takes a submission back (`removed`), or decides on one that is held (`ranked`, `rejected`). Returns what to answer:
-- done | unknown-game | unknown-submission, and the player.
create function decide_submission_v1(p_game text, p_id uuid, p_state text, p_by text)
returns table (result text, player text) language plpgsql as $$
#variable_conflict use_column
declare
  v_player text collate "C";
  v_before text;
begin
  perform lock_game_v1(p_game, true);
  if not known_game_v1(p_game) then
    return query select 'unknown-game', null::text;
    return;
  end if;
  select s.player, s.state into v_player, v_before from submissions s where s.game = p_game and s.id = p_id;
  if v_player is null or (p_state <> 'removed' and v_before not in ('held', p_state)) then
    return query select 'unknown-submission', null::text;
    return;
  end if;
  if v_before <> p_state then
    update submissions s set state = p_state where s.game = p_game and s.id = p_id;
    perform note_correction_v1(p_game, v_player, null, case when p_state = 'removed' then p_id end);
    perform refold_player_v1(p_game, v_player);
    insert into moderation_log (game, action, player, submission_id, by) values (p_game,
      case p_state when 'removed' then 'remove-submission' when 'ranked' then 'release' else 'reject' end,
      v_player, p_id, p_by);
  end if;
  return query select 'done', v_player;
end $$;
