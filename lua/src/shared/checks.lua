--- @include "shared/numbers"
--- @include "shared/scores"

-- What an argument must be, and what is said about one that is not. A check answers with the value or with a problem.

local BAD_POINTS = 'ERR points must be a non-negative integer'
local OUTSIDE_WEEK = 'ERR timestamp outside this week'
local OUT_OF_RANGE = 'ERR timestamp out of range'

local function in_points(points)
  return points and points <= MAX_POINTS
end

local function in_week(at, week_start)
  return at and at >= week_start and at < week_start + WEEK_SECONDS
end

local function in_all_time(at)
  return at and at >= EPOCH and at < EPOCH + EPOCH_SECONDS
end

local function check_points(value)
  local points = integer(value)
  if not in_points(points) then
    return nil, BAD_POINTS
  end
  return points, nil
end

-- A unix second: of the week, or of the all-time board (week_start is nil).
local function check_time(value, week_start)
  local at = integer(value)
  if week_start and not in_week(at, week_start) then
    return nil, OUTSIDE_WEEK
  end
  if not week_start and not in_all_time(at) then
    return nil, OUT_OF_RANGE
  end
  return at, nil
end

-- '' names the all-time board; anything else is the week's first second.
local function check_week_start(value)
  if value == '' then
    return nil, nil
  end
  local week_start = integer(value)
  if not week_start then
    return nil, 'ERR week start must be a unix time'
  end
  return week_start, nil
end

local last_start, last_expiry, last_week_start

-- Every weekly key expires, the all-time board never does: both are given or both are ''. Nearly every call is about
-- the week that the call before was about, so that one is remembered.
local function check_week(start, expire_at)
  if start == '' and expire_at == '' then
    return nil, nil
  end
  if start == last_start and expire_at == last_expiry then
    return last_week_start, nil
  end
  local week_start, expiry = integer(start), integer(expire_at)
  if not week_start or not expiry or expiry < week_start + WEEK_SECONDS then
    return nil, 'ERR week start and expiry must be unix times'
  end
  last_start, last_expiry, last_week_start = start, expire_at, week_start
  return week_start, nil
end
