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
			RU: "Сколько каждого товара на каждом складе: остаток, резерв, свободно, ожидание; с limit — тех, которых больше всего.",
			EN: "How much of each item is in each warehouse: stock, reserve, free, on the way; with a limit, of those there is most of.",
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
	var rank map[msapi.Key]int // of the goods, when only some rows are wanted: those of which there is most
	if described == nil {
		if described, rank, err = c.describeShown(ctx, levels, in.Limit); err != nil {
			return err
		}
	} else if len(s.Goods) == 0 {
		rank = ranked(overStores(levels), in.Limit)
	}
	c.byStoreResult(&storeTable{levels: levels, described: described, rank: rank, stores: stores, chosen: chosen,
		scope: s}, in.Limit)
	return nil
}

// describeShown reads the names of the goods. When only some rows are wanted, those goods of which there is most are
// shown, so that the names of the others need not be read: one request instead of one for each thousand goods. What
// is archived does not count either way, so the archived goods, which are few, are asked for by themselves.
func (c *call) describeShown(ctx context.Context, levels map[account.StockKey]account.Level,
	limit account.Limit) (described map[msapi.Key]msapi.AssortmentItem, rank map[msapi.Key]int, err error) {
	sums := overStores(levels)
	keys := slices.Collect(maps.Keys(sums))
	if limit <= 0 || account.Pages(int(limit), account.IDsPerRequest) >= account.Pages(len(keys), account.IDsPerRequest) {
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

// ranked puts the goods of which there is most first; without a limit there is no need to.
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

// overStores adds the levels of each good up.
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
				wording.NounItem.Count("ru", goods)),
			fmt.Sprintf("Archived goods and goods the employee may not see are left out (with stock: %s).",
				wording.NounItem.Count("en", goods)))
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
}

// storeLine is a row of it.
type storeLine struct {
	account.StockKey
	account.Level
	item  msapi.AssortmentItem
	name  string // folded, to sort by
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
	if len(t.scope.Goods) > 0 { // who names goods wants to see each warehouse, the empty ones too
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
	var sum account.Level
	unknown, rows, gone, goods := 0, 0, map[msapi.Key]bool{}, map[msapi.Key]bool{}
	perStore := map[string]account.Quantity{}
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
		sum, perStore[store] = sum.Add(l), perStore[store]+l.Stock
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
			fmt.Sprintf("МойСклад пересчитывает остатки: %s без числа.", wording.NounLine.Count("ru", unknown)),
			fmt.Sprintf("MoySklad is recalculating stock: %s without a number.", wording.NounLine.Count("en", unknown)))
	}
	c.noticeArchived(len(gone))
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
		c.Notice(tool.NoticeEmpty, "Остатков, резервов и ожиданий по этим условиям нет.",
			"There is no stock, reserve or expectation like that.")
		c.Result.Answer = c.Pick("Остатков "+c.Places(t.scope)+" по этим условиям нет.", "There is no such stock "+
			c.Places(t.scope)+".")
		return
	}
	head := headOf(c, lines, rows, limit)
	c.Result.Rows = make(tool.Rows, 0, len(head))
	for _, x := range head {
		row := tool.Row{tool.TextValue(x.item.Name), tool.TextValue(x.item.Article), tool.TextValue(x.item.Code),
			tool.TextValue(x.store),
			tool.Number(x.Stock.Decimal()), tool.Number(x.Reserve.Decimal()), tool.Number(x.Free()),
			tool.Number(x.Transit.Decimal()),
			tool.TextValue(string(x.item.ID)), tool.TextValue(string(x.StockKey.Store.ID()))}
		if x.Unknown {
			row[4], row[5], row[6], row[7] = tool.Empty, tool.Empty, tool.Empty, tool.Empty
		}
		c.Result.Rows = append(c.Result.Rows, row)
	}
	stock, reserve, transit := sum.Stock.Decimal(), sum.Reserve.Decimal(), sum.Transit.Decimal()
	c.totals(map[string]tool.Value{
		"stock": tool.Number(stock), "reserve": tool.Number(reserve), "free": tool.Number(sum.Free()),
		"in_transit": tool.Number(transit),
	})
	if none := c.storeName(msapi.Key{}, names); perStore[none] == 0 {
		delete(perStore, none) // reserves or expectations only
	}
	subject := wording.NounItem.Count(c.Lang, len(goods))
	if len(goods) == 1 {
		subject = wording.Quoted([]string{lines[0].item.Name}, c.Lang)
	}
	c.Result.Answer = c.Pick(
		fmt.Sprintf("%s %s: всего %s ед. (в резерве %s, ожидается %s). По складам: %s.", subject, c.Places(t.scope),
			tool.FormatQuantity(stock, c.Lang), tool.FormatQuantity(reserve, c.Lang), tool.FormatQuantity(transit, c.Lang),
			largest(perStore, c)),
		fmt.Sprintf("%s %s: %s units in all (%s reserved, %s on the way). By warehouse: %s.", subject, c.Places(t.scope),
			tool.FormatQuantity(stock, c.Lang), tool.FormatQuantity(reserve, c.Lang), tool.FormatQuantity(transit, c.Lang),
			largest(perStore, c)))
}

// largest names the warehouses with most, for a sentence.
func largest(of map[string]account.Quantity, c *call) string {
	names := slices.SortedFunc(maps.Keys(of),
		func(x, y string) int { return cmp.Or(cmp.Compare(of[y], of[x]), strings.Compare(x, y)) })
	const shown = 6
	var parts []string
	for i, name := range names {
		if i == shown {
			parts = append(parts, c.Pick(fmt.Sprintf("и ещё %d", len(names)-shown),
				fmt.Sprintf("and %d more", len(names)-shown)))
			break
		}
		parts = append(parts, name+" — "+tool.FormatQuantity(of[name].Decimal(), c.Lang))
	}
	return strings.Join(parts, ", ")
}
