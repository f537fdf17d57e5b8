package documents

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// grouping is what the number and the sum of documents are broken down by (rule R1140).
type grouping string

// The groupings. That of warehouses is by where a transfer leaves.
const (
	byStore        grouping = "store"
	byTarget       grouping = "target_store"
	byCounterparty grouping = "counterparty"
	byState        grouping = "state"
	byEmployee     grouping = "employee"
	byChannel      grouping = "sales_channel"
	byDay          grouping = "day"
	byWeek         grouping = "week"
	byMonth        grouping = "month"
)

// Schema lists the groupings.
func (grouping) Schema() *jsonschema.Schema {
	return tool.Enum(byStore, byTarget, byCounterparty, byState, byEmployee, byChannel, byDay, byWeek, byMonth)
}

// known reports whether documents of a type have what they would be grouped by.
func (g grouping) known(k *kind) bool {
	switch g {
	case byStore:
		return k.store
	case byTarget:
		return k.name == transfer
	case byCounterparty:
		return k.agent
	case byChannel:
		return k.channel
	}
	return true
}

// ofTime reports whether the groups are in the order of time.
func (g grouping) ofTime() bool { return g == byDay || g == byWeek || g == byMonth }

// title is the heading of the groups, and how the answer names them.
func (g grouping) title() (one, by tool.Text) {
	switch g {
	case byStore:
		return text("Склад", "Warehouse"), text("по складам", "by warehouse")
	case byTarget:
		return text("На склад", "To warehouse"), text("по складам, куда переместили", "by warehouse that they go to")
	case byCounterparty:
		return text("Контрагент", "Counterparty"), text("по контрагентам", "by counterparty")
	case byState:
		return text("Статус", "State"), text("по статусам", "by state")
	case byEmployee:
		return text("Владелец", "Owner"), text("по сотрудникам", "by employee")
	case byChannel:
		return text("Канал продаж", "Sales channel"), text("по каналам продаж", "by sales channel")
	case byWeek:
		return text("Неделя", "Week"), text("по неделям", "by week")
	case byMonth:
		return text("Месяц", "Month"), text("по месяцам", "by month")
	}
	return text("День", "Day"), text("по дням", "by day")
}

// key returns what groups a document, and the name of the group.
func (c *call) key(by grouping, r *row) (key, name string) {
	at := r.Moment.In(msapi.Moscow)
	of := func(ref msapi.Ref) (string, string) { return string(ref.ID), c.names.of(ref) }
	switch by {
	case byStore:
		if r.of.name == transfer {
			return of(r.From)
		}
		return of(r.Store)
	case byTarget:
		return of(r.To)
	case byCounterparty:
		return of(r.Agent)
	case byState:
		return of(r.State)
	case byEmployee:
		return of(r.Owner)
	case byChannel:
		return of(r.SalesChannel)
	case byWeek:
		key = analysis.Interval(analysis.Week, at)
	case byMonth:
		key = analysis.Interval(analysis.Month, at)
	default:
		key = analysis.Interval(analysis.Day, at)
	}
	return key, key
}

// part is the documents of a type in one group.
type part struct {
	of        *kind
	key, name string
	rows      []row
}

// worth is the sum of a part in the account currency, to compare it with others.
func (p *part) worth() decimal.Decimal {
	var sum decimal.Decimal
	for _, r := range p.rows {
		if amount := r.Rate.Base(r.sum); amount.Known && r.Posted() {
			sum = sum.Add(amount.Decimal)
		}
	}
	return sum
}

// group answers with the number and the sum of the documents in each group.
func (c *call) group(ctx context.Context, q *conditions, rows []row) error {
	if err := c.name(ctx, rows); err != nil {
		return err
	}
	if q.By == byChannel {
		if list, err := c.ChannelList(ctx); err == nil {
			for _, x := range list {
				c.names[x.ID] = x.Name
			}
		} else if !msapi.IsForbidden(err) {
			return err
		}
	}
	for i := range rows {
		rows[i].settle(c.closing[rows[i].State.ID])
	}
	parts := c.parts(q, rows)
	all := groups(rows)
	columns := c.partColumns(q, rows, all)
	tool.SetColumns(c.Result, c.Lang, columns, parts)
	shown := parts
	if n := int(q.Limit); n > 0 && n < len(parts) {
		shown = parts[:n]
		c.Noticef(tool.NoticeTruncated, "Показано строк: %d из %d; итоги — по всем.",
			"Rows shown: %d of %d; the totals cover all of them.", len(shown), len(parts))
	}
	tool.AddRows(c.Result, columns, shown)
	c.notices(rows, all)
	c.Method("Документы из МоегоСклада: сколько их и на какую сумму. Суммы — по проведённым, отдельно для каждого вида "+
		"и валюты.", "Documents of MoySklad: their number and sum. Sums are of those posted, for each type and currency.")
	whole := *q
	whole.Limit = 0 // that of q is of groups, not of documents
	c.answer(&whole, rows, all)
	if _, by := q.By.title(); len(rows) > 0 {
		c.Result.Answer = strings.TrimSuffix(c.Result.Answer, ".") + "; " + by.In(c.Lang) + c.firstOf(q, parts) + "."
	}
	return nil
}

// firstOf names the largest group, unless they are in the order of time.
func (c *call) firstOf(q *conditions, parts []*part) string {
	if q.By.ofTime() || len(parts) < 2 || q.Order != "" && q.Order != largestFirst {
		return ""
	}
	p := parts[0]
	said := c.Pick(": больше всего — ", ": most — ") + wording.InQuotes(c.called(q.By, p.name), c.Lang) + ", " +
		wording.NounDocument.Count(c.Lang, len(p.rows))
	if g := groups(p.rows); p.of.sum && len(g) == 1 && g[0].adds() && len(g[0].sum) > 0 {
		said += c.Pick(" на ", " for ") + g[0].sum.Text(c.currency, c.Lang)
	}
	return said
}

// called is the name of a group, or what stands for documents that have none.
func (c *call) called(by grouping, name string) string {
	if name != "" {
		return name
	}
	if by == byState {
		return c.Pick("(без статуса)", "(no state)")
	}
	return c.Pick("(не указан)", "(not set)")
}

// parts divides the documents into groups, by type: the largest first, and intervals in the order of time.
func (c *call) parts(q *conditions, rows []row) []*part {
	type group struct {
		of  *kind
		key string
	}
	found := map[group]*part{}
	for i := range rows {
		key, name := c.key(q.By, &rows[i])
		g := group{rows[i].of, key}
		if found[g] == nil {
			found[g] = &part{of: rows[i].of, key: key, name: name}
		}
		found[g].rows = append(found[g].rows, rows[i])
	}
	sign := -1
	if q.Order == smallestFirst {
		sign = 1
	}
	return slices.SortedFunc(maps.Values(found), func(x, y *part) int {
		kind := cmp.Compare(slices.Index(kinds, x.of), slices.Index(kinds, y.of))
		if q.By.ofTime() && !q.Order.bySum() {
			return cmp.Or(strings.Compare(x.key, y.key), kind)
		}
		a, b := x.worth(), y.worth()
		return cmp.Or(kind, sign*a.Cmp(b), sign*cmp.Compare(len(x.rows), len(y.rows)), strings.Compare(x.name, y.name),
			strings.Compare(x.key, y.key))
	})
}

// partColumns are the columns of groups.
func (c *call) partColumns(q *conditions, rows []row, all []*group) []tool.TableColumn[*part] {
	type column = tool.TableColumn[*part]
	one, _ := q.By.title()
	list := []column{{Name: string(q.By), Unit: tool.UnitText, Label: one,
		Cell: func(p *part) tool.Value { return tool.TextValue(c.called(q.By, p.name)) }}}
	if q.By == byDay {
		list[0].Unit = tool.UnitDate
		list[0].Cell = func(p *part) tool.Value { return tool.Date(tool.Day(p.key)) }
	}
	if len(all) > 1 {
		list = append(list, column{Name: "kind", Unit: tool.UnitText, Label: text("Документ", "Document"),
			Cell: func(p *part) tool.Value { return tool.TextValue(p.of.many.In(c.Lang)) }})
	}
	list = append(list, column{Name: "documents", Unit: tool.UnitCount, Label: text("Документов", "Documents"),
		Cell:  func(p *part) tool.Value { return tool.Count(len(p.rows)) },
		Total: func([]*part) tool.Value { return tool.Count(len(rows)) }})
	hidden := len(all) == 1 && all[0].hidden
	sums := func(when bool, name string, label tool.Text, of func(*row) decimal.Maybe) {
		if !when {
			return
		}
		list = append(list, column{Name: name, Unit: tool.UnitMoney, Label: label,
			Cell: func(p *part) tool.Value {
				if g := groups(p.rows); !g[0].adds() {
					return tool.Empty
				}
				return total(p.rows, of).Total(c.currency)
			},
			Total: func([]*part) tool.Value {
				if len(all) != 1 || !all[0].adds() {
					return tool.Empty
				}
				return total(rows, of).Total(c.currency)
			}}.HiddenIf(hidden))
	}
	sums(true, "sum", text("Сумма", "Sum"), func(r *row) decimal.Maybe { return r.sum })
	sums(q.Unpaid, "unpaid_sum", text("Не оплачено", "Not paid"), func(r *row) decimal.Maybe { return r.unpaid })
	sums(q.Unshipped || q.NotReceived || q.Overdue, "left_sum", text("Не выполнено", "Not done"),
		func(r *row) decimal.Maybe { return r.unshipped })
	if q.wanted != nil && q.oneGood {
		list = append(list, column{Name: "product_quantity", Unit: tool.UnitQuantity,
			Label: text("Количество товара", "Quantity of the item"),
			Cell:  func(p *part) tool.Value { return quantityOf(p.rows) }})
	}
	sums(q.wanted != nil, "product_sum", text("Сумма товара", "Sum of the item"),
		func(r *row) decimal.Maybe { return r.ofGood })
	return list
}
