package moysklad

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// scope is what the arguments of a tool narrow it to, as ids. Empty lists mean all.
type scope struct {
	stores    []msapi.Store
	folders   []msapi.Folder // those named; see nested
	nested    map[msapi.ID]bool
	suppliers []msapi.Ref
	goods     []msapi.Ref // products and variants, services and bundles that were named
}

func (s scope) storeIDs() []msapi.ID {
	return ids(s.stores, func(x msapi.Store) msapi.ID { return x.ID })
}
func (s scope) folderIDs() []msapi.ID {
	return ids(s.folders, func(x msapi.Folder) msapi.ID { return x.ID })
}
func (s scope) supplierIDs() []msapi.ID {
	return ids(s.suppliers, func(x msapi.Ref) msapi.ID { return x.ID })
}

// goodsOf lists the named goods of a type.
func (s scope) goodsOf(kind string) []msapi.ID {
	var list []msapi.ID
	for _, g := range s.goods {
		if g.Type == kind {
			list = append(list, g.ID)
		}
	}
	return list
}

// stocked lists the named goods that can have stock of their own: not bundles and not services.
func (s scope) stocked() []msapi.ID { return append(s.goodsOf("product"), s.goodsOf("variant")...) }

// everything tells whether no goods were named in any way.
func (s scope) everything() bool {
	return len(s.folders) == 0 && len(s.suppliers) == 0 && len(s.goods) == 0
}

func ids[T any](list []T, id func(T) msapi.ID) []msapi.ID {
	var out []msapi.ID
	for _, x := range list {
		out = append(out, id(x))
	}
	return out
}

// narrow finds what the arguments name. Lists it needs are read at the same time. A name that nothing carries is an
// error that lists near ones; nothing is ever guessed.
func (c *call) narrow(ctx context.Context, stores []string, g goodsArgs) (scope, error) {
	var s scope
	work, inner := errgroup.WithContext(ctx)
	if len(stores) > 0 {
		work.Go(func() (err error) { s.stores, err = c.findStores(inner, stores); return })
	}
	if len(g.Groups) > 0 {
		work.Go(func() (err error) { s.folders, s.nested, err = c.findFolders(inner, g.Groups); return })
	}
	if len(g.Suppliers) > 0 {
		work.Go(func() (err error) { s.suppliers, err = c.findCounterparties(inner, "suppliers", g.Suppliers); return })
	}
	var found []msapi.AssortmentItem
	if len(g.Products) > 0 {
		work.Go(func() (err error) { found, err = c.findGoods(inner, g.Products); return })
	}
	if err := work.Wait(); err != nil {
		return s, err
	}
	for _, item := range found {
		// Groups and suppliers narrow named goods too. A variant's own row does not tell them (reference, section
		// 6.3): it is then left to the reports.
		if item.Type == "product" && len(s.folders) > 0 && !s.nested[item.Folder.ID] {
			continue
		}
		if item.Type == "product" && len(s.suppliers) > 0 && !slices.Contains(s.supplierIDs(), item.Supplier.ID) {
			continue
		}
		s.goods = append(s.goods, msapi.Ref{Type: item.Type, ID: item.ID, Name: item.Name})
	}
	if len(g.Products) > 0 && len(s.goods) == 0 {
		return s, invalid("products", c.pick(
			"названные товары не входят в названные группы или не от названных поставщиков",
			"the named goods are not in the named groups or not from the named suppliers"))
	}
	return s, nil
}

func (c *call) findStores(ctx context.Context, names []string) ([]msapi.Store, error) {
	list, err := c.storeList(ctx)
	if err != nil {
		return nil, err
	}
	return match(c, "stores", names, list, func(s msapi.Store) (msapi.ID, []string) {
		return s.ID, []string{s.Name, s.Code, under(s.PathName, s.Name)}
	})
}

// under joins a path and a name as the API writes paths.
func under(path, name string) string {
	if path == "" {
		return ""
	}
	return path + "/" + name
}

// findFolders also returns the ids of the folders and of everything nested in them.
func (c *call) findFolders(ctx context.Context, names []string) ([]msapi.Folder, map[msapi.ID]bool, error) {
	list, err := c.folderList(ctx)
	if err != nil {
		return nil, nil, err
	}
	found, err := match(c, "groups", names, list, func(f msapi.Folder) (msapi.ID, []string) {
		return f.ID, []string{f.Name, f.Code, f.Path()}
	})
	if err != nil {
		return nil, nil, err
	}
	nested := map[msapi.ID]bool{}
	for _, f := range found {
		nested[f.ID] = true
	}
	for grown := true; grown; {
		grown = false
		for _, f := range list {
			if nested[f.Parent.ID] && !nested[f.ID] {
				nested[f.ID], grown = true, true
			}
		}
	}
	return found, nested, nil
}

// findCounterparties asks the server for each name, unless the list is remembered: an account may have tens of
// thousands of counterparties.
func (c *call) findCounterparties(ctx context.Context, field string, names []string) ([]msapi.Ref, error) {
	list, whole := c.counterparties.fresh()
	whole = whole && len(list) < mostCounterparties
	var found []msapi.Ref
	for _, name := range names {
		if id, ok := msapi.ParseID(name); ok {
			ref := msapi.Ref{Type: "counterparty", ID: id}
			for _, known := range list {
				if known.ID == id {
					ref.Name = known.Name
				}
			}
			found = append(found, ref)
			continue
		}
		candidates := list
		if !whole {
			var err error
			query := msapi.ListQuery{Filter: msapi.Filter{}.Where("name", msapi.Contains, name), First: 1000}
			if candidates, err = msapi.Collect(c.reader.Counterparties(ctx, query)); err != nil {
				if _, ok := msapi.IsIncomplete(err); !ok {
					return nil, err
				}
			}
		}
		matched, err := match(c, field, []string{name}, candidates, func(x msapi.Counterparty) (msapi.ID, []string) {
			return x.ID, []string{x.Name, x.Code, x.LegalTitle}
		})
		if err != nil {
			return nil, err
		}
		for _, m := range matched {
			found = append(found, msapi.Ref{Type: "counterparty", ID: m.ID, Name: m.Name})
		}
	}
	return found, nil
}

// findGoods finds goods by exact name, code, article or id. A product brings its variants with it: they hold the
// stock, and reports list them apart (reference, section 11, trap 12).
func (c *call) findGoods(ctx context.Context, names []string) ([]msapi.AssortmentItem, error) {
	var found []msapi.AssortmentItem
	have := map[msapi.ID]bool{}
	add := func(items ...msapi.AssortmentItem) {
		for _, item := range items {
			if !have[item.ID] {
				have[item.ID] = true
				found = append(found, item)
			}
		}
	}
	var asked []msapi.ID
	var parents []msapi.ID
	for _, name := range names {
		if id, ok := msapi.ParseID(name); ok {
			asked = append(asked, id)
			continue
		}
		items, _, err := c.searchGoods(ctx, name)
		if err != nil {
			return nil, err
		}
		matched, err := match(c, "products", []string{name}, items, func(x msapi.AssortmentItem) (msapi.ID, []string) {
			return x.ID, append([]string{x.Name, x.Code, x.Article}, x.Barcodes...)
		})
		if err != nil {
			return nil, err
		}
		add(matched...)
		for _, m := range matched {
			if m.Type == "product" {
				parents = append(parents, m.ID)
			}
		}
	}
	if len(asked) > 0 {
		items, err := msapi.Collect(c.reader.Assortment(ctx,
			msapi.AssortmentQuery{IDs: asked, Archived: msapi.ArchivedAlso}))
		if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete {
			return nil, err
		}
		for _, id := range asked {
			if !slices.ContainsFunc(items, func(x msapi.AssortmentItem) bool { return x.ID == id }) {
				return nil, c.unknown("products", string(id), nil)
			}
		}
		add(items...)
		for _, item := range items {
			if item.Type == "product" {
				parents = append(parents, item.ID)
			}
		}
	}
	if len(parents) == 0 {
		return found, nil
	}
	variants, err := msapi.Collect(c.reader.Variants(ctx, msapi.VariantQuery{Products: parents}))
	if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete && !msapi.IsForbidden(err) {
		return nil, err
	}
	for _, v := range variants {
		if slices.Contains(parents, v.Product.ID) {
			add(msapi.AssortmentItem{Type: "variant", ID: v.ID, Name: v.Name, Code: v.Code, Article: v.Article,
				Product: v.Product})
		}
	}
	return found, nil
}

// match finds for each name the entries that carry it: all of them, when several do.
func match[T any](c *call, field string, names []string, list []T, of func(T) (msapi.ID, []string)) ([]T, error) {
	var found []T
	taken := map[msapi.ID]bool{}
	for _, name := range names {
		id, isID := msapi.ParseID(name)
		folded := fold(name)
		hit := false
		var near []string
		for _, x := range list {
			own, words := of(x)
			same := isID && own == id || !isID &&
				slices.ContainsFunc(words, func(w string) bool { return w != "" && fold(w) == folded })
			switch {
			case same && taken[own]:
				hit = true
			case same:
				hit, taken[own] = true, true
				found = append(found, x)
			case len(near) < 10 && (len(list) <= 10 || folded != "" && strings.Contains(fold(words[0]), folded)):
				near = append(near, words[0])
			}
		}
		if !hit {
			return nil, c.unknown(field, name, near)
		}
	}
	return found, nil
}

// fieldWords are the arguments in people's words.
var fieldWords = map[string][2]string{
	"stores": {"склад", "warehouse"}, "groups": {"группа товаров", "group of goods"},
	"suppliers": {"поставщик", "supplier"},
	"products":  {"товар", "item"}, "counterparties": {"контрагент", "counterparty"},
}

func (c *call) unknown(field, name string, near []string) error {
	words := fieldWords[field]
	e := stockhand.Errorf(stockhand.CodeValidation, "%s", c.pick(
		fmt.Sprintf("%s «%s»: в МоемСкладе не найдено", words[0], name),
		fmt.Sprintf("%s “%s”: not found in MoySklad", words[1], name)))
	e.Fields = []stockhand.FieldError{{Field: field,
		Message: c.pick("нет такого имени или идентификатора", "no such name or id")}}
	if len(near) > 0 {
		return e.WithHint("%s", c.pick("похожие имена: ", "similar names: ")+strings.Join(near, "; "))
	}
	return e.WithHint("%s", c.pick("проверьте имя; списки показывает moysklad_reference",
		"check the name; moysklad_reference lists them"))
}

// accountCurrency is the ISO code of the currency that reports are in, and the codes of all currencies by id. The code
// is empty when the employee may not see the list: amounts then stand without a currency, and a notice says so.
func (c *call) accountCurrency(ctx context.Context) (code string, of map[msapi.ID]string, err error) {
	list, err := c.currencyList(ctx)
	of = make(map[msapi.ID]string, len(list))
	for _, currency := range list {
		iso := currency.ISO
		if iso == "" {
			iso = currency.Name
		}
		of[currency.ID] = iso
		if currency.Default {
			code = iso
		}
	}
	switch {
	case err != nil && !msapi.IsForbidden(err):
		return "", nil, err
	case code == "":
		c.notice(tool.NoticeCurrency, "Валюта учёта не видна сотруднику: суммы показаны без валюты.",
			"The account currency is not visible to the employee: amounts are shown without a currency.")
		return "", of, nil
	}
	return code, of, nil
}

// iso is the code of a price's or a document's currency; one that is not named is the account's.
func iso(ref msapi.Ref, account string, of map[msapi.ID]string) string {
	if code, ok := of[ref.ID]; ok && code != "" {
		return code
	}
	return account
}
