-- Notes that Redis has to follow what a moderator does, and lets versions rise when something is about to be taken off the boards.
-- Arguments: the game, the player, whether all events of the player leave the feed (p_forget; null: as before), a submission
-- whose event leaves it, or null.
-- Locks: none of its own. Every caller has the game alone, and folds the player's bests anew afterwards.
-- Called by: ban_player_v1, unban_player_v1, delete_player_v1, decide_submission_v1.
create or replace function note_correction_v1(p_game text, p_player text, p_forget boolean, p_submission uuid)
returns void language plpgsql as $$
begin
  update games g set moderated = greatest(g.moderated + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where g.game = p_game and (
    exists (select from bests b where b.game = p_game and b.board = 'all-time' and b.player = p_player)
    or exists (select from submissions s where s.game = p_game and s.player = p_player and s.boards is not null));

  insert into corrections as c (game, player, weeks, boards, forget, submissions, at)
  select p_game, p_player, coalesce(jsonb_object_agg(w.week, w.countries), '{}'), corrected_boards_v1(p_game, p_player),
    coalesce(p_forget, false), array_remove(array[p_submission], null), now()
  from (
    -- Redis keeps a week's boards for 35 days after its end.
    select s.week, coalesce(jsonb_agg(distinct s.country) filter (where s.country is not null), '[]') as countries
    from submissions s
    where s.game = p_game and s.player = p_player and s.submitted_at > now() - interval '43 days'
    group by s.week
  ) w
  on conflict (game, player) do update set
    weeks = c.weeks || excluded.weeks,
    boards = case when c.boards is null then excluded.boards else c.boards || coalesce(excluded.boards, '{}') end,
    forget = coalesce(p_forget, c.forget),
    submissions = array_cat(array_remove(c.submissions, p_submission), excluded.submissions),
    at = excluded.at;
end $$;
