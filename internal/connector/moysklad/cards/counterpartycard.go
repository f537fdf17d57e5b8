package cards

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// mostBought is how many of the goods that a customer buys most are shown.
const mostBought = 10

// showCounterparty writes the parts of the card and the answer.
func (c *call) showCounterparty(p *party) {
	c.Result.Title = c.Pick("Контрагент ", "Counterparty ") + wording.InQuotes(p.Name, c.Lang)
	c.Method("Долг и продажи за всё время — «Показатели контрагентов», продажи за период — отчёт о прибыльности, за "+
		"вычетом возвратов. Заказы и документы — проведённые, суммы — в валюте документа.",
		"Debt and sales of all time are MoySklad's counterparty indicators, sales of the period the profitability report "+
			"less returns. Orders and documents are those posted, with sums in their currency.")
	c.contactFields(p)
	c.showBalance(p)
	sold := c.showSales(p)
	c.showBought(p)
	orders := c.openOrders(p, p.orders.list)
	c.showOrders("Заказы к отгрузке или оплате", "Open and unpaid orders", "customerorder", orders)
	supplied := c.showPurchases(p)
	toCome := c.openOrders(p, p.purchases.list)
	c.showOrders("Заказы поставщику к приёмке или оплате", "Open and unpaid supplier orders", "purchaseorder", toCome)
	c.showLatest(p)
	c.sayCounterparty(p, sold, orders, supplied, toCome)
}

func (c *call) contactFields(p *party) {
	f := &fields{call: c}
	if p.Archived {
		f.add("В архиве", "Archived", c.Pick("да", "yes"))
	}
	if p.LegalTitle != p.Name {
		f.add("Полное название", "Full legal name", p.LegalTitle)
	}
	f.add("Код", "Code", p.Code)
	f.add("ИНН", "Tax ID (ИНН)", p.INN)
	f.add("КПП", "КПП", p.KPP)
	f.add("Телефон", "Phone", p.Phone)
	f.add("Почта", "Email", p.Email)
	f.add("Факс", "Fax", p.Fax)
	f.add("Адрес", "Address", p.Actual)
	if p.Legal != p.Actual {
		f.add("Юридический адрес", "Legal address", p.Legal)
	}
	for _, x := range p.persons {
		said := x.Name
		if x.Position != "" {
			said += " (" + x.Position + ")"
		}
		for _, how := range []string{x.Phone, x.Email} {
			if how != "" {
				said += ", " + how
			}
		}
		f.add("Контактное лицо", "Contact person", strings.TrimPrefix(said, ", "))
	}
	f.add("Группы", "Tags", strings.Join(p.Tags, ", "))
	f.add("Статус", "State", p.state)
	f.add("Вид цен", "Type of prices", p.PriceType.Name)
	f.add("Комментарий", "Comment", p.Description)
	f.attributes(p.Attributes)
	f.add("ID", "ID", string(p.ID))
	f.show()
}

// showBalance adds who owes whom, and the sales of all time.
func (c *call) showBalance(p *party) {
	if p.report == nil {
		return
	}
	balance := account.Major(p.report.Balance)
	side := func(sign int) func(*msapi.CounterpartyReport) (decimal.Maybe, string) {
		return func(*msapi.CounterpartyReport) (decimal.Maybe, string) {
			x := balance
			if x.Sign() != sign {
				x.Decimal = decimal.Zero
			}
			x.Decimal = x.Abs()
			return x, c.currency
		}
	}
	type report = *msapi.CounterpartyReport
	columns := []tool.TableColumn[report]{
		amounts("owed_to_us", "Должны нам", "Owed to us", side(1)),
		amounts("owed_by_us", "Должны мы", "Owed by us", side(-1)),
	}
	if p.everSold() {
		columns = append(columns, cells("sales_count", tool.UnitCount, "Продаж всего", "Sales, all time",
			func(r report) tool.Value { return tool.MaybeNumber(r.DemandsCount) }),
			amounts("sales_sum", "На сумму", "Their sum",
				func(r report) (decimal.Maybe, string) { return account.Major(r.DemandsSum), c.currency }),
			dates("first_sale", "Первая", "First", func(r report) msapi.Moment { return r.FirstDemand }),
			dates("last_sale", "Последняя", "Last", func(r report) msapi.Moment { return r.LastDemand }))
	}
	tool.AddPart(c.Result, c.Lang, text("Взаиморасчёты", "Who owes whom"), columns, []report{p.report})
}

// everSold reports whether anything was sold to the counterparty, or may have been: the employee may not see it.
func (p *party) everSold() bool { return p.report == nil || p.report.DemandsCount.Sign() > 0 }

// showSales adds the sales of the period.
func (c *call) showSales(p *party) *trade {
	if p.total == nil {
		return nil
	}
	r := p.total
	zero := func(m decimal.Maybe) decimal.Maybe { return decimal.Some(m.Decimal) } // no row: nothing was sold
	x := &trade{revenue: decimal.Some(r.SellSum.Sub(r.ReturnSum.Decimal).Major()),
		returns: zero(account.Major(r.ReturnSum)), receipts: zero(r.SalesCount)}
	if r.SalesCount.Sign() > 0 {
		x.average = decimal.Some(r.SellSum.Major().Div(r.SalesCount.Decimal).Round(2))
	}
	if x.receipts.Sign() == 0 && x.revenue.Sign() == 0 && x.returns.Sign() == 0 {
		return x
	}
	tool.AddPart(c.Result, c.Lang, text("Продажи "+wording.Span(c.period, "ru"), "Sales "+wording.Span(c.period, "en")),
		[]tool.TableColumn[*trade]{
			amounts("revenue", "Выручка", "Revenue",
				func(x *trade) (decimal.Maybe, string) { return x.revenue, c.currency }),
			amounts("returns", "Возвраты", "Returns",
				func(x *trade) (decimal.Maybe, string) { return x.returns, c.currency }),
			cells("receipts", tool.UnitCount, "Чеки", "Receipts",
				func(x *trade) tool.Value { return tool.MaybeNumber(x.receipts) }),
			amounts("average_receipt", "Средний чек", "Average receipt",
				func(x *trade) (decimal.Maybe, string) { return x.average, c.currency }),
		}, []*trade{x})
	return x
}

// showBought adds the goods that brought most in the period.
func (c *call) showBought(p *party) {
	net := func(r msapi.ProfitRow) decimal.Decimal { return r.SellSum.Sub(r.ReturnSum.Decimal).Major() }
	slices.SortFunc(p.bought, func(x, y msapi.ProfitRow) int {
		return account.Tie(net(y).Cmp(net(x)), x.Subject.Name, y.Subject.Name, x.Subject.ID, y.Subject.ID)
	})
	var all decimal.Decimal
	for _, r := range p.bought {
		all = all.Add(net(r))
	}
	shown := p.bought[:min(mostBought, len(p.bought))]
	if n := len(p.bought) - len(shown); n > 0 {
		c.Noticef(tool.NoticeTruncated, "Показаны товары с наибольшей выручкой: %d из %d.",
			"Shown are the goods with the most revenue: %d of %d.", len(shown), len(p.bought))
	}
	tool.AddPart(c.Result, c.Lang, text("Что покупает", "What they buy"), []tool.TableColumn[msapi.ProfitRow]{
		texts("name", "Название", "Name", func(r msapi.ProfitRow) string { return r.Subject.Name }),
		quantities("quantity", "Количество", "Quantity", func(r msapi.ProfitRow) decimal.Maybe {
			return decimal.Some(r.SellQuantity.Sub(r.ReturnQuantity.Decimal))
		}),
		texts("unit", "Ед.", "Unit", func(r msapi.ProfitRow) string { return r.Unit }),
		amounts("revenue", "Выручка", "Revenue",
			func(r msapi.ProfitRow) (decimal.Maybe, string) { return decimal.Some(net(r)), c.currency }),
		percents("revenue_share", "Доля", "Share",
			func(r msapi.ProfitRow) decimal.Maybe { return account.Share(net(r), all) }),
		texts("product_id", "ID товара", "Product ID", func(r msapi.ProfitRow) string { return string(r.Subject.ID) }),
	}, shown)
}

// open is an order that something is left to do with.
type open struct {
	msapi.Order
	sum, unpaid, left decimal.Maybe // in main units of its currency
	state             string
	overdue           int // days past the planned date, if something is left to ship or receive
}

// openOrders returns the orders that are not fully shipped (or received) or not fully paid, the newest first. Nothing
// more will come of an order that its state closes. Cancelled orders are named in a notice. An order whose sum is
// hidden or zero does not say whether it is done: it is shown.
func (c *call) openOrders(p *party, all []msapi.Order) []open {
	var list []open
	cancelled, unclear := 0, 0
	for _, o := range all {
		state := p.closing[o.State.ID]
		x := open{Order: o, sum: account.Major(o.Sum), state: state.Name}
		x.unpaid, x.left = account.Left(x.sum, account.Major(o.Paid)), account.Left(x.sum, account.Major(o.Shipped))
		switch {
		case state.Closing() && x.left.Known:
			x.left = decimal.Some(decimal.Zero)
		case o.Sum.Known && o.Sum.Sign() == 0:
			x.left = decimal.Maybe{}
		}
		shipped := x.left.Known && x.left.Sign() == 0 || state.Closing()
		switch {
		case shipped && x.unpaid.Sign() == 0: // or the sum is hidden
			continue
		case state.Type == msapi.StateUnsuccessful:
			cancelled++
			continue
		case !shipped && !o.Planned.IsZero():
			x.overdue = c.daysSince(o.Planned)
		}
		if !shipped && o.Sum.Known && o.Sum.Sign() == 0 {
			unclear++
		}
		list = append(list, x)
	}
	if cancelled > 0 {
		c.Noticef(tool.NoticePartial, "Отменённые заказы не показаны: %d.",
			"Cancelled orders are not among the open ones: %d.", cancelled)
	}
	if unclear > 0 {
		c.Noticef(tool.NoticePartial, "Заказов с нулевой суммой: %d. Выполнены ли они, по сумме не видно.",
			"Open orders with a sum of zero: %d. The sum does not tell whether they are done.", unclear)
	}
	slices.SortFunc(list, func(x, y open) int {
		if so := y.Moment.Compare(x.Moment.Time); so != 0 {
			return so
		}
		return account.Tie(0, x.Name, y.Name, x.ID, y.ID)
	})
	return list
}

// showOrders adds open orders.
func (c *call) showOrders(ru, en, kind string, list []open) {
	hidden := len(list) > 0 && !slices.ContainsFunc(list, func(x open) bool { return x.sum.Known })
	if hidden {
		c.Missing(account.SectionCost, "суммы заказов не показаны, и закрыты ли они, не видно",
			"the sums of orders are not shown, so that it is unknown which are done")
	}
	left := text("Не отгружено", "Not shipped")
	if kind == "purchaseorder" {
		left = text("Не принято", "Not received")
	}
	sum := func(name, ru, en string, of func(open) decimal.Maybe) tool.TableColumn[open] {
		return amounts(name, ru, en, func(x open) (decimal.Maybe, string) { return of(x), c.iso(x.Rate.Currency) }).
			HiddenIf(hidden).WithSum()
	}
	name := map[bool]string{true: "not_received", false: "not_shipped"}[kind == "purchaseorder"]
	columns := []tool.TableColumn[open]{
		texts("number", "Номер", "Number", func(x open) string { return x.Name }),
		dates("date", "Дата", "Date", func(x open) msapi.Moment { return x.Moment }),
		sum("sum", "Сумма", "Sum", func(x open) decimal.Maybe { return x.sum }),
		sum(name, left.RU, left.EN, func(x open) decimal.Maybe { return x.left }),
		sum("unpaid", "Не оплачено", "Not paid", func(x open) decimal.Maybe { return x.unpaid }),
		dates("planned", "План", "Planned", func(x open) msapi.Moment { return x.Planned }),
		counts("overdue_days", tool.UnitDays, "Просрочка", "Days late", func(x open) int { return x.overdue }),
		texts("state", "Статус", "State", func(x open) string { return x.state }).AsDetail(),
		documentType(func(open) string { return kind }),
		texts("document_id", "ID документа", "Document ID", func(x open) string { return string(x.ID) }),
	}
	tool.AddPart(c.Result, c.Lang, text(ru, en), columns, list)
}

// supplied is what a supplier delivered.
type supplied struct {
	receipts int // in the period
	sum      account.MoneyByCurrency
	hidden   bool // the sums
	last     msapi.Moment
	lead     []int // days from each order to its first receipt
}

// showPurchases adds the receipts of goods in the period, the last one, and the lead time. It returns nil if there was
// never a receipt, or if the employee may not see them.
func (c *call) showPurchases(p *party) *supplied {
	if !p.receipts.any() || p.receipts.unread {
		return nil
	}
	x := &supplied{sum: account.MoneyByCurrency{}}
	for _, d := range p.receipts.latest() {
		if d.Moment.After(x.last.Time) {
			x.last = d.Moment
		}
	}
	for _, s := range p.receipts.list {
		if day := dayOf(s.Moment); day < c.period.From || day > c.period.To {
			continue
		}
		if x.receipts++; s.Sum.Known {
			x.sum.Add(c.iso(s.Rate.Currency), s.Sum.Major())
		} else {
			x.hidden = true
		}
	}
	if x.hidden {
		c.Missing(account.SectionCost, "суммы закупок не показаны", "the sums of purchases are not shown")
	}
	c.NoticeSeveral(x.sum)
	// The lead time is that of the last year, as what to order takes it (rule R253).
	since := account.DayStart(c.today.Add(-account.LeadHistory))
	recent := func(list []msapi.Order) []msapi.Order {
		return slices.DeleteFunc(slices.Clone(list), func(o msapi.Order) bool { return o.Moment.Before(since) })
	}
	x.lead = account.LeadDays(recent(p.purchases.list), recent(p.receipts.list))[p.ID.Key()]
	tool.AddPart(c.Result, c.Lang, text("Закупки "+wording.Span(c.period, "ru"),
		"Purchases "+wording.Span(c.period, "en")), []tool.TableColumn[*supplied]{
		cells("supplies", tool.UnitCount, "Приёмки", "Receipts of goods",
			func(x *supplied) tool.Value { return tool.Count(x.receipts) }),
		cells("purchase_sum", tool.UnitMoney, "Сумма закупок", "Sum of purchases",
			func(x *supplied) tool.Value { return x.sum.Total(c.currency) }).HiddenIf(x.hidden),
		dates("last_purchase", "Последняя закупка", "Last purchase", func(x *supplied) msapi.Moment { return x.last }),
		cells("lead_days", tool.UnitDays, "Срок поставки, дн.", "Lead time, days", func(x *supplied) tool.Value {
			if len(x.lead) == 0 {
				return tool.Empty
			}
			return tool.Count(account.LeadOf(x.lead))
		}),
		counts("lead_orders", tool.UnitCount, "По заказам", "Of orders", func(x *supplied) int { return len(x.lead) }),
	}, []*supplied{x})
	return x
}

// showLatest adds the latest documents of all types that were read.
func (c *call) showLatest(p *party) {
	all := slices.Concat(p.latest, p.orders.latest(), p.purchases.latest(), p.receipts.latest())
	slices.SortFunc(all, func(x, y msapi.Document) int { return newestFirst(&x, &y) })
	all = all[:min(latestDocuments, len(all))]
	if len(all) > 0 {
		c.Notice(tool.NoticePartial, "В последних документах нет счетов и счетов-фактур, возвратов поставщику, "+
			"розничных возвратов и отчётов комиссионера.", "The latest documents are without invoices and tax invoices, "+
			"returns to suppliers, retail returns and commission reports.")
	}
	if slices.ContainsFunc(all, func(d msapi.Document) bool { return !d.Sum.Known }) {
		c.Missing(account.SectionCost, "часть сумм документов не показана", "some sums of documents are not shown")
	}
	tool.AddPart(c.Result, c.Lang, text("Последние документы", "Latest documents"), []tool.TableColumn[msapi.Document]{
		texts("document", "Документ", "Document", func(d msapi.Document) string { return c.title(&d) }),
		dates("date", "Дата", "Date", func(d msapi.Document) msapi.Moment { return d.Moment }),
		amounts("sum", "Сумма", "Sum", func(d msapi.Document) (decimal.Maybe, string) {
			return account.Major(d.Sum), c.iso(d.Rate.Currency)
		}),
		documentType(func(d msapi.Document) string { return d.Kind }),
		texts("document_id", "ID документа", "Document ID", func(d msapi.Document) string { return string(d.ID) }),
	}, all)
}

// sayCounterparty writes the answer: who owes whom, sales, orders, purchases.
func (c *call) sayCounterparty(p *party, sold *trade, orders []open, bought *supplied, toCome []open) {
	head := wording.InQuotes(p.Name, c.Lang)
	if p.Archived {
		head += c.Pick(" (в архиве)", " (archived)")
	}
	var said []string
	switch {
	case p.report == nil || !p.report.Balance.Known:
		said = append(said, head+".")
	default:
		said = append(said, head+": "+c.owes(p.report.Balance.Major())+".")
	}
	if s := c.salesText(p, sold); s != "" {
		said = append(said, s)
	}
	said = append(said, c.openText(p.orders, orders, "Заказов к отгрузке или оплате", "Open and unpaid orders",
		", не отгружено на ", ", not shipped: "))
	if bought != nil {
		text := c.Pick("Закупок ", "Purchases ") + wording.Span(c.period, c.Lang) + ": " +
			tool.FormatQuantity(decimal.FromInt(int64(bought.receipts)), c.Lang)
		if bought.receipts > 0 && !bought.hidden {
			text += c.Pick(" на ", " for ") + bought.sum.Text(c.currency, c.Lang)
		}
		text += c.Pick(", последняя ", ", the last on ") + dayOf(bought.last).Format(c.Lang)
		if len(bought.lead) > 0 {
			text += c.Pick(", обычный срок поставки ", ", usual lead time ") +
				wording.NounDay.Count(c.Lang, account.LeadOf(bought.lead))
		}
		said = append(said, text+".")
	}
	said = append(said, c.openText(p.purchases, toCome, "Заказов поставщику к приёмке или оплате",
		"Open and unpaid supplier orders",
		", не принято на ", ", not received: "), c.unseenSentence())
	c.Result.Answer = wording.Sentences(said...)
}

// owes says who owes whom.
func (c *call) owes(balance decimal.Decimal) string {
	money := tool.FormatMoney(balance.Abs(), c.currency, c.Lang)
	switch balance.Sign() {
	case 1:
		return c.Pick("должны нам ", "they owe us ") + money
	case -1:
		return c.Pick("мы должны ", "we owe them ") + money
	}
	return c.Pick("никто никому не должен", "neither side owes anything")
}

func (c *call) salesText(p *party, x *trade) string {
	last := ""
	if r := p.report; r != nil && !r.LastDemand.IsZero() {
		last = c.Pick(", последняя продажа ", ", last sale on ") + dayOf(r.LastDemand).Format(c.Lang)
	}
	if x == nil {
		return strings.TrimPrefix(wording.Upper(strings.TrimPrefix(last+".", ", ")), ".")
	}
	span := wording.Span(c.period, c.Lang)
	if x.receipts.Sign() == 0 && x.revenue.Sign() == 0 {
		if !p.everSold() && p.receipts.any() {
			return "" // only a supplier
		}
		return c.Pick("Продаж ", "No sales ") + span + c.Pick(" нет", "") + last + "."
	}
	text := c.Pick("Выручка ", "Revenue ") + span + ": " + tool.FormatMoney(x.revenue.Decimal, c.currency, c.Lang)
	if x.average.Known {
		text += c.Pick(", чеков ", ", receipts: ") + tool.FormatQuantity(x.receipts.Decimal, c.Lang) +
			c.Pick(", средний чек ", ", average receipt ") + tool.FormatMoney(x.average.Decimal, c.currency, c.Lang)
	}
	return text + last + "."
}

// openText counts open orders and says what is left of them.
func (c *call) openText(of papers, list []open, ru, en, leftRU, leftEN string) string {
	if len(list) == 0 {
		return ""
	}
	left, unpaid := account.MoneyByCurrency{}, account.MoneyByCurrency{}
	for _, x := range list {
		if x.left.Known && x.left.Sign() > 0 {
			left.Add(c.iso(x.Rate.Currency), x.left.Decimal)
		}
		if x.unpaid.Known && x.unpaid.Sign() > 0 {
			unpaid.Add(c.iso(x.Rate.Currency), x.unpaid.Decimal)
		}
	}
	text := c.Pick(ru, en)
	if of.many {
		text += " " + wording.Span(c.period, c.Lang)
	}
	text += ": " + tool.FormatQuantity(decimal.FromInt(int64(len(list))), c.Lang)
	if len(left) > 0 {
		text += c.Pick(leftRU, leftEN) + left.Text(c.currency, c.Lang)
	}
	if len(unpaid) > 0 {
		text += c.Pick(", не оплачено ", ", not paid: ") + unpaid.Text(c.currency, c.Lang)
	}
	return text + "."
}
