package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type overdueInput struct {
	MinDays *account.Days `json:"min_days,omitempty" jsonschema:"default 1"`
	account.StoresArg
	Counterparties []string `json:"counterparties,omitempty" jsonschema:"customers or suppliers, by name or id"`
	account.LimitArg
}

func overdueOrdersTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_overdue_orders",
		tool.Text{RU: "Просроченные заказы покупателей", EN: "Overdue customer orders"},
		tool.Text{
			RU: "Заказы покупателей, плановая дата которых прошла, а отгружены они не полностью и не закрыты; " +
				"заказы без статуса — тоже.",
			EN: "Customer orders past their planned date, not fully shipped, not closed: sum, days overdue. Those " +
				"without a state count.",
		}, (*call).overdueOrders).Requires(account.Vital(account.SectionOrders))
}

// statesAtOnce is how many states fit into one request, because each is a whole URL.
const statesAtOnce = 40

// lateOrder is an overdue order for display; sums are in main units of its own currency.
type lateOrder struct {
	msapi.Order
	days              int
	currency          string
	sum, shipped, due decimal.Maybe
}

func (c *call) overdueOrders(ctx context.Context, in overdueInput) error {
	minDays := 1
	if in.MinDays != nil {
		minDays = max(1, int(*in.MinDays))
	}
	var s account.Filter
	var agents []msapi.Ref
	var states []msapi.State
	var currency string
	var of map[msapi.ID]string
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { s, err = c.Narrow(inner, in.Stores, account.GoodsArgs{}); return })
	work.Go(func() (err error) { states, err = c.OrderStates(inner); return })
	work.Go(func() (err error) { currency, of, err = c.AccountCurrency(inner); return })
	if len(in.Counterparties) > 0 {
		work.Go(func() (err error) {
			agents, err = c.FindCounterparties(inner, "counterparties", in.Counterparties)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionOrders)
	}
	day := account.Today(c.Env)
	query := msapi.OrderQuery{
		PlannedBefore: account.DayStart(day.Add(1 - minDays)), Stores: s.StoreIDs(),
		Agents: account.Ids(agents, func(r msapi.Ref) msapi.ID { return r.ID }),
	}
	orders, err := c.openOrders(ctx, query, states)
	if err != nil {
		return c.Refuse(err, account.SectionOrders)
	}
	late, counts := overdue(orders, states, day, minDays, currency, of)
	names, stores, err := c.orderNames(ctx, late, agents)
	if err != nil {
		return err
	}
	c.NoticePartialView("customerorder", account.SectionOrders)
	c.overdueNotices(counts)
	c.overdueResult(late, names, stores, states, currency, in.Limit)
	c.overdueAnswer(late, names, s, minDays, currency,
		wording.Names(agents, func(r msapi.Ref) string { return r.Name }))
	return nil
}

// openOrders reads the orders in an open state or without a state. A filter "state is not closed" would silently drop
// orders without a state, so the open states are listed together with "no state" (rule R19). Unposted orders are
// included and separated afterwards.
func (c *call) openOrders(ctx context.Context, q msapi.OrderQuery, states []msapi.State) ([]msapi.Order,
	error) {
	var open []msapi.ID
	for _, s := range states {
		if !s.Closing() {
			open = append(open, s.ID)
		}
	}
	queries := []msapi.OrderQuery{q}
	if len(open) < len(states) {
		queries[0].NoState = true
		for i, chunk := range slices.Collect(slices.Chunk(open, statesAtOnce)) {
			if i == 0 {
				queries[0].States = chunk
				continue
			}
			more := q
			more.States = chunk
			queries = append(queries, more)
		}
	}
	parts := make([][]msapi.Order, len(queries))
	work, inner := errgroup.WithContext(ctx)
	for i, query := range queries {
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.CustomerOrders(inner, query),
				func(o msapi.Order) { parts[i] = append(parts[i], o) })
		})
	}
	err := work.Wait()
	var all []msapi.Order
	have := map[msapi.ID]bool{}
	for _, o := range slices.Concat(parts...) {
		if !have[o.ID] {
			have[o.ID] = true
			all = append(all, o)
		}
	}
	return all, err
}

// lateCounts are the figures for the notices.
type lateCounts struct{ drafts, stateless, sumless int }

// overdue checks every order again and keeps those that are late: posted, planned before today in Moscow, not
// completely shipped by sum in the order's currency, and not in a closing state.
func overdue(orders []msapi.Order, states []msapi.State, day tool.Day, minDays int, base string,
	of map[msapi.ID]string) ([]lateOrder, lateCounts) {
	closed := map[msapi.ID]bool{}
	for _, s := range states {
		closed[s.ID] = s.Closing()
	}
	var late []lateOrder
	var n lateCounts
	for _, o := range orders {
		if o.Planned.IsZero() || closed[o.State.ID] {
			continue
		}
		planned := tool.DayOf(o.Planned.In(msapi.Moscow))
		days := tool.Period{From: planned, To: day}.Days() - 1
		switch {
		case days < minDays:
			continue
		case o.Sum.Known && o.Sum.Sign() > 0 && o.Shipped.Known && o.Shipped.Cmp(o.Sum.Decimal) >= 0:
			continue
		case !o.Applicable:
			n.drafts++
			continue
		}
		l := lateOrder{Order: o, days: days, currency: account.Iso(o.Rate.Currency, base, of),
			sum:     account.Major(o.Sum),
			shipped: account.Major(o.Shipped)}
		if o.Sum.Known {
			l.due = decimal.Some(l.sum.Sub(l.shipped.Decimal))
		}
		if !o.Sum.Known || o.Sum.Sign() == 0 {
			n.sumless++
		}
		if o.State.IsZero() {
			n.stateless++
		}
		late = append(late, l)
	}
	slices.SortFunc(late, func(x, y lateOrder) int {
		return cmp.Or(y.days-x.days, account.Descending(x.due, y.due), strings.Compare(x.Name, y.Name),
			strings.Compare(string(x.ID), string(y.ID)))
	})
	return late, n
}

func (c *call) overdueNotices(n lateCounts) {
	if n.drafts > 0 {
		c.Noticef(tool.NoticePartial, "Непроведённые заказы не учтены: %d.",
			"Orders that are not posted are left out: %d.", n.drafts)
	}
	if n.stateless > 0 {
		c.Noticef(tool.NoticeAssumption, "Заказы без статуса учтены: %d.",
			"Orders without a status are counted in: %d.", n.stateless)
	}
	if n.sumless > 0 {
		c.Notice(tool.NoticePartial,
			fmt.Sprintf("У %s сумма нулевая или не видна: отгружены ли они, по сумме сказать нельзя.",
				wording.NounOrderOf.Count("ru", n.sumless)),
			fmt.Sprintf("The sum of %s is zero or hidden: it does not show whether they are shipped.",
				wording.NounOrder.Count("en", n.sumless)))
	}
}

// orderNames returns the names of customers and warehouses by ID.
func (c *call) orderNames(ctx context.Context, late []lateOrder, known []msapi.Ref) (names, stores map[msapi.ID]string,
	err error) {
	names, stores = map[msapi.ID]string{}, map[msapi.ID]string{}
	for _, r := range known {
		names[r.ID] = r.Name
	}
	if list, ok := c.KnownCounterparties(); ok {
		for _, x := range list {
			names[x.ID] = x.Name
		}
	}
	var wanted []msapi.ID
	anyStore := false
	for _, o := range late {
		anyStore = anyStore || o.Store.ID != ""
		if names[o.Agent.ID] == "" && o.Agent.ID != "" && !slices.Contains(wanted, o.Agent.ID) {
			wanted = append(wanted, o.Agent.ID)
		}
	}
	work, inner := errgroup.WithContext(ctx)
	if len(wanted) > 0 {
		work.Go(func() error {
			q := msapi.ListQuery{IDs: wanted, Archived: msapi.ArchivedAlso}
			err := account.Each(c.Call, c.Reader.Counterparties(inner, q),
				func(x msapi.Counterparty) { names[x.ID] = x.Name })
			if msapi.IsForbidden(err) {
				c.Missing(account.SectionCounterparties,
					"имена покупателей не показаны", "the names of customers are not shown")
				return nil
			}
			return err
		})
	}
	if anyStore {
		work.Go(func() error {
			list, err := c.StoreList(inner)
			for _, x := range list {
				stores[x.ID] = x.Name
			}
			if msapi.IsForbidden(err) {
				return nil
			}
			return err
		})
	}
	return names, stores, work.Wait()
}

func (c *call) overdueResult(late []lateOrder, names, stores map[msapi.ID]string, states []msapi.State,
	currency string, limit account.Limit) {
	stateNames := map[msapi.ID]string{}
	for _, s := range states {
		stateNames[s.ID] = s.Name
	}
	sum := func(name, ru, en string, of func(lateOrder) decimal.Maybe) column[lateOrder] {
		column := cells(name, tool.UnitMoney, ru, en,
			func(o lateOrder) tool.Value { return tool.MaybeMoney(of(o), o.currency) })
		column.Total = func(orders []lateOrder) tool.Value { return sumOrders(orders, of).Total(currency) }
		return column
	}
	day := func(name, ru, en string, of func(lateOrder) msapi.Moment) column[lateOrder] {
		return cells(name, tool.UnitDate, ru, en,
			func(o lateOrder) tool.Value { return tool.Date(tool.DayOf(of(o).In(msapi.Moscow))) })
	}
	show(c, []column[lateOrder]{
		text("order", "Заказ", "Order", func(o lateOrder) string { return o.Name }),
		cells("days_overdue", tool.UnitDays, "Просрочен, дней", "Days overdue",
			func(o lateOrder) tool.Value { return tool.Count(o.days) }),
		day("planned", "Плановая дата", "Planned", func(o lateOrder) msapi.Moment { return o.Planned }),
		text("counterparty", "Покупатель", "Customer",
			func(o lateOrder) string { return cmp.Or(names[o.Agent.ID], o.Agent.Name) }),
		sum("left_sum", "Не отгружено", "Not shipped", leftToShip),
		text("state", "Статус", "Status", func(o lateOrder) string {
			if o.State.IsZero() {
				return c.Pick("(без статуса)", "(no status)")
			}
			return cmp.Or(stateNames[o.State.ID], o.State.Name)
		}),
		sum("sum", "Сумма", "Sum", func(o lateOrder) decimal.Maybe { return o.sum }).AsDetail(),
		sum("shipped_sum", "Отгружено", "Shipped", func(o lateOrder) decimal.Maybe { return o.shipped }).AsDetail(),
		day("moment", "Дата заказа", "Ordered", func(o lateOrder) msapi.Moment { return o.Moment }).AsDetail(),
		text("store", "Склад", "Warehouse",
			func(o lateOrder) string { return cmp.Or(stores[o.Store.ID], o.Store.Name) }).AsDetail(),
		text("id", "ID", "ID", func(o lateOrder) string { return string(o.ID) }),
		text("counterparty_id", "ID покупателя", "Customer ID", func(o lateOrder) string { return string(o.Agent.ID) }),
	}, late, limit)
	c.NoticeSeveral(sumOrders(late, leftToShip))
	c.Method("Проведённые заказы покупателей с плановой датой раньше сегодня (по Москве), отгруженные не на всю "+
		"сумму и не закрытые статусом. Суммы — в валюте заказа.",
		"Posted customer orders planned before today (Moscow time), not "+
			"fully shipped by sum and not closed by their status. Sums are in the order's currency.")
}

func leftToShip(o lateOrder) decimal.Maybe { return o.due }

// sumOrders adds up amounts of orders by currency.
func sumOrders(orders []lateOrder, of func(lateOrder) decimal.Maybe) account.MoneyByCurrency {
	sums := account.MoneyByCurrency{}
	for _, o := range orders {
		sums.Add(o.currency, of(o).Decimal)
	}
	return sums
}

func (c *call) overdueAnswer(late []lateOrder, names map[msapi.ID]string, s account.Filter, minDays int,
	currency string,
	customers []string) {
	which := ""
	if minDays > 1 {
		which = c.Pick(" на "+wording.NounDay.Count(c.Lang, minDays)+" и больше",
			" by "+wording.NounDay.Count(c.Lang, minDays)+" or more")
	}
	which += c.Narrowed(s)
	if len(customers) > 0 {
		which += c.Pick(" (покупатель ", " (customer ") + wording.Quoted(customers, c.Lang) + ")"
	}
	if len(late) == 0 {
		c.Notice(tool.NoticeEmpty, "Заказов с прошедшей плановой датой, которые ещё не отгружены и не закрыты, по "+
			"этим условиям нет.", "No order like that past its planned date is still unshipped and open.")
		c.Result.Answer = c.Pick("Заказов покупателей, просроченных"+which+", нет.", "No customer orders are overdue"+
			which+".")
		if which == "" {
			c.Result.Answer = c.Pick("Просроченных заказов покупателей нет.", "There are no overdue customer orders.")
		}
		if c.Rights.Partial("customerorder") { // hidden orders may be overdue
			c.Result.Answer = c.Pick("Среди заказов, которые видны сотруднику, просроченных"+which+" нет.",
				"None of the orders that the employee sees is overdue"+which+".")
		}
		return
	}
	due := sumOrders(late, leftToShip)
	oldest := late[0]
	who := names[oldest.Agent.ID]
	if who != "" {
		who = c.Pick(", покупатель "+wording.InQuotes(who, c.Lang), ", customer "+wording.InQuotes(who, c.Lang))
	}
	verb := c.Pick("Просрочено", "Overdue")
	if c.Lang != "en" && wording.NounOrder.Form(c.Lang, len(late)) == wording.NounOrder.One {
		verb = "Просрочен"
	}
	c.Result.Answer = c.Pickf("%s%s %s, не отгружено на %s. Дольше всех ждёт заказ %s: %s%s.",
		"%s%s: %s, %s not shipped. Order %s has waited longest: %s%s.", verb, which,
		wording.NounOrder.Count(c.Lang, len(late)), due.Text(currency, c.Lang), oldest.Name,
		wording.NounDay.Count(c.Lang, oldest.days), who)
}
