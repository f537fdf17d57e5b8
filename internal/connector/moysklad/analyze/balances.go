package analyze

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromMoneyReport supplies the balances of accounts and cash desks now.
func (c *call) fromMoneyReport(_ context.Context, left []analysis.Base) (source, error) {
	bases := among(left, []analysis.Base{measures.AccountBalance})
	return source{bases: bases, read: func(ctx context.Context, _ tool.Period, add func(analysis.Fact)) error {
		return c.readBalances(ctx, bases, add)
	}}, nil
}

// readBalances reads the money report. It does not name the currencies of accounts (fact M84), so the accounts are read
// unless there is one currency only. A balance in another currency than the account's is in no sum: there is no rate at
// which it was received.
func (c *call) readBalances(ctx context.Context, bases []analysis.Base, add func(analysis.Fact)) error {
	var balances []msapi.MoneyAccount
	var accounts []msapi.OrganizationAccount
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { balances, err = c.Reader.MoneyAccounts(inner); return })
	if len(c.currencies) != 1 {
		work.Go(func() (err error) {
			if accounts, err = c.BankAccountList(inner); msapi.IsForbidden(err) {
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	currencies := map[msapi.ID]msapi.Ref{}
	for _, a := range accounts {
		currencies[a.ID] = a.Currency
	}
	others, unseen, hidden := account.MoneyByCurrency{}, 0, 0
	for _, b := range balances {
		currency, seen := currencies[b.Account.ID]
		seen = seen || b.Account.IsZero() || len(c.currencies) == 1
		key := c.currencyKey(currency)
		of := map[analysis.Base]decimal.Maybe{}
		f := analysis.Fact{Keys: make([]analysis.Key, len(c.fields))}
		wanted := true
		for i, field := range c.fields {
			switch field {
			case measures.DimLegalEntity:
				f.Keys[i] = analysis.Key{ID: string(b.Organization.ID), Name: b.Organization.Name}
			case measures.DimAccount:
				if f.Keys[i] = (analysis.Key{ID: string(b.Account.ID), Name: b.Account.Name}); b.Account.IsZero() {
					f.Keys[i] = analysis.Key{ID: atCashDesk}
				}
			case measures.DimCurrency:
				if seen {
					f.Keys[i] = key
				}
			}
			wanted = wanted && c.plan.Accepts(field, f.Keys[i])
		}
		switch amount := account.Major(b.Balance); {
		case !wanted:
		case !b.Balance.Known:
			hidden++
		case !seen || key.Name == "":
			unseen++
		case key.Name == c.currency:
			of[measures.AccountBalance] = amount
		default:
			others.Add(key.Name, amount.Decimal)
		}
		f.Amounts = c.amounts(bases, of)
		add(f)
	}
	if len(others) > 0 {
		c.Noticef(tool.NoticeCurrency, "Не прибавлены остатки в других валютах: %s.",
			"Balances in other currencies are not added: %s.", others.Text(c.currency, c.Lang))
	}
	if unseen > 0 {
		c.Noticef(tool.NoticeCurrency, "Не прибавлены остатки на счетах, валюта которых не видна: %d.",
			"Balances of accounts whose currency is not visible are not added: %d.", unseen)
	}
	if hidden > 0 {
		c.Missing(account.SectionMoney, "часть остатков не показана", "some balances are not shown")
	}
	return nil
}
