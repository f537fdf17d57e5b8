package shortage

import (
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// Totals counts the lines of a list, and the goods that lack something needed to order them.
type Totals struct {
	BelowMinimum, RunningOut, ToOrder int                     // lines
	Sums                              account.MoneyByCurrency // of what to order, where the price is known
	WithoutSupplier, Unpriced         map[msapi.Key]bool      // goods
	Suppliers                         map[msapi.Key]bool      // the suppliers to order from
}

// Totals computes the totals. Currency and of are the results of [account.Call.AccountCurrency].
func (l *List) Totals(currency string, of map[msapi.ID]string) *Totals {
	t := &Totals{Sums: account.MoneyByCurrency{}, WithoutSupplier: map[msapi.Key]bool{},
		Unpriced: map[msapi.Key]bool{}, Suppliers: map[msapi.Key]bool{}}
	for _, s := range l.Lines {
		t.add(s, currency, of)
	}
	return t
}

func (t *Totals) add(s *Line, currency string, of map[msapi.ID]string) {
	if s.BelowMinimum {
		t.BelowMinimum++
	}
	if s.RunningOut {
		t.RunningOut++
	}
	if s.Item.SupplierID == (msapi.Key{}) {
		t.WithoutSupplier[s.Good] = true
	}
	if s.ToOrder.Sign() <= 0 {
		return
	}
	t.ToOrder++
	if s.Item.SupplierID != (msapi.Key{}) {
		t.Suppliers[s.Item.SupplierID] = true
	}
	if s.Item.Price.Known {
		t.Sums.Add(account.Iso(s.Item.Currency, currency, of), s.ToOrder.Mul(s.Item.Price.Decimal))
	} else {
		t.Unpriced[s.Good] = true
	}
}
