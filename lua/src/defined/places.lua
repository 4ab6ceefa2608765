--- @include "defined/ranges"
--- @include "shared/numbers"
--- @include "shared/packed"
--- @include "shared/readable"

--[[ places, contract 3: what stands on some places.
KEYS  1 activity, 2 board or part; others are not read
ARGV  1 to 500 ranks, the first place 1
Reply 'missing' | 'full' | 'ok', board size; per rank: packed score, '' behind the last place
Writes nothing
Time  O(ranks log N) ]]

local MOST_PLACES = 500

local function places_defined(keys, args)
  if #keys < 2 or #args == 0 or #args > MOST_PLACES then
    return redis.error_reply(WRONG_READ)
  end
  for i = 1, #args do
    if (integer(args[i]) or 0) == 0 then
      return redis.error_reply(WRONG_READ)
    end
  end
  local size, refusal = size_to_read(keys[1], keys[2])
  if not size then
    return refusal
  end
  local reply = { 'ok', text(size) }
  for i = 1, #args do
    local place = args[i] - 1
    local found = redis.call('ZRANGE', keys[2], text(place), text(place), 'REV', 'WITHSCORES')
    reply[#reply + 1] = found[2] and packed_text(read_number(found[2])) or ''
  end
  return reply
end
