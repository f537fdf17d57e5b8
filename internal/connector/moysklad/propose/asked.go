package propose

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/tool"
)

// asker is an input that puts what was asked for into words, so that the answer states every condition (rule R282).
type asker interface{ asked(c *account.Call) string }

// asking collects the parts.
type asking struct {
	*account.Call
	parts []string
}

func (a *asking) add(ru, en string, args ...any) { a.parts = append(a.parts, a.Pickf(ru, en, args...)) }

func (a *asking) goods(g account.GoodsArgs, rows *catalogue.RowsOf) {
	if rows != nil {
		g.Products = nil // the rows name them
	}
	if text := a.Named(g); text != "" {
		a.parts = append(a.parts, text)
	}
	if rows != nil {
		a.parts = append(a.parts, rows.Describe(a.Call))
	}
}

func (a *asking) stores(ru, en string, names ...string) {
	if len(names) > 0 && names[0] != "" {
		a.add(ru, en, a.ListNames(append([]string{}, names...)))
	}
}

func (a *asking) short(mode shortage.Mode, days *account.Days) {
	switch mode {
	case shortage.BelowMinimum:
		a.add("только ниже минимума", "only below minimum")
	case shortage.RunningOut:
		if days != nil {
			a.add("запаса меньше чем на %d дней", "stock for less than %d days", int(*days))
			return
		}
		a.add("только то, что заканчивается", "only what is running out")
	case shortage.All:
	}
	if days != nil {
		a.add("запас на %d дней", "to last %d days", int(*days))
	}
}

func (a *asking) text() string { return strings.Join(a.parts, "; ") }

func (in ordersInput) asked(c *account.Call) string {
	a := &asking{Call: c}
	if in.RowsOf != nil {
		a.goods(in.GoodsArgs, &in.RowsOf.RowsOf)
	} else {
		a.goods(in.GoodsArgs, nil)
	}
	a.stores("склад %s", "warehouse %s", in.Stores...)
	a.short(in.Mode, in.Days)
	if in.Except != nil {
		a.add("кроме: %s", "except: %s", c.Named(in.Except.GoodsArgs))
	}
	if in.Budget != nil {
		a.add("бюджет %s", "budget %s", tool.FormatMoney(*in.Budget, "", c.Lang))
	}
	in.quantities.asked(a)
	if in.MinOrder != nil {
		a.add("заказ не меньше %s", "orders of at least %s", tool.FormatMoney(*in.MinOrder, "", c.Lang))
	}
	if in.LeadDays != nil {
		a.add("срок поставки %d дней, где он не известен", "lead time %d days where it is unknown", int(*in.LeadDays))
	}
	if in.Forecast {
		a.add("по прогнозу продаж", "by the sales forecast")
	}
	if in.Delivery != "" {
		a.add("поставка %s", "delivery on %s", string(in.Delivery))
	}
	return a.text()
}

func (in transfersInput) asked(c *account.Call) string {
	a := &asking{Call: c}
	if in.RowsOf != nil {
		a.goods(in.GoodsArgs, &in.RowsOf.RowsOf)
	} else {
		a.goods(in.GoodsArgs, nil)
	}
	if len(in.Items) == 0 {
		a.stores("со склада %s", "from the warehouse %s", in.FromStores...)
		a.stores("на склад %s", "to the warehouse %s", in.Stores...)
	}
	a.short(in.Mode, in.Days)
	if in.Keep != nil {
		a.add("на складе-отправителе остаётся не меньше %s каждого", "at least %s of each stays at the source",
			tool.FormatQuantity(*in.Keep, c.Lang))
	}
	if in.Multiple != nil {
		a.add("количества кратно %s", "quantities in multiples of %s", tool.FormatQuantity(*in.Multiple, c.Lang))
	}
	return a.text()
}

func (in minimumInput) asked(c *account.Call) string {
	a := &asking{Call: c}
	a.goods(in.GoodsArgs, in.RowsOf)
	a.stores("склад %s", "warehouse %s", in.Stores...)
	if in.Everything {
		a.add("все товары", "all goods")
	}
	if in.LeadDays != nil {
		a.add("срок поставки %d дней", "lead time %d days", int(*in.LeadDays))
	}
	if in.SafetyDays != nil {
		a.add("запас %d дней", "reserve of %d days", int(*in.SafetyDays))
	}
	if in.From != "" || in.To != "" {
		a.add("по продажам с %s по %s", "by sales from %s to %s", string(in.From), string(in.To))
	}
	if in.Minimum != nil {
		a.add("минимум %s", "a minimum of %s", tool.FormatQuantity(*in.Minimum, c.Lang))
	}
	return a.text()
}
