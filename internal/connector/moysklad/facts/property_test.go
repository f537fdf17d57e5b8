package facts_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/connector/moysklad/facts"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/outlook"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/kept"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/tool"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, company.Moscow)

// shop is a sandbox with a clock of its own and a connection to it.
type shop struct {
	t           *testing.T
	now         atomic.Int64 // milliseconds after start
	company     *company.Company
	url, token  string
	sales       string // tokens of other employees
	storekeeper string
	ahead       time.Duration // how far our clock is ahead of the account's
	requests    atomic.Int64
	between     atomic.Pointer[func()] // called before each request
	db          *store.DB
	limits      kept.Limits
	connection  stockhand.Connection
	bin         []company.ID
}

func open(t *testing.T, db *store.DB) *shop {
	t.Helper()
	return openOf(t, db, 24)
}

func openOf(t *testing.T, db *store.DB, products int) *shop {
	t.Helper()
	s := &shop{t: t, db: db, limits: kept.Limits{Age: 30 * 24 * time.Hour, Size: 8 << 20}}
	server := sandbox.New(sandbox.Options{NoLimits: true, Accounts: 1, Now: s.clock,
		Company: company.Options{Products: products, Days: 20, Seed: 7, Now: start}})
	info := server.Accounts()[0]
	s.company, s.token = server.Company(info.AccountID), info.Tokens.Owner
	s.sales, s.storekeeper = info.Tokens.Sales, info.Tokens.Storekeeper
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if f := s.between.Load(); f != nil {
			(*f)()
		}
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	s.url = web.URL + sandbox.APIPath
	s.now.Store(time.Hour.Milliseconds())
	s.connect()
	return s
}

func (s *shop) connect() {
	s.t.Helper()
	var err error
	s.connection, err = s.db.CreateConnection(s.t.Context(), storetest.Organization(s.t, s.db), stockhand.Connection{
		Connector: "moysklad", Account: "a", Label: "shop", Employee: "Owner", Rights: s.rights(s.token),
		Sealed: []byte("sealed")})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) clock() time.Time { return start.Add(time.Duration(s.now.Load()) * time.Millisecond) }

// ours is our clock.
func (s *shop) ours() time.Time { return s.clock().Add(s.ahead) }

// pass lets time go by.
func (s *shop) pass(d time.Duration) { s.now.Add(d.Milliseconds()) }

// account opens the account as a replica does; with nothing kept if keeps is false.
func (s *shop) account(keeps bool, tools ...func(*account.Account) []tool.Tool) tool.Tool {
	c := connector.Config{BaseURL: s.url, Token: s.token}
	if keeps {
		c.Kept = s.db.System().Kept(s.limits, s.ours).Of(s.connection)
	}
	return append(tools, analyze.Tools)[0](account.New(c, connector.Identity{Account: "a",
		Rights: s.connection.Rights}))[0]
}

func (s *shop) ask(t tool.Tool, query string) (*tool.Result, string) {
	s.t.Helper()
	r, err := t.Call(s.t.Context(), tool.Env{Now: s.ours(), Language: stockhand.English}, json.RawMessage(query))
	if err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	return r, text(s.t, r)
}

// text returns what people see of a result.
func text(t *testing.T, r *tool.Result) string {
	t.Helper()
	answer, err := json.Marshal(map[string]any{"columns": r.Columns, "rows": r.Rows, "totals": r.Totals,
		"notices": r.Notices, "answer": r.Answer})
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// rights returns the rights of an employee, as a connection stores them.
func (s *shop) rights(token string) []string {
	s.t.Helper()
	e, err := msapi.Open(msapi.Config{BaseURL: s.url, Token: token}).Employee(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return account.RightList(e.Rights)
}

var kinds = []company.DocumentType{company.DemandDoc, company.RetailDemandDoc, company.SalesReturnDoc,
	company.SupplyDoc, company.LossDoc, company.MoveDoc}

// change changes a random document, and lets some time pass.
func (s *shop) change(r *rand.Rand) {
	s.pass(time.Duration(r.IntN(3)*r.IntN(100_000)) * time.Millisecond)
	list := s.company.Documents(kinds[r.IntN(len(kinds))])
	if len(list) == 0 {
		return
	}
	d := list[r.IntN(len(list))]
	next := d.Draft()
	anytime := start.AddDate(0, 0, -r.IntN(30)).Add(time.Duration(r.IntN(24)) * time.Hour)
	k := s.company.Catalogue()
	switch r.IntN(15) {
	case 9: // what it is linked to
		next.Store, next.Owner = pick(r, k.Stores), pick(r, k.Employees)
		next.Organization, next.State, next.Project = pick(r, k.Organizations), nil, pick(r, k.Projects)
		if next.Agent != nil {
			next.Agent = pick(r, k.Counterparties)
		}
		_, _ = s.company.Edit(d.ID, next)
	case 10: // another currency, or another rate
		next.Currency, next.Rate = pick(r, k.Currencies), company.Money(r.IntN(1_000_000))
		_, _ = s.company.Edit(d.ID, next)
	case 11: // more lines than a list shows
		for range 60 + r.IntN(100) {
			if len(next.Positions) > 0 {
				next.Positions = append(next.Positions, next.Positions[0])
			}
		}
		_, _ = s.company.Edit(d.ID, next)
	case 12: // replaced by one that looks the same
		if s.company.Delete(d.ID) == nil {
			next.SyncID = ""
			_, _ = s.company.Add(d.Type, next)
		}
	case 13: // one gone, and one back: their number is the same
		if n := len(s.bin); n > 0 && s.company.Delete(d.ID) == nil {
			_ = s.company.Restore(s.bin[n-1])
			s.bin[n-1] = d.ID
		}
	case 14: // the last minute of a month, and the first
		next.Moment = time.Date(2026, 11, 1, 0, -r.IntN(2), 0, 0, company.Moscow)
		_, _ = s.company.Edit(d.ID, next)
	case 7, 8:
		s.changeGood(r)
	case 0, 1: // new
		next.SyncID, next.Name, next.Order, next.Moment = "", "", nil, anytime
		_, _ = s.company.Add(d.Type, next)
	case 2: // edited
		if len(next.Positions) > 0 {
			next.Positions[0].Quantity += company.Units(1)
		}
		_, _ = s.company.Edit(d.ID, next)
	case 3: // posted or not
		next.Draft = !next.Draft
		_, _ = s.company.Edit(d.ID, next)
	case 4: // moved in time
		next.Moment = anytime
		_, _ = s.company.Edit(d.ID, next)
	case 5: // deleted
		if s.company.Delete(d.ID) == nil {
			s.bin = append(s.bin, d.ID)
		}
	case 6: // restored
		if n := len(s.bin); n > 0 {
			_ = s.company.Restore(s.bin[n-1])
			s.bin = s.bin[:n-1]
		}
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// changeGood adds, changes or deletes a good.
func (s *shop) changeGood(r *rand.Rand) {
	k := s.company.Catalogue()
	g := k.Goods[r.IntN(len(k.Goods))]
	card := g.Card
	switch r.IntN(11) {
	case 9: // another unit, supplier and country
		card.Unit, card.Supplier = pick(r, k.Units), pick(r, k.Counterparties)
		card.Country = pick(r, k.Countries)
	case 10: // a product with variants
		for _, x := range k.Goods {
			if len(x.Variants) > 0 {
				g, card = x, x.Card
				card.Name, card.Archived = card.Name+"?", r.IntN(9) == 0
			}
		}
	case 0, 1: // new
		kind := company.Product
		if r.IntN(3) == 0 {
			kind = company.Service
		}
		s.company.AddGood(kind, company.Card{Name: fmt.Sprint("New ", r.IntN(1000)), Folder: k.Folders[0],
			Unit: k.Units[0]})
		return
	case 2: // renamed
		card.Name += "!"
	case 3: // moved to another group
		if card.Folder != nil {
			card.Folder = k.Folders[r.IntN(len(k.Folders))]
		}
	case 4: // archived or not
		card.Archived = r.IntN(9) == 0
	case 5: // another article and barcode
		card.Article = fmt.Sprint("A", r.IntN(1000))
		card.Barcodes = []company.Barcode{{Kind: "code128", Value: card.Article}}
	case 6, 7:
		_ = s.company.SetPrices(g.ID, company.NewPrices{Sale: map[*company.PriceType]company.Price{
			k.PriceTypes[0]: {Value: company.Kopecks(int64(100 + r.IntN(100_000))), Currency: k.Currencies[0]}}})
		return
	case 8: // deleted
		g = k.Goods[len(k.Goods)-1]
		card = g.Card
		card.Deleted = true
	}
	_, _ = s.company.EditGood(g.ID, card)
}

// question returns a random query over kept documents.
func question(r *rand.Rand) string {
	day := func() string { return start.AddDate(0, 0, -r.IntN(24)).Format(time.DateOnly) }
	from, to := day(), day()
	if from > to {
		from, to = to, from
	}
	known := []string{
		`"measures":["revenue","receipts","average_receipt"],"by":["store","month"]`,
		`"measures":["revenue","returns"],"by":["product"]`,
		`"measures":["revenue"],"by":["counterparty","week"],"compare":{"with":"previous"}`,
		`"measures":["discount","lines_per_receipt"],"by":["day"]`,
		`"measures":["written_off"],"by":["store"]`,
		`"measures":["revenue","receipts"],"by":["document"]`,
		`"measures":["revenue"],"by":["group","kind"]`,
		`"measures":["revenue","returns"],"by":["variant","article","supplier"]`,
		`"measures":["discount"],"by":["group","unit","country"]`,
		`"measures":["sale_price","card_purchase_price","minimum_price"],"by":["variant","group"]`,
		`"measures":["sale_price"],"by":["product","price_type"]`,
		`"measures":["sale_price","unit_cost"],"by":["variant","barcode","supplier"]`,
		`"measures":["revenue","receipts"],"by":["employee","currency","legal_entity"]`,
		`"measures":["revenue"],"by":["state","project"]`,
		`"measures":["purchases","deliveries"],"by":["counterparty","month"]`,
		`"measures":["purchases"],"by":["supplier","product"]`,
		`"measures":["revenue","receipts"],"by":["hour","weekday"]`,
		`"measures":["transferred","surplus"],"by":["product","store"]`,
		`"measures":["stock","stock_cost","last_sale"],"by":["product"]`,
	}
	return fmt.Sprintf(`{%s,"from":%q,"to":%q}`, known[r.IntN(len(known))], from, to)
}

// After any changes, also while documents are read, an answer with kept documents is the one that reads everything
// again.
func TestKeptDocumentsAnswerAsTheAccountDoes(t *testing.T) { // rule R232
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		// 500 in a few minutes with -race
		sequences, err := strconv.Atoi(cmp.Or(os.Getenv("STOCKHAND_TEST_FACTS"), "50"))
		if err != nil {
			t.Fatal(err)
		}
		s := open(t, db)
		t.Cleanup(facts.ReadInPagesOf(12))
		fresh, replicas := s.account(false), []tool.Tool{s.account(true), s.account(true)}
		s.limits.Size = 100_000 // less than all of it, so that this one removes what the others keep
		replicas = append(replicas, s.account(true))
		used, goods := 0, 0
		for i := range sequences {
			r := rand.New(rand.NewPCG(7, uint64(i)))
			for range r.IntN(4) {
				s.change(r)
			}
			s.pass(time.Duration(r.IntN(2)*r.IntN(100)) * time.Second)
			s.ahead = time.Duration(r.IntN(3)-1) * time.Duration(r.IntN(600)) * time.Second
			query := question(r)
			replica := replicas[(r.IntN(9)+1)/4]
			if r.IntN(3) == 0 { // the account changes while this is read
				left := atomic.Int64{}
				left.Store(int64(1 + r.IntN(6)))
				between := func() {
					if left.Add(-1) == 0 {
						s.change(r)
					}
				}
				s.between.Store(&between)
				s.ask(replica, query)
				s.between.Store(nil)
			}
			got, answer := s.ask(replica, query)
			if _, want := s.ask(fresh, query); answer != want {
				t.Fatalf("sequence %d, %s:\n%s\nbut the account has\n%s", i, query, answer, want)
			}
			if k := got.Provenance.Kept; k != nil && k.Documents > 0 {
				used++
			}
			if k := got.Provenance.Kept; k != nil && k.Goods > 0 {
				goods++
			}
		}
		t.Logf("%d of %d answers used kept documents, %d kept goods", used, sequences, goods)
		if used < sequences/4 || goods < sequences/40 {
			t.Errorf("only %d of %d answers used kept documents, %d kept goods", used, sequences, goods)
		}
	})
}

const months = `{"measures":["revenue","receipts"],"by":["store","month"],"from":"2026-10-25","to":"2026-11-10"}`

func TestTheSecondQuestionTakesARequestForEachType(t *testing.T) { // rule R232
	s := open(t, storetest.New(t))
	ask := func(replica tool.Tool, query string) (requests, kept int) {
		s.t.Helper()
		r, _ := s.ask(replica, query)
		if r.Provenance.Kept != nil {
			kept = r.Provenance.Kept.Documents
			if !r.Provenance.Kept.AsOf.Equal(s.clock()) {
				t.Errorf("%+v at %s", r.Provenance.Kept, s.clock())
			}
		}
		return r.Provenance.Requests, kept
	}
	first, second := s.account(true), s.account(true)
	if _, kept := ask(first, months); kept != 0 {
		t.Error("the first answer used", kept)
	}
	ask(second, `{"measures":["stock","purchases"]}`) // it knows the names and the rights now
	for _, replica := range []tool.Tool{first, second} {
		if requests, kept := ask(replica, months); requests > 5 || kept == 0 {
			t.Errorf("%d requests, %d documents were kept", requests, kept)
		}
	}
	if _, kept := ask(first, strings.Replace(months, "{", `{"fresh":true,`, 1)); kept != 0 {
		t.Error("a fresh answer used", kept)
	}
	owner, all := s.token, s.connection.Rights
	s.token, s.connection.Rights = s.sales, s.rights(s.sales)
	for range 2 {
		if _, kept := ask(s.account(true), months); kept != 0 {
			t.Error("an employee who sees only their own documents was answered with", kept)
		}
	}
	s.token, s.connection.Rights = owner, all
	s.limits.Size = 10 // bytes: everything is removed, and nothing fits
	for range 2 {
		if _, kept := ask(s.account(true), `{"measures":["written_off"]}`); kept != 0 {
			t.Error("more than fits was kept:", kept)
		}
	}
}

// Two answers over all goods, and a change between them.
func TestTheSecondQuestionReadsTheGoodsThatChanged(t *testing.T) { // rule R234
	s := open(t, storetest.New(t))
	t.Cleanup(facts.ReadInPagesOf(12))
	s.pass(2 * time.Hour)
	fresh := s.account(false)
	const prices = `{"measures":["sale_price","card_purchase_price"],"by":["variant","group"]}`
	ask := func() *tool.Result {
		t.Helper()
		got, answer := s.ask(s.account(true), prices)
		if _, want := s.ask(fresh, prices); answer != want {
			t.Errorf("%s\nbut the account has\n%s", answer, want)
		}
		return got
	}
	first := ask()
	names := 4 // lists of names that a replica reads once
	for range 2 {
		again := ask()
		if k := again.Provenance.Kept; first.Provenance.Kept != nil || k == nil || k.Goods < len(again.Rows) ||
			again.Provenance.Requests > names+2 || again.Provenance.Requests >= first.Provenance.Requests {
			t.Errorf("%d requests, then %d with %+v", first.Provenance.Requests, again.Provenance.Requests, k)
		}
		g := s.company.Catalogue().Goods[0]
		card := g.Card
		card.Name += "!"
		if _, err := s.company.EditGood(g.ID, card); err != nil {
			t.Fatal(err)
		}
	}
	g := s.company.AddGood(company.Service, company.Card{Name: "Short"})
	ask()
	card := g.Card
	card.Deleted = true
	if _, err := s.company.EditGood(g.ID, card); err != nil {
		t.Fatal(err)
	}
	if deleted := ask(); deleted.Provenance.Kept != nil {
		t.Errorf("after a deletion the goods were not read again: %+v", deleted.Provenance.Kept)
	}
	s.connection.Rights = []string{"product", "variant", "bundle", "service:OWN"}
	for range 2 {
		if got := ask(); got.Provenance.Kept != nil {
			t.Errorf("an employee who sees a part of the goods was answered with %+v", got.Provenance.Kept)
		}
	}
}

// A forecast reads the documents of half a year; the second one reads what has changed.
func TestAForecastUsesKeptDocuments(t *testing.T) { // rule R235
	s := open(t, storetest.New(t))
	fresh, r := s.account(false, outlook.Tools), rand.New(rand.NewPCG(1, 2))
	for i := range 12 {
		got, answer := s.ask(s.account(true, outlook.Tools), `{"top":10}`)
		again, want := s.ask(fresh, `{"top":10}`)
		if answer != want {
			t.Fatalf("after %d changes:\n%s\nbut the account has\n%s", i, answer, want)
		}
		if k := got.Provenance.Kept; (k != nil && k.Documents > 20) != (i > 0) || again.Provenance.Kept != nil {
			t.Errorf("forecast %d: %+v", i, k)
		}
		s.change(r)
	}
}

// A process that is killed, or a store that fails, between any two statements leaves what answers correctly.
func TestAFailingStoreNeverFailsOrSpoilsAnAnswer(t *testing.T) { // rule R232
	s := open(t, storetest.New(t))
	fresh := s.account(false)
	r := rand.New(rand.NewPCG(1, 2))
	for stop := range 12 {
		for range 3 {
			s.change(r)
		}
		// the replica is killed while it sends this request: its context ends
		ctx, kill := context.WithCancel(t.Context())
		left := atomic.Int64{}
		left.Store(int64(stop))
		between := func() {
			if left.Add(-1) == 0 {
				kill()
			}
		}
		s.between.Store(&between)
		_, err := s.account(true).Call(ctx, tool.Env{Now: s.clock()}, json.RawMessage(months))
		s.between.Store(nil)
		killed := ctx.Err() != nil
		kill()
		if (err != nil) != killed {
			t.Errorf("killed %t: %v", killed, err)
		}
		_, want := s.ask(fresh, months)
		if _, answer := s.ask(s.account(true), months); answer != want {
			t.Fatalf("after a kill at request %d:\n%s\nbut the account has\n%s", stop, answer, want)
		}
	}
	_, want := s.ask(fresh, months)
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, answer := s.ask(s.account(true), months); answer != want {
		t.Errorf("without a store:\n%s\nwant\n%s", answer, want)
	}
}
