--- @include "shared/full"
--- @include "shared/numbers"

--[[ `changes` of a whole board given by `newer`: the sum of tick + 1 over its entries, where tick = unit - 1 - inverted time. Every
change gives an entry a later tick, so the sum strictly rises and orders the board's versions; Postgres sums its rows to the same.
A sum that cannot be right is removed: readers take a board without it for one whose version is lost, until a fill counts anew. ]]

-- Adds to a board's `changes` after one entry was written; `held` says whether the player had one before.
local function add_change(changes, board, difference, held, expire_at)
  local sum = redis.pcall('INCRBY', changes, text(difference))
  local was_lost = is_error(sum) or sum == difference
  -- The first entry of a board begins the sum.
  local begins = was_lost and not is_error(sum) and not held and redis.call('ZCARD', board) == 1
  if begins and expire_at ~= '' then
    redis.call('EXPIREAT', changes, expire_at)
  elseif was_lost and not begins then
    redis.call('DEL', changes)
  end
end
