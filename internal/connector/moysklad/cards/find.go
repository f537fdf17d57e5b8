package cards

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
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
// contains it. It never guesses among several (rule R243).
func choose[T any](c *call, argument, name string, list []candidate[T]) (T, error) {
	var none T
	exact := slices.DeleteFunc(slices.Clone(list), func(x candidate[T]) bool { return !x.exact })
	if len(exact) == 1 {
		return exact[0].of, nil
	}
	if len(exact) > 1 {
		list = exact
	}
	switch len(list) {
	case 0:
		return none, account.Invalid(argument, c.Pickf("в МоёмСкладе не найдено: %s; возможно, удалено или не видно сотруднику",
			"not found in MoySklad: %s; it may be deleted or hidden from the employee", wording.InQuotes(name, c.Lang)))
	case 1:
		c.Noticef(tool.NoticeAssumption, "Точно такого названия или кода нет: показано найденное по части названия, %s.",
			"Nothing has exactly this name or code: shown is what contains it, %s.", wording.InQuotes(list[0].name, c.Lang))
		return list[0].of, nil
	}
	var which []string
	for _, x := range list[:min(10, len(list))] {
		line := fmt.Sprintf("%s (%s)", x.name, cmp.Or(x.code, string(x.id)))
		if len(exact) > 1 { // what it is called does not tell them apart
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
	return none, account.Invalid(argument, c.Pickf("подходят несколько (%d): %s", "several fit (%d): %s", len(list),
		wording.InQuotes(name, c.Lang))).
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
		return choose(c, "product", name, candidatesOf(items, func(msapi.AssortmentItem) bool { return true }))
	}
	text := wording.Fold(name)
	if text == "" {
		return msapi.AssortmentItem{}, account.Invalid("product", c.Pick("назовите товар", "name the good"))
	}
	items, _, err := c.SearchGoods(ctx, name)
	if err != nil {
		return msapi.AssortmentItem{}, err
	}
	if len(items) == 0 {
		items, err = c.goods(ctx,
			msapi.AssortmentQuery{Search: name, Archived: msapi.ArchivedOnly, First: account.MaxFound})
		if err != nil {
			return msapi.AssortmentItem{}, err
		}
		items = slices.DeleteFunc(items, func(x msapi.AssortmentItem) bool { return !account.Contains(x, name) })
	}
	same := func(x msapi.AssortmentItem) bool {
		return slices.ContainsFunc(append([]string{x.Name, x.Code, x.Article}, x.Barcodes...),
			func(w string) bool { return wording.Fold(w) == text })
	}
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
	return choose(c, "product", name, list)
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

// mostNamesakes is the maximum number of counterparties that a name is looked for in: one page.
const mostNamesakes = 1000

// findParty returns the ID of the counterparty with a name, full legal name, code or ID.
func (c *call) findParty(ctx context.Context, name string) (msapi.ID, error) {
	if id, ok := msapi.ParseID(strings.TrimSpace(name)); ok {
		return id, nil
	}
	text := wording.Fold(name)
	if text == "" {
		return "", account.Invalid("counterparty", c.Pick("назовите контрагента", "name the counterparty"))
	}
	fits := func(x msapi.Counterparty, exact bool) bool {
		return slices.ContainsFunc([]string{x.Name, x.LegalTitle, x.Code}, func(w string) bool {
			return exact && wording.Fold(w) == text || !exact && strings.Contains(wording.Fold(w), text)
		})
	}
	list, known := c.KnownCounterparties()
	known = known && len(list) < account.MostCounterparties
	if !known || !slices.ContainsFunc(list, func(x msapi.Counterparty) bool { return fits(x, true) }) {
		list = nil // archived ones are not cached
		for _, by := range []string{"name", "legalTitle", "code"} {
			q := msapi.ListQuery{Filter: msapi.Filter{}.Where(by, msapi.Contains, strings.TrimSpace(name)),
				Archived: msapi.ArchivedAlso, First: mostNamesakes}
			err := account.Each(c.Call, c.Reader.Counterparties(ctx, q),
				func(x msapi.Counterparty) { list = append(list, x) })
			if err != nil {
				return "", err
			}
			if slices.ContainsFunc(list, func(x msapi.Counterparty) bool { return fits(x, false) }) {
				break
			}
		}
	}
	var found []candidate[msapi.ID]
	have := map[msapi.ID]bool{}
	for _, x := range list {
		if !have[x.ID] && fits(x, false) {
			have[x.ID] = true
			found = append(found, candidate[msapi.ID]{x.ID, x.ID, x.Name, x.Code, fits(x, true), x.Archived})
		}
	}
	slices.SortFunc(found, func(x, y candidate[msapi.ID]) int { return account.Tie(0, x.name, y.name, x.id, y.id) })
	return choose(c, "counterparty", name, found)
}
