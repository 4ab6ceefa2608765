--- @include "shared/numbers"
--- @include "shared/feed"
--- @include "shared/full"
--- @include "shared/moderated"

--[[ inspect: what a game's keys hold, for a comparison with Postgres; nothing is judged here.
KEYS  1 activity, 2 `moderated`; per board: board; with flag u also its push lease, distinct players, last feed entry
      counted there
ARGV  1 number of newest feed entries; per board: flags ('' or 'u'), number of players, players
Reply 'missing' | 'damaged' (a key of a wrong type, a lease that never ends)
      | 'ok', `moderated` ('0' = lost), number of submissions, the submissions of the newest feed entries;
      per board: size, estimate of distinct players ('' without flag u), per player: score or '';
      of a board that is full 'full', estimate and nothing else
Writes nothing
Time  O(players log N + feed entries) ]]

local function inspect_players(reply, board, args, first, players)
  if players == 0 then
    return true
  end
  local scores = redis.pcall('ZMSCORE', board, unpack(args, first, first + players - 1))
  if is_error(scores) then
    return false
  end
  for i = 1, players do
    reply[#reply + 1] = scores[i] or ''
  end
  return true
end

-- The estimate of distinct players; nil when a key of the week is damaged.
local function inspect_upkeep(lease, players, counted)
  local estimate, position = redis.pcall('PFCOUNT', players), redis.pcall('GET', counted)
  if is_error(estimate) or is_error(position) or redis.call('PTTL', lease) == -1 then
    return nil
  end
  return text(estimate)
end

local function inspect(keys, args)
  local newest = integer(args[1])
  if not newest or newest == 0 then
    return redis.error_reply('ERR number of feed entries must be a positive integer')
  end
  local entries = redis.pcall('XREVRANGE', keys[1], '+', '-', 'COUNT', args[1])
  if is_error(entries) then
    return { 'damaged' }
  end
  if #entries == 0 and redis.call('EXISTS', keys[1]) == 0 then
    return { 'missing' }
  end
  local reply = { 'ok', moderated_of(keys[2]) or '0', text(#entries) }
  for _, entry in ipairs(entries) do
    reply[#reply + 1] = entry[2][SUBMISSION_FIELD] or ''
  end
  local key, at = 3, 2
  while at <= #args do
    local flags, players = args[at], integer(args[at + 1])
    if not players or not keys[key] or #args < at + 1 + players or (flags == 'u' and not keys[key + 3]) then
      return redis.error_reply('ERR wrong arguments for inspect')
    end
    local board, size, estimate = keys[key], redis.pcall('ZCARD', keys[key]), ''
    local full = is_error(size) and is_closed(board)
    key = key + 1
    if flags == 'u' then
      estimate = inspect_upkeep(keys[key], keys[key + 1], keys[key + 2])
      key = key + 3
    end
    if (is_error(size) and not full) or not estimate then
      return { 'damaged' }
    end
    reply[#reply + 1], reply[#reply + 2] = full and FULL or text(size), estimate
    if not full and not inspect_players(reply, board, args, at + 2, players) then
      return { 'damaged' }
    end
    at = at + 2 + players
  end
  return reply
end
