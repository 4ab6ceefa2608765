--- @include "shared/numbers"
--- @include "shared/scores"
--- @include "shared/checks"
--- @include "shared/boards"
--- @include "shared/feed"
--- @include "shared/full"
--- @include "shared/leases"
--- @include "shared/moderated"

--[[ correct: makes a player's entries exactly what Postgres says, lower or gone included (moderation, repair).
KEYS  1 activity; per board: board, `moderated`, lease ('' never: the all-time board passes `moderated` twice)
ARGV  1 player, 2 `moderated` as Postgres had it with this correction, 3 'forget' = remove the player's feed events,
      else the submission id to remove or '';
      per board: week's first second, expiry (both '' = all-time), points ('' = remove), second,
      'top' if the board has a live top 10, else ''
Reply 'ok', per board: '1' if the caller holds the push lease or '', and then what `moderated` is now: later than what
      Postgres had if an entry got worse that was shown with the same one; Postgres has to follow
Writes the boards, `moderated`, push leases; removes feed events
Time  O(boards log N + feed when events are removed) ]]

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
  local held = redis.pcall('ZSCORE', board.key, player)
  return type(held) == 'string' and (not board.score or read_number(board.score) < read_number(held))
end

-- Writes the player's entry; true if the caller now holds the push lease.
local function correct_board(board, player)
  local key = board.key
  local before, full = rank_on(key, player)
  if full then
    return false
  end
  local changed = false
  if board.score then
    changed = redis.pcall('ZADD', key, 'CH', board.score, player)
    if type(changed) == 'table' then
      close_full(key, changed, board.expire_at)
      return false
    end
    changed = changed == 1
    if board.expire_at ~= '' then
      redis.call('EXPIREAT', key, board.expire_at)
    end
  elseif before ~= '' then
    changed = redis.call('ZREM', key, player) == 1
  end
  local after = rank_on(key, player)
  local shown = (before ~= '' and before + 0 <= TOP) or (after ~= '' and after + 0 <= TOP)
  return changed and shown and board.live and board.expire_at ~= ''
    and take_push_lease(board.lease)
end

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
