--- @include "shared/numbers"
--- @include "shared/boards"
--- @include "shared/full"
--- @include "shared/feed"

--[[ count: how many players a board has. Submissions do not count distinct players, which would be a command of each: a
rebuild and reconciling do, and this does for what came since.
KEYS  1 activity, 2 board; weekly boards only: 3 distinct players of the week, 4 last feed entry that was counted there
ARGV  weekly boards only: 1 week, 2 expiry (unix seconds)
Reply 'missing' | 'full' | 'ok', HyperLogLog estimate ('' without KEYS 3), exact board size, '1' if there is more to
      count or ''
Writes the distinct players, and the entry up to which they were counted
Time  O(CHUNK) ]]

-- Counts the week's players of the next feed entries that were not counted yet; true when there are more.
local function count_feed(activity, players, position, week, expire_at)
  local from = redis.call('GET', position)
  if from and not from:find('^%d+%-%d+$') then
    from = nil -- no position of ours: counted from the start, which counts no player twice
  end
  local entries = redis.call('XRANGE', activity, from and '(' .. from or '-', '+', 'COUNT', CHUNK)
  if #entries == 0 then
    return false
  end
  local found = {}
  for _, entry in ipairs(entries) do
    local fields = entry[2]
    if fields[WEEK_FIELD] == week then
      found[#found + 1] = fields[PLAYER_FIELD]
    end
  end
  if #found > 0 and redis.call('PFADD', players, unpack(found)) == 1 then
    redis.call('EXPIREAT', players, expire_at)
  end
  redis.call('SET', position, entries[#entries][1], 'EXAT', expire_at)
  return #entries == CHUNK
end

local function count(keys, args)
  if not ((#keys == 2 and #args == 0) or (#keys == 4 and #args == 2 and (integer(args[2]) or 0) > 0)) then
    return redis.error_reply('ERR wrong arguments for a read')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'missing' }
  end
  local size, estimate, more = redis.pcall('ZCARD', keys[2]), '', false
  if is_error(size) then
    close_full(keys[2], size)
    return { FULL }
  end
  if keys[3] then
    -- Of a week without players, nothing is looked for and nothing written.
    more = size > 0 and count_feed(keys[1], keys[3], keys[4], args[1], args[2])
    estimate = text(redis.call('PFCOUNT', keys[3]))
  end
  return { 'ok', estimate, text(size), more and '1' or '' }
end
