package talk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofPartnerShown reads what only a partner can do or have after figures of one partner, "how much did they pay", "what
// do they owe", "телефон дай", as a question about that partner (rule R1175): the rows that were shown may be goods. It
// returns nil for any other message.
func ofPartnerShown(task string, in language.Input) *language.Reading {
	if in.Previous == nil || !in.Previous.Skill.Reads() || ofCard[in.Previous.Skill] {
		return nil
	}
	of := conditionsOf(in.Previous)
	at := slices.IndexFunc(of, func(w analysis.Condition) bool { return partnerFields[w.Field] })
	if at < 0 || of[at].Op != analysis.In || len(of[at].Values) != 1 ||
		in.Rows != nil && len(in.Rows.IDs) > 1 && partnerFields[in.Rows.Dimension] {
		return nil
	}
	ts := token.Split(task)
	they := has(task, thePartner)
	l := languageOf(task, in)
	name := string(of[at].Values[0])
	alone := in
	alone.Previous, alone.Rows, alone.Earlier = nil, nil, nil
	quoted := "«" + strings.Trim(cmp.Or(in.NameOf(name), name), "«»") + "»"
	if strings.Contains(quoted[2:len(quoted)-2], "«") {
		quoted = cmp.Or(in.NameOf(name), name)
	}
	var x language.Reading
	switch {
	case wording(aroundThePartner, contactNouns).Is(ts, nil):
		x = language.Read(l.Pick("телефон ", "contacts of ")+quoted, alone)
	case they && wording(aroundThePartner, oweVerbs).Is(ts, nil):
		x = language.Reading{Language: l, Skill: language.Receivables, Confidence: 1, Arguments: language.Arguments{
			Counterparties: []string{name}, Direction: "owed_to_us"}}
	case they && wording(aroundThePartner, payVerbs).Is(ts, nil):
		q := analysis.Query{Measures: []string{"money_in"}, Where: []analysis.Condition{oneOf("counterparty",
			[]string{name})}}
		q.From, q.To = periodOf(in.Previous)
		if !query.Possible(in.Catalogue, q) {
			return nil
		}
		return changedTo(task, l, &q)
	}
	if !complete(&x) || !x.Skill.Reads() {
		return nil
	}
	x.Task, x.FollowUp, x.Language = task, true, l
	return &x
}

var (
	thePartner       = words.Set("they them he she him her his their")
	contactNouns     = words.Set("телефон телефоны телефончик контакт контакты номер почта почту phone contacts email number")
	oweVerbs         = words.Set("owe owes owed debt")
	payVerbs         = words.Set("pay paid pays")
	aroundThePartner = words.Set("а и дай дайте покажи скинь скажи какой какая какие есть его ее её их у них него нее неё мне " +
		"кинь напиши плиз пожалуйста еще and what is their them they do did have has how much to us him her his give show " +
		"send me the please he she still number of so far in total")
)
