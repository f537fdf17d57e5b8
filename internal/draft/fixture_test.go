package draft_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/tool"
)

// shop is an organization with a connection to books of its own.
type shop struct {
	db         *store.DB
	books      *books
	org        stockhand.OrgID
	connection stockhand.ConnectionID
	service    *draft.Service
	person     stockhand.Actor
	key        stockhand.Actor
	now        *time.Time
}

func newShop(t testing.TB, db *store.DB, b *books) shop {
	t.Helper()
	org := storetest.Organization(t, db)
	c, err := db.CreateConnection(t.Context(), org,
		stockhand.Connection{Connector: "moysklad", Account: "acc-1", Label: "Shop"})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	s := shop{db: db, books: b, org: org, connection: c.ID, now: &now}
	s.person = stockhand.Actor{Org: org, Name: "user:usr_1", Person: true, Role: stockhand.RoleOwner}
	s.key = stockhand.Actor{Org: org, Name: "key:key_1"}
	s.service = s.another()
	return s
}

// another is a service as another process would have it.
func (s shop) another() *draft.Service {
	return draft.New(draft.Config{
		Store: s.db, System: s.db.System(), Writers: s.books, Clock: func() time.Time { return *s.now },
		Pauses: []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}, Fingerprint: fingerprint,
	})
}

// fingerprint is a hash with a key.
func fingerprint(org stockhand.OrgID, exact []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte("key "+string(org)+string(exact))))
}

// eachShop runs a test on every database.
func eachShop(t *testing.T, test func(t *testing.T, s shop)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, db *store.DB) { test(t, newShop(t, db, newBooks(t))) })
}

func some(s string) decimal.Maybe { return decimal.Some(decimal.MustParse(s)) }

func order(product string) tool.Document {
	return tool.Document{
		ID: stockhand.NewID[stockhand.DocumentID]("doc"), Kind: tool.SupplierOrder, Title: "Заказ: " + product,
		Currency: "RUB", Store: &tool.Ref{ID: "s1"},
		Lines: []tool.Line{
			{
				Product: tool.Ref{ID: product, Name: product}, Quantity: some("12"), Unit: "шт", Pack: some("6"),
				Whole: true, Price: some("33.335"),
				Seen: tool.Seen{Stock: some("5"), Reserve: some("1"), InTransit: some("0"), Daily: some("2"),
					Price: some("100")},
			},
			{Product: tool.Ref{ID: product + "-more", Name: product + "-more"}, Quantity: some("0.5"), Unit: "кг",
				Price: some("0.01")},
		},
	}
}

func transfer(product string) tool.Document {
	return tool.Document{
		ID: stockhand.NewID[stockhand.DocumentID]("doc"), Kind: tool.Transfer, Title: "Перемещение: " + product,
		Store: &tool.Ref{ID: "s1"}, Target: &tool.Ref{ID: "s2"},
		Lines: []tool.Line{{Product: tool.Ref{ID: product, Name: product}, Quantity: some("3")}},
	}
}

func prices(products ...string) tool.Document {
	d := tool.Document{
		ID: stockhand.NewID[stockhand.DocumentID]("doc"), Kind: tool.PriceChange, Title: "Цены", Currency: "RUB",
		PriceType: &tool.Ref{ID: "retail", Name: "Розница"},
	}
	for _, p := range products {
		d.Lines = append(d.Lines, tool.Line{
			Product: tool.Ref{ID: p, Name: p}, Price: some("107"), OldPrice: some("100"), Cost: some("90"),
			Seen: tool.Seen{Price: some("100")},
		})
	}
	return d
}

func (s shop) create(t testing.TB, docs ...tool.Document) stockhand.Draft {
	t.Helper()
	p := &tool.Proposal{Tool: "moysklad_propose_supplier_orders", Title: "Заказы", Answer: "Заказать.", Documents: docs}
	d, err := s.service.Create(t.Context(),
		stockhand.Draft{Org: s.org, Session: "ses_1", Run: stockhand.NewID[stockhand.RunID]("run"),
			Connection: s.connection, Language: stockhand.Russian},
		p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (s shop) confirm(t testing.TB, d stockhand.Draft, documents ...stockhand.DocumentID) stockhand.Draft {
	t.Helper()
	c, err := s.service.Confirm(t.Context(), s.person,
		draft.Decision{Draft: d.ID, Version: d.Version, Documents: documents})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s shop) read(t testing.TB, id stockhand.DraftID) stockhand.Draft {
	t.Helper()
	d, err := s.service.Draft(t.Context(), s.org, id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func proposal(t testing.TB, d stockhand.Draft) tool.Proposal {
	t.Helper()
	var p tool.Proposal
	if err := json.Unmarshal(d.Body, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// wantStates checks where the documents of a draft stand, in order.
func wantStates(t testing.TB, d stockhand.Draft, want ...stockhand.DocumentState) {
	t.Helper()
	got := make([]stockhand.DocumentState, len(d.Documents))
	for i, doc := range d.Documents {
		got[i] = doc.State
	}
	if len(got) != len(want) {
		t.Fatalf("documents are %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("documents are %v, want %v (%+v)", got, want, d.Documents)
		}
	}
}

func wantCode(t testing.TB, doing string, err error, code stockhand.Code, words ...string) {
	t.Helper()
	if err == nil || stockhand.CodeOf(err) != code {
		t.Fatalf("%s: %v, want %s", doing, err, code)
	}
	said := err.Error()
	if e, ok := errors.AsType[*stockhand.Error](err); ok {
		said += e.Hint
	}
	for _, w := range words {
		if !strings.Contains(said, w) {
			t.Errorf("%s: %q does not say %q", doing, said, w)
		}
	}
}

// actions are the entries of the audit log, in order, after checking its chain.
func (s shop) actions(t testing.TB) []string {
	t.Helper()
	v, err := audit.Verify(t.Context(), s.db, nil, s.org, nil)
	if err != nil || v.Broken != 0 {
		t.Fatalf("the audit log: %+v, %v", v, err)
	}
	var all []string
	for _, e := range s.entries(t) {
		all = append(all, e.Action)
	}
	return all
}

func (s shop) entries(t testing.TB) (all []stockhand.AuditEntry) {
	t.Helper()
	for {
		page, err := s.db.AuditEntries(t.Context(), s.org, int64(len(all)), 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}
