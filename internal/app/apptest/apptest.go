// Package apptest runs the whole program for a test: the real service over TCP on a free port of the loopback, with a
// fresh database, its own work engine and the sandbox with connected accounts.
//
// Nothing in it stands in for our own code: what a test reaches is what `stockhand serve` wires together, by the same
// function.
package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// Options say what to run. The zero value is a SQLite database and two connected accounts of a small shop, with nothing
// that limits requests.
type Options struct {
	Accounts    int               // of the sandbox: 1 or 2; 0 means 2
	Unconnected bool              // leave the accounts to be connected by the test
	Company     company.Options   // of each account; 40 products and 60 days when it does not say
	Limits      bool              // the program's own limits towards the sandbox, and the sandbox's own refusals
	Postgres    bool              // the record in Postgres; the test is skipped where there is none (see storetest)
	Replicas    bool              // a NATS server that replicas share; see [Service.Replica]
	Log         io.Writer         // where the program's log goes, from debug on; nowhere when nil
	Configure   func(*app.Config) // changes what the program is run with; nil for nothing
}

// Service is a running service and what it stands on.
type Service struct {
	*app.Instance

	OrgID       stockhand.OrgID
	AdminToken  string                 // sk-usr-…, of the organization's owner
	Connections []stockhand.Connection // one for each account of the sandbox, as its owner, in their order
	Sandbox     *sandbox.Server
	SandboxURL  string // of its API

	t      testing.TB
	config app.Config
}

// secretKey seals the credentials of tests.
var secretKey = strings.Repeat("5eed", 16)

// Start runs a service until the test ends.
func Start(t testing.TB, o Options) *Service {
	t.Helper()
	if o.Accounts == 0 {
		o.Accounts = 2
	}
	if o.Company.Seed == 0 {
		o.Company.Seed = 1
	}
	if o.Company.Products == 0 {
		o.Company.Products = 40
	}
	if o.Company.Days == 0 {
		o.Company.Days = 60
	}
	s := &Service{t: t, Sandbox: sandbox.New(
		sandbox.Options{Company: o.Company, Accounts: o.Accounts, NoLimits: !o.Limits})}
	// it outlives the service, which ends after the test's own context
	serving, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	host, err := sandbox.Listen(serving, "127.0.0.1:0", s.Sandbox)
	if err != nil {
		t.Fatal(err)
	}
	s.SandboxURL = host + sandbox.APIPath
	s.config = app.Config{
		SecretKey: secretKey, Servers: map[string]string{sandbox.Connector: s.SandboxURL}, Addr: "127.0.0.1:0",
		Pauses: []time.Duration{5 * time.Millisecond, 20 * time.Millisecond},
		Rate:   api.Rate{PerSecond: -1}, FailureRate: api.Rate{PerSecond: -1},
	}
	if o.Postgres {
		s.config.Database = storetest.Postgres(t)
	} else {
		s.config.Database = storetest.SQLite(t)
	}
	if !o.Limits {
		s.config.Limiter = unlimited{}
	}
	if o.Log != nil {
		if s.config.Logger, err = app.NewLogger(o.Log, "text", "debug"); err != nil {
			t.Fatal(err)
		}
	}
	if o.Replicas {
		s.config.NATS = worktest.New(t).URL()
	}
	if o.Configure != nil {
		o.Configure(&s.config)
	}
	s.Instance = s.open()
	s.OrgID, s.AdminToken = s.Org, s.Owner
	if o.Unconnected {
		return s
	}
	for _, a := range s.Sandbox.Accounts() {
		s.Connections = append(s.Connections, s.Connect(s.OrgID, a.Tokens.Owner, a.Label))
	}
	return s
}

func (s *Service) open() *app.Instance {
	s.t.Helper()
	i, err := app.Open(s.t.Context(), s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { end(s.t, i) })
	return i
}

func end(t testing.TB, i *app.Instance) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // the test's own context has ended by now
	defer cancel()
	if err := i.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

// Close ends the service gracefully, before the test does.
func (s *Service) Close() { end(s.t, s.Instance) }

// Replica runs another instance on the same database and the same work engine. The service must have been started with
// Options.Replicas.
func (s *Service) Replica() *Service {
	s.t.Helper()
	r := *s
	r.Instance = r.open()
	return &r
}

// Connect connects an account of the sandbox to an organization.
func (s *Service) Connect(org stockhand.OrgID, token, label string) stockhand.Connection {
	s.t.Helper()
	c, err := s.Instance.Connections.Connect(s.t.Context(), org, sandbox.Connector, token, label, "")
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// Answer is what a request came to.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Decode reads the JSON of the body.
func (a Answer) Decode(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, into); err != nil {
		t.Fatalf("status %d, %v in %s", a.Status, err, a.Body)
	}
}

// Do sends a request to the API and reads the whole answer. The path is below /api/v1 unless it begins with a base of
// its own (/api/, /v1/, /mcp, /healthz …). A body is nil, raw bytes, a string, or a value that is sent as JSON. Headers
// come in pairs.
func (s *Service) Do(method, path, token string, body any, headers ...string) Answer {
	s.t.Helper()
	r := s.Request(method, path, token, body, headers...)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return Answer{answer.StatusCode, answer.Header, b}
}

// Request makes the request that Do sends.
func (s *Service) Request(method, path, token string, body any, headers ...string) *http.Request {
	s.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		reader = bytes.NewReader(b)
	case string:
		reader = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		reader = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+under(path), reader)
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if reader != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// under puts the path below its base.
func under(path string) string {
	for _, own := range []string{"/api/", "/v1/", "/mcp", "/healthz", "/readyz", "/metrics", "/docs"} {
		if strings.HasPrefix(path, own) {
			return path
		}
	}
	if path == "/" {
		return path
	}
	return "/api/v1" + path
}

// unlimited lets every request go at once.
type unlimited struct{}

func (unlimited) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	return func(limit.Feedback) {}, ctx.Err()
}

// Buffer keeps what a program writes and can be read meanwhile.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
