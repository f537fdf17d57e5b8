package intent

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// nounAct reads a request without a Verb: "скидка 20 % на посуду", "цены на посуду +5 %", "20% off tea".
func (s *Request) nounAct() (Act, bool) {
	if s.budgeted() {
		return Act{Kind: draft.Orders}, true
	}
	if s.Asks(len(s.Words)) {
		return Act{}, false
	}
	p := s.Percent()
	signed := p > 0 && signs[s.Word(p-1)]
	if s.signedSum() || p >= 0 && (s.Find(request.PriceNouns) >= 0 || len(s.Names) > 0) &&
		s.Find(request.FigureNouns) < 0 && s.directed(p) {
		return Act{Kind: draft.Prices, Verb: Change}, true
	}
	if at := s.comparedBy(p); at >= 0 && len(s.Names) > 0 && s.Find(request.FigureNouns) < 0 &&
		!strings.Contains(s.Task, "?") {
		verb := Lower
		if dearer[s.Word(at)] {
			verb = Raise
		}
		s.Use(at, at+1)
		return Act{Kind: draft.Prices, Verb: verb}, true
	}
	goods := len(s.Names) > 0 || s.Find(request.PriceNouns) >= 0 || s.Find(everything) >= 0 || s.picksGoods()
	switch {
	case signed && goods && !s.conditional(p-1) && !s.figure(),
		s.Find(request.FigureNouns) < 0 && s.signedNumber():
		return Act{Kind: draft.Prices, Verb: Change}, true
	case p >= 0 && s.OpensWith(raisings) && s.Find(request.FigureNouns) < 0 && !s.conditional(p):
		s.Use(s.Find(raisings), s.Find(raisings)+1)
		return Act{Kind: draft.Prices, Verb: Raise}, true
	case p >= 0 && s.OpensWith(lowerings) && s.Find(request.FigureNouns) < 0 && !s.conditional(p):
		s.Use(s.Find(lowerings), s.Find(lowerings)+1)
		return Act{Kind: draft.Prices, Verb: Lower}, true
	case s.FromTo() && (s.moveable() || s.Lacking() && s.Find(request.FigureNouns) < 0 &&
		!strings.Contains(s.Task, "?")) && !s.past():
		return Act{Kind: draft.Transfers}, true
	case s.shareGoal(), s.wishesShare(p):
		return Act{Kind: draft.Prices, Verb: Set}, true
	case s.ordersByNoun() && !s.past():
		return Act{Kind: draft.Orders}, true
	case s.rounding(), s.OpensWith([]string{"округлен", "rounding"}) && (s.Find(request.PriceNouns) >= 0 ||
		len(s.Names) > 0) && s.Counts():
		return Act{Kind: draft.Prices, Verb: Round}, true
	case p >= 0 && s.Anywhere("off"),
		p >= 0 && s.OpensWith(request.DiscountNouns) && !s.conditional(p):
		return Act{Kind: draft.Prices, Verb: Lower}, true
	case (s.Word(0) == "перемещение" || s.Word(0) == "transfer") && s.FromTo() && !s.past():
		return Act{Kind: draft.Transfers, End: 1}, true
	case request.Begins(s.Word(0), request.TransferNouns) && s.dashed():
		return Act{Kind: draft.Transfers, End: 1}, true
	case p >= 0 && s.Word(0) == "на" && s.Find(request.DiscountNouns) >= 0 && s.Find(request.FigureNouns) < 0 &&
		!s.conditional(p):
		return Act{Kind: draft.Prices, Verb: Lower}, true
	case s.bareDiscount() && !s.past():
		return Act{Kind: draft.Prices, Verb: Lower}, true
	case s.pricesListed():
		return Act{Kind: draft.Prices, Verb: Set}, true
	case s.statesPrice(), s.priceBehind():
		return Act{Kind: draft.Prices, Verb: Set}, true
	case s.minimum() && s.ordersMinimum(), s.opensWithMinimum() && s.statesMinimum(),
		s.minimumOfGoods(), s.minimumBySales():
		return Act{Kind: draft.Minimums}, true
	case s.goodsListed():
		return Act{Kind: draft.Orders, Needed: !s.namesSupplier()}, true
	case s.Kind != draft.None && s.orders():
		a := Act{Kind: s.Kind}
		if s.Kind == draft.Prices && s.Find(request.DiscountNouns) >= 0 {
			a.Verb = Lower
		}
		return a, true
	}
	return Act{}, false
}

// bareDiscount reports whether a discount has its percentage as a bare number, right behind it or at the end of the
// request: "на них скидку 10", "скидку 15 на чай".
func (s *Request) bareDiscount() bool {
	at := slices.IndexFunc(s.Words, func(t token.Token) bool { return t.Use == token.Unused && oneDiscount[t.Norm] })
	if at < 0 || s.Find(request.FigureNouns) >= 0 && !request.Begins(s.Norm(s.Find(request.FigureNouns)),
		request.DiscountNouns) {
		return false
	}
	number := func(i int) bool {
		return i < len(s.Words) && s.Words[i].Kind == token.Number && s.Words[i].Use == token.Unused
	}
	n := at + 1
	for n < len(s.Words) && !number(n) {
		if t := &s.Words[n]; t.Use != token.AsName && !request.Pronouns[t.Norm] && !ofGoods[t.Norm] {
			return false
		}
		n++
	}
	if n == len(s.Words) {
		return false
	}
	u, ok := words.UnitOf(s.Word(n + 1))
	return !ok || u.Kind == words.NoUnit || u.Kind == words.Money
}

// ofGoods stand between a discount and its figure.
var ofGoods = words.Set("на все всё всех весь всю в им")

var oneDiscount = words.Set("скидку скидка")

// figure reports whether a figure of a question is named; "in stock" is none.
func (s *Request) figure() bool {
	for i := range s.Words {
		if s.Words[i].Use == token.Unused && s.Words[i].Kind == token.Word && s.Word(i-1) != "in" &&
			s.Word(i-1) != "без" && s.Word(i-1) != "without" &&
			request.Begins(s.Word(i), request.FigureNouns) {
			return true
		}
	}
	return false
}

// picksGoods reports whether words say which goods are meant without a name: "неликвид −15 %", "дороже 1000".
func (s *Request) picksGoods() bool {
	for i := range s.Words {
		w := s.Norm(i)
		if request.Begins(w, request.SoldGoods) && (s.Word(i-1) == "не" || s.Word(i-1) == "без") ||
			request.Begins(w, request.SlowGoods) || request.Begins(w, request.OldGoods) ||
			request.Begins(w, goodsNouns) || request.Comparatives[w] != "" {
			return true
		}
	}
	return false
}

// goodsNouns begin words for goods.
var goodsNouns = []string{"товар", "позици", "непрод", "unsold", "goods", "item", "product", "stuff"}

var (
	raisings   = request.PhrasesOf("noun", "raising")
	lowerings  = request.PhrasesOf("noun", "lowering")
	signs      = words.Set("+ - – − — плюс минус plus minus")
	everything = []string{"все", "всё", "all", "everything"}
)

// pricesListed reports whether each good that is named has a price behind it, and nothing else is said: "молотый по
// 640, а в зёрнах по 290".
func (s *Request) pricesListed() bool {
	if strings.Contains(s.Task, "?") || s.Find(request.FigureNouns) >= 0 || s.Find(request.OrderNouns) >= 0 {
		return false
	}
	goods, prices, money := 0, 0, request.Begins(s.Word(0), request.PriceNouns)
	for i := range s.Names {
		if s.Names[i].MayBe(connector.NameProduct) {
			goods++
		}
	}
	for i := range s.Words {
		if s.Words[i].Use != token.Unused || s.Words[i].Kind != token.Number {
			continue
		}
		u, ok := words.UnitOf(s.Word(i + 1))
		money = money || u.Kind == words.Money || s.Word(i+1) == "₽"
		if op, _ := s.Comparison(i, true); op != "" || s.Word(i-1) != "по" && !money || ok && u.Kind != words.Money ||
			s.Word(i+1) == "%" || priceAsked[s.Word(i-1)] {
			return false
		}
		prices++
	}
	return goods > 0 && goods == len(s.Names) && prices == goods && (!money || s.onlyPrices())
}

var priceAsked = words.Set("до от за на дороже дешевле больше меньше выше ниже")

var besidePrices = words.Set("и а по на теперь and")

// withinName reports whether a token stands between the words of a name, as "в" of "кофе в зёрнах" does.
func (s *Request) withinName(i int) bool {
	return slices.ContainsFunc(s.Names, func(n request.Name) bool { return n.At[0] < i && i < n.At[len(n.At)-1] })
}

// onlyPrices reports whether a request is nothing but goods and figures: "кружка эмаль 590 р, кружка стекло 450".
func (s *Request) onlyPrices() bool {
	for i := range s.Words {
		t := &s.Words[i]
		if t.Use != token.Unused || t.Kind != token.Word || s.withinName(i) {
			continue
		}
		u, ok := words.UnitOf(t.Norm)
		if !(ok && u.Kind == words.Money) && !request.Begins(t.Norm, request.PriceNouns) && !besidePrices[t.Norm] &&
			!request.PriceType(t.Norm) {
			return false
		}
	}
	return true
}

// directed reports whether a word beside a percentage says which way prices go: "вверх на 4 процента".
func (s *Request) directed(p int) bool {
	for i := max(0, p-2); i <= p+3; i++ {
		switch s.Norm(i) {
		case "вверх", "вниз", "наверх", "up", "down":
			return true
		}
	}
	return false
}

// signedSum reports whether an amount with a sign says how prices change: "цену на весь кофе +50 рублей".
func (s *Request) signedSum() bool {
	priced := s.Find(request.PriceNouns) >= 0
	if len(s.Names) == 0 && s.Find(everything) < 0 && !s.picksGoods() || s.figure() {
		return false
	}
	for i := 1; i < len(s.Words); i++ {
		if s.Words[i].Kind != token.Number || s.Words[i].Use != token.Unused || !signs[s.Norm(i-1)] ||
			s.conditional(i-1) {
			continue
		}
		u, ok := words.UnitOf(s.Word(i + 1))
		money, sign := u.Kind == words.Money || s.Word(i+1) == "₽", s.Norm(i-1)
		dash := sign == "-" || sign == "–" || sign == "—" || sign == "−"
		if money && (!dash || s.Words[i].Glued) && (priced || i == 1) || priced && !ok && !dash && s.Word(i+1) != "%" {
			return true
		}
	}
	return false
}

// priceBehind reports whether a task is nothing but the price of one good with its figure at the end: "цена кружки
// 399".
func (s *Request) priceBehind() bool {
	n := len(s.Words)
	first := 0
	if request.Begins(s.Word(0), []string{"нов"}) || s.Word(0) == "new" {
		first++
	}
	if len(s.Names) != 1 || !s.namesProducts() || strings.Contains(s.Task, "?") ||
		!request.Begins(s.Word(first), request.PriceNouns) {
		return false
	}
	if u, ok := words.UnitOf(s.Word(n - 1)); ok && u.Kind == words.Money {
		n--
	}
	if s.Words[n-1].Kind != token.Number || s.Words[n-1].Use != token.Unused {
		return false
	}
	for i := first + 1; i < n-1; i++ {
		if t := &s.Words[i]; t.Use == token.Unused && t.Kind == token.Word && t.Norm != "на" && t.Norm != "для" &&
			t.Norm != "у" && t.Norm != "of" && t.Norm != "for" && t.Norm != "the" {
			return false
		}
	}
	return true
}

// budgeted reads "бюджет 30 000, что заказать": an order for that money.
func (s *Request) budgeted() bool {
	i := s.Find([]string{"бюджет", "budget"})
	if i < 0 || s.Find(request.FigureNouns) >= 0 || i+1 >= len(s.Words) || !slices.ContainsFunc(s.Words[i+1:min(i+4,
		len(s.Words))], func(t token.Token) bool { return t.Kind == token.Number && t.Use == token.Unused }) {
		return false
	}
	bought := false
	for j := range s.Words {
		if w := s.Norm(j); request.Buys[w] || w == "взять" || w == "брать" {
			s.Use(j, j+1)
			bought = true
			for k := j - 1; k >= 0 && request.Asking[s.Norm(k)]; k-- {
				s.Use(k, k+1)
			}
		}
	}
	return bought
}

// goodsListed reports whether a message is nothing but goods with their quantities, as people paste a list: "Соль 500 г
// - 24 шт; рис 5 кг - 12". One good needs a unit: "соль экстра 500 г 24 шт".
func (s *Request) goodsListed() bool {
	if strings.Contains(s.Task, "?") || len(s.Names) == 0 {
		return false
	}
	goods, from := 0, false
	for i := range s.Names {
		n := &s.Names[i]
		switch w := s.Preceding(n.At[0]); {
		case n.MayBe(connector.NameProduct):
			goods++
		case (n.MayBe(connector.NameSupplier) || n.MayBe(connector.NameCounterparty)) &&
			(w == "у" || w == "от" || w == "from"):
			from = true
		default:
			return false
		}
	}
	numbers, units := 0, 0
	for i := range s.Words {
		t := &s.Words[i]
		if t.Use != token.Unused || t.Kind == token.Mark || s.withinName(i) {
			continue
		}
		u, ok := words.UnitOf(t.Norm)
		switch {
		case t.Kind == token.Number || request.Numeral(t.Norm) > 0:
			numbers++
		case ok && u.Kind == words.Quantity:
			units++
		case t.Norm == "по" || t.Norm == "и" || t.Norm == "and" || t.Norm == "x" || t.Norm == "х" ||
			request.Each[t.Norm]:
		case from && (besideSupplier[t.Norm] || words.IsLegalForm(t.Norm) || quantity.IsCalendarWord(t.Norm) ||
			request.Begins(t.Norm, []string{"пачек", "пачк", "короб", "мешк", "мешок", "ящик", "упаков"})):
		default:
			return false
		}
	}
	return numbers == goods && goods > 0 && (goods > 1 || units > 0 || from)
}

// besideSupplier are words around a supplier of a list, and around the day of delivery.
var besideSupplier = words.Set("у от from к ко до на возьми возьмем взять бери берем нужно надо нужен нужны пожалуйста " +
	"плиз еще также by please")

// dashed reports whether two warehouses are named with a dash or an arrow between them: "основной - мира".
func (s *Request) dashed() bool {
	return slices.ContainsFunc(s.Names, func(n request.Name) bool { return s.dashedBehind(&n) })
}

// dashedBehind reports whether a dash or an arrow stands between a warehouse and another one.
func (s *Request) dashedBehind(n *request.Name) bool {
	last := n.At[len(n.At)-1]
	if _, kind := request.Kinds[s.Word(last+1)]; kind {
		last++
	}
	if w := s.Word(last + 1); !n.MayBe(connector.NameStore) || w != "-" && w != "–" && w != "—" && w != "→" &&
		w != ">" && w != "->" {
		return false
	}
	return slices.ContainsFunc(s.Names, func(o request.Name) bool {
		return o.MayBe(connector.NameStore) && o.At[0] > last+1 && o.At[0] <= last+4
	})
}

// statesPrice reports whether a task says what goods cost from now on: "цена чая теперь 1150". A question does not.
func (s *Request) statesPrice() bool {
	if !s.namesProducts() || strings.Contains(s.Task, "?") || s.Find(request.FigureNouns) >= 0 {
		return false
	}
	for i := range s.Words {
		if !stated[s.Norm(i)] || i+1 >= len(s.Words) || s.Words[i+1].Kind != token.Number {
			continue
		}
		u, ok := words.UnitOf(s.Word(i + 2))
		if ok && u.Kind != words.Money && !u.Scale || s.Word(i+2) == "%" {
			continue
		}
		if request.Begins(s.Word(0), request.PriceNouns) || s.Norm(i) != "=" && ok {
			s.Use(i, i+1)
			return true
		}
	}
	return false
}

// stated are words between goods and the price that they have from now on.
var stated = words.Set("теперь будет = станет стала now is")

// opensWithMinimum reports whether a word for minimum stocks is among the first.
func (s *Request) opensWithMinimum() bool {
	return s.OpensWith(request.MinimumNouns) || s.shortMinimum() == 0
}

// statesMinimum reports whether a number or days follow the goods of a minimum: "минимум для посуды 10".
func (s *Request) statesMinimum() bool {
	if len(s.Names) == 0 && s.Find(everything) < 0 || s.Find(request.PriceNouns) >= 0 ||
		s.Find([]string{"продаж", "выруч", "прибыл", "заказ", "sales", "revenue", "profit", "order"}) >= 0 &&
			s.Find([]string{"дн", "недел", "месяц", "day", "week", "month"}) < 0 {
		return false
	}
	for i := range s.Words {
		t := &s.Words[i]
		op, _ := s.Comparison(i, true)
		if (op == "" || request.Begins(s.Word(i-1), request.MinimumNouns)) && t.Use == token.Unused &&
			(t.Kind == token.Number ||
				request.Numeral(t.Norm) > 0) {
			return true
		}
	}
	return false
}

// minimumOfGoods reports whether goods are named and a minimum with its figure behind it: "дрель мин остаток 4", "на
// сахар минималку 12".
func (s *Request) minimumOfGoods() bool {
	if len(s.Names) == 0 || strings.Contains(s.Task, "?") || s.Find(request.PriceNouns) >= 0 {
		return false
	}
	i := s.shortMinimum()
	if i < 0 {
		i = s.Find(request.MinimumNouns)
	}
	if i < 0 || !s.minimum() && !bareMinimum[s.Word(i)] || beforeCondition[s.Word(i-1)] ||
		request.Comparatives[s.Word(i-1)] != "" {
		return false
	}
	j := i + 1
	for w := s.Norm(j); aroundMinimum[w] || request.Begins(w, stockNouns); w = s.Norm(j) {
		j++
	}
	if j >= len(s.Words) || s.Words[j].Use != token.Unused || s.Words[j].Kind != token.Number &&
		request.Numeral(s.Words[j].Norm) == 0 {
		return false
	}
	u, _ := words.UnitOf(s.Word(j + 1))
	return s.Word(j+1) != "%" && u.Kind != words.Percent && u.Kind != words.Money && u.Kind != words.Days
}

// bareMinimum are words for a minimum that say so with a number behind them, where nothing is ordered.
var bareMinimum = words.Set("минимум minimum мин min")

// minimumBySales reports whether minimums by sales are ordered: "мин остаток по продажам за 2 месяца на всё".
func (s *Request) minimumBySales() bool {
	opens := s.OpensWith(request.MinimumNouns) || s.shortMinimum() == 0
	return opens && s.minimum() && !strings.Contains(s.Task, "?") && (len(s.Names) > 0 || s.Find(everything) >= 0) &&
		(s.Near([]string{"по"}, "продаж") || s.Near([]string{"by"}, "sales"))
}

var (
	stockNouns      = []string{"остат", "запас", "кол", "уров", "stock", "level", "qty"}
	beforeCondition = words.Set("с со где у без чей чьи with where whose")
	aroundMinimum   = words.Set(". : = - – — на по до в to of is пусть будет должен быть поставь сделай")
)

// moveable reports whether quantities of goods are named and no figure: "по 3 штуки сковородки на витрину с
// основного".
func (s *Request) moveable() bool {
	if s.Find(request.FigureNouns) >= 0 || s.Find(request.PriceNouns) >= 0 || !s.namesProducts() {
		return false
	}
	numbers, goods := 0, 0
	for i := range s.Words {
		if s.Words[i].Use != token.Unused || s.Words[i].Kind != token.Number && request.Numeral(s.Words[i].Norm) == 0 {
			continue
		}
		switch u, ok := words.UnitOf(s.Word(i + 1)); {
		case u.Kind == words.Quantity:
			return true
		case !ok && s.Word(i+1) != "%" && words.TimeUnitOf(s.Word(i+1)) == words.NoTime:
			numbers++
		}
	}
	for i := range s.Names {
		if s.Names[i].MayBe(connector.NameProduct) {
			goods++
		}
	}
	return numbers > 0 && numbers == goods // a list
}

// signedNumber reads "минус 10 на посуду": a number with a sign before goods.
func (s *Request) signedNumber() bool {
	if len(s.Names) == 0 || s.Names[0].At[0] < 2 || s.Words[1].Kind != token.Number || !signs[s.Norm(0)] {
		return false
	}
	w := s.Preceding(s.Names[0].At[0])
	_, kind := request.Kinds[w]
	return w == "на" || w == "к" || kind || request.EverythingWords[w]
}

// shareGoal reports whether a markup or a margin is ordered without a Verb: "на сладости наценка 50".
func (s *Request) shareGoal() bool {
	aimed := len(s.Words) <= shortGoal && (s.Anywhere("чтоб") || s.Anywhere("чтобы"))
	if len(s.Names) == 0 && s.Find(everything) < 0 && !aimed {
		return false
	}
	for i := range s.Words {
		switch s.Norm(i) {
		case "наценка", "наценку", "накрутка", "надбавка", "маржа", "маржу", "markup", "margin":
		default:
			continue
		}
		if w := s.Word(i - 1); w == "с" || w == "with" || w == "где" || w == "the" || w == "a" || w == "of" {
			continue
		}
		j := i + 1
		for request.Small[s.Norm(j)] || j < len(s.Words) && s.Words[j].Use == token.AsName || IsToBe[s.Norm(j)] {
			j++
		}
		if j < len(s.Words) && s.Words[j].Use == token.Unused && (s.Words[j].Kind == token.Number ||
			request.Numeral(s.Words[j].Norm) > 0) {
			return true
		}
	}
	return false
}

// wishesShare reports whether a markup or a margin is wished for: "I want a 35% markup for tea".
func (s *Request) wishesShare(p int) bool {
	wished := s.Wishes() || s.Anywhere("want") || s.Anywhere("need") || s.Anywhere("хочу")
	return wished && p >= 0 && !s.conditional(p) && (len(s.Names) > 0 || s.Find(everything) >= 0) && !s.figure() &&
		(s.Find(request.MarkupNouns) >= 0 || s.Find(request.MarginNouns) >= 0)
}

// shortGoal is the most words of "маржа чтоб не ниже 30", which names no goods.
const shortGoal = 8

// IsToBe are words between a share and what it is to be: "наценка на чай должна быть не меньше 45".
var IsToBe = words.Set("должна быть была стала будет чтоб чтобы пусть для по не меньше ниже минимум хотя бы must should be at least")

// ordersByNoun reads "заказ у Петровой", "заявка поставщику", "закупка чая на 50 тысяч".
func (s *Request) ordersByNoun() bool {
	at := -1
	for i := 0; i < len(s.Words) && i < 4 && at < 0; i++ {
		switch s.Norm(i) {
		case "заказ", "заявка", "заявку", "дозаказ", "закупка", "закупку", "предзаказ", "заявочка":
			at = i
		case "заявки", "заказы", "orders":
			if !s.Lacking() || strings.Contains(s.Task, "?") {
				return false
			}
			at = i
		default:
			if s.Words[i].Kind == token.Word && s.Words[i].Use == token.Unused && !request.Fillers[s.Words[i].Norm] &&
				s.Norm(i) != "на" {
				return false
			}
		}
	}
	if at < 0 || s.Find(request.CustomerNouns) >= 0 || s.Find(request.FigureNouns) >= 0 {
		return false
	}
	next := s.Word(at + 1)
	quantity := false
	for i := at + 1; i < len(s.Words); i++ {
		if u, _ := words.UnitOf(s.Word(i + 1)); (s.Words[i].Kind == token.Number ||
			request.Numeral(s.Words[i].Norm) > 0) && (u.Kind == words.Money || u.Kind == words.Quantity ||
			u.Kind == words.Days && s.Find(request.SupplierNouns) >= 0 || u.Scale) {
			quantity = true
		}
	}
	if next == "у" || request.Begins(next, request.SupplierNouns) || quantity && len(s.Names) > 0 &&
		!strings.HasPrefix(next, "0") ||
		next == "на" && s.Find(everything) >= 0 && !strings.Contains(s.Task, "?") ||
		quantity && s.Find(request.SupplierNouns) >= 0 || s.Lacking() || s.namesSupplier() {
		s.Use(at, at+1)
		return true
	}
	return false
}

// rounding reads "все цены до десятков", "цены на посуду без копеек".
func (s *Request) rounding() bool {
	if s.Find(request.PriceNouns) < 0 {
		return false
	}
	for i := range s.Words {
		for _, p := range request.Roundings {
			if request.RoundOf[p].To == "1" && strings.Contains(p, "копе") && s.PhraseAt(i, p) > 0 {
				return len(s.Names) > 0 || s.Find(everything) >= 0
			}
		}
	}
	return false
}

func (s *Request) conditional(i int) bool { return i > 0 && request.Comparatives[s.Word(i-1)] != "" }
