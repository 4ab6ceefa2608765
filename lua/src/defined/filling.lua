--- @include "shared/boards"
--- @include "shared/full"
--- @include "shared/numbers"
--- @include "shared/packed"

-- Filling whole boards that are given by `newer`, with the sum of their changes.

-- Adds the entries of `args` whose time is later than that held; how many, by how much `changes` rise, and how many are new.
local function fill_newer(board, args, first, last)
  local players, words, difference, fresh = {}, {}, 0, 0
  for at = first + 1, last, 2 do
    players[#players + 1] = args[at]
  end
  local held = redis.pcall('ZMSCORE', board.key, unpack(players))
  if is_error(held) then
    close_full(board.key, held, board.expire_at)
    return 0, 0, 0
  end
  for i = 1, #players do
    local score = args[first + 2 * (i - 1)]
    local _, inverted = unpack_score(read_number(score), board.unit)
    local past = board.unit -- above the inverted time of any entry: a first one gains its tick + 1
    if held[i] then
      local _, held_inverted = unpack_score(read_number(held[i]), board.unit)
      past = held_inverted
    else
      fresh = fresh + 1
    end
    if inverted < past then
      words[#words + 1] = score
      words[#words + 1] = players[i]
      difference = difference + past - inverted
    end
  end
  if #words == 0 then
    return 0, 0, 0
  end
  local added = redis.pcall('ZADD', board.key, 'CH', unpack(words))
  if is_error(added) then
    close_full(board.key, added, board.expire_at)
    return 0, 0, 0
  end
  return added, difference, fresh
end

-- How many entries a board has; 0 for one that is full.
local function size_of(key)
  local size = redis.pcall('ZCARD', key)
  return is_error(size) and 0 or size
end

-- What these players' entries have in `changes`.
local function changes_of(board, args, first, last)
  local held, sum = redis.pcall('ZMSCORE', board.key, unpack(args, first, last)), 0
  if is_error(held) then
    return 0
  end
  for i = 1, last - first + 1 do
    if held[i] then
      local _, inverted = unpack_score(read_number(held[i]), board.unit)
      sum = sum + board.unit - inverted
    end
  end
  return sum
end

-- The sum of changes, counted anew from all entries; nil for a board that is full.
local function recount(board)
  local sum, first, page = 0, 0, nil
  repeat
    page = redis.pcall('ZRANGE', board.key, first, first + CHUNK - 1, 'WITHSCORES')
    if is_error(page) then
      return nil
    end
    for at = 2, #page, 2 do
      local _, inverted = unpack_score(read_number(page[at]), board.unit)
      sum = sum + board.unit - inverted
    end
    first = first + CHUNK
  until #page < 2 * CHUNK
  return sum
end

-- After a fill: `known` is the sum before, nil for one that was not there.
local function keep_changes(board, known, difference)
  if not known then
    local sum = recount(board) or 0
    redis.call('DEL', board.changes)
    if sum > 0 then
      redis.call('SET', board.changes, text(sum))
    end
  elseif difference ~= 0 then
    redis.call('INCRBY', board.changes, text(difference))
  end
  if board.expire_at ~= '' then
    redis.call('EXPIREAT', board.changes, board.expire_at)
  end
end
