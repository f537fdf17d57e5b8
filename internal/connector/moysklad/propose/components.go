package propose

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
)

// unbundle replaces the bundles of a list, by name or ID, by their components, which are what suppliers sell.
func (w *orderProposal) unbundle(ctx context.Context) error {
	if !w.in.Components {
		return nil
	}
	of := map[string][]msapi.Bundle{}
	err := account.Each(w.call.Call, w.Reader.Bundles(ctx, msapi.ListQuery{}), func(b msapi.Bundle) {
		of[string(b.ID)] = append(of[string(b.ID)], b)
		of[wording.Fold(b.Name)] = append(of[wording.Fold(b.Name)], b)
	})
	if err != nil {
		return err
	}
	var items []orderItem
	for _, item := range w.in.Items {
		found := of[wording.Fold(item.Product)]
		switch {
		case len(found) == 0:
			items = append(items, item)
			continue
		case len(found) > 1:
			return account.Invalid("items", w.Pickf("«%s»: таких комплектов несколько, укажите идентификатор",
				"“%s”: several bundles are called that, give the id", item.Product))
		case item.Price != nil:
			return account.Invalid("items", w.Pickf("«%s» — комплект: его цена не делится на составляющие",
				"“%s” is a bundle: its price cannot be split over the components", item.Product))
		}
		for _, part := range found[0].Components {
			items = append(items, orderItem{Product: string(part.Assortment.ID),
				Quantity: item.Quantity.Mul(part.Quantity.Decimal)})
		}
	}
	w.in.Items = items
	return nil
}
