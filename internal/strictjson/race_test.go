//go:build race

package strictjson

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A race on a value that encoding/json reads or writes is seen although encoding/json itself is not instrumented
// (docs/decisions/0025-what-the-race-detector-skips.md). The test runs itself again as a process that has the race.
func TestARaceThroughEncodingJSONIsSeen(t *testing.T) {
	type order struct {
		Name     string
		Quantity int
		Lines    []string
		Prices   map[string]string
	}
	encode := func(o *order) { _, _ = json.Marshal(o) }
	for name, race := range map[string]struct{ one, other func(o *order) }{
		"string read":   {encode, func(o *order) { o.Name = "b" }},
		"number read":   {encode, func(o *order) { o.Quantity = 2 }},
		"element read":  {encode, func(o *order) { o.Lines[0] = "b" }},
		"map read":      {encode, func(o *order) { o.Prices["b"] = "2" }},
		"field written": {func(o *order) { _ = json.Unmarshal([]byte(`{"Name":"b"}`), o) }, func(o *order) { _ = o.Name + "c" }},
		"map written": {func(o *order) { _ = json.Unmarshal([]byte(`{"Prices":{"b":"2"}}`), o) },
			func(o *order) { _ = o.Prices["a"] }},
	} {
		if os.Getenv("STOCKHAND_TEST_RACE") == name {
			o, done := &order{Name: "a", Lines: []string{"a"}, Prices: map[string]string{"a": "1"}}, make(chan bool)
			go func() {
				race.one(o)
				close(done)
			}()
			race.other(o)
			<-done
			return
		}
		if os.Getenv("STOCKHAND_TEST_RACE") != "" {
			continue
		}
		child := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$") //nolint:gosec // this test
		child.Env = append(os.Environ(), "STOCKHAND_TEST_RACE="+name, "GORACE=atexit_sleep_ms=0")
		if output, err := child.CombinedOutput(); err == nil || !strings.Contains(string(output), "DATA RACE") {
			t.Errorf("%s: no race is seen: %v\n%s", name, err, output)
		}
	}
}
