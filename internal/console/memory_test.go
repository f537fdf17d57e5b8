package console_test

import (
	"bufio"
	"fmt"
	"math"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// A thousand people watch answers at once. It prints what each costs, with the tests' side of the connection.
func TestMemoryOfAThousandStreams(t *testing.T) {
	const streams, most = 1000, 80 << 10 // the goal is 60 KB, without the race detector
	s := apptest.Start(t, apptest.Options{Accounts: 1, SQLite: true, Configure: func(c *app.Config) {
		c.Streams = ratelimit.Share{OfActor: math.MaxInt32, OfOrg: math.MaxInt32}
	}})
	// the run does not end by itself
	if err := s.Sandbox.Fail(sandbox.Fault{Path: ".", Count: 1_000_000,
		DelayMS: int(time.Hour.Milliseconds())}); err != nil {
		t.Fatal(err)
	}
	b := as(t, s, stockhand.RoleMember)
	turn := asked(t, b, "сколько денег на счетах?", "")
	heap := func() uint64 {
		for range 4 { // each shrinks the stacks that rendering has grown
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	host := strings.TrimPrefix(s.URL, "http://")
	open := func() net.Conn {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(c, "GET %s/stream HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", turn, host,
			b.cookie); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReaderSize(c, 512)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(line, "HTTP/") && !strings.Contains(line, http.StatusText(http.StatusOK)) {
				t.Fatal(line)
			}
			if strings.HasPrefix(line, "event: state") {
				return c
			}
		}
	}
	defer open().Close()
	before := heap()
	all := make([]net.Conn, streams)
	for i := range all {
		all[i] = open()
	}
	each := (int64(heap()) - int64(before)) / streams
	t.Logf("memory of each of %d streams: %d KB", streams, each>>10)
	if each > most {
		t.Errorf("%d bytes for each stream, more than %d", each, most)
	}
	for _, c := range all {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := b.post(turn+"/cancel", nil); got.Status != http.StatusSeeOther {
		t.Errorf("stop: %d", got.Status)
	}
}
