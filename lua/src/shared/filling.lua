--- @include "defined/filling"
--- @include "shared/boards"
--- @include "shared/checks"
--- @include "shared/moderated"
--- @include "shared/numbers"
--- @include "shared/packed"

-- Filling boards from Postgres, as a rebuild (`page`) and reconciling (`fill`) do.

-- What is wrong with a board's times: only weeks and the all-time board say by them which board it is.
local function times_problem(start, expire_at, flags)
  if not flags:find('[rn]') then
    local _, problem = check_week(start, expire_at)
    return problem
  end
  local is_good = start == '' and (expire_at == '' or (integer(expire_at) or 0) > 0)
  return not is_good and 'ERR expiry must be a unix time' or nil
end

--[[ Boards to fill, as `fill` and `page` take them.
KEYS  per board: the board; its distinct players if the flags have p; `moderated` and its push lease (`moderated` again = none) if they
      have t; its `changes` if they have n (the board again = none, for a part); flag d empties these first
ARGV  per board: week's first second, expiry (both '' = all-time), flags, number of entries, number of players to take off; with
      flag n bits of the score's time; per entry: score, player (each once); per player to take off: player
The flags come in this order: d, p, t, and of boards that games define r or n: entries count where they are greater, or newer. Of
these boards the first second is '', and an expiry of '' means never.
Scores come packed, unlike anywhere else: unpacking numbers here took most of a rebuild's time. ]]
local function parse_fill(keys, args, key, at)
  local boards = {}
  while at <= #args do
    local flags, entries, removals = args[at + 2], integer(args[at + 3]), integer(args[at + 4])
    local problem = flags and times_problem(args[at], args[at + 1], flags)
    if problem or not entries or not removals or not flags:find('^d?p?t?[rn]?$') then
      return nil, problem or 'ERR wrong arguments for a fill'
    end
    local newer = flags:find('n', 1, true)
    local first, unit = at + (newer and 6 or 5), newer and TIME_UNITS[args[at + 5]] or nil
    if #args < first - 1 + 2 * entries + removals or (newer and not unit) then
      return nil, 'ERR wrong arguments for a fill'
    end
    local board = { key = keys[key], expire_at = args[at + 1], first = first, entries = entries, removals = removals, unit = unit }
    board.is_defined = flags:find('[rn]')
    board.clear = flags:find('d', 1, true)
    key = key + 1
    if flags:find('p', 1, true) then
      board.distinct, key = keys[key], key + 1
    end
    if flags:find('t', 1, true) then
      board.moderated, board.lease, key = keys[key], keys[key + 1], key + 2
    end
    if newer then
      board.changes, key = keys[key] ~= board.key and keys[key] or nil, key + 1
    end
    at = first + 2 * entries
    for i = first, at - 1, 2 do
      if not read_number(args[i]) or (newer and not packed_number(args[i])) then
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
    if board.changes then
      redis.call('UNLINK', board.changes)
    end
  end
  local size, fresh, difference = board.changes and size_of(board.key) or 0, 0, 0
  local past = board.first + 2 * board.entries
  -- CHUNK words a command, half as many entries: each function that hands them on holds them once more, and some
  -- interpreters have room for five thousand in all.
  for at = board.first, past - 1, CHUNK do
    local last = math.min(at + CHUNK, past) - 1
    if board.unit then
      local added, more, new = fill_newer(board, args, at, last)
      changed, difference, fresh = changed + added, difference + more, fresh + new
    else
      changed = changed + raise(board.key, board.expire_at, unpack(args, at, last))
    end
    if board.distinct then
      add_distinct(board.distinct, args, at, last)
    end
  end
  for at = past, past + board.removals - 1, CHUNK do
    local last = math.min(at + CHUNK, past + board.removals) - 1
    if board.changes then
      difference = difference - changes_of(board, args, at, last)
    end
    changed = changed + take_off(board.key, unpack(args, at, last))
  end
  if board.expire_at ~= '' and board.entries > 0 then
    redis.call('EXPIREAT', board.key, board.expire_at)
    if board.distinct then
      redis.call('EXPIREAT', board.distinct, board.expire_at)
    end
  end
  if board.changes then
    -- Of a board that was lost alone, the sum that stayed is of entries that are gone: it is counted anew.
    local is_known = size > 0 and fresh <= size
    keep_changes(board, is_known and moderated_of(board.changes) or nil, difference)
  end
  return changed
end
