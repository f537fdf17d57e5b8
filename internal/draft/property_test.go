package draft_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/tool"
)

// walk does random things to drafts of a shop: everything that the package offers, in any order.
type walk struct {
	*rapid.T
	shop
	t         *testing.T
	drafts    []stockhand.DraftID
	confirmed map[stockhand.DocumentID]string // by a person, successfully → the fingerprint
}

func (w *walk) draft() stockhand.Draft {
	if len(w.drafts) == 0 {
		w.Skip("no draft yet")
	}
	return w.shop.read(w.t, rapid.SampledFrom(w.drafts).Draw(w.T, "draft"))
}

// allowed fails on errors that are no refusals.
func (w *walk) allowed(err error) {
	switch stockhand.CodeOf(err) {
	case stockhand.CodeInternal:
		if err != nil {
			w.Fatal(err)
		}
	default:
	}
}

func (w *walk) create(*rapid.T) {
	n := rapid.IntRange(1, 3).Draw(w.T, "documents")
	docs := make([]tool.Document, n)
	for i := range docs {
		product := stockhand.NewID[string]("p")
		docs[i] = rapid.SampledFrom([]func(string) tool.Document{order, transfer,
			func(p string) tool.Document { return prices(p) }}).Draw(w.T, "kind")(product)
	}
	d := w.shop.create(w.t, docs...)
	w.totals(d)
	w.drafts = append(w.drafts, d.ID)
}

func (w *walk) edit(*rapid.T) {
	d := w.draft()
	documents := proposal(w.t, d).Documents
	doc := documents[rapid.IntRange(0, len(documents)-1).Draw(w.T, "document")]
	e := draft.DocumentEdit{ID: doc.ID, Drop: rapid.Bool().Draw(w.T, "drop")}
	if !e.Drop {
		line := draft.LineEdit{ID: doc.Lines[rapid.IntRange(0, len(doc.Lines)-1).Draw(w.T, "line")].ID}
		line.Quantity = maybe(w.T, "quantity")
		line.Price = maybe(w.T, "price")
		e.Lines = append(e.Lines, line)
	}
	version := d.Version + int64(rapid.IntRange(-1, 0).Draw(w.T, "behind"))
	edited, err := w.service.Edit(w.t.Context(), w.key, d.ID, version, draft.Edits{Documents: []draft.DocumentEdit{e}})
	w.allowed(err)
	if err == nil {
		w.totals(edited)
		if edited.Version != d.Version+1 || version != d.Version {
			w.Fatalf("version %d became %d by an edit of %d", d.Version, edited.Version, version)
		}
		_, err := w.service.Confirm(w.t.Context(), w.person, draft.Decision{Draft: d.ID, Version: d.Version})
		if stockhand.CodeOf(err) != stockhand.CodeDraftChanged {
			w.Fatalf("the version before an edit was confirmed: %v", err)
		}
	}
}

func maybe(t *rapid.T, name string) decimal.Maybe {
	n := decimal.FromInt(rapid.Int64Range(-2, 100_000).Draw(t, name)).Div(rapid.SampledFrom([]decimal.Decimal{
		decimal.One, decimal.Hundred, decimal.FromInt(10_000), decimal.FromInt(3),
	}).Draw(t, name+" step"))
	return decimal.Maybe{Decimal: n, Known: rapid.Bool().Draw(t, name+" known")}
}

func (w *walk) reject(*rapid.T) {
	d := w.draft()
	_, err := w.service.Reject(w.t.Context(), w.key, d.ID, d.Version)
	w.allowed(err)
}

func (w *walk) undo(*rapid.T) {
	d, err := w.service.Undo(w.t.Context(), w.key, w.draft().ID)
	w.allowed(err)
	if err == nil {
		w.drafts = append(w.drafts, d.ID)
	}
}

func (w *walk) withoutAPerson(*rapid.T) {
	d := w.draft()
	_, err := w.service.Confirm(w.t.Context(), w.key, draft.Decision{Draft: d.ID, Version: d.Version})
	if stockhand.CodeOf(err) != stockhand.CodePermissionDenied {
		w.Fatalf("a key confirmed: %v", err)
	}
	wantCode(w.t, "a key turns keys on", w.service.SetKeysMayConfirm(w.t.Context(), w.key, true),
		stockhand.CodePermissionDenied)
}

func (w *walk) dryRun(*rapid.T) {
	d := w.draft()
	_, err := w.service.Preview(w.t.Context(), rapid.SampledFrom([]stockhand.Actor{w.person, w.key}).Draw(w.T, "actor"),
		draft.Decision{Draft: d.ID, Version: d.Version})
	w.allowed(err)
}

func (w *walk) resume(*rapid.T) { w.allowed(w.another().Resume(w.t.Context())) }

// faults makes the external system worse, or well again.
func (w *walk) faults(*rapid.T) {
	down := rapid.IntRange(0, 3).Draw(w.T, "down") == 0
	lost := rapid.SampledFrom([]string{"", "before", "after"}).Draw(w.T, "lost")
	w.books.set(func() {
		w.books.down = down
		w.books.fault = func(r *http.Request) (bool, bool) {
			return r.Method != http.MethodGet && lost == "before", r.Method != http.MethodGet && lost == "after"
		}
	})
}

func (w *walk) confirm(*rapid.T) {
	d := w.draft()
	doc := d.Documents[rapid.IntRange(0, len(d.Documents)-1).Draw(w.T, "document")]
	c, err := w.service.Confirm(w.t.Context(), w.person,
		draft.Decision{Draft: d.ID, Version: d.Version, Documents: []stockhand.DocumentID{doc.ID}})
	w.allowed(err)
	if err == nil && c.Version == d.Version {
		for _, at := range c.Documents {
			if at.ID == doc.ID {
				w.confirmed[doc.ID] = at.Fingerprint
			}
		}
	}
}

// totals checks that what is printed of a draft adds up.
func (w *walk) totals(d stockhand.Draft) {
	for _, doc := range proposal(w.t, d).Documents {
		if doc.Kind != tool.SupplierOrder {
			continue
		}
		sum := decimal.Zero
		for _, l := range doc.Lines {
			sum = sum.Add(decimal.MustParse(l.Sum().Fixed(2)))
		}
		if !doc.Total.Known || doc.Total.Fixed(2) != sum.Fixed(2) {
			w.Fatalf("lines of %s add up to %s, the total is %s", doc.ID, sum.Fixed(2), doc.Total.Fixed(2))
		}
	}
}

// temporary is a database that does not wait for the disk: these tests are about what is stored, not how safely.
func temporary(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestNoSequenceOfCallsWithoutAPersonsConfirmationReachesAWrite(t *testing.T) {
	db, b := temporary(t), newBooks(t)
	rapid.Check(t, func(r *rapid.T) {
		w := &walk{T: r, t: t, shop: newShop(t, db, b)}
		r.Repeat(map[string]func(*rapid.T){
			"create": w.create, "edit": w.edit, "reject": w.reject, "undo": w.undo, "key": w.withoutAPerson,
			"dry run": w.dryRun, "resume": w.resume,
			"": func(*rapid.T) {
				if n := b.wrote(""); n != 0 {
					r.Fatalf("%d writes that no person confirmed", n)
				}
			},
		})
	})
}

func TestWhateverHappensEachDocumentIsThereOnceAndItsStateIsTrue(t *testing.T) {
	db := temporary(t)
	rapid.Check(t, func(r *rapid.T) {
		w := &walk{T: r, t: t, shop: newShop(t, db, newBooks(t)), confirmed: map[stockhand.DocumentID]string{}}
		r.Repeat(map[string]func(*rapid.T){
			"create": w.create, "edit": w.edit, "reject": w.reject, "undo": w.undo, "dry run": w.dryRun,
			"resume": w.resume, "faults": w.faults, "confirm": w.confirm,
			"confirm more": w.confirm,
		})
		w.books.set(func() { w.books.down, w.books.fault = false, nil })
		w.resume(r)
		for range 2 { // applying twice is once
			if repeated := truth(r, t, w.shop); repeated != 0 {
				r.Fatalf("%d requests were repeated, and each answer could have been looked up", repeated)
			}
			if err := w.service.Resume(t.Context()); err != nil {
				r.Fatal(err)
			}
		}
		for id, print := range w.confirmed {
			if print == "" {
				r.Fatalf("%s was confirmed without a fingerprint", id)
			}
		}
	})
}

// truth compares all drafts of a shop with the books: what is said to be written is there and nothing else is. Nothing
// may be left on its way. It returns how many requests were repeated, which the external id made harmless.
func truth(t rapid.TB, test *testing.T, s shop) (repeated int) {
	t.Helper()
	s.books.mu.Lock()
	documents, writes := map[string]string{}, map[string]int{}
	for path, body := range s.books.documents {
		documents[path] = body
	}
	for request, n := range s.books.writes {
		writes[request] = n
	}
	s.books.mu.Unlock()

	removed := map[string]bool{} // documents that an applied deletion took away
	applied := map[string]bool{}
	var before stockhand.DraftID
	for {
		page, err := s.service.List(test.Context(), s.org, before, 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, d := range page {
			before = d.ID
			p := proposal(test, d)
			for i, at := range d.Documents {
				doc := p.Documents[i]
				if doc.ID != at.ID {
					t.Fatalf("document %d of %s is %s in one place and %s in the other", i, d.ID, doc.ID, at.ID)
				}
				if at.State == stockhand.DocumentConfirmed || at.State == stockhand.DocumentApplying ||
					at.State == stockhand.DocumentUnknown {
					t.Fatalf("%s was left %s: %s", at.ID, at.State, at.Problem)
				}
				bodies, err := clerk{}.Bodies(doc)
				if err != nil {
					t.Fatal(err)
				}
				done := at.State == stockhand.DocumentApplied
				if done && (fingerprint(s.org, draft.Exact(bodies)) != at.Fingerprint ||
					at.ConfirmedBy != s.person.Name || at.Version == 0) {
					t.Fatalf("%+v was written and is not what was confirmed", at)
				}
				for _, b := range bodies {
					n := writes[b.Method+" "+b.Path]
					switch {
					case doc.Kind == tool.Deletion && done:
						removed[b.Path] = true
					case doc.Kind == tool.Deletion || doc.Kind == tool.PriceChange:
						continue // several may write to one path; each product's first change is checked below
					case done:
						applied[b.Path] = true
						if n < 1 {
							t.Fatalf("%s is %s and was never written", at.ID, at.State)
						}
						repeated += n - 1
					case n != 0:
						t.Fatalf("%s is %s and was written %d times: %s", at.ID, at.State, n, at.Problem)
					}
					if body, there := documents[b.Path]; there && body != string(b.Body) {
						t.Fatalf("%s holds %s, confirmed was %s", b.Path, body, b.Body)
					}
				}
				if doc.Kind == tool.PriceChange && doc.Undoes == "" {
					n := writes[bodies[0].Method+" "+bodies[0].Path]
					if done != (n > 0) {
						t.Fatalf("%s is %s and was written %d times", at.ID, at.State, n)
					}
				}
			}
		}
	}
	for path := range documents {
		if !applied[path] {
			t.Fatalf("%s is in the books and no draft says so", path)
		}
	}
	for path := range applied {
		if _, there := documents[path]; there == removed[path] {
			t.Fatalf("%s: there is %t, deleted is %t", path, there, removed[path])
		}
	}
	if actions := s.actions(test); !slices.Contains(actions, "draft.confirmed") && len(documents) > 0 {
		t.Fatal("nothing was confirmed and the books hold documents")
	}
	return repeated
}

func TestFingerprintIsOfTheExactBytes(t *testing.T) {
	one := []tool.Body{{Method: "POST", Path: "a", Body: json.RawMessage("bc")}, {Method: "POST", Path: "d"}}
	prints := map[string]bool{string(draft.Exact(one)): true}
	for _, other := range [][]tool.Body{
		one[:1], {one[1], one[0]}, {{Method: "POST", Path: "ab", Body: json.RawMessage("c")}, one[1]},
		{{Method: "PUT", Path: "a", Body: json.RawMessage("bc")}, one[1]},
		{{Method: "POST", Path: "a", Body: json.RawMessage("bc ")}, one[1]}, nil,
	} {
		if f := string(draft.Exact(other)); prints[f] {
			t.Errorf("%v has the fingerprint of another", other)
		} else {
			prints[f] = true
		}
	}
}
