--- @include "shared/full"

-- The size of a board that a call reads; or nil and what to answer: the game is missing, or the board full.
local function size_to_read(activity, board)
  if redis.call('EXISTS', activity) == 0 then
    return nil, { 'missing' }
  end
  local size = redis.pcall('ZCARD', board)
  if is_error(size) then
    close_full(board, size)
    return nil, { FULL }
  end
  return size, nil
end
