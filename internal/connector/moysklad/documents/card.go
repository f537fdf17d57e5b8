package documents

import (
	"cmp"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// field is a field of the document's head.
type field struct {
	name  string
	value string
}

// showOpened writes the parts of a document: its fields, lines, payments, linked documents and history.
func (c *call) showOpened(d *opened) {
	c.Result.Title = d.of.one.In(c.Lang) + " " + d.Name
	tool.AddPart(c.Result, c.Lang, text("Реквизиты", "Fields"), []tool.TableColumn[field]{
		textCells("name", "Название", "Name", func(f field) string { return f.name }),
		textCells("value", "Значение", "Value", func(f field) string { return f.value }),
	}, c.fields(d))
	c.showLines(d)
	var payments, others []linkedDocument
	for _, l := range d.linked {
		if l.link.Field == "payments" {
			payments = append(payments, l)
		} else {
			others = append(others, l)
		}
	}
	tool.AddPart(c.Result, c.Lang, text("Оплаты", "Payments"), c.linkColumns(), payments)
	tool.AddPart(c.Result, c.Lang, text("Связанные документы", "Linked documents"), c.linkColumns(), others)
	var history []msapi.Event
	for _, e := range d.events {
		if e.Kind == "create" || e.StateChanged {
			history = append(history, e)
		}
	}
	state := func(r msapi.Ref) string {
		if r.IsZero() {
			return c.Pick("(без статуса)", "(no state)")
		}
		return cmp.Or(c.names.of(r), string(r.ID))
	}
	tool.AddPart(c.Result, c.Lang, text("История статусов", "History of states"), []tool.TableColumn[msapi.Event]{
		textCells("name", "", "", func(e msapi.Event) string {
			if !e.StateChanged {
				return c.Pick("Создан", "Created")
			}
			return state(e.From) + " → " + state(e.To)
		}),
		{Name: "at", Unit: tool.UnitMoment, Label: text("Когда", "When"),
			Cell: func(e msapi.Event) tool.Value { return tool.Moment(e.Moment.Time) }},
		textCells("employee", "Сотрудник", "Employee",
			func(e msapi.Event) string { return cmp.Or(d.logins[e.Login], e.Login) }),
	}, history)
	c.Method("Документ из МоегоСклада, суммы — в его валюте. Сумма строки — цена, умноженная на количество, за вычетом скидки; "+
		"история — из аудита МоегоСклада.",
		"A document of MoySklad, with sums in its currency. The sum of a line is its "+
			"price times its quantity, less the discount; the history is from MoySklad's audit.")
	c.sayOpened(d)
}

func textCells[T any](name, ru, en string, cell func(T) string) tool.TableColumn[T] {
	return tool.TableColumn[T]{Name: name, Unit: tool.UnitText, Label: text(ru, en),
		Cell: func(x T) tool.Value { return tool.TextValue(cell(x)) }}
}

// fields returns the filled fields of a document's head.
func (c *call) fields(d *opened) []field {
	var list []field
	add := func(ru, en, value string) {
		if value != "" {
			list = append(list, field{c.Pick(ru, en), value})
		}
	}
	day := func(m msapi.Moment) string {
		if m.IsZero() {
			return ""
		}
		return tool.DayOf(m.In(msapi.Moscow)).Format(c.Lang)
	}
	sum := func(x decimal.Maybe) string {
		if !x.Known {
			return ""
		}
		return tool.FormatMoney(x.Decimal, d.currency, c.Lang)
	}
	add("Вид", "Type", d.of.one.In(c.Lang))
	add("Номер", "Number", d.Name)
	add("Дата", "Date", day(d.Moment))
	if !d.Posted() {
		add("Проведён", "Posted", c.Pick("нет", "no"))
	}
	add("Статус", "State", c.names.of(d.State))
	add("Контрагент", "Counterparty", c.names.of(d.Agent))
	add("Юрлицо", "Legal entity", c.names.of(d.Organization))
	add("Склад", "Warehouse", c.names.of(d.Store))
	add("Со склада", "From warehouse", c.names.of(d.From))
	add("На склад", "To warehouse", c.names.of(d.To))
	add("Сумма", "Sum", sum(d.sum))
	add("НДС", "VAT", sum(account.Major(d.VAT)))
	add("Оплачено", "Paid", sum(d.paid))
	add("Не оплачено", "Not paid", sum(d.unpaid))
	done, left := text("Отгружено", "Shipped"), text("Не отгружено", "Not shipped")
	if d.of.name == purchaseOrder {
		done, left = text("Принято", "Received"), text("Не принято", "Not received")
	}
	add(done.RU, done.EN, sum(d.shipped))
	add(left.RU, left.EN, sum(d.unshipped))
	add("Резерв", "Reserved", sum(account.Major(d.Reserved)))
	add("Плановая дата", "Planned", day(d.Planned))
	if d.overdue > 0 {
		add("Просрочен", "Overdue", wording.NounDay.Count(c.Lang, d.overdue))
	}
	add("Оплатить до", "Pay by", day(d.PayBy))
	add("Проект", "Project", c.names.of(d.Project))
	add("Владелец", "Owner", c.names.of(d.Owner))
	add("Входящий номер", "Number of the sender", d.Incoming)
	add("Назначение платежа", "Purpose of the payment", d.Purpose)
	add("Адрес доставки", "Shipping address", d.Address)
	add("Комментарий", "Comment", d.Description)
	for _, a := range d.Attributes {
		add(a.Name, a.Name, account.AttributeText(a, c.Lang))
	}
	add("Создан", "Created", day(d.Created))
	add("Ссылка", "Link", d.Link)
	return append(list, field{"ID", string(d.ID)})
}

// showLines writes the lines. If the employee may not see their prices, the columns are hidden.
func (c *call) showLines(d *opened) {
	var any, ordered bool
	hidden := len(d.lines) > 0
	for _, l := range d.lines {
		hidden = hidden && !l.Price.Known
		any = any || l.Discount.Known && l.Discount.Sign() != 0
		ordered = ordered || l.Shipped.Known && d.of.shipped
	}
	if hidden {
		c.Missing(account.SectionCost, "цены и суммы строк скрыты", "the prices and sums of the lines are hidden")
	}
	number := func(name, ru, en string, of func(msapi.Line) decimal.Maybe) tool.TableColumn[msapi.Line] {
		return tool.TableColumn[msapi.Line]{Name: name, Unit: tool.UnitQuantity, Label: text(ru, en),
			Cell: func(l msapi.Line) tool.Value { return tool.MaybeNumber(of(l)) }}
	}
	money := func(name, ru, en string, of func(msapi.Line) decimal.Maybe) tool.TableColumn[msapi.Line] {
		return tool.TableColumn[msapi.Line]{Name: name, Unit: tool.UnitMoney, Label: text(ru, en), Hidden: hidden,
			Cell: func(l msapi.Line) tool.Value { return tool.MaybeMoney(of(l), d.currency) }}
	}
	columns := []tool.TableColumn[msapi.Line]{
		textCells("name", "Название", "Name", func(l msapi.Line) string { return l.Assortment.Name }),
		textCells("article", "Артикул", "Article",
			func(l msapi.Line) string { return cmp.Or(l.Assortment.Article, l.Assortment.Code) }),
		number("quantity", "Количество", "Quantity", func(l msapi.Line) decimal.Maybe { return l.Quantity }),
		textCells("unit", "Ед.", "Unit", func(l msapi.Line) string { return d.unit(l.Unit.ID) }),
		money("price", "Цена", "Price", func(l msapi.Line) decimal.Maybe { return account.Major(l.Price) }),
	}
	if any {
		c := number("discount", "Скидка", "Discount", func(l msapi.Line) decimal.Maybe { return l.Discount })
		c.Unit = tool.UnitPercent
		columns = append(columns, c)
	}
	columns = append(columns, money("sum", "Сумма", "Sum", lineSum).WithSum())
	if ordered {
		label := text("Отгружено", "Shipped")
		if d.of.name == purchaseOrder {
			label = text("Принято", "Received")
		}
		columns = append(columns, number("shipped", label.RU, label.EN,
			func(l msapi.Line) decimal.Maybe { return l.Shipped }))
	}
	columns = append(columns, textCells("product_id", "ID товара", "Product ID",
		func(l msapi.Line) string { return string(l.Assortment.ID) }))
	tool.AddPart(c.Result, c.Lang, text("Строки", "Lines"), columns, d.lines)
	var sum decimal.Decimal
	for _, l := range d.lines {
		sum = sum.Add(lineSum(l).Decimal)
	}
	if !hidden && len(d.lines) > 0 && d.sum.Known && sum.Cmp(d.sum.Decimal) != 0 {
		c.Noticef(tool.NoticeAssumption, "Строки складываются в %s, а сумма документа — %s: НДС сверху или округление.",
			"The lines add up to %s, and the sum of the document is %s: VAT is added, or sums are rounded.",
			tool.FormatMoney(sum, d.currency, c.Lang), tool.FormatMoney(d.sum.Decimal, d.currency, c.Lang))
	}
}

// lineSum returns the sum of a line in main units, less its discount and rounded to the minor unit.
func lineSum(l msapi.Line) decimal.Maybe {
	if !l.Price.Known || !l.Quantity.Known {
		return decimal.Maybe{}
	}
	left := decimal.Hundred.Sub(l.Discount.Decimal)
	return decimal.Some(l.Price.Mul(l.Quantity.Decimal).Mul(left).Div(decimal.Hundred).Round(0).Major())
}

// linkColumns are the columns of payments and linked documents.
func (c *call) linkColumns() []tool.TableColumn[linkedDocument] {
	return []tool.TableColumn[linkedDocument]{
		textCells("name", "", "", func(l linkedDocument) string {
			name := l.of.one.In(c.Lang) + " " + l.Name
			if !l.Posted() {
				name += c.Pick(" (не проведён)", " (not posted)")
			}
			return name
		}),
		{Name: "date", Unit: tool.UnitDate, Label: text("Дата", "Date"), Cell: func(l linkedDocument) tool.Value {
			return tool.Date(tool.DayOf(l.Moment.In(msapi.Moscow)))
		}},
		{Name: "sum", Unit: tool.UnitMoney, Label: text("Сумма", "Sum"), Cell: func(l linkedDocument) tool.Value {
			if part := account.Major(l.link.Sum); part.Known { // of a payment for several documents
				return tool.MaybeMoney(part, l.currency)
			}
			return tool.MaybeMoney(l.sum, l.currency)
		}},
		textCells("state", "Статус", "State", func(l linkedDocument) string { return c.names.of(l.State) }),
		textCells("document_type", "Вид", "Type",
			func(l linkedDocument) string { return string(l.of.name) }).AsDetail(),
		textCells("id", "ID", "ID", func(l linkedDocument) string { return string(l.ID) }),
	}
}

// sayOpened writes the answer.
func (c *call) sayOpened(d *opened) {
	said := c.Pickf("%s %s от %s", "%s %s of %s", d.of.one.In(c.Lang), d.Name,
		tool.DayOf(d.Moment.In(msapi.Moscow)).Format(c.Lang))
	add := func(applies bool, ru, en, value string) {
		if applies {
			said += c.Pick(ru, en) + value
		}
	}
	money := func(x decimal.Maybe) string { return tool.FormatMoney(x.Decimal, d.currency, c.Lang) }
	agent, state := c.names.of(d.Agent), c.names.of(d.State)
	add(agent != "", ", ", ", ", wording.InQuotes(agent, c.Lang))
	add(d.sum.Known, ", на ", ", for ", money(d.sum))
	add(!d.Posted(), ", не проведён", ", not posted", "")
	add(state != "", ", статус ", ", state ", wording.InQuotes(state, c.Lang))
	add(len(d.lines) > 0, ", ", ", ", wording.NounLine.Count(c.Lang, len(d.lines)))
	add(d.of.owed && d.unpaid.Known && d.unpaid.Sign() > 0, ", не оплачено ", ", not paid: ", money(d.unpaid))
	add(d.of.owed && d.unpaid.Known && d.unpaid.Sign() == 0, ", оплачено полностью", ", fully paid", "")
	left := d.unshipped.Known && d.unshipped.Sign() > 0
	add(left && d.of.name == customerOrder, ", не отгружено ", ", not shipped: ", money(d.unshipped))
	add(left && d.of.name == purchaseOrder, ", не принято ", ", not received: ", money(d.unshipped))
	add(d.overdue > 0, ", просрочка ", ", overdue by ", wording.NounDay.Count(c.Lang, d.overdue))
	c.Result.Answer = said + "."
	if d.of.sum && !d.sum.Known {
		c.Missing(account.SectionCost, "сумма документа скрыта", "the sum of the document is hidden")
	}
}
