-- Several callers may continue a rebuild one after the other, each with the lease.

-- A rebuild is alive while its state is (a lost Redis loses it too) and its holder while the lease is.
local function holds_rebuild(lease, state, token, id)
  return redis.call('GET', lease) == token and redis.call('HGET', state, 'id') == id
end
