package draft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/tool"
)

// turn is where a revision comes from: a run of the conversation that the drafts of the shop belong to.
func (s shop) turn() stockhand.Draft {
	return stockhand.Draft{Org: s.org, Session: "ses_1", Run: stockhand.NewID[stockhand.RunID]("run"),
		Connection: s.connection, Language: stockhand.Russian, By: "user:usr_1"}
}

// revise revises a draft in a turn of its own.
func (s shop) revise(t testing.TB, r tool.Revision, docs ...tool.Document) (stockhand.Draft, *stockhand.Draft) {
	t.Helper()
	of := s.turn()
	now, split, err := s.service.Revise(t.Context(), of, string(of.Run)+"/1", &tool.Proposal{Tool: "x", Title: "Новое",
		Documents: docs, Revision: &r})
	if err != nil {
		t.Fatal(err)
	}
	return now, split
}

// names are the goods of a draft with their quantities.
func names(t testing.TB, d stockhand.Draft) string {
	t.Helper()
	var all []string
	for _, doc := range proposal(t, d).Documents {
		for _, l := range doc.Lines {
			all = append(all, l.Product.Name+" "+l.Quantity.String())
		}
	}
	return strings.Join(all, ", ")
}

// R472
func TestADraftIsRevisedByWords(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"), order("b"))
		now, _ := s.revise(t, tool.Revision{Draft: d.ID, Drop: []string{"a-more"},
			Set: []tool.RevisedLine{{Product: "B", Quantity: some("24")}}})
		if got := names(t, now); got != "a 12, b 24, b-more 0.5" || now.Version != 2 {
			t.Errorf("version %d: %s", now.Version, got)
		}
		now, _ = s.revise(t, tool.Revision{Draft: d.ID, Drop: []string{"2"}}) // the second document
		if got := names(t, now); got != "a 12" || now.Version != 3 {
			t.Errorf("version %d: %s", now.Version, got)
		}
		if !slices.Contains(now.Editors, "user:usr_1") {
			t.Errorf("edited by %v", now.Editors)
		}
		wantStates(t, now, stockhand.DocumentPending)
		wantStates(t, s.confirm(t, now), stockhand.DocumentApplied)
		of := s.turn()
		_, _, err := s.service.Revise(t.Context(), of, "x/1", &tool.Proposal{Revision: &tool.Revision{Draft: d.ID,
			Drop: []string{"a"}}})
		wantCode(t, "revise what is written", err, stockhand.CodeConflict)
	})
}

// R472
func TestProposalsJoinADraftOrReplaceIt(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"))
		now, _ := s.revise(t, tool.Revision{Draft: d.ID}, order("a"), transfer("c"))
		if got := names(t, now); got != "a 24, a-more 1, c 3" {
			t.Errorf("joined: %s", got)
		}
		wantStates(t, now, stockhand.DocumentPending, stockhand.DocumentPending)
		if total := proposal(t, now).Documents[0].Total.Fixed(2); total != "800.05" {
			t.Errorf("the total is %s", total)
		}
		now, _ = s.revise(t, tool.Revision{Draft: d.ID, Instead: true}, order("z"))
		if got := names(t, now); got != "z 12, z-more 0.5" || now.ID != d.ID || proposal(t, now).Title != "Новое" {
			t.Errorf("replaced: %s, %s", got, proposal(t, now).Title)
		}
		if all, err := s.service.List(t.Context(), s.org, "", 0); err != nil || len(all) != 1 {
			t.Errorf("%d drafts, %v", len(all), err)
		}
		wantStates(t, s.confirm(t, now), stockhand.DocumentApplied)
	})
}

// R813
func TestWhatWasTakenOutStaysOut(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"), order("b"))
		s.revise(t, tool.Revision{Draft: d.ID, Drop: []string{"a-more"}})
		now, _ := s.revise(t, tool.Revision{Draft: d.ID, Instead: true}, order("a"), order("z"))
		if got := names(t, now); got != "a 12, z 12, z-more 0.5" {
			t.Errorf("replaced: %s", got)
		}
		if said := proposal(t, now).Answer; !strings.Contains(said, "не вернулось: «a-more»; строк в черновике: 3") {
			t.Errorf("it says %s", said)
		}
		listed, _ := s.revise(t, tool.Revision{Draft: d.ID, Instead: true, Listed: true}, order("a"))
		if got := names(t, listed); got != "a 12, a-more 0.5" {
			t.Errorf("listed: %s", got)
		}
	})
}

// R472
func TestDraftsAreMergedAndSplit(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		a, b := s.create(t, order("a")), s.create(t, order("a"), transfer("c"))
		now, _ := s.revise(t, tool.Revision{Draft: a.ID, Merge: b.ID})
		if got := names(t, now); got != "a 24, a-more 1, c 3" {
			t.Errorf("merged: %s", got)
		}
		other := s.read(t, b.ID)
		wantStates(t, other, stockhand.DocumentRejected, stockhand.DocumentRejected)
		if !strings.Contains(other.Documents[0].Problem, string(a.ID)) {
			t.Errorf("the other says %q", other.Documents[0].Problem)
		}
		now, split := s.revise(t, tool.Revision{Draft: a.ID, Split: []string{"c", "a-more"}})
		if split == nil || names(t, now) != "a 24" || names(t, *split) != "a-more 1, c 3" {
			t.Fatalf("split: %s | %+v", names(t, now), split)
		}
		wantStates(t, s.confirm(t, *split), stockhand.DocumentApplied, stockhand.DocumentApplied)
		wantStates(t, s.read(t, a.ID), stockhand.DocumentPending)
	})
}

// R472
func TestADraftIsMadeToFitABudget(t *testing.T) {
	s := newShop(t, storetest.New(t), newBooks(t))
	d := s.create(t, order("a"), order("b"))
	now, _ := s.revise(t, tool.Revision{Draft: d.ID, Budget: some("650")})
	p := proposal(t, now)
	sum := p.Documents[0].Total.Decimal
	for _, doc := range p.Documents[1:] {
		sum = sum.Add(doc.Total.Decimal)
	}
	if sum.Cmp(some("650").Decimal) > 0 || sum.Cmp(some("550").Decimal) < 0 {
		t.Errorf("%s: %s", sum, names(t, now))
	}
	if got := names(t, now); !strings.Contains(got, "a 12") || !strings.Contains(got, "b 6") { // whole packs of 6
		t.Errorf("%s", got)
	}
}

// A run that crashed after its revision was stored makes it again; that must not add the lines a second time.
func TestARevisionIsMadeOnce(t *testing.T) {
	s := newShop(t, storetest.New(t), newBooks(t))
	d, other := s.create(t, order("a")), s.create(t, order("b"))
	of := s.turn()
	for range 2 {
		now, split, err := s.service.Revise(t.Context(), of, "run/1", &tool.Proposal{Documents: []tool.Document{order("a")},
			Revision: &tool.Revision{Draft: d.ID, Merge: other.ID, Split: []string{"a-more"}}})
		if err != nil {
			t.Fatal(err)
		}
		if now.Version != 2 || split == nil || names(t, *split) != "a-more 0.5" {
			t.Errorf("version %d: %s, %v", now.Version, names(t, now), split)
		}
	}
	if all, err := s.service.List(t.Context(), s.org, "", 0); err != nil || len(all) != 3 {
		t.Errorf("%d drafts, %v", len(all), err)
	}
}

func TestOnlyDraftsOfTheConversationOrThePersonAreRevised(t *testing.T) {
	s := newShop(t, storetest.New(t), newBooks(t))
	d := s.create(t, order("a"), order("ab"))
	of := s.turn()
	revise := func(r tool.Revision) error {
		_, _, err := s.service.Revise(t.Context(), of, "x/1", &tool.Proposal{Revision: &r})
		return err
	}
	wantCode(t, "a name of no line", revise(tool.Revision{Draft: d.ID, Drop: []string{"zzz"}}), stockhand.CodeValidation)
	wantCode(t, "nothing", revise(tool.Revision{Draft: d.ID}), stockhand.CodeValidation)
	wantCode(t, "everything", revise(tool.Revision{Draft: d.ID, Drop: []string{"1", "2"}}), stockhand.CodeValidation)
	wantCode(t, "all split", revise(tool.Revision{Draft: d.ID, Split: []string{"1", "2"}}), stockhand.CodeValidation)
	wantCode(t, "with itself", revise(tool.Revision{Draft: d.ID, Merge: d.ID}), stockhand.CodeValidation)
	of.Session, of.By = "ses_2", "user:usr_2"
	wantCode(t, "another's", revise(tool.Revision{Draft: d.ID, Drop: []string{"a"}}), stockhand.CodeNotFound)
	open, err := s.service.Open(t.Context(), s.org, d.Account, "user:usr_2", "ses_2")
	if err != nil || len(open) != 0 {
		t.Errorf("%d drafts of others, %v", len(open), err)
	}
	if open, err = s.service.Open(t.Context(), s.org, d.Account, "user:usr_2", "ses_1"); err != nil || len(open) != 1 {
		t.Errorf("%d drafts of the conversation, %v", len(open), err)
	}
	if s.read(t, d.ID).Version != 1 {
		t.Error("a refused revision changed the draft")
	}
}
