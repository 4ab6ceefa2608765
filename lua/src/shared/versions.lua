--- @include "shared/numbers"
--- @include "shared/scores"
--- @include "shared/boards"

-- The version of a top 10, by which clients and caches tell the newer of two.

local MOST_REACHED = 99999999 -- what a version has room for

--[[ The version of a top 10 is made of what it shows, so Postgres, which makes it by the same rule (domain/version.ts),
gives the same one for the same entries. Entries only get better, so the sum of points and inverted time of the first
ten only rises; players who push out others with the very same points and second are told by how many reach the last
place. In front stands `moderated`, which rises with a moderator's action that makes anything worse; '0' for a lost one.
`top` has the first ten and the next one, with scores; `board` is theirs. ]]
local function version_of(moderated, board, top, week_start)
  local shown = math.min(TOP, #top / 2)
  if shown == 0 and moderated == '1' then
    return '0'
  end
  local unit = week_start and TIME_UNIT or EPOCH_SECONDS
  local high, low = 0, 0
  for i = 1, shown do
    local points, second = read_score(top[2 * i], week_start)
    high, low = high + points, low + unit - 1 - (second - (week_start or EPOCH))
  end
  high, low = high + math.floor(low / unit), low % unit
  local reached, last, next_one = shown, top[2 * shown], top[2 * shown + 2]
  if next_one and read_number(next_one) == read_number(last) then
    reached = math.min(MOST_REACHED, redis.call('ZCOUNT', board, last, '+inf'))
  end
  return ('%s%011d%010d%08d'):format(moderated or '0', high, low, reached)
end
