package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type receivablesInput struct {
	Direction      direction        `json:"direction,omitempty"`
	Counterparties []string         `json:"counterparties,omitempty" jsonschema:"counterparties, by name or id"`
	MinAmount      *decimal.Decimal `json:"min_amount,omitempty" jsonschema:"debts from that amount on, in main units"`
	account.LimitArg
}

type direction string

const (
	owedToUs direction = "owed_to_us"
	owedByUs direction = "owed_by_us"
	owedBoth direction = "both"
)

func (direction) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("who owes whom; default: owed_to_us", owedToUs, owedByUs, owedBoth)
}

func receivablesTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_receivables",
		tool.Text{RU: "Взаиморасчёты", EN: "Debts"},
		tool.Text{
			RU: "Кто из контрагентов должен нам и кому должны мы, по балансу взаиморасчётов.",
			EN: "Which counterparties owe us and whom we owe, by the balance of settlements.",
		}, (*call).receivables).Requires(account.Vital(account.SectionCRM))
}

func (c *call) receivables(ctx context.Context, in receivablesInput) error {
	want := cmp.Or(in.Direction, owedToUs)
	agents, err := c.FindCounterparties(ctx, "counterparties", in.Counterparties)
	if err != nil {
		return err
	}
	var currency string
	parts := make([][]msapi.CounterpartyReport, 2)
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, _, err = c.AccountCurrency(inner); return })
	read := func(i int, q msapi.CounterpartyQuery) {
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.CounterpartyReport(inner, q),
				func(r msapi.CounterpartyReport) { parts[i] = append(parts[i], r) })
		})
	}
	if len(agents) > 0 {
		read(0, msapi.CounterpartyQuery{Counterparties: account.Ids(agents,
			func(r msapi.Ref) msapi.ID { return r.ID })})
	} else {
		if want != owedByUs {
			read(0, msapi.CounterpartyQuery{Balances: msapi.OwedToUs})
		}
		if want != owedToUs {
			read(1, msapi.CounterpartyQuery{Balances: msapi.OwedByUs})
		}
	}
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionCRM)
	}
	var minimum decimal.Decimal
	if in.MinAmount != nil {
		minimum = *in.MinAmount
	}
	rows := slices.DeleteFunc(slices.Concat(parts...), func(r msapi.CounterpartyReport) bool {
		switch {
		case !r.Balance.Known || r.Balance.Sign() == 0,
			want == owedToUs && r.Balance.Sign() < 0, want == owedByUs && r.Balance.Sign() > 0:
			return true
		}
		return r.Balance.Abs().Major().Less(minimum)
	})
	slices.SortFunc(rows, func(x, y msapi.CounterpartyReport) int {
		return cmp.Or(y.Balance.Sign()-x.Balance.Sign(), y.Balance.Abs().Cmp(x.Balance.Abs()),
			strings.Compare(wording.Fold(x.Counterparty.Name), wording.Fold(y.Counterparty.Name)),
			strings.Compare(string(x.Counterparty.ID), string(y.Counterparty.ID)))
	})
	rows = slices.CompactFunc(rows, func(x,
		y msapi.CounterpartyReport) bool {
		return x.Counterparty.ID == y.Counterparty.ID
	})
	c.NoticePartialView("counterparty", account.SectionCounterparties)
	c.receivablesResult(rows, want, currency, in.Limit,
		wording.Names(agents, func(r msapi.Ref) string { return r.Name }))
	return nil
}

// debtColumns returns the columns without the side of the debts that was not requested: it would be empty, not zero.
func debtColumns(want direction, currency string, toUs, byUs decimal.Decimal) []column[msapi.CounterpartyReport] {
	type row = msapi.CounterpartyReport
	debt := func(name, ru, en string, sign int, total decimal.Decimal) column[row] {
		return money(name, ru, en, currency, func(r row) decimal.Maybe {
			return decimal.Maybe{Decimal: r.Balance.Abs().Major(), Known: r.Balance.Sign() == sign}
		}).WithTotal(tool.Money(total, currency))
	}
	columns := []column[row]{
		text("counterparty", "Контрагент", "Counterparty", func(r row) string { return r.Counterparty.Name }),
	}
	if want != owedByUs {
		columns = append(columns, debt("owed_to_us", "Должны нам", "Owes us", 1, toUs))
	}
	if want != owedToUs {
		columns = append(columns, debt("owed_by_us", "Должны мы", "We owe", -1, byUs))
	}
	return append(columns,
		cells("last_sale", tool.UnitDate, "Последняя отгрузка", "Last shipment", func(r row) tool.Value {
			if r.LastDemand.IsZero() {
				return tool.Empty
			}
			return tool.Date(tool.DayOf(r.LastDemand.In(msapi.Moscow)))
		}),
		cells("sales_count", tool.UnitCount, "Отгрузок", "Shipments",
			func(r row) tool.Value { return tool.MaybeNumber(r.DemandsCount) }).AsDetail(),
		money("sales_sum", "Сумма отгрузок", "Sum of shipments", currency,
			func(r row) decimal.Maybe { return account.Major(r.DemandsSum) }).AsDetail(),
		text("id", "ID", "ID", func(r row) string { return string(r.Counterparty.ID) }))
}

func (c *call) receivablesResult(rows []msapi.CounterpartyReport, want direction, currency string,
	limit account.Limit, named []string) {
	var toUs, byUs decimal.Decimal
	debtors := 0
	for _, r := range rows {
		if r.Balance.Sign() > 0 {
			toUs, debtors = toUs.Add(r.Balance.Major()), debtors+1
		} else {
			byUs = byUs.Add(r.Balance.Abs().Major())
		}
	}
	show(c, debtColumns(want, currency, toUs, byUs), rows, limit)
	c.Method("Баланс из «Показателей контрагентов»: плюс — должны нам, минус — должны мы. Давность долга отчёт не "+
		"сообщает.", "The balance of the counterparty indicators: positive means that they owe us, negative that we "+
		"owe them. The report does not say how old a debt is.")
	format := func(d decimal.Decimal) string { return tool.FormatMoney(d, currency, c.Lang) }
	if len(rows) == 0 {
		c.Notice(tool.NoticeEmpty, "Долгов по этим условиям нет.", "There are no such debts.")
		c.Result.Answer = c.Pick("Долгов по этим условиям нет", "There are no such debts")
		if len(named) > 0 {
			c.Result.Answer += ": " + wording.Quoted(named, c.Lang)
		}
		c.Result.Answer += "."
		if c.Rights.Partial("counterparty") { // hidden counterparties may have such debts
			c.Result.Answer = c.Pick("Среди контрагентов, которые видны сотруднику, таких долгов нет.",
				"None of the counterparties that the employee sees has such a debt.")
		}
		return
	}
	who := func(n int) string {
		if len(named) > 0 {
			return c.Pick("контрагенты: ", "counterparties: ") + wording.Quoted(named, c.Lang)
		}
		return wording.NounCounterparty.Count(c.Lang, n)
	}
	first, second := "", ""
	if want != owedByUs {
		first = c.Pickf("Нам должны %s (%s).", "We are owed %s (%s).", format(toUs), who(debtors))
		if debtors > 0 {
			first += c.Pick(" Больше всех — ", " Most by ") + wording.InQuotes(rows[0].Counterparty.Name, c.Lang) +
				": " +
				format(rows[0].Balance.Major()) + "."
		}
	}
	if want != owedToUs {
		second = c.Pickf("Мы должны %s (%s).", "We owe %s (%s).", format(byUs), who(len(rows)-debtors))
		if len(rows) > debtors {
			second += c.Pick(" Больше всех — ", " Most to ") +
				wording.InQuotes(rows[debtors].Counterparty.Name, c.Lang) + ": " +
				format(rows[debtors].Balance.Abs().Major()) + "."
		}
	}
	c.Result.Answer = wording.Sentences(first, second)
}
