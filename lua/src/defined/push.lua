--- @include "defined/ranges"
--- @include "shared/boards"
--- @include "shared/readable"

--[[ push, contract 3: ends the push lease of a board that a game defines and reads the newest top 10, as `push` of contract 2.
KEYS  1 to 5 as `range` of contract 3, 6 lease
ARGV  1 kind (r or n), 2 bits of the score's time
Reply as `range`
Writes removes the lease
Time  O(log N) ]]

local function push_defined(keys, args)
  local unit = unit_to_read(args[1], args[2])
  if #keys ~= 6 or not unit or #args ~= 2 then
    return redis.error_reply(WRONG_READ)
  end
  redis.call('DEL', keys[6])
  local size, refusal = size_to_read(keys[1], keys[2])
  if not size then
    return refusal
  end
  return defined_reply(keys, args[1], unit, 0, TOP, size)
end
