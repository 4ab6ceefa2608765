--- @include "shared/numbers"
--- @include "shared/full"

--[[ Boards: sorted sets whose member is the player id. Redis breaks equal scores by member bytes, which a reversed
range turns into "id descending": the last rule of the order. ]]

local TOP = 10
local CHUNK = 1000 -- words that a single command takes, or entries that it gives (Lua's unpack is bounded); even

-- 1-based rank as text, or '' for a player who is not on the board; true when the board is full.
local function rank_on(board, player)
  local rank = redis.pcall('ZREVRANK', board, player)
  if type(rank) == 'table' then
    close_full(board, rank)
    return '', true
  end
  return rank and text(rank + 1) or '', false
end

-- Adds entries where they are better than what the board has; the number of entries that changed.
local function raise(board, expire_at, ...)
  local changed = redis.pcall('ZADD', board, 'GT', 'CH', ...)
  if type(changed) == 'table' then
    close_full(board, changed, expire_at)
    return 0
  end
  return changed
end

-- Takes players off; the number that were there. A full board has no players to take off.
local function take_off(board, ...)
  local removed = redis.pcall('ZREM', board, ...)
  if type(removed) == 'table' then
    close_full(board, removed)
    return 0
  end
  return removed
end
