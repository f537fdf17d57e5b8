package compose

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
)

// wordings are everyday ways to name each measure and dimension.
func wordings(t *testing.T) []vocabulary.Entry {
	list, err := vocabulary.Read(os.DirFS("testdata"), "russian")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// said are the phrases of the lexicon.
var said, _ = vocabulary.Read(os.DirFS("typed"), "vocabulary")

// besides reports whether measures have nothing but one and those that the vocabulary shows with it.
func besides(list []string, m string) bool {
	return slices.Contains(list, m) && !slices.ContainsFunc(list, func(other string) bool {
		return other != m && other != "sale_price" &&
			!slices.ContainsFunc(said, func(e vocabulary.Entry) bool {
				with := strings.Fields(e.Meaning)
				return e.Section == "measure" && slices.Contains(with, m) && slices.Contains(with, other)
			})
	})
}

// Each wording of a measure is a question that is read as that measure, by itself and politely.
func TestEverydayWordingsNameTheMeasure(t *testing.T) { // rule R326
	seen := map[string]bool{}
	for _, e := range wordings(t) {
		if e.Section != "measure" {
			continue
		}
		seen[e.Meaning] = true
		for _, phrase := range e.Phrases {
			for _, task := range []string{phrase, "покажи " + phrase + " пожалуйста"} {
				r := read(task, nil)
				if r == nil || !r.Complete() || !besides(r.Query.Measures, e.Meaning) {
					t.Errorf("%s: %q is read as %q", e.Meaning, task, short(r))
					break
				}
			}
		}
	}
	for _, m := range measures.Catalogue.Measures {
		if !seen[m.Name] {
			t.Errorf("no wordings of %s", m.Name)
		}
	}
}

// Each wording of a dimension breaks a figure down by it.
func TestEverydayWordingsNameTheDimension(t *testing.T) { // rule R326
	for _, e := range wordings(t) {
		if e.Section != "dimension" {
			continue
		}
		for _, phrase := range e.Phrases {
			for _, measure := range []string{"выручка ", "чеки за октябрь "} {
				r := read(measure+phrase, nil)
				if r == nil || !r.Complete() || !slices.Equal(r.Query.By, strings.Fields(e.Meaning)) {
					t.Errorf("%s: %q is read as %q", e.Meaning, measure+phrase, short(r))
				}
			}
		}
	}
}
