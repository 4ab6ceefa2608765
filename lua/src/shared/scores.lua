--- @include "shared/numbers"
--- @include "shared/packed"

--[[ What a board's scores hold: points first, then the earlier second. README.md has the argument.

  weekly score    points * 2^20 + (2^20 - 1 - seconds since the week's Monday), exact below 2^53
  all-time score  33 bits of points and 30 bits of time do not fit the 53 exact bits of a double, but they do
                  fit its 63 ordered ones: a packed score (shared/packed)

functions/domain/score.ts keeps the same rules. ]]

local MAX_POINTS = 8589934591
local WEEK_SECONDS = 604800
local TIME_UNIT = 1048576 -- 2^20: the weekly score's time part
local EPOCH = 1704067200 -- 2024-01-01T00:00:00Z, second 0 of the all-time score
local EPOCH_SECONDS = 1073741824 -- 2^30 seconds: the all-time order is exact until 2058-01-10

local function weekly_score(points, at, week_start)
  return text(points * TIME_UNIT + (TIME_UNIT - 1 - (at - week_start)))
end

local function read_weekly_score(score, week_start)
  local points = math.floor(score / TIME_UNIT)
  return points, week_start + TIME_UNIT - 1 - (score - points * TIME_UNIT)
end

local function all_time_score(points, at)
  return packed_text(pack_score(points, EPOCH_SECONDS - 1 - (at - EPOCH), EPOCH_SECONDS))
end

local function read_all_time_score(score)
  local points, inverted = unpack_score(score, EPOCH_SECONDS)
  return points, EPOCH + EPOCH_SECONDS - 1 - inverted
end

-- week_start is nil for the all-time board.
local function score_of(points, at, week_start)
  if week_start then
    return weekly_score(points, at, week_start)
  end
  return all_time_score(points, at)
end

local function read_score(score, week_start)
  if week_start then
    return read_weekly_score(read_number(score), week_start)
  end
  return read_all_time_score(read_number(score))
end
