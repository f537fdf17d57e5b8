package compose

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
)

// before is what a breakdown is asked of, by language.
var before = map[string][2]string{"en": {"revenue by ", "expenses by "}}

func TestEverydayEnglishWordings(t *testing.T) { // rule R330
	list, err := vocabulary.Read(os.DirFS("testdata"), "wordings")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]int{}
	for _, e := range list {
		language := e.Place[len("wordings/") : len("wordings/")+2]
		said[language+e.Section+e.Meaning] += len(e.Phrases)
		for _, phrase := range e.Phrases {
			switch e.Section {
			case "measure":
				if r := read(phrase, nil); r == nil || !r.Complete() || r.Impossible ||
					!slices.Equal(r.Query.Measures, strings.Fields(e.Meaning)) {
					t.Errorf("%s: %q is read as %q, want %q", e.Place, phrase, short(r), e.Meaning)
				}
			case "dimension":
				if r := read(before[language][0]+phrase, nil); !brokenDown(r, e.Meaning) {
					if r2 := read(before[language][1]+phrase, nil); !brokenDown(r2, e.Meaning) {
						t.Errorf("%s: %q is read as %q, want %q", e.Place, phrase, short(r), e.Meaning)
					}
				}
			}
		}
	}
	for _, language := range []string{"en"} {
		for _, m := range measures.Catalogue.Measures {
			if n := said[language+"measure"+m.Name]; n < 8 {
				t.Errorf("%s: measure %s has %d wordings, want 8", language, m.Name, n)
			}
		}
		for _, d := range measures.Catalogue.Dimensions {
			if n := said[language+"dimension"+d.Name]; n < 8 && d.Name != "rfm" && d.Name != "account" &&
				d.Name != "expense_item" {
				t.Errorf("%s: dimension %s has %d wordings, want 8", language, d.Name, n)
			}
		}
	}
}

func brokenDown(r *Reading, by string) bool {
	return r != nil && r.Complete() && slices.Equal(r.Query.By, []string{by})
}
