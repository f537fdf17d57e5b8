package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// otherSide reads "а поставщики" after figures or a list of customers as the same of suppliers, and the other way
// round (rule R1165): what customers bought becomes what was bought from suppliers. It returns nil for any other
// message.
func (t *talk) otherSide(m *message) *language.Reading {
	ts := token.Split(m.task)
	suppliers := wording(aroundSides, suppliersOnly).Is(ts, nil)
	if t.done == nil || !t.done.Skill.Reads() || !suppliers && !wording(aroundSides, customersOnly).Is(ts, nil) {
		return nil
	}
	l := languageOf(m.task, m.in)
	var list struct{ Kind string }
	if t.done.Skill == language.Reference && decode(t.done.ToolInput(), &list) {
		text := ""
		switch {
		case suppliers && list.Kind != "suppliers":
			text = l.Pick("сколько у нас поставщиков", "how many suppliers do we have")
		case !suppliers && list.Kind == "suppliers":
			text = l.Pick("сколько у нас клиентов", "how many customers do we have")
		default:
			return nil
		}
		return t.asTask(m, text)
	}
	base := t.done.Composed(m.in.Catalogue).Query
	if base != nil && len(base.By) == 0 && slices.Equal(base.Measures, []string{"receipts"}) && suppliers {
		return t.asTask(m, l.Pick("сколько у нас поставщиков", "how many suppliers do we have"))
	}
	from, to, swaps := "counterparty", "supplier", asBought
	if !suppliers {
		from, to, swaps = "supplier", "counterparty", asSold
	}
	if base == nil || !slices.Contains(base.By, from) {
		return nil
	}
	q := *base
	q.Measures, q.By, q.Order = nil, slices.Clone(q.By), slices.Clone(q.Order)
	for _, measure := range base.Measures {
		if other := swaps[measure]; other != "" && !slices.Contains(q.Measures, other) {
			q.Measures = append(q.Measures, other)
		}
	}
	q.By[slices.Index(q.By, from)] = to
	q.Order = slices.DeleteFunc(q.Order, func(o analysis.Order) bool { return swaps[o.Field] == "" })
	for i, o := range q.Order {
		q.Order[i].Field = swaps[o.Field]
	}
	if len(q.Measures) == 0 || !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, l, &q)
}

// asTask is a task of its own in the place of a message.
func (t *talk) asTask(m *message, text string) *language.Reading {
	x := *t.task(text)
	if !complete(&x) {
		return nil
	}
	x.Task, x.FollowUp = m.task, true
	return &x
}

var (
	suppliersOnly = words.Set("поставщики поставщиков поставщикам поставщик suppliers vendors")
	customersOnly = words.Set("покупатели покупателей покупателям клиенты клиентов клиентам customers buyers clients")
	aroundSides   = words.Set("а и сколько какие у нас по покажи что с and what about the how many show top топ а-то")
	asBought      = map[string]string{"revenue": "purchases", "sales": "purchases", "profit": "purchases",
		"quantity": "quantity_received", "receipts": "deliveries", "owed_to_us": "owed_by_us"}
	asSold = map[string]string{"purchases": "revenue", "quantity_received": "quantity", "deliveries": "receipts",
		"owed_by_us": "owed_to_us"}
)
