package moysklad

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/remap"
	"github.com/stockhand/stockhand/internal/tool"
)

// scope is what the arguments of a tool narrow it to, as ids. Empty lists mean all.
type scope struct {
	stores    []remap.Store
	folders   []remap.Folder // those named; see nested
	nested    map[remap.ID]bool
	suppliers []remap.Ref
	goods     []remap.Ref // products and variants, services and bundles that were named
}

func (s scope) storeIDs() []remap.ID {
	return ids(s.stores, func(x remap.Store) remap.ID { return x.ID })
}
func (s scope) folderIDs() []remap.ID {
	return ids(s.folders, func(x remap.Folder) remap.ID { return x.ID })
}
func (s scope) supplierIDs() []remap.ID {
	return ids(s.suppliers, func(x remap.Ref) remap.ID { return x.ID })
}

// goodsOf lists the named goods of a type.
func (s scope) goodsOf(kind string) []remap.ID {
	var list []remap.ID
	for _, g := range s.goods {
		if g.Type == kind {
			list = append(list, g.ID)
		}
	}
	return list
}

// stocked lists the named goods that can have stock of their own: not bundles and not services.
func (s scope) stocked() []remap.ID { return append(s.goodsOf("product"), s.goodsOf("variant")...) }

// everything tells whether no goods were named in any way.
func (s scope) everything() bool {
	return len(s.folders) == 0 && len(s.suppliers) == 0 && len(s.goods) == 0
}

func ids[T any](list []T, id func(T) remap.ID) []remap.ID {
	var out []remap.ID
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
	var found []remap.AssortmentItem
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
		s.goods = append(s.goods, remap.Ref{Type: item.Type, ID: item.ID, Name: item.Name})
	}
	if len(g.Products) > 0 && len(s.goods) == 0 {
		return s, invalid("products", c.pick(
			"названные товары не входят в названные группы или не от названных поставщиков",
			"the named goods are not in the named groups or not from the named suppliers"))
	}
	return s, nil
}

func (c *call) findStores(ctx context.Context, names []string) ([]remap.Store, error) {
	list, err := c.storeList(ctx)
	if err != nil {
		return nil, err
	}
	return match(c, "stores", names, list, func(s remap.Store) (remap.ID, []string) {
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
func (c *call) findFolders(ctx context.Context, names []string) ([]remap.Folder, map[remap.ID]bool, error) {
	list, err := c.folderList(ctx)
	if err != nil {
		return nil, nil, err
	}
	found, err := match(c, "groups", names, list, func(f remap.Folder) (remap.ID, []string) {
		return f.ID, []string{f.Name, f.Code, f.Path()}
	})
	if err != nil {
		return nil, nil, err
	}
	nested := map[remap.ID]bool{}
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
func (c *call) findCounterparties(ctx context.Context, field string, names []string) ([]remap.Ref, error) {
	list, whole := c.counterparties.fresh()
	whole = whole && len(list) < mostCounterparties
	var found []remap.Ref
	for _, name := range names {
		if id, ok := remap.ParseID(name); ok {
			ref := remap.Ref{Type: "counterparty", ID: id}
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
			query := remap.ListQuery{Filter: remap.Filter{}.Where("name", remap.Contains, name), First: 1000}
			if candidates, err = remap.Collect(c.reader.Counterparties(ctx, query)); err != nil {
				if _, ok := remap.IsIncomplete(err); !ok {
					return nil, err
				}
			}
		}
		matched, err := match(c, field, []string{name}, candidates, func(x remap.Counterparty) (remap.ID, []string) {
			return x.ID, []string{x.Name, x.Code, x.LegalTitle}
		})
		if err != nil {
			return nil, err
		}
		for _, m := range matched {
			found = append(found, remap.Ref{Type: "counterparty", ID: m.ID, Name: m.Name})
		}
	}
	return found, nil
}

// findGoods finds goods by exact name, code, article or id. A product brings its variants with it: they hold the
// stock, and reports list them apart (reference, section 11, trap 12).
func (c *call) findGoods(ctx context.Context, names []string) ([]remap.AssortmentItem, error) {
	var found []remap.AssortmentItem
	have := map[remap.ID]bool{}
	add := func(items ...remap.AssortmentItem) {
		for _, item := range items {
			if !have[item.ID] {
				have[item.ID] = true
				found = append(found, item)
			}
		}
	}
	var asked []remap.ID
	var parents []remap.ID
	for _, name := range names {
		if id, ok := remap.ParseID(name); ok {
			asked = append(asked, id)
			continue
		}
		items, _, err := c.searchGoods(ctx, name)
		if err != nil {
			return nil, err
		}
		matched, err := match(c, "products", []string{name}, items, func(x remap.AssortmentItem) (remap.ID, []string) {
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
		items, err := remap.Collect(c.reader.Assortment(ctx,
			remap.AssortmentQuery{IDs: asked, Archived: remap.ArchivedAlso}))
		if _, incomplete := remap.IsIncomplete(err); err != nil && !incomplete {
			return nil, err
		}
		for _, id := range asked {
			if !slices.ContainsFunc(items, func(x remap.AssortmentItem) bool { return x.ID == id }) {
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
	variants, err := remap.Collect(c.reader.Variants(ctx, remap.VariantQuery{Products: parents}))
	if _, incomplete := remap.IsIncomplete(err); err != nil && !incomplete && !remap.IsForbidden(err) {
		return nil, err
	}
	for _, v := range variants {
		if slices.Contains(parents, v.Product.ID) {
			add(remap.AssortmentItem{Type: "variant", ID: v.ID, Name: v.Name, Code: v.Code, Article: v.Article,
				Product: v.Product})
		}
	}
	return found, nil
}

// match finds for each name the entries that carry it: all of them, when several do.
func match[T any](c *call, field string, names []string, list []T, of func(T) (remap.ID, []string)) ([]T, error) {
	var found []T
	taken := map[remap.ID]bool{}
	for _, name := range names {
		id, isID := remap.ParseID(name)
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
func (c *call) accountCurrency(ctx context.Context) (code string, of map[remap.ID]string, err error) {
	list, err := c.currencyList(ctx)
	of = make(map[remap.ID]string, len(list))
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
	case err != nil && !remap.IsForbidden(err):
		return "", nil, err
	case code == "":
		c.notice(tool.NoticeCurrency, "Валюта учёта не видна сотруднику: суммы показаны без валюты.",
			"The account currency is not visible to the employee: amounts are shown without a currency.")
		return "", of, nil
	}
	return code, of, nil
}

// iso is the code of a price's or a document's currency; one that is not named is the account's.
func iso(ref remap.Ref, account string, of map[remap.ID]string) string {
	if code, ok := of[ref.ID]; ok && code != "" {
		return code
	}
	return account
}
