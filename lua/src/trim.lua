--- @include "shared/numbers"

--[[ trim: shortens the feed once the badge group has handled everything; entries it has not seen stay.
KEYS  1 activity
ARGV  1 group, 2 id of the last entry that the group read, 3 feed length
Reply 'trimmed' | 'behind' | 'missing', entries removed
Writes removes feed entries
Time  O(feed length + entries removed) ]]

local function trim(keys, args)
  local length = integer(args[3])
  if not length or length == 0 or #keys ~= 1 then
    return redis.error_reply('ERR feed length must be a positive integer')
  end
  if redis.call('EXISTS', keys[1]) == 0 then
    return { 'missing', '0' }
  end
  local pending = redis.call('XPENDING', keys[1], args[1])[1]
  local unread = #redis.call('XRANGE', keys[1], '(' .. args[2], '+', 'COUNT', length)
  if pending > 0 or unread >= length then
    return { 'behind', '0' }
  end
  return { 'trimmed', text(redis.call('XTRIM', keys[1], 'MAXLEN', '~', length)) }
end
