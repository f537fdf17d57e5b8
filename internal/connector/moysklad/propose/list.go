package propose

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
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
	goods, err := w.findEach(ctx, names)
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
		return w.oneStore(names[0])
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

func (w *orderProposal) oneStore(name string) (msapi.Store, error) {
	return findOne(w.call, "store", tool.Text{RU: "склад", EN: "warehouse"}, name, w.stores,
		func(s msapi.Store) (msapi.ID, []string) {
			return s.ID, []string{s.Name, s.Code, account.JoinPath(s.PathName, s.Name)}
		})
}

// atOnce is how many goods of a list are looked up concurrently.
const atOnce = 4

// findEach finds the one good that each name refers to, and never chooses for the user. A name that only belongs to a
// product refers to the product, not to its variants.
func (c *call) findEach(ctx context.Context, names []string) ([]msapi.AssortmentItem, error) {
	found := make([]msapi.AssortmentItem, len(names))
	var ids []msapi.ID
	for _, name := range names {
		if id, ok := msapi.ParseID(name); ok {
			ids = append(ids, id)
		}
	}
	byID := map[msapi.ID][]msapi.AssortmentItem{}
	if len(ids) > 0 {
		err := account.Each(c.Call, c.Reader.Assortment(ctx, msapi.AssortmentQuery{IDs: ids}),
			func(x msapi.AssortmentItem) { byID[x.ID] = []msapi.AssortmentItem{x} })
		if err != nil {
			return nil, err
		}
	}
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for i, name := range names {
		work.Go(func() error {
			var items []msapi.AssortmentItem
			var err error
			if id, ok := msapi.ParseID(name); ok {
				items = byID[id]
			} else {
				items, _, err = c.SearchGoods(inner, name)
			}
			if err != nil {
				return err
			}
			found[i], err = c.oneGood(name, items)
			return err
		})
	}
	return found, work.Wait()
}

func (c *call) oneGood(name string, items []msapi.AssortmentItem) (msapi.AssortmentItem, error) {
	items, err := account.Match(c.Call, "products", []string{name}, items,
		func(x msapi.AssortmentItem) (msapi.ID, []string) {
			return x.ID, append([]string{x.Name, x.Code, x.Article}, x.Barcodes...)
		})
	if err != nil {
		return msapi.AssortmentItem{}, err
	}
	if len(items) > 1 {
		var which []string
		for _, x := range items {
			which = append(which, fmt.Sprintf("%s (%s)", x.Name, cmp.Or(x.Code, string(x.ID))))
		}
		return items[0], account.Invalid("items",
			c.Pickf("«%s»: таких товаров несколько, укажите код или идентификатор",
				"“%s”: several products are called that, give the code or the id", name)).
			WithHint("%s", strings.Join(which, "; "))
	}
	switch x := items[0]; x.Type {
	case "product", "variant":
		if x.Archived {
			return x, c.outOfReach(x.Name)
		}
		return x, nil
	case "bundle":
		return x, account.Invalid("items", fmt.Sprintf(
			c.Pick("«%s» — комплект: назовите его составляющие", "“%s” is a bundle: name its components"), x.Name))
	default:
		return x, account.Invalid("items", c.Pickf("«%s» — услуга", "“%s” is a service", x.Name))
	}
}

// outOfReach returns the error for a listed good that is archived or hidden from the employee.
func (c *call) outOfReach(name string) error {
	return account.Invalid("items", fmt.Sprintf(
		c.Pick("«%s»: товар в архиве или скрыт от сотрудника",
			"“%s”: the product is archived or hidden from the employee"), name))
}

// hasVariants returns the error for a listed product whose stock is that of its variants.
func (c *call) hasVariants(name string) error {
	return account.Invalid("items", c.Pickf("у товара «%s» есть модификации: назовите нужную",
		"“%s” has variants: name one of them", name))
}
