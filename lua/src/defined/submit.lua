--- @include "defined/entries"
--- @include "defined/submit-arguments"
--- @include "shared/boards"
--- @include "shared/leases"
--- @include "shared/numbers"
--- @include "submit"
--- @include "submit-arguments"

--[[ submit, contract 3: as contract 2, and writes entries of boards that games define, or of their parts.
KEYS  as contract 2; behind them boards, leases and `changes` of defined boards
ARGV  as contract 2, where there may be no week and no item; per entry: KEYS number of the board or part, player, packed score
      ('' = take off), mode (r = raise, n = newer, x = take off, only with the flag w), bits of the score's time (30, 20, 10), expiry
      (unix seconds, '' = never), flags in this order: w = write, p = say the rank; KEYS number of the lease (0 = no live top 10, or
      a part), KEYS number of `changes` (0 = a part, or not given by newer); at the end the number of entries
      An entry without w is proven to be there.
Reply 'ranked' | 'missing'; '1' if a board lacked a proven entry or ''; per week and per item as contract 2; per entry: rank ('' =
      not asked for, taken off, or on a board that is full), '1' if the top 10 changed and the caller holds the push lease or ''
Writes as contract 2, and entries, expiries, push leases and `changes` of the boards; announces on the channel <board>:top10
Time  O(log N) a command; an entry one command for its rank (with p, with a live top 10, without w), one when written (`newer` two, on
      a whole board three), two when it comes into a live top 10; EXPIREAT when a board may be new: the entry is the first of the
      board, or of the player where its rank was not looked up ]]

local function write_entry(entry)
  if entry.mode == 'x' then
    take_off(entry.board, entry.player)
    return
  end
  local write = entry.mode == 'n' and write_newer or write_greater
  local changed, added, before = write(entry)
  entry.changed = entry.changed or changed
  entry.added = entry.added or added
  entry.before = before
end

-- Reads the ranks that are wanted. Returns the entries that a board has lost, or nil.
local function place_entries(entries)
  local lost
  for i = 1, #entries do
    local entry = entries[i]
    if entry.placed and entry.mode ~= 'x' then
      local rank, full = rank_on(entry.board, entry.player)
      entry.rank = rank
      if rank == '' and not full then
        lost = lost or {}
        lost[#lost + 1] = entry
      end
    end
  end
  return lost
end

-- True when a board lacked a player whose entry was proven to be there.
local function write_and_place_entries(entries)
  for i = 1, #entries do
    if entries[i].writes then
      write_entry(entries[i])
    end
  end
  local lost = place_entries(entries)
  if lost then
    for i = 1, #lost do
      write_entry(lost[i])
    end
    place_entries(entries)
  end
  for i = 1, #entries do
    local entry = entries[i]
    local may_be_new = entry.added or (entry.mode == 'r' and entry.changed and entry.rank == '1')
    if may_be_new and entry.expire_at ~= '' then
      redis.call('EXPIREAT', entry.board, entry.expire_at)
    end
  end
  return lost ~= nil
end

-- Whether an entry became worse and may have left the first ten: then fewer than ten are above the score that it had.
local function left_top(entry)
  return entry.before ~= '' and read_number(entry.before) > read_number(entry.score)
    and redis.call('ZCOUNT', entry.board, '(' .. entry.before, '+inf') < TOP
end

-- '1' if the caller now holds the push lease of a live board whose top 10 this entry changed, or ''.
local function announce_entry(entry, ready, leases)
  if not entry.lease or not entry.changed or entry.rank == '' then
    return ''
  end
  local shown = entry.rank + 0 <= TOP
  if shown and ready then
    redis.call('PUBLISH', entry.board .. ':top10', entry.player .. ' is now #' .. entry.rank)
  end
  if leases[entry.lease] or not (shown or left_top(entry)) then
    return ''
  end
  leases[entry.lease] = true
  return take_push_lease(entry.lease) and '1' or ''
end

local function submit_defined(keys, args)
  local weeks_count = integer(args[3])
  local entries, entries_error = parse_entries(keys, args, 3 + WEEK_KEYS * (weeks_count or 0))
  if not entries then
    return redis.error_reply(entries_error)
  end
  local weeks, items = parse_submit(keys, args, #args - 1 - ENTRY_ARGS * #entries, 0)
  if not weeks then
    return redis.error_reply(items)
  end
  local damaged = write_and_place_entries(entries)
  local reply, items_damaged, ready = apply_items(weeks, items, keys, args)
  table.insert(reply, 2, (damaged or items_damaged) and '1' or '')
  local leases, n = {}, #reply
  for i = 1, #entries do
    reply[n + 1], reply[n + 2] = entries[i].rank, announce_entry(entries[i], ready, leases)
    n = n + 2
  end
  return reply
end
