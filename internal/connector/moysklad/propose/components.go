package propose

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/tool"
)

// unbundle replaces the bundles of a list by their components, which are what suppliers sell (rule R257).
func (w *orderProposal) unbundle(ctx context.Context) error {
	if !w.in.Components {
		return nil
	}
	names := make([]string, len(w.in.Items))
	for i, item := range w.in.Items {
		names[i] = item.Product
	}
	goods, err := catalogue.FindWithBundles(ctx, w.Call, names)
	if err != nil {
		return err
	}
	q := msapi.ListQuery{IDs: []msapi.ID{}}
	for _, g := range goods {
		if g.Type == "bundle" && !slices.Contains(q.IDs, g.ID) {
			q.IDs = append(q.IDs, g.ID)
		}
	}
	parts := map[msapi.ID][]msapi.Component{}
	if len(q.IDs) > 0 {
		err = account.Each(w.call.Call, w.Reader.Bundles(ctx, q), func(b msapi.Bundle) { parts[b.ID] = b.Components })
		if err != nil {
			return err
		}
	}
	var items []orderItem
	var services []string
	for i, item := range w.in.Items {
		g := goods[i]
		if g.Type != "bundle" {
			item.Product = string(g.ID)
			items = append(items, item)
			continue
		}
		if item.Price != nil {
			return account.Invalid("items", w.Pickf("«%s» — комплект: его цена не делится на составляющие",
				"“%s” is a bundle: its price cannot be split over the components", g.Name))
		}
		for _, part := range parts[g.ID] {
			if part.Assortment.Type == "service" {
				services = append(services, g.Name)
				continue
			}
			items = append(items, orderItem{Product: string(part.Assortment.ID),
				Quantity: item.Quantity.Mul(part.Quantity.Decimal)})
		}
	}
	if slices.Sort(services); len(services) > 0 {
		w.Noticef(tool.NoticePartial, "В составе есть услуги, их поставщику не заказать: %s.",
			"Services among the components cannot be ordered from a supplier: %s.",
			w.ListNames(slices.Compact(services)))
	}
	w.in.Items = items
	return nil
}
