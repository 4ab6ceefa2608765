--- @include "shared/boards"
--- @include "shared/ranges"

--[[ push: ends the push lease and reads the newest top 10, in one step: a call that changes the top 10 later gets a
lease of their own, so the last state is always pushed.
KEYS  1 activity, 2 board, 3 `moderated`, 4 lease
ARGV  1 week's first second
Reply as `top`
Writes removes the lease
Time  O(log N) ]]

local function push(keys, args)
  local lease = table.remove(keys, 4)
  local size, refusal, week_start = check_read(keys, args, 1)
  if not lease or (refusal and refusal.err) then
    return refusal or redis.error_reply('ERR wrong arguments for a read')
  end
  redis.call('DEL', lease)
  if not size then
    return refusal
  end
  return range_reply(keys, week_start, 0, TOP, size)
end
