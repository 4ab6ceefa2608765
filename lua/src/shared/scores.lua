--- @include "shared/numbers"

--[[ What a board's scores hold: points first, then the earlier second. README.md has the argument.

  weekly score    points * 2^20 + (2^20 - 1 - seconds since the week's Monday), exact below 2^53
  all-time score  33 bits of points and 30 bits of time do not fit the 53 exact bits of a double, but they do
                  fit its 63 ordered ones: the score is the double whose exponent and mantissa spell
                  points and time. See `all_time_score`.

functions/domain/score.ts keeps the same rules. ]]

local MAX_POINTS = 8589934591
local WEEK_SECONDS = 604800
local TIME_UNIT = 1048576 -- 2^20: the weekly score's time part
local EPOCH = 1704067200 -- 2024-01-01T00:00:00Z, second 0 of the all-time score
local EPOCH_SECONDS = 1073741824 -- 2^30 seconds: the all-time order is exact until 2058-01-10
local LOW_POINTS = 4194304 -- 2^22: the part of the points that shares the mantissa with the time
local MANTISSA = 4503599627370496 -- 2^52

local function weekly_score(points, at, week_start)
  return text(points * TIME_UNIT + (TIME_UNIT - 1 - (at - week_start)))
end

local function read_weekly_score(score, week_start)
  local points = math.floor(score / TIME_UNIT)
  return points, week_start + TIME_UNIT - 1 - (score - points * TIME_UNIT)
end

--[[ points (33 bits) and inverted time (30 bits) make a 63-bit number. Its upper 11 bits become the exponent,
its lower 52 the mantissa; the lower half of the exponents is mirrored into the negative doubles. Doubles are
ordered exactly as these bits are, and exponents stay within +-512, far from infinities and denormals. ]]
local function all_time_score(points, at)
  local high = math.floor(points / LOW_POINTS)
  local low = (points - high * LOW_POINTS) * EPOCH_SECONDS + (EPOCH_SECONDS - 1 - (at - EPOCH))
  local score
  if high >= 1024 then
    score = math.ldexp(MANTISSA + low, high - 1024 - 512 - 52)
  else
    score = -math.ldexp(MANTISSA + (MANTISSA - 1 - low), 1023 - high - 512 - 52)
  end
  return ('%.17g'):format(score)
end

local function read_all_time_score(score)
  local fraction, exponent = math.frexp(math.abs(score))
  local low = (fraction * 2 - 1) * MANTISSA
  local high
  if score > 0 then
    high = exponent - 1 + 512 + 1024
  else
    high = 1023 - (exponent - 1 + 512)
    low = MANTISSA - 1 - low
  end
  local low_points = math.floor(low / EPOCH_SECONDS)
  local time = low - low_points * EPOCH_SECONDS
  return high * LOW_POINTS + low_points, EPOCH + EPOCH_SECONDS - 1 - time
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
