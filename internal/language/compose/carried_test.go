package compose

import (
	"slices"
	"testing"
)

func TestWordsForSellingAndBuyingAreNoMeasureWhereAnotherOneIsAskedFor(t *testing.T) {
	for task, want := range map[string][]string{
		"какой товар приносит больше всего прибыли":     {"profit"},
		"which channel brings the most profit":          {"profit"},
		"какая группа принесла самую большую выручку":   {"revenue"},
		"рейтинг складов по выручке":                    {"revenue"},
		"что надо закупить":                             nil, // it asks what to order
		"что нужно купить":                              nil,
		"what should we buy":                            nil,
		"что закупили вчера":                            {"purchases"},
		"total expenses in october by category":         {"money_out"},
		"сколько прибыли и выручки принесли покупатели": {"profit", "revenue"},
	} {
		r := read(task, nil)
		switch {
		case r == nil && want == nil:
		case r == nil:
			t.Errorf("%s: not read", task)
		case want == nil && r.Complete():
			t.Errorf("%s: read as %v", task, r.Query.Measures)
		case want != nil && !slices.Equal(r.Query.Measures, want):
			t.Errorf("%s: %v, want %v", task, r.Query.Measures, want)
		}
	}
}
