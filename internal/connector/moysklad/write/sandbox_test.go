package write

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// fixture is a sandbox with one account for tests that write. Its methods prepare documents from the account's reports.
type fixture struct {
	*testing.T

	server  *sandbox.Server
	url     string
	account sandbox.AccountInfo
	company *company.Company
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	s := sandbox.New(sandbox.Options{Company: company.Options{Seed: 11, Products: 80, Days: 40}, Accounts: 1,
		NoLimits: true})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	account := s.Accounts()[0]
	return &fixture{T: t, server: s, url: server.URL + sandbox.APIPath, account: account,
		company: s.Company(account.AccountID)}
}

func (s *fixture) config(token string) Config {
	return Config{BaseURL: s.url, Token: token, Account: stockhand.AccountID(s.account.AccountID), Attempts: 2,
		Timeout: 10 * time.Second}
}

func (s *fixture) writer() *Writer { return Open(s.config(s.account.Tokens.Owner)) }

// row returns a good that some store has in stock, and the figures of that store.
func (s *fixture) row() (msapi.StockByStoreRow, msapi.StoreStock, msapi.Card) {
	s.Helper()
	r := msapi.Open(msapi.Config{BaseURL: s.url, Token: s.account.Tokens.Owner})
	products, err := msapi.Collect(r.ProductCards(s.Context(), msapi.CardQuery{}))
	if err != nil {
		s.Fatal(err)
	}
	for row, err := range r.StockByStore(s.Context(), msapi.StockQuery{StockMode: msapi.ModePositive}) {
		if err != nil {
			s.Fatal(err)
		}
		for _, store := range row.Stores {
			for _, p := range products {
				if p.ID == row.ID && p.BuyPrice.Value.Known &&
					store.Stock.Sub(store.Reserve.Decimal).Cmp(decimal.FromInt(5)) > 0 {
					return row, store, p
				}
			}
		}
	}
	s.Fatal("no good with stock")
	panic("unreachable")
}

func seenOf(store msapi.StoreStock) tool.Seen {
	return tool.Seen{Stock: store.Stock, Reserve: store.Reserve, InTransit: store.InTransit}
}

func (s *fixture) order(id string) tool.Document {
	_, store, p := s.row()
	figures := seenOf(store)
	figures.Price = decimal.Some(p.BuyPrice.Value.Major())
	c := s.company.Catalogue()
	return tool.Document{
		ID: stockhand.DocumentID(id), Kind: tool.SupplierOrder, Currency: "RUB",
		Delivery:     tool.DayOf(time.Now()).Add(7),
		Organization: ref("organization", string(c.Organizations[0].ID), "Юрлицо"),
		Supplier:     ref("counterparty", string(c.Counterparties[0].ID), "Поставщик"),
		Store:        ref("store", string(store.Store), store.Name),
		Lines: []tool.Line{{ID: "1", Product: *ref("product", string(p.ID), p.Name), Quantity: some("4"),
			Price: figures.Price, Seen: figures}},
	}
}

func (s *fixture) move(id string) tool.Document {
	_, store, p := s.row()
	c := s.company.Catalogue()
	target := c.Stores[0]
	if string(target.ID) == string(store.Store) {
		target = c.Stores[1]
	}
	return tool.Document{
		ID: stockhand.DocumentID(id), Kind: tool.Transfer,
		Organization: ref("organization", string(c.Organizations[0].ID), "Юрлицо"),
		Store:        ref("store", string(store.Store), store.Name),
		Target:       ref("store", string(target.ID), target.Name),
		Lines: []tool.Line{{ID: "1", Product: *ref("product", string(p.ID), p.Name), Quantity: some("2"),
			Seen: seenOf(store)}},
	}
}

// minimum raises the minimum of a good in one of its warehouses.
func (s *fixture) minimum(id string) tool.Document {
	for _, g := range s.company.Catalogue().Goods {
		if m := g.Minimum; g.Kind != company.Product || m == nil || m.Type != company.MinimumVaried ||
			len(m.Stores) < 2 {
			continue
		}
		line := tool.Line{ID: "1", Product: *ref("product", string(g.ID), g.Name),
			Store: ref("store", string(g.Minimum.Stores[0].Store.ID), g.Minimum.Stores[0].Store.Name)}
		for _, x := range g.Minimum.Stores {
			line.Seen.Minimums = append(line.Seen.Minimums, tool.StoreMinimum{
				Store: *ref("store", string(x.Store.ID), x.Store.Name), Quantity: x.Quantity.Decimal()})
		}
		line.Seen.Minimum = decimal.Some(line.Seen.Minimums[0].Quantity)
		line.Quantity = decimal.Some(line.Seen.Minimum.Add(decimal.One))
		return tool.Document{ID: stockhand.DocumentID(id), Kind: tool.MinimumStock, Lines: []tool.Line{line}}
	}
	s.Fatal("no good with minimums in several warehouses")
	panic("unreachable")
}

// wantMinimums checks that a document changed the minimum of its warehouse, and of no other.
func (s *fixture) wantMinimums(doc tool.Document) {
	s.Helper()
	line := doc.Lines[0]
	g, _ := s.company.Good(company.ID(line.Product.ID))
	if len(g.Minimum.Stores) != len(line.Seen.Minimums) {
		s.Fatalf("minimums %+v, were %+v", g.Minimum.Stores, line.Seen.Minimums)
	}
	for _, was := range line.Seen.Minimums {
		want := was.Quantity
		if was.Store.ID == line.Store.ID {
			want = line.Quantity.Decimal
		}
		for _, x := range g.Minimum.Stores {
			if string(x.Store.ID) == was.Store.ID && x.Quantity.Decimal().Cmp(want) != 0 {
				s.Errorf("%s: %s, want %s", was.Store.Name, x.Quantity.Decimal(), want)
			}
		}
	}
}

func (s *fixture) prices(id string) tool.Document {
	_, _, p := s.row()
	old := p.SalePrices[0].Value.Major()
	priceType := s.company.Catalogue().PriceTypes[0]
	return tool.Document{
		ID: stockhand.DocumentID(id), Kind: tool.PriceChange, Currency: "RUB",
		CurrencyID: string(p.SalePrices[0].Currency.ID),
		PriceType:  ref("pricetype", string(priceType.ID), priceType.Name),
		Lines: []tool.Line{{ID: "1", Product: *ref("product", string(p.ID), p.Name), OldPrice: decimal.Some(old),
			Price: decimal.Some(old.Add(decimal.MustParse("7.5")))}},
	}
}

func (s *fixture) check(w *Writer, docs ...tool.Document) []tool.Check {
	s.Helper()
	checks, err := w.Check(s.Context(), stockhand.Russian, docs)
	if err != nil {
		s.Fatal(err)
	}
	return checks
}

// count returns the number of documents with a document's syncId.
func (s *fixture) count(kind company.DocumentType, id stockhand.DocumentID) int {
	n := 0
	for _, d := range s.company.Documents(kind) {
		if string(d.SyncID) == string(SyncID(id)) {
			n++
		}
	}
	return n
}

func TestTheSandboxAcceptsEveryKindOfDocumentOnce(t *testing.T) {
	s := newFixture(t)
	w := s.writer()
	docs := []tool.Document{s.order("doc_o"), s.order("doc_o2"), s.move("doc_m"), s.prices("doc_p")}
	for i, c := range s.check(w, docs...) {
		if c.MissingRight != "" || len(c.Moved) != 0 {
			t.Errorf("document %d before the write: %q, %s", i, c.MissingRight, describeMoved(c))
		}
	}
	for i, o := range find(t, w, docs...) {
		if o.State != failed {
			t.Errorf("document %d exists before the write: %+v", i, o)
		}
	}
	first := apply(t, w, docs...)
	wantStates(t, first, applied, applied, applied, applied)
	for i, o := range first[:3] {
		if o.External == nil || o.External.Name == "" || !strings.Contains(o.Link, "://") {
			t.Errorf("receipt %d: %+v, %q", i, o.External, o.Link)
		}
	}
	again := apply(t, w, docs...)
	wantStates(t, again, applied, applied, applied, applied)
	found := find(t, w, docs...)
	wantStates(t, found, applied, applied, applied, applied)
	for i := range docs[:3] {
		if *again[i].External != *first[i].External || *found[i].External != *first[i].External {
			t.Errorf("document %d: %+v, again %+v, found %+v", i, first[i].External, again[i].External,
				found[i].External)
		}
	}
	if s.count(company.PurchaseOrderDoc, "doc_o")+s.count(company.PurchaseOrderDoc, "doc_o2")+
		s.count(company.MoveDoc, "doc_m") != 3 {
		t.Error("not every document exists exactly once")
	}

	// After the writes, the order in transit and the price count as moved, and the order can be deleted.
	checks := s.check(w, s.order("doc_o"), docs[0], docs[3])
	if len(checks[0].Moved) != 0 || len(checks[1].Moved) != 1 || len(checks[2].Moved) != 1 {
		t.Errorf("after writing: %s | %s | %s", describeMoved(checks[0]), describeMoved(checks[1]),
			describeMoved(checks[2]))
	}
	removal := tool.Document{ID: "doc_d", Kind: tool.Deletion, Deletes: first[0].External, Currency: "RUB"}
	if c := s.check(w, removal)[0]; c.MissingRight != "" || len(c.Moved) != 0 {
		t.Errorf("the order cannot be deleted: %q %s", c.MissingRight, describeMoved(c))
	}
	wantStates(t, find(t, w, removal), failed)
	wantStates(t, apply(t, w, removal), applied)
	wantStates(t, find(t, w, removal), applied)
	wantStates(t, apply(t, w, removal), applied)
	if s.count(company.PurchaseOrderDoc, "doc_o") != 0 {
		t.Error("the deleted order still exists")
	}
}

func TestEveryDocumentExistsOnceAfterAnyFault(t *testing.T) {
	s := newFixture(t)
	w := s.writer()
	for i, f := range []sandbox.Fault{
		{Cut: sandbox.CutBefore}, {Cut: sandbox.CutMiddle}, {Cut: sandbox.CutAfterWrite}, {Status: 500}, {Status: 503},
		{Status: 429}, {Status: 429, RetryAfterMS: 10}, {Body: "<html>"}, {Body: "{}"},
	} {
		f.Method, f.Count = http.MethodPost, 1
		for _, doc := range []tool.Document{s.order(fmt.Sprint("doc_o", i)), s.move(fmt.Sprint("doc_m", i)),
			s.prices(fmt.Sprint("doc_p", i)), s.minimum(fmt.Sprint("doc_l", i))} {
			f.Path = map[tool.DocumentKind]string{tool.SupplierOrder: "/purchaseorder$", tool.Transfer: "/move$",
				tool.PriceChange: "/product$", tool.MinimumStock: "/product$"}[doc.Kind]
			if err := s.server.Fail(f); err != nil {
				t.Fatal(err)
			}
			o := apply(t, w, doc)[0]
			if f.Status != 429 && o.State != unknown {
				t.Errorf("%+v: %s %s (%s)", f, doc.Kind, o.State, o.Problem)
			}
			if o.State == unknown {
				o = find(t, w, doc)[0]
			}
			if written := f.Cut == sandbox.CutAfterWrite || f.Cut == sandbox.CutMiddle ||
				f.Status == 429; written != (o.State == applied) {
				t.Errorf("%+v: %s found as %s (%s)", f, doc.Kind, o.State, o.Problem)
			}
			if o.State == failed {
				o = apply(t, w, doc)[0] // Find reported it missing
			}
			if o.State != applied {
				t.Errorf("%+v: %s ends as %s (%s)", f, doc.Kind, o.State, o.Problem)
			}
			switch doc.Kind {
			case tool.SupplierOrder:
				if n := s.count(company.PurchaseOrderDoc, doc.ID); n != 1 {
					t.Errorf("%+v: %d orders", f, n)
				}
			case tool.Transfer:
				if n := s.count(company.MoveDoc, doc.ID); n != 1 {
					t.Errorf("%+v: %d transfers", f, n)
				}
			case tool.MinimumStock:
				s.wantMinimums(doc)
			default:
			}
		}
	}
}

func TestOneBadDocumentDoesNotStopTheSandboxsOthers(t *testing.T) {
	s := newFixture(t)
	bad := s.order("doc_bad")
	bad.Supplier = ref("counterparty", supplierID, "Никто")
	outcomes := apply(t, s.writer(), s.order("doc_1"), bad, s.order("doc_2"))
	wantStates(t, outcomes, applied, failed, applied)
	if s.count(company.PurchaseOrderDoc, "doc_bad") != 0 {
		t.Error("the refused order exists")
	}
}

// A check reports a missing right if and only if the server refuses the write.
func TestChecksAgreeWithTheServerAboutRights(t *testing.T) {
	s := newFixture(t)
	tokens := s.account.Tokens
	for name, token := range map[string]string{"owner": tokens.Owner, "storekeeper": tokens.Storekeeper,
		"sales": tokens.Sales} {
		w := Open(s.config(token))
		for _, doc := range []tool.Document{s.order("doc_o_" + name), s.move("doc_m_" + name),
			s.prices("doc_p_" + name)} {
			c, o := s.check(w, doc)[0], apply(t, w, doc)[0]
			if (c.MissingRight == "") != (o.State == applied) {
				t.Errorf("%s, %s: missing %q, but the write is %s (%s)", name, doc.Kind, c.MissingRight, o.State,
					o.Problem)
			}
			if c.MissingRight != "" && !strings.Contains(o.Problem, c.MissingRight) {
				t.Errorf("%s, %s: the check names %q, the server %q", name, doc.Kind, c.MissingRight, o.Problem)
			}
		}
	}
	wantStates(t, apply(t, Open(s.config(tokens.Revoked)), s.order("doc_revoked")), failed)
}

// Proposals pass the checks against the same account and can be written unchanged.
func TestProposalsCanBeWritten(t *testing.T) {
	s := newFixture(t)
	w := s.writer()
	a := moysklad.Kind.Open(connector.Config{BaseURL: s.url, Token: s.account.Tokens.Owner},
		connector.Identity{Account: stockhand.AccountID(s.account.AccountID)})
	arguments := map[string]string{
		"moysklad_propose_supplier_orders": `{}`, "moysklad_propose_transfers": `{}`,
		"moysklad_propose_price_change":  `{"percent": 7, "everything": true}`,
		"moysklad_propose_minimum_stock": `{"everything": true}`,
	}
	for _, tl := range a.Tools() {
		if !tl.Proposes() {
			continue
		}
		t.Run(tl.Name, func(t *testing.T) {
			input, known := arguments[tl.Name]
			if !known {
				t.Fatal("the test has no arguments for this tool")
			}
			p, err := tl.Propose(t.Context(), tool.Env{}, []byte(input))
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Documents) == 0 {
				t.Fatalf("no documents: %s", p.Answer)
			}
			for i, c := range s.check(w, p.Documents...) {
				if c.MissingRight != "" || len(c.Moved) > 0 {
					t.Errorf("%s: %q, %s", p.Documents[i].Title, c.MissingRight, describeMoved(c))
				}
			}
			for i, o := range apply(t, w, p.Documents...) {
				if o.State != applied {
					t.Errorf("%s: %s (%s)", p.Documents[i].Title, o.State, o.Problem)
				}
			}
			for i, o := range find(t, w, p.Documents...) {
				if o.State != applied {
					t.Errorf("%s: Find gives %s (%s)", p.Documents[i].Title, o.State, o.Problem)
				}
			}
		})
	}
}

// An order cannot be deleted once goods were received.
func TestAReceivedOrderHasMoved(t *testing.T) {
	s := newFixture(t)
	for _, d := range s.company.Documents(company.PurchaseOrderDoc) {
		if d.ShippedSum == 0 {
			continue
		}
		removal := tool.Document{ID: "doc_d", Kind: tool.Deletion, Deletes: ref("purchaseorder", string(d.ID), d.Name),
			Currency: "RUB"}
		if c := s.check(s.writer(), removal)[0]; len(c.Moved) == 0 {
			t.Error("Check allows deleting a received order")
		}
		if o := apply(t, s.writer(), removal)[0]; o.State != failed {
			t.Errorf("deleting a received order: %s", o.State)
		}
		return
	}
	t.Fatal("no received order")
}

func TestMinimumsOfAGoodAreSentAgainOnlyIfNoneHasChanged(t *testing.T) { // rule R263
	s := newFixture(t)
	w := s.writer()
	doc := s.minimum("doc_l")
	g, _ := s.company.Good(company.ID(doc.Lines[0].Product.ID))
	wantStates(t, find(t, w, doc), failed)
	was := g.Minimum.Stores[1].Quantity
	g.Minimum.Stores[1].Quantity = was + was // another person's change, of another warehouse
	wantStates(t, find(t, w, doc), unknown)
	g.Minimum.Stores[1].Quantity = was
	wantStates(t, apply(t, w, doc), applied)
	wantStates(t, find(t, w, doc), applied)
	g, _ = s.company.Good(company.ID(doc.Lines[0].Product.ID))
	g.Minimum.Stores[1].Quantity = was + was
	wantStates(t, find(t, w, doc), unknown)
}

func TestAMinimumThatReturnsToZeroIsSent(t *testing.T) { // a warehouse that is left out may keep its minimum
	s := newFixture(t)
	doc := s.minimum("doc_l")
	doc.Lines[0].Quantity = some("0")
	bodies, err := s.writer().Bodies(doc)
	if err != nil || !strings.Contains(string(bodies[0].Body), doc.Lines[0].Store.ID) ||
		!strings.Contains(string(bodies[0].Body), `"quantity":0}`) {
		t.Errorf("%s, %v", bodies, err)
	}
	wantStates(t, apply(t, s.writer(), doc), applied)
	wantStates(t, find(t, s.writer(), doc), applied)
}

func TestAGoodWithOnlyZerosByWarehouseHasNoMinimum(t *testing.T) {
	zero := decimal.Some(decimal.Zero)
	g := good{minimum: &msapi.MinimumStock{Kind: msapi.MinimumVaried, Stores: []msapi.StoreMinimum{
		{Store: msapi.Ref{ID: storeID}, Quantity: zero}}}}
	for name, line := range map[string]tool.Line{"together": {}, "by warehouse": {Store: ref("store", storeID, "")}} {
		if now, possible := minimumNow(g, line); !possible || !now.IsZero() {
			t.Errorf("%s: %s, %v", name, now, possible)
		}
	}
}

func TestMinimumsOfArchivedWarehousesAreNotWritten(t *testing.T) { // fact M116
	s := newFixture(t)
	w := s.writer()
	doc := s.minimum("doc_l")
	g, _ := s.company.Good(company.ID(doc.Lines[0].Product.ID))
	g.Minimum.Stores[1].Store.Archived = true
	checks := s.check(w, doc)
	if len(checks[0].Moved) != 1 {
		t.Errorf("the archived warehouse is not noticed: %+v", checks[0].Moved)
	}
	doc = checks[0].Fresh
	wantStates(t, apply(t, w, doc), applied)
	wantStates(t, find(t, w, doc), applied)
}
