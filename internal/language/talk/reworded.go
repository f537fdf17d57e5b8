package talk

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// reworded reads a follow-up in other words that say the same, where its own were not understood (rule R735): "посуду
// убери" as "убери посуду", "рулетку замени на дрель" as "дрель вместо рулетки". It returns nil if that says nothing.
func reworded(task string, in language.Input) *language.Reading {
	if in.Previous == nil {
		return nil
	}
	for _, text := range []string{removedLast(task, in.Previous), replaced(task, in.Previous), lasting(task)} {
		if text == "" {
			continue
		}
		if x := read(text, in); complete(&x) && (x.FollowUp || linked(text, in)) || asks(&x) && x.Skill.Proposes() {
			x.Task = task
			return &x
		}
	}
	return nil
}

// howLong asks how long goods last that are named by a word such as "they".
var howLong = regexp.MustCompile(`(?i)^(?:and |so )?how (?:long|many days) (?:will|would|do|does) ` +
	`(they|these|it|those)( \w+)? last\W*$`)

// lasting returns "how long will they last" as a question for the days of cover of what was shown; "" for any other.
func lasting(task string) string {
	m := howLong.FindStringSubmatch(task)
	if m == nil {
		return ""
	}
	if m[1] = strings.ToLower(m[1]); m[1] == "they" {
		m[1] = "them"
	}
	return "days of cover of " + m[1] + m[2]
}

// removedLast returns a message about figures whose last word leaves something out with that word in front, as one
// exception; "" for any other message.
func removedLast(task string, done *language.Reading) string {
	ts := said(token.Split(task))
	if len(ts) < 2 || !done.Skill.Reads() {
		return ""
	}
	if last := len(ts) - 1; removeWords[ts[last].Norm] {
		return "кроме " + task[ts[0].Start:ts[last-1].End]
	}
	return ""
}

// replaced returns "X замени на Y, столько же" of a draft as "Y вместо X": what is not said of the line stays.
func replaced(task string, done *language.Reading) string {
	if !done.Skill.Proposes() {
		return ""
	}
	ts := said(token.Split(task))
	for len(ts) > 0 && (leads[ts[len(ts)-1].Norm] || ofSame[ts[len(ts)-1].Norm] || ts[len(ts)-1].Punctuation()) {
		ts = ts[:len(ts)-1] // "столько же"
	}
	at := slices.IndexFunc(ts, func(t token.Token) bool { return replacing[t.Norm] })
	to := slices.IndexFunc(ts, func(t token.Token) bool {
		return t.Norm == "на" || t.Norm == "with" || t.Norm == "for"
	})
	if at < 0 || to <= at || to+1 >= len(ts) {
		return ""
	}
	what := ts[:at]
	if at == 0 {
		what = ts[1:to]
	} else if to != at+1 {
		return ""
	}
	if len(what) == 0 || ts[to+1].Kind == token.Number {
		return ""
	}
	what = withoutArticles(what)
	now := withoutArticles(ts[to+1:])
	if len(what) == 0 || len(now) == 0 {
		return ""
	}
	by, noun := " вместо ", ""
	if ts[at].Norm == "replace" || ts[at].Norm == "swap" {
		by = " instead of "
	}
	if last := now[len(now)-1]; last.Norm == "ones" || last.Norm == "one" { // "for the terry ones"
		if now = now[:len(now)-1]; len(now) == 0 {
			return ""
		}
		noun = " " + what[len(what)-1].Raw
	} else if len(now) == 1 && adjectival(now[0].Norm) { // "простыни на махровые"
		return what[0].Raw + " " + now[0].Raw + by + task[what[0].Start:what[len(what)-1].End]
	}
	return task[now[0].Start:now[len(now)-1].End] + noun + by + task[what[0].Start:what[len(what)-1].End]
}

func withoutArticles(ts []token.Token) []token.Token {
	for len(ts) > 0 && (ts[0].Norm == "the" || ts[0].Norm == "a") {
		ts = ts[1:]
	}
	return ts
}

// adjectival reports whether a word ends as an adjective in the plural or feminine does.
func adjectival(w string) bool {
	return slices.ContainsFunc([]string{"ые", "ие", "ую", "ый", "ых"}, func(end string) bool {
		return strings.HasSuffix(w, end)
	})
}

var ofSame = words.Set("same qty quantity amount number as before")

var replacing = words.Set("замени заменить поменяй replace swap")

// said returns the tokens of a message without the conjunctions that it begins with.
func said(ts []token.Token) []token.Token {
	for len(ts) > 0 && (conjunctions[ts[0].Norm] || ts[0].Punctuation()) {
		ts = ts[1:]
	}
	for len(ts) > 0 && ts[len(ts)-1].Punctuation() {
		ts = ts[:len(ts)-1]
	}
	return ts
}

// ofNamed reads a message whose "it" or "their" can only mean what the task before named with that name in its place
// (rule R736): "номер телефона их дай" after the shipments to a customer. It returns nil if the task named nothing, or
// the message says nothing so.
func ofNamed(task string, own *language.Reading, in language.Input) *language.Reading {
	if in.Previous == nil || !in.Previous.Skill.Reads() || linked(task, in) {
		return nil
	}
	names := namesOf(in.Previous)
	if len(names) == 0 || complete(own) && (!own.Skill.Reads() || keepsNames(own, names)) {
		return nil
	}
	ts := token.Split(task)
	i := slices.IndexFunc(ts, func(t token.Token) bool {
		return refer.IsHe(t.Norm) || refer.IsThey(t.Norm) || t.Norm == "it" || t.Norm == "its"
	})
	if i < 0 || i > 0 && from[ts[i-1].Norm] && refer.IsThey(ts[i].Norm) || // "из них" are documents of a list
		in.Previous.Skill == language.Documents && says(task, inside, aroundLast) { // and so is "что в них"
		return nil
	}
	text := task[:ts[i].Start] + strings.Join(names, " и ") + task[ts[i].End:]
	in.Rows = nil
	for _, text := range []string{text, withoutFillers(text)} {
		x := language.Read(text, in)
		if complete(&x) && x.Skill.Reads() && keepsNames(&x, names) {
			x.Task = task
			return &x
		}
	}
	return nil
}

var from = words.Set("из среди of among")

// keepsNames reports whether a reading is limited to all of the names.
func keepsNames(x *language.Reading, names []string) bool {
	input, err := json.Marshal(x.ToolInput())
	return err == nil && !slices.ContainsFunc(names, func(n string) bool {
		word, err := json.Marshal(n)
		return err != nil || !strings.Contains(string(input), string(word))
	})
}

// namesOf returns the goods or the partners that a task was limited to by their names; nil if it named several types of
// things, or goods by their IDs.
func namesOf(done *language.Reading) (names []string) {
	raw, err := json.Marshal(done.ToolInput())
	var in struct {
		Products, Counterparties, Suppliers []string
		Product, Counterparty               string
		Where                               []struct {
			Field, Op string
			Values    []string
		}
	}
	if err != nil || json.Unmarshal(raw, &in) != nil {
		return nil
	}
	types := 0
	add := func(list ...string) {
		if list = slices.DeleteFunc(list, func(s string) bool { return s == "" }); len(list) > 0 {
			types++
			names = list
		}
	}
	add(in.Products...)
	add(in.Counterparties...)
	add(in.Suppliers...)
	add(in.Product)
	add(in.Counterparty)
	for _, w := range in.Where {
		if w.Op == "in" && (w.Field == "product" || w.Field == "counterparty" || w.Field == "supplier") {
			add(w.Values...)
		}
	}
	const lengthOfID = 36
	isID := func(n string) bool { return len(n) == lengthOfID && strings.Count(n, "-") == 4 }
	if types != 1 || slices.ContainsFunc(names, isID) {
		return nil
	}
	return names
}

// paidOf reads "а оплатили из них сколько" after sales to a customer as what that customer paid in the same period: by
// themselves the words ask what we paid (rule R737).
func (t *talk) paidOf(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || t.done.Skill != language.Documents {
		return nil
	}
	paid := ""
	for _, x := range token.Split(task) {
		switch {
		case paidWords[x.Norm] && paid == "":
			paid = x.Raw
		case x.Punctuation(), leads[x.Norm], x.Norm == "сколько", from[x.Norm], refer.IsThey(x.Norm):
		default:
			return nil
		}
	}
	if in.Previous = t.done.Base(in.Catalogue, in.Now); paid == "" || in.Previous == nil {
		return nil
	}
	in.Rows = nil
	x := language.Read("сколько "+paid, in)
	if !complete(&x) || !x.FollowUp || x.Query == nil || !slices.Equal(x.Query.Measures, []string{"money_in"}) {
		return nil
	}
	q := *x.Query
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w analysis.Condition) bool {
		return w.Field == "document_type" // of the shipments
	})
	x.Task, x.Query = task, &q
	return &x
}

var paidWords = words.Set("оплатили оплачено оплатил оплатила заплатили заплатил заплатила")

// placeAlone reads "по кассе" and "отдельно наличка" after what money there is as the money of that place (rule R893).
func (t *talk) placeAlone(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || t.done.Skill != language.Money || t.done.Arguments.What != "" &&
		t.done.Arguments.What != "balances" {
		return nil
	}
	ts := token.Split(task)
	place := typed.PlaceOfMoney(ts)
	if place.Place == "" || place.Currency != "" {
		return nil
	}
	for i, x := range ts {
		if excludes[x.Norm] || !place.Says(i) && !x.Punctuation() && !besideAll[x.Norm] && !onlyClass[x.Norm] &&
			!aroundMoney[x.Norm] {
			return nil
		}
	}
	text := "сколько денег в кассе"
	if place.Place == typed.Accounts {
		text = "сколько денег на счетах"
	}
	if x := language.Read(text, in); complete(&x) && x.Skill == language.Money {
		x.Task, x.FollowUp = task, true
		return &x
	}
	return nil
}

var aroundMoney = words.Set("что по на у сколько денег деньги остаток осталось лежит расчетный расчетном how " +
	"much money")

// moneyThere reads "а в кассу" and "а на счёт" after payments as the same payments of that place (rule R737): by
// themselves the words ask for what lies there.
func (t *talk) moneyThere(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || t.done.Query == nil || slices.ContainsFunc(t.done.Query.Measures, func(m string) bool {
		return m != "money_in" && m != "money_out" && m != "net_flow"
	}) || slices.Contains(t.done.Query.By, "account") {
		return nil
	}
	ts := token.Split(task)
	place := typed.PlaceOfMoney(ts)
	if place.Place == "" || place.Currency != "" {
		return nil
	}
	for i, x := range ts {
		if !place.Says(i) && !x.Punctuation() && !leads[x.Norm] && !belongs[x.Norm] && x.Norm != "сколько" &&
			!onlyWords[x.Norm] {
			return nil
		}
	}
	x := *t.done
	q := *x.Query
	q.Where = language.PlaceOf(place.Place)
	for _, w := range x.Query.Where {
		if w.Field != "account" {
			q.Where = append(q.Where, w)
		}
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return &language.Reading{Task: task, Language: x.Language, Skill: language.Analyze, Query: &q, FollowUp: true,
		Confidence: 1}
}
