#!/usr/bin/env bash
# Edgeboard with curl. API, KEY (a server key) and GAME come from the environment.
set -euo pipefail
: "${API:=http://localhost:8787}" "${KEY:=eb_dev_local_only_0000000000000000}" "${GAME:=curl-example}"

call() { curl --silent --show-error --fail-with-body "$@"; echo; }
json=(-H "authorization: Bearer $KEY" -H 'content-type: application/json')

# A game is created once; a field that is left out gets its default.
call -X PUT "$API/v1/games/$GAME" "${json[@]}" -d '{"badges":[{"badge":"bronze","threshold":1000}]}'

# A retry with the same key has no second effect, so a lost answer is no problem: send it again.
call -X POST "$API/v1/games/$GAME/scores" "${json[@]}" -H 'idempotency-key: match-1-ada' \
  -d '{"player":"ada","points":1200,"country":"DE"}'

# Up to 1,000 at once; each has its own answer or problem.
call -X POST "$API/v1/games/$GAME/scores/batch" "${json[@]}" \
  -d '{"submissions":[{"player":"bob","points":900},{"player":"mei","points":1900}]}'

# Reads are public.
call "$API/v1/games/$GAME/boards/current/top?n=3"
call "$API/v1/games/$GAME/boards/current/top?n=3&country=DE"
call "$API/v1/games/$GAME/boards/all-time/players/ada"
call "$API/v1/games/$GAME/boards/current/around/ada?k=1"
call "$API/v1/games/$GAME/boards/current/players-count"
call "$API/v1/games/$GAME/feed?n=5"
call "$API/v1/games/$GAME/players/ada/badges"
call "$API/v1/games/$GAME/live"
