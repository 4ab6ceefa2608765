--- @include "shared/numbers"
--- @include "shared/packed"

-- The entries of `submit` on boards that games define: all are checked before anything is written.

local ENTRY_ARGS = 9
local ENTRY_MODES = { r = true, n = true, x = true }
local ENTRY_FLAGS = { [''] = true, w = true, p = true, wp = true }

-- The key of this number behind the first `taken`; '' for 0, nil for any other number.
local function entry_key(keys, number, taken)
  local place = integer(number)
  if place == 0 then
    return ''
  end
  return place and place > taken and keys[place] or nil
end

-- What is wrong with an entry's arguments besides its keys, or nil.
local function entry_problem(entry, flags)
  if not ENTRY_MODES[entry.mode] then
    return 'ERR unknown mode'
  end
  if not entry.unit then
    return 'ERR unknown time bits'
  end
  if entry.mode == 'x' and entry.score ~= '' or entry.mode ~= 'x' and not packed_number(entry.score) then
    return 'ERR score must be a packed score'
  end
  if entry.expire_at ~= '' and (integer(entry.expire_at) or 0) == 0 then
    return 'ERR expiry must be a unix time'
  end
  if not ENTRY_FLAGS[flags] or (entry.mode == 'x' and flags ~= 'w') then
    return 'ERR unknown flag'
  end
end

-- The entry whose arguments begin at `first`; or nil and what is wrong.
local function parse_entry(keys, args, first, taken)
  local board, lease = entry_key(keys, args[first], taken), entry_key(keys, args[first + 7], taken)
  local changes, flags = entry_key(keys, args[first + 8], taken), args[first + 6]
  local entry = {
    board = board, player = args[first + 1], score = args[first + 2], mode = args[first + 3],
    unit = TIME_UNITS[args[first + 4]], expire_at = args[first + 5],
    lease = lease ~= '' and lease or nil, changes = changes ~= '' and changes or nil,
    writes = flags == 'w' or flags == 'wp', placed = flags ~= 'w' or lease ~= '', rank = '', before = '',
  }
  local problem = entry_problem(entry, flags)
  if problem then
    return nil, problem
  end
  if not board or board == '' then
    return nil, 'ERR unknown board'
  end
  if not lease or not changes or (entry.changes and entry.mode ~= 'n') or (entry.lease and entry.mode == 'x') then
    return nil, 'ERR unknown lease or changes'
  end
  if entry.mode == 'n' then
    local _, inverted = unpack_score(packed_number(entry.score), entry.unit)
    entry.inverted = inverted
  end
  return entry, nil
end

-- The entries, whose number is the last argument; or nil and what is wrong.
local function parse_entries(keys, args, taken)
  local count = integer(args[#args])
  local first = count and #args - count * ENTRY_ARGS
  if not first or first < 4 then
    return nil, 'ERR wrong number of entries for submit'
  end
  local entries = { nil }
  for i = 1, count do
    local entry, problem = parse_entry(keys, args, first + (i - 1) * ENTRY_ARGS, taken)
    if not entry then
      return nil, problem
    end
    entries[i] = entry
  end
  return entries, nil
end
