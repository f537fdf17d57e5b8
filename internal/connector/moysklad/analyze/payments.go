package analyze

import (
	"context"
	"iter"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of payments.
const (
	moneyIn  analysis.Base = "money_in"
	moneyOut analysis.Base = "money_out"
)

// atCashDesk is the key of the dimension of accounts for cash, which has no account (fact M84).
const atCashDesk = "cash"

func paid(kind msapi.PaymentType) func(*msapi.Reader, context.Context, msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
	return func(r *msapi.Reader, ctx context.Context, q msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
		return r.Payments(ctx, kind, q)
	}
}

// payments are the documents of money: bank payments and cash orders.
var payments = documentKind{
	{name: string(msapi.PaymentIn), section: account.SectionAt("entity/paymentin"),
		title: words("Входящий платёж", "Incoming payment"), list: paid(msapi.PaymentIn), sum: moneyIn},
	{name: string(msapi.CashIn), section: account.SectionAt("entity/cashin"),
		title: words("Приходный ордер", "Cash receipt"), list: paid(msapi.CashIn), sum: moneyIn},
	{name: string(msapi.PaymentOut), section: account.SectionAt("entity/paymentout"),
		title: words("Исходящий платёж", "Outgoing payment"), list: paid(msapi.PaymentOut), sum: moneyOut},
	{name: string(msapi.CashOut), section: account.SectionAt("entity/cashout"),
		title: words("Расходный ордер", "Cash payment"), list: paid(msapi.CashOut), sum: moneyOut},
}

var overMoney = slices.Concat([]string{dimLegalEntity, dimAccount, dimExpenseItem, dimCounterparty, dimTag, dimEmployee,
	dimChannel, dimProject, dimContract, dimState, dimCurrency, dimDocumentType, dimDocument}, ofTime, recurring)

func moneyMeasures() []analysis.Measure {
	own := words("деньги, переведённые между своими счетами, входят и в приход, и в расход; деньги в кассе магазина — "+
		"только по ордерам", "money moved between own accounts is both in and out; money in the tills of shops counts "+
		"only by cash orders")
	return []analysis.Measure{
		{Name: "money_in", Title: words("Приход денег", "Money in"), Unit: tool.UnitMoney, Adds: true, Caution: own,
			Formula: words("проведённые входящие платежи и приходные ордера",
				"posted incoming payments and cash receipts"),
			Words: called([]string{"приход денег", "поступления денег", "оплаты покупателей"}, "money in",
				"cash received"),
			Bases: []analysis.Base{moneyIn}, Over: overMoney},
		{Name: "money_out", Title: words("Расход денег", "Money out"), Unit: tool.UnitMoney, Adds: true, Caution: own,
			Formula: words("проведённые исходящие платежи и расходные ордера, с оплатой товара",
				"posted outgoing payments and cash payments, with those for goods"),
			Words: called([]string{"расход денег", "расходы", "траты"}, "money out", "expenses", "spending"),
			Bases: []analysis.Base{moneyOut}, Over: overMoney},
		{Name: "net_flow", Title: words("Приход − расход денег", "Net cash flow"), Unit: tool.UnitMoney, Adds: true,
			Whole:   true,
			Formula: words("приход денег минус расход денег", "money in minus money out"),
			Caution: words("это движение денег, а не прибыль", "this is the flow of money, not profit"),
			Words:   called([]string{"денежный поток", "движение денег"}, "cash flow", "net cash flow"),
			Bases:   []analysis.Base{moneyIn, moneyOut}, Of: sub(moneyIn, moneyOut), Over: overMoney},
		{Name: "balance", Title: words("Остаток денег", "Money balance"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("деньги на счетах и в кассах по отчёту «Деньги»",
				"money on accounts and in cash desks by the money report"),
			Caution: words("сейчас, а не за период; счета в других валютах не складываются",
				"now, not over the period; accounts in other currencies are not added"),
			Words: called([]string{"остаток денег", "деньги на счетах", "сколько денег"}, "money balance",
				"cash balance"),
			Bases: []analysis.Base{accountBalance}, Over: []string{dimLegalEntity, dimAccount, dimCurrency}},
	}
}

// paymentKey returns the value of a dimension that only payments have.
func paymentKey(field string, l line) analysis.Key {
	d := l.document
	switch {
	case field == dimExpenseItem:
		return analysis.Key{ID: string(d.ExpenseItem.ID), Name: d.ExpenseItem.Name}
	case l.of.name == string(msapi.CashIn) || l.of.name == string(msapi.CashOut):
		return analysis.Key{ID: atCashDesk}
	}
	return analysis.Key{ID: string(d.Account.ID)}
}

// currencyKey returns a document's currency.
func (c *call) currencyKey(r msapi.Ref) analysis.Key {
	for id, iso := range c.currencies {
		if r.ID == id || r.ID == "" && iso == c.currency {
			return analysis.Key{ID: string(id), Name: iso}
		}
	}
	return analysis.Key{ID: string(r.ID)}
}

// listOfDocuments reads the values of a dimension of documents that is not a plain list: states, which each type of
// documents has its own of, and accounts.
func (c *call) listOfDocuments(ctx context.Context, dimension string) (values []value, err error) {
	if dimension == dimAccount {
		list, err := c.BankAccountList(ctx)
		cash := value{id: atCashDesk, names: []string{c.Pick("Касса", "Cash desk"), "Касса", atCashDesk}}
		return append(valuesOf(list, func(x msapi.OrganizationAccount) value {
			return value{id: x.ID, names: []string{x.Number}}
		}), cash), err
	}
	for _, k := range documentKinds {
		for _, t := range k {
			if !t.has(c.plan.Bases) {
				continue
			}
			list, err := c.StateList(ctx, t.name)
			if err != nil && !msapi.IsForbidden(err) {
				return nil, err
			}
			values = append(values, valuesOf(list, func(x msapi.State) value {
				return value{id: x.ID, names: []string{x.Name}}
			})...)
		}
	}
	return values, nil
}

// nameOwn names the employees and own companies among the keys, to whom payments are made, too (fact M118).
func (c *call) nameOwn(ctx context.Context, at int, facts []analysis.Fact) error {
	unnamed := func(f analysis.Fact) bool { return f.Keys[at].ID != "" && f.Keys[at].Name == "" }
	if !slices.ContainsFunc(facts, unnamed) || !c.needs(moneyIn, moneyOut) {
		return nil
	}
	names := map[string]string{}
	people, err := c.EmployeeList(ctx)
	if err != nil && !msapi.IsForbidden(err) {
		return err
	}
	for _, x := range people {
		names[string(x.ID)] = x.Name
	}
	companies, err := c.OrganizationList(ctx)
	if err != nil && !msapi.IsForbidden(err) {
		return err
	}
	for _, x := range companies {
		names[string(x.ID)] = x.Name
	}
	for _, f := range facts {
		if unnamed(f) {
			f.Keys[at].Name = names[f.Keys[at].ID]
		}
	}
	return nil
}
