--- @include "shared/numbers"
--- @include "shared/checks"
--- @include "shared/boards"

-- Filling boards from Postgres, as a rebuild (`page`) and reconciling (`fill`) do.

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
    local flags, entries, removals = args[at + 2], integer(args[at + 3]), integer(args[at + 4])
    local complete = entries and removals and #args >= at + 4 + 2 * entries + removals
    if problem or not complete or not flags:find('^d?p?t?$') then
      return nil, problem or 'ERR wrong arguments for a fill'
    end
    local board = { key = keys[key], expire_at = args[at + 1], first = at + 5, entries = entries, removals = removals }
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
      if not read_number(args[i]) then
        return nil, 'ERR score must be a number'
      end
    end
    at = at + removals
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
  -- CHUNK words a command, half as many entries: each function that hands them on holds them once more, and some
  -- interpreters have room for five thousand in all.
  for at = board.first, past - 1, CHUNK do
    local last = math.min(at + CHUNK, past) - 1
    changed = changed + raise(board.key, board.expire_at, unpack(args, at, last))
    if board.distinct then
      add_distinct(board.distinct, args, at, last)
    end
  end
  for at = past, past + board.removals - 1, CHUNK do
    local last = math.min(at + CHUNK, past + board.removals) - 1
    changed = changed + take_off(board.key, unpack(args, at, last))
  end
  if board.expire_at ~= '' and board.entries > 0 then
    redis.call('EXPIREAT', board.key, board.expire_at)
    if board.distinct then
      redis.call('EXPIREAT', board.distinct, board.expire_at)
    end
  end
  return changed
end
