--- @include "defined/changes"
--- @include "shared/boards"
--- @include "shared/full"
--- @include "shared/numbers"
--- @include "shared/packed"

-- Writing a packed entry as a board's definition has it: `raise` where the score is greater, `newer` where its time is later.

--[[ Writes an entry whose time is later than that of the one held. Whether it was written, whether it is the player's first
there, and the score that it took the place of ('' for none). ]]
local function write_newer(entry)
  local board, player, unit = entry.board, entry.player, entry.unit
  local held = redis.pcall('ZSCORE', board, player)
  if is_error(held) then
    close_full(board, held, entry.expire_at)
    return false, false, ''
  end
  local difference = unit - entry.inverted -- its tick + 1
  if held then
    local _, inverted = unpack_score(read_number(held), unit)
    if inverted <= entry.inverted then
      return false, false, ''
    end
    difference = inverted - entry.inverted
  end
  local added = redis.pcall('ZADD', board, entry.score, player)
  if is_error(added) then
    close_full(board, added, entry.expire_at)
    return false, false, ''
  end
  if entry.changes then
    add_change(entry.changes, board, difference, held, entry.expire_at)
  end
  return true, not held, held or ''
end

--[[ Writes an entry where it is the greater one. Redis tells the changed or the added, and one of the two is needed: of a board
with a live top 10 the changed, otherwise the added. ]]
local function write_greater(entry)
  if entry.lease then
    return raise(entry.board, entry.expire_at, entry.score, entry.player) == 1, false, ''
  end
  local added = redis.pcall('ZADD', entry.board, 'GT', entry.score, entry.player)
  if is_error(added) then
    close_full(entry.board, added, entry.expire_at)
    return false, false, ''
  end
  return false, added == 1, ''
end
