package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/openai"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// core is a server with routes of the test's own, over TCP, with the real record and real keys: what is the same for
// all routes is tested with it. The routes of the program are tested with apptest.
type core struct {
	t      *testing.T
	server *Server
	db     *store.DB
	auth   *auth.Service
	url    string
	org    stockhand.OrgID
	token  string // of the organization's owner
	log    *lockedBuffer
}

// lockedBuffer is a log that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newCore(t *testing.T, c Config, routes ...route) *core {
	t.Helper()
	return newCoreOn(t, storetest.New(t), c, routes...)
}

func newCoreOn(t *testing.T, db *store.DB, c Config, routes ...route) *core {
	t.Helper()
	k := &core{t: t, db: db, log: &lockedBuffer{}}
	k.auth = auth.New(auth.Config{Store: db, System: db.System(), Pepper: bytes.Repeat([]byte("p"), 32)})
	made, _, err := k.auth.Bootstrap(t.Context(), "Test", "owner@example.com")
	if err != nil {
		t.Fatal(err)
	}
	k.org = made.Org.ID
	if _, k.token, err = k.auth.CreateToken(t.Context(), stockhand.Actor{Person: true, User: made.User.ID},
		auth.NewToken{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	ring, err := secret.Parse(strings.Repeat("5eed", 16))
	if err != nil {
		t.Fatal(err)
	}
	c.Auth, c.Store, c.Secrets = k.auth, db, ring
	c.Logger = slog.New(slog.NewTextHandler(k.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if c.Rate == (ratelimit.Rate{}) {
		c.Rate = ratelimit.Rate{PerSecond: -1}
	}
	if c.FailureRate == (ratelimit.Rate{}) {
		c.FailureRate = ratelimit.Rate{PerSecond: -1}
	}
	k.server = build(c, func(*Server) []route { return routes })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := HTTPServer(k.server, c.Logger)
	go func() { _ = h.Serve(listener) }()
	t.Cleanup(func() { _ = h.Close() })
	k.url = "http://" + listener.Addr().String()
	return k
}

// key makes an API key with those scopes.
func (k *core) key(scopes ...stockhand.Scope) string {
	k.t.Helper()
	_, secret, err := k.auth.CreateKey(k.t.Context(), auth.Operator(k.org, "test"),
		auth.NewKey{Name: "test", Scopes: scopes})
	if err != nil {
		k.t.Fatal(err)
	}
	return secret
}

type reply struct {
	status int
	header http.Header
	body   string
}

// failure reads the one shape of errors, strictly.
func (r reply) failure(t *testing.T) wire.ErrorDetail {
	t.Helper()
	var b struct {
		Detail wire.ErrorDetail `json:"detail"`
		Error  *openai.Error    `json:"error"`
	}
	d := json.NewDecoder(strings.NewReader(r.body))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil || b.Detail.Code == "" || b.Detail.Message == "" || b.Detail.Hint == "" ||
		b.Detail.RequestID == "" {
		t.Fatalf("not the shape of errors (%v): %d %s", err, r.status, r.body)
	}
	if got := r.header.Get("X-Request-Id"); got != b.Detail.RequestID {
		t.Errorf("request_id %q, X-Request-Id %q", b.Detail.RequestID, got)
	}
	if ct := r.header.Get("Content-Type"); ct != "application/json" {
		t.Errorf("an error is %q", ct)
	}
	return b.Detail
}

// do sends a request as the owner; headers come in pairs, and an empty value removes one.
func (k *core) do(method, path string, body any, headers ...string) reply {
	k.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	case io.Reader:
		reader = b
	}
	r, err := http.NewRequestWithContext(context.Background(), method, k.url+path, reader)
	if err != nil {
		k.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	if reader != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		Timeout: time.Minute}).Do(r)
	if err != nil {
		k.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		k.t.Fatal(err)
	}
	return reply{answer.StatusCode, answer.Header, string(b)}
}

// thing is what the tests' own routes take.
type thing struct {
	Name string   `json:"name" minLength:"1" maxLength:"20"`
	Days int      `json:"days,omitempty" minimum:"1" maximum:"365"`
	Tags []string `json:"tags,omitempty" maxItems:"3"`
	Link string   `json:"link,omitempty" format:"uri"`
	At   string   `json:"at,omitempty" format:"date-time"`
	Deep any      `json:"deep,omitempty"`
}

// echo answers with what it was given.
func echo(_ context.Context, in *struct{ Body thing }) (*Answer[thing], error) {
	return answerOf(in.Body)
}

var echoRoute = route{"POST /echo", writeTools, "echo", "Echo", typed(echo)}

// failing answers with that error.
func failing(err error) handler {
	return typed(func(context.Context, *struct{}) (*Answer[thing], error) { return nil, err })
}
