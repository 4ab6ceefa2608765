--- @include "shared/numbers"
--- @include "shared/scores"
--- @include "shared/checks"

-- The arguments of `submit`: all are checked before anything is written.

local WEEK_KEYS, WEEK_ARGS, ITEM_ARGS = 3, 3, 12

-- Where an item has its arguments, counted from its first one, the submission id.
local PLAYER, POINTS, AT_MS, WEEK, BEST, BEST_AT, COUNTRY, ALL_TIME, ALL_TIME_AT, FLAGS = 1, 2, 3, 4, 5, 6, 7, 9, 10, 11

-- Flags of an item -> what is to be written.
local WRITES = {
  [''] = {},
  w = { week = true },
  a = { all_time = true },
  wa = { week = true, all_time = true },
}

local NONE = {}

local function parse_weeks(keys, args, count)
  local weeks = { nil }
  for i = 1, count do
    local key, arg = 3 + (i - 1) * WEEK_KEYS, 3 + (i - 1) * WEEK_ARGS
    local start, problem = check_week(args[arg + 2], args[arg + 3])
    if not start then
      return nil, problem or 'ERR week start and expiry must be unix times'
    end
    weeks[i] = {
      board = keys[key + 1], lease = keys[key + 3],
      label = args[arg + 1], start = start, expire_at = args[arg + 3],
    }
  end
  return weeks
end

-- The country board of this number in KEYS, where country boards come last; nil for another number.
local function country_board(keys, number, week_count)
  return number and number > 3 + week_count * WEEK_KEYS and keys[number] or nil
end

-- The boards of "9,11", or nil when a number names none.
local function country_boards(keys, numbers, week_count)
  local boards = {}
  for number in numbers:gmatch('[^,]+') do
    local board = country_board(keys, integer(number), week_count)
    if not board then
      return nil
    end
    boards[#boards + 1] = board
  end
  return boards
end

-- One look at an item's eight numbers is much cheaper than eight looks.
local ITEM_NUMBERS = '^%d+ %d+ %d+ %d+ %d+ %d+ %d+ %d+$'

-- Where they are, and what is said about one that is no number.
local NUMBER_ERRORS = {
  { WEEK, 'ERR unknown week' }, { AT_MS, OUTSIDE_WEEK }, { COUNTRY, 'ERR unknown country board' },
  { POINTS, BAD_POINTS }, { BEST, BAD_POINTS }, { ALL_TIME, BAD_POINTS },
  { BEST_AT, OUTSIDE_WEEK }, { ALL_TIME_AT, OUT_OF_RANGE },
}

local function number_error(args, first)
  for _, number in ipairs(NUMBER_ERRORS) do
    local place, problem = unpack(number)
    if not integer(args[first + place]) then
      return problem
    end
  end
end

-- The item whose arguments begin at `first`; or nil and what is wrong.
local function parse_item(keys, args, first, weeks)
  local points, at_ms, week_number, best, best_at, country_number, left_numbers, all_time, all_time_at =
    unpack(args, first + POINTS, first + ALL_TIME_AT)
  local numbers = points .. ' ' .. at_ms .. ' ' .. week_number .. ' ' .. best .. ' ' .. best_at .. ' '
    .. country_number .. ' ' .. all_time .. ' ' .. all_time_at
  if not numbers:find(ITEM_NUMBERS) then
    return nil, number_error(args, first)
  end
  local week = weeks[week_number + 0]
  if not week then
    return nil, 'ERR unknown week'
  end
  if not in_week(at_ms / 1000, week.start) then
    return nil, OUTSIDE_WEEK
  end
  local country = country_number ~= '0' and country_board(keys, country_number + 0, #weeks)
  local left = left_numbers == '' and NONE or country_boards(keys, left_numbers, #weeks)
  if (country_number ~= '0' and not country) or not left then
    return nil, 'ERR unknown country board'
  end
  local writes = WRITES[args[first + FLAGS]]
  if not writes then
    return nil, 'ERR unknown flag'
  end
  if points + 0 > MAX_POINTS or best + 0 > MAX_POINTS or all_time + 0 > MAX_POINTS then
    return nil, BAD_POINTS
  end
  if not in_week(best_at + 0, week.start) then
    return nil, OUTSIDE_WEEK
  end
  if not in_all_time(all_time_at + 0) then
    return nil, OUT_OF_RANGE
  end
  return {
    first = first, player = args[first + PLAYER], week = week, country = country, left = left, writes = writes,
    rank = '', country_rank = '', all_time_rank = '',
  }
end

-- The number of weeks; nil when one of the three is no integer.
local function check_head(now, cap, week_count)
  local complete = week_count and (now .. ' ' .. cap .. ' ' .. week_count):find('^%d+ %d+ %d+$')
  return complete and now + 0 <= MAX_EXACT and cap + 0 <= MAX_EXACT and week_count + 0 or nil
end

-- Checks every argument of a submit up to `last`, with so many items or more: its weeks and items, or nil and what is wrong.
local function parse_submit(keys, args, last, least_items)
  local week_count = check_head(args[1], args[2], args[3])
  if not week_count then
    return nil, 'ERR now, cap and weeks must be integers'
  end
  if #keys < 3 + week_count * WEEK_KEYS then
    return nil, 'ERR wrong number of keys for submit'
  end
  local weeks, weeks_error = parse_weeks(keys, args, week_count)
  if not weeks then
    return nil, weeks_error
  end
  local first = 4 + week_count * WEEK_ARGS
  local item_count = (last - first + 1) / ITEM_ARGS
  if item_count < least_items or item_count % 1 ~= 0 then
    return nil, 'ERR wrong number of arguments for submit'
  end
  local items, count = { nil }, 0
  for at = first, last, ITEM_ARGS do
    local item, problem = parse_item(keys, args, at, weeks)
    if not item then
      return nil, problem
    end
    count = count + 1
    items[count] = item
  end
  return weeks, items
end
