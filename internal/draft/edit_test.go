package draft_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/tool"
)

// edits reads edits as an interface does.
func edits(t testing.TB, document stockhand.DocumentID, text string) draft.Edits {
	t.Helper()
	var e draft.Edits
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "DOC", string(document))), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEditMakesANewVersionWithNewTotals(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"), order("b"))
		if total := proposal(t, d).Documents[0].Total.Fixed(2); total != "400.03" { // 400.02 and 0.01, each rounded
			t.Errorf("the total is %s", total)
		}
		id := d.Documents[0].ID
		edited, err := s.service.Edit(t.Context(), s.key, d.ID, 1,
			edits(t, id, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":"18","price":"10.5"},{"id":"2","drop":true}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		p := proposal(t, edited)
		doc := p.Documents[0]
		if edited.Version != 2 || doc.Total.Fixed(2) != "189.00" || len(doc.Lines) != 1 ||
			doc.Lines[0].Quantity.String() != "18" {
			t.Errorf("version %d: %+v", edited.Version, doc)
		}
		said := strings.Join(doc.Consequences, "\n")
		for _, words := range []string{"400,03 ₽ → 189,00 ₽", "«a»: 12 → 18 шт", "будет 22", "хватит на 11 дн.",
			"цена 33,34 ₽ → 10,50 ₽", "«a-more» — убрано"} {
			if !strings.Contains(said, strings.ReplaceAll(words, " ₽", "\u00a0₽")) {
				t.Errorf("%q does not say %q", said, words)
			}
		}
		if !strings.Contains(p.Answer, "589,03") {
			t.Errorf("the answer is %q", p.Answer)
		}
		_, err = s.service.Confirm(t.Context(), s.person, draft.Decision{Draft: d.ID, Version: 1})
		wantCode(t, "confirm the version before", err, stockhand.CodeDraftChanged)
		_, err = s.service.Edit(t.Context(), s.person, d.ID, 1,
			edits(t, id, `{"documents":[{"id":"DOC","drop":true}]}`))
		wantCode(t, "edit the version before", err, stockhand.CodeDraftChanged)
		dropped, err := s.service.Edit(t.Context(), s.person, d.ID, 2,
			edits(t, id, `{"documents":[{"id":"DOC","drop":true}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if len(dropped.Documents) != 1 || dropped.Documents[0].ID != d.Documents[1].ID {
			t.Errorf("%+v are left", dropped.Documents)
		}
		if body, err := s.db.DraftVersion(t.Context(), s.org, d.ID, 1); err != nil ||
			!cmp.Equal([]byte(body), []byte(d.Body)) {
			t.Errorf("version 1 is not what it was, %v", err)
		}
		done := s.confirm(t, dropped)
		wantStates(t, done, stockhand.DocumentApplied)
		_, err = s.service.Edit(t.Context(), s.person, d.ID, 3,
			edits(t, done.Documents[0].ID, `{"documents":[{"id":"DOC","drop":true}]}`))
		wantCode(t, "edit what is written", err, stockhand.CodeConflict)
		if n := s.books.wrote(""); n != 1 {
			t.Errorf("%d writes, want 1", n)
		}
	})
}

func TestValuesThatCannotBeAreNamed(t *testing.T) {
	s := newShop(t, storetest.New(t), newBooks(t))
	d := s.create(t, order("a"), prices("b"), transfer("c"))
	for _, c := range []struct {
		document int
		edits    string
		field    string
	}{
		{0, `{"documents":[]}`, "documents"},
		{0, `{"documents":[{"id":"doc_none","drop":true}]}`, "documents[0].id"},
		{0, `{"documents":[{"id":"DOC"}]}`, "documents[0]"},
		{0, `{"documents":[{"id":"DOC","drop":true},{"id":"DOC","drop":true}]}`, "documents[1].id"},
		{0, `{"documents":[{"id":"DOC","drop":true,"lines":[{"id":"1","drop":true}]}]}`, "documents[0].drop"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"9","drop":true}]}]}`, "documents[0].lines[0].id"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1"}]}]}`, "documents[0].lines[0]"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":6},{"id":"1","drop":true}]}]}`,
			"documents[0].lines[1].id"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":6,"drop":true}]}]}`, "documents[0].lines[0].drop"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1","drop":true},{"id":"2","drop":true}]}]}`,
			"documents[0].lines"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":0}]}]}`, "documents[0].lines[0].quantity"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":"-6"}]}]}`, "documents[0].lines[0].quantity"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":"6.5"}]}]}`, "documents[0].lines[0].quantity"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":"7"}]}]}`, "documents[0].lines[0].quantity"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"2","quantity":"0.00001"}]}]}`, "documents[0].lines[0].quantity"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"2","price":"-0.01"}]}]}`, "documents[0].lines[0].price"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"2","price":"1.001"}]}]}`, "documents[0].lines[0].price"},
		{0, `{"documents":[{"id":"DOC","lines":[{"id":"2","quantity":"99999999999999","price":"99999999999999"}]}]}`,
			"documents[0].lines"},
		{1, `{"documents":[{"id":"DOC","lines":[{"id":"1","quantity":"6"}]}]}`, "documents[0].lines[0].quantity"},
		{2, `{"documents":[{"id":"DOC","lines":[{"id":"1","price":"6"}]}]}`, "documents[0].lines[0].price"},
	} {
		_, err := s.service.Edit(t.Context(), s.person, d.ID, d.Version, edits(t, d.Documents[c.document].ID, c.edits))
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != stockhand.CodeValidation ||
			!slices.ContainsFunc(e.Fields,
				func(f stockhand.FieldError) bool { return f.Field == c.field && f.Message != "" }) {
			t.Errorf("%s: %v %+v, want a fault of %s", c.edits, err, e, c.field)
		}
	}
	if diff := cmp.Diff(d, s.read(t, d.ID)); diff != "" {
		t.Error(diff)
	}
	if _, err := s.service.Edit(t.Context(), s.person, d.ID, d.Version,
		edits(t, d.Documents[0].ID, `{"documents":[{"id":"DOC","lines":[{"id":"2","quantity":"0.0001","price":"0"}]}]}`)); err != nil {
		t.Errorf("the smallest values: %v", err)
	}
}

// What was said of the figures before is not said of the new ones.
func TestEditedLineSaysWhatHoldsNow(t *testing.T) {
	s := newShop(t, storetest.New(t), newBooks(t))
	change, buy := prices("a"), order("b")
	change.Lines[0].Reason = "100 → 107"
	change.Lines[0].Flags = []tool.Notice{{Code: tool.NoticeBelowMinPrice, Message: "ниже минимальной цены"}}
	buy.Lines[0].Reason = "ниже минимума"
	buy.Lines[0].Flags = []tool.Notice{{Code: tool.NoticeUnusual, Message: "вдвое больше обычного"}}
	d := s.create(t, change, buy)
	edit := func(document int, line string) tool.Document {
		t.Helper()
		var err error
		d, err = s.service.Edit(t.Context(), s.person, d.ID, d.Version,
			edits(t, d.Documents[document].ID, `{"documents":[{"id":"DOC","lines":[`+line+`]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return proposal(t, d).Documents[document]
	}
	doc := edit(0, `{"id":"1","price":"80"}`)
	line := doc.Lines[0]
	if len(line.Flags) != 2 || line.Flags[0].Code != tool.NoticeBelowCost ||
		line.Flags[1].Message != "ниже минимальной цены" {
		t.Errorf("%+v", line.Flags)
	}
	if !strings.Contains(line.Reason, "−20,0") || strings.Contains(line.Reason, "107") {
		t.Errorf("the reason is %q", line.Reason)
	}
	if said := strings.Join(doc.Consequences, ""); !strings.Contains(said, "−20,0") {
		t.Errorf("%q", said)
	}
	line = edit(0, `{"id":"1","price":"200"}`).Lines[0]
	if len(line.Flags) != 1 || !strings.HasPrefix(line.Flags[0].Message, "до изменения: ") {
		t.Errorf("%+v", line.Flags)
	}
	edit(1, `{"id":"1","quantity":"18"}`)
	line = edit(1, `{"id":"1","quantity":"24"}`).Lines[0]
	if line.Flags[0].Message != "вдвое больше обычного" ||
		line.Reason != "изменено вручную: 18 → 24; было предложено: ниже минимума" {
		t.Errorf("%+v", line)
	}
}

func TestRejectedDraftIsNeverSent(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		d := s.create(t, order("a"), order("b"))
		d = s.confirm(t, d, d.Documents[0].ID)
		_, err := s.service.Reject(t.Context(), s.key, d.ID, d.Version+1)
		wantCode(t, "reject another version", err, stockhand.CodeDraftChanged)
		d, err = s.service.Reject(t.Context(), s.key, d.ID, d.Version)
		if err != nil {
			t.Fatal(err)
		}
		wantStates(t, d, stockhand.DocumentApplied, stockhand.DocumentRejected)
		_, err = s.service.Reject(t.Context(), s.key, d.ID, d.Version)
		wantCode(t, "reject again", err, stockhand.CodeConflict)
		_, err = s.service.Confirm(t.Context(), s.person, draft.Decision{Draft: d.ID, Version: d.Version})
		wantCode(t, "confirm what was rejected", err, stockhand.CodeConflict)
	})
}

func TestWhatCannotBeADraftIsRefused(t *testing.T) {
	s := newShop(t, storetest.New(t), newBooks(t))
	deletion := tool.Document{Kind: tool.Deletion, Deletes: &tool.Ref{Type: "purchaseorder", ID: "1"}}
	negative, twice, empty := order("a"), order("a"), order("a")
	negative.Lines[0].Quantity = some("-1")
	twice.Lines[1].ID = "1"
	empty.Lines = nil
	same := order("b")
	for name, docs := range map[string][]tool.Document{
		"nothing": nil, "a deletion": {deletion}, "a negative quantity": {negative}, "two lines of one id": {twice},
		"no lines": {empty}, "one document twice": {same, same},
	} {
		_, err := s.service.Create(t.Context(),
			stockhand.Draft{Org: s.org, Connection: s.connection, Language: stockhand.English},
			&tool.Proposal{Documents: docs})
		wantCode(t, name, err, stockhand.CodeValidation)
	}
	_, err := s.service.Create(t.Context(),
		stockhand.Draft{Org: s.org, Connection: "con_none", Language: stockhand.English},
		&tool.Proposal{Documents: []tool.Document{order("a")}})
	wantCode(t, "a connection that is not there", err, stockhand.CodeNotFound)
}

func TestARunThatProposesTwiceHasOneDraft(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		run := stockhand.NewID[stockhand.RunID]("run")
		propose := func(product string) stockhand.Draft {
			d, err := s.service.Create(t.Context(),
				stockhand.Draft{Org: s.org, Session: "ses_1", Run: run, Connection: s.connection,
					Language: stockhand.English},
				&tool.Proposal{Tool: "t", Documents: []tool.Document{order(product)}})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		first, second := propose("a"), propose("b")
		if first.ID != second.ID || string(first.Body) != string(second.Body) {
			t.Errorf("drafts %s and %s", first.ID, second.ID)
		}
		all, err := s.service.List(t.Context(), s.org, "", 10)
		if err != nil || len(all) != 1 {
			t.Errorf("%d drafts, %v", len(all), err)
		}
	})
}
