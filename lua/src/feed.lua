--- @include "shared/numbers"
--- @include "shared/feed"

--[[ feed: adds the events that the feed lacks (a first call that never arrived); others are left alone.
KEYS  1 activity
ARGV  1 hard cap of the feed; per event: submission, player, points, best, rank ('' = unknown), week, at (ms)
Reply 'ok' | 'missing', number of events added
Writes the feed
Time  O(LOOK_BACK + events) ]]

-- The milliseconds that a UUIDv7 spells in its first 12 digits; nil for another id.
local function ms_of_submission(id)
  local high, low = id:match('^(%x%x%x%x%x%x%x%x)%-(%x%x%x%x)%-7')
  return high and tonumber(high, 16) * 65536 + tonumber(low, 16)
end

-- Entries are gone that once were in the feed: not finding one there proves nothing. A server that does not tell is
-- believed to have all: callers ask for events that trimming by length has not reached.
local function is_trimmed(activity)
  local info, facts = redis.call('XINFO', 'STREAM', activity), {}
  for at = 1, #info, 2 do
    facts[info[at]] = info[at + 1]
  end
  local added = facts['entries-added']
  return added and added ~= facts['length']
end

-- An event is missing if it would have been seen: one older than the look reached may have been trimmed.
local function add_missing_events(activity, cap, args)
  local first = 2
  local wanted = {}
  for at = first, #args, EVENT_ARGS do
    wanted[args[at]] = true
  end
  local found, entries = look_back(activity, wanted, '-')
  local added, since = 0, 0
  if #entries > 0 and (#entries == LOOK_BACK or is_trimmed(activity)) then
    since = ms_of_entry(entries[#entries][1])
  end
  for at = first, #args, EVENT_ARGS do
    local ms = ms_of_submission(args[at])
    if not found[args[at]] and (since == 0 or not ms or ms > since + CLOCKS_MS) then
      found[args[at]] = 1
      add_event(activity, cap, '*', unpack(args, at, at + EVENT_ARGS - 1))
      added = added + 1
    end
  end
  return added
end

local function feed(keys, args)
  if not integer(args[1]) or #keys ~= 1 or (#args - 1) % EVENT_ARGS ~= 0 then
    return redis.error_reply('ERR wrong arguments for feed')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'missing', '0' }
  end
  return { 'ok', text(add_missing_events(keys[1], args[1], args)) }
end
