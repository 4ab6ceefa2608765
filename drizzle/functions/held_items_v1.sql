-- The items of a call that raise their player's all-time best (0 without one) by more than the game lets pass unseen. Those of a
-- call build on each other in its order, as if they had come one by one; what is held raises nothing. Only what will be written
-- raises the best that the next item is compared with: not a copy of an item, a retry, another use of a key or what the limit
-- refuses. Else a batch could climb to any score on items that do not count.
-- Arguments: the game, the items, the game's max_points and max_improvement, what limited_items_v1 found.
-- Result: the numbers (i) of the items.
-- Locks: none.
-- Called by: submit_scores_v2, whose settings keep nested loops out; it joins a batch with tables of any size and needs them.
create or replace function held_items_v1(
  p_game text, p_items json, p_max_points bigint, p_max_improvement bigint, p_limited int[])
returns int[] language plpgsql set enable_nestloop = on as $$
declare
  v_item record;
  v_player text collate "C";
  v_best bigint;
  v_held int[] := '{}';
begin
  for v_item in
    select n.i, n.player, n.points, coalesce(b.points, 0) as best
    from (
      select distinct on (x.player, x.key) x.* from json_to_recordset(p_items)
        as x (i int, player text, key text, points bigint)
      where x.points <= p_max_points order by x.player, x.key, x.i
    ) n
    left join bests b on b.game = p_game and b.board = 'all-time' and b.player = n.player
    where array_position(p_limited, n.i) is null and not exists (
      select from submissions s where s.game = p_game and s.player = n.player and s.idempotency_key = n.key)
    order by n.player, n.i
  loop
    if v_player is distinct from v_item.player then
      v_player := v_item.player;
      v_best := v_item.best;
    end if;
    if v_item.points - v_best > p_max_improvement then
      v_held := v_held || v_item.i;
    else
      v_best := greatest(v_best, v_item.points);
    end if;
  end loop;
  return v_held;
end $$;
