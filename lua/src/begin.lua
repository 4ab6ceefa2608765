--- @include "shared/numbers"

--[[ begin: takes the lease on a missing game's rebuild and says where to go on.
KEYS  1 activity, 2 lease, 3 state
ARGV  1 a fresh token, 2 lease (ms)
Reply 'ready' | 'busy' | 'begun', rebuild id, position ('' = a new rebuild: the boards are to be emptied first)
Writes lease and state
Time  O(1) ]]

local STATE_SECONDS = 86400

-- Takes the lease. One that never ends is of no one who works: a restored copy, or not even a text.
local function take_rebuild_lease(lease, token, lease_ms)
  if redis.call('SET', lease, token, 'NX', 'PX', lease_ms) then
    return true
  end
  if redis.call('PTTL', lease) == -1 then
    redis.call('SET', lease, token, 'PX', lease_ms)
    return true
  end
  return false
end

-- The rebuild that another caller left and its position; nil when there is none that can be continued.
local function left_rebuild(state)
  local found = redis.pcall('HMGET', state, 'id', 'position')
  if not found.err and found[1] and found[2] then
    return found[1], found[2]
  end
  redis.call('UNLINK', state)
  return nil
end

local function begin(keys, args)
  local token, lease_ms = args[1], integer(args[2])
  if not token or token == '' or not lease_ms or lease_ms == 0 or #keys ~= 3 then
    return redis.error_reply('ERR wrong arguments for begin')
  end
  if redis.call('EXISTS', keys[1]) == 1 then
    return { 'ready' }
  end
  if not take_rebuild_lease(keys[2], token, text(lease_ms)) then
    return { 'busy' }
  end
  local id, position = left_rebuild(keys[3])
  if id then
    return { 'begun', id, position }
  end
  redis.call('HSET', keys[3], 'id', token, 'position', '')
  redis.call('EXPIRE', keys[3], STATE_SECONDS)
  return { 'begun', token, '' }
end
