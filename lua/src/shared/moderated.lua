--- @include "shared/numbers"

-- `moderated`: the front of a game's versions, which rises with every moderator's action that makes anything worse.

-- When a moderator last took something off the game's boards, as Postgres says; nil when the key is lost or no string.
local function moderated_of(key)
  local value = redis.pcall('GET', key)
  return type(value) == 'string' and integer(value) and value or nil
end

-- Notes what Postgres says, unless it is older than what is known. With `down` something gets worse now: then it rises
-- in any case. Returns what holds afterwards.
local function raise_moderated(key, value, down)
  local known = moderated_of(key)
  if known and read_number(known) >= read_number(value) then
    if not down then
      return known
    end
    value = text(read_number(known) + 1)
  end
  redis.call('SET', key, value)
  return value
end
