package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

// Selection reads the words of a request that choose goods, as in a question about them: "с маржой ниже 20 %", "топ-10
// по прибыли за октябрь". Words that are marked as used are left aside. It returns the query, nil if the words choose
// nothing, and the tokens that it uses. The query of "самые продаваемые" has an order and no limit.
func Selection(in typed.Input) (*analysis.Query, []int) {
	s := &sentence{Sentence: typed.Scan(in)}
	d := &draft{sentence: s}
	for i, it := range s.Items {
		d.take(i, it)
	}
	if len(d.q.Measures) == 0 {
		return nil, nil
	}
	d.takePeriods()
	d.orders()
	d.q.By = []string{"product"}
	onMeasure := slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		_, ok := in.Catalogue.Measure(w.Field)
		return ok
	})
	if !onMeasure && len(d.q.Order) == 0 {
		return nil, nil
	}
	period := tool.Period{From: d.q.From, To: d.q.To}
	if period.From == "" || period.To == "" {
		period = tool.Period{From: "2000-01-01", To: "2000-01-31"}
	}
	if _, err := in.Catalogue.Check(d.q, period); err != nil {
		return nil, nil
	}
	var used []int
	for _, it := range s.Items {
		for i := it.At; i < it.End && it.Used; i++ {
			if in.Tokens[i].Use == token.Unused || it.Kind == typed.Named {
				used = append(used, i)
			}
		}
	}
	return &d.q, used
}
