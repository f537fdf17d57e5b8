package lookup

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
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
	l := stockhand.English
	if slices.ContainsFunc(s.ts, func(t token.Token) bool { return t.Cyrillic && t.Use != token.AsName }) {
		l = stockhand.Russian
	}
	return list.Say(l, func(id string) string {
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

func (d *papers) flagged() bool {
	return d.in.Unpaid || d.in.Unshipped || d.in.NotReceived || d.in.Overdue || d.in.Posted != nil ||
		len(d.in.States) > 0
}

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

// state takes what follows "in the state" as the name of a state, until another meaning begins.
func (d *papers) state(i int, it *item) {
	it.used = true
	if is(d.beside(i, -1), without) {
		d.in.States = []string{"(none)"}
		d.beside(i, -1).used = true
		return
	}
	at, end := -1, -1
	for _, x := range d.items[i+1:] {
		switch {
		case x.meaning == stateName && at < 0:
			x.used = true
			d.in.States = append(d.in.States, x.id)
			return
		case x.meaning == unexplained:
			if x.used = true; at < 0 {
				at = x.at
			}
			if end = x.end; d.ts[x.at].Kind == token.Quoted {
				d.in.States = append(d.in.States, d.ts[x.at].Raw)
				return
			}
			continue
		case x.meaning == function && at < 0:
			continue
		}
		break
	}
	if at >= 0 {
		d.in.States = append(d.in.States, d.raw(at, end))
	}
}

// last takes "the last 5", "the last one" and "the latest": documents come newest first.
func (d *papers) last(it, prev, next *item) {
	for _, n := range []*item{next, prev} {
		if is(n, number) && n.id == "" && n.unit == words.NoUnit {
			if k := whole(n.value); k > 0 {
				n.used, d.in.Limit = true, k
			}
		}
	}
	it.used = true
	noun := d.first(document)
	if d.in.Limit == 0 && (noun == nil || noun.one || singleLast[d.ts[it.at].Norm]) &&
		!severalLast[d.ts[it.at].Norm] {
		d.in.Limit = 1
	}
	d.rows = true
	d.lastYear()
}

// severalLast are the words for "last" in the plural: "перемещения" may be one in the genitive.
var severalLast = words.Set("последние последних крайние крайних свежие недавние недавних")

// singleLast are those of one, whatever the ending of the noun: "последней отгрузки".
var singleLast = words.Set("последней последнюю последняя крайней крайнюю")

// lastYear takes the last year where the task names no period, not only the last 30 days.
func (d *papers) lastYear() {
	if d.in.From == "" {
		d.in.From, d.in.To = tool.DayOf(d.Today.AddDate(-1, 0, 1)), tool.DayOf(d.Today)
	}
}

func whole(value string) int {
	n, err := decimal.Parse(value)
	if err != nil || n.Sign() <= 0 || n.Round(0).Cmp(n) != 0 || n.Cmp(decimal.FromInt(10_000)) > 0 {
		return 0
	}
	return int(n.Float64())
}

// older takes "older than 30 days": up to that day; without a period, of the last year or of all times.
func (d *papers) older(it, next *item) {
	if !is(next, number) || next.unit != words.Days || d.in.To != "" || whole(next.value) == 0 {
		return
	}
	it.used, next.used = true, true
	d.others++
	d.in.To = tool.DayOf(d.Today.AddDate(0, 0, -whole(next.value)-1))
	d.in.From = tool.DayOf(d.Today.AddDate(-2, 0, 0))
}

// sumUpTo sets the upper end of a range of sums, less a step. Thousands that only one end names are of both: "от 5
// до 10 тысяч", "больше 10 тысяч и меньше 50" (rule R853).
func (d *papers) sumUpTo(i int, next *item, n, step decimal.Decimal) {
	if low := d.in.SumFrom; low != nil {
		thousands := n.Mul(decimal.FromInt(1000))
		prev := d.beside(i, -1)
		if is(prev, number) && prev.unit == words.NoUnit {
			if least := typed.ScaledLike(d.Catalogue, d.ts, prev.at, next.at); least != "" {
				scaled := decimal.MustParse(least)
				d.in.SumFrom = &scaled
			}
		}
		if n.Cmp(*low) < 0 && thousands.Cmp(*low) > 0 {
			n = thousands
		}
	}
	n = n.Sub(step)
	d.in.SumTo = &n
}

// amount takes "over 10 000", "from 5 to 10 thousand".
func (d *papers) amount(i int, it, next *item) {
	if !is(next, number) || next.id != "" || next.unit != words.NoUnit && next.unit != words.Money {
		if it.meaning == from || it.meaning == upTo || it.meaning == exactly { // "от Альфы", "to Alfa"
			it.used = is(next, name) || is(next, agent) || it.meaning == exactly || is(next, period)
			d.counts = d.counts || it.meaning == exactly
		}
		return
	}
	n, err := decimal.Parse(next.value)
	if err != nil || it.used {
		return
	}
	it.used, next.used = true, true
	cent := decimal.MustParse("0.01")
	d.others++
	switch it.meaning {
	case more:
		n = n.Add(cent)
		d.in.SumFrom = &n
	case less:
		d.sumUpTo(i, next, n, cent)
	case from:
		d.in.SumFrom = &n
	case upTo:
		d.sumUpTo(i, next, n, decimal.Decimal{})
	case exactly:
		d.in.SumFrom, d.in.SumTo = &n, &n
	case about: // within a tenth, as in queries
		low, high := n.Mul(decimal.MustParse("0.9")), n.Mul(decimal.MustParse("1.1"))
		d.in.SumFrom, d.in.SumTo = &low, &high
	case between:
		d.between(i, next, n)
	default:
	}
}

// name takes a name by what documents can be limited to, and by the role that the task says. One that fits several is
// left to a question.
func (d *papers) name(it, prev *item) {
	for _, of := range []struct {
		role  string
		to    *[]string
		kinds []connector.NameKind
	}{
		{"", &d.in.Counterparties, []connector.NameKind{connector.NameCounterparty, connector.NameSupplier}},
		{"store", &d.in.Stores, []connector.NameKind{connector.NameStore}},
		{"employee", &d.in.Employees, []connector.NameKind{connector.NameEmployee}},
		{"organization", &d.in.LegalEntities, []connector.NameKind{connector.NameOrganization}},
		{"product", &d.in.Products, []connector.NameKind{connector.NameProduct}},
		{"group", &d.in.Groups, []connector.NameKind{connector.NameGroup}},
		{"channel", &d.in.Channels, []connector.NameKind{connector.NameSalesChannel}},
	} {
		found := meanings(it.name, of.kinds...)
		if is(prev, agent) && roles[prev.id] && prev.id != of.role && len(meanings(it.name, roleKinds[prev.id])) > 0 {
			continue
		}
		switch {
		case len(found) == 0:
			continue
		case len(found) > 1 && of.to != &d.in.Products:
			d.askName(it, found)
		}
		it.used = true
		d.others++
		for _, n := range found {
			*of.to = append(*of.to, argument(it.name.Meanings, n))
		}
		return
	}
}

// roleKinds are the kinds of names of the roles in which a task may say them, but for those of counterparties.
var roleKinds = map[string]connector.NameKind{"store": connector.NameStore, "employee": connector.NameEmployee,
	"organization": connector.NameOrganization, "product": connector.NameProduct}

var roles = words.Set("store employee organization product")

// chooseTypes turns the types that the task names into those of the API. Orders are those of customers, unless
// something says that they are to suppliers; those of a counterparty are of both.
func (d *papers) chooseTypes() {
	for _, noun := range d.nouns {
		list, several := typesOf[noun]
		if !several {
			list = []string{noun}
		}
		partners := len(d.in.Counterparties) > 0
		switch supplied := d.ofSupplier(); {
		case noun == "order" && (d.in.NotReceived || supplied):
			list = []string{"purchaseorder"}
		case noun == "order" && partners && !d.in.Unshipped: // whose orders, the counterparty says
			list = []string{"customerorder", "purchaseorder"}
		case noun == "return" && supplied:
			list = []string{"purchasereturn"}
		case noun == "return" && partners:
			list = []string{"salesreturn", "retailsalesreturn", "purchasereturn"}
		}
		for _, k := range list {
			if !slices.Contains(d.in.Kinds, k) {
				d.in.Kinds = append(d.in.Kinds, k)
			}
		}
	}
	if d.late && (d.in.Unshipped || d.in.NotReceived || d.in.Overdue) {
		d.in.Unshipped, d.in.NotReceived, d.in.Overdue = false, false, true
	}
	if slices.Equal(d.in.Kinds, []string{"supply"}) && (d.in.Overdue || d.in.NotReceived) { // it is still an order
		d.in.Kinds = []string{"purchaseorder"}
	}
	if d.in.Unshipped && slices.Equal(d.in.Kinds, []string{"purchaseorder"}) { // open orders to suppliers
		d.in.Unshipped, d.in.NotReceived = false, true
	}
	if d.in.Unpaid && slices.Equal(d.nouns, []string{"return"}) {
		d.in.Kinds = []string{"salesreturn"}
	}
}

// ofSupplier reports whether the task says that its counterparty is a supplier.
func (d *papers) ofSupplier() bool {
	return slices.ContainsFunc(d.items, func(it *item) bool {
		w := d.ts[it.at].Norm
		return (it.meaning == agent || it.meaning == kindOf) && it.used &&
			(strings.HasPrefix(w, "поставщик") || strings.HasPrefix(w, "supplier") || strings.HasPrefix(w, "vendor"))
	})
}

// asksWho reports whether the task asks for customers.
func (d *papers) asksWho() bool {
	return slices.ContainsFunc(d.ts, func(t token.Token) bool { return t.Use == token.Unused && whoAsked[t.Norm] })
}

var whoAsked = words.Set("кто кого клиенты клиентов клиент покупатели покупателей покупатель who whom customers clients")
