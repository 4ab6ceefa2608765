--- @include "shared/numbers"
--- @include "shared/full"

-- The feed: the stream `activity`, an event for each submission. Only `finish` creates it.

local LATE_MS = 500 -- a missing feed event is added for another request's submission no sooner than this after it
local LOOK_BACK = 3000 -- feed entries that such a look reads, a batch's own thousand among them
local CLOCKS_MS = 1000 -- the clocks of Postgres and Redis differ by less
local SUBMISSION_FIELD, PLAYER_FIELD, WEEK_FIELD = 2, 4, 12 -- places in a feed entry, see add_event
local EVENT_ARGS = 7

local function ms_of_entry(id)
  return id:match('^%d+') + 0
end

--[[ The submissions among the keys of `wanted` that the feed holds from the id `from` on: {id = number of entries},
and the entries that were looked at, newest first. ]]
local function look_back(activity, wanted, from)
  local found, entries = {}, redis.call('XREVRANGE', activity, '+', from, 'COUNT', LOOK_BACK)
  for _, entry in ipairs(entries) do
    local id = entry[2][SUBMISSION_FIELD]
    if wanted[id] then
      found[id] = (found[id] or 0) + 1
    end
  end
  return found, entries
end

local function append(call, activity, cap, id, submission, player, points, best, rank, week, at_ms)
  return call('XADD', activity, 'NOMKSTREAM', 'MAXLEN', '~', cap, id, 'submission', submission,
    'player', player, 'points', points, 'best', best, 'rank', rank, 'week', week, 'at', at_ms)
end

-- The new entry's id; nil or false when there is no feed. A feed that fills its key below the cap loses its older half.
local function add_event(activity, ...)
  local added = append(redis.pcall, activity, ...)
  if type(added) == 'table' then
    if is_too_large(added) then
      redis.call('XTRIM', activity, 'MAXLEN', text(math.floor(redis.call('XLEN', activity) / 2)))
    end
    added = append(redis.call, activity, ...)
  end
  return added
end
