package cards

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// candidate is an entry that a name may mean.
type candidate[T any] struct {
	of       T
	id       msapi.ID
	name     string
	code     string
	exact    bool // the name is one of its names or codes
	archived bool
}

// choose returns the only entry that a name means: the one with exactly that name or code, or else the only one that
// contains it. Archived ones are left out if others fit. It never guesses among several (rule R243), nor if the list
// was cut before all that contain it.
func choose[T any](c *call, argument, name string, list []candidate[T], cut bool) (T, error) {
	var none T
	list = account.Prefer(list, func(x candidate[T]) bool { return x.exact })
	list = account.Prefer(list, func(x candidate[T]) bool { return !x.archived })
	exact := len(list) > 0 && list[0].exact
	switch {
	case exact && len(list) == 1:
		return list[0].of, nil
	case len(list) == 0:
		return none, account.Invalid(argument, c.Pickf(
			"в МоёмСкладе не найдено: %s; возможно, удалено или не видно сотруднику",
			"not found in MoySklad: %s; it may be deleted or hidden from the employee", wording.InQuotes(name, c.Lang)))
	case len(list) == 1 && !cut:
		c.Noticef(tool.NoticeAssumption, "Точно такого названия или кода нет: показано найденное по части названия, %s.",
			"Nothing has exactly this name or code: shown is what contains it, %s.", wording.InQuotes(list[0].name, c.Lang))
		return list[0].of, nil
	}
	var which []string
	for _, x := range list[:min(10, len(list))] {
		line := fmt.Sprintf("%s (%s)", x.name, cmp.Or(x.code, string(x.id)))
		if exact { // what it is called does not tell them apart
			line = fmt.Sprintf("%s (%s, id %s)", x.name, cmp.Or(x.code, "—"), x.id)
		}
		if x.archived {
			line += c.Pick(" — в архиве", ", archived")
		}
		which = append(which, line)
	}
	if n := len(list) - len(which); n > 0 {
		which = append(which, fmt.Sprintf("… %d", n))
	}
	ru, en := "подходят несколько (%d): %s", "several fit (%d): %s"
	message := c.Pickf(ru, en, len(list), wording.InQuotes(name, c.Lang))
	if cut && !exact {
		most := tool.FormatQuantity(decimal.FromInt(account.MaxFound), c.Lang)
		message = c.Pickf("подходит больше %s, показаны первые: %s", "more than %s fit, shown are the first: %s", most,
			wording.InQuotes(name, c.Lang))
	}
	return none, account.Invalid(argument, message).
		WithHint("%s", c.Pick("уточните название, код или id: ", "give the exact name, the code or the id: ")+
			strings.Join(which, "; "))
}

// findGood returns the good with a name, article, code, barcode or ID. Archived goods are found if no other fits.
func (c *call) findGood(ctx context.Context, name string) (msapi.AssortmentItem, error) {
	if id, ok := msapi.ParseID(strings.TrimSpace(name)); ok {
		items, err := c.goods(ctx, msapi.AssortmentQuery{IDs: []msapi.ID{id}, Archived: msapi.ArchivedAlso})
		if err != nil {
			return msapi.AssortmentItem{}, err
		}
		items = slices.DeleteFunc(items, func(x msapi.AssortmentItem) bool { return x.ID != id })
		return choose(c, "product", name, candidatesOf(items, func(msapi.AssortmentItem) bool { return true }), false)
	}
	text := wording.Fold(name)
	if text == "" {
		return msapi.AssortmentItem{}, account.Invalid("product", c.Pick("назовите товар", "name the good"))
	}
	items, err := c.NamedGoods(ctx, name, msapi.ArchivedAlso)
	cut := false
	if err == nil && len(items) == 0 {
		items, cut, err = c.goodsWith(ctx, name)
	}
	if err != nil {
		return msapi.AssortmentItem{}, err
	}
	same := func(x msapi.AssortmentItem) bool { return account.IsNamed(x, name) }
	slices.SortFunc(items, account.ByCloseness(name))
	list := candidatesOf(items, same)
	// A product shares its article with its variants: the product is meant, and its card has them.
	product := slices.IndexFunc(list, func(x candidate[msapi.AssortmentItem]) bool {
		return x.exact && x.of.Type == "product"
	})
	for i := range list {
		if product >= 0 && list[i].of.Product.ID == list[product].id && wording.Fold(list[i].code) != text {
			list[i].exact = false
		}
	}
	return choose(c, "product", name, list, cut)
}

// goodsWith finds goods that contain the words of a text, archived ones too, and reports whether there are more.
func (c *call) goodsWith(ctx context.Context, text string) ([]msapi.AssortmentItem, bool, error) {
	var archived []msapi.AssortmentItem
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) {
		archived, err = c.goods(inner,
			msapi.AssortmentQuery{Search: text, Archived: msapi.ArchivedOnly, First: account.MaxFound})
		return err
	})
	var items []msapi.AssortmentItem
	var how account.Found
	work.Go(func() (err error) { items, how, err = c.SearchGoods(inner, text); return err })
	if err := work.Wait(); err != nil {
		return nil, false, err
	}
	cut := how.Cut || len(items) == 0 && len(archived) == account.MaxFound
	archived = slices.DeleteFunc(archived, func(x msapi.AssortmentItem) bool { return !account.Contains(x, text) })
	return append(items, archived...), cut, nil
}

func candidatesOf(items []msapi.AssortmentItem,
	exact func(msapi.AssortmentItem) bool) []candidate[msapi.AssortmentItem] {
	var list []candidate[msapi.AssortmentItem]
	for _, x := range items {
		if x.Type != "consignment" {
			list = append(list, candidate[msapi.AssortmentItem]{x, x.ID, x.Name, cmp.Or(x.Code, x.Article), exact(x),
				x.Archived})
		}
	}
	return list
}

func (c *call) goods(ctx context.Context, q msapi.AssortmentQuery) (list []msapi.AssortmentItem, err error) {
	err = account.Each(c.Call, c.Reader.Assortment(ctx, q), func(x msapi.AssortmentItem) { list = append(list, x) })
	return list, err
}

// findParty returns the ID of the counterparty with a name, full legal name, code or ID.
func (c *call) findParty(ctx context.Context, name string) (msapi.ID, error) {
	if id, ok := msapi.ParseID(strings.TrimSpace(name)); ok {
		return id, nil
	}
	if wording.Fold(name) == "" {
		return "", account.Invalid("counterparty", c.Pick("назовите контрагента", "name the counterparty"))
	}
	found, err := c.FindNamesakes(ctx, name)
	if err != nil {
		return "", err
	}
	var list []candidate[msapi.ID]
	for _, x := range found.List {
		list = append(list, candidate[msapi.ID]{x.ID, x.ID, x.Name, x.Code, found.Exact, x.Archived})
	}
	return choose(c, "counterparty", name, list, found.Cut)
}
