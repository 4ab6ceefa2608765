// A redis-server whose functions run on gopher-lua. Takes redis-server's arguments and runs the real one behind itself.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	// The server behind dies with the thread that started it, so this one must not end before the program does.
	runtime.LockOSThread()
	real := os.Getenv("REAL_REDIS_SERVER")
	args := os.Args[1:]
	if len(args) == 0 || args[0] == "--version" {
		cmd := exec.Command(real, args...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		end(cmd.Run())
		return
	}
	folder, err := os.MkdirTemp("", "upstash-lua-")
	end(err)
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "redis.sock")
	network, address, behind := moved(args, socket)

	child := exec.Command(real, behind...)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	end(child.Start())
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGTERM, syscall.SIGINT)

	for {
		if up, err := dial(socket); err == nil {
			up.conn.Close()
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	listener, err := net.Listen(network, address)
	end(err)
	go accept(listener, socket)
	<-stopped
	listener.Close()
	child.Process.Signal(syscall.SIGTERM)
	child.Wait()
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Where clients come, and the arguments for a server that listens on `socket` instead.
func moved(args []string, socket string) (network, address string, behind []string) {
	port := ""
	for i := 0; i+1 < len(args); i++ {
		switch args[i] {
		case "--unixsocket":
			network, address = "unix", args[i+1]
		case "--port":
			port = args[i+1]
		}
	}
	if address == "" {
		network, address = "tcp", "127.0.0.1:"+port
	}
	// The last of two equal options counts.
	return network, address, append(append([]string{}, args...), "--port", "0", "--unixsocket", socket)
}

func accept(listener net.Listener, socket string) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go serve(conn, socket)
	}
}

// One client, with a connection of its own to the server behind: AUTH, MULTI and SUBSCRIBE stay what they are.
func serve(conn net.Conn, socket string) {
	defer conn.Close()
	up, err := dial(socket)
	if err != nil {
		return
	}
	defer up.conn.Close()
	r, w := bufio.NewReaderSize(conn, 1<<16), bufio.NewWriterSize(conn, 1<<16)
	for {
		args, err := readCommand(r)
		if err != nil {
			return
		}
		if len(args) == 0 {
			continue
		}
		if name := strings.ToUpper(args[0]); name == "MONITOR" || strings.HasSuffix(name, "SUBSCRIBE") {
			passOn(conn, r, up, args)
			return
		}
		out, err := execute(up, args)
		if err != nil {
			return
		}
		writeReply(w, out)
		if r.Buffered() == 0 && w.Flush() != nil {
			return
		}
	}
}

func execute(up *upstream, args []string) (reply, error) {
	name := strings.ToUpper(args[0])
	switch name {
	case "HELLO":
		return failure("NOPROTO unsupported protocol version"), nil
	case "FCALL", "FCALL_RO", "FUNCTION":
		world.Lock()
		defer world.Unlock()
		if name == "FUNCTION" {
			return manage(up, args)
		}
		return fcall(up, args, name == "FCALL_RO"), nil
	}
	for _, arg := range args {
		if strings.EqualFold(arg, "BLOCK") {
			return up.do(args...)
		}
	}
	world.RLock()
	defer world.RUnlock()
	out, err := up.do(args...)
	if err != nil {
		return out, err
	}
	switch {
	case name == "CONFIG" && strings.EqualFold(args[1], "RESETSTAT"):
		calls = map[string]int{}
	case name == "INFO" && strings.EqualFold(args[len(args)-1], "commandstats"):
		for command, count := range calls {
			out.text += fmt.Sprintf("cmdstat_%s:calls=%d\r\n", command, count)
		}
	}
	return reprint(args, out), nil
}

func manage(up *upstream, args []string) (reply, error) {
	ok := reply{kind: '+', text: "OK"}
	switch strings.ToUpper(strings.Join(args[1:2], "")) {
	case "LOAD":
		return load(args[len(args)-1], len(args) > 3), nil
	case "LIST":
		return list(args[2:]), nil
	case "FLUSH":
		libraries = map[string]*library{}
		return ok, nil
	case "DELETE":
		if libraries[args[2]] == nil {
			return failure("ERR Library not found"), nil
		}
		delete(libraries, args[2])
		return ok, nil
	}
	return up.do(args...)
}

// From here on both sides send whenever they want.
func passOn(conn net.Conn, r io.Reader, up *upstream, args []string) {
	if up.send(args) != nil {
		return
	}
	go func() {
		io.Copy(conn, up.r)
		conn.Close()
	}()
	io.Copy(up.conn, r)
}
