package analyze

import (
	"context"
	"iter"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
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
		title: words("Входящий платёж", "Incoming payment"), list: paid(msapi.PaymentIn), sum: measures.MoneyIn},
	{name: string(msapi.CashIn), section: account.SectionAt("entity/cashin"),
		title: words("Приходный ордер", "Cash receipt"), list: paid(msapi.CashIn), sum: measures.MoneyIn},
	{name: string(msapi.PaymentOut), section: account.SectionAt("entity/paymentout"),
		title: words("Исходящий платёж", "Outgoing payment"), list: paid(msapi.PaymentOut), sum: measures.MoneyOut},
	{name: string(msapi.CashOut), section: account.SectionAt("entity/cashout"),
		title: words("Расходный ордер", "Cash payment"), list: paid(msapi.CashOut), sum: measures.MoneyOut},
}

// paymentKey returns the value of a dimension that only payments have.
func paymentKey(field string, l line) analysis.Key {
	d := l.document
	switch {
	case field == measures.DimExpenseItem:
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
	if dimension == measures.DimAccount {
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
	if !slices.ContainsFunc(facts, unnamed) || !c.needs(measures.MoneyIn, measures.MoneyOut) {
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
