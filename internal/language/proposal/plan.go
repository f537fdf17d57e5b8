package proposal

import (
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/words"
)

// readPlan reads what is short, for how long stock must last, and how much may be spent.
func (s *sentence) readPlan() {
	s.readSold()
	s.readDays()
	s.readShort()
	if s.kind == Minimums {
		s.ownMinimum()
		s.bySales()
	}
	s.readForecast()
	if s.kind == Orders {
		s.readMoney()
		s.bareBound()
	}
}

// bySales marks "по продажам" where minimums are computed: they always are by sales.
func (s *sentence) bySales() {
	for i := range s.Words {
		w := s.Norm(i)
		if (w == "по" || w == "исходя" || w == "by" || w == "from" || w == "из") && s.draft.Minimum == "" &&
			request.Begins(s.Norm(i+1), []string{"продаж", "темп", "расход", "спрос", "sales", "demand"}) {
			s.Use(i, i+2)
			for request.Begins(s.Norm(i+2), []string{"продаж", "расход", "спрос"}) {
				s.Use(i+2, i+3)
				i++
			}
			return
		}
	}
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
			s.lacking = s.lacking || p.Mode == "" && !p.None && request.Begins(p.Words, lackWords)
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
	for i := range s.Words { // "пополни до минимума всё, чего меньше"
		before := s.Word(i - 1)
		if w := s.Norm(i); s.draft.Mode == "below_minimum" && (w == "меньше" || w == "less") &&
			(before == "чего" || before == "которых" || before == "has") && !s.comparedBehind(i) {
			s.Use(i-1, i+1)
		}
	}
}

// lackWords begin phrases for what a warehouse does not have enough of.
var lackWords = []string{"чего там", "которых там", "не хват", "недоста", "нехват", "дефицит"}

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
	"остатки we has have упало упал упала упали опустилось опустились опустился опустилась просело просели ушло ушли " +
	"стало стали оказалось оказались fallen dropped gone fell dipped went already уже now")

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
			request.Begins(s.Preceding(n.at), []string{"запас", "резерв", "safety", "buffer"}) && !s.minimalStock(n) {
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
			behind := s.SaidBehind(n.end, "запас", "страхов", "safety", "reserve", "buffer", "резерв") && before != "на"
			if !behind && !s.SaidBefore(n.at, "запас", "страхов", "safety", "reserve", "buffer", "резерв") ||
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
			s.Around(n.at, n.end, "запас", "запасом", "запаса", "страховой", "страховым", "с", "и", "плюс", "+",
				"safety", "reserve", "buffer", "with", "of", "and", "plus", "a", "stock")
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
		if from, ok := s.runsOutWithin(i); ok {
			s.draft.Days, s.draft.Mode = max(words.TimeUnitOf(w).Days(), 1), "running_out"
			s.Use(from, i+1)
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

// minimalStock reports whether the reserve before a number is the minimum itself: "минимальный запас 10".
func (s *sentence) minimalStock(n *number) bool {
	for j := n.at - 1; j >= 0 && j >= n.at-3; j-- {
		if request.Begins(s.Word(j), request.MinimumNouns) {
			s.Use(j, n.at)
			return true
		}
	}
	return false
}

// runsOutWithin reports whether a unit of time says how soon stock runs out: "закончится за неделю".
func (s *sentence) runsOutWithin(i int) (from int, ok bool) {
	from = i - 1
	if request.Begins(s.Norm(from), []string{"ближайш", "следующ", "the", "a", "next"}) {
		from--
	}
	switch s.Norm(from) {
	case "за", "через", "в", "within", "in", "this":
	default:
		return from, false
	}
	if s.kind != Orders && s.kind != Transfers {
		return from, false
	}
	for j := from - 1; j >= 0 && j >= from-4; j-- { // it may be read as what is short by now
		if w := s.Word(j); request.Begins(w, []string{"конч", "законч"}) || w == "out" {
			return from, true
		}
	}
	return from, false
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

// ranks are beginnings of words that choose goods by a figure.
var ranks = []string{"топ", "лучш", "худш", "самы", "ходов", "популярн", "продаваем", "хит", "top", "best", "worst",
	"most"}
