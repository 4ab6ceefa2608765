package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// A reply of Redis in RESP2: a status, an error, an integer, a string or a list. `null` is a string or list that is none.
type reply struct {
	kind byte
	text string
	num  int64
	null bool
	list []reply
}

func failure(format string, args ...interface{}) reply {
	return reply{kind: '-', text: fmt.Sprintf(format, args...)}
}

func bulk(text string) reply { return reply{kind: '$', text: text} }

func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func readReply(r *bufio.Reader) (reply, error) {
	line, err := readLine(r)
	if err != nil {
		return reply{}, err
	}
	if line == "" {
		return reply{}, fmt.Errorf("an empty line is no reply")
	}
	kind, rest := line[0], line[1:]
	if kind == '+' || kind == '-' {
		return reply{kind: kind, text: rest}, nil
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	if err != nil {
		return reply{}, err
	}
	switch {
	case kind == ':':
		return reply{kind: kind, num: n}, nil
	case n < 0:
		return reply{kind: kind, null: true}, nil
	case kind == '$':
		data := make([]byte, n+2)
		if _, err := io.ReadFull(r, data); err != nil {
			return reply{}, err
		}
		return bulk(string(data[:n])), nil
	case kind == '*':
		out := reply{kind: kind, list: make([]reply, n)}
		for i := range out.list {
			if out.list[i], err = readReply(r); err != nil {
				return reply{}, err
			}
		}
		return out, nil
	}
	return reply{}, fmt.Errorf("not RESP2: %q", line)
}

func writeReply(w *bufio.Writer, r reply) {
	switch {
	case r.kind == '+' || r.kind == '-':
		fmt.Fprintf(w, "%c%s\r\n", r.kind, strings.NewReplacer("\r", " ", "\n", " ").Replace(r.text))
	case r.kind == ':':
		fmt.Fprintf(w, ":%d\r\n", r.num)
	case r.null:
		fmt.Fprintf(w, "%c-1\r\n", r.kind)
	case r.kind == '$':
		fmt.Fprintf(w, "$%d\r\n%s\r\n", len(r.text), r.text)
	default:
		fmt.Fprintf(w, "*%d\r\n", len(r.list))
		for _, item := range r.list {
			writeReply(w, item)
		}
	}
}

// The next command of a client; none when it sent an empty line.
func readCommand(r *bufio.Reader) ([]string, error) {
	start, err := r.Peek(1)
	if err != nil {
		return nil, err
	}
	if start[0] != '*' {
		line, err := readLine(r)
		return strings.Fields(line), err
	}
	command, err := readReply(r)
	args := make([]string, len(command.list))
	for i, arg := range command.list {
		args[i] = arg.text
	}
	return args, err
}

// A connection to the redis-server behind this program.
type upstream struct {
	conn net.Conn
	r    *bufio.Reader
	w    *bufio.Writer
}

func dial(socket string) (*upstream, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	return &upstream{conn, bufio.NewReaderSize(conn, 1<<16), bufio.NewWriterSize(conn, 1<<16)}, nil
}

func (u *upstream) send(args []string) error {
	fmt.Fprintf(u.w, "*%d\r\n", len(args))
	for _, arg := range args {
		fmt.Fprintf(u.w, "$%d\r\n%s\r\n", len(arg), arg)
	}
	return u.w.Flush()
}

func (u *upstream) do(args ...string) (reply, error) {
	if err := u.send(args); err != nil {
		return reply{}, err
	}
	return readReply(u.r)
}
