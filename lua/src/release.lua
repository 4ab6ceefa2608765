--- @include "shared/numbers"

--[[ release: which release of the library this is. Every change of a function is a release: raise the number and say
why. A release only adds (leaderboard.lua has the rule), so an older Worker may meet a newer library and the reverse.

  1  the functions of contract 2
  2  versions are made of what a board shows, not of clocks: `moderated` takes the place of the keys of versions
  3  inspect and condemn; submit says 'damaged'; a rebuild's lease that never ends is taken over
  4  a board that outgrew its key is closed (shared/full)
  5  fills in commands of half the size: some interpreters hold fewer words at a time
  6  says 'missing' and 'ready' of a game, and keeps a rebuild's id under `id`
  7  submit of contract 3, which writes entries of boards that games define
  8  range, push, among, place, places and set of contract 3; fills of boards given by `newer`, and of boards of any period
  9  fills of parts of boards given by `newer`

KEYS, ARGV  none
Reply  the number
Writes nothing
Time  O(1) ]]

local RELEASE = 9

local function release()
  return text(RELEASE)
end
