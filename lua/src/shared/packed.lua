--- @include "shared/numbers"

--[[ Packed scores: strength and inverted time, 63 bits in all, spelled by the exponent and the mantissa of a double. Its upper 11
bits become the exponent, its lower 52 the mantissa; the lower half of the exponents is mirrored into the negative doubles.
Doubles are ordered exactly as these bits are, and exponents stay within +-512, far from infinities and denormals. `unit` is
2^(bits of the time). functions/domain/board/packing.ts has the same rule. ]]

local MANTISSA = 4503599627370496 -- 2^52
local TIME_UNITS = { ['30'] = 1073741824, ['20'] = 1048576, ['10'] = 1024 } -- bits of the time -> 2^bits
local LEAST_PACKED, PAST_PACKED = 2 ^ -512, 2 ^ 512 -- the sizes of all packed scores

local function pack_score(strength, inverted, unit)
  local low_strengths = MANTISSA / unit -- strengths that share an exponent
  local high = math.floor(strength / low_strengths)
  local low = (strength - high * low_strengths) * unit + inverted
  if high >= 1024 then
    return math.ldexp(MANTISSA + low, high - 1024 - 512 - 52)
  end
  return -math.ldexp(MANTISSA + (MANTISSA - 1 - low), 1023 - high - 512 - 52)
end

-- Strength and inverted time.
local function unpack_score(score, unit)
  local fraction, exponent = math.frexp(math.abs(score))
  local low, high = (fraction * 2 - 1) * MANTISSA, nil
  if score > 0 then
    high = exponent - 1 + 512 + 1024
  else
    high = 1023 - (exponent - 1 + 512)
    low = MANTISSA - 1 - low
  end
  local low_strength = math.floor(low / unit)
  return high * (MANTISSA / unit) + low_strength, low - low_strength * unit
end

-- 17 digits are exact.
local function packed_text(score)
  return ('%.17g'):format(score)
end

-- The packed score that a caller spells as `textOf` of packing.ts does, or nil.
local function packed_number(spelled)
  local score = spelled and spelled:find('^%-?%d%.%d+e[+-]%d+$') and read_number(spelled)
  local size = score and math.abs(score) or 0
  return size >= LEAST_PACKED and size < PAST_PACKED and score or nil
end
