--- @include "shared/numbers"
--- @include "shared/readable"
--- @include "shared/scores"
--- @include "shared/checks"
--- @include "shared/full"
--- @include "shared/boards"
--- @include "shared/moderated"
--- @include "shared/versions"

-- A range of a board as `top`, `around` and `push` answer with it.

--[[ Entries from rank `first` (0-based) on, behind: size, version, rank and competition rank of the first one. A board
of a country has the version of its week's: keys[4], where the caller gives it. ]]
local function range_reply(keys, week_start, first, count, size)
  local board, ranking = keys[2], keys[4] or keys[2]
  local least = ranking == board and first == 0 and TOP + 1 or 0
  local range = redis.call('ZRANGE', board, first, first + math.max(count, least) - 1, 'REV', 'WITHSCORES')
  local top = least > 0 and range or redis.pcall('ZRANGE', ranking, 0, TOP, 'REV', 'WITHSCORES')
  if is_error(top) then
    close_full(ranking, top)
    return { FULL }
  end
  local reply = { 'ok', text(size), version_of(moderated_of(keys[3]), ranking, top, week_start), '0', '0' }
  for at = 1, math.min(#range, 2 * count), 2 do
    local points, second = read_score(range[at + 1], week_start)
    if at == 1 then
      reply[4] = text(first + 1)
      reply[5] = '1'
      if first > 0 and points < MAX_POINTS then
        -- Players with more points, at any second: from the lowest score of points + 1 on.
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

-- The board's size; or nil and what to answer.
local function check_read(keys, args, least)
  local week_start, problem = check_week_start(args[1])
  if problem or #keys < 3 or #keys > 4 or #args < least then
    return nil, redis.error_reply(problem or 'ERR wrong arguments for a read')
  end
  local size, refusal = size_to_read(keys[1], keys[2])
  return size, refusal, week_start
end
