package propose

import (
	"context"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
)

// fromList creates order lines from a list in the arguments.
func (w *orderProposal) fromList(ctx context.Context) (closed bool, err error) {
	store, err := w.deliverTo(ctx)
	if err != nil {
		return false, err
	}
	if len(w.in.Suppliers) == 1 {
		found, err := w.FindCounterparties(ctx, "suppliers", w.in.Suppliers)
		if err != nil {
			return false, err
		}
		if len(found) > 1 {
			return false, account.Invalid("suppliers",
				w.Pick("поставщиков с таким названием несколько: укажите идентификатор",
					"several suppliers have that name: give the id"))
		}
		w.supplier = &found[0]
	}
	if err := w.unbundle(ctx); err != nil {
		return false, err
	}
	names := make([]string, len(w.in.Items))
	for i, item := range w.in.Items {
		names[i] = item.Product
	}
	goods, err := catalogue.Find(ctx, w.Call, names)
	if err != nil {
		return false, err
	}
	have := map[msapi.Key]*orderLine{}
	for i, item := range w.in.Items {
		k := goods[i].ID.Key()
		x := have[k]
		if x == nil {
			x = &orderLine{Line: shortage.Line{StockKey: account.StockKey{Good: k, Store: store.ID.Key()}},
				named: item.Product, listed: true}
			have[k] = x
			w.lines = append(w.lines, x)
		}
		x.quantity = x.quantity.Add(item.Quantity)
		if item.Price == nil {
			continue
		}
		if x.given && x.price.Cmp(*item.Price) != 0 {
			return false, account.Invalid("items",
				w.Pickf("«%s» назван дважды с разными ценами", "“%s” is listed twice with different prices",
					goods[i].Name))
		}
		x.price, x.given = decimal.Some(*item.Price), true
	}
	return false, nil
}

// deliverTo returns the warehouse for a list: the named one, or the only one.
func (w *orderProposal) deliverTo(ctx context.Context) (msapi.Store, error) {
	names := w.in.Stores
	if w.in.Store != "" {
		names = []string{w.in.Store}
	}
	if len(names) == 1 {
		return w.oneStore("store", names[0], w.stores)
	}
	if len(names) == 0 && len(w.stores) == 1 {
		return w.stores[0], nil
	}
	return msapi.Store{}, account.Invalid("store",
		w.Pick("складов несколько: назовите, на какой заказать",
			"there are several warehouses: name the one to deliver to")).
		WithHint("%s", w.Pick("склады: ", "warehouses: ")+
			strings.Join(account.NamesOf(w.stores, func(s msapi.Store) string { return s.Name }), "; "))
}
