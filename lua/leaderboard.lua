#!lua name=leaderboard_v2
--[[
The ranking engine: every board of one game, changed and read in single atomic calls.

Reading order: encoding -> checks -> helpers -> submit -> feed -> rebuild and reconcile (begin, page, finish, fill) ->
correct -> reads (top, around, count) -> upkeep (push, trim, idle) -> damage (inspect, condemn) -> registration.

Boards are sorted sets whose member is the player id. Redis breaks equal scores by member bytes, which a
reversed range turns into "id descending": the last rule of the order.

  weekly score    points * 2^20 + (2^20 - 1 - seconds since the week's Monday), exact below 2^53
  all-time score  33 bits of points and 30 bits of time do not fit the 53 exact bits of a double, but they do
                  fit its 63 ordered ones: the score is the double whose exponent and mantissa spell
                  points and time. See `all_time_score`.

Conventions
  * Every key arrives in KEYS and all keys of a call share the game's hash tag.
  * ARGV are decimal strings. Times and ids are arguments; nothing here reads a clock.
  * A call checks everything first and writes last, because Redis does not undo a failed function.
  * Replies are flat arrays of strings; the first item is a status word.
  * `cold` means that the activity stream does not exist: Redis is new or has lost this game. The stream is
    created by `finish` only, the last step of a rebuild, so "warm" proves that the boards are complete.
  * Lua prints numbers with 14 digits. Numbers leave this file through `text` or `all_time_score` only.
  * Interpreters differ (README.md): texts become numbers by `number`, `integer` or `+ 0`; no null is compared with false; and
    a function that may answer with a problem always returns both values; `x = x or f()` is written with another name.
  * A submission is what costs, so its way is written for few steps of Lua: strings by their methods (a global like
    `string` takes two look-ups), digits into numbers by `+ 0` (tonumber converts twice), tables made in their size.
]]

-- The loader puts {'allow-key-locking'} here for Upstash; Redis 7 does not know that flag.
local LOCKING = {}

local RELEASE = 2
local MAX_POINTS = 8589934591
local WEEK_SECONDS = 604800
local TIME_UNIT = 1048576 -- 2^20: the weekly score's time part
local MAX_EXACT = 9007199254740991 -- 2^53 - 1: above it a double skips integers
local EPOCH = 1704067200 -- 2024-01-01T00:00:00Z, second 0 of the all-time score
local EPOCH_SECONDS = 1073741824 -- 2^30 seconds: the all-time order is exact until 2058-01-10
local LOW_POINTS = 4194304 -- 2^22: the part of the points that shares the mantissa with the time
local MANTISSA = 4503599627370496 -- 2^52
local TOP = 10
local LATE_MS = 500 -- nobody adds a missing feed event on a submission's behalf sooner than this after it
local LOOK_BACK = 3000 -- feed entries that such a look reads, a batch's own thousand among them
local CLOCKS_MS = 1000 -- the clocks of Postgres and Redis differ by less
local CHUNK = 1000 -- entries that a single command takes or gives (Lua's unpack is bounded)
local LEASE_MS = 1000 -- a push lease ends by itself when its holder died
local MOST_REACHED = 99999999 -- what a version has room for
local SUBMISSION_FIELD, PLAYER_FIELD, WEEK_FIELD = 2, 4, 12 -- places in a feed entry, see add_event

-- ---------------------------------------------------------------- encoding

--[[ The number that a text spells, or nil; every number that Redis or a caller printed is read here. Some interpreters
take a text without a point for a 64-bit integer and know no exponent in it: those read it with a point. ]]
local function number(spelled)
  return tonumber(spelled) or tonumber((spelled:gsub('^%-?%d+', '%0.0', 1)))
end

-- `%d` is exact up to 2^53 and takes half as long as `%.0f`.
local function text(n)
  return ('%d'):format(n)
end

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
    return read_weekly_score(number(score), week_start)
  end
  return read_all_time_score(number(score))
end

-- ---------------------------------------------------------------- checks

local BAD_POINTS = 'ERR points must be a non-negative integer'
local OUTSIDE_WEEK = 'ERR timestamp outside this week'
local OUT_OF_RANGE = 'ERR timestamp out of range'

-- A plain decimal integer as a number, or nil: no sign, spaces, exponent, hex, nan or inf.
local function integer(value)
  if value and #value <= 16 and value:find('^%d+$') then
    local number = value + 0
    return number <= MAX_EXACT and number or nil
  end
  return nil
end

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

-- ---------------------------------------------------------------- helpers

-- When a moderator last took something off the game's boards, as Postgres says; nil when the key is lost or no string.
local function moderated_of(key)
  local value = redis.pcall('GET', key)
  return type(value) == 'string' and integer(value) and value or nil
end

-- Notes what Postgres says, unless it is older than what is known. With `down` something gets worse now: then it rises
-- in any case. Returns what holds afterwards.
local function raise_moderated(key, value, down)
  local known = moderated_of(key)
  if known and number(known) >= number(value) then
    if not down then
      return known
    end
    value = text(number(known) + 1)
  end
  redis.call('SET', key, value)
  return value
end

-- 1-based rank as text, or '' for a player who is not on the board.
local function rank_on(board, player)
  local rank = redis.call('ZREVRANK', board, player)
  return rank and text(rank + 1) or ''
end

-- Adds the entry if it is better than what the board has; true when the board changed.
local function raise(board, score, player)
  return redis.call('ZADD', board, 'GT', 'CH', score, player) == 1
end

-- The milliseconds that a UUIDv7 spells in its first 12 digits; nil for another id.
local function ms_of_submission(id)
  local high, low = id:match('^(%x%x%x%x%x%x%x%x)%-(%x%x%x%x)%-7')
  return high and tonumber(high, 16) * 65536 + tonumber(low, 16)
end

local function ms_of_entry(id)
  return id:match('^%d+') + 0
end

-- Entries are gone that once were in the feed: not finding one there proves nothing.
local function is_trimmed(activity)
  local info, facts = redis.call('XINFO', 'STREAM', activity), {}
  for at = 1, #info, 2 do
    facts[info[at]] = info[at + 1]
  end
  return facts['entries-added'] ~= facts['length']
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

local function add_event(activity, cap, id, submission, player, points, best, rank, week, at_ms)
  return redis.call('XADD', activity, 'NOMKSTREAM', 'MAXLEN', '~', cap, id, 'submission', submission,
    'player', player, 'points', points, 'best', best, 'rank', rank, 'week', week, 'at', at_ms)
end

-- ---------------------------------------------------------------- submit

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

-- Checks every argument of a submit: its weeks and items, or nil and what is wrong.
local function parse_submit(keys, args)
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
  if #args < first or (#args - first + 1) % ITEM_ARGS ~= 0 then
    return nil, 'ERR wrong number of arguments for submit'
  end
  local items, count = { nil }, 0
  for at = first, #args, ITEM_ARGS do
    local item, problem = parse_item(keys, args, at, weeks)
    if not item then
      return nil, problem
    end
    count = count + 1
    items[count] = item
  end
  return weeks, items
end

local function write_item(item, args, all_time_board)
  local week, player, writes, first = item.week, item.player, item.writes, item.first
  if writes.week then
    local score = weekly_score(args[first + BEST], args[first + BEST_AT], week.start)
    if raise(week.board, score, player) then
      item.improved = true
    end
    for i = 1, #item.left do
      redis.call('ZREM', item.left[i], player)
    end
    if item.country then
      raise(item.country, score, player)
    end
  end
  if writes.all_time then
    local score = all_time_score(args[first + ALL_TIME], args[first + ALL_TIME_AT])
    raise(all_time_board, score, player)
  end
end

local function write_items(items, args, all_time_board)
  for i = 1, #items do
    write_item(items[i], args, all_time_board)
  end
end

-- If this call created a board, then one of its items is the first there; asking Redis would cost a command.
local function keep_expiries(items)
  for i = 1, #items do
    local item = items[i]
    if item.writes.week then
      if item.rank == '1' then
        redis.call('EXPIREAT', item.week.board, item.week.expire_at)
      end
      if item.country_rank == '1' then
        redis.call('EXPIREAT', item.country, item.week.expire_at)
      end
    end
  end
end

-- Reads the ranks after the writes. Returns the items whose player Postgres believes to be on a board that has lost
-- them, or nil.
local function place_items(items, all_time_board)
  local lost
  for i = 1, #items do
    local item = items[i]
    local player = item.player
    item.rank = rank_on(item.week.board, player)
    item.country_rank = item.country and rank_on(item.country, player) or ''
    item.all_time_rank = rank_on(all_time_board, player)
    if item.rank == '' or item.all_time_rank == '' or (item.country and item.country_rank == '') then
      lost = lost or {}
      lost[#lost + 1] = item
    end
  end
  return lost
end

-- True when a board lacked a player whose entry was proven to be there.
local function write_and_place(items, args, all_time_board)
  write_items(items, args, all_time_board)
  local lost, proven = place_items(items, all_time_board), false
  if lost then
    for i = 1, #lost do
      proven = proven or lost[i].writes == WRITES['']
      lost[i].writes = WRITES.wa
    end
    write_items(lost, args, all_time_board)
    place_items(items, all_time_board)
  end
  keep_expiries(items)
  return proven
end

--[[ A slow first call may come after its events were added on its behalf (`feed`, a rebuild): then its own are taken
back. The look begins where the first such event can be, so that calls that are a little late in a busy time do not make
each other later. ]]
local function take_back_doubles(items, args, activity, first_ms)
  local added = {}
  for i = 1, #items do
    added[args[items[i].first]] = items[i].event
  end
  for submission, entries in pairs(look_back(activity, added, text(first_ms))) do
    if entries > 1 then
      redis.call('XDEL', activity, added[submission])
    end
  end
end

-- Adds the feed events; true when the game is warm. An event's id tells Redis' time without another command.
local function record(items, args, activity)
  local cap, warm, newest = args[2], nil, nil
  for i = 1, #items do
    local item = items[i]
    local first = item.first
    if args[first] ~= '' then
      local event = add_event(activity, cap, '*', args[first], item.player, args[first + POINTS], args[first + BEST],
        item.rank, item.week.label, args[first + AT_MS])
      warm = event and true or false
      item.event, newest = event, event
    elseif warm == nil then
      warm = redis.call('EXISTS', activity) == 1
    end
  end
  local late_ms = args[1] / 1000 + LATE_MS
  if newest and ms_of_entry(newest) >= late_ms then
    take_back_doubles(items, args, activity, math.floor(late_ms))
  end
  return warm
end

-- Notes which weeks' top 10s changed and, on a warm game, tells who came into them.
local function announce(items, warm)
  for i = 1, #items do
    local item = items[i]
    if item.improved and item.rank + 0 <= TOP then
      item.week.changed = true
      if warm then
        redis.call('PUBLISH', item.week.board .. ':top10', item.player .. ' is now #' .. item.rank)
      end
    end
  end
end

-- '1' if the caller now holds the push lease of a week whose top 10 changed, or ''.
local function take_lease(week)
  return week.changed and redis.call('SET', week.lease, '1', 'NX', 'PX', LEASE_MS) and '1' or ''
end

--[[ submit: applies submissions that Postgres has committed, and says where they stand.
KEYS  1 activity, 2 all-time board, 3 not used; per week: board, not used, lease; country boards
ARGV  1 now in microseconds (the database's clock), 2 hard cap of the feed, 3 number of weeks W;
      per week: label, first second, expiry (unix seconds);
      per item: submission id ('' = a replay: no feed event), player, points, submitted at (ms), week number 1..W,
        best of the week, its second, KEYS number of the country board (0 = none), KEYS numbers of the country
        boards the player left this week ("9,11" or ''), all-time best, its second,
        flags, in this order: w = write week and country, a = write all-time
Reply 'ranked' | 'cold'; per week: '', '1' if the top 10 changed and the caller holds the push lease or '';
      per item: rank, country rank ('' = none), all-time rank; at the end 'damaged' if a board lacked a proven entry
Time  O(log N) a command; five commands an item that changes nothing, eight for a best (the call included; README.md
      has the table) ]]
local function submit(keys, args)
  local weeks, items = parse_submit(keys, args)
  if not weeks then
    return redis.error_reply(items)
  end
  local activity, all_time_board = keys[1], keys[2]
  local damaged = write_and_place(items, args, all_time_board)
  local warm = record(items, args, activity)
  announce(items, warm)

  local reply, n = { warm and 'ranked' or 'cold', nil, nil, nil, nil, nil }, 1 -- room for one item's
  for i = 1, #weeks do
    reply[n + 1], reply[n + 2] = '', take_lease(weeks[i])
    n = n + 2
  end
  for i = 1, #items do
    local item = items[i]
    reply[n + 1], reply[n + 2], reply[n + 3] = item.rank, item.country_rank, item.all_time_rank
    n = n + 3
  end
  if damaged then
    reply[n + 1] = 'damaged'
  end
  return reply
end

-- ---------------------------------------------------------------- feed

local EVENT_ARGS = 7

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

--[[ feed: adds the events that the feed lacks (a first call that never arrived); others are left alone.
KEYS  1 activity
ARGV  1 hard cap of the feed; per event: submission, player, points, best, rank ('' = unknown), week, at (ms)
Reply 'ok' | 'cold', number of events added
Time  O(LOOK_BACK + events) ]]
local function feed(keys, args)
  if not integer(args[1]) or #keys ~= 1 or (#args - 1) % EVENT_ARGS ~= 0 then
    return redis.error_reply('ERR wrong arguments for feed')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'cold', '0' }
  end
  return { 'ok', text(add_missing_events(keys[1], args[1], args)) }
end

-- ---------------------------------------------------------------- rebuild, reconcile

--[[ Boards to fill, as `fill` and `page` take them.
KEYS  per board: the board; its distinct players if the flags have p; `moderated` and its push lease if they have t;
      flag d empties both first (the flags come in the order dpt)
ARGV  per board: week's first second, expiry (both '' = all-time), flags, number of entries, number of players to take
      off; per entry: score, player; per player to take off: player
Scores come packed, unlike anywhere else: unpacking numbers here took most of a rebuild's time. ]]
local function parse_fill(keys, args, key, at)
  local boards = {}
  while at <= #args do
    local _, problem = check_week(args[at], args[at + 1])
    local flags, entries, leavers = args[at + 2], integer(args[at + 3]), integer(args[at + 4])
    local complete = entries and leavers and #args >= at + 4 + 2 * entries + leavers
    if problem or not complete or not flags:find('^d?p?t?$') then
      return nil, problem or 'ERR wrong arguments for a fill'
    end
    local board = { key = keys[key], expire_at = args[at + 1], first = at + 5, entries = entries, leavers = leavers }
    board.clear = flags:find('d', 1, true)
    key = key + 1
    if flags:find('p', 1, true) then
      board.distinct, key = keys[key], key + 1
    end
    if flags:find('t', 1, true) then
      board.moderated, board.lease, key = keys[key], keys[key + 1], key + 2
    end
    at = at + 5 + 2 * entries
    for i = board.first, at - 1, 2 do
      if not number(args[i]) then
        return nil, 'ERR score must be a number'
      end
    end
    at = at + leavers
    boards[#boards + 1] = board
  end
  if key ~= #keys + 1 then
    return nil, 'ERR wrong number of keys for a fill'
  end
  return boards
end

local function add_distinct(key, args, first, last)
  local players = {}
  for at = first + 1, last, 2 do
    players[#players + 1] = args[at]
  end
  redis.call('PFADD', key, unpack(players))
end

-- Returns how many entries were new, raised or taken off.
local function fill_board(board, args)
  local changed = 0
  if board.clear then
    redis.call('UNLINK', board.key)
    if board.distinct then
      redis.call('UNLINK', board.distinct)
    end
  end
  local past = board.first + 2 * board.entries
  for at = board.first, past - 1, 2 * CHUNK do
    local last = math.min(at + 2 * CHUNK, past) - 1
    changed = changed + redis.call('ZADD', board.key, 'GT', 'CH', unpack(args, at, last))
    if board.distinct then
      add_distinct(board.distinct, args, at, last)
    end
  end
  for at = past, past + board.leavers - 1, CHUNK do
    local last = math.min(at + CHUNK, past + board.leavers) - 1
    changed = changed + redis.call('ZREM', board.key, unpack(args, at, last))
  end
  if board.expire_at ~= '' and board.entries > 0 then
    redis.call('EXPIREAT', board.key, board.expire_at)
    if board.distinct then
      redis.call('EXPIREAT', board.distinct, board.expire_at)
    end
  end
  return changed
end

-- True when both have the same entries in the same order.
local function same_entries(a, b)
  if #a ~= #b then
    return false
  end
  for i = 1, #a do
    if a[i] ~= b[i] then
      return false
    end
  end
  return true
end

--[[ fill: brings boards up to what Postgres says; what a board has better stays. Reconciling calls it.
KEYS, ARGV  1 `moderated` as Postgres has it; boards as above, those with flag t announce a changed top 10
Reply 'ok', entries changed, per board: '1' if the caller holds the push lease or ''
Time  O(n log N) ]]
local function fill(keys, args)
  local moderated = args[1]
  if not integer(moderated) then
    return redis.error_reply('ERR moderated must be an integer')
  end
  local boards, problem = parse_fill(keys, args, 1, 2)
  if not boards then
    return redis.error_reply(problem)
  end
  local changed, granted = 0, {}
  for i, board in ipairs(boards) do
    local live = board.moderated
    local before = live and redis.call('ZRANGE', board.key, 0, TOP - 1, 'REV', 'WITHSCORES')
    changed = changed + fill_board(board, args)
    granted[i] = ''
    if live then
      raise_moderated(board.moderated, moderated)
    end
    if live and board.expire_at ~= ''
      and not same_entries(before, redis.call('ZRANGE', board.key, 0, TOP - 1, 'REV', 'WITHSCORES'))
      and redis.call('SET', board.lease, '1', 'NX', 'PX', LEASE_MS) then
      granted[i] = '1'
    end
  end
  return { 'ok', text(changed), unpack(granted) }
end

local STATE_SECONDS = 86400

-- A run is alive while its state is (a lost Redis loses it too) and its holder while the lease is.
local function holds_run(lease, state, token, run)
  return redis.call('GET', lease) == token and redis.call('HGET', state, 'run') == run
end

-- Takes the lease. One that never ends is of no one who works: a restored copy, or not even a text.
local function take_rebuild_lease(lease, token, lease_ms)
  if redis.call('SET', lease, token, 'NX', 'PX', lease_ms) then
    return true
  end
  if redis.call('PTTL', lease) == -1 then
    redis.call('SET', lease, token, 'PX', lease_ms)
    return true
  end
  return false
end

-- The run that somebody left and its position; nil when there is none that can be continued.
local function left_run(state)
  local found = redis.pcall('HMGET', state, 'run', 'position')
  if not found.err and found[1] and found[2] then
    return found[1], found[2]
  end
  redis.call('UNLINK', state)
  return nil
end

--[[ begin: takes the lease on a cold game's rebuild and says where to go on.
KEYS  1 activity, 2 lease, 3 state
ARGV  1 a fresh token, 2 lease (ms)
Reply 'warm' | 'busy' | 'begun', run, position ('' = a new run: the boards are to be emptied first)
Time  O(1) ]]
local function begin(keys, args)
  local token, lease_ms = args[1], integer(args[2])
  if not token or token == '' or not lease_ms or lease_ms == 0 or #keys ~= 3 then
    return redis.error_reply('ERR wrong arguments for begin')
  end
  if redis.call('EXISTS', keys[1]) == 1 then
    return { 'warm' }
  end
  if not take_rebuild_lease(keys[2], token, text(lease_ms)) then
    return { 'busy' }
  end
  local run, position = left_run(keys[3])
  if run then
    return { 'begun', run, position }
  end
  redis.call('HSET', keys[3], 'run', token, 'position', '')
  redis.call('EXPIRE', keys[3], STATE_SECONDS)
  return { 'begun', token, '' }
end

--[[ page: fills boards within a run, notes how far it is and renews the lease, all or nothing.
KEYS  1 lease, 2 state; boards as `fill`
ARGV  1 token, 2 run, 3 lease (ms; a short one gives it up), 4 position after this page; boards as `fill`
Reply 'ok', entries changed | 'lost' (the lease or the run: nothing was done)
Time  O(n log N) ]]
local function fill_page(keys, args)
  local lease_ms = integer(args[3])
  if not lease_ms or lease_ms == 0 or not args[4] or #keys < 2 then
    return redis.error_reply('ERR wrong arguments for page')
  end
  local boards, problem = parse_fill(keys, args, 3, 5)
  if not boards then
    return redis.error_reply(problem)
  end
  if not holds_run(keys[1], keys[2], args[1], args[2]) then
    return { 'lost' }
  end
  local changed = 0
  for _, board in ipairs(boards) do
    changed = changed + fill_board(board, args)
  end
  redis.call('HSET', keys[2], 'position', args[4])
  redis.call('PEXPIRE', keys[1], text(lease_ms))
  return { 'ok', text(changed) }
end

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

--[[ finish: declares a game complete by creating its feed and the badge group; the last step of a run.
KEYS  1 activity, 2 lease, 3 state, 4 `moderated`
ARGV  1 token, 2 run, 3 `moderated` as Postgres has it, 4 hard cap, 5 group, 6 '';
      per event, oldest first: submission, player, points, best, rank, week, at (ms)
Reply 'opened' | 'lost' (the lease or the run: nothing was done)
Time  O(events) ]]
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
  if redis.call('EXISTS', keys[1]) == 1 or not holds_run(keys[2], keys[3], args[1], args[2]) then
    return { 'lost' }
  end
  for i = 1, versions do
    raise_moderated(keys[3 + i], args[3])
  end
  create_feed(keys[1], args[5], args[4], args, 6 + versions)
  redis.call('DEL', keys[2], keys[3])
  return { 'opened' }
end

-- ---------------------------------------------------------------- correct

-- Removes one submission's feed event, or all of a player's ('forget'); by pages, since a feed can be long.
local function remove_events(activity, events, player)
  local from = '-'
  repeat
    local page = redis.call('XRANGE', activity, from, '+', 'COUNT', CHUNK)
    local ids = {}
    for _, entry in ipairs(page) do
      local fields = entry[2]
      if (events == 'forget' and fields[PLAYER_FIELD] == player) or fields[SUBMISSION_FIELD] == events then
        ids[#ids + 1] = entry[1]
      end
      from = '(' .. entry[1]
    end
    if #ids > 0 then
      redis.call('XDEL', activity, unpack(ids))
    end
  until #page < CHUNK
end

-- Whether the player's entry on the board would get worse or go.
local function goes_down(board, player)
  local held = redis.call('ZSCORE', board.key, player)
  return held and (not board.score or number(board.score) < number(held))
end

-- Writes the player's entry; true if the caller now holds the push lease.
local function correct_board(board, player)
  local key = board.key
  local before, changed = redis.call('ZREVRANK', key, player), false
  if board.score then
    changed = redis.call('ZADD', key, 'CH', board.score, player) == 1
    if board.expire_at ~= '' then
      redis.call('EXPIREAT', key, board.expire_at)
    end
  elseif before then
    changed = redis.call('ZREM', key, player) == 1
  end
  local after = redis.call('ZREVRANK', key, player)
  local shown = (before and before < TOP) or (after and after < TOP)
  return changed and shown and board.live and board.expire_at ~= ''
    and redis.call('SET', board.lease, '1', 'NX', 'PX', LEASE_MS)
end

--[[ correct: makes a player's entries exactly what Postgres says, lower or gone included (moderation, repair).
KEYS  1 activity; per board: board, `moderated`, lease ('' never: the all-time board passes `moderated` twice)
ARGV  1 player, 2 `moderated` as Postgres had it with this correction, 3 'forget' = remove the player's feed events,
      else the submission id to remove or '';
      per board: week's first second, expiry (both '' = all-time), points ('' = remove), second,
      'top' if the board has a live top 10, else ''
Reply 'ok', per board: '1' if the caller holds the push lease or '', and then what `moderated` is now: later than what
      Postgres had if an entry got worse that was shown with the same one; Postgres has to follow
Time  O(boards log N + feed when events are removed) ]]
local function correct(keys, args)
  local player, moderated, events = args[1], args[2], args[3]
  if not integer(moderated) or (#args - 3) % 5 ~= 0 or #keys ~= 1 + 3 * (#args - 3) / 5 then
    return redis.error_reply('ERR wrong arguments for correct')
  end
  local boards = {}
  for at = 4, #args, 5 do
    local week_start, problem = check_week(args[at], args[at + 1])
    local place = 3 * #boards + 1
    local board = {
      key = keys[place + 1], moderated = keys[place + 2], lease = keys[place + 3],
      expire_at = args[at + 1], live = args[at + 4] == 'top',
    }
    if args[at + 2] ~= '' then
      local points, points_error = check_points(args[at + 2])
      local second, time_error = check_time(args[at + 3], week_start)
      problem = problem or points_error or time_error
      board.score = not problem and score_of(points, second, week_start)
    end
    if problem then
      return redis.error_reply(problem)
    end
    boards[#boards + 1] = board
  end

  local reply, down, key = { 'ok' }, false, nil
  for _, board in ipairs(boards) do
    if board.live then
      local worse = goes_down(board, player)
      down, key = down or worse, board.moderated
    end
    reply[#reply + 1] = correct_board(board, player) and '1' or ''
  end
  reply[#reply + 1] = key and raise_moderated(key, moderated, down) or moderated
  if events ~= '' then
    remove_events(keys[1], events, player)
  end
  return reply
end

-- ---------------------------------------------------------------- reads

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
  if next_one and number(next_one) == number(last) then
    reached = math.min(MOST_REACHED, redis.call('ZCOUNT', board, last, '+inf'))
  end
  return ('%s%011d%010d%08d'):format(moderated or '0', high, low, reached)
end

--[[ Entries from rank `first` (0-based) on, behind: size, version, rank and competition rank of the first one. A board
of a country has the version of its week's: keys[4], where the caller gives it. ]]
local function range_reply(keys, week_start, first, count, size)
  local board, ranking = keys[2], keys[4] or keys[2]
  local entries = size or redis.call('ZCARD', board)
  local least = ranking == board and first == 0 and TOP + 1 or 0
  local range = redis.call('ZRANGE', board, first, first + math.max(count, least) - 1, 'REV', 'WITHSCORES')
  local top = least > 0 and range or redis.call('ZRANGE', ranking, 0, TOP, 'REV', 'WITHSCORES')
  local reply = { 'ok', text(entries), version_of(moderated_of(keys[3]), ranking, top, week_start), '0', '0' }
  for at = 1, math.min(#range, 2 * count), 2 do
    local points, second = read_score(range[at + 1], week_start)
    if at == 1 then
      reply[4] = text(first + 1)
      reply[5] = '1'
      if first > 0 and points < MAX_POINTS then
        -- Whoever has more points, at whatever second: from the lowest score of points + 1 on.
        local above = week_start and text((points + 1) * TIME_UNIT)
          or all_time_score(points + 1, EPOCH + EPOCH_SECONDS - 1)
        reply[5] = text(redis.call('ZCOUNT', board, above, '+inf') + 1)
      end
    end
    reply[#reply + 1] = range[at]
    reply[#reply + 1] = text(points)
    reply[#reply + 1] = text(second)
  end
  return reply
end

-- Redis orders equal scores by the members' bytes; Lua's `<` would follow the server's locale.
local function precedes(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = a:byte(i), b:byte(i)
    if x ~= y then
      return x < y
    end
  end
  return #a < #b
end

-- Number of entries at or above (score, player), the player on the board or not: where a cursor goes on.
local function rank_after(board, score, player)
  local held = redis.call('ZSCORE', board, player)
  if held and number(held) == number(score) then
    return redis.call('ZREVRANK', board, player) + 1
  end
  local low = redis.call('ZCOUNT', board, '(' .. score, '+inf')
  local high = low + redis.call('ZCOUNT', board, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if precedes(player, redis.call('ZRANGE', board, middle, middle, 'REV')[1]) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local function check_read(keys, args, least)
  local week_start, problem = check_week_start(args[1])
  if problem or #keys < 3 or #keys > 4 or #args < least then
    return nil, redis.error_reply(problem or 'ERR wrong arguments for a read')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return nil, { 'cold' }
  end
  return true, nil, week_start
end

--[[ top: a page of a board from the first place or from a cursor on.
KEYS  1 activity, 2 board, 3 `moderated`; of a country's board: 4 the week's, which gives the version
ARGV  1 week's first second ('' = all-time), 2 number of entries; optional cursor: points, second, player
Reply 'cold' | 'ok', board size, version, rank and competition rank of the first entry (0 when there is none);
      per entry: player, points, second
Time  O(log N + n) ]]
local function top(keys, args)
  local ok, refusal, week_start = check_read(keys, args, 2)
  if not ok then
    return refusal
  end
  local count, first = integer(args[2]), 0
  if not count or count == 0 then
    return redis.error_reply('ERR number of entries must be a positive integer')
  end
  if #args > 2 then
    if #args ~= 5 then
      return redis.error_reply('ERR a cursor is points, second and player')
    end
    local points, points_error = check_points(args[3])
    local second, time_error = check_time(args[4], week_start)
    if points_error or time_error then
      return redis.error_reply(points_error or time_error)
    end
    first = rank_after(keys[2], score_of(points, second, week_start), args[5])
  end
  return range_reply(keys, week_start, first, count)
end

--[[ around: the player's entry and up to 2k neighbours; the window shifts at both ends of the board so that it
stays full while the board has enough entries.
KEYS  as `top`
ARGV  1 week's first second ('' = all-time), 2 player, 3 k
Reply 'cold' | 'absent', board size | as `top`
Time  O(log N + k) ]]
local function around(keys, args)
  local ok, refusal, week_start = check_read(keys, args, 3)
  if not ok then
    return refusal
  end
  local k, rank = integer(args[3]), redis.call('ZREVRANK', keys[2], args[2])
  if not k then
    return redis.error_reply('ERR k must be an integer')
  end
  local size = redis.call('ZCARD', keys[2])
  if not rank then
    return { 'absent', text(size) }
  end
  local first = math.max(0, math.min(rank - k, size - (2 * k + 1)))
  return range_reply(keys, week_start, first, 2 * k + 1, size)
end

-- Counts the week's players of the next feed entries that were not counted yet; true when there are more.
local function count_feed(activity, players, position, week, expire_at)
  local from = redis.call('GET', position)
  if from and not from:find('^%d+%-%d+$') then
    from = nil -- no position of ours: counted from the start, which counts nobody twice
  end
  local entries = redis.call('XRANGE', activity, from and '(' .. from or '-', '+', 'COUNT', CHUNK)
  if #entries == 0 then
    return false
  end
  local found = {}
  for _, entry in ipairs(entries) do
    local fields = entry[2]
    if fields[WEEK_FIELD] == week then
      found[#found + 1] = fields[PLAYER_FIELD]
    end
  end
  if #found > 0 and redis.call('PFADD', players, unpack(found)) == 1 then
    redis.call('EXPIREAT', players, expire_at)
  end
  redis.call('SET', position, entries[#entries][1], 'EXAT', expire_at)
  return #entries == CHUNK
end

--[[ count: how many players a board has. Submissions do not count distinct players, which would be a command of each: a
rebuild and reconciling do, and this does for what came since.
KEYS  1 activity, 2 board; weekly boards only: 3 distinct players of the week, 4 last feed entry that was counted there
ARGV  weekly boards only: 1 week, 2 expiry (unix seconds)
Reply 'cold' | 'ok', HyperLogLog estimate ('' without KEYS 3), exact board size, '1' if there is more to count or ''
Time  O(CHUNK) ]]
local function count(keys, args)
  if not ((#keys == 2 and #args == 0) or (#keys == 4 and #args == 2 and (integer(args[2]) or 0) > 0)) then
    return redis.error_reply('ERR wrong arguments for a read')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'cold' }
  end
  local size, estimate, more = redis.call('ZCARD', keys[2]), '', false
  if keys[3] then
    -- Of a week that nobody played in, nothing is looked for and nothing written, whoever asks.
    more = size > 0 and count_feed(keys[1], keys[3], keys[4], args[1], args[2])
    estimate = text(redis.call('PFCOUNT', keys[3]))
  end
  return { 'ok', estimate, text(size), more and '1' or '' }
end

-- ---------------------------------------------------------------- upkeep

--[[ push: ends the push lease and reads the newest top 10, in one step: whoever changes the top 10 later gets a
lease of their own, so the last state is always pushed.
KEYS  1 activity, 2 board, 3 `moderated`, 4 lease
ARGV  1 week's first second
Reply as `top`
Time  O(log N) ]]
local function push(keys, args)
  local lease = table.remove(keys, 4)
  local ok, refusal, week_start = check_read(keys, args, 1)
  if not lease or (refusal and refusal.err) then
    return refusal or redis.error_reply('ERR wrong arguments for a read')
  end
  redis.call('DEL', lease)
  if not ok then
    return refusal
  end
  return range_reply(keys, week_start, 0, TOP)
end

--[[ trim: shortens the feed once the badge group has handled everything; entries it has not seen stay.
KEYS  1 activity
ARGV  1 group, 2 id of the last entry that the group read, 3 feed length
Reply 'trimmed' | 'behind' | 'cold', entries removed
Time  O(feed length + entries removed) ]]
local function trim(keys, args)
  local length = integer(args[3])
  if not length or length == 0 or #keys ~= 1 then
    return redis.error_reply('ERR feed length must be a positive integer')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'cold', '0' }
  end
  local pending = redis.call('XPENDING', keys[1], args[1])[1]
  local unread = #redis.call('XRANGE', keys[1], '(' .. args[2], '+', 'COUNT', length)
  if pending > 0 or unread >= length then
    return { 'behind', '0' }
  end
  return { 'trimmed', text(redis.call('XTRIM', keys[1], 'MAXLEN', '~', length)) }
end

--[[ idle: takes games out of the list of busy ones, except those that were marked again since the list was read.
KEYS  1 busy games
ARGV  per game: game, the score (unix ms of its mark) that was read
Reply 'ok', number of games taken out
Time  O(games log N) ]]
local function idle(keys, args)
  if #keys ~= 1 or #args % 2 ~= 0 then
    return redis.error_reply('ERR wrong arguments for idle')
  end
  for at = 2, #args, 2 do
    if not integer(args[at]) then
      return redis.error_reply('ERR a mark must be a unix time in milliseconds')
    end
  end
  local removed = 0
  for at = 1, #args, 2 do
    local score = redis.call('ZSCORE', keys[1], args[at])
    if score and number(score) == number(args[at + 1]) then
      removed = removed + redis.call('ZREM', keys[1], args[at])
    end
  end
  return { 'ok', text(removed) }
end

local function release()
  return text(RELEASE)
end

-- ---------------------------------------------------------------- damage

-- A reply of pcall that is an error: the key has another type than it should.
local function is_error(reply)
  return type(reply) == 'table' and reply.err ~= nil
end

local function inspect_players(reply, board, args, first, players)
  if players == 0 then
    return true
  end
  local scores = redis.pcall('ZMSCORE', board, unpack(args, first, first + players - 1))
  if is_error(scores) then
    return false
  end
  for i = 1, players do
    reply[#reply + 1] = scores[i] or ''
  end
  return true
end

-- The estimate of distinct players; nil when a key of the week is damaged.
local function inspect_upkeep(lease, players, counted)
  local estimate, position = redis.pcall('PFCOUNT', players), redis.pcall('GET', counted)
  if is_error(estimate) or is_error(position) or redis.call('PTTL', lease) == -1 then
    return nil
  end
  return text(estimate)
end

--[[ inspect: what a game's keys hold, for a comparison with Postgres; nothing is judged here.
KEYS  1 activity, 2 `moderated`; per board: board; with flag u also its push lease, distinct players, last feed entry
      counted there
ARGV  1 number of newest feed entries; per board: flags ('' or 'u'), number of players, players
Reply 'cold' | 'damaged' (a key of a wrong type, a lease that never ends)
      | 'ok', `moderated` ('0' = lost), number of submissions, the submissions of the newest feed entries;
      per board: size, estimate of distinct players ('' without flag u), per player: score or ''
Time  O(players log N + feed entries) ]]
local function inspect(keys, args)
  local newest = integer(args[1])
  if not newest or newest == 0 then
    return redis.error_reply('ERR number of feed entries must be a positive integer')
  end
  local entries = redis.pcall('XREVRANGE', keys[1], '+', '-', 'COUNT', args[1])
  if is_error(entries) then
    return { 'damaged' }
  end
  if #entries == 0 and redis.call('EXISTS', keys[1]) == 0 then
    return { 'cold' }
  end
  local reply = { 'ok', moderated_of(keys[2]) or '0', text(#entries) }
  for _, entry in ipairs(entries) do
    reply[#reply + 1] = entry[2][SUBMISSION_FIELD] or ''
  end
  local key, at = 3, 2
  while at <= #args do
    local flags, players = args[at], integer(args[at + 1])
    if not players or not keys[key] or #args < at + 1 + players or (flags == 'u' and not keys[key + 3]) then
      return redis.error_reply('ERR wrong arguments for inspect')
    end
    local board, size, estimate = keys[key], redis.pcall('ZCARD', keys[key]), ''
    key = key + 1
    if flags == 'u' then
      estimate, key = inspect_upkeep(keys[key], keys[key + 1], keys[key + 2]), key + 3
    end
    if is_error(size) or not estimate then
      return { 'damaged' }
    end
    reply[#reply + 1], reply[#reply + 2] = text(size), estimate
    if not inspect_players(reply, board, args, at + 2, players) then
      return { 'damaged' }
    end
    at = at + 2 + players
  end
  return reply
end

--[[ condemn: makes a game cold whose keys do not hold what Postgres says; a rebuild brings it back.
KEYS  1 activity; others that go with it: rebuild lease and state, push leases, feed entries counted; last `moderated`,
      which stays unless it is damaged
ARGV  none
Reply 'condemned' | 'cold'
Time  O(keys + feed length) ]]
local function condemn(keys, args)
  if #keys < 2 or #args > 0 then
    return redis.error_reply('ERR wrong arguments for condemn')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'cold' }
  end
  if moderated_of(keys[#keys]) then
    keys[#keys] = nil
  end
  redis.call('UNLINK', unpack(keys))
  return { 'condemned' }
end

-- ---------------------------------------------------------------- registration

local function register(name, callback, read_only)
  local flags = { LOCKING[1] }
  if read_only then
    flags[#flags + 1] = 'no-writes'
  end
  redis.register_function({ function_name = 'lb_' .. name .. '_v2', callback = callback, flags = flags })
end

register('submit', submit)
register('feed', feed)
register('begin', begin)
register('page', fill_page)
register('finish', finish)
register('fill', fill)
register('correct', correct)
register('push', push)
register('trim', trim)
register('idle', idle)
register('count', count)
register('inspect', inspect)
register('condemn', condemn)
register('top', top, true)
register('around', around, true)
register('release', release, true)
