package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
)

// ofListedGoods reads a question that names no goods, right after a list of what runs out or lies too long, as one
// about the goods of the list (rule R1148): "когда последний раз продавали", "сколько продали за месяц".
func ofListedGoods(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || done.Skill != language.Shortages && done.Skill != language.StockAge || !complete(r) ||
		r.Skill == done.Skill || r.Skill != language.SalesTrend && r.Skill != language.Analyze ||
		len(conditionsOf(r)) > 0 || aboutShown(r, in) {
		return
	}
	q := r.Composed(in.Catalogue).Query
	if q == nil || len(q.By) > 0 && !slices.Equal(q.By, []string{"product"}) || len(q.Where) > 0 || q.Share ||
		slices.ContainsFunc(q.Measures, func(m string) bool { return noGoods[m] }) {
		return
	}
	s := (&talk{in: in}).parts(task, true)
	if s.ofEverything() || s.ofAll() || len(s.ts) > mostFragment+2 ||
		s.has(append(nameSlots, "other name", "document", slot(typed.SpanDimension))...) {
		return
	}
	if x := narrowed(task, r, in); x != nil {
		*r = *x
	}
}

// ofCardShown reads a question of figures that names nothing, right after a card, as one about what the card is of
// (rule R1156): "средний чек" after a customer, "остаток на лесной" after a product.
func ofCardShown(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || !ofCard[done.Skill] || !complete(r) || r.Skill != language.Analyze && !byGoods[r.Skill] ||
		aboutShown(r, in) || ofPartner(r) {
		return
	}
	card := conditionsOf(done)
	s := (&talk{in: in}).parts(task, true)
	if len(card) != 1 || s.ofEverything() || s.ofAll() || len(s.ts) > mostFragment ||
		s.has("goods", "partner", "other name", slot(typed.SpanDimension), slot(typed.SpanPeriod)) {
		return
	}
	if card[0].Field == "product" && takesProducts[r.Skill] {
		x := *r
		x.Arguments.Products, x.FollowUp = []string{string(card[0].Values[0])}, true
		*r = x
		return
	}
	of := r.Composed(in.Catalogue).Query
	if of == nil || slices.ContainsFunc(of.Measures, func(m string) bool { return ofAccounts[m] }) {
		return
	}
	q := *of
	q.Where = append(slices.Clone(q.Where), card[0])
	if query.Possible(in.Catalogue, q) {
		*r = *changedTo(task, languageOf(task, in), &q)
	}
}

// ofPartner reports whether a question names a customer, a supplier or goods of its own.
func ofPartner(r *language.Reading) bool {
	return slices.ContainsFunc(conditionsOf(r), func(w analysis.Condition) bool {
		return partnerFields[w.Field] || w.Field == "product" || w.Field == "group"
	})
}

// ofAccounts are measures of money that are of no customer and no supplier.
var ofAccounts = map[string]bool{"balance": true, "net_flow": true}

// ofRankedRows answers a follow-up with figures that the ranking before cannot be ordered by for the rows that were
// shown (rule R1157): "а в штуках" after the ten goods with most profit.
func ofRankedRows(task string, r *language.Reading, in language.Input) {
	done, rows := in.Previous, in.Rows
	if done == nil || r.Question == nil || len(r.Question.Options) != 1 ||
		!language.NamedRows(rows) || rows.Earlier || rows.More {
		return
	}
	base, of := done.Composed(in.Catalogue).Query, r.Question.Options[0].Query
	if base == nil || of == nil || len(of.By) > 0 || max(base.Limit, done.Arguments.Limit) < 2 || !slices.Equal(base.By,
		[]string{rows.Dimension}) || len(rows.IDs) > mostNarrowed || slices.Contains(rows.IDs, "") {
		return
	}
	q := *base
	q.Measures, q.Order, q.Limit = of.Measures, nil, 0
	q.Where = append(slices.Clone(base.Where), oneOf(rows.Dimension, rows.IDs))
	if query.Possible(in.Catalogue, q) {
		*r = *changedTo(task, languageOf(task, in), &q)
	}
}

// noGoods are measures of the whole business that goods have no part in.
var noGoods = map[string]bool{"money_in": true, "money_out": true, "net_flow": true, "balance": true,
	"owed_to_us": true, "owed_by_us": true}

// mostNarrowed is how many rows of a list a question is limited to by their names.
const mostNarrowed = 100

// narrowed limits a reading to the goods of the list that was shown: by their names, or by the condition that made the
// list where it has more rows than are known. It returns nil if the answer cannot be limited to them.
func narrowed(task string, r *language.Reading, in language.Input) *language.Reading {
	rows := in.Rows
	named := rows != nil && rows.Dimension == "product" && !rows.Earlier && !rows.More && len(rows.IDs) > 0 &&
		len(rows.IDs) <= mostNarrowed && !slices.Contains(rows.IDs, "")
	if named && takesProducts[r.Skill] {
		x := *r
		x.Arguments.Products, x.FollowUp, x.Task = slices.Clone(rows.IDs), true, task
		return &x
	}
	of := r.Composed(in.Catalogue).Query
	if of == nil {
		return nil
	}
	q := *of
	q.Where = slices.Clone(q.Where)
	switch base := listQuery(in); {
	case named:
		q.Where = append(q.Where, oneOf("product", rows.IDs))
	case base != nil && base.Limit == 0 && len(base.Where) > 0 && slices.Equal(base.By, []string{"product"}) &&
		!slices.ContainsFunc(base.Where, func(w analysis.Condition) bool {
			return slices.ContainsFunc(q.Where, func(own analysis.Condition) bool { return own.Field == w.Field })
		}): // of goods in one warehouse, what lies in another one is no condition on the same stock
		q.Where = append(q.Where, base.Where...)
	default:
		return nil
	}
	if len(q.By) == 0 {
		q.By = []string{"product"}
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, languageOf(task, in), &q)
}

var takesProducts = map[language.Skill]bool{language.Stock: true, language.StockByStore: true,
	language.Shortages: true}

// listQuery returns the query that says the same as the answer before, or nil.
func listQuery(in language.Input) *analysis.Query {
	if q := in.Previous.Composed(in.Catalogue).Query; q != nil {
		return q
	}
	if base := in.Previous.Base(in.Catalogue, in.Now); base != nil {
		return base.Query
	}
	return nil
}
