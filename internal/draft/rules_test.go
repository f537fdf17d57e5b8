package draft_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

func (s shop) rule(t testing.TB, r draft.Rules) {
	t.Helper()
	if err := s.service.SetRules(t.Context(), s.person, r); err != nil {
		t.Fatal(err)
	}
}

// refused confirms all of a draft and wants the refusal of a rule: the same in the dry run, and nothing written.
func (s shop) refused(t testing.TB, by stockhand.Actor, d stockhand.Draft, rule string, words ...string) {
	t.Helper()
	s.refusedWith(t, stockhand.CodePermissionDenied, by, d, rule, words...)
}

func (s shop) refusedWith(t testing.TB, code stockhand.Code, by stockhand.Actor, d stockhand.Draft, rule string,
	words ...string) {
	t.Helper()
	wrote := s.books.wrote("")
	_, err := s.service.Confirm(t.Context(), by, draft.Decision{Draft: d.ID, Version: d.Version})
	wantCode(t, "confirm against "+rule, err, code, append(words, rule)...)
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Hint == "" || e.RU.Hint == "" || !strings.Contains(e.RU.Message, rule) || len(e.Fields) != 1 ||
		!strings.HasSuffix(e.Fields[0].Field, rule) {
		t.Errorf("the refusal by %s is %+v", rule, e)
	}
	p, err := s.service.Preview(t.Context(), by, draft.Decision{Draft: d.ID, Version: d.Version})
	if err != nil || slices.ContainsFunc(p.Verdicts, func(v draft.Verdict) bool { return v.Passed }) {
		t.Errorf("the dry run passes: %+v, %v", p.Verdicts, err)
	}
	if n := s.books.wrote(""); n != wrote {
		t.Errorf("%s: %d writes", rule, n-wrote)
	}
}

func TestMaxOrderTotal(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a")) // 400.03
		s.rule(t, draft.Rules{MaxOrderTotal: some("400.02")})
		s.refused(t, s.person, d, "max_order_total", "400.03", "400.02", "owner or admin")
		unpriced, foreign := order("b"), order("c")
		unpriced.Lines[1].Price.Known = false
		foreign.CurrencyID = "usd"
		s.refused(t, s.person, s.create(t, unpriced), "max_order_total", "not known")
		s.refused(t, s.person, s.create(t, foreign), "max_order_total", "not known")
		s.rule(t, draft.Rules{MaxOrderTotal: some("400.03")})
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied)
	})
}

func TestMaxPriceChange(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.rule(t, draft.Rules{MaxPriceChange: some("6.99")})
		d := s.create(t, prices("a")) // 100 → 107
		s.refused(t, s.person, d, "max_price_change", "7", "6.99")
		down := prices("b")
		down.Lines[0].Price = some("93")
		s.refused(t, s.person, s.create(t, down), "max_price_change")
		unset := prices("c")
		unset.Lines[0].OldPrice.Known = false
		s.refused(t, s.person, s.create(t, unset), "max_price_change", "not known")
		s.rule(t, draft.Rules{MaxPriceChange: some("7")})
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied)
	})
}

func TestNoPriceBelowCost(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.rule(t, draft.Rules{NoPriceBelowCost: true})
		d := s.create(t, prices("a")) // the draft says that it costs 90
		s.refused(t, s.person, d, "no_price_below_cost", "not known")
		s.books.set(func() { s.books.costs["a"] = "0" })
		s.refused(t, s.person, d, "no_price_below_cost", "not known")
		s.books.set(func() { s.books.costs["a"] = "107.01" })
		s.refused(t, s.person, d, "no_price_below_cost", "107.01")
		s.books.set(func() { s.books.costs["a"] = "107" })
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied)
		purchase := prices("b")
		purchase.PriceType = &tool.Ref{ID: tool.BuyPrice}
		wantStates(t, s.confirm(t, s.create(t, purchase)), stockhand.DocumentApplied)
	})
}

func TestSecondApproverAbove(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		second := stockhand.Actor{Org: s.org, Name: "user:usr_2", Person: true}
		s.rule(t, draft.Rules{SecondApproverAbove: some("800")})
		wantStates(t, s.confirm(t, s.create(t, order("small"))), stockhand.DocumentApplied)

		d := s.create(t, order("a"), order("b")) // together 800.06
		d = s.confirm(t, d, d.Documents[0].ID)
		wantStates(t, d, stockhand.DocumentPending, stockhand.DocumentPending)
		if at := d.Documents[0]; at.ApprovedBy != s.person.Name || at.Approved != d.Version {
			t.Errorf("the first approval is %+v", at)
		}
		if shown, err := tool.ReadDraft(d); err != nil || shown.Documents[0].ApprovedBy != s.person.Name ||
			shown.Documents[1].ApprovedBy != "" {
			t.Errorf("%+v, %v", shown, err)
		}
		s.refused(t, s.person, d, "second_approver_above", "already")
		d, err := s.service.Confirm(t.Context(), second,
			draft.Decision{Draft: d.ID, Version: d.Version, Documents: []stockhand.DocumentID{d.Documents[0].ID}})
		if err != nil {
			t.Fatal(err)
		}
		wantStates(t, d, stockhand.DocumentApplied, stockhand.DocumentPending)
		if at := d.Documents[0]; at.ApprovedBy != s.person.Name || at.ConfirmedBy != second.Name {
			t.Errorf("%+v", at)
		}
		if a := s.actions(t); !slices.Contains(a, "draft.approved") {
			t.Errorf("the first approval is not audited: %v", a)
		}
		if err := s.service.SetKeysMayConfirm(t.Context(), s.person, true); err != nil {
			t.Fatal(err)
		}
		s.refused(t, s.key, d, "second_approver_above", "a key")
	})
}

func TestStepUpAbove(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.rule(t, draft.Rules{StepUpAbove: some("800")})
		token := stockhand.Actor{Org: s.org, Name: "user:usr_2", User: "usr_2", Person: true}
		confirm := func(by stockhand.Actor, d stockhand.Draft) error {
			_, err := s.service.Confirm(t.Context(), by, draft.Decision{Draft: d.ID, Version: d.Version})
			return err
		}
		if err := confirm(token, s.create(t, order("small"))); err != nil {
			t.Error(err)
		}
		d := s.create(t, order("a"), order("b")) // together 800.06
		signedIn := token
		signedIn.SignIn, signedIn.Proven = "sig_1", s.now.Add(-16*time.Minute)
		for what, by := range map[string]stockhand.Actor{"a token": token, "an old proof": signedIn} {
			t.Log(what)
			s.refusedWith(t, stockhand.CodeStepUpRequired, by, d, "step_up_above", "15 minutes")
		}
		signedIn.Proven = s.now.Add(-14 * time.Minute)
		if err := confirm(signedIn, d); err != nil {
			t.Error(err)
		}
		operator := stockhand.Actor{Org: s.org, Name: "cli:root", Person: true}
		if err := confirm(operator, s.create(t, order("c"), order("d"))); err != nil {
			t.Error(err)
		}
		foreign := order("e")
		foreign.CurrencyID = "usd"
		s.refusedWith(t, stockhand.CodeStepUpRequired, token, s.create(t, foreign), "step_up_above")
	})
}

func TestACallOfAnotherServerHasNoKnownAmount(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		call := func() stockhand.Draft {
			return s.create(t, tool.Document{ID: stockhand.NewID[stockhand.DocumentID]("doc"), Kind: tool.RemoteCall,
				Title: "create_order", Call: &tool.Remote{Tool: "create_order", Arguments: []byte(`{}`)}})
		}
		s.rule(t, draft.Rules{StepUpAbove: some("1000000")})
		s.refusedWith(t, stockhand.CodeStepUpRequired, s.person, call(), "step_up_above")
		s.rule(t, draft.Rules{SecondApproverAbove: some("1000000")})
		d := s.confirm(t, call())
		wantStates(t, d, stockhand.DocumentPending)
		s.refused(t, s.person, d, "second_approver_above", "already")
	})
}

func TestSecondApproverPriceChange(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.rule(t, draft.Rules{SecondApproverPriceChange: some("6")})
		d := s.confirm(t, s.create(t, prices("a")))
		wantStates(t, d, stockhand.DocumentPending)
		s.refused(t, s.person, d, "second_approver_price_change", "already")
		s.rule(t, draft.Rules{SecondApproverPriceChange: some("7")})
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied)
	})
}

func TestAnEditVoidsTheFirstApproval(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		second := stockhand.Actor{Org: s.org, Name: "user:usr_2", Person: true}
		s.rule(t, draft.Rules{SecondApproverAbove: some("0")})
		d := s.confirm(t, s.create(t, order("a"), order("b")))
		d, err := s.service.Edit(t.Context(), second, d.ID, d.Version, draft.Edits{Documents: []draft.DocumentEdit{
			{ID: d.Documents[1].ID, Drop: true}}})
		if err != nil {
			t.Fatal(err)
		}
		if shown, err := tool.ReadDraft(d); err != nil || shown.Documents[0].ApprovedBy != "" {
			t.Errorf("the edited draft is shown as approved: %+v, %v", shown.Documents, err)
		}
		d, err = s.service.Confirm(t.Context(), second, draft.Decision{Draft: d.ID, Version: d.Version})
		if err != nil {
			t.Fatal(err)
		}
		wantStates(t, d, stockhand.DocumentPending)
		wantStates(t, s.confirm(t, d), stockhand.DocumentApplied)
	})
}

func TestTwoApproversAtOnceAreTwo(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.rule(t, draft.Rules{SecondApproverAbove: some("0")})
		d := s.create(t, order("a"))
		var both sync.WaitGroup
		for _, name := range []string{"user:usr_1", "user:usr_2"} {
			service := s.another() // as on two replicas
			both.Go(func() {
				_, err := service.Confirm(t.Context(), stockhand.Actor{Org: s.org, Name: name, Person: true},
					draft.Decision{Draft: d.ID, Version: d.Version})
				if err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		d = s.read(t, d.ID)
		wantStates(t, d, stockhand.DocumentApplied)
		if at := d.Documents[0]; at.ApprovedBy == at.ConfirmedBy || at.ApprovedBy == "" {
			t.Errorf("approved by %q and %q", at.ApprovedBy, at.ConfirmedBy)
		}
		if n := s.books.wrote(""); n != 1 {
			t.Errorf("%d writes", n)
		}
	})
}

func TestProposerMayNotConfirm(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.rule(t, draft.Rules{ProposerMayNotConfirm: true})
		key := stockhand.Key{ID: "key_1", Org: s.org, Name: "k", By: "key:key_0", Created: *s.now,
			Expires: s.now.Add(time.Hour)}
		for _, k := range []stockhand.Key{key, {ID: "key_0", Org: s.org, Name: "k", By: s.person.Name, Created: *s.now,
			Expires: s.now.Add(time.Hour)}} {
			if err := s.db.CreateKey(t.Context(), s.org, k, []byte(k.ID), 200,
				stockhand.AuditEntry{At: *s.now, Action: "key.created"}); err != nil {
				t.Fatal(err)
			}
		}
		other := stockhand.Actor{Org: s.org, Name: "user:usr_2", Person: true}
		written := s.confirm(t, s.create(t, order("a"))) // without a proposer
		own, err := s.service.Undo(t.Context(), s.person, written.ID)
		if err != nil {
			t.Fatal(err)
		}
		s.refused(t, s.person, own, "proposer_may_not_confirm", "another person")
		cli := stockhand.Actor{Org: s.org, Name: "cli:alice", Person: true}
		s.refused(t, cli, s.create(t, order("b")), "proposer_may_not_confirm")

		d := s.create(t, order("c"))
		d, err = s.service.Edit(t.Context(), s.key, d.ID, d.Version, draft.Edits{Documents: []draft.DocumentEdit{
			{ID: d.Documents[0].ID, Lines: []draft.LineEdit{{ID: "1", Quantity: some("18")}}}}})
		if err != nil {
			t.Fatal(err)
		}
		s.refused(t, s.person, d, "proposer_may_not_confirm") // the key that edited it is theirs
		if d, err = s.service.Confirm(t.Context(), other, draft.Decision{Draft: d.ID, Version: d.Version}); err != nil {
			t.Fatal(err)
		}
		wantStates(t, d, stockhand.DocumentApplied)
	})
}

func TestQuietHours(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.rule(t, draft.Rules{QuietHours: &draft.QuietHours{From: "22:00", To: "08:00"}})
		moscow, err := time.LoadLocation("Europe/Moscow")
		if err != nil {
			t.Fatal(err)
		}
		for at, quiet := range map[string]bool{"21:59": false, "22:00": true, "00:00": true, "07:59": true,
			"08:00": false} {
			clock, err := time.ParseInLocation("2006-01-02 15:04", "2026-11-20 "+at, moscow)
			if err != nil {
				t.Fatal(err)
			}
			*s.now = clock.UTC()
			p := &tool.Proposal{Tool: "moysklad_propose_supplier_orders", Documents: []tool.Document{order("a")},
				Provenance: tool.Provenance{Zone: tool.Zone{Name: "Europe/Moscow",
					Label: tool.Text{RU: "московское время", EN: "Moscow time"}}}}
			d, err := s.service.Create(t.Context(), stockhand.Draft{Org: s.org, Connection: s.connection,
				Run: stockhand.NewID[stockhand.RunID]("run"), Language: stockhand.English}, p)
			if err != nil {
				t.Fatal(err)
			}
			if quiet {
				s.refused(t, s.person, d, "quiet_hours", "22:00", "08:00", "Moscow time")
			} else {
				s.confirm(t, d)
			}
		}
	})
}

func TestAnUndoMayRestoreAnyPriceUntilItIsEdited(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		wide := prices("a")
		wide.Lines[0].Price = some("150")
		done := s.confirm(t, s.create(t, wide))
		s.rule(t, draft.Rules{MaxPriceChange: some("10"), SecondApproverPriceChange: some("10"),
			NoPriceBelowCost: true})
		s.books.set(func() { s.books.costs["a"] = "101" })
		undo, err := s.service.Undo(t.Context(), s.person, done.ID)
		if err != nil {
			t.Fatal(err)
		}
		s.refused(t, s.person, undo, "no_price_below_cost") // the earlier price is below the cost
		edited, err := s.service.Edit(t.Context(), s.person, undo.ID, undo.Version, draft.Edits{
			Documents: []draft.DocumentEdit{{ID: undo.Documents[0].ID,
				Lines: []draft.LineEdit{{ID: "1", Price: some("102")}}}}})
		if err != nil {
			t.Fatal(err)
		}
		s.refused(t, s.person, edited, "max_price_change")
		if _, err := s.service.Reject(t.Context(), s.person, edited.ID, edited.Version); err != nil {
			t.Fatal(err)
		}
		s.books.set(func() { s.books.costs["a"] = "99" })
		if undo, err = s.service.Undo(t.Context(), s.person, done.ID); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.confirm(t, undo), stockhand.DocumentApplied)
	})
}

func TestARuleThatComesBetweenHolds(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, prices("a"))
		for _, between := range []struct {
			rule   string
			change func() error
		}{
			{"max_price_change", func() error {
				return s.service.SetRules(t.Context(), s.person,
					draft.Rules{MaxPriceChange: some("1"), NoPriceBelowCost: true})
			}},
			{"writes_stopped", func() error { return s.service.StopWrites(t.Context(), s.person, true) }},
		} {
			s.rule(t, draft.Rules{NoPriceBelowCost: true})
			var failed error
			var once sync.Once
			s.books.set(func() {
				s.books.costs["a"] = "90"
				s.books.done = func(r *http.Request) bool {
					if strings.HasPrefix(r.URL.Path, "/costs/") { // the rules have been read
						once.Do(func() { failed = between.change() })
					}
					return false
				}
			})
			_, err := s.service.Confirm(t.Context(), s.person, draft.Decision{Draft: d.ID, Version: d.Version})
			wantCode(t, "confirm", errors.Join(failed, err), stockhand.CodePermissionDenied, between.rule)
			wantStates(t, s.read(t, d.ID), stockhand.DocumentPending)
		}
	})
}

func TestOnlyOwnersAndAdminsInPersonChangeRulesAndStopWrites(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		for _, a := range []stockhand.Actor{
			{Org: s.org, Name: "key:key_1", Scopes: []stockhand.Scope{stockhand.ScopeAdmin}},
			{Org: s.org, Name: "user:usr_3", Person: true, Role: stockhand.RoleMember},
		} {
			wantCode(t, "rules by "+a.Name, s.service.SetRules(t.Context(), a, draft.Rules{}),
				stockhand.CodePermissionDenied)
			for _, stop := range []bool{true, false} {
				wantCode(t, "stop by "+a.Name, s.service.StopWrites(t.Context(), a, stop),
					stockhand.CodePermissionDenied)
			}
		}
		for _, r := range []draft.Rules{{MaxOrderTotal: some("-1")}, {MaxPriceChange: some("0.001")},
			{QuietHours: &draft.QuietHours{From: "8:00", To: "25:00"}},
			{QuietHours: &draft.QuietHours{From: "08:00", To: "08:00"}}} {
			wantCode(t, "invalid rules", s.service.SetRules(t.Context(), s.person, r), stockhand.CodeValidation)
		}
		want := draft.Rules{MaxOrderTotal: some("100000"), QuietHours: &draft.QuietHours{From: "22:00", To: "08:00"}}
		s.rule(t, want)
		got, err := s.service.Rules(t.Context(), s.org)
		if err != nil || got.MaxOrderTotal.String() != "100000" || got.MaxPriceChange.Known ||
			*got.QuietHours != *want.QuietHours {
			t.Errorf("%+v, %v", got, err)
		}
		last := s.entries(t)[len(s.entries(t))-1]
		if last.Action != "setting.changed" || last.Actor != s.person.Name ||
			!strings.Contains(string(last.Detail), "100000") {
			t.Errorf("%+v", last)
		}
	})
}

func TestAStopHoldsForConfirmedDocumentsAndOnEveryReplica(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"))
		s.books.set(func() { s.books.down = true })
		wantStates(t, s.confirm(t, d), stockhand.DocumentConfirmed)
		s.books.set(func() { s.books.down = false })
		replica := s.another()
		if err := s.service.StopWrites(t.Context(), s.person, true); err != nil {
			t.Fatal(err)
		}
		stop, err := replica.WriteStop(t.Context(), s.org)
		if err != nil || stop.By != s.person.Name || !stop.At.Equal(s.now.Truncate(time.Microsecond)) ||
			stop.Everywhere {
			t.Errorf("%+v, %v", stop, err)
		}
		if err := replica.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		back := s.read(t, d.ID)
		wantStates(t, back, stockhand.DocumentPending)
		if p := back.Documents[0].Problem; !strings.Contains(p, "writes_stopped") || s.books.wrote("") != 0 {
			t.Errorf("%q, %d writes", p, s.books.wrote(""))
		}
		s.refused(t, s.person, back, "writes_stopped", s.person.Name)
		if err := s.service.StopWrites(t.Context(), s.person, false); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.confirm(t, back), stockhand.DocumentApplied)
		if a := s.actions(t); !slices.Contains(a, "writes.stopped") || !slices.Contains(a, "writes.allowed") {
			t.Errorf("the audit log has %v", a)
		}
	})
}

func TestADocumentThatWasSentIsFinishedDuringAStop(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() {
			s.books.done = func(r *http.Request) bool {
				return r.Method == http.MethodPut && s.service.StopWrites(t.Context(), s.person, true) != nil
			}
		})
		wantStates(t, s.confirm(t, s.create(t, order("a"))), stockhand.DocumentApplied)
		if n := s.books.wrote(""); n != 1 {
			t.Errorf("%d writes", n)
		}
	})
}

func TestTheOperatorStopsTheWholeInstallation(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		other := newShop(t, s.db, s.books)
		entry := stockhand.AuditEntry{At: *s.now, Actor: "cli:alice", Action: "writes.stopped"}
		if err := s.db.System().ChangeWriteStop(t.Context(), true, entry); err != nil {
			t.Fatal(err)
		}
		for _, x := range []shop{s, other} {
			x.refused(t, x.person, x.create(t, order("a")), "writes_stopped", "cli:alice", "operator")
			if err := x.service.StopWrites(t.Context(), x.person, false); err != nil { // lifts only its own
				t.Error(err)
			}
			x.refused(t, x.person, x.create(t, order("b")), "writes_stopped")
			if a := x.actions(t); !slices.Contains(a, "writes.stopped") {
				t.Errorf("the audit log has %v", a)
			}
		}
		entry.Action = "writes.allowed"
		if err := s.db.System().ChangeWriteStop(t.Context(), false, entry); err != nil {
			t.Fatal(err)
		}
		wantStates(t, s.confirm(t, s.create(t, order("c"))), stockhand.DocumentApplied)
	})
}
