--- @include "shared/numbers"
--- @include "shared/scores"
--- @include "shared/checks"
--- @include "shared/ranges"

--[[ top: a page of a board from the first place or from a cursor on.
KEYS  1 activity, 2 board, 3 `moderated`; of a country's board: 4 the week's, which gives the version
ARGV  1 week's first second ('' = all-time), 2 number of entries; optional cursor: points, second, player
Reply 'missing' | 'full' (Postgres has the board) | 'ok', board size, version, rank and competition rank of the first
      entry (0 when there is none); per entry: player, points, second
Writes nothing
Time  O(log N + n) ]]

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
  if held and read_number(held) == read_number(score) then
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

local function top(keys, args)
  local size, refusal, week_start = check_read(keys, args, 2)
  if not size then
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
  return range_reply(keys, week_start, first, count, size)
end
