package main

import (
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// Functions run alone, other commands beside each other, as they seem to in Redis.
var world sync.RWMutex

// The call under way; guarded by `world`.
var current struct {
	up        *upstream
	keys      map[string]bool
	readsOnly bool
}

// How many functions were called since CONFIG RESETSTAT; the server behind sees only what they do.
var calls = map[string]int{}

var reads = map[string]bool{}

func init() {
	for _, name := range strings.Fields("EXISTS GET HGET MEMORY PFCOUNT TIME TYPE XINFO XPENDING XRANGE XREVRANGE ZCARD ZCOUNT ZMSCORE ZRANGE ZREVRANK ZSCORE") {
		reads[name] = true
	}
}

func fcall(up *upstream, args []string, readsOnly bool) reply {
	if len(args) < 3 {
		return failure("ERR wrong number of arguments for 'fcall' command")
	}
	f := findFunction(args[1])
	if f == nil {
		// Not redis-server's words: no caller may decide by them.
		return failure("ERR %s is not defined", args[1])
	}
	count, err := strconv.Atoi(args[2])
	if err != nil || count < 0 || count > len(args)-3 {
		return failure("ERR Bad number of keys provided")
	}
	if readsOnly && !f.readsOnly {
		return failure("ERR Can not execute a script with write flag using *_ro command.")
	}
	calls[strings.ToLower(args[0])]++
	L := f.lib.L
	keys, rest := L.NewTable(), L.NewTable()
	current.up, current.keys, current.readsOnly = up, map[string]bool{}, f.readsOnly
	for _, key := range args[3 : 3+count] {
		keys.Append(lua.LString(key))
		current.keys[key] = true
	}
	for _, arg := range args[3+count:] {
		rest.Append(lua.LString(arg))
	}
	top := L.GetTop()
	defer L.SetTop(top)
	if err := L.CallByParam(lua.P{Fn: f.body, NRet: 1, Protect: true}, keys, rest); err != nil {
		return failure("ERR Error running script: %s", err.Error())
	}
	return fromLua(L.Get(-1))
}

// The arguments of redis.call as text; a number that is no integer goes as Redis sends it.
func commandOf(L *lua.LState) []string {
	args := make([]string, L.GetTop())
	for i := range args {
		switch v := L.Get(i + 1).(type) {
		case lua.LString:
			args[i] = string(v)
		case lua.LNumber:
			args[i] = strconv.FormatFloat(float64(v), 'g', 17, 64)
			if float64(v) == float64(int64(v)) {
				args[i] = strconv.FormatInt(int64(v), 10)
			}
		default:
			L.RaiseError("Lua redis lib command arguments must be strings or integers")
		}
	}
	return args
}

// What Upstash refuses within a function; "" when the command may run.
func refusal(args []string) string {
	if current.readsOnly && !reads[strings.ToUpper(args[0])] {
		return "ERR Write commands are not allowed from read-only scripts."
	}
	for _, key := range keysOf(args) {
		if !current.keys[key] {
			return "ERR Dynamic keys are not allowed in Lua scripts when 'allow-key-locking' flag is set. Key was: " + key
		}
	}
	return ""
}

// The keys of a command, of those that may be called here.
func keysOf(args []string) []string {
	switch strings.ToUpper(args[0]) {
	case "PUBLISH", "TIME":
		return nil
	case "DEL", "EXISTS", "PFCOUNT", "UNLINK":
		return args[1:]
	case "MEMORY", "XGROUP", "XINFO":
		return args[2:3]
	}
	return args[1:2]
}

func redisCall(L *lua.LState, protected bool) int {
	args := commandOf(L)
	problem := refusal(args)
	if problem == "" {
		answer, err := current.up.do(args...)
		if err != nil {
			L.RaiseError("the server went away: %v", err)
		}
		if answer.kind != '-' {
			L.Push(toLua(L, reprint(args, answer)))
			return 1
		}
		problem = answer.text
	}
	if !protected {
		L.RaiseError("%s", problem)
	}
	return pushTable(L, "err", problem)
}
