package talk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// A family is one way to change the answer before, which people say in any order and in many words (rule R890):
// each word of the message is of a class that the family needs or allows, or it is of the object that the change is
// about. Such a message is read as the plain words of the family, with the object in their place.
type family struct {
	token.Wording // beside it, words of any follow-up may stand
	object        object
	plain         string // "$" stands for the object
	en            string // the same for a message in English
	of            func(done *language.Reading) bool
}

// object is what kind of thing a family is about.
type object uint8

const (
	nothing object = iota
	anything
	aName
	aNumber
	aPeriod
	aDimension
	aPlace // a warehouse with its preposition
	rows   // a dimension in the plural
	aSpan  // a length of time: "недели", "7 дней"
	aMeasure
)

// besideAll are words that carry on a conversation, and change nothing that is said.
var besideAll = words.Set("а и ну но тогда теперь еще давай давайте можно пожалуйста плиз плз мне нам меня нас " +
	"же ка вот сразу это лучше покажи покажите дай дайте выведи сделай сделайте глянь посмотри хочу нужно " +
	"надо если бы то там тут здесь нет точнее вернее ой из в во отчете отчета списка списке таблицы таблице " +
	"пусть будет and the please just now then me show let lets us can you it")

// read returns the message in the plain words of the family, and whether it is of the family.
func (f *family) read(s *sentence) (plain string, ok bool) {
	rest, ok := f.Rest(s.ts, nil)
	rest = slices.DeleteFunc(rest, func(i int) bool { return besideAll[s.norm(i)] && !s.inName(i) })
	if !ok || (len(rest) > 0) != (f.object != nothing) || f.signed(s) {
		return "", false
	}
	form := f.plain
	if f.en != "" && !s.cyrillic() {
		form = f.en
	}
	if f.object == nothing {
		return form, true
	}
	from, to := rest[0], rest[len(rest)-1]+1
	for i := from; i < to; i++ {
		if f.needs(s.norm(i)) {
			return "", false // the object is in two places
		}
	}
	text, ok := f.textOf(s, from, to)
	return strings.ReplaceAll(form, "$", text), ok
}

// needs reports whether a word is of a class that the family needs.
func (f *family) needs(w string) bool {
	return slices.ContainsFunc(f.Needs, func(class map[string]bool) bool { return class[w] })
}

// signed reports whether a message has a plus that is no word of the family: "+5" is no number of rows.
func (f *family) signed(s *sentence) bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return t.Norm == "+" && !f.needs(t.Norm) })
}

// cyrillic reports whether a message begins in Russian; a name may be in another alphabet.
func (s *sentence) cyrillic() bool {
	for _, t := range s.ts {
		if t.Kind == token.Word {
			return t.Cyrillic
		}
	}
	return true
}

// most is the highest number that a family takes.
func (f *family) most() int {
	if f.plain == "топ $" {
		return mostTop
	}
	return mostDays
}

const mostDays = 1000

// textOf returns the object at tokens [from, to) in the words of the message, and whether it is of the family's
// kind.
func (f *family) textOf(s *sentence, from, to int) (text string, ok bool) {
	switch f.object {
	case anything: // "the others" are not known
		return s.words(from, to), !slices.ContainsFunc(s.ts, func(t token.Token) bool { return otherOnes[t.Norm] })
	case aNumber:
		n := quantity.Numeral(s.norm(from))
		if s.ts[from].Kind == token.Number {
			n, _ = strconv.Atoi(s.norm(from))
		}
		return strconv.Itoa(n), n > 0 && n <= f.most() && to == from+1
	case aSpan:
		return s.words(from, to), words.TimeUnitOf(s.norm(to-1)) != words.NoTime && to-from <= 2
	case aMeasure:
		k := slices.IndexFunc(s.parts, func(p part) bool { return p.core <= from && to <= p.to })
		return s.words(from, to), k >= 0 && s.parts[k].slots[0] == slot(typed.SpanMeasure)
	case aDimension:
		return f.dimensions(s, from, to)
	case rows:
		w := []rune(s.norm(to - 1))
		if last := w[max(len(w)-1, 0):]; string(last) != "и" && string(last) != "ы" && string(last) != "s" {
			return "", false
		}
		return f.dimensions(s, from, to)
	case aPlace:
		i := slices.IndexFunc(s.parts, func(p part) bool { return p.from <= from && from < p.to })
		if i < 0 || !slices.Equal(s.parts[i].slots, []slot{"store"}) || s.parts[i].to < to ||
			s.parts[i].from == s.parts[i].core {
			return "", false
		}
		return s.words(s.parts[i].from, s.parts[i].to), true
	default:
		kinds := nameSlots
		if f.object == aPeriod {
			kinds = []slot{slot(typed.SpanPeriod)}
		}
		first, last := to, from
		for i := from; i < to; i++ {
			k := slices.IndexFunc(s.parts, func(p part) bool { return p.from <= i && i < p.to })
			if k >= 0 && !overlap(s.parts[k].slots, kinds) || k < 0 && !s.ts[i].Punctuation() &&
				!joinsNames[s.norm(i)] {
				return "", false
			}
			if k >= 0 && i >= s.parts[k].core {
				first, last = min(first, s.parts[k].core), s.parts[k].to
			}
		}
		excluded := slices.ContainsFunc(s.ts[from:to], func(t token.Token) bool { return excludes[t.Norm] })
		return s.words(first, last), first < last && !excluded // "хочу увидеть кроме посуды"
	}
}

var joinsNames = words.Set("и или and or")

// dimensions returns what to show the figures by, as in "по складам и товарам".
func (f *family) dimensions(s *sentence, from, to int) (text string, ok bool) {
	var list []string
	for i := from; i < to; i++ {
		p := slices.IndexFunc(s.parts, func(p part) bool { return p.from <= i && i < p.to })
		switch {
		case p < 0 && (joinsNames[s.norm(i)] || eachWords[s.norm(i)]):
		case p < 0 || s.parts[p].slots[0] != slot(typed.SpanDimension) || byWhat[s.parts[p].id] == "":
			return "", false
		case i == s.parts[p].core && s.cyrillic():
			list = append(list, byWhat[s.parts[p].id])
		case i == s.parts[p].core:
			list = append(list, strings.ReplaceAll(cmp.Or(inEnglish[s.parts[p].id], s.parts[p].id), "_", " "))
		}
	}
	if !s.cyrillic() {
		return strings.Join(list, " and "), len(list) > 0
	}
	return strings.Join(list, " и "), len(list) > 0
}

var inEnglish = map[string]string{"counterparty": "customer"}

var eachWords = words.Set("каждый каждая каждое каждому каждой каждую каждым отдельный отдельным отдельному " +
	"отдельной")

// byWhat are the words for what figures are shown by.
var byWhat = map[string]string{"day": "дням", "week": "неделям", "month": "месяцам", "quarter": "кварталам",
	"year": "годам", "weekday": "дням недели", "hour": "часам", "product": "товарам", "group": "группам",
	"store": "складам", "counterparty": "покупателям", "supplier": "поставщикам", "employee": "сотрудникам",
	"sales_channel": "каналам продаж", "project": "проектам", "account": "счетам", "price_type": "типам цен",
	"expense_item": "статьям расходов", "organization": "юрлицам"}

// inFamily returns a follow-up in the plain words of the first family that it is of; "" if it is of none.
func inFamily(task string, in language.Input) string {
	done := in.Previous
	in.Previous, in.Rows = nil, nil
	t := &talk{in: in}
	var s *sentence
	folded := strings.TrimSpace(words.Fold(strings.Trim(task, " ?.!,")))
	for i := range families {
		f := &families[i]
		if f.of != nil && !f.of(done) {
			continue
		}
		if s == nil {
			s = t.parts(task, false)
		}
		if plain, ok := f.read(s); ok && words.Fold(plain) != folded {
			return plain
		}
	}
	return ""
}
