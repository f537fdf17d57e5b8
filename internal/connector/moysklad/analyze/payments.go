package analyze

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// atCashDesk is the key of the dimension of accounts for cash, which has no account (fact M84).
const atCashDesk = "cash"

// paymentKey returns the value of a dimension that only payments have.
func paymentKey(field string, l line) analysis.Key {
	d := l.document
	switch {
	case field == measures.DimExpenseItem:
		return analysis.Key{ID: string(d.ExpenseItem.ID), Name: d.ExpenseItem.Name}
	case l.of.Name == string(msapi.CashIn) || l.of.Name == string(msapi.CashOut):
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
		cash := value{id: atCashDesk, names: []string{c.Pick("Касса", "Cash desk"), "Касса", "Cash desk",
			"Наличные", atCashDesk}}
		return append(valuesOf(list, func(x msapi.OrganizationAccount) value {
			return value{id: x.ID, names: []string{x.Number}}
		}), cash), err
	}
	for _, k := range doctype.All {
		for _, t := range k {
			if !t.Has(c.plan.Bases) {
				continue
			}
			list, err := c.StateList(ctx, t.Name)
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
