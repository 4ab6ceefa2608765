--- @include "defined/changes"
--- @include "shared/boards"
--- @include "shared/full"
--- @include "shared/leases"
--- @include "shared/moderated"
--- @include "shared/numbers"
--- @include "shared/packed"

--[[ set, contract 3: makes a player's entries of boards that games define exactly what Postgres says, lower or gone included.
KEYS  1 `moderated`; per board: board or part, lease (`moderated` again = none), `changes` (the board again = none)
ARGV  1 player, 2 `moderated` as Postgres had it with this correction; per board: packed score ('' = remove), bits of its time, kind
      (r or n), expiry (unix seconds, '' = never), 'top' if the board gives versions (whole boards), else ''
Reply 'ok', per board: '1' if the top 10 changed and the caller holds the push lease or '', and then what `moderated` is now: later
      than what Postgres had if the version of a board would not rise by itself; Postgres has to follow
Writes the boards, `moderated`, push leases, `changes`
Time  O(boards log N) ]]

local SET_ARGS = 5

-- The board whose arguments begin at `at`; or nil and what is wrong.
local function parse_set(keys, args, at, key)
  local score, unit, kind = args[at], TIME_UNITS[args[at + 1]], args[at + 2]
  local expire_at, shown = args[at + 3], args[at + 4]
  if score ~= '' and not packed_number(score) then
    return nil, 'ERR score must be a packed score'
  end
  if not unit or (kind ~= 'r' and kind ~= 'n') or (shown ~= '' and shown ~= 'top') then
    return nil, 'ERR wrong arguments for set'
  end
  if expire_at ~= '' and (integer(expire_at) or 0) == 0 then
    return nil, 'ERR expiry must be a unix time'
  end
  return {
    key = keys[key], lease = keys[key + 1], changes = keys[key + 2] ~= keys[key] and keys[key + 2] or nil,
    score = score ~= '' and score or nil, unit = unit, kind = kind, expire_at = expire_at, shown = shown == 'top',
  }, nil
end

-- What an entry has in `changes`: its tick + 1; 0 for none.
local function change_of(score, unit)
  if not score then
    return 0
  end
  local _, inverted = unpack_score(read_number(score), unit)
  return unit - inverted
end

-- Whether a version of the board would not rise although its entry changes.
local function gets_worse(board, held, difference)
  if not held or not board.shown then
    return false
  end
  if not board.score then
    return true
  end
  local score, before = read_number(board.score), read_number(held)
  if board.kind == 'r' then
    return score < before
  end
  return score ~= before and difference <= 0
end

-- Writes the player's entry; true if the first ten changed, and true if the board gets worse.
local function set_board(board, player)
  local key = board.key
  local before, full = rank_on(key, player)
  if full then
    return false, false
  end
  local held = before ~= '' and redis.call('ZSCORE', key, player) or nil
  local changed = 0
  if board.score then
    changed = redis.pcall('ZADD', key, 'CH', board.score, player)
    if is_error(changed) then
      close_full(key, changed, board.expire_at)
      return false, false
    end
    if board.expire_at ~= '' then
      redis.call('EXPIREAT', key, board.expire_at)
    end
  elseif held then
    changed = redis.call('ZREM', key, player)
  end
  local difference = change_of(board.score, board.unit) - change_of(held, board.unit)
  if board.changes and difference ~= 0 then
    add_change(board.changes, key, difference, held, board.expire_at)
  end
  local after = rank_on(key, player)
  local shown = (before ~= '' and before + 0 <= TOP) or (after ~= '' and after + 0 <= TOP)
  return changed == 1 and shown, gets_worse(board, held, difference)
end

local function set_defined(keys, args)
  local moderated, count = args[2], (#args - 2) / SET_ARGS
  if not integer(moderated) or count % 1 ~= 0 or #keys ~= 1 + 3 * count then
    return redis.error_reply('ERR wrong arguments for set')
  end
  local boards = { nil }
  for i = 1, count do
    local board, problem = parse_set(keys, args, 3 + SET_ARGS * (i - 1), 3 * i - 1)
    if not board then
      return redis.error_reply(problem)
    end
    boards[i] = board
  end
  local reply, down, any = { 'ok' }, false, false
  for i = 1, count do
    local board = boards[i]
    local changed, worse = set_board(board, args[1])
    down = down or worse
    any = any or board.shown
    local leased = changed and board.lease ~= keys[1] and take_push_lease(board.lease)
    reply[#reply + 1] = leased and '1' or ''
  end
  reply[#reply + 1] = any and raise_moderated(keys[1], moderated, down) or moderated
  return reply
end
