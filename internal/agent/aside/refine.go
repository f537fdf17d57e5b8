package aside

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Refined reads a message that asks for more of the last answer than its table has: all rows of a limited one, or the
// card of the one thing that it is about. It returns nil for any other message.
func Refined(message string, previous *language.Reading, rows *refer.Rows) *language.Reading {
	if n := firstRows(message); n > 0 {
		if r := unlimited(message, previous); r != nil {
			return limited(r, n)
		}
		return nil
	}
	if r := contacts(message, rows); r != nil {
		return r
	}
	switch act.Read(message).Kind {
	case act.All, act.More:
		return unlimited(message, previous)
	case act.Details:
		if rows != nil && len(rows.IDs) == 1 {
			return card(message, rows, 0)
		}
	case act.None:
		if i, ok := detailsOf(message, rows, previous != nil && cards[previous.Skill]); ok {
			return card(message, rows, i)
		}
	default:
	}
	return nil
}

// unlimited returns the previous reading without its limit, if it has one.
func unlimited(message string, previous *language.Reading) *language.Reading {
	if previous == nil || !previous.Skill.Reads() {
		return nil
	}
	r := *previous
	r.Task = message
	switch {
	case r.Query != nil && r.Query.Limit > 0:
		q := *r.Query
		q.Limit, r.Query = 0, &q
	case r.Query == nil && r.Arguments.Limit > 0:
		r.Arguments.Limit = 0
	default:
		return nil
	}
	return &r
}

// limited limits a reading to its first rows.
func limited(r *language.Reading, n int) *language.Reading {
	if r.Query != nil {
		r.Query.Limit = n
	} else {
		r.Arguments.Limit = n
	}
	return r
}

// contactFields is the input of the list of contacts.
type contactFields struct {
	Entity string        `json:"entity"`
	Fields []string      `json:"fields"`
	Filter []nameIsExact `json:"filter"`
	Limit  int           `json:"limit"`
}

type nameIsExact struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// mostContacts is how many names a list of contacts selects.
const mostContacts = 40

// contacts reads "дай их телефоны" after a table of customers or suppliers as the list of their contacts (rule R523).
func contacts(message string, rows *refer.Rows) *language.Reading {
	if rows == nil || rows.Dimension != "counterparty" && rows.Dimension != "supplier" {
		return nil
	}
	ts := token.Split(message)
	refs := rows.Refer(ts)
	if len(refs) == 0 && !rows.More && len(rows.IDs) > 0 { // "телефоны" are of all that was shown
		ref := refer.Reference{}
		for i := range rows.IDs {
			ref.Rows = append(ref.Rows, i)
		}
		refs = append(refs, ref)
	}
	if len(refs) != 1 || len(refs[0].Rows) == 0 || refs[0].Ambiguous {
		return nil
	}
	asks := false
	for i, t := range ts {
		switch {
		case slices.Contains(refs[0].At, i), t.Kind == token.Mark, aroundDetails[t.Norm]:
		case contactWords[t.Norm]:
			asks = true
		default:
			return nil
		}
	}
	if !asks {
		return nil
	}
	if len(refs[0].Rows) == 1 {
		return card(message, rows, refs[0].Rows[0])
	}
	in := contactFields{Entity: "counterparty", Fields: []string{"name", "phone", "email"}, Limit: mostContacts}
	for _, i := range refs[0].Rows[:min(mostContacts, len(refs[0].Rows))] {
		in.Filter = append(in.Filter, nameIsExact{"name", rows.Names[i]})
	}
	return &language.Reading{Task: message, Skill: language.Fields, Input: in, Confidence: 1}
}

var contactWords = words.Set("телефон телефоны телефончики номера контакты контакт почта почты почту емейл емейлы " +
	"имейлы адреса связаться phone phones numbers contacts contact email emails mail")

// cards are the skills that show one thing: "а второй?" after one asks for another.
var cards = map[language.Skill]bool{language.Product: true, language.Counterparty: true, language.Document: true}

// detailsOf reads "второй подробнее" and "карточка первого": a row, and a word for details, which needs not be said
// after a card.
func detailsOf(message string, rows *refer.Rows, asked bool) (row int, ok bool) {
	if i, ok := rows.Opened(message); ok {
		return i, true
	}
	ts := token.Split(message)
	refs := rows.Refer(ts)
	if len(refs) == 0 && rows != nil && rows.Dimension == "document" && len(rows.IDs) == 1 { // "whats inside"
		refs = append(refs, refer.Reference{Rows: []int{0}})
	}
	if len(refs) != 1 || len(refs[0].Rows) != 1 {
		return 0, false
	}
	for _, i := range refs[0].At {
		ts[i].Use = token.AsName
	}
	asked = refs[0].Placed && (asked || rows.Dimension == "document") // "the last one" of a list of documents
	for _, t := range ts {
		switch {
		case t.Use == token.AsName, t.Kind == token.Mark, aroundDetails[t.Norm]:
		case rows.Dimension == "document" && (insideWords[t.Norm] || documentWords[t.Norm]):
			asked = true
		case strings.HasPrefix(t.Norm, "подроб"), strings.HasPrefix(t.Norm, "детал"),
			strings.HasPrefix(t.Norm, "карточк"), detailWords[t.Norm]:
			asked = true
		default:
			return 0, false
		}
	}
	return refs[0].Rows[0], asked
}

var (
	// what a document says beside its lines, and what may stand around: "последняя когда", "что было в ней"
	documentWords = words.Set("было был была когда дата оплачен оплачена отгружен отгружена сумма сумму is was " +
		"paid shipped when been has it them посмотри глянь посмотреть")
	insideWords = words.Set("там что чего че в во внутри состав содержимое позиции строки товары what what's s " +
		"in inside contents lines items")
	detailWords   = words.Set("details detail card открой open раскрой расскажи more")
	aroundDetails = words.Set("а про о об по покажи можно пожалуйста мне show me the of about in please дай на " +
		"для for у tell on give and и what whats one напиши выпиши скинь кинь пришли нужен нужны их самого самой самый самую у него неё нее very его ее её")
)

// card asks for the card of a row.
func card(message string, rows *refer.Rows, i int) *language.Reading {
	r := &language.Reading{Task: message, Confidence: 1}
	switch {
	case rows.IDs[i] == "":
		return nil
	case rows.Dimension == "product" || rows.Dimension == "variant":
		r.Skill, r.Input = language.Product, lookup.Product{Product: rows.IDs[i]}
	case rows.Dimension == "counterparty" || rows.Dimension == "supplier":
		r.Skill, r.Input = language.Counterparty, lookup.Counterparty{Counterparty: rows.IDs[i]}
	case rows.Dimension == "document":
		r.Skill, r.Input = language.Document, lookup.Document{ID: rows.IDs[i]}
	default:
		return nil
	}
	return r
}
