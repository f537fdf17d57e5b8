package lookup

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Documents is the input of the list of documents.
type Documents struct {
	Kinds          []string         `json:"kinds,omitempty"`
	Number         string           `json:"number,omitempty"`
	From           tool.Day         `json:"from,omitempty"`
	To             tool.Day         `json:"to,omitempty"`
	Counterparties []string         `json:"counterparties,omitempty"`
	Stores         []string         `json:"stores,omitempty"`
	States         []string         `json:"states,omitempty"`
	Employees      []string         `json:"employees,omitempty"`
	LegalEntities  []string         `json:"legal_entities,omitempty"`
	Products       []string         `json:"products,omitempty"`
	Unpaid         bool             `json:"unpaid,omitempty"`
	Unshipped      bool             `json:"unshipped,omitempty"`
	NotReceived    bool             `json:"not_received,omitempty"`
	Overdue        bool             `json:"overdue,omitempty"`
	DueFrom        tool.Day         `json:"due_from,omitempty"`
	DueTo          tool.Day         `json:"due_to,omitempty"`
	SumFrom        *decimal.Decimal `json:"sum_from,omitempty"`
	SumTo          *decimal.Decimal `json:"sum_to,omitempty"`
	Text           string           `json:"text,omitempty"`
	Posted         *bool            `json:"posted,omitempty"`
	Groups         []string         `json:"groups,omitempty"`
	Channels       []string         `json:"sales_channels,omitempty"`
	By             string           `json:"by,omitempty"`
	Order          string           `json:"order,omitempty"`
	Limit          int              `json:"limit,omitempty"`
}

// open reports whether something is left to do with the documents of a list.
func (d *Documents) open() bool { return d.Unpaid || d.Unshipped || d.NotReceived || d.Overdue }

// OfAnyTime reports whether a list that names no period has documents of any age, and not only the latest.
func (d *Documents) OfAnyTime() bool {
	return d.open() || d.Number != "" || d.DueFrom != "" || d.DueTo != ""
}

// Document is the input of one document.
type Document struct {
	Kind   string `json:"kind,omitempty"`
	Number string `json:"number"`
	ID     string `json:"id,omitempty"`
}

const (
	documentsTool = "documents"
	documentTool  = "document"
)

// papers is a look-up of documents while it is put together.
type papers struct {
	*sentence
	in     Documents
	nouns  []string // IDs of the types as the task names them
	one    bool     // a single document is asked for
	inside bool     // what is in it
	others int      // conditions beside the type and the period
	rows   bool     // the task asks for rows, or has conditions that only documents have
	counts bool
	verb   bool   // a verb says the type: "отгружали"
	way    string // the verb beside a type that goes both ways
	late   bool   // not done "on time"
	byWhat bool   // "what is to be shipped": orders, without saying so
	which  bool   // the task asks for the documents in so many words
	asked  bool   // when it was
	cannot *item  // what documents cannot be selected by
	ranked *item  // the words for the order
	parted *item  // the words for what the documents are counted by
}

// documents reads a list of documents or one of them: the types, and conditions on them (rule R310).
func (s *sentence) documents() *Reading {
	d := &papers{sentence: s}
	d.toShip()
	if !s.has(document) && !d.byFlag() && !s.byVerb() {
		return nil
	}
	if n := s.first(document); n != nil && n.id == "supply" && (s.has(expected) || s.isToCome()) {
		return nil // "какие поставки ждём", "поставки на завтра"
	}
	d.verb = !s.has(document) && len(d.nouns) == 0
	for i, it := range s.items {
		d.take(i, it)
	}
	if len(d.nouns) == 0 {
		return nil
	}
	d.sums()
	d.goesOneWay()
	d.chooseTypes()
	d.ofOne()
	if d.in.Number != "" && d.others == 0 && (d.in.From == "" || d.one) {
		return d.single()
	}
	if d.asked && d.in.From == "" {
		d.in.Limit = 1
		d.lastYear()
	}
	if d.cannot != nil {
		return d.withoutFilter()
	}
	if r := d.lacksPart(); r != nil {
		return r
	}
	if len(d.in.Products)+len(d.in.Groups) > 0 &&
		slices.ContainsFunc(d.in.Kinds, func(k string) bool { return !hasGoods[k] }) {
		return nil // payments have no goods
	}
	if r := d.movedTo(); r != nil {
		return r
	}
	list := Call{Tool: documentsTool, Input: d.in}
	noun := d.nouns[0]
	switch {
	case noun == "arrival" && d.ofMoney(), d.afterMoney(noun):
		return nil // figures of money
	case noun == "arrival":
		return d.arrivals()
	case noun == "order" && d.one && !d.rows && s.has(number) && d.in.Number == "" && d.others == 0 && d.in.Limit == 0:
		return nil // "заказ 5 кружек"
	case d.inside && d.latest():
		return &Reading{Call: Call{Tool: documentTool, Input: Document{Kind: d.in.Kinds[0]}}, Sure: true}
	case d.inside && d.in.Limit == 1: // only a numbered document can be opened
		return &Reading{Ask: WhichLast, Options: []Option{{list, cmp.Or(d.inWords(d.in), d.withoutContents())}}}
	case d.inside && d.in.Number == "":
		for _, it := range s.items {
			it.used = it.used && it.meaning != contents && it.meaning != wish
		}
	case d.in.Overdue && noun == "payment" && d.asksWho():
		return nil // "кто просрочил оплату" is about debts
	case d.in.Overdue && !slices.Equal(d.in.Kinds, []string{"customerorder"}) &&
		!slices.Equal(d.in.Kinds, []string{"purchaseorder"}) && len(d.in.Kinds) > 0 && noun != "order":
		d.in.Overdue, d.in.Unpaid = false, true
		return &Reading{Ask: NoDueDate, Options: []Option{{Call{Tool: documentsTool, Input: d.in}, d.unpaid()}}}
	case d.overdueOnly():
		return &Reading{Call: Call{Tool: "overdue_orders", Input: Overdue{d.in.Counterparties}}}
	case noun == "sale" && d.in.Limit == 0 && !s.has(last):
		return nil // figures
	case d.sure():
		return &Reading{Call: list, Sure: true, Listing: true}
	case d.in.By != "", len(d.in.Channels) > 0 && !d.flagged() && d.counts: // a query may have the same figures
		return &Reading{Call: list, Plain: true}
	case d.verb:
		return &Reading{Call: list, Plain: !d.asked && d.in.Limit == 0, Listing: d.asked}
	case d.others == 0 && (d.counts || figureNouns[noun] && !d.rows):
		return &Reading{Call: list, Plain: true, Listing: d.in.From != ""}
	}
	return &Reading{Call: list, Listing: d.rows || d.in.From != "" || d.flagged(), Rows: d.which}
}

// arrivals asks whether goods or money came in.
func (d *papers) arrivals() *Reading {
	r := &Reading{Ask: WhichKind}
	it := d.first(document)
	for _, o := range []struct {
		word  string
		kinds []string
	}{{"приёмки", []string{"supply"}}, {"входящие платежи", []string{"paymentin"}}} {
		in := d.in
		in.Kinds = o.kinds
		text := d.task[:d.ts[it.at].Start] + o.word + d.task[d.ts[it.end-1].End:]
		if it.at > 0 { // "когда был последний приход"
			text = cmp.Or(d.inWords(in), text)
		}
		r.Options = append(r.Options, Option{Call{Tool: documentsTool, Input: in}, text})
	}
	return r
}

// inWords puts a list into words in the language of the task.
func (s *sentence) inWords(list Documents) string {
	return list.Say(s.language(), func(id string) string {
		for _, n := range s.Names {
			for _, m := range n.Meanings {
				if m.ID == id {
					return m.Name
				}
			}
		}
		return ""
	})
}

func (d *papers) flagged() bool { return d.in.open() || d.in.Posted != nil || len(d.in.States) > 0 }

// withoutContents is the task without the words that ask for what is in the document.
func (d *papers) withoutContents() string {
	var at []int
	for _, it := range d.items {
		if it.meaning == contents || it.meaning == wish {
			for i := it.at; i < it.end; i++ {
				at = append(at, i)
			}
		}
	}
	return Without(d.task, d.ts, at)
}

// unpaid is the task with "unpaid" in place of "overdue".
func (d *papers) unpaid() string {
	for _, it := range d.items {
		if it.meaning == flag && it.id == "overdue" {
			word := "unpaid"
			if d.ts[it.at].Cyrillic {
				word = "неоплаченные"
			}
			return d.task[:d.ts[it.at].Start] + word + d.task[d.ts[it.end-1].End:]
		}
	}
	return d.task
}

// Overdue is the input of the report of overdue customer orders.
type Overdue struct {
	Counterparties []string `json:"counterparties,omitempty"`
}

// overdueOnly reports whether the report of overdue customer orders answers the task.
func (d *papers) overdueOnly() bool {
	only := Documents{Kinds: []string{"customerorder"}, Overdue: true, Counterparties: d.in.Counterparties}
	return reflect.DeepEqual(d.in, only)
}

// hasGoods are the types of documents with goods.
var hasGoods = words.Set("customerorder purchaseorder demand supply retaildemand salesreturn retailsalesreturn " +
	"purchasereturn invoiceout invoicein move loss enter inventory internalorder processing")

// figureNouns are types of documents that a query has a measure of, with its sum.
var figureNouns = words.Set("return loss enter retaildemand")

// take adds one meaning to the look-up.
func (d *papers) take(i int, it *item) {
	next, prev := d.beside(i, 1), d.beside(i, -1)
	switch it.meaning {
	case document:
		d.noun(it, prev)
	case flag:
		it.used = d.flag(it.id)
	case unfiltered:
		it.used, d.cannot = true, it
	case ranking:
		d.rank(it, prev, next)
	case breakdown:
		if it.used = d.parted == nil; it.used {
			d.parted, d.in.By = it, it.id
		}
	case dueBy:
		it.used = d.has(period)
	case verb:
		if d.shipsAhead(it) {
			it.used, d.in.Unshipped = true, true
			return
		}
		d.done(it)
	case state:
		d.state(i, it)
	case stateName:
		if !it.used && (is(next, document) || is(prev, document) || is(prev, flag)) {
			it.used = true
			d.in.States = append(d.in.States, it.id)
		}
	case last:
		d.last(it, prev, next)
	case number:
		d.number(it, prev)
	case older:
		d.older(it, next)
	case more, less, from, upTo, exactly, about, between:
		if it.meaning == more && is(next, number) && next.unit == words.Days {
			d.older(it, next)
			return
		}
		d.amount(i, it, next)
	case period:
		if d.dueIn(it) {
			it.used = true
			d.others++
			d.in.DueFrom, d.in.DueTo = tool.DayOf(it.period.From), tool.DayOf(it.period.To)
			return
		}
		if d.open() && d.moment(it) { // "не оплачено на сегодня" is what is open now
			it.used = true
			return
		}
		if it.period.From.IsZero() || d.in.From != "" && !d.rows || d.in.From != "" && d.in.Limit == 0 {
			return
		}
		it.used = true
		d.in.From, d.in.To = tool.DayOf(it.period.From), tool.DayOf(it.period.To)
	case name:
		d.name(it, prev)
	case without: // "пришли деньги или нет", "пришли нет"
		it.used = it.end == len(d.ts) && d.ts[it.at].Norm == "нет"
	case goods:
		it.used = d.has(verb) && it.one || d.byWhat
	case sized:
		it.used = d.has(more) || d.has(less) || d.has(from) || d.has(upTo)
	case onTime:
		it.used, d.late = true, true
	case contents:
		it.used, d.inside = true, true
	case comment:
		d.comment(i, it)
	case asking:
		it.used, d.rows = true, true
		if d.openOrders(it, next) && !d.hasNumber() {
			d.in.Unshipped = true // "open customer orders"
		}
		d.which = d.which || !d.one && lists[d.ts[it.at].Norm]
	case counting:
		it.used = true
		d.counts = d.counts || it.id == "" && d.ts[it.at].Norm != "all" && d.ts[it.at].Norm != "всего"
	case wish:
		if it.id == "card" { // "details on order 00012"
			it.used, d.inside = true, true
		}
	case expected:
		if noun := d.first(document); noun != nil && (noun.id == "order" || noun.id == "purchaseorder") {
			it.used, d.in.NotReceived = true, true
		}
	case every, joining, numbered:
		it.used = true
	case when:
		it.used, d.asked = true, true
	case agent:
		it.used = is(next, name) || is(prev, name) || it.id == "by" && is(next, document) ||
			it.id == "employee" && d.hasNumber()
	case kindOf, customers:
		who := it.meaning == customers || it.id == "counterparties" || it.id == "suppliers"
		it.used = is(next, name) || is(prev, name) || who && !is(prev, agent) && d.hasFlag()
	default:
	}
}

// lists are words that ask for a list.
var lists = words.Set("какие каких список перечень перечисли реестр журнал ищу найди открой which list find")

func is(it *item, m meaning) bool { return it != nil && it.meaning == m }

// noun takes a type of documents: further ones only as a list ("отгрузки и приёмки").
func (d *papers) noun(it, prev *item) {
	if len(d.nouns) > 0 && !is(prev, joining) && !is(prev, document) {
		return
	}
	it.used = true
	d.one = it.one
	d.nouns = append(d.nouns, it.id)
}

func (d *papers) flag(id string) bool {
	yes, no := true, false
	switch id {
	case "unpaid":
		d.in.Unpaid = true
	case "unshipped":
		d.in.Unshipped = true
	case "notreceived":
		d.in.NotReceived = true
	case "overdue":
		d.in.Overdue = true
	case "posted":
		d.in.Posted = &yes
	case "draft":
		d.in.Posted = &no
	}
	return true
}
