package propose

import (
	"context"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fromList creates order lines from a list in the arguments.
func (w *orderProposal) fromList(ctx context.Context) (closed bool, err error) {
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
	store, err := w.deliverTo(ctx)
	if err != nil {
		return false, err
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

// deliverTo returns the warehouse for a list: the named one, the only one, or the one that all recent orders went to
// (rule R356).
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
	if len(names) == 0 {
		if store, known, err := w.usualStore(ctx); known || err != nil {
			return store, err
		}
	}
	named := account.NamesOf(w.stores, func(s msapi.Store) string { return s.Name })
	return msapi.Store{}, &catalogue.NothingError{
		Text: w.Pickf("на какой склад заказать? Складов несколько: %s",
			"to which warehouse? There are several: %s", strings.Join(named, "; ")),
		Missing: &tool.Missing{Argument: "store", Values: named, Question: w.Pick("На какой склад заказать?",
			"To which warehouse shall I order?"), Label: w.Pick("на склад «%s»", "to the warehouse “%s”")}}
}

// usualStore returns the warehouse that all recent orders to the supplier went to, or all to anyone if there were none;
// false if there is no such one.
func (w *orderProposal) usualStore(ctx context.Context) (msapi.Store, bool, error) {
	h, err := w.history(ctx)
	if err != nil {
		return msapi.Store{}, false, err
	}
	var supplier msapi.Key
	if w.supplier != nil && len(h.stores[w.supplier.ID.Key()]) > 0 {
		supplier = w.supplier.ID.Key()
	}
	went := h.stores[supplier]
	for _, s := range w.stores {
		if n := went[s.ID.Key()]; len(went) == 1 && n > 0 {
			w.Noticef(tool.NoticeAssumption, "Склад не назван: взят «%s», туда шли все заказы поставщикам за %d дн.",
				"No warehouse was named: taken “%s”, where all supplier orders of the last %d days went.", s.Name,
				historyDays)
			return s, true, nil
		}
	}
	return msapi.Store{}, false, nil
}
