package typed

import (
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// A phrase has one meaning, unless the words differ in form.
func TestPhrasesHaveOneMeaning(t *testing.T) {
	for _, list := range lexiconOf(measures.Catalogue).entries {
		for i, e := range list {
			for _, other := range list[:i] {
				if slices.Equal(e.forms, other.forms) && (e.kind != other.kind || e.id != other.id) {
					t.Errorf("%v means %d %s and %d %s", e.forms, e.kind, e.id, other.kind, other.id)
				}
			}
		}
	}
}
