package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// orderAsSold reads "закажи столько же" after sales as an order of as much of each good as was sold there (rule R1185).
// What has conditions that are not of goods is asked about. It returns nil for any other message.
func orderAsSold(task string, in language.Input) *language.Reading {
	done := in.Previous
	if done == nil || !done.Skill.Reads() || !ofSales(done) ||
		!wording(aroundAsMuch, orderingVerbs, asMuch).Is(token.Split(task), nil) {
		return nil
	}
	base := done.Composed(in.Catalogue).Query
	x := &language.Reading{Task: task, Language: languageOf(task, in), Skill: language.ProposeSupplierOrders,
		FollowUp: true, Confidence: 1}
	if base == nil || base.Compare != nil || slices.ContainsFunc(base.Where, func(w analysis.Condition) bool {
		return w.Op != analysis.In || w.Of != "" || !soldFields[w.Field]
	}) {
		return withoutOptionsOf(x, task, done)
	}
	q := &analysis.Query{Measures: []string{"quantity"}, By: []string{"variant"}, Where: slices.Clone(base.Where),
		From: base.From, To: base.To}
	if base.Limit > 0 || done.Arguments.Limit > 0 {
		rows := in.Rows
		if !rowsOf(rows, "product") || slices.Contains(rows.IDs, "") {
			return withoutOptionsOf(x, task, done)
		}
		q.Where = append(q.Where, oneOf("product", rows.IDs))
	}
	if q.From == "" {
		q.From, q.To = lastDays(in.Now)
	}
	d := draft.Draft{RowsOf: &draft.RowsOf{Query: q, Column: "quantity"}}
	for _, w := range base.Where {
		if w.Field == "store" && len(w.Values) == 1 { // what a shop sold is ordered for it
			d.Store = string(w.Values[0])
		}
	}
	x.Input = d
	return x
}

// withoutOptionsOf asks what a message about a draft means.
func withoutOptionsOf(x *language.Reading, task string, done *language.Reading) *language.Reading {
	y := withoutOptions(notSure(*x, task, done))
	return &y
}

var (
	orderingVerbs = words.Set("закажи заказать закажем заказываем закупи закупить купи купить дозакажи восполни докупи order " +
		"reorder buy")
	asMuch       = words.Set("столько стольки количество same many")
	aroundAsMuch = words.Set("же и а ну давай мне их это этого всё все то такое ровно сколько продали продано ушло каждого " +
		"каждый теперь тогда the that amount quantity as we sold was of each them just let's so now it")
	soldFields = words.Set("product group supplier variant store")
)
