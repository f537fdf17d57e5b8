package account

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// StoresWithin returns the chosen stores and all stores nested in them. A person who names a warehouse means all of it,
// but unlike the extended report, the current reports do not add nested stores to their parents (fact M75).
func StoresWithin(chosen, all []msapi.Store) map[msapi.Key]bool {
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

// Levels reads stock, reserve and goods in transit by warehouse. It reads three plain arrays for the whole account,
// whatever its size, and the list of goods if groups or suppliers restrict the call, because those reports do not know
// groups. Without the right to see stock, it uses the paged report instead.
func (c *Call) Levels(ctx context.Context, s Filter, chosen map[msapi.Key]bool) (map[StockKey]Level,
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
	case len(s.Goods) > 0:
		c.Unstocked(s)
		described, only = map[msapi.Key]msapi.AssortmentItem{}, map[msapi.Key]bool{}
		for _, id := range s.Stocked() {
			only[id.Key()] = true
		}
		for _, g := range s.Goods {
			described[g.ID.Key()] = msapi.AssortmentItem{Type: g.Type, ID: g.ID, Name: g.Name}
		}
		if len(only) == 0 {
			return map[StockKey]Level{}, described, nil
		}
		if len(only) <= IDsPerRequest {
			query.Assortment = s.Stocked()
		}
	case !s.Everything():
		described = map[msapi.Key]msapi.AssortmentItem{}
		work.Go(func() error {
			q := msapi.AssortmentQuery{Types: []string{"product", "variant"}, Folders: s.FolderIDs(),
				Suppliers: s.SupplierIDs()}
			return Each(c, c.Reader.Assortment(inner, q),
				func(x msapi.AssortmentItem) { described[x.ID.Key()] = slim(x) })
		})
	}
	levels := map[StockKey]Level{}
	work.Go(func() error { return c.CurrentLevels(inner, query, chosen, levels) })
	err := work.Wait()
	switch {
	case msapi.IsForbidden(err):
		clear(levels)
		query := msapi.StockQuery{Folders: s.FolderIDs(), Suppliers: s.SupplierIDs(), Products: s.GoodsOf("product"),
			Variants: s.GoodsOf("variant"), StockMode: msapi.ModeAll}
		for k := range chosen {
			query.Stores = append(query.Stores, k.ID())
		}
		err = Each(c, c.Reader.StockByStore(ctx, query), func(r msapi.StockByStoreRow) {
			for _, x := range r.Stores {
				if l := LevelOf(x.Stock, x.Reserve, x.InTransit); !l.IsZero() &&
					(chosen == nil || chosen[x.Store.Key()]) {
					levels[StockKey{Good: r.ID.Key(), Store: x.Store.Key()}] = l
				}
			}
		})
		c.Notice(tool.NoticePartial, "Резервы и ожидания, не привязанные к складу, не видны: отчёт «Текущие "+
			"остатки» закрыт правами сотрудника.",
			"Reserves and expectations without a warehouse are not seen: the employee's rights close the current "+
				"stock report.")
		c.Method("Отчёт «Остатки по складам»: «Текущие остатки» закрыты правами. Резервы и ожидания без склада в нём "+
			"не видны.", "The stock report by warehouse: the current report is closed by rights. Reserves and "+
			"expectations without a warehouse are not in it.")
	case err == nil:
		maps.DeleteFunc(levels, func(p StockKey, _ Level) bool {
			return only != nil && !only[p.Good] || only == nil && described != nil && described[p.Good].ID == ""
		})
		c.Method("Текущие остатки, резервы и ожидания; вложенные склады показаны отдельно. Свободно — остаток минус "+
			"резерв.", "Current stock, reserve and goods on the way; nested warehouses are shown apart. Free is stock "+
			"minus reserve.")
	}
	return levels, described, err
}

// CurrentLevels reads stock, reserve and goods in transit by warehouse into a map, row by row. It does not add nested
// stores to their parents.
func (c *Call) CurrentLevels(ctx context.Context, query msapi.CurrentQuery, chosen map[msapi.Key]bool,
	levels map[StockKey]Level) error {
	var filling sync.Mutex
	work, inner := errgroup.WithContext(ctx)
	for _, t := range LevelTypes {
		work.Go(func() error {
			return Each(c, c.Reader.StockCurrentByStore(inner, t, query), func(r msapi.CurrentRow) {
				if chosen != nil && !chosen[r.Store] {
					return
				}
				p := StockKey{Good: r.Assortment, Store: r.Store}
				filling.Lock()
				levels[p] = levels[p].with(t, r.Value)
				filling.Unlock()
			})
		})
	}
	return work.Wait()
}

// Unstocked adds a notice about named goods that have no stock of their own.
func (c *Call) Unstocked(s Filter) {
	var names []string
	for _, g := range s.Goods {
		if g.Type == "bundle" || g.Type == "service" {
			names = append(names, g.Name)
		}
	}
	if len(names) > 0 {
		c.Notice(tool.NoticePartial,
			"У комплектов и услуг нет собственного остатка: "+wording.Quoted(names, "ru")+".",
			"Bundles and services have no stock of their own: "+wording.Quoted(names, "en")+".")
	}
}
