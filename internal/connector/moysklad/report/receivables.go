package report

import (
	"cmp"
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type receivablesInput struct {
	Direction      direction        `json:"direction,omitempty"`
	Counterparties []string         `json:"counterparties,omitempty" jsonschema:"customers or suppliers, by name or id"`
	MinAmount      *decimal.Decimal `json:"min_amount,omitempty" jsonschema:"least debt"`
	account.LimitArg
}

type direction string

const (
	owedToUs direction = "owed_to_us"
	owedByUs direction = "owed_by_us"
	owedBoth direction = "both"
)

func (direction) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: owed_to_us", owedToUs, owedByUs, owedBoth)
}

var receivables = preset[receivablesInput]{
	name:  "moysklad_receivables",
	title: tool.Text{RU: "Взаиморасчёты", EN: "Debts"},
	about: tool.Text{
		RU: "Кто из контрагентов должен нам и кому должны мы, по балансу взаиморасчётов.",
		EN: "Who owes us, and whom we owe, by the balance of settlements; not by document.",
	},
	needs: []tool.Need{account.Vital(account.SectionCRM)},
	ask:   (*call).askDebts,
}

// debt is what a counterparty owes us, or we owe it: one balance has one side.
var debt = analysis.Measure{Name: "debt", Unit: tool.UnitMoney, Adds: true,
	Bases: []analysis.Base{measures.OwedToUs, measures.OwedByUs}, Over: []string{measures.DimCounterparty},
	Of: func(of analysis.Sums) decimal.Maybe {
		toUs, byUs := of(measures.OwedToUs), of(measures.OwedByUs)
		return decimal.Maybe{Decimal: toUs.Add(byUs.Decimal), Known: toUs.Known && byUs.Known}
	}}

func (c *call) askDebts(ctx context.Context, in receivablesInput) (q analyze.Question, show func(*analyze.Answer) error,
	err error) {
	want := cmp.Or(in.Direction, owedToUs)
	agents, err := c.FindCounterparties(ctx, "counterparties", in.Counterparties)
	if err != nil {
		return q, nil, err
	}
	sides, asked := []string{string(want)}, string(want)
	if want == owedBoth {
		sides, asked, q.Own = []string{"owed_to_us", "owed_by_us"}, debt.Name, []analysis.Measure{debt}
	}
	least := analysis.Condition{Field: asked, Op: analysis.Greater, Values: []analysis.Scalar{"0"}}
	if in.MinAmount != nil && in.MinAmount.Sign() > 0 {
		least.Op, least.Values[0] = analysis.GreaterEqual, analysis.Scalar(in.MinAmount.String())
	}
	q.Measures, q.By = append(sides, "days_since", "purchases_count", "purchases_sum"), []string{"counterparty"}
	for _, side := range sides {
		q.Order = append(q.Order, analysis.Order{Field: side})
	}
	q.Where = append(where("counterparty", account.Ids(agents, func(r msapi.Ref) msapi.ID { return r.ID })), least)
	return q, func(a *analyze.Answer) error {
		c.showDebts(a, sides, in.Limit, in.MinAmount, wording.Names(agents, func(r msapi.Ref) string { return r.Name }))
		return nil
	}, nil
}

// debtColumns returns the columns without the side of the debts that was not requested: it would be empty, not zero.
func (c *call) debtColumns(a *analyze.Answer, sides []string) []column[analysis.Row] {
	columns := []column[analysis.Row]{text("counterparty", "Контрагент", "Counterparty", nameOf)}
	for _, side := range sides {
		title := map[string]tool.Text{"owed_to_us": {RU: "Должны нам", EN: "Owes us"},
			"owed_by_us": {RU: "Должны мы", EN: "We owe"}}[side]
		columns = append(columns, money(side, title.RU, title.EN, a.Currency, func(r analysis.Row) decimal.Maybe {
			owed := a.Value(r, side)
			owed.Known = owed.Sign() != 0
			return owed
		}).WithTotal(tool.Money(a.Value(a.Total, side).Decimal, a.Currency)))
	}
	return append(columns,
		cells("last_sale", tool.UnitDate, "Последняя отгрузка", "Last shipment", func(r analysis.Row) tool.Value {
			since := a.Value(r, "days_since")
			if !since.Known {
				return tool.Empty
			}
			return tool.Date(account.Today(c.Env).Add(-int(since.Float64())))
		}),
		cells("sales_count", tool.UnitCount, "Отгрузок", "Shipments",
			func(r analysis.Row) tool.Value { return tool.MaybeNumber(a.Value(r, "purchases_count")) }).AsDetail(),
		money("sales_sum", "Сумма отгрузок", "Sum of shipments", a.Currency, figure(a, "purchases_sum")).AsDetail(),
		text("id", "ID", "ID", idOf))
}

func (c *call) showDebts(a *analyze.Answer, sides []string, limit account.Limit, least *decimal.Decimal,
	named []string,
) {
	show(c, c.debtColumns(a, sides), a.Rows, limit)
	c.Method("Баланс из «Показателей контрагентов»: плюс — должны нам, минус — должны мы. Давность долга отчёт не "+
		"сообщает.", "The balance of the counterparty indicators: positive means that they owe us, negative that we "+
		"owe them. The report does not say how old a debt is.")
	format := func(d decimal.Decimal) string { return tool.FormatMoney(d, a.Currency, c.Lang) }
	if len(a.Rows) == 0 {
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
	parts := map[string][2]tool.Text{
		"owed_to_us": {{RU: "Нам должны %s (%s).", EN: "We are owed %s (%s)."},
			{RU: " Больше всех — %s: %s.", EN: " Most by %s: %s."}},
		"owed_by_us": {{RU: "Мы должны %s (%s).", EN: "We owe %s (%s)."},
			{RU: " Больше всех — %s: %s.", EN: " Most to %s: %s."}},
	}
	var sentences []string
	if least != nil {
		debts := who
		who = func(n int) string {
			return debts(n) + c.Pick(", долг от ", ", debts from ") + format(*least)
		}
	}
	for _, side := range sides {
		var owing []analysis.Row // greatest debt first
		for _, r := range a.Rows {
			if a.Value(r, side).Sign() > 0 {
				owing = append(owing, r)
			}
		}
		all, most := parts[side][0], parts[side][1]
		sentence := c.Pickf(all.RU, all.EN, format(a.Value(a.Total, side).Decimal), who(len(owing)))
		if len(owing) > 0 {
			sentence += c.Pickf(most.RU, most.EN, wording.InQuotes(nameOf(owing[0]), c.Lang),
				format(a.Value(owing[0], side).Decimal))
		}
		sentences = append(sentences, sentence)
	}
	c.Result.Answer = wording.Sentences(sentences...)
}
