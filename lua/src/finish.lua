--- @include "shared/numbers"
--- @include "shared/feed"
--- @include "shared/moderated"
--- @include "shared/rebuilds"

--[[ finish: declares a game complete by creating its feed and the badge group; the last step of a rebuild.
KEYS  1 activity, 2 lease, 3 state, 4 `moderated`
ARGV  1 token, 2 rebuild id, 3 `moderated` as Postgres has it, 4 hard cap, 5 group, 6 '';
      per event, oldest first: submission, player, points, best, rank, week, at (ms)
Reply 'opened' | 'lost' (the lease or the rebuild: nothing was done)
Writes `moderated`, the feed with its group; removes lease and state
Time  O(events) ]]

--[[ Creates the feed with its first events, and the badge group, which reads it from the start. The ids are a little
ahead of the clock: a first call that was on its way meanwhile gets an id by which it knows that it is late, and looks
whether its event is here. ]]
local function create_feed(activity, group, cap, args, first)
  redis.call('XGROUP', 'CREATE', activity, group, '0', 'MKSTREAM')
  local clock = redis.call('TIME')
  local id = text(clock[1] * 1000 + LATE_MS + CLOCKS_MS) .. '-'
  for at = first, #args, EVENT_ARGS do
    add_event(activity, cap, id .. text(at), unpack(args, at, at + EVENT_ARGS - 1))
  end
end

local function finish(keys, args)
  local versions = #keys - 3
  if versions < 0 or not integer(args[3]) or not integer(args[4]) or #args < 5 + versions
    or (#args - 5 - versions) % EVENT_ARGS ~= 0 then
    return redis.error_reply('ERR wrong arguments for finish')
  end
  for i = 1, versions do
    if args[5 + i] ~= '' and (integer(args[5 + i]) or 0) == 0 then
      return redis.error_reply('ERR expiry must be a unix time')
    end
  end
  if redis.call('EXISTS', keys[1]) == 1 or not holds_rebuild(keys[2], keys[3], args[1], args[2]) then
    return { 'lost' }
  end
  for i = 1, versions do
    raise_moderated(keys[3 + i], args[3])
  end
  create_feed(keys[1], args[5], args[4], args, 6 + versions)
  redis.call('DEL', keys[2], keys[3])
  return { 'opened' }
end
