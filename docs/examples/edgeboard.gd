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


## Submits points; `match_id` makes retries safe, also after the game was closed in between.
func submit(player: String, points: int, match_id: String) -> void:
	var headers := PackedStringArray([
		"Content-Type: application/json",
		"Authorization: Bearer %s" % player_token,
		"Idempotency-Key: %s" % match_id,
	])
	var body := JSON.stringify({"player": player, "points": points})
	for attempt in range(1, ATTEMPTS + 1):
		var answer := await _call("/v1/games/%s/scores" % game, HTTPClient.METHOD_POST, headers, body)
		if answer.status in [200, 201, 202]:
			# 202: stored, and ranked by itself in a moment; `rank` is null until then.
			submitted.emit(answer.body)
			return
		if not answer.status in [0, 429, 503] or attempt == ATTEMPTS:
			failed.emit(answer.body)
			return
		# Grows, and differs between players, so that they do not all come back at once.
		var seconds := maxf(answer.body.get("retryAfterSeconds", 0), pow(2, attempt - 1))
		await get_tree().create_timer(seconds * randf_range(0.5, 1.5)).timeout


## Reads the first places of the running week.
func read_top(n := 10) -> void:
	var path := "/v1/games/%s/boards/current/top?n=%d" % [game, n]
	var answer := await _call(path, HTTPClient.METHOD_GET, PackedStringArray(), "")
	if answer.status == 200:
		top_read.emit(answer.body["entries"])
	else:
		failed.emit(answer.body)


## Status 0: no answer. JSON numbers are floats in Godot, exact for all points of Edgeboard (up to 2^33).
func _call(path: String, method: int, headers: PackedStringArray, body: String) -> Dictionary:
	var request := HTTPRequest.new()
	request.timeout = TIMEOUT_SECONDS
	add_child(request)
	var error := request.request(api + path, headers, method, body)
	if error != OK:
		request.queue_free()
		return {"status": 0, "body": {"detail": error_string(error)}}
	var completed: Array = await request.request_completed
	request.queue_free()
	var parsed = JSON.parse_string(completed[3].get_string_from_utf8())
	return {"status": completed[1], "body": parsed if parsed is Dictionary else {"detail": "no answer"}}
