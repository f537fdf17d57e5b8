package client_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/client"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// wire passes bytes between a client and the server until it is cut.
type wire struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	lines []net.Conn
	made  int
}

func newWire(t *testing.T, server string) *wire {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, to: strings.TrimPrefix(server, "http://")}
	var passing sync.WaitGroup
	passing.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := new(net.Dialer).DialContext(context.Background(), "tcp", w.to)
			if err != nil {
				_ = near.Close()
				continue
			}
			w.mu.Lock()
			w.lines = append(w.lines, near, far)
			w.made++
			w.mu.Unlock()
			passing.Go(func() { _, _ = io.Copy(far, near); _ = far.Close() })
			passing.Go(func() { _, _ = io.Copy(near, far); _ = near.Close() })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		w.cut()
		passing.Wait()
	})
	return w
}

// cut breaks every connection.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.lines {
		_ = c.Close()
	}
	w.lines = nil
}

func (w *wire) connections() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.made
}

func TestALostConnectionLosesNoEventAndRepeatsNone(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	w := newWire(t, s.URL)
	c, err := client.New("http://"+w.listener.Addr().String(), s.Key(stockhand.ScopeWriteTools), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Sandbox.Fail(sandbox.Fault{Method: "GET", Path: "report/", Count: 2, DelayMS: 300}); err != nil {
		t.Fatal(err)
	}
	turn, err := c.Start(t.Context(), client.Task{Message: "прибыльность по товарам за прошлый месяц"})
	if err != nil {
		t.Fatal(err)
	}
	var last stockhand.EventType
	next := int64(1)
	for e, err := range c.Follow(t.Context(), turn, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq > 0 {
			if e.Seq != next {
				t.Errorf("event %d came where %d was due", e.Seq, next)
			}
			next = e.Seq + 1
			w.cut()
		}
		last = e.Type
	}
	if last != stockhand.EventComplete || w.connections() < 3 {
		t.Errorf("ended with %s over %d connections", last, w.connections())
	}
	if m, err := c.Finished(t.Context(), turn); err != nil || !strings.Contains(string(m), `"state":"done"`) {
		t.Errorf("%s, %v", m, err)
	}
}

func TestARejectionByTheServerEndsAReader(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	c, err := client.New(s.URL, s.Key(stockhand.ScopeReadTools), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range c.Follow(t.Context(), client.Turn{Session: "ses_x", Message: "msg_x"}, 0) {
		if code := stockhand.CodeOf(err); code != stockhand.CodeNotFound && code != stockhand.CodePermissionDenied {
			t.Errorf("%v", err)
		}
	}
	if _, err := c.Start(t.Context(), client.Task{Message: "остатки"}); stockhand.CodeOf(
		err) != stockhand.CodePermissionDenied {
		t.Errorf("%v", err)
	}
}

func TestAnInterruptedReaderEndsImmediately(t *testing.T) {
	t.Parallel()
	c, err := client.New("http://127.0.0.1:1", "sk-org-x", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	for _, err := range c.Follow(ctx, client.Turn{Session: "ses_x", Message: "msg_x"}, 0) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	}
}

// Review L2: a redirect took a task, and `stockhand mcp` the key, to another host.
func TestAttackARedirectIsNotFollowed(t *testing.T) {
	var arrived atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/stolen", http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, "sk-org-secret", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Start(t.Context(), client.Task{Message: "secret task"}); stockhand.CodeOf(err) !=
		stockhand.CodeExternalUnavailable {
		t.Errorf("start: %v", err)
	}
	if err := c.Me(t.Context()); err == nil {
		t.Error("a redirect counts as an answer")
	}
	if n := arrived.Load(); n != 0 {
		t.Errorf("%d requests followed", n)
	}
}
