--- @include "submit-arguments"
--- @include "shared/numbers"
--- @include "shared/scores"
--- @include "shared/boards"
--- @include "shared/feed"
--- @include "shared/leases"

--[[ submit: applies submissions that Postgres has committed, and says where they stand.
KEYS  1 activity, 2 all-time board, 3 not used; per week: board, not used, lease; country boards
ARGV  1 now in microseconds (the database's clock), 2 hard cap of the feed, 3 number of weeks W;
      per week: label, first second, expiry (unix seconds);
      per item: submission id ('' = a replay: no feed event), player, points, submitted at (ms), week number 1..W,
        best of the week, its second, KEYS number of the country board (0 = none), KEYS numbers of the country
        boards the player left this week ("9,11" or ''), all-time best, its second,
        flags, in this order: w = write week and country, a = write all-time
Reply 'ranked' | 'missing'; per week: '', '1' if the top 10 changed and the caller holds the push lease or '';
      per item: rank, country rank ('' = none), all-time rank, '' for a rank on a board that is full; at the end
      'damaged' if a board lacked a proven entry
Writes entries and expiries of the boards, feed events, push leases; announces on the channel <week's board>:top10
Time  O(log N) a command; five commands an item that changes nothing, eight for a best (the call included; README.md
      has the table) ]]

local function write_item(item, args, all_time_board)
  local week, player, writes, first = item.week, item.player, item.writes, item.first
  if writes.week then
    local score = weekly_score(args[first + BEST], args[first + BEST_AT], week.start)
    if raise(week.board, week.expire_at, score, player) == 1 then
      item.improved = true
    end
    for i = 1, #item.left do
      take_off(item.left[i], player)
    end
    if item.country then
      raise(item.country, week.expire_at, score, player)
    end
  end
  if writes.all_time then
    local score = all_time_score(args[first + ALL_TIME], args[first + ALL_TIME_AT])
    raise(all_time_board, nil, score, player)
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
    local country_full, week_full, all_time_full = true
    item.rank, week_full = rank_on(item.week.board, player)
    if item.country then
      item.country_rank, country_full = rank_on(item.country, player)
    end
    item.all_time_rank, all_time_full = rank_on(all_time_board, player)
    if (item.rank == '' and not week_full) or (item.all_time_rank == '' and not all_time_full)
      or (item.country_rank == '' and not country_full) then
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

-- Adds the feed events; true when the game is ready. An event's id tells Redis' time without another command.
local function record(items, args, activity)
  local cap, ready, newest = args[2], nil, nil
  for i = 1, #items do
    local item = items[i]
    local first = item.first
    if args[first] ~= '' then
      local event = add_event(activity, cap, '*', args[first], item.player, args[first + POINTS], args[first + BEST],
        item.rank, item.week.label, args[first + AT_MS])
      ready = event and true or false
      item.event, newest = event, event
    end
  end
  if ready == nil then
    ready = redis.call('EXISTS', activity) == 1
  end
  local late_ms = args[1] / 1000 + LATE_MS
  if newest and ms_of_entry(newest) >= late_ms then
    take_back_doubles(items, args, activity, math.floor(late_ms))
  end
  return ready
end

-- Notes which weeks' top 10s changed and, on a ready game, tells who came into them.
local function announce(items, ready)
  for i = 1, #items do
    local item = items[i]
    if item.improved and item.rank + 0 <= TOP then
      item.week.changed = true
      if ready then
        redis.call('PUBLISH', item.week.board .. ':top10', item.player .. ' is now #' .. item.rank)
      end
    end
  end
end

-- '1' if the caller now holds the push lease of a week whose top 10 changed, or ''.
local function take_lease(week)
  return week.changed and take_push_lease(week.lease) and '1' or ''
end

-- Applies items that were checked; whether the game is ready, whether a board was damaged, and the reply's part about them.
local function apply_items(weeks, items, keys, args)
  local damaged = write_and_place(items, args, keys[2])
  local ready = record(items, args, keys[1])
  announce(items, ready)

  local reply, n = { ready and 'ranked' or 'missing', nil, nil, nil, nil, nil }, 1 -- room for one item's
  for i = 1, #weeks do
    reply[n + 1], reply[n + 2] = '', take_lease(weeks[i])
    n = n + 2
  end
  for i = 1, #items do
    local item = items[i]
    reply[n + 1], reply[n + 2], reply[n + 3] = item.rank, item.country_rank, item.all_time_rank
    n = n + 3
  end
  return reply, damaged, ready
end

local function submit(keys, args)
  local weeks, items = parse_submit(keys, args, #args, 1)
  if not weeks then
    return redis.error_reply(items)
  end
  local reply, damaged = apply_items(weeks, items, keys, args)
  if damaged then
    reply[#reply + 1] = 'damaged'
  end
  return reply
end
