--[[ Keys that are full: Upstash lets one hold 100 MB, a board of some 700,000 players. A board that takes no more is
closed: FULL stands in its place, since without the players that found no room every rank on it would be wrong. Whoever
meets it asks Postgres (docs/scale.md). A board is met by `redis.pcall`, so that this costs the others no command. ]]

local FULL = 'full'

-- A reply of pcall that is an error.
local function is_error(reply)
  return type(reply) == 'table' and reply.err ~= nil
end

-- Whether a command was refused since its key would have outgrown what the server keeps in one.
local function is_too_large(refusal)
  return refusal.err:find('record size', 1, true) ~= nil
end

-- Whether the board that refused a command was closed before.
local function is_closed(board)
  return redis.pcall('GET', board) == FULL
end

-- A board that refused a command is closed: now, or it was before. Any other refusal ends the call.
local function close_full(board, refusal, expire_at)
  if is_too_large(refusal) then
    redis.call('UNLINK', board)
    redis.call('SET', board, FULL)
    if expire_at and expire_at ~= '' then
      redis.call('EXPIREAT', board, expire_at)
    end
  elseif not is_closed(board) then
    redis.call('ZCARD', board) -- says by itself that it is no board
    error(refusal.err, 0)
  end
end
