package agent_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/work"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// office is what replicas share: an external account and a record.
type office struct {
	t        *testing.T
	database string
	server   *sandbox.Server
	url      string
	token    string
	org      stockhand.OrgID
	account  stockhand.ConnectionID
	models   llm.Config // none answers without one
}

func newOffice(t *testing.T, database string) *office {
	t.Helper()
	ctx := t.Context()
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: 120, Days: 90, Now: now},
		Accounts: 1, NoLimits: true,
		Now: func() time.Time { return now }})
	url, err := sandbox.Listen(ctx, "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t, database: database, server: server, url: url + sandbox.APIPath,
		token: server.Accounts()[0].Tokens.Owner}
	db, err := store.Open(ctx, database, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o.org = storetest.Organization(t, db)
	who, err := moysklad.Kind.Verify(ctx, connector.Config{BaseURL: o.url, Token: o.token, Limiter: unlimited{}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.CreateConnection(ctx, o.org,
		stockhand.Connection{Connector: "moysklad", Account: who.Account, Label: "shop", Employee: who.Employee,
			Rights: who.Rights, Sealed: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	o.account = c.ID
	return o
}

// opener opens the one connection there is.
type opener struct {
	url, token string
	mu         sync.Mutex
	account    connector.Account
}

func (o *opener) Open(_ context.Context, c stockhand.Connection) (connector.Account, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.account == nil {
		o.account = moysklad.Kind.Open(connector.Config{BaseURL: o.url, Token: o.token,
			Limiter: limit.Counted(unlimited{})},
			connector.Identity{Account: c.Account, Employee: c.Employee, Rights: c.Rights})
	}
	return o.account, nil
}

func (*opener) Kind(string) (connector.Kind, error) { return moysklad.Kind, nil }

// replica is one process's worth: a database handle, an engine and an agent.
type replica struct {
	*agent.Agent
	db     *store.DB
	engine *work.Engine
}

// open makes a replica that does not work yet. Without the URL of a NATS server it has one of its own.
func (o *office) open(ctx context.Context, nats string) (*replica, error) {
	db, err := store.Open(ctx, o.database, nil)
	if err != nil {
		return nil, err
	}
	engine, err := work.Open(ctx, work.Config{URL: nats, Ring: worktest.Ring()})
	if err != nil {
		return nil, err
	}
	models, err := llm.Load(o.models, nil)
	if err != nil {
		return nil, err
	}
	return &replica{db: db, engine: engine, Agent: agent.New(agent.Config{
		Model: agent.Model{Model: models.Model()},
		Store: db, System: db.System(), Engine: engine, Accounts: &opener{url: o.url, token: o.token},
		Drafts: draft.New(draft.Config{Store: db}), Clock: func() time.Time { return now },
	})}, nil
}

// replica opens one that ends with the test, and lets it work if it is to.
func (o *office) replica(nats string, working bool) *replica {
	o.t.Helper()
	r, err := o.open(o.t.Context(), nats)
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(func() {
		r.engine.Close()
		if err := r.db.Close(); err != nil {
			o.t.Error(err)
		}
	})
	if working {
		running(o.t, r.Agent)
	}
	return r
}

// awaitReport waits until a request for a report is in flight. The event that a tool has started is stored before.
func (o *office) awaitReport() {
	o.t.Helper()
	waits := func(r sandbox.Request) bool { return r.Status == 0 && strings.Contains(r.Path, "/report/") }
	for until := time.Now().Add(time.Minute); !slices.ContainsFunc(o.server.Requests(), waits); {
		if time.Now().After(until) {
			o.t.Fatal("no report was asked for")
		}
		time.Sleep(time.Millisecond)
	}
}

// slowly lets answers of those paths take that long, and returns how to take it back.
func (o *office) slowly(path string, d time.Duration) (faster func()) {
	o.t.Helper()
	if err := o.server.Fail(sandbox.Fault{Path: path, Count: 1_000_000, DelayMS: int(d.Milliseconds())}); err != nil {
		o.t.Fatal(err)
	}
	return func() {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodDelete,
			strings.TrimSuffix(o.url, sandbox.APIPath)+"/_sandbox/faults", nil)
		if err != nil {
			o.t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			o.t.Fatal(err)
		}
		_ = answer.Body.Close()
	}
}

// reader checks that a run's log is seen whole: each entry once and in order, over any number of reconnections.
type reader struct {
	mu     sync.Mutex
	seen   []stockhand.Event
	faults []string
}

func (r *reader) see(e stockhand.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Seq == 0 {
		return
	}
	if e.Seq != int64(len(r.seen))+1 {
		r.faults = append(r.faults, fmt.Sprintf("entry %d (%s) after %d", e.Seq, e.Type, len(r.seen)))
	}
	r.seen = append(r.seen, e)
}

// last is the number of the last entry that was seen.
func (r *reader) last() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(len(r.seen))
}

func (r *reader) count(kind stockhand.EventType) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.seen {
		if e.Type == kind {
			n++
		}
	}
	return n
}

// follow reads a run's log to its end on one replica.
func (r *reader) follow(ctx context.Context, a *agent.Agent, org stockhand.OrgID, run stockhand.RunID) error {
	for e, err := range a.Follow(ctx, org, run, r.last()) {
		if err != nil {
			return err
		}
		r.see(e)
	}
	return nil
}

// await waits until a follower has seen an entry of that type.
func (r *reader) await(t *testing.T, kind stockhand.EventType) {
	t.Helper()
	for until := time.Now().Add(time.Minute); r.count(kind) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("no %s within a minute", kind)
		}
	}
}

// whole checks the log of a run that ended well.
func (r *reader) whole(t *testing.T) {
	t.Helper()
	for _, f := range r.faults {
		t.Error(f)
	}
	if r.count(stockhand.EventComplete) != 1 || r.seen[len(r.seen)-1].Type != stockhand.EventComplete {
		t.Errorf("the log ends with %s, %d times complete", r.seen[len(r.seen)-1].Type,
			r.count(stockhand.EventComplete))
	}
}

// The variable that makes this test binary a replica of its own, which is killed.
const childOffice = "STOCKHAND_AGENT_CHILD"

// child is what such a replica is given.
type child struct {
	Database, NATS, URL, Token string
	Org                        stockhand.OrgID
	Run                        stockhand.RunID // to follow, and to write what is seen to the output
	After                      int64
	Models                     llm.Config
}

func TestMain(m *testing.M) {
	if given := os.Getenv(childOffice); given != "" {
		os.Exit(serve(given))
	}
	code := m.Run()
	if left := leftBehind(); code == 0 && left != "" {
		fmt.Fprintln(os.Stderr, "goroutines are left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// leftBehind are the goroutines of agents and engines that outlive all tests.
func leftBehind() string {
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		all := make([]byte, 4<<20)
		all = all[:runtime.Stack(all, true)]
		var left []string
		for g := range strings.SplitSeq(string(all), "\n\n") {
			if strings.Contains(g, "internal/work.") || strings.Contains(g, "internal/agent.") ||
				strings.Contains(g, "nats-io") {
				left = append(left, g)
			}
		}
		if len(left) == 0 || time.Now().After(until) {
			return strings.Join(left, "\n\n")
		}
	}
}

// serve works until it is killed, and follows a run.
func serve(given string) int {
	var c child
	if err := json.Unmarshal([]byte(given), &c); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx := context.Background()
	o := &office{database: c.Database, url: c.URL, token: c.Token, models: c.Models}
	r, err := o.open(ctx, c.NATS)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go r.Agent.Run(ctx)
	fmt.Println("ready")
	if c.Run != "" {
		for e, err := range r.Follow(ctx, c.Org, c.Run, c.After) {
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			if e.Seq > 0 {
				fmt.Println(e.Seq, e.Type)
			}
		}
		return 0
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // as long as the test lives
	return 0
}

// process is a replica in a process of its own.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	out *bufio.Reader
}

func (o *office) process(nats string, run stockhand.RunID, after int64) *process {
	o.t.Helper()
	given, err := json.Marshal(child{Database: o.database, NATS: nats, URL: o.url, Token: o.token, Org: o.org, Run: run,
		After: after, Models: o.models})
	if err != nil {
		o.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childOffice+"="+string(given))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		o.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		o.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		o.t.Fatal(err)
	}
	p := &process{t: o.t, cmd: cmd, out: bufio.NewReader(out)}
	o.t.Cleanup(func() {
		_ = in.Close()
		p.kill()
	})
	if line, err := p.out.ReadString('\n'); err != nil || line != "ready\n" {
		o.t.Fatalf("the replica did not start: %q, %v", line, err)
	}
	return p
}

// kill ends the process without a word (SIGKILL).
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// event reads what the process saw next; false at the end.
func (p *process) event() (stockhand.Event, bool) {
	line, err := p.out.ReadString('\n')
	if err != nil {
		return stockhand.Event{}, false
	}
	number, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		p.t.Fatalf("%q: %v", line, err)
	}
	return stockhand.Event{Seq: seq, Type: stockhand.EventType(kind)}, true
}
