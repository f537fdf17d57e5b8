package lookup

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// byVerb reports whether a verb says the type of documents that the task looks for: "когда отгружали Альфе". A verb
// alone asks for figures: "сколько отгрузили".
func (s *sentence) byVerb() bool {
	v := s.first(verb)
	if v != nil && v.id == "returned" && (&papers{sentence: s}).verbType(v) == "purchasereturn" {
		return !s.denied(verb) // "сколько вернули поставщикам за осень"
	}
	if v != nil && (v.id == "sale" || v.id == "demand") && !slices.ContainsFunc(s.items, func(it *item) bool {
		return it.meaning == name && len(meanings(it.name, connector.NameCounterparty, connector.NameEmployee)) > 0
	}) && !s.has(whom) {
		return false // "когда последний раз продавали соль" is a figure
	}
	return v != nil && !s.denied(verb) && (s.has(when) || s.has(last) || s.has(name) || s.has(whom) && s.has(period))
}

// byFlag takes what is left to do with orders for a type of documents where the day lies ahead: "что отгрузить завтра".
func (d *papers) byFlag() bool {
	it := d.first(flag)
	ahead := !d.has(period) && !d.has(name) || slices.ContainsFunc(d.items, func(it *item) bool {
		return it.meaning == period && d.dueIn(it)
	})
	what := slices.ContainsFunc(d.ts, func(t token.Token) bool { return asksWhat[t.Norm] || t.Norm == "чего" })
	if v := d.first(verb); v != nil && (what || d.asksWho()) && d.shipsAhead(v) { // "что отгружаем завтра"
		d.nouns, d.in.Unshipped, d.byWhat = []string{"customerorder"}, true, true
		return true
	}
	if it == nil || !ahead || !d.has(goods) && !d.has(whom) && !what {
		return false
	}
	switch it.id {
	case "unshipped":
		d.nouns = []string{"customerorder"}
	case "notreceived":
		d.nouns = []string{"purchaseorder"}
	}
	d.byWhat = len(d.nouns) > 0
	return d.byWhat
}

// dueIn reports whether a period is that of the planned days of orders (rule R511): it lies ahead, or the task says
// what is to be done today and not what was not done.
func (d *papers) dueIn(it *item) bool {
	if n := d.first(document); n != nil && it.period.From.After(d.Today) &&
		(n.id == "order" || n.id == "customerorder" || n.id == "purchaseorder") {
		return true // "заказы на завтра": no order is of a day to come (rule R824)
	}
	n := d.first(document)
	if d.has(dueBy) || d.in.Unshipped && n != nil && n.id == "customerorder" && it.period.To.After(d.Today) {
		return true
	}
	if v := d.first(verb); v != nil && d.shipsAhead(v) {
		return !it.period.To.Before(d.Today)
	}
	f := d.first(flag)
	if f == nil || f.id != "unshipped" && f.id != "notreceived" {
		return false
	}
	if it.period.From.After(d.Today) {
		return true
	}
	return !it.period.To.Before(d.Today) &&
		slices.ContainsFunc(d.ts[f.at:f.end], func(t token.Token) bool { return toDo[t.Norm] })
}

// toDo are words for what is to be done, unlike "not done".
var toDo = words.Set("отгрузить отправить отгружать отправлять собрать собирать dispatch отгрузке отгрузку " +
	"отправке отправку выдать выдаче доставить доставке принять приемке ship shipped deliver shipping dispatching " +
	"delivery receive")

// movements are the measures of goods by the verb that says what happened to them.
var movements = map[string][]string{"move": {"quantity_transferred", "transferred"},
	"enter": {"quantity_surplus", "surplus"},
	"loss":  {"quantity_written_off", "written_off"}, "supply": {"quantity_received", "purchases"},
	"purchaseorder": {"quantity_received", "purchases"}, "returned": {"quantity_returned", "returns"},
	"demand": {"quantity", "revenue"}, "sale": {"quantity", "revenue"}}

// moved reads "what was moved to the shop": goods, not documents.
func (s *sentence) moved() *Reading {
	v := s.first(verb)
	if v == nil || s.denied(verb) || (&papers{sentence: s}).shipsAhead(v) || !s.has(goods) ||
		s.has(document) || movements[v.id] == nil || s.has(when) {
		return nil
	}
	if r := s.goodsTo(v); r != nil {
		return r
	}
	measures := movements[v.id]
	q := &analysis.Query{Measures: measures, By: []string{"product"},
		Order: []analysis.Order{{Field: measures[0], Direction: analysis.Descending}}}
	v.used = true
	s.use(goods, asking, counting, every)
	s.where(q)
	for i, it := range s.items {
		if it.used || it.meaning != name {
			continue
		}
		for field, kinds := range map[string][]connector.NameKind{"store": {connector.NameStore},
			"counterparty": {connector.NameCounterparty}} {
			found := meanings(it.name, kinds...)
			if len(found) == 0 {
				continue
			}
			if it.used = true; len(found) > 1 {
				s.askName(it, found)
			}
			w := analysis.Condition{Field: field, Op: analysis.In}
			for _, n := range found {
				w.Values = append(w.Values, analysis.Scalar(n.ID))
			}
			q.Where = append(q.Where, w)
			if prev := s.beside(i, -1); is(prev, agent) || is(prev, from) || is(prev, kindOf) {
				prev.used = true
			}
			break
		}
	}
	q.From, q.To = s.span()
	return &Reading{Call: Call{Query: q}, Plain: true}
}

// done takes a verb: as the type of the documents, or as what is asked about documents that are named.
func (d *papers) done(it *item) {
	if d.verb {
		if len(d.nouns) == 0 {
			it.used = true
			d.nouns = []string{d.verbType(it)}
		}
		return
	}
	named := d.first(document)
	if named == nil { // the noun turned out to be another word: "наперёд заплатил, а товар не получил"
		return
	}
	noun := named.id
	types := append([]string{noun}, typesOf[noun]...)
	same := slices.Contains(types, d.verbType(it)) || it.id == "arrived" && slices.ContainsFunc(types, incoming)
	it.used = same || d.hasNumber() || d.has(whether) && !d.has(more)
	if same && (noun == "paper" || noun == "payment" || noun == "invoice") { // "накладные, которые пришли"
		d.way = it.id
	}
}

// goesOneWay narrows a type that goes both ways by its verb.
func (d *papers) goesOneWay() {
	in := map[string]string{"paper": "supply", "payment": "paid-in", "invoice": "invoicein"}
	out := map[string]string{"paper": "demand", "payment": "paid-out", "invoice": "invoiceout"}
	for k, noun := range d.nouns {
		switch d.way {
		case "arrived", "supply", "paid-in", "invoicein":
			if in[noun] != "" {
				d.nouns[k] = in[noun]
			}
		case "demand", "paid-out", "invoiceout":
			if out[noun] != "" {
				d.nouns[k] = out[noun]
			}
		}
	}
}

// incoming reports whether documents of a type come in.
func incoming(noun string) bool {
	return slices.Contains([]string{"supply", "paymentin", "cashin", "paid-in", "arrival", "invoicein"}, noun)
}

// verbType is the type of documents of a verb. Who does it may be a supplier: "привёз Восток", "платили Востоку". Who
// paid by himself, "Кузнецов расплатился", paid us, though we buy from him, too (rule R1101).
func (d *papers) verbType(verb *item) string {
	id := verb.id
	supplier := slices.ContainsFunc(d.items, func(it *item) bool {
		return it.meaning == name && len(meanings(it.name, connector.NameSupplier)) > 0 ||
			(it.meaning == agent || it.meaning == kindOf) && (it.id == "supplier" || it.id == "suppliers")
	})
	switch {
	case id == "returned" && supplier:
		return "purchasereturn"
	case id == "returned":
		return "return"
	case id == "paid-in" && supplier && !(d.first(name) != nil && d.paysByHimself(verb)):
		return "paid-out"
	case id == "customerorder" && supplier:
		return "purchaseorder"
	case id == "demand" && supplier, id == "arrived":
		return "supply"
	}
	return id
}

// paysByHimself reports whether a verb is singular, and the name in front of it is no dative: "Альфа заплатила".
func (d *papers) paysByHimself(verb *item) bool {
	w := d.ts[verb.end-1].Norm
	singular := strings.HasSuffix(w, "л") || strings.HasSuffix(w, "ла") || strings.HasSuffix(w, "лся") ||
		strings.HasSuffix(w, "лась")
	before := d.first(name)
	last := d.ts[before.end-1].Norm
	return singular && before.at < verb.at && !strings.HasSuffix(last, "у") && !strings.HasSuffix(last, "ю")
}

func (d *papers) hasNumber() bool {
	return slices.ContainsFunc(d.items, func(it *item) bool { return it.meaning == number && it.id == "document" })
}

func (d *papers) hasFlag() bool { return d.has(flag) || d.has(verb) || d.has(unfiltered) }

// between takes "between 5 and 10 thousand". The first number is at next.
func (d *papers) between(i int, next *item, low decimal.Decimal) {
	k := slices.Index(d.items, next)
	and := d.beside(k, 1)
	if !is(and, joining) && !is(and, upTo) {
		return
	}
	high := d.beside(slices.Index(d.items, and), 1)
	if !is(high, number) || high.id != "" {
		return
	}
	to, err := decimal.Parse(high.value)
	if err != nil {
		return
	}
	if least := typed.ScaledLike(d.Catalogue, d.ts, next.at, high.at); least != "" {
		low = decimal.MustParse(least)
	}
	and.used, high.used = true, true
	d.in.SumFrom, d.in.SumTo = &low, &to
}

// sums takes amounts that say what they are only by their unit: "счёт на 5000 рублей".
func (d *papers) sums() {
	for _, it := range d.items {
		if it.used || it.meaning != number || it.id != "" || it.unit != words.Money ||
			d.in.SumFrom != nil || d.in.SumTo != nil ||
			it.at == 0 || d.ts[it.at-1].Norm != "на" && d.ts[it.at-1].Norm != "for" && d.ts[it.at-1].Norm != "of" {
			continue
		}
		if n, err := decimal.Parse(it.value); err == nil {
			it.used = true
			d.others++
			d.in.SumFrom, d.in.SumTo = &n, &n
		}
	}
}

// withoutFilter asks about a word that documents cannot be selected by, and offers those without it.
func (d *papers) withoutFilter() *Reading {
	var at []int
	for i := d.cannot.at; i < d.cannot.end; i++ {
		at = append(at, i)
	}
	return &Reading{Ask: NoSuchFilter, Word: d.raw(d.cannot.at, d.cannot.end),
		Options: []Option{{Call{Tool: documentsTool, Input: d.in}, Without(d.task, d.ts, at)}}}
}
