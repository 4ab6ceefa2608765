--- @include "defined/ranges"
--- @include "shared/numbers"
--- @include "shared/packed"
--- @include "shared/readable"

--[[ place, contract 3: where a result would stand.
KEYS  1 activity, 2 board or part; others are not read
ARGV  1 packed score of the result as if it were achieved last (inverted time 0), 2 bits of the score's time
Reply 'missing' | 'full' | 'ok', board size, entries that are ahead or equal, entries with more strength
Writes nothing
Time  O(log N) ]]

local function place_defined(keys, args)
  local score, unit = packed_number(args[1]), TIME_UNITS[args[2]]
  if #keys < 2 or #args ~= 2 or not score or not unit then
    return redis.error_reply(WRONG_READ)
  end
  local size, refusal = size_to_read(keys[1], keys[2])
  if not size then
    return refusal
  end
  local strength = unpack_score(score, unit)
  local earliest = packed_text(pack_score(strength, unit - 1, unit))
  local reached = redis.call('ZCOUNT', keys[2], args[1], '+inf')
  local stronger = redis.call('ZCOUNT', keys[2], '(' .. earliest, '+inf')
  return { 'ok', text(size), text(reached), text(stronger) }
end
