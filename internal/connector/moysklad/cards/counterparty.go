package cards

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type counterpartyInput struct {
	Counterparty string `json:"counterparty" jsonschema:"name, legal name, code or id"`
	periodArgs
}

func counterpartyTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_counterparty",
		text("Карточка контрагента", "Counterparty card"),
		text("Один покупатель или поставщик целиком: контакты, кто кому должен, продажи за период, что покупает, "+
			"заказы к отгрузке или оплате, закупки и срок поставки, последние документы.",
			"One customer or supplier with everything: contacts, balance, what they buy, open orders, "+
				"purchases, lead time, latest documents. A name must mean one."),
		account.SectionCounterparties, func(in counterpartyInput) periodArgs { return in.periodArgs },
		(*call).counterparty).
		Requires(account.Vital(account.SectionCounterparties),
			tool.Need{Section: account.SectionCRM, For: text("кто кому должен, продажи за всё время",
				"who owes whom, sales of all time")},
			tool.Need{Section: account.SectionProfit, For: text("продажи за период и что покупает",
				"sales of the period and what they buy")}, account.NeedDocumentSums)
}

// contact is a counterparty as its own address returns it. Fields that are not filled, or that the employee may not
// see, are empty.
type contact struct {
	msapi.Counterparty

	INN         string    `json:"inn"`
	KPP         string    `json:"kpp"`
	Phone       string    `json:"phone"`
	Email       string    `json:"email"`
	Fax         string    `json:"fax"`
	Actual      string    `json:"actualAddress"`
	Legal       string    `json:"legalAddress"`
	Description string    `json:"description"`
	State       msapi.Ref `json:"state"`
	PriceType   msapi.Ref `json:"priceType"`
	Persons     struct {
		Meta struct {
			Size int `json:"size"`
		} `json:"meta"`
	} `json:"contactpersons"`
}

// person is a contact person.
type person struct {
	Name     string `json:"name"`
	Position string `json:"position"`
	Phone    string `json:"phone"`
	Email    string `json:"email"`
}

// party is a counterparty with what was read about it.
type party struct {
	contact

	persons   []person
	state     string
	report    *msapi.CounterpartyReport // nil: not visible
	total     *msapi.ProfitRow          // sales of the period; nil: not visible
	bought    []msapi.ProfitRow         // by good
	orders    papers                    // of the customer
	purchases papers                    // orders to the supplier
	receipts  papers                    // of goods from the supplier
	latest    []msapi.Document
	closing   map[msapi.ID]msapi.State // states of orders
}

func (c *call) counterparty(ctx context.Context, in counterpartyInput) error {
	id, err := c.findParty(ctx, in.Counterparty)
	if err != nil {
		return err
	}
	p := &party{closing: map[msapi.ID]msapi.State{}, orders: papers{kind: "customerorder"},
		purchases: papers{kind: "purchaseorder"}, receipts: papers{kind: "supply"}}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { c.currency, c.currencies, err = c.AccountCurrency(inner); return })
	work.Go(func() error { return c.readContact(inner, p, id) })
	work.Go(func() error { return c.readReport(inner, p, id) })
	work.Go(func() error { return c.readSales(inner, p, id) })
	work.Go(func() error { return c.readOrders(inner, p, id) })
	work.Go(func() error { return c.readDocuments(inner, p, id) })
	if err := work.Wait(); err != nil {
		if msapi.IsNotFound(err) {
			_, err = choose[msapi.ID](c, "counterparty", in.Counterparty, nil, false)
		}
		return err
	}
	c.NoticePartialViews(append([]string{p.orders.kind, p.purchases.kind, p.receipts.kind}, latestKinds...))
	c.showCounterparty(p)
	return nil
}

// readContact reads the card itself, and the contact persons if it has some.
func (c *call) readContact(ctx context.Context, p *party, id msapi.ID) (err error) {
	path := "entity/counterparty/" + string(id)
	if p.contact, err = msapi.Get[contact](ctx, c.Reader, path, nil); err != nil {
		return err
	}
	if p.Persons.Meta.Size > 0 {
		list, err := msapi.Get[struct {
			Rows []person `json:"rows"`
		}](ctx, c.Reader, path+"/contactpersons", nil)
		p.persons = list.Rows
		if _, err := c.seen(err, account.SectionCounterparties, "контактные лица не показаны",
			"contact persons are not shown"); err != nil {
			return err
		}
	}
	if p.State.ID == "" {
		return nil
	}
	states, err := c.StateList(ctx, "counterparty")
	for _, s := range states {
		if s.ID == p.State.ID {
			p.state = s.Name
		}
	}
	return ignoreForbidden(err)
}

// readReport reads the balance and the sales of all time.
func (c *call) readReport(ctx context.Context, p *party, id msapi.ID) error {
	rows, err := msapi.Collect(c.Reader.CounterpartyReport(ctx,
		msapi.CounterpartyQuery{Counterparties: []msapi.ID{id}}))
	if msapi.IsNotFound(err) {
		return nil // the card itself says whether there is such a counterparty
	}
	seen, err := c.seen(err, account.SectionCRM, "кто кому должен, не показано", "who owes whom is not shown")
	if seen && len(rows) == 1 {
		p.report = &rows[0]
	}
	return err
}

// readSales reads the sales of the period: in all, and by good.
func (c *call) readSales(ctx context.Context, p *party, id msapi.ID) error {
	q := msapi.ProfitQuery{Period: account.ReportPeriod(c.period), Counterparties: []msapi.ID{id}}
	total := msapi.ProfitRow{}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() error {
		return account.Each(c.Call, c.Reader.Profit(inner, msapi.ProfitByCounterparty, q), func(r msapi.ProfitRow) {
			if r.Subject.ID == id {
				total = r
			}
		})
	})
	work.Go(func() error {
		return account.Each(c.Call, c.Reader.Profit(inner, msapi.ProfitByProduct, q),
			func(r msapi.ProfitRow) { p.bought = append(p.bought, r) })
	})
	seen, err := c.seen(work.Wait(), account.SectionProfit, "продажи за период и что покупает не показаны",
		"sales of the period and what they buy are not shown")
	if !seen {
		p.bought = nil
		return err
	}
	p.total = &total
	return nil
}

// mostOrders is the maximum number of orders of a type to read. Of a counterparty with more, such as a marketplace,
// those of the period are read, if they are not too many either.
const mostOrders = 5000

// papers are the posted orders, or receipts of goods, of a counterparty.
type papers struct {
	kind   string
	list   []msapi.Order
	many   bool             // the list is of the period only
	unread bool             // there are too many even in the period: the list is empty
	newest []msapi.Document // of any time, if the list is not
}

// any reports whether there are documents of this type.
func (x *papers) any() bool { return len(x.list)+len(x.newest) > 0 }

// latest returns the newest documents among them.
func (x *papers) latest() []msapi.Document {
	list := slices.Clone(x.newest)
	for _, o := range x.list {
		if !x.many {
			list = append(list, msapi.Document{Kind: x.kind, ID: o.ID, Name: o.Name, Moment: o.Moment, Agent: o.Agent,
				Rate: o.Rate, Sum: o.Sum})
		}
	}
	return list
}

// readOrders reads the orders and receipts of the counterparty, and the states of its orders.
func (c *call) readOrders(ctx context.Context, p *party, id msapi.ID) error {
	work, inner := errgroup.WithContext(ctx)
	read := func(x *papers, ru, en string) {
		work.Go(func() error {
			_, err := c.seen(c.readPapers(inner, x, id), account.SectionAt("entity/"+x.kind), ru, en)
			return err
		})
	}
	read(&p.orders, "заказы не показаны", "orders are not shown")
	read(&p.purchases, "заказы поставщику не показаны", "supplier orders are not shown")
	read(&p.receipts, "закупки не показаны", "purchases are not shown")
	if err := work.Wait(); err != nil {
		return err
	}
	for _, x := range []*papers{&p.orders, &p.purchases} {
		if !slices.ContainsFunc(x.list, func(o msapi.Order) bool { return o.State.ID != "" }) {
			continue
		}
		known, err := c.StateList(ctx, x.kind)
		for _, s := range known {
			p.closing[s.ID] = s
		}
		if ignoreForbidden(err) != nil {
			return err
		}
		if err != nil {
			section := account.SectionAt("entity/" + x.kind)
			c.Notice(tool.NoticeRightMissing,
				"Статусы документов «"+section.RU+"» не видны: среди показанных могут быть закрытые по статусу и отменённые.",
				"The states of “"+section.EN+"” are not visible: orders closed by their state, and cancelled ones, may be "+
					"among the open ones.")
		}
	}
	return nil
}

// readPapers reads documents of a type, of any time or, if there are too many, of the period.
func (c *call) readPapers(ctx context.Context, x *papers, id msapi.ID) error {
	posted := true
	q := msapi.OrderQuery{Posted: &posted, Agents: []msapi.ID{id}}
	sized := msapi.WithSizes(ctx, func(_ string, size int) error {
		if size > mostOrders {
			return errMany{size}
		}
		return nil
	})
	read := func() error {
		x.list = nil
		return account.Each(c.Call, c.Reader.OrdersOf(sized, x.kind, q), func(o msapi.Order) {
			if o.Applicable && o.Agent.ID == id {
				x.list = append(x.list, o)
			}
		})
	}
	err := read()
	all, many := manyRows(err)
	if !many {
		return err
	}
	x.many = true
	q.From, q.To = account.DayStart(c.period.From), account.DayEnd(c.period.To)
	err = read()
	section := account.SectionAt("entity/" + x.kind).In(c.Lang)
	if within, still := manyRows(err); still {
		x.unread, x.list, err = true, nil, nil
		c.Noticef(tool.NoticePartial, "Документов «%s» слишком много: %d, из них за период %d. Показаны только последние, "+
			"остальное по ним не посчитано.",
			"There are too many documents of the type “%s”: %d, and %d in the period. Only the latest are shown, nothing "+
				"else of them is computed.", section, all.size, within.size)
	} else {
		c.Noticef(tool.NoticePartial, "Документов «%s» слишком много (%d): всё, кроме последних, посчитано только за период.",
			"There are too many documents of the type “%s” (%d): all but the latest is computed of the period only.",
			section, all.size)
	}
	if err == nil {
		x.newest, err = c.newestOf(ctx, x.kind, id)
	}
	return err
}

// newestOf reads the newest posted documents of a type.
func (c *call) newestOf(ctx context.Context, kind string, id msapi.ID) (list []msapi.Document, err error) {
	posted := true
	q := msapi.DocumentQuery{Posted: &posted, Agents: []msapi.ID{id}, Newest: latestDocuments}
	err = account.Each(c.Call, c.Reader.Documents(ctx, kind, q), func(d msapi.Document) {
		if d.Agent.ID == id && d.Posted() {
			list = append(list, d)
		}
	})
	return list, err
}

// latestKinds are the types of documents of which the latest are read; orders and receipts are read anyway.
var latestKinds = []string{"demand", "retaildemand", "salesreturn", "paymentin", "cashin", "paymentout", "cashout"}

// readDocuments reads the latest documents of the counterparty.
func (c *call) readDocuments(ctx context.Context, p *party, id msapi.ID) error {
	lists := make([][]msapi.Document, len(latestKinds))
	work, inner := errgroup.WithContext(ctx)
	closed := make([]bool, len(latestKinds))
	for i, kind := range latestKinds {
		if closed[i] = !c.Rights.Sees(kind); closed[i] {
			continue
		}
		work.Go(func() (err error) {
			lists[i], err = c.newestOf(inner, kind, id)
			closed[i] = err != nil && ignoreForbidden(err) == nil
			return ignoreForbidden(err)
		})
	}
	err := work.Wait()
	var unseen []tool.Text
	for i, kind := range latestKinds {
		if closed[i] {
			unseen = append(unseen, account.SectionAt("entity/"+kind))
		}
	}
	if len(unseen) > 0 {
		names := account.SectionsOf(unseen)
		c.Notice(tool.NoticeRightMissing, "Нет доступа к разделам «"+names.RU+"»: этих документов в карточке нет.",
			"There is no access to “"+names.EN+"”: these documents are not on the card.")
	}
	p.latest = slices.Concat(lists...)
	return err
}

// trade is the sales of the period.
type trade struct{ revenue, returns, average, receipts decimal.Maybe }
