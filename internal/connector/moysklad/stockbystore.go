package moysklad

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
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
			RU: "Сколько каждого товара на каждом складе: остаток, резерв, свободно, ожидание; с limit — тех, которых больше всего.",
			EN: "How much of each item is in each warehouse: stock, reserve, free, on the way; with a limit, of those there is most of.",
		}, (*call).stockByStore).Requires(needStores, needStock)
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
	var rank map[msapi.Key]int // of the goods, when only some rows are wanted: those of which there is most
	if described == nil {
		if described, rank, err = c.describeShown(ctx, levels, in.Limit); err != nil {
			return err
		}
	} else if len(s.goods) == 0 {
		rank = ranked(overStores(levels), in.Limit)
	}
	c.byStoreResult(&storeTable{levels: levels, described: described, rank: rank, stores: stores, chosen: chosen,
		scope: s}, in.Limit)
	return nil
}

// describeShown reads the names of the goods. When only some rows are wanted, those goods of which there is most are
// shown, so that the names of the others need not be read: one request instead of one for each thousand goods. What
// is archived does not count either way, so the archived goods, which are few, are asked for by themselves.
func (c *call) describeShown(ctx context.Context, levels map[place]level,
	limit Limit) (described map[msapi.Key]msapi.AssortmentItem, rank map[msapi.Key]int, err error) {
	sums := overStores(levels)
	keys := slices.Collect(maps.Keys(sums))
	if limit <= 0 || pages(int(limit), perRequest) >= pages(len(keys), perRequest) {
		described, err = c.describe(ctx, keys, len(keys))
		return described, ranked(sums, limit), err
	}
	query := msapi.AssortmentQuery{Types: []string{"product", "variant"}, Archived: msapi.ArchivedOnly}
	archived := 0
	err = each(c, c.reader.Assortment(ctx, query), func(x msapi.AssortmentItem) {
		if _, ok := sums[x.ID.Key()]; ok && x.Archived {
			archived++
			delete(sums, x.ID.Key())
		}
	})
	if err != nil {
		return nil, nil, err
	}
	maps.DeleteFunc(levels, func(p place, _ level) bool { _, ok := sums[p.good]; return !ok })
	c.noticeGone(archived)
	rank = ranked(sums, limit)
	maps.DeleteFunc(rank, func(_ msapi.Key, place int) bool { return place >= int(limit) })
	keys = slices.Collect(maps.Keys(rank))
	described, err = c.describe(ctx, keys, len(sums))
	return described, rank, err
}

// ranked puts the goods of which there is most first; without a limit there is no need to.
func ranked(sums map[msapi.Key]level, limit Limit) map[msapi.Key]int {
	if limit <= 0 {
		return nil
	}
	rank := make(map[msapi.Key]int, len(sums))
	for i, k := range slices.SortedFunc(maps.Keys(sums), func(x, y msapi.Key) int {
		return cmp.Or(cmp.Compare(sums[y].stock, sums[x].stock), bytes.Compare(x[:], y[:]))
	}) {
		rank[k] = i
	}
	return rank
}

// overStores adds the levels of each good up.
func overStores(levels map[place]level) map[msapi.Key]level {
	sums := map[msapi.Key]level{}
	for p, l := range levels {
		sums[p.good] = sums[p.good].add(l)
	}
	return sums
}

func (c *call) noticeGone(goods int) {
	if goods > 0 {
		c.notice(tool.NoticeArchived,
			fmt.Sprintf("Архивные и недоступные сотруднику товары не учтены (с остатком: %s).",
				nounItem.count("ru", goods)),
			fmt.Sprintf("Archived goods and goods the employee may not see are left out (with stock: %s).",
				nounItem.count("en", goods)))
	}
}

// storesWithin are the named stores and all nested in them: the current reports do not add nested stores to their
// parents, the extended one does, and a person who names a warehouse means all of it (reference, section 9.3).
func storesWithin(chosen, all []msapi.Store) map[msapi.Key]bool {
	if len(chosen) == 0 {
		return nil
	}
	within := map[msapi.Key]bool{}
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
func (c *call) levels(ctx context.Context, s scope, chosen map[msapi.Key]bool) (map[place]level,
	map[msapi.Key]msapi.AssortmentItem, error) {
	query := msapi.CurrentQuery{}
	for k := range chosen {
		query.Stores = append(query.Stores, k.ID())
	}
	slices.Sort(query.Stores)
	var described map[msapi.Key]msapi.AssortmentItem
	var only map[msapi.Key]bool
	work, inner := errgroup.WithContext(ctx)
	switch {
	case len(s.goods) > 0:
		c.unstocked(s)
		described, only = map[msapi.Key]msapi.AssortmentItem{}, map[msapi.Key]bool{}
		for _, id := range s.stocked() {
			only[id.Key()] = true
		}
		for _, g := range s.goods {
			described[g.ID.Key()] = msapi.AssortmentItem{Type: g.Type, ID: g.ID, Name: g.Name}
		}
		if len(only) == 0 {
			return map[place]level{}, described, nil
		}
		if len(only) <= perRequest {
			query.Assortment = s.stocked()
		}
	case !s.everything():
		described = map[msapi.Key]msapi.AssortmentItem{}
		work.Go(func() error {
			q := msapi.AssortmentQuery{Types: []string{"product", "variant"}, Folders: s.folderIDs(),
				Suppliers: s.supplierIDs()}
			return each(c, c.reader.Assortment(inner, q),
				func(x msapi.AssortmentItem) { described[x.ID.Key()] = slim(x) })
		})
	}
	levels := map[place]level{}
	work.Go(func() error { return c.currentLevels(inner, query, chosen, levels) })
	err := work.Wait()
	switch {
	case msapi.IsForbidden(err):
		clear(levels)
		query := msapi.StockQuery{Folders: s.folderIDs(), Suppliers: s.supplierIDs(), Products: s.goodsOf("product"),
			Variants: s.goodsOf("variant"), StockMode: msapi.ModeAll}
		for k := range chosen {
			query.Stores = append(query.Stores, k.ID())
		}
		err = each(c, c.reader.StockByStore(ctx, query), func(r msapi.StockByStoreRow) {
			for _, x := range r.Stores {
				if l := levelOf(x.Stock, x.Reserve, x.InTransit); !l.nothing() &&
					(chosen == nil || chosen[x.Store.Key()]) {
					levels[place{r.ID.Key(), x.Store.Key()}] = l
				}
			}
		})
		c.notice(tool.NoticePartial, "Резервы и ожидания, не привязанные к складу, не видны: отчёт «Текущие остатки» закрыт правами сотрудника.",
			"Reserves and expectations without a warehouse are not seen: the employee's rights close the current stock report.")
		c.method("Отчёт «Остатки по складам» (отчёт «Текущие остатки» закрыт правами), названия — из каталога. Резервы и ожидания без склада в нём не видны.",
			"The stock report by warehouse (the current report is closed by rights), names from the catalogue. Reserves and expectations without a warehouse are not in it.")
	case err == nil:
		maps.DeleteFunc(levels, func(p place, _ level) bool {
			return only != nil && !only[p.good] || only == nil && described != nil && described[p.good].ID == ""
		})
		c.method("Текущие остатки, резервы и ожидания по складам — три запроса на весь аккаунт; названия — из каталога. Свободно — остаток минус резерв. Вложенные склады показаны отдельно.",
			"Current stock, reserve and goods on the way by warehouse, three requests for the whole account; names from the catalogue. Free is stock minus reserve. Nested warehouses are shown apart.")
	}
	return levels, described, err
}

// currentLevels reads stock, reserve and goods on the way by warehouse into one map, row by row. Its reports add no
// nested store to its parent.
func (c *call) currentLevels(ctx context.Context, query msapi.CurrentQuery, chosen map[msapi.Key]bool,
	levels map[place]level) error {
	var filling sync.Mutex
	work, inner := errgroup.WithContext(ctx)
	for _, t := range levelTypes {
		work.Go(func() error {
			return each(c, c.reader.StockCurrentByStore(inner, t, query), func(r msapi.CurrentRow) {
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

// storeTable is everything read for the tool.
type storeTable struct {
	levels    map[place]level
	described map[msapi.Key]msapi.AssortmentItem
	rank      map[msapi.Key]int
	stores    []msapi.Store
	chosen    map[msapi.Key]bool
	scope     scope
}

// storeLine is a row of it.
type storeLine struct {
	place
	level
	item  msapi.AssortmentItem
	name  string // folded, to sort by
	store string
}

func (c *call) storeName(k msapi.Key, names map[msapi.Key]string) string {
	switch {
	case names[k] != "":
		return names[k]
	case k == (msapi.Key{}):
		return c.pick("(склад не указан)", "(no warehouse)")
	}
	return c.pick("(скрытый или архивный склад)", "(hidden or archived warehouse)")
}

func (c *call) byStoreResult(t *storeTable, limit Limit) {
	names := make(map[msapi.Key]string, len(t.stores))
	for _, st := range t.stores {
		names[st.ID.Key()] = st.Name
	}
	if len(t.scope.goods) > 0 { // who names goods wants to see each warehouse, the empty ones too
		for _, id := range t.scope.stocked() {
			for k := range names {
				p := place{id.Key(), k}
				if _, ok := t.levels[p]; !ok && (t.chosen == nil || t.chosen[k]) {
					t.levels[p] = level{}
				}
			}
		}
	}
	lines := make([]storeLine, 0, len(t.levels))
	var sum level
	unknown, rows, gone, goods := 0, 0, map[msapi.Key]bool{}, map[msapi.Key]bool{}
	perStore := map[string]amount{}
	for p, l := range t.levels {
		item, ok := t.described[p.good]
		_, shown := t.rank[p.good]
		switch {
		case l.nothing() && len(t.scope.goods) == 0:
			continue
		case item.Archived || !ok && (t.rank == nil || shown):
			gone[p.good] = true
			continue
		case l.unknown:
			unknown++
		}
		rows++
		goods[p.good] = true
		store := c.storeName(p.store, names)
		sum, perStore[store] = sum.add(l), perStore[store]+l.stock
		if ok {
			lines = append(lines, storeLine{p, l, item, fold(item.Name), store})
		}
	}
	slices.SortFunc(lines, func(x, y storeLine) int {
		return cmp.Or(cmp.Compare(t.rank[x.good], t.rank[y.good]), strings.Compare(x.name, y.name),
			bytes.Compare(x.good[:], y.good[:]),
			strings.Compare(x.store, y.store), bytes.Compare(x.place.store[:], y.place.store[:]))
	})
	if unknown > 0 {
		c.notice(tool.NoticePartial,
			fmt.Sprintf("МойСклад пересчитывает остатки: %s без числа.", nounLine.count("ru", unknown)),
			fmt.Sprintf("MoySklad is recalculating stock: %s without a number.", nounLine.count("en", unknown)))
	}
	c.noticeGone(len(gone))
	c.columns(nil,
		field{"name", tool.UnitText, "Товар", "Item"}, field{"article", tool.UnitText, "Артикул", "Article"},
		field{"code", tool.UnitText, "Код", "Code"},
		field{"store", tool.UnitText, "Склад", "Warehouse"},
		field{"stock", tool.UnitQuantity, "Остаток", "Stock"}, field{"reserve", tool.UnitQuantity, "Резерв", "Reserve"},
		field{"free", tool.UnitQuantity, "Свободно", "Free"},
		field{"in_transit", tool.UnitQuantity, "Ожидание", "On the way"},
		field{"id", tool.UnitText, "ID", "ID"}, field{"store_id", tool.UnitText, "ID склада", "Warehouse ID"},
	)
	c.details("article", "code", "reserve")
	if len(lines) == 0 {
		c.notice(tool.NoticeEmpty, "Остатков, резервов и ожиданий по этим условиям нет.",
			"There is no stock, reserve or expectation like that.")
		c.result.Answer = c.pick("Остатков "+c.place(t.scope)+" по этим условиям нет.", "There is no such stock "+
			c.place(t.scope)+".")
		return
	}
	head := headOf(c, lines, rows, limit)
	c.result.Rows = make(tool.Rows, 0, len(head))
	for _, x := range head {
		row := tool.Row{tool.TextValue(x.item.Name), tool.TextValue(x.item.Article), tool.TextValue(x.item.Code),
			tool.TextValue(x.store),
			tool.Number(x.stock.decimal()), tool.Number(x.reserve.decimal()), tool.Number(x.free()),
			tool.Number(x.transit.decimal()),
			tool.TextValue(string(x.item.ID)), tool.TextValue(string(x.place.store.ID()))}
		if x.unknown {
			row[4], row[5], row[6], row[7] = tool.Empty, tool.Empty, tool.Empty, tool.Empty
		}
		c.result.Rows = append(c.result.Rows, row)
	}
	stock, reserve, transit := sum.stock.decimal(), sum.reserve.decimal(), sum.transit.decimal()
	c.totals(map[string]tool.Value{
		"stock": tool.Number(stock), "reserve": tool.Number(reserve), "free": tool.Number(sum.free()),
		"in_transit": tool.Number(transit),
	})
	if none := c.storeName(msapi.Key{}, names); perStore[none] == 0 {
		delete(perStore, none) // reserves or expectations only
	}
	subject := nounItem.count(c.l, len(goods))
	if len(goods) == 1 {
		subject = quoted([]string{lines[0].item.Name}, c.l)
	}
	c.result.Answer = c.pick(
		fmt.Sprintf("%s %s: всего %s ед. (в резерве %s, ожидается %s). По складам: %s.", subject, c.place(t.scope),
			tool.FormatQuantity(stock, c.l), tool.FormatQuantity(reserve, c.l), tool.FormatQuantity(transit, c.l),
			largest(perStore, c)),
		fmt.Sprintf("%s %s: %s units in all (%s reserved, %s on the way). By warehouse: %s.", subject, c.place(t.scope),
			tool.FormatQuantity(stock, c.l), tool.FormatQuantity(reserve, c.l), tool.FormatQuantity(transit, c.l),
			largest(perStore, c)))
}

// largest names the warehouses with most, for a sentence.
func largest(of map[string]amount, c *call) string {
	names := slices.SortedFunc(maps.Keys(of),
		func(x, y string) int { return cmp.Or(cmp.Compare(of[y], of[x]), strings.Compare(x, y)) })
	const shown = 6
	var parts []string
	for i, name := range names {
		if i == shown {
			parts = append(parts, c.pick(fmt.Sprintf("и ещё %d", len(names)-shown),
				fmt.Sprintf("and %d more", len(names)-shown)))
			break
		}
		parts = append(parts, name+" — "+tool.FormatQuantity(of[name].decimal(), c.l))
	}
	return strings.Join(parts, ", ")
}
