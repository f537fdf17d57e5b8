package lookup

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
)

// spanNames are the meanings whose words one task may say in place of another's: "а возвраты?" after a question about
// shipments.
var spanNames = map[meaning]string{document: "document", flag: "flag", stateName: "state", wish: "wish",
	priceType: "price type", kindOf: "list", counting: "counting"}

// Spans returns the parts of a task that are typed meanings of look-ups.
func Spans(task string, in typed.Input) []typed.Span {
	s := &sentence{Input: in, task: task, ts: slices.Clone(in.Tokens)}
	s.scan(quantity.Periods(s.ts, s.Today))
	var list []typed.Span
	for _, it := range s.items {
		if n := spanNames[it.meaning]; n != "" {
			list = append(list, typed.Span{Kind: typed.SpanKind(n), ID: it.id, From: it.at, To: it.end})
		}
	}
	return list
}
