package notes_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/tool"
)

// R473
func TestPeopleWriteNotesAndConfirmedChangesAreWritten(t *testing.T) {
	db := storetest.New(t)
	org := storetest.Organization(t, db)
	s := &notes.Service{Store: db}
	owner := stockhand.Actor{Org: org, Name: "user:usr_1", Person: true, Role: stockhand.RoleOwner}
	text := func() string {
		t.Helper()
		now, err := s.Text(t.Context(), org)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	if err := s.Set(t.Context(), owner, "Никогда не заказываем у ООО «Восток».\r\n\n Финансовый год с апреля.  "); err != nil {
		t.Fatal(err)
	}
	if got := text(); got != "Никогда не заказываем у ООО «Восток».\nФинансовый год с апреля." {
		t.Errorf("%q", got)
	}
	w := notes.Writer{Notes: s, Org: org}
	apply := func(c notes.Change) tool.Outcome {
		t.Helper()
		doc, err := s.Document(context.Background(), org, c, stockhand.Russian)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := w.Bodies(doc); err != nil || len(body) != 1 {
			t.Fatal(body, err)
		}
		out := w.Apply(t.Context(), []tool.Document{doc})[0]
		if found, err := w.Find(t.Context(), []tool.Document{doc}); err != nil || found[0].State != out.State {
			t.Errorf("found %+v, %v", found, err)
		}
		return out
	}
	change := notes.Change{Remove: "Финансовый год с апреля.", Add: "Финансовый год с июля."}
	if out := apply(change); out.State != stockhand.DocumentApplied ||
		!strings.HasSuffix(text(), "\nФинансовый год с июля.") {
		t.Errorf("%+v: %q", out, text())
	}
	if out := apply(change.Reverse()); out.State != stockhand.DocumentApplied ||
		!strings.HasSuffix(text(), "с апреля.") {
		t.Errorf("%+v: %q", out, text())
	}
	for _, c := range []notes.Change{{}, {Remove: "нет такой"}, {Add: "Финансовый год с апреля."},
		{Add: strings.Repeat("a", 600)}} {
		_, err := s.Document(t.Context(), org, c, stockhand.Russian)
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%.40v: %v", c, err)
		}
	}
	err := s.Set(t.Context(), owner, strings.Repeat("я", notes.Most+1))
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("too long: %v", err)
	}
	key := stockhand.Actor{Org: org, Name: "key:key_1", Role: stockhand.RoleOwner}
	if err := s.Set(t.Context(), key, "x"); stockhand.CodeOf(err) != stockhand.CodePermissionDenied {
		t.Errorf("a key: %v", err)
	}
}
