--- @include "submit"
--- @include "feed"
--- @include "begin"
--- @include "page"
--- @include "finish"
--- @include "fill"
--- @include "correct"
--- @include "top"
--- @include "around"
--- @include "count"
--- @include "push"
--- @include "trim"
--- @include "idle"
--- @include "inspect"
--- @include "condemn"
--- @include "release"
--- @include "defined/submit"
--- @include "defined/range"
--- @include "defined/push"
--- @include "defined/set"
--- @include "defined/among"
--- @include "defined/place"
--- @include "defined/places"

--[[ The ranking engine: every board of one game, changed and read in single atomic calls. This part includes the others
in reading order (README.md has the map) and registers what they define.

The contract only grows: a release may add a function, an argument at the end or an item at the end of a reply. It never
gives an argument or a reply another meaning: Workers of other releases are calling. What cannot be added gets a name
of another contract.

Conventions
  * Every key arrives in KEYS and all keys of a call share the game's hash tag.
  * ARGV are decimal strings. Times and ids are arguments; nothing here reads a clock.
  * A call checks everything first and writes last, because Redis does not undo a failed function.
  * Replies are flat arrays of strings; the first item is a status word.
  * `missing` means that the activity stream does not exist: Redis is new or has lost this game. The stream is
    created by `finish` only, the last step of a rebuild, so "ready" proves that the boards are complete.
  * Lua prints numbers with 14 digits. Numbers leave the library through `text` or `all_time_score` only.
  * Interpreters differ (README.md): texts become numbers by `read_number`, `integer` or `+ 0`; no null is compared with
    false; a function that may answer with a problem always returns both values; and `x = x or f()` is written with
    another name.
  * A submission is what costs, so its way is written for few steps of Lua: strings by their methods (a global like
    `string` takes two look-ups), digits into numbers by `+ 0` (tonumber converts twice), tables made in their size.
]]

-- The loader puts {'allow-key-locking'} here for Upstash; Redis 7 does not know that flag.
local LOCKING = {}

local function register(name, version, callback, read_only)
  local flags = { LOCKING[1] }
  if read_only then
    flags[#flags + 1] = 'no-writes'
  end
  redis.register_function({ function_name = 'lb_' .. name .. '_v' .. version, callback = callback, flags = flags })
end

register('submit', 2, submit)
register('feed', 2, feed)
register('begin', 2, begin)
register('page', 2, fill_page)
register('finish', 2, finish)
register('fill', 2, fill)
register('correct', 2, correct)
register('push', 2, push)
register('trim', 2, trim)
register('idle', 2, idle)
register('count', 2, count)
register('inspect', 2, inspect)
register('condemn', 2, condemn)
register('top', 2, top, true)
register('around', 2, around, true)
register('release', 2, release, true)
register('submit', 3, submit_defined)
register('push', 3, push_defined)
register('set', 3, set_defined)
register('range', 3, range_defined, true)
register('among', 3, among_defined, true)
register('place', 3, place_defined, true)
register('places', 3, places_defined, true)
