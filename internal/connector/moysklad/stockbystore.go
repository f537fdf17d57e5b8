package moysklad

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/remap"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type stockByStoreInput struct {
	storesArg
	goodsArgs
	limitArg
}

func (a *account) stockByStoreTool() tool.Tool {
	return reading(a, "moysklad_stock_by_store",
		tool.Text{RU: "Остатки по складам", EN: "Stock by warehouse"},
		tool.Text{
			RU: "Сколько каждого товара на каждом складе: остаток, резерв, свободно, ожидание.",
			EN: "How much of each item is in each warehouse: stock, reserve, free, on the way.",
		}, (*call).stockByStore)
}

func (c *call) stockByStore(ctx context.Context, in stockByStoreInput) error {
	s, err := c.narrow(ctx, in.Stores, in.goodsArgs)
	if err != nil {
		return err
	}
	stores, err := c.storeList(ctx)
	if err != nil {
		return c.refuse(err, sectionStores)
	}
	chosen := storesWithin(s.stores, stores)
	levels, described, err := c.levels(ctx, s, chosen)
	if err != nil {
		return c.refuse(err, sectionStock)
	}
	goods := map[remap.Key]bool{}
	var keys []remap.Key
	for p := range levels {
		if !goods[p.good] {
			goods[p.good] = true
			keys = append(keys, p.good)
		}
	}
	if described == nil {
		if described, err = c.describe(ctx, keys, len(keys)); err != nil {
			return err
		}
	}
	c.byStoreResult(levels, described, stores, chosen, s, in.Limit)
	return nil
}

// storesWithin are the named stores and all nested in them: the current reports do not add nested stores to their
// parents, the extended one does, and a person who names a warehouse means all of it (reference, section 9.3).
func storesWithin(chosen, all []remap.Store) map[remap.Key]bool {
	if len(chosen) == 0 {
		return nil
	}
	within := map[remap.Key]bool{}
	for _, s := range chosen {
		within[s.ID.Key()] = true
	}
	for grown := true; grown; {
		grown = false
		for _, s := range all {
			if s.Parent.ID != "" && within[s.Parent.ID.Key()] && !within[s.ID.Key()] {
				within[s.ID.Key()], grown = true, true
			}
		}
	}
	return within
}

// levels reads stock, reserve and goods on the way by warehouse: three bare arrays for the whole account, however
// large, and the list of goods when groups or suppliers narrow it, because those reports know no groups. Without the
// stock right they are closed, and the paged report takes their place.
func (c *call) levels(ctx context.Context, s scope, chosen map[remap.Key]bool) (map[place]level, map[remap.Key]remap.AssortmentItem, error) {
	query := remap.CurrentQuery{}
	for k := range chosen {
		query.Stores = append(query.Stores, k.ID())
	}
	slices.Sort(query.Stores)
	var described map[remap.Key]remap.AssortmentItem
	var only map[remap.Key]bool
	work, inner := errgroup.WithContext(ctx)
	switch {
	case len(s.goods) > 0:
		c.unstocked(s)
		described, only = map[remap.Key]remap.AssortmentItem{}, map[remap.Key]bool{}
		for _, id := range s.stocked() {
			only[id.Key()] = true
		}
		for _, g := range s.goods {
			described[g.ID.Key()] = remap.AssortmentItem{Type: g.Type, ID: g.ID, Name: g.Name}
		}
		if len(only) == 0 {
			return map[place]level{}, described, nil
		}
		if len(only) <= perRequest {
			query.Assortment = s.stocked()
		}
	case !s.everything():
		described = map[remap.Key]remap.AssortmentItem{}
		work.Go(func() error {
			q := remap.AssortmentQuery{Types: []string{"product", "variant"}, Folders: s.folderIDs(), Suppliers: s.supplierIDs()}
			return each(c, c.reader.Assortment(inner, q), func(x remap.AssortmentItem) { described[x.ID.Key()] = x })
		})
	}
	levels := map[place]level{}
	work.Go(func() error { return c.currentLevels(inner, query, chosen, levels) })
	err := work.Wait()
	switch {
	case remap.IsForbidden(err):
		clear(levels)
		query := remap.StockQuery{Folders: s.folderIDs(), Suppliers: s.supplierIDs(), Products: s.goodsOf("product"), Variants: s.goodsOf("variant"), StockMode: remap.ModeAll}
		for k := range chosen {
			query.Stores = append(query.Stores, k.ID())
		}
		err = each(c, c.reader.StockByStore(ctx, query), func(r remap.StockByStoreRow) {
			for _, x := range r.Stores {
				if l := levelOf(x.Stock, x.Reserve, x.InTransit); !l.nothing() && (chosen == nil || chosen[x.Store.Key()]) {
					levels[place{r.ID.Key(), x.Store.Key()}] = l
				}
			}
		})
		c.method("Отчёт «Остатки по складам» (отчёт «Текущие остатки» закрыт правами), названия — из каталога. Резервы и ожидания без склада в нём не видны.",
			"The stock report by warehouse (the current report is closed by rights), names from the catalogue. Reserves and expectations without a warehouse are not in it.")
	case err == nil:
		maps.DeleteFunc(levels, func(p place, _ level) bool {
			return only != nil && !only[p.good] || only == nil && described != nil && described[p.good].ID == ""
		})
		c.method("Текущие остатки, резервы и ожидания по складам — три запроса на всю учётную запись; названия — из каталога. Свободно — остаток минус резерв. Вложенные склады показаны отдельно.",
			"Current stock, reserve and goods on the way by warehouse, three requests for the whole account; names from the catalogue. Free is stock minus reserve. Nested warehouses are shown apart.")
	}
	return levels, described, err
}

// currentLevels reads stock, reserve and goods on the way by warehouse into one map, row by row. Its reports add no
// nested store to its parent.
func (c *call) currentLevels(ctx context.Context, query remap.CurrentQuery, chosen map[remap.Key]bool, levels map[place]level) error {
	var filling sync.Mutex
	work, inner := errgroup.WithContext(ctx)
	for _, t := range levelTypes {
		work.Go(func() error {
			return each(c, c.reader.StockCurrentByStore(inner, t, query), func(r remap.CurrentRow) {
				if chosen != nil && !chosen[r.Store] {
					return
				}
				p := place{r.Assortment, r.Store}
				filling.Lock()
				levels[p] = levels[p].with(t, r.Value)
				filling.Unlock()
			})
		})
	}
	return work.Wait()
}

func (c *call) byStoreResult(levels map[place]level, described map[remap.Key]remap.AssortmentItem, stores []remap.Store, chosen map[remap.Key]bool, s scope, limit Limit) {
	names := make(map[remap.Key]string, len(stores))
	for _, st := range stores {
		names[st.ID.Key()] = st.Name
	}
	if len(s.goods) > 0 { // who names goods wants to see each warehouse, the empty ones too
		for _, id := range s.stocked() {
			for k := range names {
				p := place{id.Key(), k}
				if _, ok := levels[p]; !ok && (chosen == nil || chosen[k]) {
					levels[p] = level{}
				}
			}
		}
	}
	type line struct {
		place
		level
		item  remap.AssortmentItem
		store string
	}
	var lines []line
	unknown, gone := 0, map[remap.Key]bool{}
	for p, l := range levels {
		item, ok := described[p.good]
		switch {
		case l.nothing() && len(s.goods) == 0:
			continue
		case !ok || item.Archived:
			gone[p.good] = true
			continue
		case l.unknown:
			unknown++
		}
		name := names[p.store]
		if name == "" {
			name = c.pick("(склад не указан)", "(no warehouse)")
			if p.store != (remap.Key{}) {
				name = c.pick("(скрытый или архивный склад)", "(hidden or archived warehouse)")
			}
		}
		lines = append(lines, line{p, l, item, name})
	}
	slices.SortFunc(lines, func(x, y line) int {
		return cmp.Or(strings.Compare(fold(x.item.Name), fold(y.item.Name)), strings.Compare(string(x.item.ID), string(y.item.ID)),
			strings.Compare(fold(x.store), fold(y.store)), strings.Compare(string(x.place.store.ID()), string(y.place.store.ID())))
	})
	if unknown > 0 {
		c.notice(tool.NoticePartial,
			fmt.Sprintf("МойСклад пересчитывает остатки: %s без числа.", nounLine.count("ru", unknown)),
			fmt.Sprintf("MoySklad is recalculating stock: %s without a number.", nounLine.count("en", unknown)))
	}
	if len(gone) > 0 {
		c.notice(tool.NoticeArchived,
			fmt.Sprintf("Архивные и недоступные сотруднику товары не учтены (с остатком: %s).", nounItem.count("ru", len(gone))),
			fmt.Sprintf("Archived goods and goods the employee may not see are left out (with stock: %s).", nounItem.count("en", len(gone))))
	}
	c.columns(nil,
		field{"name", tool.UnitText, "Товар", "Item"}, field{"article", tool.UnitText, "Артикул", "Article"}, field{"code", tool.UnitText, "Код", "Code"},
		field{"store", tool.UnitText, "Склад", "Warehouse"},
		field{"stock", tool.UnitQuantity, "Остаток", "Stock"}, field{"reserve", tool.UnitQuantity, "Резерв", "Reserve"},
		field{"free", tool.UnitQuantity, "Свободно", "Free"}, field{"in_transit", tool.UnitQuantity, "Ожидание", "On the way"},
		field{"id", tool.UnitText, "ID", "ID"}, field{"store_id", tool.UnitText, "ID склада", "Warehouse ID"},
	)
	if len(lines) == 0 {
		c.notice(tool.NoticeEmpty, "Остатков, резервов и ожиданий по этим условиям нет.", "There is no stock, reserve or expectation like that.")
		c.result.Answer = c.pick("Остатков "+c.place(s)+" по этим условиям нет.", "There is no such stock "+c.place(s)+".")
		return
	}
	var stock, reserve, transit decimal.Decimal
	perStore, goods := map[string]decimal.Decimal{}, map[remap.Key]bool{}
	for _, x := range lines {
		goods[x.good] = true
		stock, reserve, transit = stock.Add(x.stock.decimal()), reserve.Add(x.reserve.decimal()), transit.Add(x.transit.decimal())
		perStore[x.store] = perStore[x.store].Add(x.stock.decimal())
	}
	for _, x := range head(c, lines, limit) {
		row := tool.Row{tool.TextValue(x.item.Name), tool.TextValue(x.item.Article), tool.TextValue(x.item.Code), tool.TextValue(x.store),
			tool.Number(x.stock.decimal()), tool.Number(x.reserve.decimal()), tool.Number(x.free()), tool.Number(x.transit.decimal()),
			tool.TextValue(string(x.item.ID)), tool.TextValue(string(x.place.store.ID()))}
		if x.unknown {
			row[4], row[5], row[6], row[7] = tool.Empty, tool.Empty, tool.Empty, tool.Empty
		}
		c.result.Rows = append(c.result.Rows, row)
	}
	c.totals(map[string]tool.Value{
		"stock": tool.Number(stock), "reserve": tool.Number(reserve), "free": tool.Number(stock.Sub(reserve)), "in_transit": tool.Number(transit),
	})
	subject := nounItem.count(c.l, len(goods))
	if len(goods) == 1 {
		subject = quoted([]string{lines[0].item.Name}, c.l)
	}
	c.result.Answer = c.pick(
		fmt.Sprintf("%s: всего %s (в резерве %s, ожидается %s). По складам: %s.", subject, tool.FormatQuantity(stock, c.l), tool.FormatQuantity(reserve, c.l), tool.FormatQuantity(transit, c.l), largest(perStore, c)),
		fmt.Sprintf("%s: %s in all (%s reserved, %s on the way). By warehouse: %s.", subject, tool.FormatQuantity(stock, c.l), tool.FormatQuantity(reserve, c.l), tool.FormatQuantity(transit, c.l), largest(perStore, c)))
}

// largest names the warehouses with most, for a sentence.
func largest(of map[string]decimal.Decimal, c *call) string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(of[y].Cmp(of[x]), strings.Compare(x, y)) })
	const shown = 6
	var parts []string
	for i, name := range names {
		if i == shown {
			parts = append(parts, c.pick(fmt.Sprintf("и ещё %d", len(names)-shown), fmt.Sprintf("and %d more", len(names)-shown)))
			break
		}
		parts = append(parts, name+" — "+tool.FormatQuantity(of[name], c.l))
	}
	return strings.Join(parts, ", ")
}
