package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// lastOfPartners reads "когда от них был последний приход" after suppliers, and "когда они последний раз платили" and
// "что они брали в последний раз" after customers, as that of each of them (rule R1042). It returns nil for any other
// message.
func (t *talk) lastOfPartners(m *message) *language.Reading {
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	ts := token.Split(m.task)
	wants := func(event map[string]bool, more ...map[string]bool) bool {
		of := wording(join(aroundLastOf, whenOf), append(more, lastTimeWords, event)...)
		return of.Is(ts, aroundRows)
	}
	suppliers := ofSuppliers(t.done)
	partners := t.partners(m, suppliers)
	if len(partners) == 0 {
		return nil
	}
	q := analysis.Query{By: []string{"supplier"}, Where: partners}
	switch {
	case suppliers && (wants(broughtWords) || wants(takeWords) || wants(arrivals)):
		q.Measures = []string{"last_purchase"}
	case suppliers && wants(payments):
		return t.lastPayments(m, partners, "paymentout", "cashout")
	case suppliers:
		return nil
	case wants(payments):
		return t.lastPayments(m, partners, "paymentin", "cashin")
	case wants(join(takeWords, sellsTo), whatWords):
		q.Measures, q.By = []string{"last_sale"}, []string{"product"}
		q.Order = []analysis.Order{{Field: "last_sale", Direction: analysis.Descending}}
		if len(partners[0].Values) > 1 {
			q.By = []string{"counterparty", "product"}
		}
	case wants(join(takeWords, sellsTo)):
		q.Measures, q.By = []string{"latest_sale"}, []string{"counterparty"}
	default:
		return nil
	}
	timed := func(x token.Token) bool { return timesAsked[x.Norm] }
	if len(partners[0].Values) == 1 && !slices.ContainsFunc(ts, timed) {
		return nil // "последняя продажа" of one partner is a document
	}
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

// partners returns the condition on the partners that were shown, or on the goods that the suppliers shown supply.
func (t *talk) partners(m *message, suppliers bool) []analysis.Condition {
	field := "counterparty"
	if suppliers {
		field = "supplier"
	}
	rows := m.shown
	switch {
	case t.done.Query != nil && suppliers && len(t.done.Query.By) > 1 && slices.Contains(t.done.Query.By, "product"):
		for _, w := range t.done.Query.Where {
			if w.Field == "product" && w.Op == analysis.In {
				return []analysis.Condition{w}
			}
		}
		return nil
	case rows == nil || rows.Earlier || rows.More || rows.Dimension != "counterparty" && rows.Dimension != "supplier":
		return nil
	}
	ids := slices.DeleteFunc(slices.Clone(rows.IDs), func(id string) bool { return id == "" })
	if rows.Top && !saysSeveral(m.task) && len(ids) > 1 {
		ids = ids[:1]
	}
	if len(ids) == 0 {
		return nil
	}
	return []analysis.Condition{oneOf(field, ids)}
}

// saysSeveral reports whether a message speaks of several: "они", "у них".
func saysSeveral(task string) bool {
	return !saysOne(task) && slices.ContainsFunc(token.Split(task), func(x token.Token) bool {
		return severalWords[x.Norm] || thirdPlural[x.Norm] // "когда платили ему" is what we paid
	})
}

var (
	severalWords = words.Set("они их них ним ними эти этих все всех каждый каждого they them their these those " +
		"all each")
	thirdPlural = words.Set("платили покупали брали привозили поставляли заказывали")
)

// lastPayments lists the payments of some partners over the last year, newest first; of one partner the last one.
func (t *talk) lastPayments(m *message, partners []analysis.Condition, kinds ...string) *language.Reading {
	if partners[0].Field == "product" {
		return nil
	}
	list := lookup.Documents{Kinds: kinds}
	list.From, list.To = lastYear(m.in.Now)
	for _, id := range partners[0].Values {
		name := string(id)
		if i := slices.Index(m.shown.IDs, name); i >= 0 && m.shown.Names[i] != "" {
			name = m.shown.Names[i]
		}
		list.Counterparties = append(list.Counterparties, name)
	}
	if len(list.Counterparties) == 1 {
		list.Limit = 1
	}
	return &language.Reading{Task: m.task, Language: languageOf(m.task, m.in), Skill: language.Documents, Input: list,
		FollowUp: true, Confidence: 1}
}

// ofSuppliers reports whether the rows of an answer are suppliers, or what we owe or bought from partners.
func ofSuppliers(done *language.Reading) bool {
	if done.Skill == language.Reference {
		var list struct{ Kind string }
		return decode(done.ToolInput(), &list) && list.Kind == "suppliers"
	}
	if done.Skill == language.Receivables {
		return done.Arguments.Direction == "owed_by_us"
	}
	if done.Query == nil {
		return false
	}
	return slices.Contains(done.Query.By, "supplier") || slices.Contains(done.Query.By, "counterparty") &&
		slices.ContainsFunc(done.Query.Measures, func(m string) bool { return ofBuying[m] })
}

var (
	ofBuying = words.Set("purchases deliveries quantity_received ordered owed_by_us open_orders last_purchase " +
		"purchase_orders not_received supplier_overdue_days our_debt_age")

	arrivals = words.Set("приход прихода поступление поступления привоз привоза завоз завоза приемка приемки " +
		"приемку приехало приезжали пришло поступало shipment receipt supply supplied")
	payments = words.Set("платили платил заплатили заплатил оплатили оплатил оплачивали платеж платежи платежа " +
		"оплата оплаты оплату перечисляли paid pay payment payments платим заплатила платила")
	sellsTo = words.Set("отгружали отгрузили отгрузка отгрузки продавали продали продажа продажи заказ заказа " +
		"покупка покупки sale sold shipped ordered")
	timesAsked   = words.Set("раз когда давно when time")
	whenOf       = words.Set("когда when дата дату какого числа день давно")
	aroundLastOf = words.Set("раз от с со был была было были когда время самый самая самое последний последняя " +
		"from date and то что что-то что-нибудь")
)
