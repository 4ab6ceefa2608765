## Edgeboard from Godot 4: a node that submits with a player token and reads the board.
## A game that ships to players must not hold a server key: your backend gives each player a token (docs/security.md).
class_name Edgeboard
extends Node

signal submitted(score: Dictionary)
signal top_read(entries: Array)
signal failed(problem: Dictionary)

@export var api := "https://scores.example"
@export var game := "arena"
## Set by your login: a token for this player and this game.
var player_token := ""

const ATTEMPTS := 5
const TIMEOUT_SECONDS := 10.0
const LONGEST_WAIT_SECONDS := 120.0
const PROBLEM_TYPES := "https://edgeboard.dev/problems/"
const MONTHS := ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


## Submits points; `match_id` makes retries safe, also after the game was closed in between. Ends with `submitted` or
## `failed`, whatever is answered.
func submit(player: String, points: int, match_id: String) -> void:
	var headers := PackedStringArray([
		"Content-Type: application/json",
		"Authorization: Bearer %s" % player_token,
		"Idempotency-Key: %s" % match_id,
	])
	var body := JSON.stringify({"player": player, "points": points})
	for attempt in range(1, ATTEMPTS + 1):
		var answer := await _call("/v1/games/%s/scores" % game, HTTPClient.METHOD_POST, headers, body)
		if answer.status in [200, 201, 202] and answer.body.has("submissionId"):
			# 202: stored, and ranked by itself in a moment; `rank` is null until then.
			submitted.emit(answer.body)
			return
		# Never earlier than the service asks for; grows, and differs between players, so that they do not all come back at once.
		var seconds := _retry_after(answer) + pow(2, attempt - 1) * randf_range(0.5, 1.5)
		if _is_refusal(answer) or attempt == ATTEMPTS or seconds > LONGEST_WAIT_SECONDS:
			failed.emit(answer.body)
			return
		await get_tree().create_timer(seconds).timeout


## Reads the first places of the running week.
func read_top(n := 10) -> void:
	var path := "/v1/games/%s/boards/current/top?n=%d" % [game, n]
	var answer := await _call(path, HTTPClient.METHOD_GET, PackedStringArray(), "")
	if answer.status == 200 and answer.body.get("entries") is Array:
		top_read.emit(answer.body["entries"])
	else:
		failed.emit(answer.body)


## Only the service's own refusal is final; 408, 425 and 429 are refusals of the moment.
func _is_refusal(answer: Dictionary) -> bool:
	var ours := str(answer.body.get("type", "")).begins_with(PROBLEM_TYPES)
	return ours and answer.status >= 400 and answer.status < 500 and not answer.status in [408, 425, 429]


## Seconds that the answer asks for: in the problem, or in the header as a number or a date of the sender's clock.
func _retry_after(answer: Dictionary) -> float:
	var told = answer.body.get("retryAfterSeconds")
	var least: float = told if told is float else 0.0
	var header: String = answer.headers.get("retry-after", "")
	if header.is_valid_int():
		return maxf(least, header.to_float())
	var at := _http_date(header)
	var sent := _http_date(answer.headers.get("date", ""))
	var now := sent if sent > 0.0 else Time.get_unix_time_from_system()
	return maxf(least, at - now)


## Unix time of a date such as "Mon, 30 Nov 2026 22:46:28 GMT"; 0 for other text.
func _http_date(text: String) -> float:
	var parts := text.split(" ", false)
	if parts.size() != 6 or not parts[2] in MONTHS:
		return 0.0
	var date := "%s-%02d-%02dT%s" % [parts[3], MONTHS.find(parts[2]) + 1, parts[1].to_int(), parts[4]]
	return float(Time.get_unix_time_from_datetime_string(date))


## Status 0: no answer, or one that broke off. JSON numbers are floats in Godot, exact for all points of Edgeboard (up to 2^33).
func _call(path: String, method: int, headers: PackedStringArray, body: String) -> Dictionary:
	var request := HTTPRequest.new()
	request.timeout = TIMEOUT_SECONDS
	add_child(request)
	var error := request.request(api + path, headers, method, body)
	if error != OK:
		request.queue_free()
		return {"status": 0, "headers": {}, "body": {"detail": error_string(error)}}
	var completed: Array = await request.request_completed
	request.queue_free()
	var status: int = completed[1] if completed[0] == HTTPRequest.RESULT_SUCCESS else 0
	var told := {}
	for line in completed[2]:
		told[line.get_slice(":", 0).to_lower()] = line.substr(line.find(":") + 1).strip_edges()
	# The HTML of a portal, an empty or a cut body is no JSON object.
	var json := JSON.new()
	var parsed = json.data if json.parse(completed[3].get_string_from_utf8()) == OK else null
	return {
		"status": status,
		"headers": told,
		"body": parsed if parsed is Dictionary else {"detail": "This is not an answer of the service."},
	}
