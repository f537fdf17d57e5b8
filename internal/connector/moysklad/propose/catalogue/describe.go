package catalogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// NothingError says why nothing is proposed: no good meets the conditions of a query, or a good must be named more
// exactly. A person reads it as the answer.
type NothingError struct {
	Text    string
	Missing *tool.Missing // what would have to be named; nil for something else
}

func (e *NothingError) Error() string { return e.Text }

var operators = map[analysis.Op]tool.Text{analysis.Less: {RU: "меньше", EN: "under"},
	analysis.LessEqual: {RU: "не больше", EN: "at most"}, analysis.Greater: {RU: "больше", EN: "over"},
	analysis.GreaterEqual: {RU: "не меньше", EN: "at least"}, analysis.Equal: {RU: "равно", EN: "equal to"},
	analysis.NotEqual: {RU: "не равно", EN: "other than"}, analysis.Between: {RU: "от", EN: "from"},
	analysis.IsEmpty: {RU: "не известно", EN: "unknown"}, analysis.IsNotEmpty: {RU: "известно", EN: "known"}}

// Describe says which rows the goods are taken from: "товары, у которых выручка > 1000".
func (r *RowsOf) Describe(c *account.Call) string {
	if len(r.among) > 0 {
		whole := *r
		whole.among = nil
		return whole.Describe(c) + c.Pick(", только ", ", only ") + c.ListNames(slices.Clone(r.among))
	}
	if r.Query == nil {
		if n := len(r.Rows); n > 0 {
			return c.Pickf("названные строки таблицы (%d)", "the named rows of the table (%d)", n)
		}
		return c.Pick("товары из таблицы", "the goods of the table")
	}
	var q analysis.Query
	if json.Unmarshal(r.Query.RawMessage, &q) != nil {
		return c.Pick("товары из запроса", "the goods of the query")
	}
	var parts []string
	named := 0
	for _, w := range q.Where {
		m, ok := measures.Catalogue.Measure(w.Field)
		if w.Op == analysis.Contains && len(w.Values) == 1 {
			parts = append(parts, c.Pickf("название содержит «%s»", "the name contains “%s”", string(w.Values[0])))
			continue
		}
		if !ok {
			var names []string
			for _, v := range w.Values {
				if _, isID := msapi.ParseID(string(v)); !isID {
					names = append(names, "«"+string(v)+"»")
				}
			}
			if len(names) < len(w.Values) || len(names) == 0 {
				named++
				continue
			}
			title := w.Field
			if d, ok := measures.Catalogue.Dimension(w.Field); ok {
				title = strings.ToLower(d.Title.In(c.Lang))
			}
			if w.Op == analysis.NotIn {
				title += c.Pick(" не", " not")
			}
			parts = append(parts, title+" "+strings.Join(names, ", "))
			continue
		}
		values := make([]string, len(w.Values))
		for i, v := range w.Values {
			values[i] = string(v)
		}
		op := operators[w.Op].In(c.Lang)
		parts = append(parts, strings.TrimSpace(strings.ToLower(m.Title.In(c.Lang))+" "+op+" "+
			strings.Join(values, c.Pick(" до ", " to "))))
	}
	if len(q.Order) > 0 && q.Limit > 0 {
		title := q.Order[0].Field
		if m, ok := measures.Catalogue.Measure(title); ok {
			title = strings.ToLower(m.Title.In(c.Lang))
		}
		first := c.Pick("первые", "the first")
		if q.Order[0].Direction == analysis.Ascending {
			first = c.Pick("последние", "the last")
		}
		parts = append(parts, fmt.Sprintf(c.Pick("%s %d по: %s", "%s %d by: %s"), first, q.Limit, title))
	}
	sold := slices.Equal(q.Measures, []string{"quantity"}) && len(q.Order) == 0
	span := ""
	if q.From != "" && q.To != "" {
		span = wording.Span(tool.Period{From: q.From, To: q.To}, c.Lang)
	}
	if span != "" && !sold {
		parts = append(parts, span)
	}
	if named > 0 {
		parts = append(parts, c.Pickf("условий на названия: %d", "conditions on names: %d", named))
	}
	where := c.Pick("товары, где ", "goods where ") + strings.Join(parts, c.Pick(" и ", " and "))
	if !sold || span == "" {
		return where
	}
	as := c.Pick("то, что продано ", "what was sold ") + span
	if len(parts) == 0 {
		return as
	}
	return as + "; " + where
}
