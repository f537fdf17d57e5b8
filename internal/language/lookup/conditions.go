package lookup

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

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

var whoAsked = words.Set("кто кого кому клиенты клиентов клиент покупатели покупателей покупатель who whom customers clients")
