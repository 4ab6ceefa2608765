--- @include "shared/numbers"
--- @include "shared/boards"
--- @include "shared/filling"
--- @include "shared/full"
--- @include "shared/leases"
--- @include "shared/moderated"

--[[ fill: brings boards up to what Postgres says; what a board has better stays. Reconciling calls it.
KEYS, ARGV  1 `moderated` as Postgres has it; boards as in shared/filling.lua, where those with
      flag t announce a changed top 10
Reply 'ok', entries changed, per board: '1' if the caller holds the push lease or ''
Writes the boards, `moderated`, push leases
Time  O(n log N) ]]

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

-- The first ten with scores; none of a full board.
local function top_of(board)
  local range = redis.pcall('ZRANGE', board, 0, TOP - 1, 'REV', 'WITHSCORES')
  if is_error(range) then
    close_full(board, range)
    return {}
  end
  return range
end

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
    local before = live and top_of(board.key)
    changed = changed + fill_board(board, args)
    granted[i] = ''
    if live then
      raise_moderated(board.moderated, moderated)
    end
    if live and (board.expire_at ~= '' or board.is_defined) and board.lease ~= board.moderated
      and not same_entries(before, top_of(board.key))
      and take_push_lease(board.lease) then
      granted[i] = '1'
    end
  end
  return { 'ok', text(changed), unpack(granted) }
end
