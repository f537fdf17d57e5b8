package proposal

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readPlan reads what is short, for how long stock must last, and how much may be spent.
func (s *sentence) readPlan() {
	s.readDays()
	s.readShort()
	if s.kind == Minimums {
		s.ownMinimum()
	}
	s.readForecast()
	if s.kind == Orders {
		s.readMoney()
	}
}

// ownMinimum reads the minimum that a request names: "минимум 10". One that is relative to the old minimum is not
// computed, and several are several requests.
func (s *sentence) ownMinimum() {
	var own *number
	for _, n := range s.numbers {
		switch {
		case n.used || n.unit == words.Days || s.rankOf(n):
			continue
		case own != nil, n.unit == words.Percent, n.unit == words.Times, n.unit == words.Money, n.measure, n.sign != "":
			s.askMinimum(nil)
			return
		}
		own = n
	}
	if own == nil {
		return
	}
	if w := s.Word(own.at - 1); (w == "на" || w == "by") && s.changesBy() {
		s.askMinimum(own)
		return
	}
	own.used = true
	s.Use(own.at, own.end)
	s.draft.Minimum = own.value
}

// rankOf reports whether a number says how many goods of a rank are meant: "топ 10".
func (s *sentence) rankOf(n *number) bool {
	return request.Begins(s.Word(n.at-1), []string{"топ", "top", "перв", "first", "последн", "last", "bottom", "best"})
}

// changesBy reports whether a verb of the task raises or lowers.
func (s *sentence) changesBy() bool {
	for i := range s.Words {
		if w := s.Word(i); request.Raises[w] || request.Lowers[w] {
			return true
		}
	}
	return false
}

// askMinimum asks for the new minimum; n is what may be meant as such. It asks once the goods are known.
func (s *sentence) askMinimum(n *number) {
	for _, x := range s.numbers {
		if !x.used && x.unit != words.Days {
			x.used = true
			s.Use(x.at, x.end)
		}
	}
	s.later = append(s.later, func() {
		var options []Option
		if n != nil {
			d := s.draft.Clone()
			d.Minimum = n.value
			options = append(options, s.option(d))
		}
		s.ask("Какой неснижаемый остаток поставить? Напишите одно число: оно станет новым минимумом.",
			"What is the new minimum stock? Write one number.", options...)
	})
}

// readShort reads which shortages a draft is for.
func (s *sentence) readShort() {
	for i := range s.Words {
		for _, p := range request.Shortages {
			end := s.PhraseAt(i, p.Words)
			if end == 0 || s.kind == Minimums {
				continue
			}
			if p.Mode != "" {
				if s.draft.Mode != "" && s.draft.Mode != p.Mode {
					s.draft.Mode = "all"
					s.anyOrBoth(i)
				} else {
					s.draft.Mode = p.Mode
				}
			}
			if p.None {
				s.where("stock", analysis.LessEqual, "0")
			}
			s.Use(i, end)
			for j := i - 1; j >= 0 && shortFillers[s.Norm(j)]; j-- {
				s.Use(j, j+1)
			}
			for j := end; j < len(s.Words) && shortFillers[s.Norm(j)]; j++ {
				s.Use(j, j+1)
			}
			break
		}
	}
	if s.draft.Mode == "all" {
		s.draft.Mode = ""
	}
}

// anyOrBoth asks which goods are meant where a second kind of shortage is not joined to the first by "and" or "or".
func (s *sentence) anyOrBoth(second int) {
	for j := second - 1; j >= 0 && j >= second-5; j-- {
		switch s.Word(j) {
		case "и", "или", "либо", "and", "or", "плюс", "а", "также":
			return
		}
	}
	s.later = append(s.later, func() {
		var options []Option
		for _, mode := range []string{"below_minimum", "running_out", ""} {
			d := s.draft.Clone()
			d.Mode = mode
			options = append(options, s.option(d))
		}
		s.ask("Что взять: что ниже минимума, что заканчивается, или и то и другое?",
			"Which goods: those below minimum, those running out, or both?", options...)
	})
}

// shortFillers are words around what is short that say nothing more.
var shortFillers = words.Set("чего что которое которые которых там туда где that what which is are stock остаток " +
	"остатки we")

// readForecast reads that the forecast decides, and not the pace of sales.
func (s *sentence) readForecast() {
	i := s.Find([]string{"прогноз", "forecast"})
	if i < 0 || s.kind != Orders {
		return
	}
	s.draft.Forecast = true
	s.Use(i, i+1)
	for j := i - 1; j >= i-4 && j >= 0; j-- {
		switch s.Norm(j) {
		case "по", "с", "учетом", "на", "основе", "исходя", "из", "using", "by", "with", "the", "based", "on", "sales",
			"demand":
			s.Use(j, j+1)
		default:
			return
		}
	}
	for j := i + 1; j <= i+2; j++ {
		if w := s.Norm(j); request.Begins(w, []string{"продаж", "спрос", "sales", "demand"}) {
			s.Use(j, j+1)
		}
	}
}

// readDays reads durations: how long stock must last, how long a delivery takes, and the days of sales that count.
func (s *sentence) readDays() {
	for _, n := range s.numbers {
		if s.kind == Minimums && n.unit == words.NoUnit &&
			request.Begins(s.Preceding(n.at), []string{"запас", "резерв", "safety", "buffer"}) {
			n.unit = words.Days // "страховой запас 4"
		}
		if n.used || n.unit != words.Days || n.whole() == 0 {
			continue
		}
		op, from := s.comparison(n.at)
		before := s.Preceding(n.at)
		switch lead := s.SaidBefore(n.at, "срок", "поставк", "достав", "везут", "едет", "lead", "delivery", "arriv"); {
		case op == analysis.Less || op == analysis.LessEqual:
			s.draft.Days, s.draft.Mode = n.whole(), "running_out"
			s.take(n, from)
			s.Around(from, n.end, "осталось", "осталось", "хватит", "хватает", "запас", "запаса", "запасов", "чего",
				"чьих",
				"которых", "whose", "left", "cover", "stock", "of", "with", "have", "lasts", "last", "we")
		case s.SaidBefore(n.at, "конч", "законч", "out") && s.kind != Minimums && (before == "за" ||
			before == "через" ||
			before == "in" || before == "within" || request.Begins(before, []string{"ближайш"})):
			s.draft.Days, s.draft.Mode = n.whole(), "running_out"
			s.take(n, n.at)
			s.Around(n.at, n.end, "за", "через", "в", "течение", "ближайшие", "что", "все", "кончится", "закончится",
				"кончатся",
				"закончатся", "in", "within", "the", "next", "will", "run", "runs", "out", "that")
		case lead && s.kind != Transfers:
			s.draft.LeadDays = n.whole()
			s.take(n, s.preposition(n.at))
			s.Around(s.preposition(n.at), n.end, "поставщик", "поставщика", "идет", "занимает", "примерно", "у", "они",
				"приходит", "товар", "едут", "едет", "привозят", "обычно", "это", "—", "-", ":", "срок", "сроком",
				"срока", "поставки", "поставка", "доставки", "доставка", "везут",
				"с",
				"lead", "time", "delivery", "takes", "of", "is", "days", "with", "a")
		case s.kind == Minimums:
			if !s.SaidBefore(n.at, "запас", "страхов", "safety", "reserve", "buffer", "резерв") ||
				before == "на" && s.mustLast(n.at) {
				if before == "на" || before == "for" || before == "last" || before == "cover" {
					s.covers(n.whole(), s.preposition(n.at), n.end)
					s.take(n, n.at)
				}
				continue
			}
			safety := n.whole()
			s.draft.SafetyDays = &safety
			s.take(n, s.preposition(n.at))
			s.Around(n.at, n.end, "запас", "запасом", "запаса", "страховой", "страховым", "с", "и", "safety", "reserve",
				"buffer", "with", "of", "and", "a", "stock")
		case before == "на" || before == "for" || before == "last" || before == "within" || before == "another" ||
			before == "cover" ||
			s.SaidBehind(n.end, "вперед", "ahead", "cover", "запаса"):
			s.draft.Days = n.whole()
			s.take(n, s.preposition(n.at))
			s.Around(s.preposition(n.at), n.end, "чтобы", "чтоб", "хватило", "хватит", "запас", "запасом", "с",
				"нам", "вперед", "ahead", "cover",
				"of",
				"to", "last", "worth", "stock", "enough", "cover", "запаса", "торговли", "продаж", "работы")
		}
	}
	s.readSupply()
	s.readReserve()
	for i := range s.Words { // "на неделю", "for a month"
		w := s.Norm(i)
		if s.draft.Days > 0 || words.TimeUnitOf(w) == words.NoTime && w != "полгода" || len([]rune(w)) < 3 {
			continue
		}
		if before := s.Preceding(i); s.kind == Minimums && (before == "на" || before == "for") {
			s.covers(max(words.TimeUnitOf(w).Days(), 1), i-1, i+1)
		} else if before == "на" || before == "for" {
			s.draft.Days = max(words.TimeUnitOf(w).Days(), 1)
			if w == "полгода" {
				s.draft.Days = 180
			}
			from := i - 1
			if s.Norm(from) != before {
				from--
			}
			s.Use(from, i+1)
			s.Around(from, i+1, "чтобы", "чтоб", "хватило", "хватит", "запас", "запаса", "запасом", "с", "вперед",
				"нам", "торговли", "продаж", "работы", "ahead", "to", "last", "worth", "of", "stock")
		}
	}
	s.readUntil()
	s.readPace()
}

// covers sets for how many days of sales a minimum must last.
func (s *sentence) covers(days, from, end int) {
	none := 0
	s.draft.LeadDays, s.draft.SafetyDays = days, &none
	s.Use(from, end)
	s.Around(from, end, "чтобы", "чтоб", "хватало", "хватило", "хватит", "запас", "запаса", "запасом", "с", "его", "их",
		"торговли", "продаж", "работы", "нам", "to", "last", "enough", "so", "that", "it", "lasts", "cover", "covers",
		"of", "sales", "worth", "stock")
}

// readSupply reads "месячный запас" as days.
func (s *sentence) readSupply() {
	for i := range s.Words {
		for _, e := range request.Entries {
			if e.Section != "supply" || s.draft.Days > 0 {
				continue
			}
			if end := s.AnyPhrase(i, e.Phrases); end > 0 {
				s.draft.Days, _ = strconv.Atoi(e.Meaning)
				s.Use(i, end)
			}
		}
	}
}

// readReserve reads days of reserve beside the days that an order is for: "на 3 недели с запасом 5 дней" is for 26
// days.
func (s *sentence) readReserve() {
	for _, n := range s.numbers {
		if s.kind != Orders || s.draft.Days == 0 || n.used || n.unit != words.Days || n.whole() == 0 ||
			!request.Begins(s.Preceding(n.at), []string{"запас", "резерв", "safety", "reserve", "buffer"}) {
			continue
		}
		days := s.draft.Days + n.whole()
		s.take(n, n.at)
		s.Around(n.at, n.end, "запас", "запасом", "запаса", "с", "и", "плюс", "safety", "reserve", "buffer", "with",
			"of", "a")
		s.later = append(s.later, func() {
			d := s.draft.Clone()
			d.Days = days
			s.ask("Запас прибавить к сроку, то есть заказать на "+itoa(days)+" дн.?",
				"Add the reserve to the days, that is, order for "+itoa(days)+" days?", s.option(d))
		})
	}
}

// readUntil reads the day until which stock must last: "чтобы хватило до конца месяца".
func (s *sentence) readUntil() {
	if s.draft.Days > 0 || s.kind != Orders && s.kind != Transfers {
		return
	}
	ts := slices.Clone(s.Words)
	var day time.Time
	from, end := 0, 0
	for _, p := range quantity.Periods(ts, s.Today) {
		at := p.At - 1
		if p.From.IsZero() { // "до" is part of it
			at = p.At
		}
		if w := s.Word(at); (w == "до" || w == "until" || w == "till") && s.mustLast(p.At) && !p.To.IsZero() {
			day, from, end = p.To, at, p.End
			// elsewhere a date without a year is in the past
			if day.Before(s.Today) && (p.From.IsZero() || p.From.Equal(p.To)) {
				day = quantity.Shift(words.Year, day, 1)
			}
		}
	}
	for i := range s.Words {
		if w := s.Norm(i); w != "до" && w != "until" && w != "till" || !s.mustLast(i) {
			continue
		}
		k := i + 1
		for w := s.Norm(k); w == "the" || w == "of" || w == "end" || w == "конца"; w = s.Norm(k) {
			k++
		}
		if unit := words.TimeUnitOf(s.Norm(k)); unit != words.NoTime && k > i+1 {
			day, from, end = quantity.Shift(unit, quantity.Begin(unit, s.Today), 1).AddDate(0, 0, -1), i, k+1
		}
	}
	if end > 0 {
		s.lastsUntil(day, from, end)
	}
}

// ranks are beginnings of words that choose goods by a figure.
var ranks = []string{"топ", "лучш", "худш", "самы", "ходов", "популярн", "продаваем", "хит", "top", "best", "worst",
	"most"}

// readPace reads the days of sales that count: "по продажам за октябрь".
func (s *sentence) readPace() {
	ts := slices.Clone(s.Words)
	for _, p := range quantity.Periods(ts, s.Today) {
		if p.From.IsZero() || p.From.After(s.Today) || !s.SaidBefore(p.At, "продаж", "темп", "расход", "sales",
			"pace", "sold") || s.Find(ranks) >= 0 {
			continue
		}
		to := p.To
		if to.After(s.Today) {
			to = s.Today
		}
		s.draft.From, s.draft.To = p.From.Format("2006-01-02"), to.Format("2006-01-02")
		s.Use(p.At, p.End)
		s.Around(p.At, p.End, "за", "по", "продажам", "продаж", "темпу", "темпа", "исходя", "из", "на", "основе", "for",
			"the", "sales", "of", "in", "by", "based", "on", "pace", "from", "during", "over")
	}
}

// readHoliday reads the holiday by which goods are needed: "к новому году".
func (s *sentence) readHoliday() {
	if s.kind != Orders {
		return
	}
	for i := range s.Words {
		if w := s.Norm(i); w != "к" && w != "ко" && w != "до" && w != "by" && w != "before" && w != "под" {
			continue
		}
		for _, e := range request.Entries {
			if e.Section != "holiday" {
				continue
			}
			k := i + 1
			for s.Norm(k) == "the" {
				k++
			}
			end := s.AnyPhrase(k, e.Phrases)
			if end == 0 {
				continue
			}
			day, err := time.Parse("2006-01-02", s.Today.Format("2006-")+e.Meaning)
			if err != nil {
				continue
			}
			if day.Before(s.Today) {
				day = day.AddDate(1, 0, 0)
			}
			s.Use(i, end)
			if s.mustLast(i) {
				s.lastsUntil(day, i, end)
			} else {
				s.draft.Delivery = day.Format("2006-01-02")
			}
			return
		}
	}
}

// mustLast reports whether stock must last until what follows: "чтобы хватило до".
func (s *sentence) mustLast(i int) bool {
	return s.SaidBefore(i, "хват", "дотян", "дожи", "last", "enough", "запас")
}

// lastsUntil sets for how many days stock must last.
func (s *sentence) lastsUntil(day time.Time, from, end int) {
	if days := int(day.Sub(s.Today).Hours() / 24); days > 0 && days <= 365 {
		s.draft.Days = days
		s.Use(from, end)
		s.Around(from, end, "чтобы", "чтоб", "хватило", "хватит", "хватало", "нам", "дотянуть", "дожить", "запас", "с",
			"запасом", "to", "last", "enough", "so", "that", "it", "lasts", "stock")
	}
}

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
		case before == "по" && n.unit == words.Money || before == "at" || before == "за" && s.SaidBehind(n.end, "шт",
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
			s.SaidBefore(n.at, "бюджет", "budget", "максимум", "лимит", "есть", "сумм", "spend", "limit")):
			s.draft.Budget = n.value
			at := min(from, s.preposition(n.at))
			s.take(n, at)
			s.Around(at, n.end, "бюджет", "бюджете", "бюджетом", "на", "в", "сумму", "сумма", "общую", "суммой",
				"максимум",
				"лимит", "с", "у", "меня", "есть", "до", "budget", "of", "a", "the", "with", "up", "to", "is",
				"spend", "limit",
				"for", "worth", "within", "my", "max", "all", "тратить", "потратить", "—", "-", ":", "общей", "сумме")
			if s.Find([]string{"кажд"}) >= 0 || s.Near([]string{"per"}, "supplier") {
				s.ask("Бюджет я считаю на все заказы вместе. Разделить его по поставщикам?"+
					" Тогда попросите заказ каждому поставщику отдельно.",
					"A budget is for all orders together. For one of each supplier, ask for their orders one by one.")
			}
		}
	}
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
		if n.role == aProduct && !n.excluded && !n.used || n.role == noRole && slices.ContainsFunc(n.Meanings,
			isProduct) {
			products = append(products, n)
		}
	}
	for _, n := range s.numbers {
		switch {
		case n.used || s.compared(n) || n.sign != "":
		case n.unit == words.Money:
			prices = append(prices, n)
		case n.unit == words.NoUnit || n.unit == words.Quantity:
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 || len(products) == 0 {
		return
	}
	if slices.ContainsFunc(numbers, func(n *number) bool { return n.measure }) {
		s.ask("Сколько? Напишите количество в единицах, в которых учитывается товар, а не в килограммах или коробках.",
			"How many? Write the quantity in the product's own unit, not in kilograms or boxes.")
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
	if i := slices.IndexFunc(pairs, s.upTo); i >= 0 && pairs[i] != nil {
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

// upTo reports whether a number is how many there should be, and not how many more: "до 40 штук", "чтобы стало 40".
func (s *sentence) upTo(n *number) bool {
	w := s.Preceding(n.at)
	return w == "до" || w == "to" && s.Word(n.at-2) == "up" || becomes[w] || w == "всего" && s.SaidBefore(n.at, "чтоб")
}

// item returns a line of a list.
func (s *sentence) item(n *named, product string) Item {
	item := Item{Product: product}
	switch {
	case n.number == nil:
	case s.kind == Prices:
		item.Price = n.number.value
	default:
		item.Quantity = n.number.value
	}
	if p := s.prices[n]; p != nil {
		item.Price = p.value
	}
	return item
}

// directions tells the warehouses that give goods from those that take them.
func (s *sentence) directions() {
	between := s.Anywhere("между") || s.Anywhere("between") || s.Anywhere("among")
	for _, n := range s.names {
		if n.role != aStore {
			continue
		}
		if between {
			for _, m := range n.chosen {
				s.draft.FromStores = append(s.draft.FromStores, m.Name)
			}
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
