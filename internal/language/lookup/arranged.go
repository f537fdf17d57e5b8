package lookup

import (
	"reflect"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// rank takes the order of the documents, and how many of them: "топ 5", "самый большой заказ" (rule R1139).
func (d *papers) rank(it, prev, next *item) {
	if d.ranked != nil && d.in.Order != it.id { // "самые старые по сумме"
		if d.ranked.id != "largest" || !tops[d.ts[d.ranked.at].Norm] {
			return
		}
	}
	if ordinals[d.ts[it.at].Norm] && it.end == it.at+1 && !is(next, document) && !is(next, number) {
		return // "открой первый" is a row
	}
	it.used, d.ranked, d.rows = true, it, true
	if d.in.Order = it.id; it.id == "newest" {
		d.in.Order = ""
	}
	superlative := attributive[token.StemOf(d.ts[it.at].Norm)] && !leading[d.ts[it.end-1].Norm]
	if !superlative {
		return
	}
	for _, n := range []*item{next, prev} {
		if is(n, number) && n.id == "" && n.unit == words.NoUnit && d.in.Limit == 0 {
			if k := whole(n.value); k > 0 {
				n.used, d.in.Limit = true, k
			}
		}
	}
	noun := d.first(document)
	if d.in.Limit == 0 && noun != nil && noun.one && !tops[d.ts[it.at].Norm] {
		d.in.Limit = 1
	}
	if d.in.Order == "oldest" && d.in.From == "" && !d.open() && !d.has(period) { // of all times, not of the last month
		d.in.From, d.in.To = tool.DayOf(d.Today.AddDate(-10, 0, 1)), tool.DayOf(d.Today)
	}
}

var (
	// attributive are the first words of superlatives, unlike "oldest first" and "by sum".
	attributive = token.Stems("самый крупнейший старейший наибольший наименьший мельчайший первый топ biggest largest " +
		"highest greatest most top smallest lowest cheapest oldest earliest first")
	leading = words.Set("first сверху вначале вперед сначала первыми")
	tops    = words.Set("топ top")
	// severalOf are the words that begin superlatives of several.
	severalOf = words.Set("самые самых крупнейшие крупнейших старейшие старейших наибольшие наименьшие")
	// ordinals are words for the first of the documents, and of rows.
	ordinals = words.Set("первый первые первая первое первую первых first")
)

// ofOne leaves the words for an order or a breakdown unexplained where a single document is named by its number.
func (d *papers) ofOne() {
	if d.in.Number == "" {
		return
	}
	for _, it := range []*item{d.ranked, d.parted} {
		if it != nil {
			it.used, d.in.Order, d.in.By, d.in.Limit = false, "", "", 0
		}
	}
}

// hasParty, hasChannel and hasGoods are the types of documents that have a counterparty, a sales channel and goods.
var (
	hasParty = words.Set("customerorder purchaseorder demand supply retaildemand salesreturn retailsalesreturn " +
		"purchasereturn invoiceout invoicein paymentin paymentout cashin cashout")
	hasChannel = words.Set("customerorder demand salesreturn invoiceout paymentin paymentout cashin cashout")
	hasPlan    = words.Set("customerorder purchaseorder")
)

// lacks returns the argument that documents of the types have nothing for, or "".
func (d Documents) lacks() string {
	without := func(has map[string]bool) bool {
		return slices.ContainsFunc(d.Kinds, func(k string) bool { return !has[k] })
	}
	switch {
	case d.By == "store" && without(hasGoods), d.By == "counterparty" && without(hasParty),
		d.By == "sales_channel" && without(hasChannel),
		d.By == "target_store" && !slices.Equal(d.Kinds, []string{"move"}):
		return "by"
	case d.Order == "planned" && without(hasPlan):
		return "order"
	case len(d.Channels) > 0 && without(hasChannel):
		return "sales_channels"
	}
	return ""
}

// lacksPart asks about a breakdown, an order or a channel that documents of the type do not have; nil if they do.
func (d *papers) lacksPart() *Reading {
	in, lacks := d.in, d.parted
	switch in.lacks() {
	case "":
		return nil
	case "by":
		in.By = ""
	case "order":
		lacks, in.Order = d.ranked, ""
	default:
		lacks, in.Channels = d.first(name), nil
	}
	var at []int
	for i := lacks.at; i < lacks.end; i++ {
		at = append(at, i)
	}
	return &Reading{Ask: NoSuchPart, Word: d.raw(lacks.at, lacks.end),
		Options: []Option{{Call{Tool: documentsTool, Input: in}, Without(d.task, d.ts, at)}}}
}

// latest reports whether the task asks for the latest document of a type and names no other condition.
func (d *papers) latest() bool {
	in := d.in
	if len(in.Kinds) != 1 || in.Limit != 1 || in.From != "" && !lastYear(in) {
		return false
	}
	in.Kinds, in.From, in.To, in.Limit = nil, "", "", 0
	return reflect.DeepEqual(in, Documents{})
}

// sure reports whether only the list has what the task says: an order, planned days, the number of documents that
// something is left to do with, or a channel or goods with a breakdown.
func (d *papers) sure() bool {
	return d.in.Order != "" || d.in.DueFrom != "" || d.in.DueTo != "" || d.in.open() && (d.counts || d.in.By != "") ||
		d.in.By != "" && len(d.in.Products)+len(d.in.Groups)+len(d.in.States) > 0 || d.counted()
}

// counted reports whether the task asks how many documents there are of a type whose figures of goods and of money are
// no number of documents: "сколько перемещений", "сколько оплат пришло" (rule R1204).
func (d *papers) counted() bool {
	n := d.first(document)
	if !d.counts || d.verb || n == nil || !numberUnknown[n.id] || len(d.in.Products)+len(d.in.Groups) > 0 {
		return false
	}
	before := d.beside(slices.Index(d.items, n), -1)
	return is(before, counting) && before.end == n.at && countingWords[d.ts[before.at].Norm]
}

var (
	// numberUnknown are the types of documents whose number is no measure of a query.
	numberUnknown = words.Set("move loss enter return salesreturn retailsalesreturn purchasereturn payment paymentin " +
		"paymentout paid-in paid-out cashin cashout invoice invoiceout invoicein inventory processing internalorder")
	countingWords = words.Set("сколько скока скоко количество число how number")
)

// toShip takes shipments of days to come for the orders that are to be shipped then: "отгрузки на завтра".
func (d *papers) toShip() {
	n := d.first(document)
	if n != nil && n.id == "demand" && !d.open() && slices.ContainsFunc(d.items, func(it *item) bool {
		return it.meaning == period && !it.period.From.Before(d.Today) && it.period.To.After(d.Today) &&
			(it.period.From.After(d.Today) || it.at > 0 && d.ts[it.at-1].Norm == "на")
	}) {
		n.id, d.in.Unshipped = "customerorder", true
	}
}

// shipsAhead reports whether a verb says what orders are to be shipped: "какие заказы отгружаем завтра".
func (d *papers) shipsAhead(v *item) bool {
	n := d.first(document)
	return v.id == "demand" && (n == nil || n.id == "order" || n.id == "customerorder") &&
		shipping[d.ts[v.end-1].Norm] && slices.ContainsFunc(d.items, func(it *item) bool {
		return it.meaning == period && !it.period.To.Before(d.Today)
	})
}

var shipping = words.Set("отгружаем отгрузим отправляем отправим отгружают отправляют")

// Arrange applies a message that is about nothing but the order of a list of documents, how many of them are shown, or
// what they are counted by: "сначала старые", "топ 3", "по складам". It reports false for any other message, and for
// what documents of the type do not have.
func Arrange(c *analysis.Catalogue, list Documents, ts []token.Token) (Documents, bool) {
	ranked, parted, one, many := false, false, false, false
	for i := 0; i < len(ts); {
		t := &ts[i]
		p, end := lexicon.At(ts, i)
		n, _, numbered := typed.NumberAt(c, ts, i)
		switch {
		case t.Kind == token.Mark || besideOrder[t.Norm] && (p == nil || end == i+1 && p.Meaning.meaning != ranking):
			i++
		case p != nil && p.Meaning.meaning == ranking && ordinals[t.Norm] && end == i+1:
			return list, false // rows
		case p != nil && p.Meaning.meaning == ranking:
			one = one || attributive[t.Stem] && !leading[ts[end-1].Norm] && !tops[t.Norm] && !severalOf[t.Norm]
			list.Order, ranked, i = p.Meaning.id, true, end
			if list.Order == "newest" {
				list.Order = ""
			}
		case p != nil && p.Meaning.meaning == breakdown && !parted:
			list.By, list.Limit, parted, i = p.Meaning.id, 0, true, end
		case numbered > 0 && whole(n) > 0:
			list.Limit, many, i = whole(n), true, numbered
		default:
			return list, false
		}
	}
	return list, (ranked || parted) && !(one && !many) && len(list.Kinds) > 0 && list.lacks() == ""
}

var besideOrder = words.Set("а и теперь покажи выведи их эти это давай лучше только список списком отсортируй " +
	"отсортировать сортируй упорядочь разложи разбей раздели сгруппируй пожалуйста порядке in now show them the please " +
	"sort sorted order group grouped split then and just them")
