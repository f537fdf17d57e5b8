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
	Counterparty string `json:"counterparty" jsonschema:"the customer or supplier: name, full legal name, code or id"`
	periodArgs
}

func counterpartyTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_counterparty",
		text("Карточка контрагента", "Counterparty card"),
		text("Один покупатель или поставщик целиком: контакты, кто кому должен, продажи за период, что покупает, "+
			"незакрытые и неоплаченные заказы, закупки и срок поставки, последние документы.",
			"One customer or supplier with everything: contacts, who owes whom, sales of a period, what they buy, open "+
				"and unpaid orders, purchases and lead time, latest documents."),
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

	Kind        string    `json:"companyType"`
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
	orders    []msapi.Order             // of the customer
	purchases []msapi.Order             // orders to the supplier
	receipts  []msapi.Order             // of goods from the supplier
	latest    []msapi.Document
	closing   map[msapi.ID]msapi.State // states of orders

	seesOrders, seesPurchases, seesReceipts bool
}

func (c *call) counterparty(ctx context.Context, in counterpartyInput) error {
	id, err := c.findParty(ctx, in.Counterparty)
	if err != nil {
		return err
	}
	p := &party{closing: map[msapi.ID]msapi.State{}}
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
	c.notePartial(slices.Concat(orderKinds, latestKinds))
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

// mostOrders is the maximum number of orders of a type to read of any age. Of a counterparty with more, such as a
// marketplace, those of the period are read.
const mostOrders = 5000

// orderKinds are the types of documents that are read whole.
var orderKinds = []string{"customerorder", "purchaseorder", "supply"}

// readOrders reads the orders and receipts of the counterparty, and the states of its orders.
func (c *call) readOrders(ctx context.Context, p *party, id msapi.ID) error {
	work, inner := errgroup.WithContext(ctx)
	read := func(list *[]msapi.Order, sees *bool, kind, ru, en string) {
		work.Go(func() (err error) {
			posted := true
			q := msapi.OrderQuery{Posted: &posted, Agents: []msapi.ID{id}}
			sized := msapi.WithSizes(inner, func(_ string, size int) error {
				if size > mostOrders {
					return errMany{size}
				}
				return nil
			})
			each := func(ctx context.Context) error {
				*list = nil
				return account.Each(c.Call, c.Reader.OrdersOf(ctx, kind, q), func(o msapi.Order) {
					if o.Applicable && o.Agent.ID == id {
						*list = append(*list, o)
					}
				})
			}
			err = each(sized)
			if many, ok := manyRows(err); ok {
				c.Noticef(tool.NoticePartial, "Документов «%s» слишком много (%d): показаны только за период.",
					"There are too many documents of the type “%s” (%d): only those of the period are shown.",
					account.SectionAt("entity/"+kind).In(c.Lang), many.size)
				q.From, q.To = account.DayStart(c.period.From), account.DayEnd(c.period.To)
				err = each(inner)
			}
			*sees, err = c.seen(err, account.SectionAt("entity/"+kind), ru, en)
			return err
		})
	}
	states := []string{"customerorder", "purchaseorder"}
	read(&p.orders, &p.seesOrders, "customerorder", "заказы не показаны", "orders are not shown")
	read(&p.purchases, &p.seesPurchases, "purchaseorder", "заказы поставщику не показаны",
		"supplier orders are not shown")
	read(&p.receipts, &p.seesReceipts, "supply", "закупки не показаны", "purchases are not shown")
	if err := work.Wait(); err != nil {
		return err
	}
	for i, list := range [][]msapi.Order{p.orders, p.purchases} {
		if !slices.ContainsFunc(list, func(o msapi.Order) bool { return o.State.ID != "" }) {
			continue
		}
		known, err := c.StateList(ctx, states[i])
		for _, s := range known {
			p.closing[s.ID] = s
		}
		if ignoreForbidden(err) != nil {
			return err
		}
		if err != nil {
			section := account.SectionAt("entity/" + states[i])
			c.Notice(tool.NoticeRightMissing,
				"Статусы документов «"+section.RU+"» не видны: среди незакрытых могут быть закрытые по статусу и отменённые.",
				"The states of “"+section.EN+"” are not visible: orders closed by their state, and cancelled ones, may be "+
					"among the open ones.")
		}
	}
	return nil
}

// latestKinds are the types of documents of which the latest are read; orders and receipts are read anyway.
var latestKinds = []string{"demand", "retaildemand", "salesreturn", "paymentin", "cashin", "paymentout", "cashout"}

// readDocuments reads the latest documents of the counterparty.
func (c *call) readDocuments(ctx context.Context, p *party, id msapi.ID) error {
	lists := make([][]msapi.Document, len(latestKinds))
	work, inner := errgroup.WithContext(ctx)
	posted := true
	closed := make([]bool, len(latestKinds))
	for i, kind := range latestKinds {
		if closed[i] = !c.Rights.Sees(kind); closed[i] {
			continue
		}
		q := msapi.DocumentQuery{Posted: &posted, Agents: []msapi.ID{id}, Newest: latestDocuments}
		work.Go(func() error {
			err := account.Each(c.Call, c.Reader.Documents(inner, kind, q), func(d msapi.Document) {
				if d.Agent.ID == id && d.Posted() {
					lists[i] = append(lists[i], d)
				}
			})
			closed[i] = msapi.IsForbidden(err) || msapi.IsTariff(err)
			return ignoreForbidden(err)
		})
	}
	err := work.Wait()
	var unseen []string
	for i, kind := range latestKinds {
		if closed[i] {
			unseen = append(unseen, kind)
		}
	}
	if len(unseen) > 0 {
		ru, en := quoted(unseen)
		c.Notice(tool.NoticeRightMissing, "Нет доступа к разделам "+ru+": этих документов в карточке нет.",
			"There is no access to "+en+": these documents are not on the card.")
	}
	p.latest = slices.Concat(lists...)
	return err
}

// asDocument returns an order as a line of the latest documents.
func asDocument(kind string, o msapi.Order) msapi.Document {
	return msapi.Document{Kind: kind, ID: o.ID, Name: o.Name, Moment: o.Moment, Agent: o.Agent, Rate: o.Rate,
		Sum: o.Sum, State: o.State}
}

// trade is the sales of the period.
type trade struct{ revenue, returns, average, receipts decimal.Maybe }
