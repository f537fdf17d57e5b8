package documents

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type column = tool.TableColumn[row]

func cells(name string, unit tool.Unit, label tool.Text, cell func(row) tool.Value) column {
	return column{Name: name, Unit: unit, Label: label, Cell: cell}
}

func texts(name string, label tool.Text, cell func(row) string) column {
	return cells(name, tool.UnitText, label, func(r row) tool.Value { return tool.TextValue(cell(r)) })
}

// group is the documents of one type, for the sums.
type group struct {
	of     *kind
	count  int // posted or not
	hidden bool
	sum    account.MoneyByCurrency // of those posted
	// of those posted whose currency the employee may not see; the account's own has the ID ""
	unnamed map[msapi.ID]bool
}

// adds reports whether the documents have a sum that may be shown: amounts in several unknown currencies have none.
func (g *group) adds() bool { return g.of.sum && !g.hidden && len(g.unnamed) < 2 }

// groups divides the documents by type, in the order of the types.
func groups(rows []row) []*group {
	var list []*group
	for _, k := range kinds {
		g := &group{of: k, sum: account.MoneyByCurrency{}, unnamed: map[msapi.ID]bool{}}
		for _, r := range rows {
			if r.of != k {
				continue
			}
			g.count++
			switch {
			case !k.sum || !r.Posted():
			case !r.sum.Known:
				g.hidden = true
			default:
				if g.sum.Add(r.currency, r.sum.Decimal); r.currency == "" {
					g.unnamed[r.Rate.Currency.ID] = true
				}
			}
		}
		if g.count > 0 {
			list = append(list, g)
		}
	}
	return list
}

// show fills the table and writes the answer.
func (c *call) show(q *conditions, rows, shown []row) {
	all := groups(rows)
	columns := c.columns(q, shown, all)
	tool.SetColumns(c.Result, c.Lang, columns, rows)
	if len(shown) < len(rows) {
		c.Noticef(tool.NoticeTruncated, "Показано строк: %d из %d; итоги — по всем.",
			"Rows shown: %d of %d; the totals cover all of them.", len(shown), len(rows))
	}
	tool.AddRows(c.Result, columns, shown)
	c.notices(rows, all)
	c.Method("Документы из МоегоСклада, суммы — в валюте документа. Итоги — по проведённым, отдельно для "+
		"каждого вида и валюты; разные виды не складываются.", "Documents of MoySklad, with sums in the "+
		"document's currency. Totals are of those posted, for each type and currency; types are not added up.")
	c.answer(q, rows, all)
}

func (c *call) columns(q *conditions, rows []row, all []*group) []column {
	any := func(f func(*row) bool) bool { return slices.ContainsFunc(rows, func(r row) bool { return f(&r) }) }
	hidden := slices.ContainsFunc(all, func(g *group) bool { return g.hidden })
	// Sums of different types mean different things, so only those of one type are added up.
	sums := func(name string, label tool.Text, of func(*row) decimal.Maybe) column {
		col := cells(name, tool.UnitMoney, label,
			func(r row) tool.Value { return tool.MaybeMoney(of(&r), r.currency) }).
			HiddenIf(hidden && len(all) == 1)
		col.Total = func(rows []row) tool.Value {
			if len(all) != 1 || !all[0].adds() {
				return tool.Empty
			}
			return total(rows, of).Total(c.currency)
		}
		return col
	}
	day := func(name string, label tool.Text, of func(*row) msapi.Moment) column {
		return cells(name, tool.UnitDate, label, func(r row) tool.Value {
			if at := of(&r); !at.IsZero() {
				return tool.Date(tool.DayOf(at.In(msapi.Moscow)))
			}
			return tool.Empty
		})
	}
	var list []column
	// The columns that the conditions are about are always shown, others if there is room.
	about := func(asked bool, col column) column {
		if asked {
			return col
		}
		return col.AsDetail()
	}
	when := func(shown bool, col column) {
		if shown {
			list = append(list, col)
		}
	}
	when(true, texts("number", text("Номер", "Number"), func(r row) string { return r.Name }))
	when(len(q.kinds) != 1, texts("kind", text("Документ", "Document"),
		func(r row) string { return r.of.one.In(c.Lang) }))
	when(true, day("date", text("Дата", "Date"), func(r *row) msapi.Moment { return r.Moment }))
	when(any(func(r *row) bool { return r.of.agent }), texts("counterparty", text("Контрагент", "Counterparty"),
		func(r row) string { return c.names.of(r.Agent) }))
	when(any(func(r *row) bool { return r.of.agent }), texts("counterparty_id",
		text("ID контрагента", "Counterparty ID"), func(r row) string { return string(r.Agent.ID) }).AsDetail())
	when(true, sums("sum", text("Сумма", "Sum"), func(r *row) decimal.Maybe { return r.sum }))
	when(any(func(r *row) bool { return r.of.paid }), about(q.Unpaid, sums("unpaid_sum",
		text("Не оплачено", "Not paid"), func(r *row) decimal.Maybe { return r.unpaid })))
	when(any(func(r *row) bool { return r.of.shipped }), about(q.Unshipped || q.NotReceived || q.Overdue,
		sums("left_sum", text("Не выполнено", "Not done"), func(r *row) decimal.Maybe { return r.unshipped })))
	quantity := cells("product_quantity", tool.UnitQuantity, text("Количество товара", "Quantity of the item"),
		func(r row) tool.Value { return tool.MaybeNumber(r.goodQuantity) })
	quantity.Total = func(rows []row) tool.Value {
		if len(all) != 1 { // what was ordered, shipped and returned does not add up
			return tool.Empty
		}
		return quantityOf(rows)
	}
	when(q.wanted != nil && q.oneGood, quantity)
	when(q.wanted != nil, sums("product_sum", text("Сумма товара", "Sum of the item"),
		func(r *row) decimal.Maybe { return r.ofGood }))
	when(any(func(r *row) bool { return r.of.shipped }), about(q.Overdue || q.due() || q.Order == plannedFirst,
		day("planned", text("Плановая дата", "Planned"), func(r *row) msapi.Moment { return r.Planned })))
	when(any(func(r *row) bool { return r.overdue > 0 }), about(q.Overdue, cells("days_overdue", tool.UnitDays,
		text("Просрочен, дней", "Days overdue"), func(r row) tool.Value {
			if r.overdue == 0 {
				return tool.Empty
			}
			return tool.Count(r.overdue)
		})))
	when(any(func(r *row) bool { return !r.State.IsZero() }), texts("state", text("Статус", "State"),
		func(r row) string {
			if r.State.IsZero() {
				return c.Pick("(без статуса)", "(no state)")
			}
			return c.names.of(r.State)
		}))
	when(any(func(r *row) bool { return r.of.store }), texts("store", text("Склад", "Warehouse"), func(r row) string {
		if r.of.name == transfer {
			return c.names.of(r.From)
		}
		return c.names.of(r.Store)
	}).AsDetail())
	when(any(func(r *row) bool { return r.of.name == transfer }), about(len(q.kinds) == 1, texts("target_store",
		text("На склад", "To warehouse"), func(r row) string { return c.names.of(r.To) })))
	when(any(func(r *row) bool { return !r.Posted() }), texts("posted", text("Проведён", "Posted"), func(r row) string {
		if r.Posted() {
			return c.Pick("да", "yes")
		}
		return c.Pick("нет", "no")
	}).AsDetail())
	when(true, texts("employee", text("Владелец", "Owner"),
		func(r row) string { return c.names.of(r.Owner) }).AsDetail())
	when(true, texts("legal_entity", text("Юрлицо", "Legal entity"),
		func(r row) string { return c.names.of(r.Organization) }).AsDetail())
	when(any(func(r *row) bool { return !r.Project.IsZero() }), texts("project", text("Проект", "Project"),
		func(r row) string { return c.names.of(r.Project) }).AsDetail())
	when(any(func(r *row) bool { return r.Description != "" }), texts("comment", text("Комментарий", "Comment"),
		func(r row) string { return r.Description }).AsDetail())
	when(true, texts("link", text("Ссылка", "Link"), func(r row) string { return r.Link }).AsDetail())
	when(true, texts("document_type", text("Вид", "Type"), func(r row) string { return string(r.of.name) }).AsDetail())
	when(true, texts("id", text("ID", "ID"), func(r row) string { return string(r.ID) }))
	return list
}

// total adds up an amount of the posted documents.
func total(rows []row, of func(*row) decimal.Maybe) account.MoneyByCurrency {
	sum := account.MoneyByCurrency{}
	for _, r := range rows {
		if amount := of(&r); amount.Known && r.Posted() {
			sum.Add(r.currency, amount.Decimal)
		}
	}
	return sum
}

// quantityOf adds up the quantity of the good in the posted documents.
func quantityOf(rows []row) tool.Value {
	var sum decimal.Decimal
	for _, r := range rows {
		if r.Posted() {
			sum = sum.Add(r.goodQuantity.Decimal)
		}
	}
	return tool.Number(sum)
}

// notices says what the sums leave out.
func (c *call) notices(rows []row, all []*group) {
	drafts := 0
	for _, r := range rows {
		if !r.Posted() {
			drafts++
		}
	}
	if drafts > 0 {
		c.Noticef(tool.NoticePartial, "Непроведённых документов: %d; в суммах их нет.",
			"Documents that are not posted: %d; the sums leave them out.", drafts)
	}
	var hidden []string
	for _, g := range all {
		if c.NoticeSeveral(g.sum); len(g.unnamed) > 1 {
			c.Notice(tool.NoticeCurrency, "Валюты документов сотруднику не видны, и они разные: суммы не сложены.",
				"The employee may not see the currencies of the documents, and they differ: sums are not added up.")
		}
		if g.hidden {
			hidden = append(hidden, g.of.many.In(c.Lang))
		}
	}
	if len(hidden) > 0 {
		list := wording.Quoted(hidden, c.Lang)
		c.Missing(account.SectionCost, "суммы скрыты: "+list, "the sums are hidden: "+list)
	}
}

// noteVisibility says which types the employee may not see, and which only in part.
func (c *call) noteVisibility(q *conditions) {
	name := func(list []*kind) (ru, en string) {
		var r, e []string
		for _, k := range list {
			r, e = append(r, k.section().RU), append(e, k.section().EN)
		}
		return "«" + strings.Join(r, "», «") + "»", "“" + strings.Join(e, "”, “") + "”"
	}
	if len(q.unseen) > 0 {
		ru, en := name(q.unseen)
		c.Notice(tool.NoticeRightMissing, "Нет доступа к разделам "+ru+": этих документов в ответе нет.",
			"There is no access to "+en+": these documents are not in the answer.")
	}
	var partial []*kind
	for _, k := range q.kinds {
		if c.Rights.Partial(string(k.name)) && !slices.Contains(q.unseen, k) {
			partial = append(partial, k)
		}
	}
	if len(partial) > 0 {
		ru, en := name(partial)
		c.Notice(tool.NoticeVisibility, "Сотрудник видит не все документы: "+ru+". Остальных в ответе нет.",
			"The employee sees only part of "+en+". The rest is not in this answer.")
	}
}
