// The checker porcupine (github.com/anishathalye/porcupine) on the histories that Linspect is measured on.
//
//	porcupine FILE       prints `holds` or `violated` and the seconds that deciding took, without reading
//
// FILE is JSON Lines as `linspect generate` writes them, a log of Jepsen's etcd tests (*.log) or of porcupine's own tests of a
// map (*.txt). ../run builds this.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const never = int64(1) << 62

// Values of register, set and containers are numbers; null is this one, and true and false are 1 and 0.
const null = int64(-1) << 62

type input struct {
	f    string
	key  string
	a, b int64
	text string
}

type output struct {
	known bool
	value int64
	text  string
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var spec string
	var history []porcupine.Operation
	switch {
	case strings.HasSuffix(os.Args[1], ".log"):
		spec, history = "cas-register", etcd(string(data))
	case strings.HasSuffix(os.Args[1], ".txt"):
		spec, history = "text-map", textMap(string(data))
	default:
		spec, history = jsonLines(string(data))
	}
	begin := time.Now()
	holds := porcupine.CheckOperations(model(spec), history)
	word, code := "holds", 0
	if !holds {
		word, code = "violated", 1
	}
	fmt.Printf("%s %.4f\n", word, time.Since(begin).Seconds())
	os.Exit(code)
}

// ---- Models.

func model(spec string) porcupine.Model {
	m := porcupine.Model{Partition: whole, Equal: func(a, b interface{}) bool { return a == b }}
	switch spec {
	case "register", "cas-register", "kv":
		m.Init = func() interface{} { return null }
		m.Step = stepRegister
	case "set":
		m.Init = func() interface{} { return int64(0) }
		m.Step = stepSet
	case "text-map":
		m.Init = func() interface{} { return "" }
		m.Step = stepText
	case "queue", "stack", "deque":
		m.Init = func() interface{} { return []int64(nil) }
		m.Step = stepContainer
		m.Equal = func(a, b interface{}) bool {
			x, y := a.([]int64), b.([]int64)
			if len(x) != len(y) {
				return false
			}
			for i := range x {
				if x[i] != y[i] {
					return false
				}
			}
			return true
		}
	default:
		fmt.Fprintln(os.Stderr, "no model of", spec)
		os.Exit(2)
	}
	if spec == "kv" || spec == "set" || spec == "text-map" {
		m.Partition = byKey
	}
	return m
}

func whole(history []porcupine.Operation) [][]porcupine.Operation {
	return [][]porcupine.Operation{history}
}

func byKey(history []porcupine.Operation) [][]porcupine.Operation {
	at := map[string]int{}
	var parts [][]porcupine.Operation
	for _, op := range history {
		key := op.Input.(*input).key
		i, known := at[key]
		if !known {
			i = len(parts)
			at[key] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], op)
	}
	return parts
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func stepRegister(state, in, out interface{}) (bool, interface{}) {
	s, i, o := state.(int64), in.(*input), out.(*output)
	switch i.f {
	case "write", "put":
		return true, i.a
	case "read", "get":
		return !o.known || o.value == s, state
	}
	if o.known && o.value != bit(s == i.a) {
		return false, state
	}
	if s == i.a {
		return true, i.b
	}
	return true, state
}

func stepSet(state, in, out interface{}) (bool, interface{}) {
	s, i, o := state.(int64), in.(*input), out.(*output)
	result, next := s, s
	switch i.f {
	case "add":
		result, next = 1-s, 1
	case "remove":
		next = 0
	}
	return !o.known || o.value == result, next
}

func stepText(state, in, out interface{}) (bool, interface{}) {
	s, i, o := state.(string), in.(*input), out.(*output)
	switch i.f {
	case "put":
		return true, i.text
	case "append":
		return true, s + i.text
	}
	return !o.known || o.text == s, state
}

func stepContainer(state, in, out interface{}) (bool, interface{}) {
	s, i, o := state.([]int64), in.(*input), out.(*output)
	switch i.f {
	case "enqueue", "push", "push_back":
		next := make([]int64, len(s)+1)
		copy(next, s)
		next[len(s)] = i.a
		return true, next
	case "push_front":
		next := make([]int64, len(s)+1)
		copy(next[1:], s)
		next[0] = i.a
		return true, next
	}
	if len(s) == 0 {
		return !o.known || o.value == null, state
	}
	if i.f == "dequeue" || i.f == "pop_front" {
		return !o.known || o.value == s[0], s[1:]
	}
	last := len(s) - 1
	return !o.known || o.value == s[last], s[:last]
}

// ---- Reading.

func jsonLines(data string) (string, []porcupine.Operation) {
	spec := ""
	var history []porcupine.Operation
	for _, line := range strings.Split(data, "\n") {
		if line == "" {
			continue
		}
		if strings.Contains(line, `"linspect"`) {
			spec = field(line, `"spec":`)
			continue
		}
		in, out := &input{f: field(line, `"f":`)}, &output{}
		value := field(line, `"value":`)
		if strings.HasPrefix(value, "[") {
			a, b, _ := strings.Cut(strings.Trim(value, "[]"), ",")
			in.a, in.b = number(a), number(b)
			in.key = a
			if in.f == "put" {
				in.a = number(b)
			}
		} else {
			in.a, in.key = number(value), value
		}
		op := porcupine.Operation{Input: in, Output: out, Call: number(field(line, `"call":`)), Return: never}
		if ret := field(line, `"return":`); ret != "" {
			op.Return = number(ret)
			out.known = in.f != "write" && in.f != "put"
			out.value = number(field(line, `"result":`))
		}
		history = append(history, op)
	}
	return spec, history
}

// The text of a field: a number, a word, a text without its quotes or a list.
func field(line, name string) string {
	at := strings.Index(line, name)
	if at < 0 {
		return ""
	}
	rest := line[at+len(name):]
	switch rest[0] {
	case '"':
		return rest[1 : 1+strings.IndexByte(rest[1:], '"')]
	case '[':
		return strings.ReplaceAll(rest[:1+strings.IndexByte(rest, ']')], `"`, "")
	}
	return rest[:strings.IndexAny(rest, ",}")]
}

func number(text string) int64 {
	switch text {
	case "true":
		return 1
	case "false":
		return 0
	case "null", "nil", "":
		return null
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0 // a key
	}
	return n
}

// Lines such as `INFO  jepsen.util - 4	:invoke	:cas	[1 2]`; the order of lines is that of time.
func etcd(data string) []porcupine.Operation {
	var history []porcupine.Operation
	open := map[string]int{}
	for now, line := range strings.Split(data, "\n") {
		_, rest, is := strings.Cut(line, "jepsen.util - ")
		words := strings.Fields(rest)
		if !is || len(words) < 4 || words[1][0] != ':' {
			continue
		}
		process, kind, f := words[0], words[1], words[2]
		value := strings.Trim(strings.Join(words[3:], " "), "[]")
		if kind == ":invoke" {
			in := &input{f: f[1:]}
			a, b, _ := strings.Cut(value, " ")
			if f != ":read" {
				in.a, in.b = number(a), number(b)
			}
			open[process] = len(history)
			history = append(history, porcupine.Operation{Input: in, Output: &output{}, Call: int64(now), Return: never})
			continue
		}
		at, is := open[process]
		if !is || kind == ":info" {
			continue
		}
		delete(open, process)
		op, out := &history[at], history[at].Output.(*output)
		switch {
		case kind == ":ok" && f == ":read":
			out.known, out.value = true, number(value)
		case f == ":cas":
			out.known, out.value = true, bit(kind == ":ok")
		case kind == ":fail" && f == ":read":
			continue
		}
		op.Return = int64(now)
	}
	// Reads that say nothing need not be placed.
	var kept []porcupine.Operation
	for _, op := range history {
		if op.Return != never || op.Input.(*input).f != "read" {
			kept = append(kept, op)
		}
	}
	return kept
}

// Lines such as `{:process 9, :type :ok, :f :get, :key "0", :value "x"}`.
func textMap(data string) []porcupine.Operation {
	var history []porcupine.Operation
	open := map[string]int{}
	for now, line := range strings.Split(data, "\n") {
		if !strings.Contains(line, ":process") {
			continue
		}
		process, value := word(line, ":process "), word(line, ":value ")
		if word(line, ":type ") == ":invoke" {
			in := &input{f: word(line, ":f ")[1:], key: word(line, ":key "), text: value}
			open[process] = len(history)
			history = append(history, porcupine.Operation{Input: in, Output: &output{}, Call: int64(now), Return: never})
			continue
		}
		op := &history[open[process]]
		op.Return = int64(now)
		if op.Input.(*input).f == "get" {
			*op.Output.(*output) = output{known: true, text: value}
		}
	}
	return history
}

func word(line, name string) string {
	at := strings.Index(line, name)
	rest := line[at+len(name):]
	if rest[0] == '"' {
		return rest[1 : 1+strings.IndexByte(rest[1:], '"')]
	}
	return rest[:strings.IndexAny(rest, ",}")]
}
