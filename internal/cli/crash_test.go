package cli

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/connector/moysklad/write"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// kills is how many times the process is killed: at least two hundred.
const kills = 200

// The variables that make this test binary the process that is killed.
const (
	childDatabase = "STOCKHAND_CRASH_DATABASE"
	childURL      = "STOCKHAND_CRASH_URL"
	childDraft    = "STOCKHAND_CRASH_DRAFT" // empty: go on with what is unfinished
	childVersion  = "STOCKHAND_CRASH_VERSION"
)

func TestMain(m *testing.M) {
	if os.Getenv(childDatabase) != "" {
		os.Exit(child())
	}
	if os.Getenv("STOCKHAND_TEST_PROGRAM") != "" { // see serve_test.go
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		code := Run(ctx, os.Args[1:], os.Getenv, Streams{In: strings.NewReader(""), Out: os.Stdout, Err: os.Stderr})
		stop()
		os.Exit(code)
	}
	// These tests mostly wait for the limits of their own sandboxes, so more of them than there are processors run at
	// once.
	flag.Parse()
	_ = flag.Set("test.parallel", "12") // the flag is there in every test binary
	os.Exit(m.Run())
}

// crashConfig is the program's own wiring without its pacing: what is tested is not the limits.
func crashConfig(database, url string) app.Config {
	return app.Config{
		Database: database, Servers: map[string]string{sandbox.Connector: url},
		SecretKey: strings.Repeat("6f1ed002", 8),
		Limiter:   unlimited{}, Pauses: []time.Duration{5 * time.Millisecond, 20 * time.Millisecond},
	}
}

// unlimited lets every request go at once.
type unlimited struct{}

func (unlimited) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	return func(limit.Feedback) {}, ctx.Err()
}

// child confirms a draft, or resumes, as the command line does.
func child() int {
	ctx := context.Background()
	opened, err := app.OpenLocal(ctx, crashConfig(os.Getenv(childDatabase), os.Getenv(childURL)))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s := &local{opened}
	defer s.Close()
	fmt.Println("ready")
	if id := os.Getenv(childDraft); id != "" {
		version, _ := strconv.ParseInt(os.Getenv(childVersion), 10, 64)
		_, err = s.Drafts.Confirm(ctx, s.person(), draft.Decision{Draft: stockhand.DraftID(id), Version: version})
	} else {
		err = s.Drafts.Resume(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// crash is a shop, a record on disk, and what ought to come of its drafts.
type crash struct {
	t        *testing.T
	server   *sandbox.Server
	shop     *company.Company
	url      string
	database string
	*local
	account stockhand.Connection
	rng     *rand.Rand
	changes int // changes of prices and minimum stocks made so far: each is of another good
}

func newCrash(t *testing.T) *crash {
	t.Helper()
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 3, Products: 400}, Accounts: 1,
		NoLimits: true})
	url, err := sandbox.Listen(t.Context(), "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	c := &crash{t: t, server: server, url: url + sandbox.APIPath, database: filepath.Join(t.TempDir(), "record.db"),
		rng: rand.New(rand.NewPCG(1, 2))}
	c.shop = server.Company(server.Accounts()[0].AccountID)
	opened, err := app.OpenLocal(t.Context(), crashConfig(c.database, c.url))
	if err != nil {
		t.Fatal(err)
	}
	c.local = &local{opened}
	t.Cleanup(c.Close)
	if err = c.Connect(t.Context(), sandbox.Connector, server.Accounts()[0].Tokens.Owner, "shop"); err != nil {
		t.Fatal(err)
	}
	c.account = c.Connected[0]
	return c
}

// draft stores a proposal of one to three documents of all kinds.
func (c *crash) draft() stockhand.Draft {
	c.t.Helper()
	k := c.shop.Catalogue()
	ref := func(kind string, id company.ID, name string) *tool.Ref {
		return &tool.Ref{Type: kind, ID: string(id), Name: name}
	}
	var goods []*company.Good
	for _, g := range k.Goods {
		if g.Kind == company.Product && !g.IsArchived() && len(g.Variants) == 0 &&
			g.SalePrice(k.PriceTypes[0]).Value > 0 {
			goods = append(goods, g)
		}
	}
	p := &tool.Proposal{Tool: "moysklad_propose_supplier_orders", Title: "crash"}
	for range 1 + c.rng.IntN(3) {
		g := goods[c.rng.IntN(len(goods))]
		line := tool.Line{ID: "1", Product: *ref("product", g.ID, g.Name), Quantity: decimal.Some(decimal.One),
			Price: decimal.Some(decimal.FromInt(10))}
		doc := tool.Document{Title: g.Name, Organization: ref("organization", k.Organizations[0].ID, ""),
			Store: ref("store", k.Stores[0].ID, ""), Currency: "RUB"}
		switch c.rng.IntN(4) {
		case 0:
			doc.Kind, doc.Supplier = tool.SupplierOrder, ref("counterparty", k.Counterparties[0].ID, "")
		case 1:
			doc.Kind, doc.Target = tool.Transfer, ref("store", k.Stores[1].ID, "")
		case 2:
			g = goods[c.changes%len(goods)]
			c.changes++
			old := g.SalePrice(k.PriceTypes[0]).Value.Decimal().Major()
			doc.Kind, doc.PriceType = tool.PriceChange, ref("pricetype", k.PriceTypes[0].ID, k.PriceTypes[0].Name)
			line.Product, line.Quantity = *ref("product", g.ID, g.Name), decimal.Maybe{}
			line.OldPrice, line.Price, line.Seen.Price = decimal.Some(old), decimal.Some(old.Add(decimal.One)),
				decimal.Some(old)
		case 3:
			for g = goods[c.changes%len(goods)]; g.Minimum != nil && g.Minimum.Type != company.MinimumSum; {
				c.changes++
				g = goods[c.changes%len(goods)]
			}
			c.changes++
			old := minimum(g)
			doc.Kind = tool.MinimumStock
			line.Product, line.Price = *ref("product", g.ID, g.Name), decimal.Maybe{}
			line.Quantity, line.Seen.Minimum = decimal.Some(old.Add(decimal.One)), decimal.Some(old)
		}
		doc.Lines = []tool.Line{line}
		p.Documents = append(p.Documents, doc)
	}
	d, err := c.Drafts.Create(c.t.Context(),
		stockhand.Draft{Org: c.Org, Connection: c.account.ID, Language: stockhand.English}, p)
	if err != nil {
		c.t.Fatal(err)
	}
	return d
}

// minimum returns a good's minimum stock in all warehouses together.
func minimum(g *company.Good) decimal.Decimal {
	if g.Minimum == nil {
		return decimal.Zero
	}
	return g.Minimum.Quantity.Decimal()
}

// trouble makes the next write, or the next reading before it, fail in one of the ways that networks and servers do.
func (c *crash) trouble() {
	c.wellAgain()
	faults := []*sandbox.Fault{
		nil,
		{Method: "POST", Path: "entity/", Count: 1, Cut: sandbox.CutAfterWrite},
		{Method: "POST", Path: "entity/", Count: 1, Cut: sandbox.CutAfterWrite, Status: 500},
		{Method: "POST", Path: "entity/", Count: 1, Cut: sandbox.CutMiddle},
		{Method: "POST", Path: "entity/", Count: 1, Cut: sandbox.CutBefore},
		{Method: "POST", Path: "entity/", Count: 1, DelayMS: 40},
		{Method: "POST", Path: "entity/", Count: 1, Status: 429, RetryAfterMS: 20},
		{Method: "POST", Path: "entity/", Count: 1, Status: 503},
		{Method: "GET", Path: "entity/", Count: 1, Cut: sandbox.CutBefore},
		{Method: "GET", Path: "entity/(purchaseorder|move)", Count: 2, Status: 500},
	}
	if f := faults[c.rng.IntN(len(faults))]; f != nil {
		if err := c.server.Fail(*f); err != nil {
			c.t.Fatal(err)
		}
	}
}

// wellAgain takes back the trouble that was not met.
func (c *crash) wellAgain() {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodDelete, strings.TrimSuffix(c.url, sandbox.APIPath)+
		"/_sandbox/faults", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	_ = answer.Body.Close()
}

// moment is when to kill: mostly soon, sometimes late.
func (c *crash) moment() time.Duration {
	return time.Duration(c.rng.ExpFloat64() * 40 * float64(time.Millisecond))
}

// process runs the child and kills it that long after it is ready; a negative time lets it end. It tells whether the
// child was still at work when it was killed.
func (c *crash) process(d stockhand.Draft, after time.Duration) (killed bool) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childDatabase+"="+c.database, childURL+"="+c.url, childDraft+"="+string(d.ID),
		childVersion+"="+strconv.FormatInt(d.Version, 10))
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		c.t.Fatalf("the child did not start: %v", err)
	}
	if after >= 0 {
		time.Sleep(after)
		_ = cmd.Process.Kill()
	}
	var ended *exec.ExitError
	err = cmd.Wait()
	return errors.As(err, &ended) && !ended.Exited()
}

// written counts how often the external system has a document: creations by their syncId, and 1 for a price or a
// minimum stock that is the new one.
func (c *crash) written(doc tool.DraftDocument) int {
	n := 0
	switch doc.Kind {
	case tool.SupplierOrder, tool.Transfer:
		of := company.PurchaseOrderDoc
		if doc.Kind == tool.Transfer {
			of = company.MoveDoc
		}
		for _, x := range c.shop.Documents(of) {
			if string(x.SyncID) == string(write.SyncID(doc.ID)) {
				n++
			}
		}
	case tool.PriceChange:
		g, _ := c.shop.Good(company.ID(doc.Lines[0].Product.ID))
		if g.SalePrice(c.shop.Catalogue().PriceTypes[0]).Value.Decimal().Major().Cmp(doc.Lines[0].Price.Decimal) == 0 {
			n = 1
		}
	case tool.MinimumStock:
		g, _ := c.shop.Good(company.ID(doc.Lines[0].Product.ID))
		if minimum(g).Cmp(doc.Lines[0].Quantity.Decimal) == 0 {
			n = 1
		}
	case tool.Deletion:
	}
	return n
}

// The measure of the whole: whatever is killed and whenever, each confirmed document exists exactly once, none that was
// not confirmed exists, and each state is true (rule R59).
func TestKilledAtRandomPointsEveryConfirmedDocumentExistsExactlyOnce(t *testing.T) {
	t.Parallel()
	c := newCrash(t)
	before := len(c.shop.Documents(company.PurchaseOrderDoc)) + len(c.shop.Documents(company.MoveDoc))
	var confirmed, left []stockhand.Draft
	killed, inTime := 0, 0
	for killed < kills {
		d := c.draft()
		if c.rng.IntN(5) == 0 { // one that is not confirmed
			left = append(left, d)
			continue
		}
		confirmed = append(confirmed, d)
		c.trouble()
		if c.process(d, c.moment()) {
			killed++
		} else {
			inTime++
		}
		for c.rng.IntN(3) > 0 && killed < kills { // the process that takes it up is killed as well, now and then
			c.trouble()
			if c.process(stockhand.Draft{}, c.moment()) {
				killed++
			}
		}
	}
	c.wellAgain()
	for range 2 { // what is unfinished goes on until nothing is
		c.process(stockhand.Draft{}, -1)
	}
	documents, applied, duplicates, losses, lies, asked := 0, 0, 0, 0, 0, 0
	for _, d := range confirmed {
		shown, err := c.read(t.Context(), string(d.ID))
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range shown.Documents {
			documents++
			n := c.written(doc)
			switch {
			case n > 1:
				duplicates++
				t.Errorf("%s %s exists %d times", doc.Kind, doc.ID, n)
			case doc.State == stockhand.DocumentApplied && n == 0:
				losses++
				t.Errorf("%s %s is said to be written and is not there", doc.Kind, doc.ID)
			case doc.State != stockhand.DocumentApplied && n == 1:
				lies++
				t.Errorf("%s %s is there and is said to be %s: %s", doc.Kind, doc.ID, doc.State, doc.Problem)
			case doc.State == stockhand.DocumentApplied:
				applied++
			case doc.State == stockhand.DocumentPending && doc.ConfirmedBy == "" ||
				doc.State == stockhand.DocumentPending && doc.Problem != "":
				asked++ // killed before the confirmation was stored, or shown again because the data changed
			default:
				losses++
				t.Errorf("%s %s was confirmed and is %s: %s", doc.Kind, doc.ID, doc.State, doc.Problem)
			}
		}
	}
	for _, d := range left {
		shown, err := c.read(t.Context(), string(d.ID))
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range shown.Documents {
			if doc.Kind != tool.PriceChange && c.written(doc) != 0 || doc.State != stockhand.DocumentPending {
				t.Errorf("%s %s was never confirmed, is %s, and exists %d times", doc.Kind, doc.ID, doc.State,
					c.written(doc))
			}
		}
	}
	pepper, err := auth.Pepper(t.Context(), c.Store.System(), c.Ring)
	if err != nil {
		t.Fatal(err)
	}
	key, err := audit.Key(pepper)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := audit.Verify(t.Context(), c.Store, key, c.Org, nil); err != nil || v.Broken != 0 {
		t.Errorf("audit log: %+v, %v", v, err)
	}
	created := len(c.shop.Documents(company.PurchaseOrderDoc)) + len(c.shop.Documents(company.MoveDoc)) - before
	t.Logf("%d kills (%d runs ended first); %d documents of %d drafts: %d written, %d duplicates, %d losses, %d untrue states, %d back with the person; %d drafts left alone; %d orders and transfers created in all",
		killed, inTime, documents, len(confirmed), applied, duplicates, losses, lies, asked, len(left), created)
}
