package proposal

import (
	"cmp"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readMoney reads how much may be spent, and how much an order must come to.
func (s *sentence) readMoney() {
	for _, n := range s.numbers {
		big := n.unit == words.NoUnit && len(n.value) > 3 && decimal.MustParse(n.value).Cmp(decimal.FromInt(1000)) >= 0
		if n.used || n.unit != words.Money && !big {
			continue
		}
		op, from := s.comparison(n.at)
		before := s.Preceding(n.at)
		least := s.SaidBefore(n.at, "минимальн", "минимум", "мин", "minimum", "min", "least") ||
			op == analysis.GreaterEqual
		switch {
		case before == "по" && n.unit == words.Money || before == "at" && !s.SaidBefore(n.at, "cap", "max",
			"limit") || before == "за" && s.SaidBehind(n.end, "шт",
			"кажд"):
			continue // the price of an item
		case least && s.draft.MinOrder == "":
			s.draft.MinOrder = n.value
			s.take(n, min(from, s.preposition(n.at)))
			s.Around(min(from, s.preposition(n.at)), n.end, "минимальный", "минимальная", "минимальной", "минимальным",
				"минимальную", "минимум", "мин", "заказ", "заказа", "заказом", "сумма", "суммой", "сумму", "на", "от",
				"с", "и",
				"minimum", "min", "order", "of", "at", "least", "a", "with", "is", "the", "worth", "value",
				"поставщику",
				"у", "поставщика", "per", "supplier")
		case s.draft.Budget == "" && (op == analysis.Less || op == analysis.LessEqual || before == "на" ||
			before == "до" ||
			before == "to" || before == "for" || before == "worth" || before == "within" || before == "of" ||
			s.SaidBefore(n.at, "бюджет", "budget", "максимум", "лимит", "есть", "сумм", "spend", "limit",
				"уклад", "уложи", "впис", "влез", "потолок", "рамк", "предел", "cap", "max")):
			s.draft.Budget = n.value
			at := min(from, s.preposition(n.at))
			s.take(n, at)
			s.Around(at, n.end, "бюджет", "бюджете", "бюджетом", "на", "в", "сумму", "сумма", "общую", "суммой",
				"максимум",
				"макс", "лимит", "с", "у", "меня", "есть", "до", "budget", "of", "a", "the", "with", "up", "to", "is",
				"spend", "limit",
				"for", "worth", "within", "my", "max", "all", "тратить", "потратить", "—", "-", ":", "общей", "сумме",
				"но", "чтобы", "чтоб", "вышло", "выходило", "получилось", "обошлось", "уложись", "уложиться", "итого",
				"всего", "заказ", "но", "по", "деньгам", "but", "total", "altogether", "not", "spending", "уложимся",
				"укладывайся", "впиши", "впишись", "потолок", "рамках", "пределах", "cap", "it", "at", "max", "maximum",
				"capped", "them", "keep", "under", "общая", "общей", "совокупности", "сумме", "потрать")
			if s.eachSupplier() {
				s.ask("Бюджет я считаю на все заказы вместе. Разделить его по поставщикам?"+
					" Тогда попросите заказ каждому поставщику отдельно.",
					"A budget is for all orders together. For one of each supplier, ask for their orders one by one.")
			}
		}
	}
}

// bareBound marks "не больше" without a figure behind a budget: it is the budget's.
func (s *sentence) bareBound() {
	for i := range s.Words {
		if b := s.boundAt(i); s.draft.Budget != "" && b.end > 0 && !b.least &&
			(b.end >= len(s.Words) || s.Words[b.end].Kind == token.Mark) {
			s.Use(b.from, b.end)
		}
	}
}

// eachSupplier reports whether a budget is for one order of several: "по 50 тысяч каждому".
func (s *sentence) eachSupplier() bool {
	i := s.Find([]string{"кажд"})
	return s.Near([]string{"per"}, "supplier") || i >= 0 && (request.Begins(s.Word(i+1), request.SupplierNouns) ||
		s.Word(i) == "каждому" || s.Word(i) == "каждый" && request.Begins(s.Word(i+1), request.OrderNouns))
}

// pair gives each product the number beside it: all before their goods, or all after, or in pairs.
func pair(products []*named, numbers []*number) ([]*number, bool) {
	type place struct {
		at, product, number int
	}
	if len(products) == 0 || len(products) != len(numbers) {
		return nil, false
	}
	var list []place
	for i, p := range products {
		list = append(list, place{p.At[0], i, -1})
	}
	for i, n := range numbers {
		list = append(list, place{n.at, -1, i})
	}
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	out := make([]*number, len(products))
	for i := 0; i+1 < len(list); i += 2 {
		a, b := list[i], list[i+1]
		if a.product < 0 {
			a, b = b, a
		}
		if a.product < 0 || b.number < 0 {
			return nil, false
		}
		out[a.product] = numbers[b.number]
	}
	return out, true
}

// pairQuantities gives the quantities of a list to their goods: "5 ключей и 3 чашки", "чай 10 шт".
func (s *sentence) pairQuantities() {
	var products []*named
	var numbers, prices []*number
	for _, n := range s.names {
		if n.role == aProduct && !n.excluded && !n.used || n.role == noRole && n.MayBe(connector.NameProduct) {
			products = append(products, n)
		}
	}
	for _, n := range s.numbers {
		switch {
		case n.used || s.compared(n) || n.sign != "":
		case n.unit == words.Money, n.unit == words.NoUnit && s.kind == Orders && s.costsEach(n):
			prices = append(prices, n)
		case n.unit == words.NoUnit || n.unit == words.Quantity:
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 || len(products) == 0 {
		return
	}
	if i := slices.IndexFunc(numbers, func(n *number) bool { return n.measure }); i >= 0 && !s.askMeasure(numbers[i]) {
		return
	}
	pairs, ok := pair(products, numbers)
	if len(numbers) == 1 && len(products) > 1 && s.Preceding(numbers[0].at) == "по" {
		ok = true
		for range products {
			pairs = append(pairs, numbers[0])
		}
	}
	if !ok && len(s.phrases(s.left())) > 0 { // a good of the list may be unknown
		return
	}
	if !ok {
		s.ask("Какое число к какому товару? Напишите их парами: «20 шт первого и 30 шт второго».",
			"Which number belongs to which product? Write them in pairs: “20 of this and 30 of that”.")
		return
	}
	if i := slices.IndexFunc(pairs, s.upTo); i >= 0 && len(pairs) == 1 && s.kind == Orders &&
		products[0].role == aProduct && len(prices) == 0 {
		s.fillUp(products[0], pairs[0])
		return
	} else if i >= 0 {
		said := s.Text(s.preposition(pairs[i].at), pairs[i].end)
		s.later = append(s.later, func() {
			s.askf("Довести остаток «%s» я не умею, только заказать названное количество. Столько и взять?",
				"I cannot fill stock “%s”, only take the quantity that is named. Take that many?", said, s.option(s.draft))
		})
	}
	for i, p := range products {
		p.number = pairs[i]
		from := pairs[i].at
		if w := s.Norm(from - 1); w == "по" || w == "-" || w == "–" || w == "—" || w == ":" {
			from--
		}
		s.take(pairs[i], from)
	}
	if cost, ok := pair(products, prices); ok && s.kind == Orders {
		s.prices = map[*named]*number{}
		for i, p := range products {
			s.prices[p] = cost[i]
			s.take(cost[i], s.preposition(cost[i].at))
		}
	}
}

// fillUp reads how many of a good there shall be: "докупи соль до 40" orders what is missing of 40, with what is
// on the way (rule R674).
func (s *sentence) fillUp(p *named, n *number) {
	from := s.preposition(n.at)
	if s.Norm(from-1) == "up" {
		from--
	}
	s.take(n, from)
	p.number = n
	s.Around(from, n.end, "чтобы", "чтоб", "стало", "было", "всего", "остаток", "запас", "so", "that",
		"there", "are")
	s.later = append(s.later, func() {
		d := &s.draft
		if s.askVariant() {
			return
		}
		if len(d.Items) != 1 || d.Days > 0 || d.Budget != "" || d.Mode != "" {
			s.ask("До какого остатка заказать, можно назвать для одного товара, без сроков и бюджета.",
				"How many there shall be can be said for one good, without days and a budget.")
			return
		}
		q := &analysis.Query{Measures: []string{Available}, By: []string{"variant"},
			Where: among("product", []string{d.Items[0].Product})}
		if len(d.Stores) == 1 {
			d.Store, d.Stores = d.Stores[0], nil
			q.Where = append(q.Where, among("store", []string{d.Store})...)
		}
		d.RowsOf, d.Items = &RowsOf{Query: q, Quantity: n.value, Column: Available}, nil
	})
}

// Available is the figure of stock that a quantity is filled up to.
const Available = "available"

// costsEach reports whether a plain number is the price of an item: "price 2300 each", "по цене 450".
func (s *sentence) costsEach(n *number) bool {
	before, w := s.Preceding(n.at), s.Norm(n.end)
	if w == "за" && (request.Begins(s.Norm(n.end+1), []string{"шт", "един"}) ||
		request.Each[s.Norm(n.end+1)]) || w == "per" &&
		request.Begins(s.Norm(n.end+1), []string{"piece", "unit", "item"}) {
		s.Use(n.end, n.end+2)
		return true
	}
	return request.Begins(before, request.PriceNouns) || before == "at" && request.Each[s.Word(n.end)]
}

// askMeasure asks about a quantity in kilograms or boxes, which may not be the unit of the good. It reports whether the
// quantity may be that of a draft.
func (s *sentence) askMeasure(n *number) bool {
	if slices.ContainsFunc(s.left(), func(i int) bool { return i < n.at && i >= n.at-3 && s.strange(i) }) {
		return false // it is part of a name that is not known: "мука 400 г"
	}
	said := s.Text(n.at, n.end)
	if request.Begins(s.Word(n.end-1), packs) {
		s.askf("Сколько штук входит в «%s», я не знаю. Напишите количество в штуках, например: «24 шт».",
			"I do not know how many pieces are in “%s”. Write the number of pieces, for example: “24 pcs”.", said)
		return false
	}
	s.later = append(s.later, func() {
		s.askf("«%s» — это количество в единицах, в которых учитывается товар? Если он учитывается в штуках, напишите "+
			"штуки.", "Is “%s” in the unit that the product is kept in? If it is kept in pieces, write the pieces.", said,
			s.option(s.draft.Clone()))
	})
	return true
}

// packs are words for a number of pieces that is not known.
var packs = []string{"короб", "упак", "ящик", "пач", "меш", "палет", "паллет", "блок", "рулон", "box", "pack", "case",
	"crate", "bag", "pallet", "carton"}

// upTo reports whether a number is how many there should be, and not how many more: "до 40 штук", "чтобы стало 40".
func (s *sentence) upTo(n *number) bool {
	w := s.Preceding(n.at)
	return w == "до" || w == "to" && (s.Word(n.at-2) == "up" || s.kind == Orders && s.Anywhere("replenish")) ||
		request.Becomes[w] ||
		w == "всего" && s.SaidBefore(n.at, "чтоб")
}

// item returns a line of a list.
func (s *sentence) item(n *named, product string) Item {
	item := Item{Product: product}
	switch {
	case n.number == nil || n.number.value == "0": // an amount of nothing is no amount
	case s.kind == Prices:
		item.Price = n.number.value
	default:
		item.Quantity = n.number.value
	}
	if p := s.prices[n]; p != nil && p.value != "0" {
		item.Price = p.value
	}
	return item
}

// there are words behind a warehouse that has the goods: "а на основном есть".
var there = words.Set("есть лежит лежат имеется имеются полно много достаточно has have")

// dashed reports whether a name is the first of two warehouses with a dash or an arrow between: "основной - мира".
func (n *named) dashed(s *sentence) bool {
	last := n.At[len(n.At)-1]
	if _, kind := request.Kinds[s.Word(last+1)]; kind { // "основной склад - витрина"
		last++
	}
	switch s.Word(last + 1) {
	case "-", "–", "—", "→", ">", "->":
	default:
		return false
	}
	k := last + 2
	for s.Words[min(k, len(s.Words)-1)].Kind == token.Mark && k < len(s.Words) {
		k++
	}
	return slices.ContainsFunc(s.names, func(o *named) bool {
		return o.role == aStore && (o.At[0] == k || o.At[0] == k+1 && k < len(s.Words))
	})
}

// listedWith reports whether two names are joined by "and" or a comma: not those of "с основного витрине".
func (s *sentence) listedWith(a, b *named) bool {
	return s.joined(a, b) && slices.ContainsFunc(s.Words[a.At[len(a.At)-1]+1:b.At[0]], func(t token.Token) bool {
		_, kind := request.Kinds[t.Norm]
		return !kind
	})
}

// directions tells the warehouses that give goods from those that take them.
func (s *sentence) directions() {
	between := s.Anywhere("между") || s.Anywhere("between") || s.Anywhere("among")
	for i, n := range s.names {
		if n.role != aStore {
			continue
		}
		if i > 0 && s.names[i-1].role == aSource && s.listedWith(s.names[i-1], n) { // "с основного и лесной"
			n.role = aSource
			continue
		}
		if between {
			for _, m := range n.chosen {
				s.draft.FromStores = append(s.draft.FromStores, m.Name)
			}
			continue
		}
		next := n.At[len(n.At)-1] + 1
		if _, kind := request.Kinds[s.Word(next)]; kind { // "на основном складе есть"
			next++
		}
		if there[s.Norm(next)] || n.dashed(s) {
			n.role = aSource
			s.Use(next, next+1)
			continue
		}
		if s.SurplusOf(n.At[0]) {
			n.role = aSource
			continue
		}
		for j := n.At[0] - 1; j >= 0 && j >= n.At[0]-3; j-- {
			w := s.Word(j)
			if request.Leaving[w] {
				n.role = aSource
			}
			if _, kind := request.Kinds[s.Word(j-1)]; kind && (w == "на" || w == "в") { // "Склад на Лесной"
				continue
			}
			if _, kind := request.Kinds[w]; !kind && w != "the" && w != "our" && s.Words[j].Use != token.AsAccount {
				break
			}
		}
	}
	for i := range s.Words {
		if w := s.Norm(i); w == "между" || w == "between" || w == "among" {
			s.Use(i, i+1)
		}
	}
}
