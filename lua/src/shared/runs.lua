-- A rebuild's run: several callers may continue it one after the other, each with the lease.

-- A run is alive while its state is (a lost Redis loses it too) and its holder while the lease is.
local function holds_run(lease, state, token, run)
  return redis.call('GET', lease) == token and redis.call('HGET', state, 'run') == run
end
