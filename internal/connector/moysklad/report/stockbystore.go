package report

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type stockByStoreInput struct {
	account.StoresArg
	account.GoodsArgs
	account.LimitArg
}

func stockByStoreTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_stock_by_store",
		tool.Text{RU: "Остатки по складам", EN: "Stock by warehouse"},
		tool.Text{
			RU: "Сколько каждого товара на каждом складе: остаток, резерв, свободно, ожидание; с limit — тех, " +
				"которых больше всего.",
			EN: "Stock of each good in each warehouse: stock, reserve, free, on the way. No costs; a limit keeps " +
				"the largest.",
		}, (*call).stockByStore).Requires(account.NeedStores, account.NeedStock)
}

func (c *call) stockByStore(ctx context.Context, in stockByStoreInput) error {
	s, err := c.Narrow(ctx, in.Stores, in.GoodsArgs)
	if err != nil {
		return err
	}
	stores, err := c.StoreList(ctx)
	if err != nil {
		return c.Refuse(err, account.SectionStores)
	}
	chosen := account.StoresWithin(s.Stores, stores)
	levels, described, err := c.Levels(ctx, s, chosen)
	if err != nil {
		return c.Refuse(err, account.SectionStock)
	}
	var rank map[msapi.Key]int // ranks of the goods by quantity, if only some rows are requested
	if described == nil {
		if described, rank, err = c.describeShown(ctx, levels, in.Limit); err != nil {
			return err
		}
	} else if len(s.Goods) == 0 {
		rank = ranked(overStores(levels), in.Limit)
	}
	c.byStoreResult(&storeTable{levels: levels, described: described, rank: rank, stores: stores, chosen: chosen,
		scope: s, oneUnit: oneProduct(in.Products, s)}, in.Limit)
	return nil
}

// oneProduct reports whether the goods are one product with its variants.
func oneProduct(named []string, s account.Filter) bool {
	return len(named) == 1 && len(s.GoodsOf("product")) == 1
}

// describeShown reads the names of the goods. If only some rows are requested, it selects the goods with the largest
// quantities, so that the other names need not be read: one request instead of one per thousand goods. Archived goods
// never count, so the few archived goods are requested separately.
func (c *call) describeShown(ctx context.Context, levels map[account.StockKey]account.Level,
	limit account.Limit) (described map[msapi.Key]msapi.AssortmentItem, rank map[msapi.Key]int, err error) {
	sums := overStores(levels)
	keys := slices.Collect(maps.Keys(sums))
	if limit <= 0 || account.Pages(int(limit), account.IDsPerRequest) >= account.Pages(len(keys),
		account.IDsPerRequest) {
		described, err = c.Describe(ctx, keys, len(keys))
		return described, ranked(sums, limit), err
	}
	query := msapi.AssortmentQuery{Types: []string{"product", "variant"}, Archived: msapi.ArchivedOnly}
	archived := 0
	err = account.Each(c.Call, c.Reader.Assortment(ctx, query), func(x msapi.AssortmentItem) {
		if _, ok := sums[x.ID.Key()]; ok && x.Archived {
			archived++
			delete(sums, x.ID.Key())
		}
	})
	if err != nil {
		return nil, nil, err
	}
	maps.DeleteFunc(levels, func(p account.StockKey, _ account.Level) bool { _, ok := sums[p.Good]; return !ok })
	c.noticeArchived(archived)
	rank = ranked(sums, limit)
	maps.DeleteFunc(rank, func(_ msapi.Key, place int) bool { return place >= int(limit) })
	keys = slices.Collect(maps.Keys(rank))
	described, err = c.Describe(ctx, keys, len(sums))
	return described, rank, err
}

// ranked ranks the goods by quantity, largest first, or returns nil if there is no limit.
func ranked(sums map[msapi.Key]account.Level, limit account.Limit) map[msapi.Key]int {
	if limit <= 0 {
		return nil
	}
	rank := make(map[msapi.Key]int, len(sums))
	for i, k := range slices.SortedFunc(maps.Keys(sums), func(x, y msapi.Key) int {
		return cmp.Or(cmp.Compare(sums[y].Stock, sums[x].Stock), bytes.Compare(x[:], y[:]))
	}) {
		rank[k] = i
	}
	return rank
}

// overStores adds up the levels of each good.
func overStores(levels map[account.StockKey]account.Level) map[msapi.Key]account.Level {
	sums := map[msapi.Key]account.Level{}
	for p, l := range levels {
		sums[p.Good] = sums[p.Good].Add(l)
	}
	return sums
}

func (c *call) noticeArchived(goods int) {
	if goods > 0 {
		c.Notice(tool.NoticeArchived,
			fmt.Sprintf("Архивные и недоступные сотруднику товары не учтены (с остатком: %s).",
				wording.NounTitle.Count("ru", goods)),
			fmt.Sprintf("Archived goods and goods the employee may not see are left out (with stock: %s).",
				wording.NounTitle.Count("en", goods)))
	}
}

// storeTable is everything read for the tool.
type storeTable struct {
	levels    map[account.StockKey]account.Level
	described map[msapi.Key]msapi.AssortmentItem
	rank      map[msapi.Key]int
	stores    []msapi.Store
	chosen    map[msapi.Key]bool
	scope     account.Filter
	oneUnit   bool // all goods are one product, so quantities can be added up
}

// storeLine is a row of the table.
type storeLine struct {
	account.StockKey
	account.Level
	item  msapi.AssortmentItem
	name  string // folded, for sorting
	store string
}

func (c *call) storeName(k msapi.Key, names map[msapi.Key]string) string {
	switch {
	case names[k] != "":
		return names[k]
	case k == (msapi.Key{}):
		return c.Pick("(склад не указан)", "(no warehouse)")
	}
	return c.Pick("(скрытый или архивный склад)", "(hidden or archived warehouse)")
}

func (c *call) byStoreResult(t *storeTable, limit account.Limit) {
	names := make(map[msapi.Key]string, len(t.stores))
	for _, st := range t.stores {
		names[st.ID.Key()] = st.Name
	}
	if len(t.scope.Goods) > 0 { // with named goods, show each warehouse, including empty ones
		for _, id := range t.scope.Stocked() {
			for k := range names {
				p := account.StockKey{Good: id.Key(), Store: k}
				if _, ok := t.levels[p]; !ok && (t.chosen == nil || t.chosen[k]) {
					t.levels[p] = account.Level{}
				}
			}
		}
	}
	lines := make([]storeLine, 0, len(t.levels))
	unknown, rows, gone, goods := 0, 0, map[msapi.Key]bool{}, map[msapi.Key]bool{}
	perStore := map[string]stockInStore{}
	for p, l := range t.levels {
		item, ok := t.described[p.Good]
		_, shown := t.rank[p.Good]
		switch {
		case l.IsZero() && len(t.scope.Goods) == 0:
			continue
		case item.Archived || !ok && (t.rank == nil || shown):
			gone[p.Good] = true
			continue
		case l.Unknown:
			unknown++
		}
		rows++
		goods[p.Good] = true
		store := c.storeName(p.Store, names)
		if l.Stock != 0 {
			perStore[store] = stockInStore{perStore[store].goods + 1, perStore[store].stock + l.Stock}
		}
		if ok {
			lines = append(lines, storeLine{p, l, item, wording.Fold(item.Name), store})
		}
	}
	slices.SortFunc(lines, func(x, y storeLine) int {
		return cmp.Or(cmp.Compare(t.rank[x.Good], t.rank[y.Good]), strings.Compare(x.name, y.name),
			bytes.Compare(x.Good[:], y.Good[:]),
			strings.Compare(x.store, y.store), bytes.Compare(x.StockKey.Store[:], y.StockKey.Store[:]))
	})
	if unknown > 0 {
		c.Notice(tool.NoticePartial,
			fmt.Sprintf("МойСклад пересчитывает остатки: пока без числа %s.", wording.NounLine.Count("ru", unknown)),
			fmt.Sprintf("MoySklad is recalculating stock: %s without a number.", wording.NounLine.Count("en", unknown)))
	}
	c.noticeArchived(len(gone))
	if slices.ContainsFunc(t.stores, func(s msapi.Store) bool { return s.Parent.ID != "" }) {
		c.Notice(tool.NoticeAssumption, "Вложенные склады показаны отдельно: в остаток родительского они не входят.",
			"Nested warehouses are shown apart: the stock of their parent does not include them.")
	}
	columns := storeColumns(t.oneUnit || len(goods) == 1)
	tool.SetColumns(c.Result, c.Lang, columns, lines)
	if len(lines) == 0 {
		c.Notice(tool.NoticeEmpty, "Остатков, резервов и ожиданий по этим условиям нет.",
			"There is no stock, reserve or expectation like that.")
		c.Result.Answer = c.Pick("Остатков "+c.Places(t.scope)+" по этим условиям нет.", "There is no such stock "+
			c.Places(t.scope)+".")
		return
	}
	tool.AddRows(c.Result, columns, headOf(c, lines, rows, limit))
	if len(goods) == 1 || t.oneUnit {
		var sum account.Level
		for _, x := range lines {
			sum = sum.Add(x.Level)
		}
		q := func(n account.Quantity) string { return tool.FormatQuantity(n.Decimal(), c.Lang) }
		subject := wording.Quoted([]string{lines[0].item.Name}, c.Lang)
		if len(goods) > 1 {
			subject = wording.NounTitle.Count(c.Lang, len(goods))
		}
		c.Result.Answer = c.Pickf("%s %s: всего %s (в резерве %s, ожидается %s). По складам: %s.",
			"%s %s: %s in all (%s reserved, %s on the way). By warehouse: %s.", subject, c.Places(t.scope),
			q(sum.Stock), q(sum.Reserve), q(sum.Transit), c.largest(perStore, true))
		return
	}
	c.Notice(tool.NoticeUnits,
		"Количества разных товаров не складывались: в отчёте по складам нет единиц измерения.",
		"Quantities of different items are not added up: the report by warehouse does not name units of measure.")
	c.Result.Answer = wording.Sentences(
		wording.Upper(c.Places(t.scope))+": "+wording.NounTitle.Count(c.Lang, len(goods))+".",
		c.Pick("С остатком по складам: ", "With stock, by warehouse: ")+c.largest(perStore, false)+".")
	if len(perStore) == 0 {
		c.Result.Answer = c.Pick("Остатков "+c.Places(t.scope)+" нет, есть только резервы или ожидания.",
			"There is no stock "+c.Places(t.scope)+", only reserves or goods on the way.")
	}
}

// storeColumns returns the columns of stock by warehouse. Quantities have a total only if all have the same unit of
// measure.
func storeColumns(oneUnit bool) []column[storeLine] {
	amount := func(name, ru, en string, cell func(storeLine) decimal.Decimal) column[storeLine] {
		c := quantity(name, ru, en, func(x storeLine) decimal.Maybe {
			return decimal.Maybe{Decimal: cell(x), Known: !x.Unknown}
		})
		if oneUnit {
			return c.WithSum()
		}
		return c
	}
	return []column[storeLine]{
		text("name", "Товар", "Item", func(x storeLine) string { return x.item.Name }),
		text("article", "Артикул", "Article", func(x storeLine) string { return x.item.Article }).AsDetail(),
		text("code", "Код", "Code", func(x storeLine) string { return x.item.Code }).AsDetail(),
		text("store", "Склад", "Warehouse", func(x storeLine) string { return x.store }),
		amount("stock", "Остаток", "Stock", func(x storeLine) decimal.Decimal { return x.Stock.Decimal() }),
		amount("reserve", "Резерв", "Reserve",
			func(x storeLine) decimal.Decimal { return x.Reserve.Decimal() }).AsDetail(),
		amount("free", "Свободно", "Free", func(x storeLine) decimal.Decimal { return x.Free() }),
		amount("in_transit", "Ожидание", "On the way",
			func(x storeLine) decimal.Decimal { return x.Transit.Decimal() }),
		text("id", "ID", "ID", func(x storeLine) string { return string(x.item.ID) }),
		text("store_id", "ID склада", "Warehouse ID",
			func(x storeLine) string { return string(x.StockKey.Store.ID()) }),
	}
}

// stockInStore is the number of items with stock in a warehouse, and their total quantity.
type stockInStore struct {
	goods int
	stock account.Quantity
}

// largest lists the warehouses with the largest stock for a sentence: with quantities, or with the numbers of items if
// quantities cannot be added up.
func (c *call) largest(of map[string]stockInStore, quantities bool) string {
	names := slices.SortedFunc(maps.Keys(of), func(x, y string) int {
		by := cmp.Compare(of[y].goods, of[x].goods)
		if quantities {
			by = cmp.Compare(of[y].stock, of[x].stock)
		}
		return cmp.Or(by, strings.Compare(x, y))
	})
	const shown = 6
	var parts []string
	for i, name := range names {
		if i == shown {
			parts = append(parts, c.Pickf("и ещё %d", "and %d more", len(names)-shown))
			break
		}
		amount := wording.NounTitle.Count(c.Lang, of[name].goods)
		if quantities {
			amount = tool.FormatQuantity(of[name].stock.Decimal(), c.Lang)
		}
		parts = append(parts, name+" — "+amount)
	}
	return strings.Join(parts, ", ")
}
