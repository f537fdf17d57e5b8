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

// proxy forwards TCP connections to a server and can drop them.
type proxy struct {
	listener net.Listener
	server   string

	mu    sync.Mutex
	open  []net.Conn
	total int
}

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &proxy{listener: l, server: strings.TrimPrefix(server, "http://")}
	var copying sync.WaitGroup
	copying.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := new(net.Dialer).DialContext(context.Background(), "tcp", w.server)
			if err != nil {
				_ = near.Close()
				continue
			}
			w.mu.Lock()
			w.open = append(w.open, near, far)
			w.total++
			w.mu.Unlock()
			copying.Go(func() { _, _ = io.Copy(far, near); _ = far.Close() })
			copying.Go(func() { _, _ = io.Copy(near, far); _ = near.Close() })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		w.drop()
		copying.Wait()
	})
	return w
}

// drop closes all connections.
func (w *proxy) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		_ = c.Close()
	}
	w.open = nil
}

func (w *proxy) connections() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total
}

func TestAReconnectNeitherLosesNorRepeatsEvents(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	w := newProxy(t, s.URL)
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
				t.Errorf("got event %d, want %d", e.Seq, next)
			}
			next = e.Seq + 1
			w.drop()
		}
		last = e.Type
	}
	if last != stockhand.EventComplete || w.connections() < 3 {
		t.Errorf("ended with %s after %d connections", last, w.connections())
	}
	if m, err := c.Finished(t.Context(), turn); err != nil || !strings.Contains(string(m), `"state":"done"`) {
		t.Errorf("%s, %v", m, err)
	}
}

func TestAReaderStopsWhenTheServerRejectsIt(t *testing.T) {
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

func TestAReaderStopsWhenItsContextEnds(t *testing.T) {
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

// Finding L2: following a redirect sent the task, and in `stockhand mcp` also the key, to another host.
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
		t.Error("a redirect was treated as a response")
	}
	if n := arrived.Load(); n != 0 {
		t.Errorf("%d requests reached the redirect target", n)
	}
}
