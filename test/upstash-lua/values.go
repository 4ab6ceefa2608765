package main

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// A null is nil here and false in Redis: a library must take both.
func toLua(L *lua.LState, r reply) lua.LValue {
	switch {
	case r.null:
		return lua.LNil
	case r.kind == ':':
		return lua.LNumber(r.num)
	case r.kind == '$':
		return lua.LString(r.text)
	}
	table := L.NewTable()
	switch r.kind {
	case '+':
		table.RawSetString("ok", lua.LString(r.text))
	case '-':
		table.RawSetString("err", lua.LString(r.text))
	default:
		for i, item := range r.list {
			table.RawSetInt(i+1, toLua(L, item))
		}
	}
	return table
}

func fromLua(value lua.LValue) reply {
	switch v := value.(type) {
	case lua.LString:
		return bulk(string(v))
	case lua.LNumber:
		return reply{kind: ':', num: int64(v)}
	case lua.LBool:
		if v {
			return reply{kind: ':', num: 1}
		}
	case *lua.LTable:
		if text := v.RawGetString("err"); text != lua.LNil {
			return failure("%s", text.String())
		}
		if text := v.RawGetString("ok"); text != lua.LNil {
			return reply{kind: '+', text: text.String()}
		}
		out := reply{kind: '*', list: []reply{}}
		for i := 1; v.RawGetInt(i) != lua.LNil; i++ {
			out.list = append(out.list, fromLua(v.RawGetInt(i)))
		}
		return out
	}
	return reply{kind: '$', null: true}
}

// Scores in another form than redis-server's: all digits in lists, an exponent (and no point, where it can be) alone.
func reprint(args []string, r reply) reply {
	switch name := strings.ToUpper(args[0]); {
	case name == "ZSCORE" && !r.null && r.kind == '$':
		r.text = printed(r.text, 'e')
	case name == "ZRANGE" && r.kind == '*' && strings.EqualFold(args[len(args)-1], "WITHSCORES"):
		for i := 1; i < len(r.list); i += 2 {
			r.list[i].text = printed(r.list[i].text, 'f')
		}
	case name == "XINFO" && strings.EqualFold(args[1], "STREAM"):
		r.list = without(r.list, "entries-added", "max-deleted-entry-id", "recorded-first-entry-id")
	}
	return r
}

func printed(score string, form byte) string {
	number, err := strconv.ParseFloat(score, 64)
	if err != nil {
		return score
	}
	return strconv.FormatFloat(number, form, -1, 64)
}

// A flat list of names and values without some names: servers know more of them in later versions.
func without(flat []reply, names ...string) []reply {
	kept := []reply{}
	for i := 0; i+1 < len(flat); i += 2 {
		known := true
		for _, name := range names {
			known = known && flat[i].text != name
		}
		if known {
			kept = append(kept, flat[i], flat[i+1])
		}
	}
	return kept
}
