package typed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// scan turns the tokens into items, the longest meaning first at each place.
func (s *Sentence) scan() {
	held := s.hold()
	periods := quantity.Periods(s.Tokens, s.Today)
	for _, i := range held {
		s.Tokens[i].Use = token.Unused
	}
	s.phrases = s.segment(periods)
	for i := 0; i < len(s.Tokens); {
		it := s.item(i, periods)
		if it == nil { // a mark
			i++
			continue
		}
		s.Items = append(s.Items, it)
		i = it.End
	}
}

// segment chooses the phrases that leave the fewest words unexplained and are the fewest: "сколько | денег ушло" and
// not "сколько денег | ушло". It returns the phrase to take at each token, nil where there is none.
func (s *Sentence) segment(periods []quantity.Period) []*match {
	chosen := make([]*match, len(s.Tokens))
	best := make([]int, len(s.Tokens)+1)
	for i := len(s.Tokens) - 1; i >= 0; i-- {
		it := s.single(i, periods)
		if it == nil {
			best[i] = best[i+1]
			continue
		}
		best[i] = best[it.End] + cost(it.Kind)
		if t := &s.Tokens[i]; t.Use != token.Unused || t.Kind == token.Quoted || it.Kind == Period ||
			it.Kind == Weekdays || it.Kind == Clock || s.wholeAt(i) || s.insideName(i) {
			continue
		}
		all := s.x.all(s.Tokens, i)
		if n := len(all); n > 0 && all[n-1].end == i+1 { // the word by itself means something
			best[i] += 100
		}
		for k := range all {
			if s.swallows(i, &all[k]) {
				continue
			}
			price := cost(all[k].kind)
			if all[k].kind == Unexplained { // known to mean something that no query says
				price = cost(Measure)
			}
			if c := best[all[k].end] + price; chosen[i] == nil && c <= best[i] || c < best[i] {
				best[i], chosen[i] = c, &all[k]
			}
		}
	}
	return chosen
}

// swallows reports whether a measure of several words begins with the dimension that a breakdown names: in "остатки по
// складам в деньгах", "складам" is no part of "склад в деньгах".
func (s *Sentence) swallows(i int, m *match) bool {
	if m.kind == Per && s.Tokens[i].Norm == "groups" { // "worst groups by margin" names the groups
		return true
	}
	if m.kind != Measure || m.end == i+1 || i == 0 || s.Tokens[i-1].Norm != "по" && s.Tokens[i-1].Norm != "by" ||
		!plural(s.Tokens[i].Norm) {
		return false
	}
	e := s.x.word(s.Tokens, i)
	return e != nil && e.kind == Dimension
}

// cost is what a part of a task counts when it is divided into phrases.
func cost(k Kind) int {
	switch k {
	case Unexplained:
		return 8
	case Function, InMoney:
		return 1
	default:
		return 2
	}
}

// hold keeps words from being read as a period: "чем в прошлом году" is a comparison, "по понедельникам" means each
// Monday, and "октября и сентября" are two months. It returns the tokens, which are marked as numbers meanwhile.
func (s *Sentence) hold() (held []int) {
	mark := func(from, to int) {
		for i := from; i < to; i++ {
			if s.Tokens[i].Use == token.Unused {
				s.Tokens[i].Use = token.AsNumber
				held = append(held, i)
			}
		}
	}
	compares := false
	for i := 0; i < len(s.Tokens); i++ {
		if s.Tokens[i].Use != token.Unused || s.Tokens[i].Kind != token.Word {
			continue
		}
		if s.lastYears(i) {
			continue
		}
		if e, end := s.x.at(s.Tokens, i); e != nil && (e.kind == OverYear || e.kind == OverMonth) &&
			(end >= len(s.Tokens) || words.TimeUnitOf(s.Tokens[end].Norm) == words.NoTime &&
				quantity.MonthOf(s.Tokens[end].Norm) == 0) { // "прошлогодний октябрь" is a month
			mark(i, end)
			i = end - 1
			continue
		}
		if e, end := s.x.at(s.Tokens, i); e != nil && e.kind == Measure && end > i+2 &&
			(s.Tokens[end-1].Norm == "время" || s.Tokens[end-1].Norm == "time") {
			mark(i, end) // "сумма покупок за все время" is one figure
			i = end - 1
			continue
		}
		if e, end := s.x.at(s.Tokens, i); e != nil && e.kind == Earlier && s.Previous != nil &&
			countsBack[s.Tokens[end-1].Norm] { // "а неделю назад" is a week before what was shown
			mark(i, end)
			i = end - 1
			continue
		}
		if e, end := s.x.at(s.Tokens, i); e != nil && e.kind == With {
			compares = true
			if s.Tokens[end-1].Norm == "from" { // "are sales up from last month"
				mark(end-1, end)
			}
			if s.comparedWith(end, true) { // "сравни с позавчера" is not "since then"
				mark(end, end+1)
			}
			if end > i+1 {
				i = end - 1 // "по сравнению с прошлым годом"
				continue
			}
		}
		if compares && s.comparedWith(i, false) {
			mark(i, i+1)
			continue
		}
		if e, end := s.x.at(s.Tokens, i); e != nil && e.kind == PerDay && (end >= len(s.Tokens) ||
			s.Tokens[end].Norm != "недели") {
			mark(i, end)
			i = end - 1
			continue
		}
		if s.weekdaysAt(i) != nil {
			mark(i, i+1)
			continue
		}
		if it := s.lastHours(i); it != nil {
			mark(i, it.End)
			i = it.End - 1
			continue
		}
		if c, ok := quantity.ClockAt(s.Tokens, i); ok {
			mark(i, c.End)
			continue
		}
		if s.longAgo(i) { // "больше 60 дней назад" is a number of days
			mark(i, i+2)
			i++
			continue
		}
		if s.stockFor(i) { // "over 180 days of stock" is no period
			mark(i, i+1)
			continue
		}
		if w := s.Tokens[i].Norm; i > 0 && i+1 < len(s.Tokens) && (w == "и" || w == "and") &&
			quantity.MonthOf(s.Tokens[i-1].Norm) != 0 && quantity.MonthOf(s.Tokens[i+1].Norm) != 0 && !s.between(i) {
			mark(i, i+1)
		}
	}
	return held
}

// lastYears reports whether token i is "прошлогодний" before what it is about, and not what something is compared with.
func (s *Sentence) lastYears(i int) bool {
	if !strings.HasPrefix(s.Tokens[i].Norm, "прошлогодн") || i+1 >= len(s.Tokens) ||
		i > 0 && comparing[s.Tokens[i-1].Norm] {
		return false
	}
	e := s.x.word(s.Tokens, i+1)
	return e != nil && e.kind == Measure
}

var comparing = words.Set("с со к чем против от относительно и")

// longAgo reports whether token i is the unit of time of "больше 60 дней назад".
func (s *Sentence) longAgo(i int) bool {
	if i < 2 || i+1 >= len(s.Tokens) || s.Tokens[i+1].Norm != "назад" && s.Tokens[i+1].Norm != "ago" ||
		s.Tokens[i-1].Kind != token.Number || words.TimeUnitOf(s.Tokens[i].Norm) == words.NoTime {
		return false
	}
	e, end := s.x.at(s.Tokens, i-2)
	return e != nil && e.kind == Operator && end == i-1
}

// stockFor reports whether token i is the unit of time of "180 days of stock": how long the stock lasts.
func (s *Sentence) stockFor(i int) bool {
	if i == 0 || s.Tokens[i-1].Kind != token.Number || words.TimeUnitOf(s.Tokens[i].Norm) == words.NoTime {
		return false
	}
	if i > 2 && s.Tokens[i-3].Norm == "for" && s.Tokens[i-2].Norm == "over" && s.Tokens[0].Norm == "who" {
		// "who hasn't paid for over 30 days"
		return true
	}
	return i+2 < len(s.Tokens) && s.Tokens[i+1].Norm == "of" && ofStock[s.Tokens[i+2].Norm]
}

var ofStock = words.Set("stock supply inventory cover coverage")

// comparedWith reports whether token i is "с" of a comparison, and not the beginning of a period: "сравни с позавчера",
// "сравни выручку с вчера". Right behind the verb, only "с начала", "с конца" and "с 1 по 10" begin a period.
func (s *Sentence) comparedWith(i int, behindVerb bool) bool {
	if i+1 >= len(s.Tokens) || s.Tokens[i].Norm != "с" && s.Tokens[i].Norm != "со" {
		return false
	}
	for j := i + 2; j < min(i+6, len(s.Tokens)); j++ {
		if w := s.Tokens[j].Norm; w == "по" || w == "до" {
			return false
		}
	}
	switch s.Tokens[i+1].Norm {
	case "вчера", "позавчера", "сегодня":
		return true
	case "начала", "конца":
		return false
	}
	return behindVerb
}

// between reports whether "и" joins the ends of a range: "между октябрём и ноябрём".
func (s *Sentence) between(i int) bool {
	return i > 1 && (s.Tokens[i-2].Norm == "между" || s.Tokens[i-2].Norm == "between")
}

// weekdaysAt reads days of the week in general: "по понедельникам", "on weekends", "без выходных", "в будни".
func (s *Sentence) weekdaysAt(i int) *Item {
	t := &s.Tokens[i]
	if t.Use == token.AsName || t.Kind != token.Word {
		return nil
	}
	before := ""
	if i > 0 {
		before = s.Tokens[i-1].Norm
	}
	if i+1 < len(s.Tokens) && working[t.Norm] && workingDays[s.Tokens[i+1].Norm] &&
		(i == 0 || s.Tokens[i-1].Kind != token.Number) { // "за рабочие дни прошлой недели" (rule R1109)
		return &Item{Kind: Weekdays, At: i, End: i + 2, ID: "12345"}
	}
	day := recurring[t.Norm]
	if kind := oneOfBoth[t.Norm]; kind != "" && slices.ContainsFunc(s.Tokens, func(o token.Token) bool {
		return oneOfBoth[o.Norm] != "" && oneOfBoth[o.Norm] != kind
	}) {
		return &Item{Kind: Weekdays, At: i, End: i + 1, ID: kind} // "weekend vs weekday sales"
	}
	if (t.Norm == "выходные" || t.Norm == "выходных") && slices.ContainsFunc(s.Tokens, func(o token.Token) bool {
		return recurring[o.Norm] == "12345" // "выходные и будни" are of every week
	}) {
		return &Item{Kind: Weekdays, At: i, End: i + 1, ID: "67"}
	}
	if weekendOf[t.Norm] && beforeWeekend[before] && s.longPeriod(i) { // "в выходные за ноябрь"
		return &Item{Kind: Weekdays, At: i, End: i + 1, ID: "67"}
	}
	if t.Norm == "weekdays" && beforeDays[before] {
		day = "12345"
	}
	if before == "every" || before == "each" { // "every Monday this month"
		day = cmp.Or(recurring[t.Norm+"s"], day)
	}
	if day == "" || t.Norm == "выходных" && before != "без" && before != "кроме" || LastWords[before] {
		return nil
	}
	return &Item{Kind: Weekdays, At: i, End: i + 1, ID: day}
}

// longPeriod reports whether the task names a month or a longer time: weekends beside it are those of that time.
func (s *Sentence) longPeriod(i int) bool {
	return slices.ContainsFunc(slices.Concat(s.Tokens[:i], s.Tokens[i+1:]), func(t token.Token) bool {
		switch words.TimeUnitOf(t.Norm) {
		case words.Month, words.Quarter, words.HalfYear, words.Year:
			return true
		}
		return t.Use != token.AsName && quantity.MonthOf(t.Norm) != 0
	})
}

var (
	weekendOf     = words.Set("выходные weekend weekends")
	beforeWeekend = words.Set("в на по за и on at the")
)

var (
	working     = words.Set("рабочие рабочих рабочим рабочими working business")
	workingDays = words.Set("дни дней дням днями days")
)

// oneOfBoth are the kinds of days that mean those of every week where both are named.
var oneOfBoth = map[string]string{"weekend": "67", "weekends": "67", "weekday": "12345", "weekdays": "12345",
	"workday": "12345"}

// beforeDays are words before "weekdays" where it means working days, and not a breakdown.
var beforeDays = words.Set("on than vs versus during and or only")

// recurring are the days of the week as every week has them, and the values of the dimension that they mean.
var recurring = func() map[string]string {
	m := map[string]string{"выходным": "67", "выходных": "67", "weekends": "67", "будни": "12345",
		"будней": "12345", "будние": "12345", "буднями": "12345", "будням": "12345",
		"будних": "12345", "будним": "12345", "workdays": "12345"}
	for i, forms := range []string{"понедельникам понедельники mondays", "вторникам вторники tuesdays",
		"средам среды wednesdays",
		"четвергам четверги thursdays", "пятницам пятницы fridays", "субботам субботы saturdays",
		"воскресеньям воскресенья sundays"} {
		for w := range strings.FieldsSeq(forms) {
			if w != "среды" && w != "воскресенья" {
				m[w] = strconv.Itoa(i + 1)
			}
		}
	}
	return m
}()

func (s *Sentence) item(i int, periods []quantity.Period) *Item {
	if m := s.phrases[i]; m != nil {
		return &Item{Kind: m.kind, At: i, End: m.end, ID: m.id, Order: m.order, Each: m.each, None: m.none,
			Least:  m.least,
			Plural: plural(s.Tokens[i].Norm) || plural(s.Tokens[m.end-1].Norm)}
	}
	return s.single(i, periods)
}

// countsBack end the words that count back from what was shown: "неделю назад", "за предыдущий день".
var countsBack = words.Set("назад ago день раньше ранее этого")

// LastWords are forms of "last".
var LastWords = words.Set("прошлый прошлая прошлую прошлой прошлого прошлом прошлым прошлому прошлое")

// single returns the item at a token that is no phrase.
func (s *Sentence) single(i int, periods []quantity.Period) *Item {
	t := &s.Tokens[i]
	if t.Kind == token.Mark {
		if t.Norm == "+" && !t.Glued {
			return &Item{Kind: Joining, At: i, End: i + 1}
		}
		if t.Norm == "+" && i > 0 && s.Tokens[i-1].Kind == token.Number && (i+1 == len(s.Tokens) ||
			!s.Tokens[i+1].Glued) {
			return s.plusBehind(i)
		}
		return nil
	}
	for k := range periods {
		if p := &periods[k]; p.At <= i && i < p.End {
			return &Item{Kind: Period, At: i, End: p.End, Period: p}
		}
	}
	switch t.Use {
	case token.AsName:
		return s.nameItem(i)
	case token.AsAccount:
		return &Item{Kind: Function, At: i, End: i + 1}
	case token.Unused, token.AsPeriod, token.AsNumber:
	}
	if s.insideName(i) {
		return &Item{Kind: Function, At: i, End: i + 1}
	}
	if it := s.weekdaysAt(i); it != nil {
		return it
	}
	if it := s.lastHours(i); it != nil {
		return it
	}
	if c, ok := quantity.ClockAt(s.Tokens, i); ok {
		return &Item{Kind: Clock, At: i, End: c.End, Hours: c.Hours}
	}
	if t.Kind == token.Word && (LastWords[t.Norm] || t.Norm == "last") &&
		slices.ContainsFunc(periods, func(p quantity.Period) bool {
			return p.At == i+1 // "прошлый ноябрь", "last November": the period counts that already
		}) {
		return &Item{Kind: Function, At: i, End: i + 1}
	}
	if i > 0 && (t.Norm == "назад" || t.Norm == "ago") && s.longAgo(i-1) {
		return &Item{Kind: Function, At: i, End: i + 1}
	}
	if t.Kind != token.Quoted {
		if n, end := s.numberAt(i); end > 0 {
			return &Item{Kind: Number, At: i, End: end, Number: n}
		}
		if words.IsLegalForm(t.Norm) || s.x.function[t.Norm] || s.x.function[t.Stem] && t.Kind == token.Word ||
			t.Kind == token.Word && len([]rune(t.Norm)) == 1 && t.Glued {
			return &Item{Kind: Function, At: i, End: i + 1}
		}
	}
	return &Item{Kind: Unexplained, At: i, End: i + 1}
}

// plusBehind reads the "+" of "10+", perhaps with the unit behind it: "500+ roubles".
func (s *Sentence) plusBehind(i int) *Item {
	it := &Item{Kind: Operator, At: i, End: i + 1, ID: string(analysis.GreaterEqual)}
	if i+1 == len(s.Tokens) || len(s.Items) == 0 {
		return it
	}
	n := &s.Items[len(s.Items)-1].Number
	if u, ok := words.UnitOf(s.Tokens[i+1].Norm); ok && n.Unit == words.NoUnit && u.Factor == 0 &&
		u.Currency != "USD" &&
		!s.phraseAt(i+1) {
		n.Unit, it.End = u.Kind, i+2
	}
	return it
}

// insideName reports whether token i is a preposition between the words of one name: "доставка по городу".
func (s *Sentence) insideName(i int) bool {
	return len([]rune(s.Tokens[i].Norm)) <= 3 && slices.ContainsFunc(s.Names, func(n Name) bool {
		return slices.Contains(n.At, i-1) && slices.Contains(n.At, i+1)
	})
}

func (s *Sentence) nameItem(i int) *Item {
	for k := range s.Names {
		n := &s.Names[k]
		if at := slices.Index(n.At, i); at == 0 {
			return &Item{Kind: Named, At: i, End: i + 1, Name: n}
		} else if at > 0 { // a further word of the same name
			return &Item{Kind: Function, At: i, End: i + 1}
		}
	}
	return &Item{Kind: Function, At: i, End: i + 1} // a mark or a legal form beside a name
}

// PluralHead reports whether the first word of an item looks like a plural: not that of "день недели".
func (s *Sentence) PluralHead(it *Item) bool { return it.Plural && plural(s.Tokens[it.At].Norm) }

// plural reports whether a noun looks like a plural: "складам", "товары", "products".
func plural(w string) bool {
	for _, ending := range []string{"ам", "ям", "ах", "ях", "ы", "и", "ов", "ев", "ей", "ами", "ями"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return !token.IsCyrillic(w) && strings.HasSuffix(w, "s")
}
