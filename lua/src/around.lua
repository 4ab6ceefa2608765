--- @include "shared/numbers"
--- @include "shared/ranges"

--[[ around: the player's entry and up to 2k neighbours; the window shifts at both ends of the board so that it
stays full while the board has enough entries.
KEYS  as `top`
ARGV  1 week's first second ('' = all-time), 2 player, 3 k
Reply 'missing' | 'full' | 'absent', board size | as `top`
Writes nothing
Time  O(log N + k) ]]

local function around(keys, args)
  local size, refusal, week_start = check_read(keys, args, 3)
  if not size then
    return refusal
  end
  local k, rank = integer(args[3]), redis.call('ZREVRANK', keys[2], args[2])
  if not k then
    return redis.error_reply('ERR k must be an integer')
  end
  if not rank then
    return { 'absent', text(size) }
  end
  local first = math.max(0, math.min(rank - k, size - (2 * k + 1)))
  return range_reply(keys, week_start, first, 2 * k + 1, size)
end
