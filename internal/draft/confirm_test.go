package draft_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
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
	"github.com/stockhand/stockhand/internal/tool"
)

func TestConfirmedDocumentIsWrittenOnceWithItsReceipt(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"), prices("b"))
		if s.books.wrote("") != 0 {
			t.Fatal("creating a draft wrote something")
		}
		done := s.confirm(t, d)
		wantStates(t, done, stockhand.DocumentApplied, stockhand.DocumentApplied)
		doc := done.Documents[0]
		if doc.ConfirmedBy != s.person.Name || doc.Version != 1 || len(doc.Fingerprint) != 64 || doc.Problem != "" {
			t.Errorf("%+v", doc)
		}
		var o tool.Outcome
		if err := json.Unmarshal(doc.Outcome, &o); err != nil || o.External.Name != "00001" || o.Link == "" {
			t.Errorf("the receipt is %s, %v", doc.Outcome, err)
		}
		if _, err := s.service.Confirm(t.Context(), s.person,
			draft.Decision{Draft: d.ID, Version: d.Version}); err == nil {
			t.Error("confirmed a second time")
		} else {
			wantCode(t, "confirm again", err, stockhand.CodeConflict)
		}
		if err := s.service.Resume(t.Context()); err != nil {
			t.Error(err)
		}
		if n := s.books.wrote(""); n != 2 {
			t.Errorf("%d writes, want 2", n)
		}
		want := []string{"draft.created", "draft.confirmed", "document.applying", "document.applying",
			"document.applied", "document.applied"}
		if diff := cmp.Diff(want, s.actions(t)); diff != "" {
			t.Error(diff)
		}
		last := s.entries(t)[4]
		if last.Actor != s.person.Name || last.Draft != d.ID || last.Document != doc.ID || last.Version != 1 ||
			last.External != "document/"+string(doc.ID) {
			t.Errorf("%+v", last)
		}
	})
}

func TestPartOfADraftCanBeConfirmed(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"), order("b"), order("c"))
		d = s.confirm(t, d, d.Documents[1].ID)
		wantStates(t, d, stockhand.DocumentPending, stockhand.DocumentApplied, stockhand.DocumentPending)
		_, err := s.service.Confirm(t.Context(), s.person,
			draft.Decision{Draft: d.ID, Version: d.Version, Documents: []stockhand.DocumentID{"doc_x"}})
		wantCode(t, "confirm what is not there", err, stockhand.CodeNotFound)
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied, stockhand.DocumentApplied, stockhand.DocumentApplied)
	})
}

func TestOnlyAPersonConfirmsUnlessTheOrganizationLetsKeys(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		ctx := t.Context()
		d := s.create(t, order("a"))
		_, err := s.service.Confirm(ctx, s.key, draft.Decision{Draft: d.ID, Version: d.Version})
		wantCode(t, "a key confirms", err, stockhand.CodePermissionDenied, "keys_may_confirm")
		_, err = s.service.Confirm(ctx, stockhand.Actor{Org: s.org, Person: true},
			draft.Decision{Draft: d.ID, Version: d.Version})
		wantCode(t, "a caller without a name confirms", err, stockhand.CodePermissionDenied)
		wantCode(t, "a key lets itself confirm", s.service.SetKeysMayConfirm(ctx, s.key, true),
			stockhand.CodePermissionDenied)
		wantStates(t, s.read(t, d.ID), stockhand.DocumentPending)

		if err := s.service.SetKeysMayConfirm(ctx, s.person, true); err != nil {
			t.Fatal(err)
		}
		c, err := s.service.Confirm(ctx, s.key, draft.Decision{Draft: d.ID, Version: d.Version})
		if err != nil {
			t.Fatal(err)
		}
		wantStates(t, c, stockhand.DocumentApplied)
		if err := s.service.SetKeysMayConfirm(ctx, s.key, false); err != nil {
			t.Fatal(err)
		}
		if on, err := s.service.KeysMayConfirm(ctx, s.org); on || err != nil {
			t.Error("still on", err)
		}
		if n := len(slices.DeleteFunc(s.actions(t), func(a string) bool { return a != "setting.changed" })); n != 2 {
			t.Errorf("%d changes of the setting are audited, want 2", n)
		}
	})
}

func TestAnotherOrganizationCannotTouchADraft(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"))
		other := newShop(t, s.db, s.books)
		_, err := s.service.Confirm(t.Context(), other.person, draft.Decision{Draft: d.ID, Version: d.Version})
		wantCode(t, "confirm", err, stockhand.CodeNotFound)
		_, err = s.service.Reject(t.Context(), other.person, d.ID, d.Version)
		wantCode(t, "reject", err, stockhand.CodeNotFound)
		_, err = s.service.Undo(t.Context(), other.person, d.ID)
		wantCode(t, "undo", err, stockhand.CodeNotFound)
	})
}

func TestMissingRightIsNamedAndNothingIsSent(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() { s.books.right = "Заказы поставщикам: создание" })
		d := s.confirm(t, s.create(t, order("a")))
		wantStates(t, d, stockhand.DocumentFailed)
		if !strings.Contains(d.Documents[0].Problem, "Заказы поставщикам: создание") || s.books.wrote("") != 0 {
			t.Errorf("%q, %d writes", d.Documents[0].Problem, s.books.wrote(""))
		}
	})
}

func TestDocumentWhoseWorldMovedGoesBackWithOldAgainstNew(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, prices("a"), prices("b"))
		s.books.set(func() { s.books.prices["a"] = "104" })
		d = s.confirm(t, d)
		wantStates(t, d, stockhand.DocumentPending, stockhand.DocumentApplied)
		if p := d.Documents[0].Problem; !strings.Contains(p, "100 → 104") || d.Version != 2 {
			t.Errorf("version %d: %q", d.Version, p)
		}
		if l := proposal(t, d).Documents[0].Lines[0]; l.OldPrice.String() != "104" || l.Seen.Price.String() != "104" {
			t.Errorf("the new version shows %+v", l)
		}
		if n := s.books.wrote("/prices/a"); n != 0 {
			t.Errorf("%d writes of what moved", n)
		}
		_, err := s.service.Confirm(t.Context(), s.person, draft.Decision{Draft: d.ID, Version: 1})
		wantCode(t, "confirm the version before", err, stockhand.CodeDraftChanged)
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied, stockhand.DocumentApplied)
	})
}

func TestOneFailingDocumentDoesNotStopTheOthers(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() { s.books.refused["bad"] = true })
		d := s.confirm(t, s.create(t, order("a"), order("bad"), order("c")))
		wantStates(t, d, stockhand.DocumentApplied, stockhand.DocumentFailed, stockhand.DocumentApplied)
		if d.Documents[1].Problem != "refused: bad" {
			t.Errorf("%q", d.Documents[1].Problem)
		}
	})
}

// Rule R179: with a plain hash, a reader of the log tried all likely quantities and prices until one had it.
func TestAttackWhatWasConfirmedIsGuessedFromTheAuditLog(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.confirm(t, s.create(t, order("a")))
		bodies, err := clerk{}.Bodies(proposal(t, d).Documents[0])
		if err != nil {
			t.Fatal(err)
		}
		keyed, plain := fingerprint(s.org, draft.Exact(bodies)), fmt.Sprintf("%x", sha256.Sum256(draft.Exact(bodies)))
		var said int
		for _, e := range s.entries(t) {
			said += strings.Count(string(e.Detail), keyed)
			if strings.Contains(string(e.Detail), plain) {
				t.Errorf("%s has a hash without a key: %s", e.Action, e.Detail)
			}
		}
		if said != 2 || d.Documents[0].Fingerprint != keyed {
			t.Errorf("the log has the fingerprint of the confirmed draft %d times, want 2", said)
		}
	})
}

func TestDryRunTellsEveryGateAndChangesNothing(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, prices("a"), order("b"))
		s.books.set(func() { s.books.prices["a"] = "104" })
		before := s.actions(t)
		c, err := s.service.Preview(t.Context(), s.key, draft.Decision{Draft: d.ID, Version: 7})
		if err != nil {
			t.Fatal(err)
		}
		verdicts := map[string]bool{}
		for _, g := range c.Verdicts[0].Gates {
			verdicts[g.Name] = g.Passed
			if !g.Passed && g.Message == "" {
				t.Errorf("the gate %s does not say why", g.Name)
			}
		}
		want := map[string]bool{
			draft.GateActor: false, draft.GateVersion: false, draft.GateState: true, draft.GateRules: true,
			draft.GateBodies: true,
			draft.GateRight:  true, draft.GateFigures: false,
		}
		if diff := cmp.Diff(want, verdicts); diff != "" {
			t.Error(diff)
		}
		if b := c.Verdicts[0].Bodies; len(b) != 1 || b[0].Path != "/prices/a" || string(b[0].Body) != "107" {
			t.Errorf("would send %+v", b)
		}
		if c, err := s.service.Preview(t.Context(), s.person,
			draft.Decision{Draft: d.ID, Version: d.Version,
				Documents: []stockhand.DocumentID{d.Documents[1].ID}}); err != nil || len(c.Verdicts) != 1 ||
			!c.Verdicts[0].Passed {
			t.Errorf("%+v, %v", c.Verdicts, err)
		}
		if diff := cmp.Diff(d, s.read(t, d.ID)); diff != "" || s.books.wrote("") != 0 ||
			len(s.actions(t)) != len(before) {
			t.Errorf("something has changed: %s", diff)
		}
	})
}

func TestDraftExpires(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"), order("b"))
		s.confirm(t, d, d.Documents[0].ID)
		*s.now = d.Expires.Add(time.Second)
		_, err := s.service.Confirm(t.Context(), s.person, draft.Decision{Draft: d.ID, Version: d.Version})
		wantCode(t, "confirm too late", err, stockhand.CodeConflict)
		all, err := s.service.List(t.Context(), s.org, "", 0)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		wantStates(t, all[0], stockhand.DocumentApplied, stockhand.DocumentExpired)
		if a := s.actions(t); a[len(a)-1] != "document.expired" {
			t.Errorf("the audit log ends with %s", a[len(a)-1])
		}
	})
}

// Two processes with one database and one person who clicks twice.
func TestOfTwoThatConfirmOrResumeAtOnceOneWins(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		services := []*draft.Service{s.another(), s.another()}
		for range 10 {
			d := s.create(t, order("a"), prices("b"))
			s.books.set(func() { s.books.prices["b"] = "100" })
			before := s.books.wrote("")
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() {
					service := services[i%2]
					if i < 4 {
						_, err := service.Confirm(t.Context(), s.person,
							draft.Decision{Draft: d.ID, Version: d.Version})
						if err != nil && stockhand.CodeOf(err) != stockhand.CodeConflict &&
							stockhand.CodeOf(err) != stockhand.CodeDraftChanged {
							t.Error(err)
						}
						return
					}
					if err := service.Resume(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if err := s.service.Resume(t.Context()); err != nil { // what lost its worker in the crowd
				t.Fatal(err)
			}
			wantStates(t, s.read(t, d.ID), stockhand.DocumentApplied, stockhand.DocumentApplied)
			if n := s.books.wrote("/documents/" + string(d.Documents[0].ID)); n < 1 {
				t.Errorf("the order was written %d times", n)
			}
			if n := s.books.wrote("") - before; n != 2 {
				t.Logf("%d writes: a document was taken over while it was being sent, and its external id kept it one",
					n)
			}
		}
		s.actions(t)
	})
}

func TestOnlyTheVeryBytesThatWereConfirmedAreSent(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() { s.books.down = true })
		d := s.confirm(t, s.create(t, order("a"))) // waits for the books
		s.books.set(func() { s.books.down, s.books.extra = false, "another version of the program" })
		if err := s.another().Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		d = s.read(t, d.ID)
		wantStates(t, d, stockhand.DocumentPending)
		if n := s.books.wrote(""); n != 0 || d.Documents[0].Problem == "" || d.Version != 2 {
			t.Errorf("%d writes, version %d: %q", n, d.Version, d.Documents[0].Problem)
		}
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied) // what is shown now
	})
}

func TestWayIntoAnotherAccountIsNoWay(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"))
		d.ID, d.Account, d.Documents = "", "acc-2", []stockhand.DraftDocument{{ID: "doc_other"}}
		d.Body = json.RawMessage(strings.ReplaceAll(string(d.Body), string(proposal(t, d).Documents[0].ID),
			"doc_other"))
		d, err := s.db.CreateDraft(t.Context(), s.org, d, stockhand.AuditEntry{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.service.Confirm(t.Context(), s.person, draft.Decision{Draft: d.ID, Version: d.Version})
		wantCode(t, "confirm", err, stockhand.CodeNotFound)
		wantStates(t, s.read(t, d.ID), stockhand.DocumentPending)
	})
}

func TestDocumentWhoseConnectionIsGoneFails(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() { s.books.down = true })
		d := s.confirm(t, s.create(t, order("a")))
		if err := s.db.DeleteConnection(t.Context(), s.org, s.connection); err != nil {
			t.Fatal(err)
		}
		s.books.set(func() { s.books.down = false })
		if err := s.service.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.read(t, d.ID), stockhand.DocumentFailed)
		if n := s.books.wrote(""); n != 0 {
			t.Errorf("%d writes", n)
		}
	})
}

func TestOfAnEditAndAConfirmationOneWins(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for range 20 {
			d := s.create(t, order("a"))
			change := edits(t, d.Documents[0].ID, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":"600"}]}]}`)
			var both sync.WaitGroup
			var edited, confirmed error
			both.Go(func() { _, edited = s.service.Edit(t.Context(), s.person, d.ID, 1, change) })
			both.Go(func() {
				_, confirmed = s.another().Confirm(t.Context(), s.person,
					draft.Decision{Draft: d.ID, Version: 1})
			})
			both.Wait()
			if (edited == nil) == (confirmed == nil) {
				t.Fatalf("edit: %v, confirmation: %v; want one refusal", edited, confirmed)
			}
			if d = s.read(t, d.ID); edited == nil {
				wantStates(t, d, stockhand.DocumentPending)
			} else {
				wantStates(t, d, stockhand.DocumentApplied)
			}
		}
		truth(t, t, s)
	})
}

// One process is slow at checking what was confirmed. Meanwhile another finds that the account changed, the person
// confirms the new version, and the account changes back: the slow one must not send what it holds.
func TestEarlierConfirmationIsNotTakenForTheLater(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		arrived, proceed := make(chan struct{}), make(chan struct{})
		var held, away atomic.Bool
		s.books.set(func() {
			s.books.fault = func(r *http.Request) (bool, bool) {
				if held.CompareAndSwap(false, true) {
					close(arrived)
					<-proceed
					return false, false
				}
				return away.Load(), false
			}
		})
		d := s.create(t, prices("a"))
		var slow sync.WaitGroup
		slow.Go(func() { s.confirm(t, d) })
		<-arrived
		s.books.set(func() { s.books.prices["a"] = "104" })
		if err := s.another().Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		d = s.read(t, d.ID)
		wantStates(t, d, stockhand.DocumentPending)
		away.Store(true)
		c, err := s.another().Confirm(t.Context(), s.person, draft.Decision{Draft: d.ID, Version: d.Version})
		if err != nil {
			t.Fatal(err)
		}
		wantStates(t, c, stockhand.DocumentConfirmed)
		away.Store(false)
		s.books.set(func() { s.books.prices["a"] = "100" })
		close(proceed)
		slow.Wait()
		if n := s.books.wrote(""); n != 0 {
			t.Errorf("%d writes of the version before", n)
		}
		wantStates(t, s.read(t, d.ID), stockhand.DocumentConfirmed)
	})
}
