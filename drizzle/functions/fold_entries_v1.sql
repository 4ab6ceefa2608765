-- Folds what submissions bring to boards that the game defined into the entries of their players. Of several of a player on one board
-- each builds on the one before, in the order of their ids.
-- Arguments: the game; what is brought, any number, in any order.
-- Result: the same with what became of each: the entry after it, what it was before, whether it changed, and why it did not count.
-- Locks: the rows of bests, after those of the default boards: first those that are new, then the others, each by board and player; two
-- calls that meet wait for each other, never in a circle.
-- Called by: submit_entries_v1.
create or replace function fold_entries_v1(p_game text, p_brought board_entry_v1[]) returns board_entry_v1[]
language plpgsql as $$
declare
  v_rounds int;
  v_folded board_entry_v1[] := '{}';
begin
  select max(r.nth) into v_rounds from (
    select row_number() over (partition by e.board, e.player) as nth
    from unnest(p_brought) e where e.reason is null) r;
  if v_rounds = 1 then
    v_folded := fold_round_v1(p_game, p_brought);
  elsif v_rounds > 1 then
    for v_round in 1 .. v_rounds loop
      v_folded := v_folded || fold_round_v1(p_game, array(
        select r.entry from (
          select e::board_entry_v1 as entry,
            row_number() over (partition by e.board, e.player order by e.submission_id) as nth
          from unnest(p_brought) e where e.reason is null) r
        where r.nth = v_round));
    end loop;
  end if;
  return v_folded || array(select e::board_entry_v1 from unnest(p_brought) e where e.reason is not null and v_rounds is distinct from 1);
end $$;
