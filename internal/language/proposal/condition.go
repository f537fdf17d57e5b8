package proposal

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// comparison returns the operator before token i, and its first token.
func (s *sentence) comparison(i int) (analysis.Op, int) {
	return s.Comparison(i, s.kind == None) // "дешевле на 10 %" is a goal, once the act is known
}

// compared reports whether a number belongs to a condition.
func (s *sentence) compared(n *number) bool {
	if op, _ := s.comparison(n.at); op != "" {
		return true
	}
	if w := s.Preceding(n.at); w == "до" || w == "to" || w == "and" || w == "и" { // the second of "от 10 до 20"
		for _, first := range s.numbers {
			if b := s.Preceding(first.at); first.end == n.at-1 &&
				(b == "от" || b == "from" || b == "between" || b == "между") {
				return true
			}
		}
	}
	w := s.Preceding(n.at)
	return w == "от" || w == "from" || w == "between" || w == "между" || s.shareUpTo(n)
}

// shareUpTo reports whether a number is the most of a share that goods have: "на всё с маржой до 20 %".
func (s *sentence) shareUpTo(n *number) bool {
	if w := s.Word(n.at - 1); w != "до" && w != "to" {
		return false
	}
	j := n.at - 2
	if !request.Begins(s.Word(j), request.MarginNouns) && !request.Begins(s.Word(j), request.MarkupNouns) {
		return false
	}
	for j--; request.Begins(s.Word(j), []string{"торгов", "нынешн", "текущ"}); j-- {
		continue
	}
	return haves[s.Word(j)]
}

// haves stand before a figure that goods have.
var haves = words.Set("с со где у чья чьей которых with whose where")

// readConditions reads the conditions that requests for drafts have most: on prices, on age, and on days without sales.
// Any other is read as in a question, see readSelection.
func (s *sentence) readConditions() {
	s.dayConditions()
	if s.kind == Transfers {
		return
	}
	s.readIf()
	for _, n := range s.numbers {
		pieces := s.kind == Prices && n.unit == words.Quantity ||
			s.kind == Orders && (n.unit == words.Quantity || n.unit == words.NoUnit) && s.whoseStock(n)
		if !n.used && !n.measure && pieces && s.ofStock(n) {
			continue
		}
		if n.used || n.unit != words.Money && n.unit != words.NoUnit {
			continue
		}
		op, from := s.comparison(n.at)
		if op == "" {
			s.priceRange(n)
			continue
		}
		field, at := s.pricedBy(n, op, from)
		if field == "" {
			continue
		}
		s.take(n, at)
		s.where(field, s.unless(at, n.end, op), n.value)
	}
}

// whoseStock reports whether a number is compared with how much there is of goods: "текстиль, которого меньше 5 штук",
// "чай, которого осталось меньше 10".
func (s *sentence) whoseStock(n *number) bool {
	_, from := s.comparison(n.at)
	for j := from - 1; j >= 0 && j >= from-3; j-- {
		switch w := s.Norm(j); {
		case w == "которого" || w == "которой" || w == "которых" || w == "чего" || w == "где":
			return true
		case !request.Begins(w, []string{"остал", "есть", "лежит", "на", "склад", "у", "нас"}):
			return false
		}
	}
	return false
}

// ofStock reads a number of pieces as a condition on the stock, unless another figure is spoken of: "на то, чего
// больше 50 штук".
func (s *sentence) ofStock(n *number) bool {
	op, from := s.comparison(n.at)
	if op == "" {
		return false
	}
	for j := from - 1; j >= 0 && j >= from-4; j-- {
		if w := s.Word(j); request.Begins(w, request.FigureNouns) || request.Begins(w, request.SoldGoods) ||
			request.Begins(w, request.OrderNouns) {
			return false
		}
	}
	s.take(n, from)
	s.Around(from, n.end, "чего", "которых", "которого", "которой", "осталось", "остался",
		"осталась", "у", "где", "есть", "лежит", "лежат", "на", "то",
		"те", "только", "нас", "of",
		"which", "where", "we", "have", "there", "are", "than", "с", "with")
	s.where("stock", s.unless(from, n.end, op), n.value)
	return true
}

// readIf marks "если" before a condition on goods, which says no more than "у которых": "если наценка меньше 25 %".
func (s *sentence) readIf() {
	for i := range s.Words {
		if w := s.Norm(i); w != "если" && w != "if" {
			continue
		}
		figure, compared := false, false
		for j := i + 1; j <= i+6 && j < len(s.Words); j++ {
			w := s.Word(j)
			figure = figure || request.Begins(w, request.MarginNouns) || request.Begins(w, request.MarkupNouns) ||
				request.Begins(w, request.PriceNouns) || request.Begins(w, request.StockWords) ||
				request.Begins(w, request.OldGoods) || request.Begins(w, request.SoldGoods) ||
				request.Begins(w, []string{"остал", "хват", "left"})
			compared = compared || request.Comparatives[w] != "" && figure || w == "дороже" || w == "дешевле" ||
				w == "cheaper"
		}
		if compared && s.comparedBehind(i+1) || compared && s.comparedBehind(i+2) || compared && s.comparedBehind(i+3) {
			s.Use(i, i+1)
			for j := i + 1; j <= i+2; j++ {
				if w := s.Norm(j); w == "их" || w == "у" || w == "него" || w == "товара" || w == "the" ||
					w == "its" || w == "сейчас" {
					s.Use(j, j+1)
				}
			}
		}
	}
}

// pricedBy returns the price that a condition is on, and the first token of what says so: "дороже", "с закупочной
// ценой выше", or an amount of money without any other figure.
func (s *sentence) pricedBy(n *number, op analysis.Op, from int) (field string, at int) {
	w := s.Word(n.at - 1)
	if w == "чем" || w == "than" {
		w = s.Word(n.at - 2)
	}
	if s.kind == Orders && (op == analysis.LessEqual || op == analysis.Less) && (s.comesTo(from, n.end) ||
		s.Word(from) == "не" && (s.listed() || len(n.value) > 3 && (s.Word(from-1) == "," || s.Word(from-1) == "но"))) {
		return "", from // "чтобы не дороже 20 тысяч вышло" is a budget, and so is that of a list
	}
	if w == "дороже" || w == "дешевле" || w == "cheaper" || w == "expensive" || w == "pricier" || w == "costlier" {
		if b := s.Norm(from - 1); request.Begins(b, []string{"купл", "закупл", "закупил", "закупа", "купил", "покупа",
			"брали", "берем", "bought"}) {
			for at = from - 1; relative[s.Norm(at-1)] || s.Norm(at-1) == "мы" || s.Norm(at-1) == "за" ||
				s.Norm(at-1) == "то"; at-- {
				continue
			}
			return "purchase_price", at
		}
		if field, at = s.costBefore(from); field != "" {
			return field, at
		}
		if field = s.costBehind(n.end); field != "" {
			s.Use(n.end, n.end+2)
			return field, from
		}
		for at = from; request.Begins(s.Norm(at-1), []string{"продае", "продаю", "стоит", "стоят", "sold", "sell"}) ||
			at < from && relative[s.Norm(at-1)]; {
			at--
		}
		return "price", at
	}
	for j := from - 1; j >= 0 && j >= from-4; j-- {
		switch w := s.Norm(j); {
		case request.Begins(w, request.PriceNouns), request.Begins(w, []string{"стоимост", "сто", "cost", "pric"}):
			field, at = "price", j
			if before := s.Norm(j - 1); request.Begins(before, []string{"закупочн", "purchase", "buying"}) {
				field, at = "purchase_price", j-1
			}
			if s.kind == Prices && j == 0 {
				return "", from // "цены выше 100" changes nothing
			}
			return field, at
		case request.Begins(w, []string{"закупочн", "закупк", "закупоч"}):
			return "purchase_price", j
		case request.Begins(w, []string{"себестоимост", "себес"}):
			return "cost", j
		case request.Begins(w, request.MarginNouns), request.Begins(w, request.MarkupNouns), request.Begins(w,
			[]string{"остат", "stock", "выруч", "прибыл",
				"продаж", "revenue", "profit", "sales", "sold", "прода", "бюджет", "budget", "сумм", "заказ", "order"}):
			return "", from
		}
	}
	if w := s.Word(from - 1); s.kind == Prices && n.unit == words.NoUnit && anything[w] { // "leave anything above 3000"
		return "price", from
	}
	if n.unit != words.Money || s.kind == Orders { // "не больше 50 000 рублей" is a budget
		return "", from
	}
	return "price", from
}

// costBefore returns what we pay for goods, if words right before token from say that: "закупка дороже 500", "с
// себестоимостью дешевле 100".
func (s *sentence) costBefore(from int) (field string, at int) {
	at = from - 1
	for at >= 0 && (request.Begins(s.Norm(at), request.PriceNouns) || s.Norm(at) == "которых" ||
		s.Norm(at) == "сейчас") {
		at--
	}
	if field = costNamed(s.Norm(at)); field == "" {
		at = from
	}
	return field, at
}

// costBehind returns the same for words behind a number: "дороже 500 по закупке".
func (s *sentence) costBehind(end int) string {
	if w := s.Norm(end); w != "в" && w != "по" {
		return ""
	}
	return costNamed(s.Norm(end + 1))
}

func costNamed(w string) string {
	switch {
	case request.Begins(w, []string{"закуп"}):
		return "purchase_price"
	case request.Begins(w, []string{"себес"}):
		return "cost"
	}
	return ""
}

// comesTo reports whether words around a number speak of what an order comes to: "чтобы вышло не дороже 20 тысяч".
func (s *sentence) comesTo(from, end int) bool {
	for j := max(0, from-4); j < len(s.Words) && j <= end+1; j++ {
		if request.Begins(s.Word(j), []string{"вышл", "выход", "получил", "обошл", "уложи", "влез",
			"итог", "total", "altogether", "сумм", "всего", "весь", "общ"}) {
			return true
		}
	}
	return false
}

// listed reports whether goods are named with their quantities.
func (s *sentence) listed() bool {
	goods := slices.ContainsFunc(s.names, func(n *named) bool { return n.MayBe(connector.NameProduct) })
	return goods && slices.ContainsFunc(s.numbers, func(n *number) bool {
		op, _ := s.comparison(n.at)
		return op == "" && (n.unit == words.Quantity || n.unit == words.NoUnit)
	})
}

// anything are words for goods whose price a bare number is: "всё, что выше 3000".
var anything = words.Set("anything everything those ones items goods products stuff")

// priceRange reads "от 100 до 500 рублей" as a condition on the price, where the goal is another.
func (s *sentence) priceRange(n *number) {
	w := s.Preceding(n.at)
	if w != "от" && w != "from" && w != "between" && w != "между" || n.used || s.kind != Prices {
		return
	}
	for _, m := range s.numbers {
		if to := s.Word(m.at - 1); m.at == n.end+1 && (to == "до" || to == "to" || to == "and" || to == "и") &&
			(m.unit == words.Money || m.unit == words.NoUnit && s.Percent() >= 0) && s.rangeOfPrices(n) {
			s.draft.Where = append(s.draft.Where, analysis.Condition{Field: "price", Op: analysis.Between,
				Values: []analysis.Scalar{analysis.Scalar(n.value), analysis.Scalar(m.value)}})
			from := n.at - 1
			for request.Begins(s.Norm(from-1), besideRange) || relative[s.Norm(from-1)] {
				from--
			}
			s.Use(from, m.end)
			n.used, m.used = true, true
			return
		}
	}
}

// besideRange begin words between goods and the range of their prices.
var besideRange = []string{"стоит", "стоят", "стоимост", "цена", "ценой", "цене", "ценам", "диапазон", "priced", "cost"}

// rangeOfPrices reports whether no other figure stands before a range.
func (s *sentence) rangeOfPrices(n *number) bool {
	for j := n.at - 2; j >= 0 && j >= n.at-4; j-- {
		if w := s.Norm(j); request.Begins(w, request.MarginNouns) || request.Begins(w, request.MarkupNouns) ||
			request.Begins(w, []string{"остат", "stock"}) {
			return false
		}
	}
	return true
}

func (s *sentence) where(field string, op analysis.Op, value string) {
	s.draft.Where = append(s.draft.Where, analysis.Condition{Field: field, Op: op,
		Values: []analysis.Scalar{analysis.Scalar(value)}})
}

// dayConditions reads "старше 120 дней", "лежат больше 90 дней" and "не продавались 3 месяца".
func (s *sentence) dayConditions() {
	for _, n := range s.numbers {
		if n.used || n.unit != words.Days {
			continue
		}
		op, from := s.comparison(n.at)
		w := s.Word(n.at - 1)
		if w == "чем" || w == "than" {
			w = s.Word(n.at - 2)
		}
		field, at := "", from
		if w == "старше" || w == "older" {
			field = "days_in_stock"
		}
		for j := from - 1; j >= 0 && j >= from-7 && field == ""; j-- {
			switch w := s.Norm(j); {
			case request.Begins(w, request.OldGoods), w == "stock" && s.Anywhere("in"):
				field, at = "days_in_stock", j
				if before := s.Norm(j - 1); before == "in" {
					at--
				}
			case request.Begins(w, request.SoldGoods) && s.negated(j):
				field, at = "days_without_sale", s.negation(j)
			}
		}
		if field == "" {
			s.daysBehind(n, op, from)
			continue
		}
		for at > 0 && (relative[s.Norm(at-1)] ||
			request.Begins(s.Norm(at-1), request.OldGoods)) {
			at--
		}
		if field == "days_without_sale" {
			op = analysis.GreaterEqual
		} else if op == "" {
			op = analysis.GreaterEqual
		}
		s.take(n, at)
		s.Use(at, n.end)
		s.where(field, s.unless(at, n.end, op), n.value)
		for end := n.end; request.Begins(s.Norm(end), request.OldGoods) && field == "days_in_stock"; end++ {
			s.Use(end, end+1)
		}
	}
}

// unless returns the opposite of an operator where tokens [at, end) say what is left out: "кроме тех, что дешевле 200",
// "дороже 3000 не трогай".
func (s *sentence) unless(at, end int, op analysis.Op) analysis.Op {
	j := at - 1
	for ; j >= 0; j-- {
		w := s.Word(j)
		if !relative[w] && !ofException[w] {
			break
		}
	}
	switch {
	case opposites[op] == "":
	case j >= 0 && request.ExceptWords[s.Norm(j)]:
		s.Use(j, at)
		return opposites[op]
	case j > 0 && request.Touches[s.Word(j)] && (s.Norm(j-1) == "не" || s.Norm(j-1) == "not"):
		s.Use(j-1, at)
		return opposites[op]
	case s.leftAsIs(j, end):
		s.Use(max(0, j+1), at)
		return opposites[op]
	}
	return op
}

// opposites are the operators of what is left out.
var opposites = map[analysis.Op]analysis.Op{analysis.Less: analysis.GreaterEqual,
	analysis.LessEqual: analysis.Greater, analysis.Greater: analysis.LessEqual, analysis.GreaterEqual: analysis.Less}

// ofException are words between an exception and its condition.
var ofException = words.Set("тех то товары , того чего у those ones everything anything всего цена с the")

// leftAsIs reports whether words behind a condition say that what it is on does not change: "дороже 3000 не трогай",
// "leave anything above 3000 alone". j is the last token before the condition.
func (s *sentence) leftAsIs(j, end int) bool {
	k := end
	for w := s.Norm(k); w == "рублей" || w == "руб" || w == "₽" || w == "," || w == "-" || w == "—"; w = s.Norm(k) {
		k++
	}
	leave := func(w string) bool {
		return request.Begins(w, []string{"оставь", "оставля", "оставит", "leave", "keep"})
	}
	switch w := s.Norm(k); {
	case (w == "не" || w == "not") && request.Touches[s.Norm(k+1)]:
		s.Use(end, k+2)
		return true
	case leave(w) || j >= 0 && leave(s.Norm(j)) && asIs[w]:
		if !leave(w) {
			s.Use(j, j+1)
		}
		s.Use(end, k+1)
		for k++; asIs[s.Norm(k)]; k++ {
			s.Use(k, k+1)
		}
		return true
	}
	return false
}

// asIs are words for things that do not change.
var asIs = words.Set("как есть были было прежними без изменений в покое alone unchanged as is they it are untouched")

// readInStock reads "в наличии" and "in stock" as stock that is there.
func (s *sentence) readInStock() {
	for i := range s.Words {
		for _, p := range []string{"есть в наличии", "в наличии", "на остатке", "in stock", "on hand"} {
			end := s.PhraseAt(i, p)
			if end == 0 || request.Comparatives[s.Word(end)] != "" || s.Words[max(0, i-1)].Kind == token.Number ||
				s.Word(i-1) == "нет" ||
				s.Word(i-1) == "не" || s.Word(i-1) == "not" || s.compares(i) {
				continue
			}
			s.inStock = true
			s.where("stock", analysis.Greater, "0")
			s.Use(i, end)
			break
		}
	}
}

// compares reports whether a number with a comparison stands before a token: "more than 10 in stock".
func (s *sentence) compares(i int) bool {
	for _, n := range s.numbers {
		if n.end == i {
			return true
		}
	}
	return false
}

// readSlow asks how many days make goods slow, unless a number of days says so.
func (s *sentence) readSlow() {
	i := s.Find(request.SlowGoods)
	if i < 0 || s.kind == Transfers {
		return
	}
	end := i + 1
	for end < len(s.Words) && request.Begins(s.Norm(end), []string{"товар", "позици", "остатк", "mover", "moving",
		"selling",
		"stock",
		"item", "goods", "product", "sellers"}) {
		end++
	}
	s.Use(i, end)
	s.Around(i, end, "самые", "самых", "самым", "весь", "the", "most")
	if s.slowest(i) {
		return
	}
	for _, n := range s.numbers {
		if !n.used && n.unit == words.Days && n.whole() > 0 {
			s.where("days_without_sale", analysis.GreaterEqual, n.value)
			from := n.at
			for w := s.Norm(from - 1); w == "за" || w == "for" || w == "over" || w == "more" || w == "than" ||
				w == "больше" ||
				w == "более" || w == "last"; w = s.Norm(from - 1) {
				from--
			}
			s.take(n, from)
			return
		}
	}
	for _, w := range s.draft.Where {
		if w.Field == "days_in_stock" || w.Field == "days_without_sale" {
			return
		}
	}
	s.slow = true
	s.later = append(s.later, func() {
		var options []Option
		for _, days := range []string{"30", "60", "90", "180"} {
			d := s.draft.Clone()
			d.Everything = false
			d.Where = append(d.Where, analysis.Condition{Field: "days_without_sale", Op: analysis.GreaterEqual,
				Values: []analysis.Scalar{analysis.Scalar(days)}})
			if s.kind != Prices {
				d.RowsOf, d.Where = &RowsOf{Query: query(d.Where)}, nil
			}
			options = append(options, s.option(d))
		}
		s.ask("Какие товары считать залежавшимися: сколько дней без продаж?",
			"Which goods count as slow: without a sale for how many days?", options...)
	})
}

// slowest reads "пять самых залежавшихся": those that lie longest.
func (s *sentence) slowest(i int) bool {
	for _, n := range s.numbers {
		between := n.end
		for w := s.Word(between); w == "самых" || w == "самые" || w == "most" || w == "the"; w = s.Word(between) {
			between++
		}
		if n.used || n.unit != words.NoUnit || between != i || n.whole() == 0 || s.draft.RowsOf != nil {
			continue
		}
		s.take(n, n.at)
		s.draft.RowsOf = &RowsOf{Query: &analysis.Query{Measures: []string{"days_in_stock"}, By: []string{"product"},
			Order: []analysis.Order{{Field: "days_in_stock", Direction: analysis.Descending}}, Limit: n.whole()}}
		return true
	}
	return false
}

// relative are words before what goods do.
var relative = words.Set(`
	который которые которых которая которое которым что that which have has had been were was is are not
	товары товар товаров goods items products stock inventory уже still`)

// daysBehind reads a duration whose verb follows: "больше 90 дней лежат", "3 месяца не продавались", "120 days old".
func (s *sentence) daysBehind(n *number, op analysis.Op, from int) {
	for j := n.end; j < len(s.Words) && j <= n.end+3; j++ {
		field := ""
		switch w := s.Norm(j); {
		case request.Begins(w, request.OldGoods), w == "old":
			field = "days_in_stock"
		case request.Begins(w, request.SoldGoods) && s.negated(j):
			field, op = "days_without_sale", analysis.GreaterEqual
		default:
			continue
		}
		if op == "" {
			op = analysis.GreaterEqual
		}
		s.where(field, op, n.value)
		s.take(n, from)
		s.Use(from, j+1)
		for k := j + 1; k <= j+3; k++ {
			if w := s.Norm(k); w == "на" && request.Begins(s.Norm(k+1), []string{"склад", "stock"}) {
				s.Use(k, k+2)
			}
		}
		return
	}
}

// negated reports whether a word of sales is denied: "не продавались", "без продаж", "unsold".
func (s *sentence) negated(j int) bool {
	return s.negation(j) < j || request.Begins(s.Word(j), []string{"unsold", "непрод", "нераспрод"})
}

func (s *sentence) negation(j int) int {
	for i := j - 1; i >= 0 && i >= j-3; i-- {
		switch s.Word(i) {
		case "не", "без", "not", "no", "without", "never", "нет":
			return i
		}
	}
	return j
}

func itoa(n int) string { return strconv.Itoa(n) }
