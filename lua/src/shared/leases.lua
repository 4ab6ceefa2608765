-- The lease on pushing a week's top 10 to its room: of all whose calls change it, one pushes. `push` ends it.

local LEASE_MS = 1000 -- a push lease ends by itself when its holder died

-- Takes the lease on pushing a week's top 10; true if the caller now holds it.
local function take_push_lease(lease)
  return redis.call('SET', lease, '1', 'NX', 'PX', LEASE_MS)
end
