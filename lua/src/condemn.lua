--- @include "shared/moderated"

--[[ condemn: deletes the feed of a game whose keys are not what Postgres says, so that it is missing and rebuilt.
KEYS  1 activity; others that go with it: rebuild lease and state, push leases, feed entries counted; last `moderated`,
      which stays unless it is damaged
ARGV  none
Reply 'condemned' | 'missing'
Writes removes the keys
Time  O(keys + feed length) ]]

local function condemn(keys, args)
  if #keys < 2 or #args > 0 then
    return redis.error_reply('ERR wrong arguments for condemn')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'missing' }
  end
  if moderated_of(keys[#keys]) then
    keys[#keys] = nil
  end
  redis.call('UNLINK', unpack(keys))
  return { 'condemned' }
end
