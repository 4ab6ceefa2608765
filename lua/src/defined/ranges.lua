--- @include "defined/versions"
--- @include "shared/boards"
--- @include "shared/full"
--- @include "shared/moderated"
--- @include "shared/numbers"
--- @include "shared/packed"
--- @include "shared/readable"

-- A range of a board that a game defines, as `range` and `push` answer with it.

local WRONG_READ = 'ERR wrong arguments for a read'

-- The first entries of a whole board and the next one; or nil where it is full.
local function first_ten(whole)
  local top = redis.pcall('ZRANGE', whole, 0, TOP, 'REV', 'WITHSCORES')
  if is_error(top) then
    close_full(whole, top)
    return nil
  end
  return top
end

-- The version, or nil where the whole board is full. `range` has the whole board's entries from the first on, if it is given.
local function defined_version(keys, kind, unit, range, size)
  local moderated, whole = moderated_of(keys[3]), keys[4]
  if kind == 'r' then
    local top = range or first_ten(whole)
    return top and raised_version(moderated, whole, top, unit)
  end
  local whole_size = size
  if keys[2] ~= whole then
    whole_size = size_to_read(keys[1], whole)
  end
  return whole_size and newer_version(moderated, keys[5], whole_size)
end

-- Entries from rank `first` (0-based) on, behind: size, version, rank and competition rank of the first one.
local function defined_reply(keys, kind, unit, first, count, size)
  local board = keys[2]
  local holds_top = board == keys[4] and first == 0
  local range = redis.call('ZRANGE', board, first, first + math.max(count, holds_top and TOP + 1 or 0) - 1, 'REV', 'WITHSCORES')
  local version = defined_version(keys, kind, unit, holds_top and range, size)
  if not version then
    return { FULL }
  end
  local reply = { 'ok', text(size), version, '0', '0' }
  for at = 1, math.min(#range, 2 * count), 2 do
    local score = read_number(range[at + 1])
    if at == 1 then
      reply[4] = text(first + 1)
      reply[5] = '1'
      if first > 0 then
        -- Players with more strength: above the earliest entry of this one.
        local strength = unpack_score(score, unit)
        local earliest = packed_text(pack_score(strength, unit - 1, unit))
        reply[5] = text(redis.call('ZCOUNT', board, '(' .. earliest, '+inf') + 1)
      end
    end
    reply[#reply + 1] = range[at]
    reply[#reply + 1] = packed_text(score)
  end
  return reply
end

-- The unit of the time of a read's kind and bits; nil when one of them is none.
local function unit_to_read(kind, bits)
  return (kind == 'r' or kind == 'n') and TIME_UNITS[bits] or nil
end
