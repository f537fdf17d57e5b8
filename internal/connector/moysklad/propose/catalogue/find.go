// Package catalogue finds the goods of a proposal, by name or by the rows of a table, and reads their cards.
package catalogue

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"golang.org/x/sync/errgroup"
)

// atOnce is how many goods of a list are looked up concurrently.
const atOnce = 4

// Find finds the one good that each name refers to, and never chooses for the user. A name that only belongs to a
// product refers to the product, not to its variants. A bundle is an error.
func Find(ctx context.Context, c *account.Call, names []string) ([]msapi.AssortmentItem, error) {
	return find(ctx, c, names, false)
}

// FindWithBundles is like [Find], and also finds bundles.
func FindWithBundles(ctx context.Context, c *account.Call, names []string) ([]msapi.AssortmentItem, error) {
	return find(ctx, c, names, true)
}

func find(ctx context.Context, c *account.Call, names []string, bundles bool) ([]msapi.AssortmentItem, error) {
	found := make([]msapi.AssortmentItem, len(names))
	var ids []msapi.ID
	for _, name := range names {
		if id, ok := msapi.ParseID(name); ok {
			ids = append(ids, id)
		}
	}
	byID := map[msapi.ID][]msapi.AssortmentItem{}
	if len(ids) > 0 {
		err := account.Each(c, c.Reader.Assortment(ctx, msapi.AssortmentQuery{IDs: ids}),
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
			found[i], err = oneGood(c, name, items, bundles)
			return err
		})
	}
	return found, work.Wait()
}

func oneGood(c *account.Call, name string, items []msapi.AssortmentItem, bundles bool) (msapi.AssortmentItem,
	error) {
	items, err := account.Match(c, "products", []string{name}, items,
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
	switch x := items[0]; {
	case x.Archived && (bundles || x.Type != "bundle") && x.Type != "service":
		return x, OutOfReach(c, x.Name)
	case x.Type == "product", x.Type == "variant", x.Type == "bundle" && bundles:
		return x, nil
	case x.Type == "bundle":
		return x, account.Invalid("items", fmt.Sprintf(
			c.Pick("«%s» — комплект: назовите его составляющие", "“%s” is a bundle: name its components"), x.Name))
	default:
		return x, account.Invalid("items", c.Pickf("«%s» — услуга", "“%s” is a service", x.Name))
	}
}

// OutOfReach returns the error for a listed good that is archived or hidden from the employee.
func OutOfReach(c *account.Call, name string) error {
	return account.Invalid("items", fmt.Sprintf(
		c.Pick("«%s»: товар в архиве или скрыт от сотрудника",
			"“%s”: the product is archived or hidden from the employee"), name))
}

// HasVariants returns the error for a listed product whose stock is that of its variants.
func HasVariants(ctx context.Context, c *account.Call, product string) error {
	var variants []string
	items, _, err := c.SearchGoods(ctx, product)
	if err != nil {
		return err
	}
	for _, x := range items {
		if x.Type == "variant" && !x.Archived && strings.HasPrefix(x.Name, product+" (") {
			variants = append(variants, "«"+x.Name+"»")
		}
	}
	text := c.Pickf("у товара «%s» есть модификации, назовите нужную", "“%s” has variants, name one of them", product)
	if slices.Sort(variants); len(variants) > 0 {
		text += ": " + strings.Join(variants, ", ")
	}
	return &NothingError{Text: text}
}
