package lookup

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
)

// plurals are the types of documents in tasks that ask for lists, and whether the singular is feminine in Russian.
var plurals = map[string]struct {
	ru, en   string
	feminine bool
}{
	"customerorder": {ru: "заказы покупателей", en: "customer orders"},
	"purchaseorder": {ru: "заказы поставщикам", en: "supplier orders"},
	"invoiceout":    {ru: "счета покупателям", en: "customer invoices"},
	"invoicein":     {ru: "счета поставщиков", en: "supplier invoices"},
	"demand":        {"отгрузки", "shipments", true}, "supply": {"приёмки", "goods receipts", true},
	"retaildemand": {"розничные продажи", "retail sales", true},
	"salesreturn":  {ru: "возвраты покупателей", en: "customer returns"},
	"paymentin":    {ru: "входящие платежи", en: "incoming payments"},
	"paymentout":   {ru: "исходящие платежи", en: "outgoing payments"},
	"cashin":       {ru: "приходные ордера", en: "cash receipts"},
	"cashout":      {ru: "расходные ордера", en: "cash payments"},
}

// Say puts a list of documents into the words of a task that asks for it (rule R1041); "" if it has a condition that
// these words cannot say.
func (d Documents) Say(l stockhand.Language, nameOf func(id string) string) string {
	if d.Number != "" || d.Text != "" || d.Posted != nil || d.DueFrom != "" || d.DueTo != "" || d.SumFrom != nil ||
		d.SumTo != nil || len(d.States)+len(d.Employees)+len(d.LegalEntities)+len(d.Channels) > 0 || len(d.Kinds) == 0 {
		return ""
	}
	var out []string
	add := func(ru, en string) { out = append(out, l.Pick(ru, en)) }
	var flags [][2]string
	for _, f := range []struct {
		is     bool
		ru, en string
	}{{d.Unpaid, "неоплаченные", "unpaid"}, {d.Unshipped, "неотгруженные", "unshipped"},
		{d.NotReceived, "непринятые", "not received"}, {d.Overdue, "просроченные", "overdue"}} {
		if f.is {
			flags = append(flags, [2]string{f.ru, f.en})
		}
	}
	switch one := titles[d.Kinds[0]]; {
	case d.Limit == 1 && len(d.Kinds) == 1 && len(flags) == 0 && one != [2]string{}:
		last := "последний "
		if plurals[d.Kinds[0]].feminine {
			last = "последняя "
		}
		add(last+one[0], "last "+one[1])
	case d.Limit == 1:
		return ""
	default:
		if d.Limit > 0 {
			add("последние "+strconv.Itoa(d.Limit), "last "+strconv.Itoa(d.Limit))
		}
		for _, f := range flags {
			add(f[0], f[1])
		}
		var kinds []string
		for _, k := range d.Kinds {
			p, ok := plurals[k]
			if !ok {
				return ""
			}
			kinds = append(kinds, l.Pick(p.ru, p.en))
		}
		out = append(out, strings.Join(kinds, l.Pick(" и ", " and ")))
	}
	for _, of := range []struct {
		names  []string
		ru, en string
	}{{d.Counterparties, "контрагента", "of counterparty"}, {d.Stores, "на складе", "at warehouse"},
		{d.Products, "с товаром", "with product"}, {d.Groups, "с товарами группы", "with goods of group"}} {
		const most = 3
		if len(of.names) > most {
			return ""
		}
		for i, n := range slices.Clone(of.names) {
			if known := nameOf(n); known != "" {
				n = known
			}
			if i > 0 {
				add("и", "and")
			} else {
				add(of.ru, of.en)
			}
			if !strings.ContainsAny(n, "«»") {
				n = "«" + n + "»"
			}
			out = append(out, n)
		}
	}
	if d.From != "" && !(d.Limit > 0 && lastYear(d)) {
		add("с "+dotted(d.From)+" по "+dotted(d.To), "from "+dotted(d.From)+" to "+dotted(d.To))
	}
	if by := said[d.By]; d.By != "" {
		add(by[0], by[1])
	}
	text := strings.Join(out, " ")
	if order := said[d.Order]; d.Order != "" {
		text += ", " + l.Pick(order[0], order[1])
	}
	return text
}

// said are the orders and the breakdowns of documents in tasks.
var said = map[string][2]string{
	"oldest": {"сначала старые", "oldest first"}, "largest": {"сначала большие", "largest first"},
	"smallest": {"сначала маленькие", "smallest first"}, "planned": {"по плановой дате", "by planned date"},
	"store": {"по складам", "by warehouse"}, "target_store": {"по складам назначения", "by receiving warehouse"},
	"counterparty": {"по контрагентам", "by counterparty"}, "state": {"по статусам", "by status"},
	"employee": {"по сотрудникам", "by employee"}, "sales_channel": {"по каналам продаж", "by sales channel"},
	"day": {"по дням", "by day"}, "week": {"по неделям", "by week"}, "month": {"по месяцам", "by month"},
}

// lastYear reports whether the period of a list is the year in which the last documents are looked for.
func lastYear(d Documents) bool { return d.From.Time().AddDate(1, 0, -1).Equal(d.To.Time()) }
