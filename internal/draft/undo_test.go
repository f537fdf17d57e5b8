package draft_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestUndoIsADraftOfTheInverse(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		ctx := t.Context()
		d := s.create(t, order("a"), transfer("b"), prices("c", "d"), order("never"))
		_, err := s.service.Undo(ctx, s.person, d.ID)
		wantCode(t, "undo what was not written", err, stockhand.CodeConflict)
		d = s.confirm(t, d, d.Documents[0].ID, d.Documents[1].ID, d.Documents[2].ID)
		before := s.books.wrote("")

		back, err := s.service.Undo(ctx, s.key, d.ID) // a proposal: a caller who may make drafts may make this one
		if err != nil {
			t.Fatal(err)
		}
		if back.Undoes != d.ID || back.Connection != d.Connection || s.books.wrote("") != before {
			t.Errorf("%+v", back)
		}
		wantStates(t, back, stockhand.DocumentPending, stockhand.DocumentPending, stockhand.DocumentPending)
		p := proposal(t, back)
		if doc := p.Documents[0]; doc.Kind != tool.Deletion || doc.Deletes.Type != "document" ||
			doc.Deletes.ID != string(d.Documents[0].ID) {
			t.Errorf("an order: %+v", doc)
		}
		if doc := p.Documents[1]; doc.Kind != tool.Transfer || doc.Store.ID != "s2" || doc.Target.ID != "s1" ||
			doc.Lines[0].Quantity.String() != "3" {
			t.Errorf("a transfer: %+v", doc)
		}
		if doc := p.Documents[2]; doc.Kind != tool.PriceChange || len(doc.Lines) != 2 ||
			doc.Lines[0].Price.String() != "100" || doc.Lines[0].OldPrice.String() != "107" ||
			doc.Lines[0].Seen.Price.String() != "107" {
			t.Errorf("prices: %+v", doc)
		}
		for _, doc := range back.Documents {
			if !stockhand.ValidID(string(doc.ID), "doc") {
				t.Errorf("%s is not an id", doc.ID)
			}
		}
		_, err = s.service.Undo(ctx, s.person, d.ID)
		wantCode(t, "undo a second time", err, stockhand.CodeConflict, string(back.ID))

		// Given up, it can be proposed again; written, it cannot.
		if _, err := s.service.Reject(ctx, s.person, back.ID, back.Version); err != nil {
			t.Fatal(err)
		}
		back, err = s.service.Undo(ctx, s.person, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		back = s.confirm(t, back)
		wantStates(t, back, stockhand.DocumentApplied, stockhand.DocumentApplied, stockhand.DocumentApplied)
		s.books.set(func() {
			if len(s.books.documents) != 2 || s.books.prices["c"] != "100" { // the transfer and its inverse
				t.Errorf("the books hold %v, %v", s.books.documents, s.books.prices)
			}
		})
		_, err = s.service.Undo(ctx, s.person, d.ID)
		wantCode(t, "undo twice", err, stockhand.CodeConflict)
		// The undo can be reversed, but for the deletion.
		redo, err := s.service.Undo(ctx, s.person, back.ID)
		if err != nil {
			t.Fatal(err)
		}
		p = proposal(t, redo)
		if len(p.Documents) != 2 || len(p.Notices) != 1 || !strings.Contains(p.Notices[0].Message, "корзин") {
			t.Errorf("%d documents, %v", len(p.Documents), p.Notices)
		}
	})
}

func TestUndoOfPricesTakesBackTheLinesThatWereWritten(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		s.books.set(func() { s.books.refused["bad"] = true })
		doc := prices("a", "bad", "new")
		doc.Lines[2].OldPrice.Known = false
		d := s.confirm(t, s.create(t, doc))
		wantStates(t, d, stockhand.DocumentFailed)
		back, err := s.service.Undo(t.Context(), s.person, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		p := proposal(t, back)
		if len(p.Documents) != 1 || len(p.Documents[0].Lines) != 1 || p.Documents[0].Lines[0].Product.ID != "a" ||
			len(p.Notices) != 1 {
			t.Errorf("%+v", p)
		}
	})
}

func TestOfTwoThatUndoAtOnceOneMakesTheDraft(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.confirm(t, s.create(t, transfer("a")))
		var all sync.WaitGroup
		var mu sync.Mutex
		made := 0
		for range 4 {
			all.Go(func() {
				_, err := s.service.Undo(t.Context(), s.person, d.ID)
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					made++
				} else if stockhand.CodeOf(err) != stockhand.CodeConflict {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if made != 1 {
			t.Errorf("%d drafts undo one transfer", made)
		}
	})
}

func TestUndoRestoresEveryMinimum(t *testing.T) { // rules R62, R263
	eachShop(t, func(t *testing.T, s shop) {
		store := tool.Ref{Type: "store", ID: "s1", Name: "s1"}
		other := tool.StoreMinimum{Store: tool.Ref{Type: "store", ID: "s2", Name: "s2"}, Quantity: some("4").Decimal}
		d := s.create(t, tool.Document{ID: stockhand.NewID[stockhand.DocumentID]("doc"), Kind: tool.MinimumStock,
			Title: "Минимумы", Lines: []tool.Line{
				{Product: tool.Ref{ID: "a", Name: "a"}, Store: &store, Quantity: some("9"), Seen: tool.Seen{
					Minimum:  some("5"),
					Minimums: []tool.StoreMinimum{{Store: store, Quantity: some("5").Decimal}, other}}},
				{Product: tool.Ref{ID: "b", Name: "b"}, Quantity: some("7")}, // had none
			}})
		d = s.confirm(t, d)
		wantStates(t, d, stockhand.DocumentApplied)
		back, err := s.service.Undo(t.Context(), s.person, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		doc := proposal(t, back).Documents[0]
		a, b := doc.Lines[0], doc.Lines[1]
		if doc.Kind != tool.MinimumStock || a.Quantity.String() != "5" || a.Seen.Minimum.String() != "9" ||
			len(a.Seen.Minimums) != 2 || !b.Quantity.Known || b.Quantity.String() != "0" ||
			b.Seen.Minimum.String() != "7" {
			t.Errorf("%+v", doc)
		}
		if after := doc.MinimumsOf("a"); len(after) != 2 || after[0].Quantity.String() != "5" ||
			after[1].Quantity.String() != "4" {
			t.Errorf("the undo would write %+v", after)
		}
	})
}
