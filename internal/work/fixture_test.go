package work_test

import (
	"context"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/work"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// cluster is a NATS server of its own, as replicas share one, that can be stopped and started.
type cluster struct {
	t       *testing.T
	options *server.Options
	server  *server.Server
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t, options: &server.Options{
		ServerName: "test", Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true,
		StoreDir: t.TempDir(),
	}}
	c.start()
	if at, ok := c.server.Addr().(*net.TCPAddr); ok {
		c.options.Port = at.Port // the same after a restart
	}
	t.Cleanup(c.stop)
	return c
}

func (c *cluster) start() {
	c.t.Helper()
	s, err := server.NewServer(c.options)
	if err != nil {
		c.t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		c.t.Fatal("the NATS server does not start")
	}
	c.server = s
}

func (c *cluster) stop() {
	c.server.Shutdown()
	c.server.WaitForShutdown()
}

func open(t *testing.T, url string) *work.Engine {
	t.Helper()
	e, err := work.Open(t.Context(), work.Config{URL: url, Ring: worktest.Ring()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// each runs a test on an engine of every kind; both are the same one where there are no replicas.
func each(t *testing.T, test func(t *testing.T, one, other *work.Engine)) {
	t.Run("local", func(t *testing.T) {
		noneLeft(t)
		e := work.Local(nil)
		t.Cleanup(e.Close)
		test(t, e, e)
	})
	t.Run("embedded", func(t *testing.T) {
		noneLeft(t)
		e := open(t, "")
		test(t, e, e)
	})
	t.Run("replicas", func(t *testing.T) {
		noneLeft(t)
		c := newCluster(t)
		test(t, open(t, c.server.ClientURL()), open(t, c.server.ClientURL()))
	})
}

// noneLeft fails a test that leaves goroutines of ours or of the engine behind.
func noneLeft(t *testing.T) {
	t.Cleanup(func() {
		until := time.Now().Add(time.Minute)
		for {
			left := ours()
			if len(left) == 0 {
				return
			}
			if time.Now().After(until) {
				t.Errorf("%d goroutines are left:\n%s", len(left), strings.Join(left, "\n\n"))
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}

// ours are the goroutines that run code of the engine or of NATS.
func ours() (left []string) {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	for g := range strings.SplitSeq(string(all), "\n\n") {
		if strings.Contains(g, "work.ours(") {
			continue
		}
		if strings.Contains(g, "internal/work.") || strings.Contains(g, "nats-io") {
			left = append(left, g)
		}
	}
	return left
}

// worker lets an engine work until the test is over.
func worker(t *testing.T, e *work.Engine, do func(ctx context.Context, o *work.Delivery) error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var over sync.WaitGroup
	over.Go(func() { e.Work(ctx, 4, do) })
	t.Cleanup(func() {
		stop()
		over.Wait()
	})
}

func someRun() stockhand.Run {
	return stockhand.Run{ID: stockhand.NewID[stockhand.RunID]("run"), Org: stockhand.NewID[stockhand.OrgID]("org")}
}

// soon is how long a test waits for what should happen at once.
const soon = 20 * time.Second

func next[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(soon):
		t.Fatalf("%s did not happen", what)
	}
	return v
}
