package lookup

import (
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Product is the input of the card of a good.
type Product struct {
	Product string   `json:"product"`
	From    tool.Day `json:"from,omitempty"`
	To      tool.Day `json:"to,omitempty"`
}

// Counterparty is the input of the card of a counterparty.
type Counterparty struct {
	Counterparty string   `json:"counterparty"`
	From         tool.Day `json:"from,omitempty"`
	To           tool.Day `json:"to,omitempty"`
}

// ofParties and ofGoods are what may be wanted of the two kinds of cards.
var (
	ofParties = []string{"contacts", "balance", "card", "lastsale"}
	ofGoods   = []string{"card", "identity", "supplier", "weight", "rest", "price"}
)

// cards reads what is wanted of one good or of one counterparty (rule R314), and what a customer buys.
func (s *sentence) cards() *Reading {
	if s.has(buying) && s.denied(buying) {
		return nil
	}
	if r := s.lastPaid(); r != nil {
		return r
	}
	if s.has(buying) && (s.has(when) || s.has(last)) && s.has(name) {
		return s.lastBought()
	}
	if s.has(times) && s.has(name) && (s.has(buying) || s.has(verb)) {
		return s.howOften()
	}
	if s.has(buying) {
		return s.buys()
	}
	if s.has(supplying) {
		return s.supplies()
	}
	w := s.first(wish)
	if w == nil {
		return s.contentsOf()
	}
	s.use(asking, numbered)
	it := s.first(name)
	if it == nil {
		if s.first(unexplained) == nil {
			return nil
		}
		if w.used = true; slices.Contains(ofParties, w.id) {
			return &Reading{Call: Call{Tool: "counterparty", Input: Counterparty{}}}
		}
		return &Reading{Call: Call{Tool: "product", Input: Product{}}}
	}
	for i, x := range s.items {
		switch x.meaning {
		case agent, kindOf, goods, from:
			x.used = is(s.beside(i, 1), name) || is(s.beside(i, -1), name) || is(s.beside(i, 1), wish)
		case counting:
			x.used = w.id == "weight"
		case wish:
			x.used = true
		case joining: // "телефон и почта"
			x.used = is(s.beside(i, 1), wish) && is(s.beside(i, -1), wish)
		case last, when:
			x.used = w.id == "lastsale"
		default:
		}
	}
	v := s.first(verb)
	if w.id == "paid" || w.id == "price" && v != nil && (v.id == "purchaseorder" || v.id == "supply") {
		s.use(verb)
		return s.paid()
	}
	parties := meanings(it.name, connector.NameCounterparty, connector.NameSupplier)
	all := meanings(it.name, connector.NameProduct)
	wanted := func(of []string) bool {
		return !slices.ContainsFunc(s.items, func(x *item) bool {
			return x.meaning == wish && !slices.Contains(of, x.id)
		})
	}
	from, to := s.span()
	var options []Option
	if len(parties) > 0 && wanted(ofParties) {
		it.used = true
		for _, p := range parties {
			in := Counterparty{argument(it.name.Meanings, p), from, to}
			options = append(options, Option{Text: s.instead(it.name.At, "«"+p.Name+"»"),
				Call: Call{Tool: "counterparty", Input: in}})
		}
	}
	if len(all) > 0 && wanted(ofGoods) && !(len(parties) > 0 && w.id != "card") {
		it.used = true
		for _, p := range all {
			in := Product{argument(it.name.Meanings, p), from, to}
			options = append(options, Option{Text: s.instead(it.name.At, "«"+p.Name+"»"),
				Call: Call{Tool: "product", Input: in}})
		}
	}
	switch {
	case len(options) == 0:
		return nil
	case len(options) == 1:
		return &Reading{Call: options[0].Call, Plain: w.id == "price"}
	case w.id == "price":
		q := &analysis.Query{Measures: []string{"sale_price"}, By: []string{"product"}}
		s.where(q)
		return &Reading{Call: Call{Query: q}, Plain: true}
	}
	if q := s.ofSeveral(w); q != nil && len(parties) == 0 {
		s.where(q)
		return &Reading{Call: Call{Query: q}, All: true}
	}
	return &Reading{Ask: WhichName, Options: options[:min(len(options), 8)]}
}

// contentsOf reads "из чего состоит набор" as the card of the good, which has its parts.
func (s *sentence) contentsOf() *Reading {
	it := s.first(name)
	if !s.has(contents) || s.has(document) || it == nil {
		return nil
	}
	all := meanings(it.name, connector.NameProduct)
	if len(all) == 0 || len(meanings(it.name, connector.NameCounterparty, connector.NameSupplier)) > 0 {
		return nil
	}
	s.use(contents, asking, goods, counting, service)
	it.used = true
	var options []Option
	for _, p := range all {
		options = append(options, Option{Text: s.instead(it.name.At, "«"+p.Name+"»"),
			Call: Call{Tool: "product", Input: Product{Product: argument(it.name.Meanings, p)}}})
	}
	if len(options) == 1 {
		return &Reading{Call: options[0].Call}
	}
	return &Reading{Ask: WhichName, Options: options[:min(len(options), 8)]}
}

// lastPaid reads how much was paid for goods the last time, in any order of words: "почём рис брали в прошлый раз",
// "сколько платили за рис" (rule R747).
func (s *sentence) lastPaid() *Reading {
	it := s.first(name)
	if it == nil || len(meanings(it.name, connector.NameProduct)) == 0 || s.has(document) || s.has(period) {
		return nil
	}
	asks, paid, behind := false, false, it.at > 0 && s.ts[it.at-1].Norm == "за"
	for i := range s.ts {
		w := s.ts[i].Norm
		asks = asks || howMuchWords[w] || behind && (w == "сколько" || w == "скока" || w == "скок")
		paid = paid || boughtWords[w] || behind && payingWords[w]
	}
	if !asks || !paid {
		return nil
	}
	for _, x := range s.items {
		w := s.ts[x.end-1].Norm
		x.used = x.used || x.meaning == wish || x.meaning == last || x.meaning == counting ||
			x.meaning == prices ||
			x.meaning == when || boughtWords[w] || payingWords[w] || howMuchWords[w] || w == "раз"
	}
	return s.paid()
}

var (
	howMuchWords = words.Set("почем почём чем цене цена ценам цену")
	boughtWords  = words.Set("брали взяли закупали закупили закупал купили покупали покупал привозили привезли " +
		"завозили приходил приходила приходили пришел пришла пришли заказывали")
	payingWords = words.Set("платили заплатили отдали отдавали платил заплатил")
)

// ofSeveral returns the query that shows what is wanted of the cards of several goods at once (rule R514); nil if none
// does.
func (s *sentence) ofSeveral(w *item) *analysis.Query {
	by := ""
	switch word := s.ts[w.at:w.end]; {
	case w.id == "supplier":
		return &analysis.Query{Measures: []string{"card_purchase_price"}, By: []string{"product", "supplier"}}
	case w.id == "weight" && slices.ContainsFunc(word, func(t token.Token) bool { return unitWords[t.Stem] }):
		by = "unit"
	case w.id == "weight" && slices.ContainsFunc(word,
		func(t token.Token) bool { return countryWords[t.Stem] }):
		by = "country"
	case w.id == "weight" && slices.ContainsFunc(word,
		func(t token.Token) bool { return variantWords[t.Stem] }):
		return &analysis.Query{Measures: []string{"stock"}, By: []string{"variant"}}
	case w.id != "identity":
	case slices.ContainsFunc(word, func(t token.Token) bool { return barcodeWords[t.Norm] }):
		by = "barcode"
	case slices.ContainsFunc(word, func(t token.Token) bool { return articleWords[t.Norm] }):
		by = "article"
	}
	if by == "" {
		return nil
	}
	return &analysis.Query{Measures: []string{"stock"}, By: []string{"product", by}}
}

var (
	unitWords    = token.Stems("изм измерения единица единицы единицах измеряется измеряем меряем")
	countryWords = token.Stems("страна страны производство производства производитель производит сделан " +
		"произведен")
	variantWords = token.Stems("цвет цвета цветов цветах расцветка расцветки размер размеры размеров размерах " +
		"размерный характеристики модификации")
	barcodeWords = words.Set("штрихкод штрихкоды баркод шк штрих ean еан barcode")
	articleWords = words.Set("артикул артикулы article sku")
)

// paid reads for which price a good was bought the last time.
func (s *sentence) paid() *Reading {
	if slices.ContainsFunc(s.ts, func(t token.Token) bool { return t.Use == token.Unused && retailWords[t.Norm] }) {
		return nil // "закупочная и розничная цена" asks for both (rule R1059)
	}
	q := &analysis.Query{Measures: []string{"last_purchase_price", "last_purchase", "card_purchase_price"},
		By: []string{"product"}}
	s.where(q)
	s.use(last, prices, counting)
	if len(q.Where) == 0 {
		return nil
	}
	return &Reading{Call: Call{Query: q}}
}

var retailWords = words.Set("розничная розничные розничную розничной розница розницу розницей продажная retail selling")

// span takes the period of the task.
func (s *sentence) span() (from, to tool.Day) {
	for _, it := range s.items {
		if it.meaning == period && !it.period.From.IsZero() && from == "" {
			it.used = true
			from, to = tool.DayOf(it.period.From), tool.DayOf(it.period.To)
		}
	}
	return from, to
}

// buys reads what a customer buys: goods by quantity.
func (s *sentence) buys() *Reading {
	q := &analysis.Query{Measures: []string{"quantity", "revenue"}, By: []string{"product"},
		Order: []analysis.Order{{Field: "quantity", Direction: analysis.Descending}}}
	return s.ofPartner(q, []meaning{buying, joining}, connector.NameCounterparty, connector.NameSupplier)
}

// supplies reads what a supplier sells to us: the goods that were received from it.
func (s *sentence) supplies() *Reading {
	if it := s.first(supplying); it.end == it.at+1 && !s.has(goods) { // "берём" says it only with "какие товары"
		return nil
	}
	q := &analysis.Query{Measures: []string{"quantity_received", "purchases"}, By: []string{"product"},
		Order: []analysis.Order{{Field: "purchases", Direction: analysis.Descending}}}
	return s.ofPartner(q, []meaning{supplying, joining, asking, goods}, connector.NameSupplier)
}

// ofPartner limits a query to the counterparties and the period of the task, and takes the words of some meanings.
func (s *sentence) ofPartner(q *analysis.Query, taken []meaning, kinds ...connector.NameKind) *Reading {
	for i, it := range s.items {
		switch {
		case slices.Contains(taken, it.meaning):
			it.used = true
		case it.meaning == agent, it.meaning == kindOf:
			it.used = is(s.beside(i, 1), name)
		case it.meaning == name:
			if found := s.takeName(it, kinds...); len(found) > 0 {
				q.Where = append(q.Where, counterparties(found))
			}
		}
	}
	if len(q.Where) == 0 && s.first(unexplained) == nil {
		return nil
	}
	q.From, q.To = s.span()
	return &Reading{Call: Call{Query: q}}
}

// counterparties is the condition that limits a query to some of them.
func counterparties(found []connector.Name) analysis.Condition {
	w := analysis.Condition{Field: "counterparty", Op: analysis.In}
	for _, n := range found {
		w.Values = append(w.Values, analysis.Scalar(n.ID))
	}
	return w
}

// looksAfter reads "who looks after this customer", which the account does not tell (rule R337).
func (s *sentence) looksAfter() *Reading {
	it := s.first(name)
	if !s.has(who) || it == nil {
		return nil
	}
	found := meanings(it.name, connector.NameCounterparty)
	if len(found) != 1 {
		return nil
	}
	s.use(who, agent, kindOf, asking)
	it.used = true
	q := &analysis.Query{Measures: []string{"revenue"}, By: []string{"employee"}, Where: []analysis.Condition{{
		Field: "counterparty", Op: analysis.In, Values: []analysis.Scalar{analysis.Scalar(found[0].ID)}}}}
	text := fmt.Sprintf(s.language().Pick("продажи «%s» по сотрудникам", "sales to “%s” by employee"), found[0].Name)
	return &Reading{Ask: NoManager, Options: []Option{{Call{Query: q}, text}}}
}

// howOften reads how many times a customer bought.
func (s *sentence) howOften() *Reading {
	it := s.first(name)
	found := s.takeName(it, connector.NameCounterparty)
	if len(found) == 0 {
		return nil
	}
	s.use(times, buying, verb, agent, kindOf, goods, asking)
	q := &analysis.Query{Measures: []string{"purchases_count", "purchases_sum"}, By: []string{"counterparty"},
		Where: []analysis.Condition{counterparties(found)}}
	q.From, q.To = s.span()
	return &Reading{Call: Call{Query: q}}
}

// denied reports whether "not" stands before a meaning.
func (s *sentence) denied(m meaning) bool {
	it := s.first(m)
	return it.at > 0 && (s.ts[it.at-1].Norm == "не" || s.ts[it.at-1].Norm == "not")
}

// lastBought reads "when did this customer buy the last time": its card says so.
func (s *sentence) lastBought() *Reading {
	it := s.first(name)
	found := s.takeName(it, connector.NameCounterparty)
	if len(found) == 0 {
		return nil
	}
	s.use(buying, when, last, agent, kindOf, goods, asking)
	return &Reading{Call: Call{Tool: "counterparty",
		Input: Counterparty{Counterparty: argument(it.name.Meanings, found[0])}}}
}
