-- Numbers and their texts. Every number that Redis or a caller printed is read here, and every integer leaves here.

local MAX_EXACT = 9007199254740991 -- 2^53 - 1: above it a double skips integers

--[[ The number that a text spells, or nil; every number that Redis or a caller printed is read here. Some interpreters
take a text without a point for a 64-bit integer and know no exponent in it: those read it with a point. ]]
local function read_number(spelled)
  return tonumber(spelled) or tonumber((spelled:gsub('^%-?%d+', '%0.0', 1)))
end

-- `%d` is exact up to 2^53 and takes half as long as `%.0f`.
local function text(n)
  return ('%d'):format(n)
end

-- A plain decimal integer as a number, or nil: no sign, spaces, exponent, hex, nan or inf.
local function integer(value)
  if value and #value <= 16 and value:find('^%d+$') then
    local number = value + 0
    return number <= MAX_EXACT and number or nil
  end
  return nil
end
