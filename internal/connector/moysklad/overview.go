package moysklad

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type overviewInput struct{}

func (a *account) overviewTool() tool.Tool {
	return reading(a, "moysklad_account_overview",
		tool.Text{RU: "Обзор аккаунта", EN: "Account overview"},
		tool.Text{
			RU: "Что это за аккаунт: юрлица, склады, группы, контрагенты, сотрудники, продажи и заказы текущего месяца, деньги.",
			EN: "What the account is: legal entities, warehouses, groups, counterparties, employees, sales and orders of this month, money.",
		}, (*call).overview).Requires(needIndicators, needBalances)
}

// glance is a row of the overview.
type glance struct {
	name    tool.Text
	count   tool.Value
	amount  tool.Value
	details string
	section tool.Text
	read    func(context.Context, *glance) error
}

// overview reads everything at the same time. What the rights close stays empty and is named; the rest is shown.
func (c *call) overview(ctx context.Context, _ overviewInput) error {
	var currency string
	var of map[msapi.ID]string
	var sold, ordered []msapi.SeriesPoint
	var accounts []msapi.MoneyAccount
	counted := func(ru, en string, list func(context.Context) (int, []string, error)) *glance {
		return &glance{name: tool.Text{RU: ru, EN: en}, section: tool.Text{RU: ru, EN: en + " (" + ru + ")"},
			read: func(ctx context.Context, g *glance) error {
				n, names, err := list(ctx)
				if err != nil {
					return err
				}
				g.count, g.details = tool.Count(n), strings.Join(names, "; ")
				return nil
			}}
	}
	sales := &glance{name: tool.Text{RU: "Продажи с начала месяца", EN: "Sales this month"}, section: sectionDashboard}
	orders := &glance{name: tool.Text{RU: "Заказы с начала месяца", EN: "Orders this month"}, section: sectionDashboard}
	funds := &glance{name: tool.Text{RU: "Деньги на счетах и в кассах", EN: "Money on accounts"}, section: sectionMoney}
	// The dashboard would tell both in one request, but what its amounts are is not certain (reference, section 9.8).
	day := today(c.env)
	month := msapi.SeriesQuery{Period: moscow(tool.Period{From: day[:8] + "01", To: day}), Interval: msapi.Month}
	sales.read = func(ctx context.Context, _ *glance) (err error) {
		sold, err = c.reader.SalesSeries(ctx, month)
		return err
	}
	orders.read = func(ctx context.Context, _ *glance) (err error) {
		ordered, err = c.reader.OrdersSeries(ctx, month)
		return err
	}
	funds.read = func(ctx context.Context, _ *glance) (err error) {
		accounts, err = c.reader.MoneyAccounts(ctx)
		return err
	}
	list := []*glance{
		counted("Юрлица", "Legal entities", func(ctx context.Context) (int, []string, error) {
			l, err := c.organizationList(ctx)
			return len(l), namesOf(l, func(x msapi.Organization) string { return x.Name }), err
		}),
		counted("Склады", "Warehouses", func(ctx context.Context) (int, []string, error) {
			l, err := c.storeList(ctx)
			return len(l), namesOf(l, func(x msapi.Store) string { return x.Name }), err
		}),
		counted("Группы товаров", "Groups of goods", func(ctx context.Context) (int, []string, error) {
			l, err := c.folderList(ctx)
			return len(l), namesOf(l, func(x msapi.Folder) string { return x.Path() }), err
		}),
		counted("Контрагенты", "Counterparties", func(ctx context.Context) (int, []string, error) {
			l, err := c.counterpartyList(ctx)
			if len(l) == mostCounterparties {
				return len(l), []string{c.pick("не меньше: прочитаны первые", "at least: the first were read")}, err
			}
			return len(l), nil, err
		}),
		counted("Сотрудники", "Employees", func(ctx context.Context) (int, []string, error) {
			l, err := c.employeeList(ctx)
			return len(l), namesOf(l, func(x msapi.Colleague) string { return x.Name }), err
		}),
		sales, orders, funds,
	}
	closed := map[*glance]error{}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, of, err = c.accountCurrency(inner); return })
	for _, g := range list {
		work.Go(func() error {
			err := g.read(inner, g)
			if msapi.IsForbidden(err) || msapi.IsTariff(err) {
				c.mu.Lock()
				closed[g] = err
				c.mu.Unlock()
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	sums := purse{}
	for g, points := range map[*glance][]msapi.SeriesPoint{sales: sold, orders: ordered} {
		if closed[g] == nil {
			var count, sum decimal.Decimal
			for _, p := range points {
				count, sum = count.Add(p.Quantity.Decimal), sum.Add(p.Sum.Major())
			}
			g.count, g.amount = tool.Number(count), tool.Money(sum, currency)
		}
	}
	if closed[funds] == nil {
		currencies, err := c.accountCurrencies(ctx, accounts, of, currency)
		if err != nil {
			return err
		}
		for _, a := range accounts {
			if code := currencies.of(a); code != "" && a.Balance.Known {
				sums.add(code, a.Balance.Major())
			}
		}
		funds.count, funds.amount = tool.Count(len(accounts)), sums.total(currency)
		if n := currencies.unseen(accounts); n > 0 {
			c.noticeUnseen(n)
			funds.amount, funds.details = tool.Empty, sums.text(currency, c.l)
		}
		if len(sums) > 1 {
			funds.details = sums.text(currency, c.l)
			c.noticeSeveral(sums)
		}
	}
	for _, g := range list {
		c.denied(closed[g], g.section)
	}
	c.overviewResult(list, closed, sales, funds, sums, currency)
	return nil
}

func namesOf[T any](list []T, name func(T) string) []string {
	const shown = 10
	var names []string
	for i, x := range list {
		if i == shown {
			return append(names, fmt.Sprintf("… %d", len(list)-shown))
		}
		names = append(names, name(x))
	}
	return names
}

func (c *call) overviewResult(list []*glance, closed map[*glance]error, sales, funds *glance, sums purse,
	currency string) {
	c.columns(nil, field{"indicator", tool.UnitText, "Показатель", "Indicator"},
		field{"count", tool.UnitCount, "Количество", "Count"},
		field{"amount", tool.UnitMoney, "Сумма", "Amount"}, field{"details", tool.UnitText, "Подробности", "Details"})
	for _, g := range list {
		c.result.Rows = append(c.result.Rows,
			tool.Row{tool.TextValue(g.name.In(c.l)), g.count, g.amount, tool.TextValue(g.details)})
	}
	c.method("Справочники, отчёты о продажах (без вычета возвратов) и заказах с начала месяца по Москве, отчёт о деньгах на текущий момент.", "The lists, the reports on sales (returns not taken off) and orders since the month began, Moscow time, and the money report as of now.")
	n := func(i int) int {
		d, _ := list[i].count.Decimal()
		return int(d.Float64())
	}
	// An account has no name of its own: a legal entity of it is not the account (specification, section 1, rule 7).
	var has []string
	for i, word := range []noun{nounOrganization, nounStore, nounGroup, nounCounterparty, nounEmployee} {
		if closed[list[i]] == nil && n(i) < mostCounterparties {
			has = append(has, word.count(c.l, n(i)))
		}
	}
	first := ""
	if len(has) > 0 {
		first = c.pick("В аккаунте ", "The account has ") + strings.Join(has, ", ") + "."
	}
	second, third := "", ""
	if amount, ok := sales.amount.Decimal(); ok {
		count, _ := sales.count.Decimal()
		second = c.pick("С начала месяца ", "This month: ") + nounSale.count(c.l, int(count.Float64())) +
			c.pick(" на ", ", ") + tool.FormatMoney(amount, currency, c.l) + "."
	}
	if closed[funds] == nil {
		third = c.pick("На счетах и в кассах ", "On accounts: ") + sums.text(currency, c.l) + "."
	}
	if len(closed) > 0 {
		var names []string
		for _, g := range list {
			if section := g.section.In(c.l); closed[g] != nil && !slices.Contains(names, section) {
				names = append(names, section)
			}
		}
		third = sentences(third, c.pick("Нет доступа к разделам: ", "No access to: ")+quoted(names, c.l)+".")
	}
	c.result.Answer = sentences(first, second, third)
}
