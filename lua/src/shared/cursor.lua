--- @include "shared/numbers"

-- Redis orders equal scores by the members' bytes; Lua's `<` would follow the server's locale.
local function precedes(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = a:byte(i), b:byte(i)
    if x ~= y then
      return x < y
    end
  end
  return #a < #b
end

-- Number of entries at or above (score, player), the player on the board or not: where a cursor goes on.
local function rank_after(board, score, player)
  local held = redis.call('ZSCORE', board, player)
  if held and read_number(held) == read_number(score) then
    return redis.call('ZREVRANK', board, player) + 1
  end
  local low = redis.call('ZCOUNT', board, '(' .. score, '+inf')
  local high = low + redis.call('ZCOUNT', board, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if precedes(player, redis.call('ZRANGE', board, middle, middle, 'REV')[1]) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end
