--- @include "defined/ranges"
--- @include "shared/cursor"
--- @include "shared/numbers"
--- @include "shared/packed"
--- @include "shared/readable"

--[[ range, contract 3: the top of a board that a game defines, or of a part of it, or what is around a player.
KEYS  1 activity, 2 board or part, 3 `moderated`, 4 the whole board, which gives the version, 5 its `changes` (the board again
      where it is given by raise)
ARGV  1 kind (r = given by raise, n = by newer), 2 bits of the score's time, 3 'top' or 'around',
      top: 4 number of entries; optional cursor: packed score, player
      around: 4 k, 5 player: the player's entry and up to 2k neighbours, as `around` of contract 2
Reply 'missing' | 'full' | 'absent', board size | 'ok', board size, version, rank and competition rank of the first entry (0
      when there is none); per entry: player, packed score
Writes nothing
Time  O(log N + n) ]]

-- The first rank and the number of entries; nil where the player is not there.
local function window(board, args, count, size)
  if args[3] == 'top' then
    return args[5] and rank_after(board, args[5], args[6]) or 0, count
  end
  local rank, length = redis.call('ZREVRANK', board, args[5]), 2 * count + 1
  if not rank then
    return nil, length
  end
  return math.max(0, math.min(rank - count, size - length)), length
end

local function is_range(args, count)
  if args[3] == 'top' then
    return count and count > 0 and (#args == 4 or (#args == 6 and packed_number(args[5])))
  end
  return args[3] == 'around' and count and #args == 5
end

local function range_defined(keys, args)
  local unit, count = unit_to_read(args[1], args[2]), integer(args[4])
  if #keys ~= 5 or not unit or not is_range(args, count) then
    return redis.error_reply(WRONG_READ)
  end
  local size, refusal = size_to_read(keys[1], keys[2])
  if not size then
    return refusal
  end
  local first, length = window(keys[2], args, count, size)
  if not first then
    return { 'absent', text(size) }
  end
  return defined_reply(keys, args[1], unit, first, length, size)
end
