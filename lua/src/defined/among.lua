--- @include "defined/ranges"
--- @include "shared/numbers"
--- @include "shared/packed"
--- @include "shared/readable"

--[[ among, contract 3: the entries of some players.
KEYS  1 activity, 2 board or part; others are not read
ARGV  1 '1' = with ranks, '' = without; 1 to 500 players
Reply 'missing' | 'full' | 'ok', board size; per player: packed score or '', rank or ''
Writes nothing
Time  O(players log N); one command, and one a player that is there with ranks ]]

local MOST_AMONG = 500

local function among_defined(keys, args)
  local ranked = args[1] == '1'
  if #keys < 2 or (not ranked and args[1] ~= '') or #args < 2 or #args > MOST_AMONG + 1 then
    return redis.error_reply(WRONG_READ)
  end
  local size, refusal = size_to_read(keys[1], keys[2])
  if not size then
    return refusal
  end
  local scores, reply = redis.call('ZMSCORE', keys[2], unpack(args, 2)), { 'ok', text(size) }
  for i = 1, #args - 1 do
    local score, rank = scores[i], ''
    if score and ranked then
      rank = text(redis.call('ZREVRANK', keys[2], args[i + 1]) + 1)
    end
    reply[#reply + 1] = score and packed_text(read_number(score)) or ''
    reply[#reply + 1] = rank
  end
  return reply
end
