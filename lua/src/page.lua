--- @include "shared/numbers"
--- @include "shared/filling"
--- @include "shared/rebuilds"

--[[ page: fills boards of a rebuild, notes how far it is and renews the lease, all or nothing.
KEYS  1 lease, 2 state; boards as in shared/filling.lua
ARGV  1 token, 2 rebuild id, 3 lease (ms; a short one gives it up), 4 position after this page; boards as there
Reply 'ok', entries changed | 'lost' (the lease or the rebuild: nothing was done)
Writes the boards, state and lease
Time  O(n log N) ]]

local function fill_page(keys, args)
  local lease_ms = integer(args[3])
  if not lease_ms or lease_ms == 0 or not args[4] or #keys < 2 then
    return redis.error_reply('ERR wrong arguments for page')
  end
  local boards, problem = parse_fill(keys, args, 3, 5)
  if not boards then
    return redis.error_reply(problem)
  end
  if not holds_rebuild(keys[1], keys[2], args[1], args[2]) then
    return { 'lost' }
  end
  local changed = 0
  for _, board in ipairs(boards) do
    changed = changed + fill_board(board, args)
  end
  redis.call('HSET', keys[2], 'position', args[4])
  redis.call('PEXPIRE', keys[1], text(lease_ms))
  return { 'ok', text(changed) }
end
