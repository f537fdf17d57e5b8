// Package apptest runs the whole program for a test: the real service over TCP on a free loopback port, with a fresh
// database, its own work engine, and the sandbox with connected accounts.
//
// It contains no mocks of our code: it runs the same function as `stockhand serve`.
package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
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

// Options configures the service. The zero value means a SQLite database and two connected accounts of a small shop,
// without request limits.
type Options struct {
	Accounts    int               // of the sandbox: 1 or 2; 0 means 2
	Unconnected bool              // let the test connect the accounts
	Company     company.Options   // of each account; default: 40 products and 60 days
	Limits      bool              // enforce the program's limits and the sandbox's
	Postgres    bool              // use Postgres, and skip the test if there is none (see storetest)
	SQLite      bool              // use SQLite also where ReplicasVariable says otherwise
	Replicas    bool              // start a NATS server for replicas; see [Service.Replica]
	Log         io.Writer         // receives the program's log at debug level; nil discards it
	Configure   func(*app.Config) // changes the configuration; may be nil
}

// Service is a running service with its database and sandbox.
type Service struct {
	*app.Instance

	OrgID       stockhand.OrgID
	AdminToken  string                 // sk-usr-… of the organization's owner
	Connections []stockhand.Connection // one per account of the sandbox, as its owner, in order
	Sandbox     *sandbox.Server
	SandboxURL  string // of its API

	t      testing.TB
	config app.Config
}

// ReplicasVariable names the environment variable with which tests run on Postgres, with that many replicas: the others
// share the work of the one that the test calls.
const ReplicasVariable = "STOCKHAND_TEST_REPLICAS"

// secretKey encrypts the credentials in tests.
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
	replicas, _ := strconv.Atoi(os.Getenv(ReplicasVariable))
	if o.SQLite {
		replicas = 0
	}
	o.Postgres, o.Replicas = o.Postgres || replicas > 0, o.Replicas || replicas > 1
	s := &Service{t: t, Sandbox: sandbox.New(
		sandbox.Options{Company: o.Company, Accounts: o.Accounts, NoLimits: !o.Limits})}
	// the service outlives the test's context
	serving, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	host, err := sandbox.Listen(serving, "127.0.0.1:0", s.Sandbox)
	if err != nil {
		t.Fatal(err)
	}
	s.SandboxURL = host + sandbox.APIPath
	s.config = app.Config{
		SecretKey: secretKey, Servers: map[string]string{sandbox.Connector: s.SandboxURL}, Addr: "127.0.0.1:0",
		MetricsAddr: "127.0.0.1:0",
		Pauses:      []time.Duration{5 * time.Millisecond, 20 * time.Millisecond},
		Rate:        api.Rate{PerSecond: -1}, FailureRate: api.Rate{PerSecond: -1},
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
	s.OrgID = s.Org
	for range replicas - 1 {
		s.Replica()
	}
	if s.AdminToken, err = s.OwnerToken(t.Context()); err != nil {
		t.Fatal(err)
	}
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
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // the test's context has ended
	defer cancel()
	if err := i.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

// Close stops the service gracefully before the test ends.
func (s *Service) Close() { end(s.t, s.Instance) }

// Restart opens the service again after Close, with its data and at its address.
func (s *Service) Restart() {
	s.t.Helper()
	s.config.Addr = strings.TrimPrefix(s.URL, "http://")
	s.Instance = s.open()
}

// Replica starts another instance with the same database and work engine. It requires Options.Replicas.
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

// Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Decode decodes the JSON body.
func (a Answer) Decode(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, into); err != nil {
		t.Fatalf("status %d, %v in %s", a.Status, err, a.Body)
	}
}

// Do sends a request to the API and reads the whole response. The path is relative to /api/v1 unless it starts with
// another base (/api/, /v1/, /mcp, /healthz …). The body is nil, raw bytes, a string, or a value to encode as JSON.
// Headers are name-value pairs.
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

// Metrics returns what /metrics shows.
func (s *Service) Metrics() string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.MetricsURL, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// Request creates the request that Do sends.
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

// under adds the default base to the path.
func under(path string) string {
	for _, own := range []string{"/api/", "/v1/", "/mcp", "/healthz", "/readyz", "/docs"} {
		if strings.HasPrefix(path, own) {
			return path
		}
	}
	if path == "/" {
		return path
	}
	return "/api/v1" + path
}

// unlimited never delays a request.
type unlimited struct{}

func (unlimited) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	return func(limit.Feedback) {}, ctx.Err()
}

// Buffer collects what a program writes and can be read concurrently.
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
