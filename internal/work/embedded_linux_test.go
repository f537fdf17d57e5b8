package work_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/work"
)

// The embedded NATS server serves this process only.
func TestAttackTheEmbeddedServerListensNowhere(t *testing.T) {
	before := listening(t)
	e, err := work.Open(t.Context(), work.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if after := listening(t); len(after) > len(before) {
		t.Errorf("the process listens on sockets %v, before on %v", after, before)
	}
}

// listening returns the numbers of this process's sockets that listen on TCP.
func listening(t *testing.T) (own []string) {
	t.Helper()
	folder, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folder {
		to, err := os.Readlink("/proc/self/fd/" + f.Name())
		if number, ok := strings.CutPrefix(to, "socket:["); err == nil && ok {
			own = append(own, strings.TrimSuffix(number, "]"))
		}
	}
	all := ""
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		b, err := os.ReadFile(table)
		if err != nil {
			continue // without IPv6 there is no second one
		}
		all += string(b)
	}
	return slices.DeleteFunc(own, func(number string) bool {
		return !slices.ContainsFunc(strings.Split(all, "\n"), func(line string) bool {
			cells := strings.Fields(line)
			return len(cells) > 9 && cells[3] == "0A" && cells[9] == number
		})
	})
}
