--- @include "shared/numbers"

--[[ Boards: sorted sets whose member is the player id. Redis breaks equal scores by member bytes, which a reversed
range turns into "id descending": the last rule of the order. ]]

local TOP = 10
local CHUNK = 1000 -- entries that a single command takes or gives (Lua's unpack is bounded)

-- 1-based rank as text, or '' for a player who is not on the board.
local function rank_on(board, player)
  local rank = redis.call('ZREVRANK', board, player)
  return rank and text(rank + 1) or ''
end

-- Adds the entry if it is better than what the board has; true when the board changed.
local function raise(board, score, player)
  return redis.call('ZADD', board, 'GT', 'CH', score, player) == 1
end
