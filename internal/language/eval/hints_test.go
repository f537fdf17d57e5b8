package eval

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/tool"
)

// verdict of a hint: it holds, it does not, or it cannot be judged mechanically.
type holds int

const (
	no holds = iota
	yes
	unsure
)

// both holds if two parts of a hint do; what cannot be judged makes it unsure unless the other part fails.
func both(x, y holds) holds {
	if x == no || y == no {
		return no
	}
	return max(x, y)
}

func ifTrue(ok bool) holds {
	if ok {
		return yes
	}
	return no
}

// seen is a turn's answer, as far as hints are compared with it.
type seen struct {
	*meaning
	answer  answered
	before  *seen // the turn before in the conversation; nil for none
	used    []bool
	wanted  []string                  // products that hints name
	partly  bool                      // an option of a question may be about one of several goods
	kind    string                    // of the turn
	must    []string                  // the turn's hints
	dated   bool                      // a hint asks for the period, in other words
	lenient bool                      // asking is acceptable, so what the turn before had may stay
	state   func(draft string) string // the state of a draft's documents now
}

func look(a answered, before *seen, state func(string) string) *seen {
	m := readCalls(a.ToolCalls)
	return &seen{meaning: m, answer: a, before: before, used: make([]bool, len(m.facts)), state: state}
}

// find marks the facts that f accepts as asked for.
func (s *seen) find(f func(fact) bool) holds {
	found := no
	for i, x := range s.facts {
		if f(x) {
			s.used[i], found = true, yes
		}
	}
	return found
}

// extra returns what restricts the answer although no hint asks for it.
func (s *seen) extra(hints []string, task string) []fact {
	has := func(prefix string) bool {
		return slices.ContainsFunc(hints, func(h string) bool { return strings.HasPrefix(h, prefix) })
	}
	var list []fact
	for i, f := range s.facts {
		switch {
		case s.used[i] || f.mild, s.lenient && s.before != nil && slices.Contains(s.before.facts, f):
			continue
		case f.namedIn(task), s.aboveZero(f):
			continue
		case f.kind == "where" && f.field == "product" && f.op != "!=" && s.within(f.value):
			continue
		case f.kind == "line" && s.within(f.field), f.kind == "search":
			continue
		case f.kind == "where" && f.field == "group" && len(s.wanted) > 0 && has("product "):
			continue // narrower: the group of the named product
		case f.kind == "mode" && (f.field != "running_out" || slices.ContainsFunc(hints, runsShort.MatchString)),
			f.kind == "draft", f.kind == "list", f.kind == "flag" && f.field == "everything":
			continue
		case f.kind == "horizon" && has("measure"):
			continue
		}
		list = append(list, f)
	}
	carried := s.before != nil && s.before.meaning != nil && s.before.other != nil && s.other != nil &&
		*s.before.other == *s.other
	carried = carried || slices.ContainsFunc(s.facts, func(f fact) bool { return f.kind == "explain" })
	if s.other != nil && !carried && !has("compare") && !has("two periods") &&
		!has("by product | by group | compare") &&
		!has("measure change") && !has("explain") && !has("option") {
		list = append(list, fact{kind: "compare", value: string(s.other.From + ".." + s.other.To)})
	}
	dated := s.dated || has("period") || has("compare")
	if s.stated && !dated && !has("at ") && !has("two periods") && !has("horizon") && !has("option") {
		list = append(list, fact{kind: "period", value: string(s.period.From + ".." + s.period.To)})
	}
	return list
}

// namedIn reports whether the task itself names a condition, by a word of its name or by its number. The hints of a
// turn need not list all that was asked for.
func (f fact) namedIn(task string) bool {
	switch f.kind {
	case "where", "horizon", "goal", "other", "round":
	default:
		return false
	}
	if n := digits.FindString(f.value); n != "" && !letters.MatchString(demoShop().name(f.value)) {
		return slices.Contains(digits.FindAllString(strings.ReplaceAll(task, " 000", "000"), -1), n)
	}
	return slices.ContainsFunc(strings.Fields(fold(f.value)), func(w string) bool {
		return len([]rune(w)) >= 4 && letters.MatchString(w) && matches(task, w)
	})
}

// aboveZero reports a condition that leaves out the rows without the figure that is shown.
func (s *seen) aboveZero(f fact) bool {
	return f.kind == "where" && f.op == ">" && f.value == "0" && slices.ContainsFunc(s.facts, func(m fact) bool {
		return m.kind == "measure" && m.field == f.field
	})
}

// runsShort finds a hint that asks for what is about to run out, which is all that a list of shortages has.
var runsShort = regexp.MustCompile(`<|shortage|below|run-out|order|reorder`)

var (
	digits  = regexp.MustCompile(`\d+`)
	letters = regexp.MustCompile(`\pL`)
)

func (s *seen) within(value string) bool {
	goods := demoShop().goods(value)
	return len(goods) > 0 && !slices.ContainsFunc(goods, func(g string) bool {
		return !slices.ContainsFunc(s.wanted, func(w string) bool {
			return w == g ||
				demoShop().aliases[fold(w)][fold(g)]
		})
	})
}

var (
	spanHint    = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$`)
	numberHint  = regexp.MustCompile(`^(.+?) ?(<=|>=|!=|<|>|=) ?([−+-]?\d[\d ]*(?:[.,]\d+)?) ?(?:%|₽|days|rub|шт)?$`)
	betweenHint = regexp.MustCompile(`^(.+?) between (\d[\d.]*?) ?(?:and|\.\.|–|-|,)? ?(\d+)$`)
	setHint     = regexp.MustCompile(`^(.+?) (in|not_in|is_empty|is_not_empty)(?: (.+))?$`)
	nameHint    = regexp.MustCompile(`^(.+?) ?(=|!=|contains) ?(.+)$`)
	lineHint    = regexp.MustCompile(`^line (.+?) × ([\d.,]+)(?: (?:at|×) ([\d.,]+))?$`)
	ofDocument  = regexp.MustCompile(`^(\w+) of document (\d+)$`)
	measureBy   = regexp.MustCompile(`^measure (\w+) by (\w+)$`)
	amountHint  = regexp.MustCompile(`^([+−-]\d+) ₽$`)
)

// hint judges one hint, whose alternatives are separated by " | ".
func (s *seen) hint(hint string) holds {
	result, keyword := no, ""
	for i, h := range strings.Split(hint, " | ") {
		h = strings.TrimSpace(h)
		if spanHint.MatchString(h) {
			h = keyword + " " + h
		} else if i == 0 || strings.HasPrefix(h, "period") || strings.HasPrefix(h, "compare") {
			keyword, _, _ = strings.Cut(h, " ")
		}
		switch s.one(h) { // each alternative marks what it asks for
		case yes:
			result = yes
		case unsure:
			if result == no {
				result = unsure
			}
		default:
		}
	}
	return result
}

type prefix struct {
	word  string
	judge func(*seen, string) holds
}

// prefixes are hints that begin with a keyword; the first that fits judges the rest.
func prefixes() []prefix {
	return []prefix{
		{"pace period ", (*seen).paceSpan}, {"expected ", (*seen).expected}, {"older than ", (*seen).olderThan},
		{"product row ", (*seen).row},
		{"draft ", (*seen).draftOf}, {"measure ", (*seen).measure}, {"by ", (*seen).split}, {"period ", (*seen).span},
		{"compare ", (*seen).compared}, {"at ", (*seen).at},
		{"order number ", (*seen).numbered}, {"number ", (*seen).numbered}, {"order ", (*seen).sorted},
		{"limit ", (*seen).limited},
		{"exclude ", (*seen).without}, {"without ", (*seen).without}, {"except ", (*seen).without},
		{"below minimum at ", (*seen).belowMinimumAt}, {"only shortages of ", (*seen).shortagesOf},
		{"products matching ", (*seen).allMatching}, {"only products matching ", (*seen).allMatching},
		{"line ", (*seen).line}, {"remove line ", (*seen).removed}, {"from store ", (*seen).fromStore},
		{"to store ", (*seen).toStore}, {"percent ", (*seen).percent}, {"round to ", (*seen).roundTo},
		{"markup ", func(s *seen, v string) holds { return s.goal("markup", v) }},
		{"margin ", func(s *seen, v string) holds { return s.goal("margin", v) }},
		{"keep ", func(s *seen, v string) holds { return s.goal("keep", firstWord(v)) }},
		{"leave ", func(s *seen, v string) holds { return s.goal("keep", firstWord(v)) }},
		{"multiple of ", func(s *seen, v string) holds { return s.goal("multiple", firstWord(v)) }},
		{"floor ", func(s *seen, v string) holds { return s.goal("floor", v) }},
		{"not below ", func(s *seen, v string) holds { return s.goal("floor", v) }},
		{"budget ", func(s *seen, v string) holds { return s.goal("budget", v) }},
		{"delivery ", func(s *seen, v string) holds { return s.goal("delivery", v) }},
		{"from ", (*seen).fromStore}, {"to ", (*seen).toStore}, {"quantity ", (*seen).quantity},
		{"minimum ", (*seen).quantity}, {"target ", (*seen).priceSet}, {"round ", (*seen).roundTo},
		{"ending ", (*seen).roundTo}, {"documents ", (*seen).documents}, {"document ", (*seen).document},
		{"asks", func(s *seen, _ string) holds {
			return ifTrue(s.answer.asks() || s.noFigures() == yes && strings.Contains(s.answer.firstLine(), "?"))
		}},
		{"names what it ", func(s *seen, _ string) holds { return s.noFigures() }},
		{"days ", (*seen).horizon},
		{"search ", (*seen).searched}, {"article ", (*seen).searched}, {"list of ", (*seen).listed},
		{"horizon ", (*seen).horizon}, {"says ", (*seen).says}, {"option ", (*seen).chose}, {"no ", (*seen).none},
		{"product ", (*seen).named}, {"products named ", (*seen).allMatching},
	}
}

// firstWord returns the number of "keep 2 at the source".
func firstWord(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

// at judges "at 2026-10-01": a day of stocks, or the end or the beginning of a period.
func (s *seen) at(day string) holds {
	if s.find(func(f fact) bool { return f.kind == "at" && f.value == day }) == yes {
		return yes
	}
	if s.period == nil {
		return no
	}
	return ifTrue(slices.ContainsFunc(s.facts, func(f fact) bool {
		return f.kind == "measure" && (strings.HasSuffix(f.field, "_at_end") && s.period.To == tool.Day(day) ||
			strings.HasSuffix(f.field, "_at_start") && s.period.From == tool.Day(day))
	}))
}

// limited judges "limit 5". The first row of an ordered table answers a question about the one at the top.
func (s *seen) limited(v string) holds {
	found := s.find(func(f fact) bool { return f.kind == "limit" && f.value == v })
	if found == no && v == "1" {
		return ifTrue(slices.ContainsFunc(s.facts, func(f fact) bool { return f.kind == "order" }))
	}
	return found
}

func (s *seen) one(h string) holds {
	if judge, ok := plainHints[h]; ok {
		return judge(s)
	}
	if m := ofDocument.FindStringSubmatch(h); m != nil {
		shown := s.measure(m[1])
		if m[1] == "positions" {
			shown = ifTrue(slices.Contains(s.tools, "document"))
		}
		return both(shown, s.numbered(m[2]))
	}
	if m := measureBy.FindStringSubmatch(h); m != nil {
		return both(s.measure(m[1]), s.split(m[2]))
	}
	if m := amountHint.FindStringSubmatch(h); m != nil {
		return s.raised(number(m[1]))
	}
	if m := betweenHint.FindStringSubmatch(h); m != nil {
		return min(s.where(m[1], ">=", m[2]), s.where(m[1], "<=", m[3]))
	}
	if m := setHint.FindStringSubmatch(h); m != nil && !strings.HasPrefix(h, "measure ") &&
		!strings.HasPrefix(h, "days in stock") {
		return s.set(m[1], m[2], m[3])
	}
	if m := numberHint.FindStringSubmatch(h); m != nil && !strings.HasPrefix(h, "line ") {
		return s.where(m[1], m[2], number(m[3]))
	}
	for _, p := range prefixes() {
		if rest, ok := strings.CutPrefix(h, p.word); ok {
			if m := nameHint.FindStringSubmatch(h); m == nil || p.word != "product " {
				return p.judge(s, rest)
			}
		}
	}
	if m := nameHint.FindStringSubmatch(h); m != nil {
		return s.nameIs(m[1], m[2], m[3])
	}
	for _, words := range dimensionWords {
		for _, w := range words.said {
			if rest, ok := strings.CutPrefix(h, w+" "); ok {
				return s.nameIs(w, "=", rest)
			}
		}
	}
	return unsure
}

func number(v string) string {
	v = strings.NewReplacer(" ", "", "−", "-", "+", "", ",", ".").Replace(v)
	if f, err := strconv.ParseFloat(v, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return v
}

func (s *seen) measure(v string) holds {
	if v == "stated" {
		return ifTrue(len(s.tools) > 0)
	}
	accepted, known := measureWords[v]
	if !known {
		if _, ok := measures.Catalogue.Measure(v); !ok {
			return unsure
		}
		accepted = []string{v}
	}
	accepted = append(slices.Clone(accepted), alsoMeasures[v]...)
	if v == "days_since_sale" && s.unsold() {
		return yes // the condition says for how long
	}
	return s.find(func(f fact) bool {
		switch f.kind {
		case "measure", "by":
			return slices.Contains(accepted, f.field) && !s.answer.lacks(f.field)
		case "share", "explain", "cumulative":
			return slices.Contains(accepted, f.kind)
		case "where":
			return f.field == "abc" && v == "ABC classes"
		}
		return false
	})
}

func dimensions(word string) []string {
	for _, d := range dimensionWords {
		if slices.Contains(d.said, word) {
			return d.fields
		}
	}
	return []string{word}
}

func (s *seen) split(v string) holds {
	fields := dimensions(v)
	found := s.find(func(f fact) bool { return f.kind == "by" && slices.Contains(fields, f.field) })
	if found == no && v == "product" && s.oneProduct() {
		return yes
	}
	return found
}

// oneProduct reports whether the figures are of one product, so that a split by product changes nothing.
func (s *seen) oneProduct() bool {
	n := 0
	for _, f := range s.facts {
		if f.kind != "where" || f.field != "product" {
			continue
		}
		if n++; f.op != "=" || len(demoShop().goods(f.value)) != 1 {
			return false
		}
	}
	return n == 1
}

func (s *seen) span(v string) holds {
	if v == "stated" {
		return yes
	}
	m := spanHint.FindStringSubmatch(v)
	switch {
	case m == nil:
		return unsure
	}
	if s.between(m[1], m[2]) == yes {
		return yes
	}
	if s.period == nil {
		return s.find(func(f fact) bool { return f.kind == "pace period" && f.value == v })
	}
	return ifTrue(same(*s.period, tool.Period{From: tool.Day(m[1]), To: tool.Day(m[2])}))
}

// between holds if the answer has only rows whose date, such as the first sale, is in the period.
func (s *seen) between(from, to string) holds {
	bound := func(op, day string) holds {
		return s.find(func(f fact) bool { return f.kind == "where" && f.op == op && f.value == day })
	}
	return min(bound(">=", from), bound("<=", to))
}

// same compares periods. Those up to today may differ by a day, and nothing is known of the days after it.
func same(p, want tool.Period) bool {
	if want.From <= unseenDay && want.To > unseenDay {
		want.To = unseenDay
	}
	if p == want {
		return true
	}
	d := p.From.Time().Sub(want.From.Time())
	return p.To == want.To && want.To == unseenDay && want.From < unseenDay.Add(-20) && d.Abs() <= 24*time.Hour &&
		want.From.Time().Day() != 1
}

func (s *seen) compared(v string) holds {
	m := spanHint.FindStringSubmatch(v)
	switch {
	case s.other == nil:
		return no
	case v == "stated":
		return yes
	case m == nil:
		return unsure
	}
	return ifTrue(same(*s.other, tool.Period{From: tool.Day(m[1]), To: tool.Day(m[2])}))
}

func (s *seen) sorted(v string) holds {
	word, direction, ok := strings.Cut(v, " ")
	if !ok {
		word, direction = "", v
	} else if i := strings.LastIndex(v, " "); i > 0 {
		word, direction = v[:i], v[i+1:]
	}
	fields := append([]string{word}, measureWords[word]...)
	for _, h := range s.must { // any measure that will do may be the one in the order
		if of := strings.Split(strings.ReplaceAll(h, "measure ", ""), " | "); slices.Contains(of, word) {
			fields = append(fields, of...)
		}
	}
	return s.find(func(f fact) bool {
		return f.kind == "order" && f.value == direction && (word == "" || slices.Contains(fields, f.field))
	})
}

// where judges a condition with a number.
func (s *seen) where(word, op, value string) holds {
	if word == "price" && op == "=" {
		return s.priceSet(value)
	}
	fields := append([]string{word}, numberWords[word]...)
	fields = append(fields, dimensions(word)...)
	found := s.find(func(f fact) bool {
		return f.kind == "where" && slices.Contains(fields, f.field) && number(f.value) == value && alike(f.op, op)
	})
	if found == no && word == "stock" && value == "0" && op == "!=" {
		found = s.find(func(f fact) bool {
			return f.kind == "where" && f.field == "stock" && f.value == "0" &&
				f.op == ">"
		})
	}
	if found == no && word == "order sum" && alike(op, ">=") {
		found = s.goal("min_order", value)
	}
	if found == no && op[0] == '>' && slices.Contains([]string{"days_since_sale", "days without sales"}, word) {
		found = s.unsoldFor(toInt(value))
	}
	if found == no && op == ">" && value == "0" && s.allAbove(word) {
		found = yes
	}
	if found == no && (word == "days of cover" || word == "days_of_cover") {
		found = s.find(func(f fact) bool { return f.kind == "horizon" && f.value == value })
	}
	if found == no && op == ">" && value == "0" {
		found = s.find(func(f fact) bool {
			return f.kind == "flag" && f.field == word || f.kind == "mode" && word == "shortage"
		})
		if slices.Contains(s.tools, impliedBy[word]) {
			found = yes
		}
	}
	return found
}

// unsold reports whether the answer has only goods that were not sold in its period.
func (s *seen) unsold() bool {
	return s.period != nil && s.period.To == unseenDay && slices.ContainsFunc(s.facts, noPace)
}

func noPace(f fact) bool {
	return f.kind == "where" && (f.field == "pace" || f.field == "quantity") && f.op == "=" && f.value == "0"
}

// unsoldFor judges "days_since_sale > 45" of goods of which nothing was sold in the last 45 days.
func (s *seen) unsoldFor(days int) holds {
	if !s.unsold() {
		return no
	}
	if n := s.period.Days(); n < days-1 || n > days+1 {
		return no
	}
	s.dated = true
	return s.find(noPace)
}

// allAbove reports whether a measure is shown and above zero in each row.
func (s *seen) allAbove(measure string) bool {
	rows := 0
	for _, r := range s.answer.Results {
		for _, row := range r.Rows {
			v, has := row[measure]
			if n, err := strconv.ParseFloat(fmt.Sprint(v), 64); !has || err != nil || n <= 0 {
				return false
			}
			rows++
		}
	}
	return rows > 0
}

// impliedBy are the tools whose rows all have a figure above zero.
var impliedBy = map[string]string{"shortage": "shortages", "overdue_days": "overdue_orders"}

// alike ignores whether a bound is included.
func alike(x, y string) bool {
	return x == y || strings.TrimSuffix(x, "=") == strings.TrimSuffix(y, "=") && x[0] != '='
}

// set judges "store in Витрина, Склад на Лесной" and "article is_empty".
func (s *seen) set(word, op, names string) holds {
	op = map[string]string{"in": "=", "not_in": "!="}[op]
	if op == "" {
		fields := dimensions(word)
		return s.find(func(f fact) bool {
			return f.kind == "where" && slices.Contains(fields, f.field) && strings.HasPrefix(f.op, "is_")
		})
	}
	for _, n := range separators.Split(strings.Trim(names, "[]()"), -1) {
		if s.nameIs(word, op, n) != yes {
			return no
		}
	}
	return yes
}

var separators = regexp.MustCompile(`, | and |; `)

func (s *seen) nameIs(word, op, name string) holds {
	switch {
	case strings.HasPrefix(word, "exclude "):
		word, op = strings.TrimPrefix(word, "exclude "), "!="
	case word == "product" || word == "products":
		if op == "contains" {
			return s.allMatching(name)
		}
		if op == "=" {
			return s.named(name)
		}
	}
	if word == "article" || word == "code" { // a good by its article is that good
		if good := demoShop().products[fold(name)]; op == "=" && good != "" && s.named(good) == yes {
			return yes
		}
	}
	fields := dimensions(word)
	found, listed := no, strings.Split(name, ", ")
	for _, n := range listed {
		one := s.find(func(f fact) bool {
			return f.kind == "where" && slices.Contains(fields, f.field) && f.op == op && sameName(f.value, n)
		})
		if found = one; one == no {
			break
		}
	}
	if found == no && slices.Contains(fields, "counterparty") && s.answer.orderedFrom(name) {
		return yes
	}
	return found
}

func sameName(x, y string) bool {
	legal := strings.NewReplacer("ооо ", "", "ип ", "")
	x, y = fold(x), fold(y)
	return x == y || legal.Replace(x) == y || x == legal.Replace(y)
}
