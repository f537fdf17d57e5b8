package draft_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
)

// lose makes the next n writes fail: before they are done, or after.
func (s shop) lose(n int, after bool) {
	s.books.set(func() {
		s.books.fault = func(r *http.Request) (bool, bool) {
			s.books.mu.Lock()
			defer s.books.mu.Unlock()
			if r.Method == http.MethodGet || n == 0 {
				return false, false
			}
			n--
			return !after, after
		}
	})
}

func TestLostAnswerIsLookedUpAndNotRepeated(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.lose(3, true)
		d := s.confirm(t, s.create(t, order("a"), prices("b"), transfer("c")))
		wantStates(t, d, stockhand.DocumentApplied, stockhand.DocumentApplied, stockhand.DocumentApplied)
		if n := s.books.wrote(""); n != 3 {
			t.Errorf("%d writes, want 3", n)
		}
		if a := s.actions(t); !slices.Contains(a, "document.unknown") {
			t.Errorf("the log does not say that it was unknown: %v", a)
		}
	})
}

func TestWhatIsSurelyNotThereIsSentAgain(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.lose(2, false)
		d := s.create(t, order("a"), prices("b"))
		d = s.confirm(t, d)
		wantStates(t, d, stockhand.DocumentApplied, stockhand.DocumentApplied)
		if n := s.books.wrote(""); n != 2 {
			t.Errorf("%d writes were done, want 2", n)
		}
	})
}

func TestAnUnknownOutcomeStaysUnknownUntilResume(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() {
			s.books.fault = func(r *http.Request) (bool, bool) {
				if r.Method != http.MethodGet {
					s.books.set(func() { s.books.down = true })
					return false, true
				}
				return false, false
			}
		})
		d := s.confirm(t, s.create(t, order("a")))
		wantStates(t, d, stockhand.DocumentUnknown)
		if d.Documents[0].Problem == "" {
			t.Error("nothing is said about it")
		}
		_, err := s.service.Reject(t.Context(), s.person, d.ID, d.Version)
		wantCode(t, "reject what may be there", err, stockhand.CodeConflict)
		s.books.set(func() { s.books.down, s.books.fault = false, nil })
		if err := s.another().Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.read(t, d.ID), stockhand.DocumentApplied)
		if n := s.books.wrote(""); n != 1 {
			t.Errorf("%d writes, want 1", n)
		}
	})
}

// An unknown document waited as long as one that another process may be sending.
func TestAnUnknownDocumentIsLookedUpSoon(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() {
			s.books.fault = func(r *http.Request) (bool, bool) {
				if r.Method != http.MethodGet {
					s.books.set(func() { s.books.down = true })
				}
				return false, r.Method != http.MethodGet
			}
		})
		d := s.confirm(t, s.create(t, order("a")))
		s.books.set(func() { s.books.down, s.books.fault = false, nil })
		other := draft.New(draft.Config{Store: s.db, System: s.db.System(), Writers: s.books, Fingerprint: fingerprint,
			Clock: func() time.Time { return *s.now }, Grace: 6 * time.Minute, Pauses: []time.Duration{0}})
		for _, want := range []stockhand.DocumentState{stockhand.DocumentUnknown, stockhand.DocumentApplied} {
			if err := other.Resume(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantStates(t, s.read(t, d.ID), want) // the process that sent it may be looking it up
			*s.now = s.now.Add(30 * time.Second)
		}
		if n := s.books.wrote(""); n != 1 {
			t.Errorf("%d writes, want 1", n)
		}
	})
}

func TestAbsentDocumentWhoseWorldMovedIsNotSentAgain(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() {
			s.books.fault = func(r *http.Request) (bool, bool) {
				if r.Method != http.MethodGet {
					s.books.set(func() { s.books.prices["a"] = "104" })
				}
				return r.Method != http.MethodGet, false
			}
		})
		d := s.confirm(t, s.create(t, order("a")))
		wantStates(t, d, stockhand.DocumentFailed)
		if n := s.books.wrote(""); n != 0 || !strings.Contains(d.Documents[0].Problem, "100 → 104") {
			t.Errorf("%d writes, %q", n, d.Documents[0].Problem)
		}
	})
}

func TestUnansweredDocumentStaysConfirmedUntilItIsRejectedOrExpires(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() { s.books.down = true })
		one, two, three := s.confirm(t, s.create(t, order("a"))), s.confirm(t, s.create(t, order("b"))),
			s.confirm(t, s.create(t, order("c")))
		wantStates(t, one, stockhand.DocumentConfirmed)
		if one.Documents[0].Problem == "" {
			t.Error("nothing is said about it")
		}
		rejected, err := s.service.Reject(t.Context(), s.person, two.ID, two.Version)
		if err != nil {
			t.Fatal(err)
		}
		wantStates(t, rejected, stockhand.DocumentRejected)
		s.books.set(func() { s.books.down = false })
		if again, err := s.service.Confirm(t.Context(), s.person,
			draft.Decision{Draft: one.ID, Version: one.Version}); err != nil {
			t.Error(err)
		} else {
			wantStates(t, again, stockhand.DocumentApplied)
		}
		s.books.set(func() { s.books.down = true })
		*s.now = s.now.Add(8 * 24 * time.Hour)
		if err := s.service.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.read(t, three.ID), stockhand.DocumentFailed)
		wantStates(t, s.read(t, two.ID), stockhand.DocumentRejected)
		if n := s.books.wrote(""); n != 1 {
			t.Errorf("%d writes, want 1", n)
		}
	})
}

func TestServiceLeavesAloneWhatAnotherProcessMayBeSending(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() { s.books.down = true })
		d := s.confirm(t, s.create(t, order("a")))
		s.books.set(func() { s.books.down = false })
		careful := draft.New(draft.Config{Store: s.db, System: s.db.System(), Writers: s.books,
			Clock: func() time.Time { return *s.now }, Fingerprint: fingerprint, Grace: time.Minute})
		if err := careful.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.read(t, d.ID), stockhand.DocumentConfirmed)
		*s.now = s.now.Add(2 * time.Minute)
		if err := careful.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.read(t, d.ID), stockhand.DocumentApplied)
	})
}

// A sender that everybody thought dead finds that it has lost the document, and its request that the document is there.
func TestSenderThatWasTakenOverChangesNothing(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		arrived, proceed := make(chan struct{}), make(chan struct{})
		var held atomic.Bool
		s.books.set(func() {
			s.books.fault = func(r *http.Request) (bool, bool) {
				if r.Method != http.MethodGet && held.CompareAndSwap(false, true) {
					close(arrived)
					<-proceed
				}
				return false, false
			}
		})
		d := s.create(t, order("a"))
		var first sync.WaitGroup
		first.Go(func() { s.confirm(t, d) })
		<-arrived
		wantStates(t, s.read(t, d.ID), stockhand.DocumentApplying)
		_, err := s.service.Reject(t.Context(), s.person, d.ID, d.Version)
		wantCode(t, "reject what is being sent", err, stockhand.CodeConflict)
		if err := s.another().Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		taken := s.read(t, d.ID)
		wantStates(t, taken, stockhand.DocumentApplied)
		close(proceed)
		first.Wait()
		if diff := cmp.Diff(taken, s.read(t, d.ID)); diff != "" {
			t.Errorf("the first sender changed the record: %s", diff)
		}
		s.books.set(func() {
			if len(s.books.documents) != 1 {
				t.Errorf("the books hold %v", s.books.documents)
			}
		})
	})
}

func TestWhatIsNeitherOldNorNewIsNotSentAgain(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.lose(1, false)
		d := s.create(t, prices("a"))
		s.books.set(func() {
			lose := s.books.fault
			s.books.fault = func(r *http.Request) (bool, bool) {
				before, after := lose(r)
				if before {
					s.books.set(func() { s.books.prices["a"] = "120" }) // somebody else was faster
				}
				return before, after
			}
		})
		d = s.confirm(t, d)
		wantStates(t, d, stockhand.DocumentUnknown)
		if n := s.books.wrote(""); n != 0 || !strings.Contains(d.Documents[0].Problem, "neither") {
			t.Errorf("%d writes, %q", n, d.Documents[0].Problem)
		}
	})
}
