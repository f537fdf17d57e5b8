package lookup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Reference is the input of a list of the account.
type Reference struct {
	Kind string `json:"kind"`
}

// lists reads lists of the account, of its services and sets, of goods that lack something, of the goods of some name,
// and the classes of customers (rule R315).
func (s *sentence) lists() *Reading {
	s.use(asking, every)
	switch {
	case s.has(rfm):
		s.use(rfm, customers, agent, kindOf)
		q := &analysis.Query{Measures: []string{"days_since", "purchases_count", "purchases_sum"},
			By: []string{"counterparty", "rfm"}}
		q.From, q.To = s.span()
		return &Reading{Call: Call{Query: q}}
	case s.has(service) && !s.has(name) && (s.has(asking) || len(s.items) == 1):
		it := s.first(service)
		s.use(service, goods, buying)
		q := &analysis.Query{Measures: []string{"sale_price"}, By: []string{"product"},
			Where: []analysis.Condition{{Field: "kind", Op: analysis.In,
				Values: []analysis.Scalar{analysis.Scalar(it.id)}}}}
		return &Reading{Call: Call{Query: q}}
	case (s.has(asking) || s.has(available)) && s.has(name):
		return s.named()
	}
	if s.countsGoods() {
		s.use(counting, goods, available)
		return &Reading{Call: Call{Tool: "stock", Input: Stock{Only: "all"}}}
	}
	it := s.first(kindOf)
	if w := s.first(wish); it != nil && w != nil && w.id == "contacts" && !s.has(name) && !it.one {
		s.use(wish, kindOf, every, asking)
		return &Reading{Refusal: [2]string{"Контакты списком я не показываю, они в карточке каждого контрагента.\n" +
			"Например: «телефон ИП Иванов».", "I do not list contacts; the card of each counterparty has them.\n" +
			"For example: “phone of Alfa”."}}
	}
	if it == nil || it.one && s.ts[it.at].Cyrillic && it.id != "organizations" && it.id != "employees" {
		return nil
	}
	if it.id == "suppliers" && s.has(name) {
		return s.suppliersOf(it)
	}
	if s.first(every) != nil && s.inside() {
		return nil // "in all warehouses" is where, and no list
	}
	for _, x := range s.items { // nothing else: "какие группы продаются лучше" is a figure
		again := x.meaning == kindOf && x.id == it.id
		if x.meaning == counting && countedLists[it.id] { // "сколько у нас проектов"
			x.used = true
			continue
		}
		if x.meaning != function && x.meaning != asking && x.meaning != every && x.meaning != whether &&
			x.meaning != whom && !again {
			return nil
		}
		x.used = x.used || again
	}
	return &Reading{Call: Call{Tool: "reference", Input: Reference{it.id}}}
}

// countedLists are the lists of the account that only this reading counts the entries of.
var countedLists = words.Set("sales_channels projects")

// inside reports whether the task begins as a place.
func (s *sentence) inside() bool { return len(s.ts) > 0 && placed[s.ts[0].Norm] }

var placed = words.Set("in at across over на по")

// Stock is the input of the report of stock.
type Stock struct {
	Only string `json:"only"`
}

// countsGoods reports whether the task asks how many goods there are in the account, and nothing else.
func (s *sentence) countsGoods() bool {
	if slices.ContainsFunc(s.ts, func(t token.Token) bool { return soldUnits[t.Norm] }) {
		return false // "сколько штук продаём" is what was sold
	}
	n := 0
	for _, it := range s.items {
		switch it.meaning {
		case goods:
			n++
		case function, asking, counting, every:
		case available: // in stock, or on offer at all
			if !strings.HasPrefix(s.ts[it.end-1].Norm, "ассортимент") {
				return false
			}
		default:
			return false
		}
	}
	return n > 0 && s.has(counting) && !s.has(asking)
}

var soldUnits = words.Set("штук штуки шт единиц")

// suppliersOf reads "suppliers of kitchenware": those that the goods name, with their stock (rule R514).
func (s *sentence) suppliersOf(it *item) *Reading {
	for _, x := range s.items {
		switch x.meaning {
		case function, asking, every, name, agent, goods:
		default:
			if x != it {
				return nil
			}
		}
		if x.meaning == name && len(meanings(x.name, connector.NameProduct, connector.NameGroup)) == 0 {
			return nil
		}
	}
	q := &analysis.Query{Measures: []string{"stock", "stock_cost"}, By: []string{"supplier"}}
	it.used = true
	s.use(agent, goods)
	s.where(q)
	return &Reading{Call: Call{Query: q}, All: true}
}

// lacking reads "goods without an article". What goods may lack is a property of its own: some cannot be
// read (rule R336).
func (s *sentence) lacking() *Reading {
	if !s.has(without) || s.has(document) || !s.has(goods) && !s.has(asking) {
		return nil
	}
	q := &analysis.Query{Measures: []string{"sale_price"}, By: []string{"product"}}
	unknown := ""
	for i := 0; i < len(s.ts); i++ {
		if s.ts[i].Kind != token.Word || s.ts[i].Use != token.Unused {
			continue
		}
		p, end := lacked.At(s.ts, i)
		if p == nil || !s.beWithout(i, end) {
			continue
		}
		switch p.Meaning {
		case "image", "other":
			unknown = s.raw(i, end)
		default:
			q.Where = append(q.Where, analysis.Condition{Field: p.Meaning, Op: analysis.IsEmpty})
		}
		i = end - 1
	}
	switch {
	case unknown != "":
		s.use(goods, asking, counting, without, every)
		return &Reading{Refusal: [2]string{
			fmt.Sprintf("Проверить, у каких товаров не заполнено поле «%s», я не могу. Зато найду товары без "+
				"артикула, "+
				"штрихкода, группы, поставщика, страны, цены, закупочной цены или неснижаемого остатка.\n"+
				"Например: «товары без штрихкода».", unknown),
			fmt.Sprintf("I cannot check which goods lack “%s”. I can find goods without an article, a barcode, a "+
				"group, "+
				"a supplier, a country, a price, a purchase price or a minimum stock.\n"+
				"For example: “products without a barcode”.", unknown)}}
	case len(q.Where) == 0:
		return nil
	}
	s.use(goods, asking, counting, without, every, joining)
	s.where(q)
	return &Reading{Call: Call{Query: q}}
}

// beWithout marks a property as explained if "without" stands beside it, apart from another property.
func (s *sentence) beWithout(at, end int) bool {
	found := false
	for k, it := range s.items {
		if it.at < at || it.end > end {
			continue
		}
		for _, step := range []int{-1, 1} {
			n := s.beside(k, step)
			found = found || is(n, without) || is(n, joining) ||
				n != nil && at <= n.at && n.end <= end && s.has(without)
		}
	}
	for _, it := range s.items {
		if found && at <= it.at && it.end <= end {
			it.used = true
		}
	}
	return found
}

// states reads "which states do orders have": a list of the account, unlike the orders in a state.
func (s *sentence) states() *Reading {
	it := s.first(kindOf)
	if it == nil || it.id != "states" || s.has(name) || s.has(number) {
		return nil
	}
	s.use(asking, every, goods)
	for _, x := range s.items {
		x.used = x.used || x == it || x.meaning == document
	}
	return &Reading{Call: Call{Tool: "reference", Input: Reference{it.id}}}
}

// named reads "which mugs are there": the goods that the words fit, with stock and price.
func (s *sentence) named() *Reading {
	for _, it := range s.items {
		if it.meaning == asking && finds[s.ts[it.at].Norm] || it.meaning == period ||
			(it.meaning == kindOf || it.meaning == agent) && it.at > 0 && whichOne[s.ts[it.at-1].Norm] {
			return nil // "сколько было чая в октябре", "в какой группе чай"
		}
		if it.meaning != name {
			continue
		}
		group := len(meanings(it.name, connector.NameGroup)) > 0
		if len(meanings(it.name, connector.NameProduct)) > 0 == group ||
			group && !s.listed() || len(meanings(it.name, connector.NameCounterparty,
			connector.NameStore)) > 0 {
			return nil
		}
	}
	if s.says(howWords) && s.says(sellingWords) {
		return nil // "как продаётся чай" asks for its sales
	}
	if s.has(counting) && slices.ContainsFunc(s.ts, func(t token.Token) bool { return agoWords[t.Norm] }) {
		return nil // "сколько муки было месяц назад"
	}
	q := &analysis.Query{Measures: []string{"stock", "sale_price"}, By: []string{"product"}}
	s.where(q)
	s.use(goods)
	r := &Reading{Call: Call{Query: q}, All: true}
	if s.has(available) {
		s.use(available)
		q.Where = append(q.Where, analysis.Condition{Field: "stock", Op: analysis.Greater,
			Values: []analysis.Scalar{"0"}})
	}
	return r
}

// says reports whether the task has a word of a set.
func (s *sentence) says(set map[string]bool) bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return set[t.Norm] })
}

var (
	howWords     = words.Set("как хорошо плохо how")
	sellingWords = words.Set("продается продаются продавался продавалась продавались продаем selling sell")
)

var agoWords = words.Set("назад ago")

var whichOne = words.Set("каком какой какая какие каких which what")

// listed reports whether the task asks for a list: "список хозтоваров", "перечень посуды".
func (s *sentence) listed() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return listWords[t.Norm] })
}

var listWords = words.Set("список списком списочек перечень перечнем перечисли ассортимент номенклатура видов " +
	"сортов наименований разновидностей виды сорта")

// finds are words that search for goods by their names.
var finds = words.Set("найди ищу ищем отыщи открой find open")

// where limits a query to the goods, groups, suppliers and warehouses that the task names.
func (s *sentence) where(q *analysis.Query) {
	for i, it := range s.items {
		if it.meaning != name {
			continue
		}
		for _, of := range []struct {
			field string
			kind  connector.NameKind
		}{{"product", connector.NameProduct}, {"group", connector.NameGroup}, {"supplier", connector.NameSupplier}} {
			found := meanings(it.name, of.kind)
			if len(found) == 0 {
				continue
			}
			if len(found) > 1 && of.field != "product" {
				s.askName(it, found)
			}
			it.used = true
			if beside := s.beside(i, -1); is(beside, agent) || is(beside, kindOf) || is(beside, goods) {
				beside.used = true
			}
			w := analysis.Condition{Field: of.field, Op: analysis.In}
			for _, n := range found {
				v := n.ID
				if v == "" {
					v = n.Name
				}
				w.Values = append(w.Values, analysis.Scalar(v))
			}
			q.Where = append(q.Where, w)
			break
		}
	}
}

// ListsPrices reports whether a task asks for a price list, and for no change of prices.
func ListsPrices(ts []token.Token) bool {
	list := false
	for i := range ts {
		if ts[i].Kind == token.Number || ts[i].Kind == token.Mark && ts[i].Norm == "%" {
			return false
		}
		if i > 0 && priceLists[ts[i].Stem] {
			id, ok := word(&ts[i-1], asking)
			list = list || ok && id == "" || gives[ts[i-1].Norm]
		}
	}
	return list
}

var (
	priceLists = words.Set("прайс прайслист прейскурант прайсик pricelist")
	gives      = words.Set("дай дайте скинь скиньте кинь пришли нужен сбрось сформируй the a")
)

// priceList reads the prices of one type: "оптовые цены на кофе", "price list wholesale" (rule R316). The types are
// those of the account whose names begin with the word.
func (s *sentence) priceList() *Reading {
	t, w := s.first(priceType), s.first(wish)
	priced := w != nil && w.id == "price"
	if t == nil || !priced && !s.has(prices) {
		return nil
	}
	if priced {
		w.used = true
	}
	s.use(prices, asking, goods, joining)
	q := &analysis.Query{Measures: []string{"sale_price"}, By: []string{"product", "price_type"}}
	var types []connector.Name
	for _, it := range s.items {
		if it.meaning != priceType {
			continue
		}
		found := typed.PriceTypes(s.Prices, it.id)
		it.used = len(found) > 0 || len(s.Prices) == 0
		types = append(types, found...)
	}
	if priced && s.ts[w.at].Stem == token.StemOf("розничный") && t.id != "розн" { // "розничная цена и оптовая"
		types = append(typed.PriceTypes(s.Prices, "розн"), types...)
	}
	r := &Reading{Call: Call{Query: q}, Listing: !s.has(number),
		PriceTypes: len(s.Prices) == 0, PriceType: s.raw(t.at, t.end)}
	of := analysis.Condition{Field: "price_type", Op: analysis.In}
	for _, n := range types {
		of.Values = append(of.Values, analysis.Scalar(n.ID))
	}
	if len(types) > 0 {
		q.Where = append(q.Where, of)
	}
	s.where(q)
	return r
}
