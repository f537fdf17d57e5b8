package talk

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// reversedList reads "наоборот" and "в обратном порядке" after a list of documents as the same list from its other end
// (rule R1183). It returns nil for any other message.
func (t *talk) reversedList(m *message) *language.Reading {
	list, ok := t.listShown()
	if !ok || list.By != "" || !wording(join(aroundReversed, inWords), reversing).Is(token.Split(m.task), nil) {
		return nil
	}
	other := map[string]string{"": "oldest", "newest": "oldest", "oldest": "", "largest": "smallest",
		"smallest": "largest"}
	order, known := other[list.Order]
	if !known {
		return nil
	}
	list.Order = order
	return t.listAgain(m, list)
}

// restrictedList reads "только новые", "какие из них не оплачены" and "the ones from Alfa" after a list of documents as
// the same list with that state or partner (rule R1183): figures of documents have no states. It returns nil for any
// other message.
func (t *talk) restrictedList(m *message) *language.Reading {
	list, ok := t.listShown()
	if !ok || list.By != "" || len(list.Kinds) == 0 {
		return nil
	}
	var said []string
	for _, x := range token.Split(m.task) {
		switch {
		case x.Punctuation(), onlyWords[x.Norm], leads[x.Norm], ofTheList[x.Norm], list.Kinds[0] == listNoun[x.Norm]:
		case x.Kind != token.Word:
			return nil
		default:
			said = append(said, x.Raw)
		}
	}
	const most, mostOfPartner = 2, 5
	ofPartner := len(said) > 1 && ofPartnerWords[strings.ToLower(said[0])] && len(said) <= mostOfPartner
	if len(said) == 0 || len(said) > most && !ofPartner {
		return nil
	}
	noun, ok := listNouns[list.Kinds[0]]
	if !ok {
		return nil
	}
	text, documents := strings.Join(said, " "), noun[strings.ContainsAny(said[0], latin)]
	if text += " " + documents; ofPartner {
		text = documents + " " + strings.Join(said, " ")
	}
	x := *t.task(text)
	var alone lookup.Documents
	if x.Skill == language.Documents && len(x.Unknown) > 0 && t.unsearched() {
		x.Task, x.FollowUp = m.task, true
		return &x
	}
	if !complete(&x) || x.Skill != language.Documents || !decode(x.Input, &alone) {
		return nil
	}
	only := lookup.Documents{Kinds: alone.Kinds, States: alone.States, Unpaid: alone.Unpaid, Unshipped: alone.Unshipped,
		NotReceived: alone.NotReceived, Overdue: alone.Overdue, Posted: alone.Posted}
	if ofPartner {
		only.Counterparties = alone.Counterparties
	}
	if !sameList(only, alone) || sameList(only, lookup.Documents{Kinds: alone.Kinds}) {
		return nil
	}
	list = t.withPeriod(list)
	if len(only.States) > 0 {
		list.States = only.States
	}
	if ofPartner {
		list.Counterparties = only.Counterparties
	}
	list.Unpaid, list.Unshipped = list.Unpaid || only.Unpaid, list.Unshipped || only.Unshipped
	list.NotReceived, list.Overdue = list.NotReceived || only.NotReceived, list.Overdue || only.Overdue
	if only.Posted != nil {
		list.Posted = only.Posted
	}
	return t.listAgain(m, list)
}

// withPeriod states the period of a list that has it by default, where a state would lift it.
func (t *talk) withPeriod(list lookup.Documents) lookup.Documents {
	if list.From == "" && list.To == "" && !list.OfAnyTime() {
		list.From, list.To = lastDays(t.in.Now)
	}
	return list
}

// listShown returns the list of documents that the answer before showed.
func (t *talk) listShown() (list lookup.Documents, ok bool) {
	return list, t.done != nil && t.done.Skill == language.Documents && decode(t.done.Input, &list)
}

// listAgain returns the list before, changed.
func (t *talk) listAgain(m *message, list lookup.Documents) *language.Reading {
	return &language.Reading{Task: m.task, Language: languageOf(m.task, m.in), Skill: language.Documents, Input: list,
		FollowUp: true, Confidence: 1}
}

func sameList(a, b lookup.Documents) bool {
	return same(&language.Reading{Skill: language.Documents, Input: a}, &language.Reading{Skill: language.Documents,
		Input: b})
}

var (
	inWords   = words.Set("в показать покажи теперь them it show")
	ofTheList = words.Set("из них те которые какие что кто такие among them those ones the of which are")
	// ofPartnerWords stand before the partner of documents.
	ofPartnerWords = words.Set("от у для from for by of")
	latin          = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// listNouns are the types of documents that a list is of, in Russian and (true) in English.
	listNouns = map[string]map[bool]string{
		"customerorder": {false: "заказы покупателей", true: "customer orders"},
		"purchaseorder": {false: "заказы поставщикам", true: "supplier orders"},
		"demand":        {false: "отгрузки", true: "shipments"},
		"supply":        {false: "приёмки", true: "receipts"},
		"invoiceout":    {false: "счета покупателям", true: "customer invoices"},
		"invoicein":     {false: "счета поставщиков", true: "supplier invoices"},
		"move":          {false: "перемещения", true: "transfers"},
	}
	listNoun = map[string]string{"заказы": "customerorder", "orders": "customerorder", "отгрузки": "demand",
		"shipments": "demand", "приемки": "supply", "поставки": "supply", "перемещения": "move"}
)
