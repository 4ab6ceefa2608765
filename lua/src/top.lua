--- @include "shared/numbers"
--- @include "shared/scores"
--- @include "shared/checks"
--- @include "shared/cursor"
--- @include "shared/ranges"

--[[ top: a page of a board from the first place or from a cursor on.
KEYS  1 activity, 2 board, 3 `moderated`; of a country's board: 4 the week's, which gives the version
ARGV  1 week's first second ('' = all-time), 2 number of entries; optional cursor: points, second, player
Reply 'missing' | 'full' (Postgres has the board) | 'ok', board size, version, rank and competition rank of the first
      entry (0 when there is none); per entry: player, points, second
Writes nothing
Time  O(log N + n) ]]

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
