package propose

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// leads are the lead times of suppliers.
type leads struct {
	standard int                 // days where a supplier's own are unknown
	days     map[msapi.Key][]int // of each order that was received, ascending
	hidden   bool                // the employee may not see orders or receipts
}

// of returns the median of a supplier's lead times, the longer of the middle two.
func (l *leads) of(supplier msapi.Key) int {
	if list := l.days[supplier]; len(list) > 0 {
		return account.LeadOf(list)
	}
	return l.standard
}

func (l *leads) longest() int {
	most := l.standard
	for supplier := range l.days {
		most = max(most, l.of(supplier))
	}
	return most
}

// readLeads measures the days from each supplier order to its first receipt of goods, which links to it (fact M112).
// Without the rights, all suppliers have the standard.
func (c *call) readLeads(ctx context.Context, standard int) (*leads, error) {
	l := &leads{standard: standard, days: map[msapi.Key][]int{}}
	posted := true
	q := msapi.OrderQuery{Posted: &posted, From: account.DayStart(account.Today(c.Env).Add(-account.LeadHistory))}
	var orders, received []msapi.Order
	err := account.Each(c.Call, c.Reader.PurchaseOrders(ctx, q), func(o msapi.Order) { orders = append(orders, o) })
	if c.Denied(err, account.SectionPurchases) {
		l.hidden = true
		return l, nil
	} else if err != nil {
		return nil, err
	}
	err = account.Each(c.Call, c.Reader.Supplies(ctx, q), func(s msapi.Order) { received = append(received, s) })
	if c.Denied(err, account.SectionSupplies) {
		l.hidden = true
		return l, nil
	} else if err != nil {
		return nil, err
	}
	l.days = account.LeadDays(orders, received)
	return l, nil
}

// describe says how long a supplier takes to deliver, and how that is known.
func (l *leads) describe(c *call, supplier msapi.Key) string {
	days := l.of(supplier)
	if n := len(l.days[supplier]); n > 0 {
		return c.Pickf("Срок поставки, дн.: %d, медиана по заказам с приёмкой за год (%d).",
			"Lead time in days: %d, the median of the orders received in a year (%d).", days, n)
	}
	if l.hidden {
		return c.Pickf("Срок поставки, дн.: %d, как задано: прошлые заказы или приёмки не видны.",
			"Lead time in days: %d, as given: past orders or receipts are not visible.", days)
	}
	return c.Pickf("Срок поставки, дн.: %d, как задано: заказов с приёмкой за год нет.",
		"Lead time in days: %d, as given: no order was received in a year.", days)
}
