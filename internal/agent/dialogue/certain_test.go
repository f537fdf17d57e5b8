package dialogue_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
)

func TestTheReaderIsCertainOnlyOfTasksThatItReadsCompletely(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for task, want := range map[string]bool{
		"сколько денег на счетах":            true,
		"stock by warehouse":                 true,
		"сколько денег у хрюндигеля":         false, // a name to look up
		"остатки":                            true,
		"почему небо синее":                  false,
		"расскажи что-нибудь про наш бизнес": false,
		"спасибо":                            false,
	} {
		r := language.Read(task, language.Input{Now: now, Catalogue: measures.Catalogue})
		if got := dialogue.Certain(r); got != want {
			t.Errorf("%s: certain %v, want %v (%+v)", task, got, want, r)
		}
	}
}

func TestAHintNamesTheCallAndTheWordsThatWereNotUnderstood(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	r := language.Read("сколько денег у хрюндигеля", language.Input{Now: now, Catalogue: measures.Catalogue})
	got := dialogue.Hint(r, "moysklad_")
	for _, want := range []string{"moysklad_money {", "хрюндигеля"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the hint: %s", want, got)
		}
	}
	if got := dialogue.Hint(language.Read("расскажи анекдот", language.Input{Now: now, Catalogue: measures.Catalogue}), "moysklad_"); got != "" {
		t.Errorf("a hint of what was not understood: %s", got)
	}
}
