package account

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// Filter contains the IDs that a tool's arguments restrict it to. An empty list means all.
type Filter struct {
	Stores    []msapi.Store
	nesting   bool           // others are nested in the named warehouses
	Folders   []msapi.Folder // the named folders; see nested
	Nested    map[msapi.ID]bool
	Suppliers []msapi.Ref
	Goods     []msapi.Ref       // the named products, variants, services and bundles
	variants  map[msapi.ID]bool // those of Goods that only their product was named of
}

// Named returns the goods that were named: a product without its variants.
func (s Filter) Named() []msapi.Ref {
	return slices.DeleteFunc(slices.Clone(s.Goods), func(g msapi.Ref) bool { return s.variants[g.ID] })
}

func (s Filter) StoreIDs() []msapi.ID {
	return Ids(s.Stores, func(x msapi.Store) msapi.ID { return x.ID })
}
func (s Filter) FolderIDs() []msapi.ID {
	return Ids(s.Folders, func(x msapi.Folder) msapi.ID { return x.ID })
}
func (s Filter) SupplierIDs() []msapi.ID {
	return Ids(s.Suppliers, func(x msapi.Ref) msapi.ID { return x.ID })
}

// GoodsOf returns the IDs of the named goods of a type.
func (s Filter) GoodsOf(kind string) []msapi.ID {
	var list []msapi.ID
	for _, g := range s.Goods {
		if g.Type == kind {
			list = append(list, g.ID)
		}
	}
	return list
}

// Stocked returns the named goods that can have stock: neither bundles nor services.
func (s Filter) Stocked() []msapi.ID { return append(s.GoodsOf("product"), s.GoodsOf("variant")...) }

// Everything reports whether the filter does not restrict the goods.
func (s Filter) Everything() bool {
	return len(s.Folders) == 0 && len(s.Suppliers) == 0 && len(s.Goods) == 0
}

func Ids[T any](list []T, id func(T) msapi.ID) []msapi.ID {
	var out []msapi.ID
	for _, x := range list {
		out = append(out, id(x))
	}
	return out
}

// Narrow resolves the names in the arguments to IDs. It reads the lists it needs concurrently. An unknown name is an
// error that lists similar names; Narrow never guesses.
func (c *Call) Narrow(ctx context.Context, stores []string, g GoodsArgs) (Filter, error) {
	var s Filter
	work, inner := errgroup.WithContext(ctx)
	if len(stores) > 0 {
		work.Go(func() (err error) {
			if s.Stores, err = c.FindStores(inner, stores); err != nil {
				return err
			}
			all, err := c.StoreList(inner)
			s.nesting = len(StoresWithin(s.Stores, all)) > len(s.Stores)
			return err
		})
	}
	if len(g.Groups) > 0 {
		work.Go(func() (err error) { s.Folders, s.Nested, err = c.findFolders(inner, g.Groups); return })
	}
	if len(g.Suppliers) > 0 {
		work.Go(func() (err error) { s.Suppliers, err = c.FindCounterparties(inner, "suppliers", g.Suppliers); return })
	}
	var found []msapi.AssortmentItem
	if len(g.Products) > 0 {
		work.Go(func() (err error) { found, err = c.findGoods(inner, g.Products); return })
	}
	if err := work.Wait(); err != nil {
		return s, err
	}
	c.suppliers = s.Suppliers
	outside := map[msapi.ID]bool{}
	s.variants = map[msapi.ID]bool{}
	for _, item := range found {
		// Groups and suppliers also restrict named goods. The row of a variant does not contain them (fact M54): it
		// goes with its product, and is left to the reports if that is not named.
		if item.Type == "product" {
			outside[item.ID] = len(s.Folders) > 0 && !s.Nested[item.Folder.ID] ||
				len(s.Suppliers) > 0 && !slices.Contains(s.SupplierIDs(), item.Supplier.ID)
		}
		if _, named := outside[item.Product.ID]; named && item.Type == "variant" {
			s.variants[item.ID] = true
		}
		if !outside[item.ID] && !outside[item.Product.ID] {
			s.Goods = append(s.Goods, msapi.Ref{Type: item.Type, ID: item.ID, Name: item.Name})
		}
	}
	if len(g.Products) > 0 && len(s.Goods) == 0 {
		return s, Invalid("products", c.Pick(
			"названные товары не входят в названные группы или не от названных поставщиков",
			"the named goods are not in the named groups or not from the named suppliers"))
	}
	return s, nil
}

func (c *Call) FindStores(ctx context.Context, names []string) ([]msapi.Store, error) {
	list, err := c.StoreList(ctx)
	if err != nil {
		return nil, err
	}
	return Match(c, "stores", names, list, func(s msapi.Store) (msapi.ID, []string) {
		return s.ID, []string{s.Name, s.Code, JoinPath(s.PathName, s.Name)}
	})
}

// JoinPath joins a path and a name in the format of the API's paths.
func JoinPath(path, name string) string {
	if path == "" {
		return ""
	}
	return path + "/" + name
}

// findFolders also returns the IDs of the folders and all their descendants.
func (c *Call) findFolders(ctx context.Context, names []string) ([]msapi.Folder, map[msapi.ID]bool, error) {
	list, err := c.FolderList(ctx)
	if err != nil {
		return nil, nil, err
	}
	found, err := Match(c, "groups", names, list, func(f msapi.Folder) (msapi.ID, []string) {
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

// findGoods finds goods by exact name, code, article or ID. A product includes its variants: they hold the stock, and
// reports list them separately (fact M72).
func (c *Call) findGoods(ctx context.Context, names []string) ([]msapi.AssortmentItem, error) {
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
		items, how, err := c.SearchGoods(ctx, name)
		if err == nil && how.Cut {
			var same []msapi.AssortmentItem
			same, err = c.NamedGoods(ctx, name, msapi.ArchivedDefault)
			items = append(items, same...)
		}
		if err != nil {
			return nil, err
		}
		matched, err := Match(c, "products", []string{name}, items, func(x msapi.AssortmentItem) (msapi.ID, []string) {
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
		items, err := msapi.Collect(c.Reader.Assortment(ctx,
			msapi.AssortmentQuery{IDs: asked, Archived: msapi.ArchivedAlso}))
		if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete {
			return nil, err
		}
		add(items...)
		for _, id := range asked {
			if !have[id] {
				return nil, c.unknown("products", string(id), nil)
			}
		}
		for _, item := range items {
			if item.Type == "product" {
				parents = append(parents, item.ID)
			}
		}
	}
	if len(parents) == 0 {
		return found, nil
	}
	variants, err := msapi.Collect(c.Reader.VariantCards(ctx, msapi.CardQuery{Products: parents}))
	if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete && !msapi.IsForbidden(err) {
		return nil, err
	}
	of := make(map[msapi.ID]bool, len(parents))
	for _, id := range parents {
		of[id] = true
	}
	for _, v := range variants {
		if of[v.Product.ID] {
			add(msapi.AssortmentItem{Type: "variant", ID: v.ID, Name: v.Name, Code: v.Code, Article: v.Article,
				Product: v.Product})
		}
	}
	return found, nil
}

// Match returns, for each name, all entries with that name.
func Match[T any](c *Call, field string, names []string, list []T, of func(T) (msapi.ID, []string)) ([]T, error) {
	var found []T
	taken := map[msapi.ID]bool{}
	for _, name := range names {
		id, isID := msapi.ParseID(name)
		folded := wording.Fold(name)
		hit := false
		var near []string
		for _, x := range list {
			own, words := of(x)
			same := isID && own == id || !isID &&
				slices.ContainsFunc(words, func(w string) bool { return w != "" && wording.Fold(w) == folded })
			switch {
			case same && taken[own]:
				hit = true
			case same:
				hit, taken[own] = true, true
				found = append(found, x)
			case len(near) < 10 && (len(list) <= 10 || folded != "" &&
				strings.Contains(wording.Fold(words[0]), folded)):
				near = append(near, words[0])
			}
		}
		if !hit {
			return nil, c.unknown(field, name, near)
		}
	}
	return found, nil
}

// fieldWords are display names of the arguments.
var fieldWords = map[string][2]string{
	"stores": {"склад", "warehouse"}, "groups": {"группа товаров", "group of goods"},
	"suppliers": {"поставщик", "supplier"},
	"products":  {"товар", "item"}, "counterparties": {"контрагент", "counterparty"},
	"states": {"статус", "state"}, "employees": {"сотрудник", "employee"}, "projects": {"проект", "project"},
	"legal_entities": {"юрлицо", "legal entity"}, "product": {"товар", "item"},
	"counterparty": {"контрагент", "counterparty"}, "sales_channels": {"канал продаж", "sales channel"},
}

func (c *Call) unknown(field, name string, near []string) error {
	words, known := fieldWords[field]
	if !known {
		words = [2]string{field, field}
	}
	e := stockhand.Errorf(stockhand.CodeValidation, "%s", c.Pick(
		fmt.Sprintf("%s «%s»: в МоёмСкладе не найдено", words[0], name),
		fmt.Sprintf("%s “%s”: not found in MoySklad", words[1], name)))
	e.Fields = []stockhand.FieldError{{Field: field,
		Message: c.Pick("нет такого имени или идентификатора", "no such name or id")}}
	if len(near) > 0 {
		return e.WithHint("%s", c.Pick("похожие имена: ", "similar names: ")+strings.Join(near, "; "))
	}
	return e.WithHint("%s", c.Pick("проверьте имя; списки показывает moysklad_reference",
		"check the name; moysklad_reference lists them"))
}

// AccountCurrency returns the ISO code of the currency of reports, and the codes of all currencies by ID. If the
// employee may not see currencies, the code is empty, amounts have no currency, and a notice says so.
func (c *Call) AccountCurrency(ctx context.Context) (code string, of map[msapi.ID]string, err error) {
	list, err := c.CurrencyList(ctx)
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
		c.Notice(tool.NoticeCurrency, "Валюта учёта не видна сотруднику: суммы показаны без валюты.",
			"The account currency is not visible to the employee: amounts are shown without a currency.")
		return "", of, nil
	}
	return code, of, nil
}

// Iso returns the code of the currency of a price or document: the account's currency if ref is empty, and "" if the
// referenced currency is not visible. It never assigns a currency that the amount does not have.
func Iso(ref msapi.Ref, account string, of map[msapi.ID]string) string {
	if ref.ID == "" {
		return account
	}
	return of[ref.ID]
}

// Places describes the warehouses of a question, with the groups and suppliers that restrict it: "на складе «Основной»
// (поставщик «Чайный дом»)".
func (c *Call) Places(s Filter) string {
	if len(s.Goods) == 1 { // an answer about one good names it anyway
		s.Goods = nil
	}
	place := c.Pick("на всех складах", "in all warehouses")
	if len(s.Stores) > 0 {
		names := wording.Names(s.Stores, func(x msapi.Store) string { return x.Name })
		place = c.Pick("на ", "in ") + wording.NounStoreIn.Form(c.Lang, len(names)) + " " +
			wording.Quoted(names, c.Lang)
	}
	if s.nesting {
		place += c.Pick(" с вложенными", " and those nested in it")
	}
	return place + c.narrowed(s)
}

// Narrowed describes every filter for the end of a sentence, with a leading space; empty if there is none.
func (c *Call) Narrowed(s Filter) string {
	if len(s.Stores) > 0 {
		goods := s.Goods
		place := c.Places(Filter{Stores: s.Stores})
		return " " + place + c.narrowed(Filter{Folders: s.Folders, Suppliers: s.Suppliers, Goods: goods})
	}
	return c.narrowed(s)
}

// narrowed lists the groups, suppliers and goods in parentheses.
func (c *Call) narrowed(s Filter) string {
	var parts []string
	add := func(one, many tool.Text, names []string) {
		switch len(names) {
		case 0:
		case 1:
			parts = append(parts, one.In(c.Lang)+" "+wording.Quoted(names, c.Lang))
		default:
			parts = append(parts, many.In(c.Lang)+" "+wording.Quoted(names, c.Lang))
		}
	}
	name := func(r msapi.Ref) string { return r.Name }
	add(tool.Text{RU: "группа", EN: "group"}, tool.Text{RU: "группы", EN: "groups"},
		wording.Names(s.Folders, func(f msapi.Folder) string { return f.Name }))
	add(tool.Text{RU: "поставщик", EN: "supplier"}, tool.Text{RU: "поставщики", EN: "suppliers"},
		wording.Names(s.Suppliers, name))
	add(tool.Text{RU: "товар", EN: "item"}, tool.Text{RU: "товары", EN: "items"}, wording.Names(s.Named(), name))
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// ProfitScope returns the part of a profit query that the arguments determine.
func ProfitScope(p tool.Period, s Filter) msapi.ProfitQuery {
	q := msapi.ProfitQuery{Period: ReportPeriod(p), Stores: s.StoreIDs(), Suppliers: s.SupplierIDs()}
	if len(s.Goods) > 0 {
		q.Goods = s.Goods
	} else {
		q.Folders = s.FolderIDs()
	}
	return q
}

// TurnoverRows reads the turnover report, one row per good. The server cannot filter it by group (fact M80), so rows
// outside the groups are skipped here.
func (c *Call) TurnoverRows(ctx context.Context, q msapi.TurnoverQuery, s Filter) ([]msapi.TurnoverRow, error) {
	q.Stores, q.Suppliers = s.StoreIDs(), s.SupplierIDs()
	if len(s.Goods) > 0 {
		q.Products, q.Variants = s.GoodsOf("product"), s.GoodsOf("variant")
		if q.GroupBy == msapi.ByProduct && len(q.Products) > 0 {
			q.Variants = nil // aggregated into their products
		}
		if len(q.Products)+len(q.Variants) == 0 {
			return nil, nil
		}
	}
	var rows []msapi.TurnoverRow
	seen := map[msapi.Key]bool{}
	err := Each(c, c.Reader.Turnover(ctx, q), func(r msapi.TurnoverRow) {
		if k := r.Assortment.ID.Key(); seen[k] || s.Nested != nil && !s.Nested[r.Folder.ID] {
			return
		}
		seen[r.Assortment.ID.Key()] = true
		rows = append(rows, r)
	})
	return rows, err
}

func NamesOf[T any](list []T, name func(T) string) []string {
	const shown = 10
	var names []string
	for i, x := range list {
		if i == shown {
			return append(names, fmt.Sprintf("… %d", len(list)-shown))
		}
		names = append(names, name(x))
	}
	return names
}

func KeysOf(set map[msapi.Key]bool) []msapi.Key {
	list := make([]msapi.Key, 0, len(set))
	for k := range set {
		list = append(list, k)
	}
	return list
}
