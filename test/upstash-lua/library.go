package main

import (
	"regexp"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

type function struct {
	lib       *library
	name      string
	body      *lua.LFunction
	flags     []string
	readsOnly bool
}

type library struct {
	name, code string
	L          *lua.LState
	functions  []*function
}

// Everything that FUNCTION LOAD brought; guarded by `world`.
var libraries = map[string]*library{}

func findFunction(name string) *function {
	for _, lib := range libraries {
		for _, f := range lib.functions {
			if f.name == name {
				return f
			}
		}
	}
	return nil
}

var header = regexp.MustCompile(`^#!lua name=(\w+)\r?\n`)

func load(code string, replace bool) reply {
	match := header.FindStringSubmatch(code)
	if match == nil {
		return failure("ERR Missing library metadata")
	}
	name := match[1]
	if libraries[name] != nil && !replace {
		return failure("ERR Library '%s' already exists", name)
	}
	lib := &library{name: name, code: code, L: newState()}
	problem := ""
	lib.L.SetField(lib.L.GetGlobal("redis"), "register_function", lib.L.NewFunction(func(L *lua.LState) int {
		f := registered(L, lib)
		if other := findFunction(f.name); other != nil && other.lib.name != name {
			problem = "ERR Function " + f.name + " already exists"
		}
		lib.functions = append(lib.functions, f)
		return 0
	}))
	if err := lib.L.DoString("--" + code[2:]); err != nil {
		return failure("ERR Error registering functions: %s", err.Error())
	}
	if problem != "" {
		return failure("%s", problem)
	}
	libraries[name] = lib
	return bulk(name)
}

// A state with the libraries that Redis gives a function, and `redis`.
func newState() *lua.LState {
	L := lua.NewState(lua.Options{SkipOpenLibs: true})
	for name, open := range map[string]lua.LGFunction{
		lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable,
		lua.StringLibName: lua.OpenString, lua.MathLibName: lua.OpenMath,
	} {
		L.Push(L.NewFunction(open))
		L.Push(lua.LString(name))
		L.Call(1, 0)
	}
	redis := L.NewTable()
	for name, body := range map[string]lua.LGFunction{
		"call":         func(L *lua.LState) int { return redisCall(L, false) },
		"pcall":        func(L *lua.LState) int { return redisCall(L, true) },
		"log":          func(L *lua.LState) int { return 0 },
		"error_reply":  func(L *lua.LState) int { return pushTable(L, "err", L.CheckString(1)) },
		"status_reply": func(L *lua.LState) int { return pushTable(L, "ok", L.CheckString(1)) },
	} {
		L.SetField(redis, name, L.NewFunction(body))
	}
	L.SetGlobal("redis", redis)
	return L
}

func pushTable(L *lua.LState, field, text string) int {
	table := L.NewTable()
	table.RawSetString(field, lua.LString(text))
	L.Push(table)
	return 1
}

func registered(L *lua.LState, lib *library) *function {
	f := &function{lib: lib}
	options, ok := L.Get(1).(*lua.LTable)
	if !ok {
		f.name, f.body = L.CheckString(1), L.CheckFunction(2)
		return f
	}
	f.name = lua.LVAsString(options.RawGetString("function_name"))
	f.body, _ = options.RawGetString("callback").(*lua.LFunction)
	if flags, ok := options.RawGetString("flags").(*lua.LTable); ok {
		flags.ForEach(func(_, flag lua.LValue) { f.flags = append(f.flags, lua.LVAsString(flag)) })
	}
	for _, flag := range f.flags {
		f.readsOnly = f.readsOnly || flag == "no-writes"
	}
	if f.name == "" || f.body == nil {
		L.RaiseError("redis.register_function must get a name and a callback")
	}
	return f
}

func list(args []string) reply {
	wanted, withCode := "", false
	for i, arg := range args {
		withCode = withCode || strings.EqualFold(arg, "WITHCODE")
		if strings.EqualFold(arg, "LIBRARYNAME") && i+1 < len(args) {
			wanted = args[i+1]
		}
	}
	out := reply{kind: '*', list: []reply{}}
	for _, lib := range libraries {
		if wanted != "" && wanted != lib.name {
			continue
		}
		functions := reply{kind: '*', list: []reply{}}
		for _, f := range lib.functions {
			flags := reply{kind: '*', list: []reply{}}
			for _, flag := range f.flags {
				flags.list = append(flags.list, bulk(flag))
			}
			one := []reply{bulk("name"), bulk(f.name), bulk("description"), {kind: '$', null: true}, bulk("flags"), flags}
			functions.list = append(functions.list, reply{kind: '*', list: one})
		}
		item := []reply{bulk("library_name"), bulk(lib.name), bulk("engine"), bulk("LUA"), bulk("functions"), functions}
		if withCode {
			item = append(item, bulk("library_code"), bulk(lib.code))
		}
		out.list = append(out.list, reply{kind: '*', list: item})
	}
	return out
}
