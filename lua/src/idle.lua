--- @include "shared/numbers"

--[[ idle: takes games out of the list of busy ones, except those that were marked again since the list was read.
KEYS  1 busy games
ARGV  per game: game, the score (unix ms of its mark) that was read
Reply 'ok', number of games taken out
Writes removes games from the list
Time  O(games log N) ]]

local function idle(keys, args)
  if #keys ~= 1 or #args % 2 ~= 0 then
    return redis.error_reply('ERR wrong arguments for idle')
  end
  for at = 2, #args, 2 do
    if not integer(args[at]) then
      return redis.error_reply('ERR a mark must be a unix time in milliseconds')
    end
  end
  local removed = 0
  for at = 1, #args, 2 do
    local score = redis.call('ZSCORE', keys[1], args[at])
    if score and read_number(score) == read_number(args[at + 1]) then
      removed = removed + redis.call('ZREM', keys[1], args[at])
    end
  end
  return { 'ok', text(removed) }
end
