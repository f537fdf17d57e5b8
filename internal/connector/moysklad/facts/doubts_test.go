package facts_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/facts"
	"github.com/stockhand/stockhand/internal/connector/moysklad/outlook"
	"github.com/stockhand/stockhand/internal/forecast"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/tool"
)

// edit changes the quantity of a document's first line.
func (s *shop) edit(d *company.Document, more int) {
	s.t.Helper()
	next := d.Draft()
	next.Positions[0].Quantity += company.Units(more)
	if _, err := s.company.Edit(d.ID, next); err != nil {
		s.t.Fatal(err)
	}
}

// within returns a document of sale of a day of November, and of a customer.
func (s *shop) within(from, to int) *company.Document {
	s.t.Helper()
	for _, d := range s.company.Documents(company.DemandDoc) {
		if at := d.Moment.In(company.Moscow); at.Month() == time.November && at.Day() >= from && at.Day() <= to &&
			d.Applicable && len(d.Positions) > 0 {
			return d
		}
	}
	s.t.Fatalf("no sale between %d and %d November", from, to)
	return nil
}

// The clock of this machine tells nothing about what may still change in the account.
func TestAClockThatIsWrongHidesNoChange(t *testing.T) { // rule R236
	for _, ahead := range []time.Duration{-time.Hour, 0, 10 * time.Minute, 100 * 24 * time.Hour} {
		s := open(t, storetest.New(t))
		s.ahead, s.limits.Age = ahead, 1000*24*time.Hour
		kept, fresh := s.account(true), s.account(false)
		s.ask(kept, months)
		d := s.within(1, 10)
		for i := range 4 { // in the same millisecond
			s.edit(d, i+1)
			d = s.within(1, 10)
			_, answer := s.ask(kept, months)
			if _, want := s.ask(fresh, months); answer != want {
				t.Errorf("a clock %s ahead, edit %d:\n%s\nbut the account has\n%s", ahead, i, answer, want)
			}
		}
	}
}

// A document that is moved from days that are kept to days that are being read, or back, is counted once.
func TestADocumentThatMovesDuringAReadingIsCountedOnce(t *testing.T) { // rule R237
	const query = `{"measures":["revenue","receipts"],"by":["counterparty"],"from":"2026-11-%02d","to":"2026-11-%02d"}`
	for _, back := range []bool{false, true} {
		for stop := int64(1); stop <= 9; stop++ {
			s := open(t, storetest.New(t))
			fresh, kept := s.account(false), s.account(true)
			s.ask(kept, fmt.Sprintf(query, 1, 5))
			from, to := s.within(1, 5), s.within(6, 10)
			if back {
				from, to = to, from
			}
			_, before := s.ask(fresh, fmt.Sprintf(query, 1, 10))
			left := atomic.Int64{}
			left.Store(stop)
			between := func() {
				if left.Add(-1) == 0 {
					next := from.Draft()
					next.Moment = to.Moment
					if _, err := s.company.Edit(from.ID, next); err != nil {
						t.Error(err)
					}
				}
			}
			s.pass(time.Hour)
			s.between.Store(&between)
			_, answer := s.ask(kept, fmt.Sprintf(query, 1, 10))
			s.between.Store(nil)
			if answer != before { // it is the same document, on another of the days
				t.Errorf("back %t, moved at request %d:\n%s\nwant\n%s", back, stop, answer, before)
			}
			if _, again := s.ask(kept, fmt.Sprintf(query, 1, 10)); again != before {
				t.Errorf("back %t, moved at request %d, then:\n%s\nwant\n%s", back, stop, again, before)
			}
		}
	}
}

// Another role of the same employee is noticed although the connection was not verified since.
func TestAChangedRoleSeesNothingThatWasKept(t *testing.T) { // rule R233
	s := open(t, storetest.New(t))
	queries := []string{months,
		`{"measures":["purchases","deliveries"],"by":["counterparty"],"from":"2026-11-01","to":"2026-11-20"}`,
		`{"measures":["card_purchase_price","sale_price"],"by":["variant","group"]}`}
	roles := []string{s.token, s.storekeeper, s.token, s.sales, s.token}
	for i, token := range roles {
		s.token = token
		for _, query := range queries {
			for range 2 {
				got, err := s.account(true).Call(t.Context(), tool.Env{Now: s.clock()}, []byte(query))
				want, wantErr := s.account(false).Call(t.Context(), tool.Env{Now: s.clock()}, []byte(query))
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Fatalf("role %d, %s: %v, want %v", i, query, err, wantErr)
				}
				if err == nil && text(t, got) != text(t, want) {
					t.Errorf("role %d, %s:\n%s\nbut the account has\n%s", i, query, text(t, got), text(t, want))
				}
				if err == nil && got.Provenance.Kept != nil && token != roles[0] {
					t.Errorf("role %d, %s: %+v was used", i, query, got.Provenance.Kept)
				}
			}
		}
	}
}

// A document that comes back from the recycle bin leaves the number of documents as it was before another was deleted.
func TestARestoredDocumentHidesNoDeletion(t *testing.T) { // rule R232
	s := open(t, storetest.New(t))
	const query = `{"measures":["revenue","receipts"],"by":["day"],"from":"2026-11-06","to":"2026-11-10"}`
	kept, fresh := s.account(true), s.account(false)
	twin := func(from, to int) company.ID {
		t.Helper()
		next := s.within(from, to).Draft() // nothing depends on the new one
		next.SyncID, next.Order = "", nil
		d, err := s.company.Add(company.DemandDoc, next)
		if err != nil {
			t.Fatal(err)
		}
		return d.ID
	}
	away, gone := twin(1, 5), twin(6, 10)
	if err := s.company.Delete(away); err != nil {
		t.Fatal(err)
	}
	s.pass(time.Hour)
	s.ask(kept, query)
	s.pass(time.Hour)
	if err := errors.Join(s.company.Delete(gone), s.company.Restore(away)); err != nil {
		t.Fatal(err)
	}
	_, answer := s.ask(kept, query)
	if _, want := s.ask(fresh, query); answer != want {
		t.Errorf("%s\nbut the account has\n%s", answer, want)
	}
}

// Replicas that compare and save at the same time answer alike, and leave what answers correctly.
func TestReplicasThatAnswerAtOnceAgree(t *testing.T) { // rule R232
	s := open(t, storetest.New(t))
	fresh, replicas := s.account(false), []tool.Tool{s.account(true), s.account(true), s.account(true)}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 12 {
		for range 3 {
			s.change(r)
		}
		query := question(r)
		answers := make([]string, len(replicas))
		var work sync.WaitGroup
		for n, replica := range replicas {
			work.Go(func() {
				if got, err := replica.Call(t.Context(), tool.Env{Now: s.clock()}, []byte(query)); err == nil {
					answers[n] = text(t, got)
				}
			})
		}
		work.Wait()
		want, err := fresh.Call(t.Context(), tool.Env{Now: s.clock()}, []byte(query))
		if err != nil {
			t.Fatal(err)
		}
		for n, answer := range answers {
			if answer != text(t, want) {
				t.Errorf("question %d, replica %d, %s:\n%s\nwant\n%s", i, n, query, answer, text(t, want))
			}
		}
	}
}

// A shop with so many documents that a report for each day takes fewer requests reads them once, and then what changes.
func TestTheForecastOfALargeShopReadsItsDocumentsOnce(t *testing.T) { // rule R235
	s := open(t, storetest.New(t))
	d := s.within(1, 10)
	for i := range 101 * forecast.LeastDays {
		next := d.Draft()
		next.SyncID, next.Name, next.Order = "", "", nil
		next.Moment = start.AddDate(0, 0, -1-i%forecast.LeastDays)
		if _, err := s.company.Add(d.Type, next); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Second)
	}
	query := fmt.Sprintf(`{"history":%d}`, forecast.LeastDays)
	_, want := s.ask(s.account(false, outlook.Tools), query)
	var requests [3]int
	for i := range requests {
		r, answer := s.ask(s.account(true, outlook.Tools), query)
		if requests[i] = r.Provenance.Requests; answer != want {
			t.Errorf("answer %d:\n%s\nwant\n%s", i, answer, want)
		}
	}
	if again := requests[1]; again > 20 || again != requests[2] {
		t.Errorf("requests: %d", requests)
	}
}

// Most goods of a large catalogue are not read by their IDs each time.
func TestManyGoodsAreReadOnce(t *testing.T) { // rule R238
	s := openOf(t, storetest.New(t), 1500)
	t.Cleanup(facts.ReadInPagesOf(100)) // more pages than requests by ID, but less than twice as many
	s.pass(2 * time.Hour)
	const query = `{"measures":["stock"],"by":["supplier","country"]}`
	_, want := s.ask(s.account(false), query)
	for i := range 3 {
		r, answer := s.ask(s.account(true), query)
		if answer != want {
			t.Errorf("answer %d:\n%s\nwant\n%s", i, answer, want)
		}
		for _, x := range r.Provenance.Sources {
			if x.Path == "entity/assortment" && (x.Requests > 1) != (i == 0) {
				t.Errorf("answer %d: %+v", i, x)
			}
		}
	}
}
