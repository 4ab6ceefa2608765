--- @include "shared/boards"
--- @include "shared/moderated"
--- @include "shared/numbers"
--- @include "shared/packed"
--- @include "shared/versions"

--[[ Versions of boards that games define; functions/domain/board/packed-version.ts has the same rule. In front stands `moderated`.
  raise  the sum of the first ten packed entries: 17 digits of strengths, 10 digits of inverted ticks (below `unit`, the rest is
         carried to the strengths), 8 digits of how many reach the tenth: as shared/versions
  newer  17 digits of `changes`
An empty board of a game that was never moderated has the version 0. A lost `moderated` or `changes` makes the front 0. ]]

local HALF_OF_STRENGTHS = 100000000 -- ten strengths exceed 2^53: their sum is kept in two halves of so many

-- `top` has the first ten and the next one, with scores; `board` is theirs.
local function raised_version(moderated, board, top, unit)
  local shown = math.min(TOP, #top / 2)
  if shown == 0 and moderated == '1' then
    return '0'
  end
  local high, middle, low = 0, 0, 0
  for i = 1, shown do
    local strength, inverted = unpack_score(read_number(top[2 * i]), unit)
    local upper = math.floor(strength / HALF_OF_STRENGTHS)
    high = high + upper
    middle = middle + (strength - upper * HALF_OF_STRENGTHS) -- in brackets: the sum with the whole strength would be rounded
    low = low + inverted
  end
  middle = middle + math.floor(low / unit)
  high = high + math.floor(middle / HALF_OF_STRENGTHS)
  local reached, last, next_one = shown, top[2 * shown], top[2 * shown + 2]
  if next_one and read_number(next_one) == read_number(last) then
    reached = math.min(MOST_REACHED, redis.call('ZCOUNT', board, last, '+inf'))
  end
  return ('%s%09d%08d%010d%08d'):format(moderated or '0', high, middle % HALF_OF_STRENGTHS, low % unit, reached)
end

-- `size` is that of the whole board.
local function newer_version(moderated, changes, size)
  if size == 0 and moderated == '1' then
    return '0'
  end
  local sum = size == 0 and '0' or moderated_of(changes)
  local front = sum and moderated or '0'
  local digits = sum or '0'
  return front .. ('0'):rep(17 - #digits) .. digits
end
