package talk

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	lastOne = words.Set("последний последняя последнее последнюю последнего последней последнем последним last " +
		"latest newest")
	inside = words.Set("нем нём ней них внутри it them inside")
	// aroundLast stand beside them in a message that asks for the last document, or for what is in it.
	aroundLast = words.Set("а и в во что чего было был была были какой какая какое когда покажи открой дай " +
		"выведи посмотри там из них самый самая самую а-то приемка приемку приемке приемки поставка поставку " +
		"поставке закупка закупку закупке возврат возврате заказ заказе заказы отгрузка отгрузку отгрузке " +
		"платеж платеже оплата оплату документ документе накладная накладную накладной the one what whats s " +
		"was is were in on of and show open me when which receipt delivery shipment order payment return " +
		"document purchase")
)

// kindsOf are the types of documents behind the sums of queries.
var kindsOf = map[string][]string{"purchases": {"supply"}, "deliveries": {"supply"}, "returns": {"salesreturn",
	"retailsalesreturn"}, "orders_sum": {"customerorder"}, "orders": {"customerorder"},
	"ordered":         {"purchaseorder"},
	"purchase_orders": {"purchaseorder"}, "sales": {"demand", "retaildemand"}, "money_in": {"paymentin", "cashin"},
	"money_out": {"paymentout", "cashout"}, "written_off": {"loss"}, "unshipped": {"customerorder"},
	"not_received": {"purchaseorder"}, "open_orders": {"purchaseorder"}, "last_purchase": {"supply"},
	"latest_sale": {"demand", "retaildemand"}}

// lastDocument reads "что было в последней", "whats in them" and "the last one" after sums of documents, which have
// no rows of documents, as the list of those documents: the last one, or all of them (rule R651). Each is opened by
// its row. It returns nil for any other message.
func (t *talk) lastDocument(m *message) *language.Reading {
	task, in := m.task, m.in
	last, opens := says(task, lastOne, aroundLast), says(task, inside, aroundLast)
	if t.done == nil || !last && (!opens || !asksInside(task)) {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if base.Query == nil || slices.Contains(base.Query.By, "product") {
		return nil
	}
	list, ok := listOf(base.Query)
	if !ok {
		return nil
	}
	only := slices.ContainsFunc(base.Query.Measures, func(m string) bool { return onlyLast[m] })
	if last || only {
		list.Limit = 1
		if only && list.From == "" {
			list.From, list.To = lastYear(in.Now)
		}
	}
	return &language.Reading{Task: task, Language: languageOf(task, in),
		Skill: language.Documents, Input: list, FollowUp: true, Confidence: 1}
}

// lastYear is the year until today, in which the last documents are looked for.
func lastYear(now time.Time) (from, to tool.Day) {
	return tool.Day(now.AddDate(-1, 0, 1).Format(time.DateOnly)), tool.Day(now.Format(time.DateOnly))
}

// lastDays is the period of figures and lists that name none: the last 30 days.
func lastDays(now time.Time) (from, to tool.Day) {
	const days = 30
	return tool.DayOf(now.AddDate(0, 0, 1-days)), tool.DayOf(now)
}

// onlyLast are the measures that tell of one document, which is the last.
var onlyLast = words.Set("last_purchase latest_sale")

// asksInside reports whether a message asks what is in something: "что в них".
func asksInside(task string) bool {
	return slices.ContainsFunc(token.Split(task), func(x token.Token) bool {
		return x.Norm == "что" || x.Norm == "what" || x.Norm == "whats" || x.Norm == "внутри" || x.Norm == "inside"
	})
}

var debtSides = words.Set("owed_to_us owed_by_us")

// listOf returns the list of the documents that a query sums up; false if it has conditions that no list has.
func listOf(q *analysis.Query) (list lookup.Documents, ok bool) {
	if q.Compare != nil || q.Explain || q.Limit > 0 || len(q.Define) > 0 {
		return list, false
	}
	for _, m := range q.Measures {
		kinds := kindsOf[m]
		if debtSides[m] && len(q.Measures) > 1 {
			continue // it is shown beside what was paid
		}
		if kinds == nil || list.Kinds != nil && !slices.Equal(kinds, list.Kinds) {
			return list, false
		}
		list.Kinds = kinds
	}
	list.From, list.To = q.From, q.To
	for _, w := range q.Where {
		var names []string
		for _, v := range w.Values {
			names = append(names, string(v))
		}
		left := len(w.Values) == 1 && w.Values[0] == "0" && (w.Op == analysis.Greater || w.Op == analysis.NotEqual)
		switch {
		case w.Field == "unshipped" && left:
			list.Unshipped = true
		case (w.Field == "not_received" || w.Field == "open_orders") && left:
			list.NotReceived = true
		case w.Op != analysis.In || w.Of != "":
			return list, false
		case w.Field == "counterparty" || w.Field == "supplier" && list.Kinds[0] == "supply":
			list.Counterparties = append(list.Counterparties, names...)
		case w.Field == "store":
			list.Stores = append(list.Stores, names...)
		case w.Field == "document_type":
			list.Kinds = names
		case w.Field == "product" && onlyLast[q.Measures[0]]:
			list.Products = append(list.Products, names...)
		default:
			return list, false
		}
	}
	return list, len(list.Kinds) > 0
}

var (
	incoming    = words.Set("входящие входящий поступления приходные приход incoming received")
	outgoing    = words.Set("исходящие исходящий расходные расход списания outgoing sent")
	aroundKinds = words.Set("а и только лишь платежи ордера оплаты покажи из них only just the ones payments show")
)

// onlyKinds reads "только входящие" after payments of both directions as those of one; nil for any other message.
func (t *talk) onlyKinds(m *message) *language.Reading {
	task := m.task
	in, out := says(task, incoming, aroundKinds), says(task, outgoing, aroundKinds)
	var list lookup.Documents
	if t.done == nil || t.done.Skill != language.Documents || !in && !out || !decode(t.done.Input, &list) {
		return nil
	}
	n := len(list.Kinds)
	list.Kinds = slices.DeleteFunc(list.Kinds, func(kind string) bool {
		return in && (kind == "paymentout" || kind == "cashout") || out && (kind == "paymentin" || kind == "cashin")
	})
	if len(list.Kinds) == 0 || len(list.Kinds) == n {
		return nil
	}
	return &language.Reading{Task: task, Language: languageOf(task, t.in),
		Skill: language.Documents, Input: list, FollowUp: true, Confidence: 1}
}

// ourPayments makes a list of incoming payments one of ours behind what we owe: "когда последний раз платили" (rule
// R923).
func ourPayments(x, last *language.Reading) {
	var list lookup.Documents
	paying := false
	for _, w := range token.Split(x.Task) {
		if paying = paying || payingWords[w.Norm]; byOthers[w.Norm] {
			return
		}
	}
	if x.Skill != language.Documents || !paying || last == nil || !owedByUs(last) ||
		!decode(x.Input, &list) || !slices.Equal(list.Kinds, []string{"paymentin", "cashin"}) {
		return
	}
	list.Kinds = []string{"paymentout", "cashout"}
	x.Input = list
}

var (
	payingWords = words.Set("платили платил заплатили заплатил оплатили оплатил оплачивали перечисляли paid pay")
	byOthers    = words.Set("нам нас кто клиент клиенты покупатель покупатели us who customers customer they")
)

// owedByUs reports whether an answer was what we owe, and not what we are owed.
func owedByUs(done *language.Reading) bool {
	if q := done.Query; q != nil {
		return slices.Contains(q.Measures, "owed_by_us") && !slices.Contains(q.Measures, "owed_to_us")
	}
	return done.Skill == language.Receivables && done.Arguments.Direction == "owed_by_us"
}

// decode reads the input of a call, which is a map where it was stored.
func decode(input, to any) bool {
	raw, err := json.Marshal(input)
	return err == nil && json.Unmarshal(raw, to) == nil
}

// keepKinds gives a list of documents that a message narrows the types of the list before: "from Alfa" after the
// unpaid
// orders of customers is about no other orders.
func keepKinds(x, last *language.Reading) {
	var now, old lookup.Documents
	if x.Skill != language.Documents || last.Skill != language.Documents || !decode(x.Input, &now) ||
		!decode(last.Input, &old) || len(now.Kinds) <= len(old.Kinds) {
		return
	}
	if !slices.ContainsFunc(old.Kinds, func(kind string) bool { return !slices.Contains(now.Kinds, kind) }) {
		now.Kinds = old.Kinds
		x.Input = now
	}
}
