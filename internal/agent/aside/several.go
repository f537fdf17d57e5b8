package aside

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// mostSegments is how many joined parts of a task are tried.
const mostSegments = 7

var joiners = words.Set("и а плюс также and also plus еще")

// Several reads a task that asks several questions, such as "остатки и деньги" (rule R295): the fewest parts that each
// ask something complete on their own. It returns nil if the task is not like that. A period behind the last part holds
// for the parts before it that name none.
func Several(task string, in language.Input) []language.Reading {
	segments := Segments(task)
	if len(segments) < 2 || len(segments) > mostSegments {
		return nil
	}
	in.Previous, in.Rows = nil, nil
	if language.Read(task, in).Query.InStores() {
		return nil // "есть на основном, а на витрине ноль" is one question (rule R1072)
	}
	read := map[string]*language.Reading{}
	complete := func(text string) *language.Reading {
		if r, done := read[text]; done {
			return r
		}
		if pointsBack(text) || denies(text) || onlyUnits(text) {
			// "и сколько им заплатили" says whom only together with what stands before
			return nil
		}
		r := language.Read(text, in)
		read[text] = nil
		if whole(r) && !Apart(r, in) && (r.Skill != language.Reference || strings.Contains(text, " ")) {
			read[text] = &r
		}
		return read[text]
	}
	// best[i] are the readings of the first i segments
	best := make([][]language.Reading, len(segments)+1)
	best[0] = []language.Reading{}
	for end := 1; end <= len(segments); end++ {
		for from := range end {
			if best[from] == nil || from == 0 && end == len(segments) {
				continue
			}
			text := task[segments[from][0]:segments[end-1][1]]
			if best[end] != nil && len(best[end]) <= len(best[from])+1 {
				continue
			}
			if r := complete(text); r != nil && !merges(*r, task, segments[from:end], complete) {
				best[end] = append(best[from][:len(best[from]):len(best[from])], *r)
			}
		}
	}
	if all := best[len(segments)]; len(all) > 1 {
		all = shareNames(all, complete)
		return sharePeriod(all, periodIn(all[len(all)-1].Task), complete)
	}
	period := periodIn(task)
	rest := strings.TrimSpace(strings.TrimSuffix(task, period))
	if period == "" || rest == "" || best[len(segments)] != nil {
		return nil
	}
	all := Several(rest, in) // the last part is about now, so the period is that of the others
	for i := range all {
		if one := sharePeriod(all[i:i+1], period, complete); fromOf(one[0]) != "" {
			return sharePeriod(all, period, complete)
		}
	}
	return nil
}

// RanksTwice reports whether a reading ranks by two dimensions at once what its task ranks one by one: "топ 5 товаров и
// топ 5 покупателей" are two tables (rule R1089).
func RanksTwice(r language.Reading, in language.Input) bool {
	if r.Query == nil || len(r.Query.By) != 2 || len(r.Query.Order) == 0 && r.Query.Limit == 0 {
		return false
	}
	segments := Segments(r.Task)
	in.Previous, in.Rows = nil, nil
	return len(segments) == 2 && !slices.ContainsFunc(segments, func(s [2]int) bool {
		one := language.Read(r.Task[s[0]:s[1]], in)
		return !whole(one) || !ranks(one) || !saysOrder(one)
	})
}

// saysOrder reports whether the task of a reading orders its rows or limits them.
func saysOrder(r language.Reading) bool {
	if r.Query != nil {
		return len(r.Query.Order) > 0 || r.Query.Limit > 0
	}
	return r.Arguments.Direction != "" || r.Arguments.Limit > 0
}

// denies reports whether a part only says what did not happen to what another part names: "и ещё не пришло".
func denies(text string) bool {
	ts := token.Split(text)
	return len(ts) >= 2 && len(ts) <= 4 && (ts[0].Norm == "не" || ts[0].Norm == "not" ||
		(ts[0].Norm == "еще" || ts[0].Norm == "до" || ts[0].Norm == "так" || ts[0].Norm == "пока") &&
			slices.ContainsFunc(ts[1:], func(t token.Token) bool { return t.Norm == "не" }))
}

// onlyUnits reports whether a part says nothing but in which units another part is wanted: "штуки и сумма" (rule
// R751).
func onlyUnits(text string) bool {
	return !slices.ContainsFunc(token.Split(text), func(t token.Token) bool {
		return t.Kind != token.Mark && !unitWords[t.Norm]
	})
}

var unitWords = words.Set("и в во на плюс а также по штук штуки штуках штуками шт поштучно количество количества " +
	"количестве кол-во кол во деньгах деньгам сумма сумму суммы сумме суммой рублях рублей руб проценты " +
	"процентах and in by the pieces pcs units quantity quantities amount amounts sum sums")

// pointsBack reports whether a part of a task is about someone that another part names.
func pointsBack(text string) bool {
	ts := token.Split(text)
	if len(ts) > 1 && (ts[0].Norm == "но" || ts[0].Norm == "but") && denials[ts[1].Norm] {
		return true // "кто покупал летом, но не осенью" has one subject
	}
	return slices.ContainsFunc(ts, func(t token.Token) bool { return pronouns[t.Norm] })
}

var denials = words.Set("не not didn't haven't hasn't did have has")

var pronouns = words.Set("он она они им ним ему нему ей ней его него ее нее их них them him her it they he she")

// merges reports whether a reading of several segments has lost a question: each asks something else on its own.
func merges(r language.Reading, task string, segments [][2]int, complete func(string) *language.Reading) bool {
	if len(segments) < 2 || r.Query != nil && len(r.Query.Measures) >= len(segments) {
		return false
	}
	seen := map[language.Skill]bool{}
	for _, s := range segments {
		one := complete(task[s[0]:s[1]])
		if one == nil || seen[one.Skill] {
			return false
		}
		seen[one.Skill] = true
	}
	return !(len(seen) == 2 && seen[language.SalesTrend] && seen[language.Profitability])
}

// shareNames gives the goods and warehouses of the first part to the parts behind it that name none and ask about
// goods, too: "сколько кепок продали и сколько осталось" (rule R512).
func shareNames(all []language.Reading, complete func(string) *language.Reading) []language.Reading {
	named := all[0].Mentioned
	if len(named) == 0 {
		return all
	}
	all = slices.Clone(all)
	for i := range all[1:] {
		r := &all[i+1]
		if len(r.Mentioned) > 0 || slices.ContainsFunc(token.Split(r.Task),
			func(t token.Token) bool { return inAll[t.Norm] }) {
			continue
		}
		words := strings.Join(named, " ")
		for _, text := range []string{r.Task + " " + words, words + " " + r.Task} {
			if with := complete(text); with != nil && len(with.Mentioned) > 0 {
				*r = *with
				break
			}
		}
	}
	return all
}

// inAll are words for figures of everything.
var inAll = words.Set("всего всех всему вообще общий общая общую общее целом overall total all altogether")

// sharePeriod gives a period, that of the last part, to the parts without one.
func sharePeriod(all []language.Reading, period string,
	complete func(string) *language.Reading) []language.Reading {
	all = slices.Clone(all)
	if last := &all[len(all)-1]; period != "" && fromOf(*last) == "" { // it is about now
		if r := complete(strings.TrimSpace(strings.TrimSuffix(last.Task, period))); r != nil {
			*last = *r
		}
	}
	for i := range all {
		if period == "" || periodIn(all[i].Task) != "" {
			continue
		}
		with := complete(all[i].Task + " " + period)
		if with != nil && with.Skill == all[i].Skill && fromOf(*with) != "" && sameMeasures(*with, all[i]) {
			all[i] = *with
		}
	}
	return all
}

// fromOf returns the first day of a reading's period; "" for none.
func fromOf(r language.Reading) string {
	if r.Query != nil {
		return string(r.Query.From)
	}
	return r.Arguments.From
}

func sameMeasures(a, b language.Reading) bool {
	return (a.Query == nil) == (b.Query == nil) && (a.Query == nil || slices.Equal(a.Query.Measures, b.Query.Measures))
}

// Apart reports whether a query has figures that no table shows together in a useful way: of now and of a period, or of
// different things. They are questions of their own.
func Apart(r language.Reading, in language.Input) bool {
	if r.Query == nil || in.Catalogue == nil || len(r.Query.Measures) < 2 || len(r.Query.By) > 0 {
		return false
	}
	first, ok := in.Catalogue.Measure(r.Query.Measures[0])
	for _, name := range r.Query.Measures[1:] {
		m, known := in.Catalogue.Measure(name)
		if !ok || !known {
			return false
		}
		if m.Now != first.Now || !slices.ContainsFunc(m.Over, func(d string) bool {
			return things[d] && slices.Contains(first.Over, d)
		}) {
			return true
		}
	}
	return false
}

// things are the dimensions that figures of the same things have in common.
var things = words.Set("product variant group counterparty supplier store employee account expense_item")

// periodIn returns the words of the period at the end of a task.
func periodIn(task string) string {
	ts := token.Split(task)
	for i := len(ts) - 1; i >= 0 && i >= len(ts)-6; i-- {
		if w := ts[i].Norm; w == "за" || w == "с" || w == "for" || w == "in" || w == "this" || w == "last" {
			if quantity.IsCalendarWord(ts[min(i+1, len(ts)-1)].Norm) || w == "this" || w == "last" {
				return task[ts[i].Start:]
			}
		}
	}
	if n := len(ts); n > 0 && quantity.IsCalendarWord(ts[n-1].Norm) {
		return task[ts[n-1].Start:]
	}
	return ""
}

// Segments cuts a task at what joins questions: the beginnings and ends of the parts in between, in bytes.
func Segments(task string) [][2]int {
	var out [][2]int
	start, last := -1, 0
	end := func() {
		if start >= 0 {
			out = append(out, [2]int{start, last})
		}
		start = -1
	}
	for _, t := range token.Split(task) {
		joins := t.Kind == token.Word && joiners[t.Norm] ||
			t.Kind == token.Mark && !t.Glued && strings.Contains(",.?!;+", t.Norm) ||
			t.Kind == token.Mark && strings.Contains(",?!;.+", t.Norm)
		if joins || last > 0 && strings.Contains(task[last:t.Start], "\n") {
			end()
		}
		if !joins {
			if start < 0 {
				start = t.Start
			}
			last = t.End
		}
	}
	end()
	return out
}
