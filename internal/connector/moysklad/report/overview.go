package report

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type overviewInput struct{}

func overviewTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_account_overview",
		tool.Text{RU: "Обзор аккаунта", EN: "Account overview"},
		tool.Text{
			RU: "Что это за аккаунт: юрлица, склады, группы, контрагенты, сотрудники, продажи и заказы текущего " +
				"месяца, деньги.",
			EN: "The account at a glance: how many of what, sales and orders of this month so far, money. The " +
				"month is not over.",
		}, (*call).overview).Requires(account.NeedIndicators, account.NeedBalances)
}

// indicator is a row of the overview.
type indicator struct {
	name    tool.Text
	count   tool.Value
	amount  tool.Value
	details string
	section tool.Text
	read    func(context.Context, *indicator) error
}

// overview reads everything concurrently. Indicators that the employee may not read stay empty and get a notice.
func (c *call) overview(ctx context.Context, _ overviewInput) error {
	var currency string
	var of map[msapi.ID]string
	var sold, ordered []msapi.SeriesPoint
	var accounts []msapi.MoneyAccount
	counted := func(ru, en string, list func(context.Context) (int, []string, error)) *indicator {
		return &indicator{name: tool.Text{RU: ru, EN: en}, section: tool.Text{RU: ru, EN: en + " (" + ru + ")"},
			read: func(ctx context.Context, g *indicator) error {
				n, names, err := list(ctx)
				if err != nil {
					return err
				}
				g.count, g.details = tool.Count(n), strings.Join(names, "; ")
				return nil
			}}
	}
	sales := &indicator{name: tool.Text{RU: "Продажи с начала месяца", EN: "Sales this month"},
		section: account.SectionDashboard}
	orders := &indicator{name: tool.Text{RU: "Заказы с начала месяца", EN: "Orders this month"},
		section: account.SectionDashboard}
	funds := &indicator{name: tool.Text{RU: "Деньги на счетах и в кассах", EN: "Money on accounts"},
		section: account.SectionMoney}
	// The dashboard would return both in one request, but the meaning of its amounts is not certain (fact M85).
	day := account.Today(c.Env)
	month := msapi.SeriesQuery{Period: account.ReportPeriod(tool.Period{From: day[:8] + "01", To: day}),
		Interval: msapi.Month}
	sales.read = func(ctx context.Context, _ *indicator) (err error) {
		sold, err = c.Reader.SalesSeries(ctx, month)
		return err
	}
	orders.read = func(ctx context.Context, _ *indicator) (err error) {
		ordered, err = c.Reader.OrdersSeries(ctx, month)
		return err
	}
	funds.read = func(ctx context.Context, _ *indicator) (err error) {
		accounts, err = c.Reader.MoneyAccounts(ctx)
		return err
	}
	list := []*indicator{
		counted("Юрлица", "Legal entities", func(ctx context.Context) (int, []string, error) {
			l, err := c.OrganizationList(ctx)
			return len(l), account.NamesOf(l, func(x msapi.Organization) string { return x.Name }), err
		}),
		counted("Склады", "Warehouses", func(ctx context.Context) (int, []string, error) {
			l, err := c.StoreList(ctx)
			return len(l), account.NamesOf(l, func(x msapi.Store) string { return x.Name }), err
		}),
		counted("Группы товаров", "Groups of goods", func(ctx context.Context) (int, []string, error) {
			l, err := c.FolderList(ctx)
			return len(l), account.NamesOf(l, func(x msapi.Folder) string { return x.Path() }), err
		}),
		counted("Контрагенты", "Counterparties", func(ctx context.Context) (int, []string, error) {
			l, err := c.CounterpartyList(ctx)
			if len(l) == account.MostCounterparties {
				return len(l), []string{c.Pick("прочитаны не все", "not all were read")}, err
			}
			return len(l), nil, err
		}),
		counted("Сотрудники", "Employees", func(ctx context.Context) (int, []string, error) {
			l, err := c.EmployeeList(ctx)
			return len(l), account.NamesOf(l, func(x msapi.Colleague) string { return x.Name }), err
		}),
		sales, orders, funds,
	}
	closed := map[*indicator]error{}
	var closing sync.Mutex
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, of, err = c.AccountCurrency(inner); return })
	for _, g := range list {
		work.Go(func() error {
			err := g.read(inner, g)
			if msapi.IsForbidden(err) || msapi.IsTariff(err) {
				closing.Lock()
				closed[g] = err
				closing.Unlock()
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	sums := account.MoneyByCurrency{}
	for g, points := range map[*indicator][]msapi.SeriesPoint{sales: sold, orders: ordered} {
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
				sums.Add(code, a.Balance.Major())
			}
		}
		funds.count, funds.amount = tool.Count(len(accounts)), sums.Total(currency)
		if n := currencies.unseen(accounts); n > 0 {
			c.noticeUnseen(n)
			funds.amount, funds.details = tool.Empty, sums.Text(currency, c.Lang)
		}
		if len(sums) > 1 {
			funds.details = sums.Text(currency, c.Lang)
			c.NoticeSeveral(sums)
		}
	}
	for _, g := range list {
		c.Denied(closed[g], g.section)
	}
	c.overviewResult(list, closed, sales, funds, sums, currency)
	return nil
}

func (c *call) overviewResult(list []*indicator, closed map[*indicator]error, sales, funds *indicator,
	sums account.MoneyByCurrency,
	currency string) {
	show(c, []column[*indicator]{
		text("indicator", "Показатель", "Indicator", func(x *indicator) string { return x.name.In(c.Lang) }),
		cells("count", tool.UnitCount, "Количество", "Count", func(x *indicator) tool.Value { return x.count }),
		cells("amount", tool.UnitMoney, "Сумма", "Amount", func(x *indicator) tool.Value { return x.amount }),
		text("details", "Подробности", "Details", func(x *indicator) string { return x.details }),
	}, list, 0)
	c.Method("Продажи (без вычета возвратов) и заказы — с начала месяца по Москве. Списки и деньги — на сейчас.",
		"Sales (returns not taken off) and orders are those since the month began, Moscow time. Lists and money are "+
			"as of now.")
	n := func(i int) int {
		d, _ := list[i].count.Decimal()
		return int(d.Float64())
	}
	// An account has no name of its own; the name of a legal entity is not the account's (rule R4).
	var has []string
	for i, word := range []wording.Noun{wording.NounOrganization, wording.NounStore, wording.NounGroup,
		wording.NounCounterparty, wording.NounEmployee} {
		if closed[list[i]] == nil && n(i) < account.MostCounterparties {
			has = append(has, word.Count(c.Lang, n(i)))
		}
	}
	first := ""
	if len(has) > 0 {
		first = c.Pick("В аккаунте ", "The account has ") + strings.Join(has, ", ") + "."
	}
	second, third := "", ""
	if amount, ok := sales.amount.Decimal(); ok {
		count, _ := sales.count.Decimal()
		second = c.Pick("С начала месяца ", "This month: ") + wording.NounSale.Count(c.Lang, int(count.Float64())) +
			c.Pick(" на ", ", ") + tool.FormatMoney(amount, currency, c.Lang) + "."
	}
	if closed[funds] == nil {
		third = c.Pick("На счетах и в кассах ", "On accounts: ") + sums.Text(currency, c.Lang) + "."
	}
	if len(closed) > 0 {
		var names []string
		for _, g := range list {
			if section := g.section.In(c.Lang); closed[g] != nil && !slices.Contains(names, section) {
				names = append(names, section)
			}
		}
		third = wording.Sentences(third, c.Pick("Нет доступа к разделам: ", "No access to: ")+
			wording.Quoted(names, c.Lang)+".")
	}
	c.Result.Answer = wording.Sentences(first, second, third)
}
