package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type moneyInput struct {
	What     moneyWhat  `json:"what,omitempty"`
	Place    moneyPlace `json:"place,omitempty"`
	Currency string     `json:"currency,omitempty" jsonschema:"balances only, e.g. USD"`
	From     tool.Day   `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To       tool.Day   `json:"to,omitempty" jsonschema:"last day, included; default: today"`
	Interval interval   `json:"interval,omitempty"`
}

type moneyWhat string

func (moneyWhat) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[moneyWhat]("default: balances, now",
		"balances", "flow")
}

type moneyPlace string

// The places that balances can be limited to.
const (
	atAccounts  moneyPlace = "accounts"
	atCashDesks moneyPlace = "cash_desks"
)

func (moneyPlace) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[moneyPlace]("balances: only bank accounts or only cash desks; default: both",
		"accounts", "cash_desks")
}

// has reports whether a balance lies in the place.
func (p moneyPlace) has(a msapi.MoneyAccount) bool {
	return p == "" || a.Account.IsZero() == (p == atCashDesks)
}

type interval string

func (interval) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[interval]("default: day", "day", "month", "hour")
}

func moneyTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_money",
		tool.Text{RU: "Деньги", EN: "Money"},
		tool.Text{
			RU: "Остатки денег на счетах и в кассах или приход и расход денег за период.",
			EN: "Balances of accounts and cash desks now, or income and expense of a period. Payments, not " +
				"profit.",
		}, (*call).money).Requires(account.Vital(account.SectionMoney), account.Vital(account.SectionDashboard))
}

func (c *call) money(ctx context.Context, in moneyInput) error {
	if in.What == "flow" {
		return c.moneyFlow(ctx, in)
	}
	return c.moneyBalances(ctx, in)
}

func (c *call) moneyBalances(ctx context.Context, in moneyInput) error {
	c.Result.Title = c.Pick("Остатки денег", "Money balances")
	var currency string
	var of map[msapi.ID]string
	var accounts []msapi.MoneyAccount
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, of, err = c.AccountCurrency(inner); return })
	work.Go(func() (err error) { accounts, err = c.Reader.MoneyAccounts(inner); return })
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionMoney)
	}
	currencies, err := c.accountCurrencies(ctx, accounts, of, currency)
	if err != nil {
		return err
	}
	all := len(accounts)
	accounts = slices.DeleteFunc(accounts, func(a msapi.MoneyAccount) bool {
		return !in.Place.has(a) || in.Currency != "" && !strings.EqualFold(currencies.of(a), in.Currency)
	})
	slices.SortStableFunc(accounts, func(x, y msapi.MoneyAccount) int {
		return cmp.Or(strings.Compare(wording.Fold(x.Organization.Name), wording.Fold(y.Organization.Name)),
			account.Descending(x.Balance, y.Balance), strings.Compare(x.Account.Name, y.Account.Name))
	})
	sums, atDesks, atBanks := account.MoneyByCurrency{}, account.MoneyByCurrency{}, account.MoneyByCurrency{}
	hidden := 0
	for _, a := range accounts {
		switch code := currencies.of(a); {
		case !a.Balance.Known:
			hidden++
		case code != "":
			sums.Add(code, a.Balance.Major())
			if a.Account.IsZero() {
				atDesks.Add(code, a.Balance.Major())
			} else {
				atBanks.Add(code, a.Balance.Major())
			}
		}
	}
	total := sums.Total(currency)
	unseen := currencies.unseen(accounts)
	if unseen > 0 {
		total = tool.Empty // the omitted part could be most of the money
	}
	show(c, []column[msapi.MoneyAccount]{
		text("organization", "Юрлицо", "Legal entity",
			func(a msapi.MoneyAccount) string { return a.Organization.Name }),
		text("account", "Счёт или касса", "Account or cash desk", func(a msapi.MoneyAccount) string {
			if a.Account.IsZero() {
				return c.Pick("Касса", "Cash desk")
			}
			return a.Account.Name
		}),
		// a balance in a hidden currency is a number without one
		cells("balance", tool.UnitMoney, "Остаток", "Balance", func(a msapi.MoneyAccount) tool.Value {
			return tool.MaybeMoney(account.Major(a.Balance), currencies.of(a))
		}).WithTotal(total),
		text("organization_id", "ID юрлица", "Legal entity ID",
			func(a msapi.MoneyAccount) string { return string(a.Organization.ID) }),
		text("id", "ID счёта", "Account ID", func(a msapi.MoneyAccount) string { return string(a.Account.ID) }),
	}, accounts, 0)
	c.Method("Отчёт «Деньги» по счетам и кассам на текущий момент; каждый остаток — в валюте своего счёта.",
		"The money report by account and cash desk, now; each balance is in the currency of its account.")
	if hidden > 0 {
		c.Missing(account.SectionMoney, "часть остатков не показана", "some balances are not shown")
	}
	if len(accounts) == 0 && all > 0 {
		c.Notice(tool.NoticeEmpty, "Таких счетов и касс нет.", "There are no such accounts or cash desks.")
		c.Result.Answer = c.Pickf("Денег %s нет: таких счетов и касс в отчёте нет.",
			"There is no money %s: the report has no such accounts.", in.place(c))
		return nil
	}
	if len(accounts) == 0 {
		c.Notice(tool.NoticeEmpty, "Счетов и касс в отчёте нет.", "There are no accounts in the report.")
		c.Result.Answer = c.Pick("Счетов и касс в отчёте о деньгах нет.", "The money report names no accounts.")
		return nil
	}
	c.NoticeSeveral(sums)
	more := ""
	if unseen > 0 {
		c.noticeUnseen(unseen)
		more = c.Pick(fmt.Sprintf("Ещё на %s остаток в валюте, которую не видно.",
			wording.NounAccountOn.Count(c.Lang, unseen)),
			fmt.Sprintf("The balance of %s more is in a currency that is not visible.",
				wording.NounBankAccount.Count(c.Lang, unseen)))
	}
	if len(sums) == 0 && (more != "" || hidden > 0) {
		c.Result.Answer = wording.Sentences(c.Pick("Общую сумму показать нельзя.", "The total cannot be shown."), more)
		return nil
	}
	apart := ""
	if len(atDesks) > 0 && len(atBanks) > 0 {
		apart = c.Pickf("На счетах — %s, в кассах — %s.", "On accounts: %s; in cash desks: %s.",
			atBanks.Text(currency, c.Lang), atDesks.Text(currency, c.Lang))
	}
	c.Result.Answer = wording.Sentences(c.Pickf("Сейчас %s %s (%s).", "There is %[2]s %[1]s now (%[3]s).",
		in.place(c), sums.Text(currency, c.Lang), in.counted(c, len(accounts))), apart, more)
	return nil
}

// place says in words where the balances are.
func (in moneyInput) place(c *call) string {
	where := c.Pick("на счетах и в кассах", "on accounts and in cash desks")
	switch in.Place {
	case atAccounts:
		where = c.Pick("на счетах", "on accounts")
	case atCashDesks:
		where = c.Pick("в кассах", "in cash desks")
	}
	if in.Currency != "" {
		where += c.Pickf(" в валюте %s", " in %s", strings.ToUpper(in.Currency))
	}
	return where
}

// counted says how many balances there are.
func (in moneyInput) counted(c *call, n int) string {
	switch in.Place {
	case atAccounts:
		return wording.NounBankAccount.Count(c.Lang, n)
	case atCashDesks:
		return wording.NounCashDesk.Count(c.Lang, n)
	default:
		return wording.NounAccount.Count(c.Lang, n)
	}
}

// currencyOf determines the currency of bank accounts.
type currencyOf struct {
	account string // the account currency, which every cash desk uses
	single  bool   // there is no other currency
	found   map[msapi.ID]string
}

// of returns the currency of a balance, or "" if it is hidden.
func (x currencyOf) of(a msapi.MoneyAccount) string {
	if x.single || a.Account.IsZero() {
		return x.account
	}
	return x.found[a.Account.ID]
}

// unseen counts the balances in hidden currencies.
func (x currencyOf) unseen(accounts []msapi.MoneyAccount) int {
	n := 0
	for _, a := range accounts {
		if a.Balance.Known && x.of(a) == "" {
			n++
		}
	}
	return n
}

func (c *call) noticeUnseen(n int) {
	c.Notice(tool.NoticeCurrency,
		fmt.Sprintf("Валюта не видна у %s: остаток показан без валюты и ни к чему не прибавлен.",
			wording.NounAccountOf.Count("ru", n)),
		fmt.Sprintf("The currency of %s is not visible: the balance is shown without one and added to nothing.",
			wording.NounBankAccount.Count("en", n)))
}

// accountCurrencies finds the currency of each bank account. The report does not contain it (fact M84), so the bank
// accounts of each legal entity are read, unless the account has only one currency.
func (c *call) accountCurrencies(ctx context.Context, accounts []msapi.MoneyAccount, of map[msapi.ID]string,
	base string) (currencyOf, error) {
	known := currencyOf{account: base, single: len(of) < 2, found: map[msapi.ID]string{}}
	if known.single {
		return known, nil
	}
	owners := map[msapi.ID]bool{}
	for _, a := range accounts {
		if !a.Account.IsZero() && a.Organization.ID != "" {
			owners[a.Organization.ID] = true
		}
	}
	lists := make(map[msapi.ID]*[]msapi.OrganizationAccount, len(owners))
	work, inner := errgroup.WithContext(ctx)
	for id := range owners {
		list := new([]msapi.OrganizationAccount)
		lists[id] = list
		work.Go(func() error {
			err := account.Each(c.Call, c.Reader.OrganizationAccounts(inner, id),
				func(a msapi.OrganizationAccount) { *list = append(*list, a) })
			if msapi.IsForbidden(err) || msapi.IsNotFound(err) {
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return known, err
	}
	for _, list := range lists {
		for _, a := range *list {
			if known.found[a.ID] = base; a.Currency.ID != "" {
				known.found[a.ID] = of[a.Currency.ID] // a currency that is not in the list is hidden
			}
		}
	}
	return known, nil
}

func (c *call) moneyFlow(ctx context.Context, in moneyInput) error {
	c.Result.Title = c.Pick("Движение денег", "Money flow")
	period, err := c.Period(in.From, in.To)
	if err != nil {
		return err
	}
	step := cmp.Or(in.Interval, "day")
	var currency string
	var series msapi.MoneySeries
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.AccountCurrency(inner); return })
	work.Go(func() (err error) {
		series, err = c.Reader.MoneySeries(inner,
			msapi.SeriesQuery{Period: account.ReportPeriod(period), Interval: msapi.Interval(step)})
		return err
	})
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionMoney)
	}
	var income, expense decimal.Decimal
	for _, p := range series.Points {
		income, expense = income.Add(p.Income.Decimal), expense.Add(p.Outcome.Decimal)
	}
	// The report's totals show whether intervals are missing.
	if series.Income.Known && series.Income.Cmp(income) != 0 || series.Outcome.Known &&
		series.Outcome.Cmp(expense) != 0 {
		c.Notice(tool.NoticePartial, "Сумма строк не сходится с итогом отчёта: показан итог отчёта.",
			"The intervals do not add up to the report's total: the report's total is shown.")
		if series.Income.Known {
			income = series.Income.Decimal
		}
		if series.Outcome.Known {
			expense = series.Outcome.Decimal
		}
	}
	net := income.Sub(expense)
	total := func(d decimal.Decimal) tool.Value { return tool.Money(d.Major(), currency) }
	dates := dateColumns(step, func(p msapi.MoneyPoint) time.Time { return p.At.Time })
	columns := slices.Concat(dates, []column[msapi.MoneyPoint]{
		money("income", "Приход", "Income", currency,
			func(p msapi.MoneyPoint) decimal.Maybe { return account.Major(p.Income) }).WithTotal(total(income)),
		money("expense", "Расход", "Expense", currency,
			func(p msapi.MoneyPoint) decimal.Maybe { return account.Major(p.Outcome) }).WithTotal(total(expense)),
		money("net", "Итог", "Net", currency, func(p msapi.MoneyPoint) decimal.Maybe {
			return decimal.Some(p.Income.Sub(p.Outcome.Decimal).Major())
		}).WithTotal(total(net)),
	})
	show(c, columns, series.Points, 0)
	c.Method("Приход и расход из отчёта о движении денег, время московское. Итог — приход минус расход за интервал, "+
		"а не остаток на счёте.", "Income and expense from the money flow report, Moscow time. Net is income minus "+
		"expense of the interval, not a balance.")
	format := func(d decimal.Decimal) string { return tool.FormatMoney(d.Major(), currency, c.Lang) }
	c.Result.Answer = c.Pickf("%s пришло %s, ушло %s, итог %s.", "%s: income %s, expense %s, net %s.",
		wording.Upper(wording.Span(period, c.Lang)), format(income), format(expense), format(net))
	return nil
}

// dateColumns returns the first columns of a time series.
func dateColumns[T any](step interval, at func(T) time.Time) []column[T] {
	day := func(x T) tool.Value { return tool.Date(tool.DayOf(at(x).In(msapi.Moscow))) }
	switch step {
	case "hour":
		return []column[T]{cells("date", tool.UnitMoment, "Час", "Hour",
			func(x T) tool.Value { return tool.Moment(at(x)) })}
	case "month":
		return []column[T]{cells("date", tool.UnitDate, "Месяц", "Month", day),
			cells("through", tool.UnitDate, "по", "to", func(x T) tool.Value {
				return tool.Date(tool.DayOf(at(x).In(msapi.Moscow).AddDate(0, 1, -1)))
			}).AsDetail()}
	}
	return []column[T]{cells("date", tool.UnitDate, "День", "Day", day)}
}
