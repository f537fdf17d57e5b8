package facts

import (
	"context"
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// compareGoods proves that the goods are as the account's, or returns errDrop. A single response tells how many there
// are and which were changed last.
func (s *Session) compareGoods(ctx context.Context) error {
	g := &s.goods
	for range attempts {
		bound := g.bound()
		known := map[msapi.Key]*good{} // changed since
		for _, p := range g.parts {
			for i := range p.goods {
				if x := &p.goods[i]; x.updated.After(bound) {
					known[x.key] = x
				}
			}
		}
		after := len(known)
		at := s.Clock()
		top, err := s.page(ctx, msapi.Filter{}, "updated,desc", 0, min(after+fewGoods, goodsPerPage))
		if err != nil {
			return err
		}
		latestFirst := func(x, y good) int { return y.updated.Compare(x.updated) }
		if len(top.rows) == 0 || !slices.IsSortedFunc(top.rows, latestFirst) {
			return errDrop
		}
		g.size, g.at, g.priced = top.size, at, nil
		for _, x := range top.rows[0].SalePrices {
			g.priced = append(g.priced, x.PriceType.ID)
		}
		whole := len(top.rows) == top.size || !top.rows[len(top.rows)-1].updated.After(bound)
		if !whole {
			if err := s.applyMany(ctx, bound); err != nil {
				return err
			}
			continue
		}
		newest := top.rows[0].updated
		changed := slices.DeleteFunc(top.rows, func(x good) bool {
			k := known[x.key]
			return !x.updated.After(bound) || k != nil && k.equal(&x)
		})
		if err := s.applyGoods(ctx, changed); err != nil {
			return err
		}
		if g.count() != top.size {
			return errDrop // some were deleted
		}
		for _, p := range g.parts {
			p.changed = p.changed || newest.After(p.newest) && after+len(changed) > fewGoods/2
			p.newest = later(p.newest, newest)
		}
		return nil
	}
	return errDrop
}

// bound returns the time after which changes may not be in all parts.
func (g *goods) bound() time.Time {
	bound := g.parts[0].bound()
	for _, p := range g.parts {
		bound = earlier(bound, p.bound())
	}
	return bound
}

// applyMany reads what was changed since a time, oldest first: each page begins where the one before ended. It is
// given up if reading all goods takes about as many requests.
func (s *Session) applyMany(ctx context.Context, bound time.Time) error {
	newest := bound
	for range max(1, s.goods.size/goodsPerPage/2) {
		from := msapi.FormatMoment(newest)
		list, err := s.page(ctx, msapi.Filter{}.Where("updated", msapi.GreaterEq, from), "updated,asc", 0, goodsPerPage)
		if err != nil {
			return err
		}
		if err := s.applyGoods(ctx, list.rows); err != nil {
			return err
		}
		if len(list.rows) > 0 {
			newest = list.rows[len(list.rows)-1].updated
		}
		if len(list.rows) == list.size {
			for _, p := range s.goods.parts {
				p.newest, p.changed = newest, true
			}
			return nil
		}
		if msapi.FormatMoment(newest) == from { // more than a page in one second
			return errDrop
		}
	}
	return errDrop
}

// applyGoods replaces goods by what they are now. A variant takes its name and prices from its product without being
// changed itself, so the variants of changed products are read, too.
func (s *Session) applyGoods(ctx context.Context, changed []good) error {
	g := &s.goods
	now := make(map[msapi.Key]bool, len(changed))
	products := map[msapi.ID]bool{}
	for i := range changed {
		now[changed[i].key] = true
		products[changed[i].ID] = changed[i].Type == "product"
	}
	var variants []good
	for _, p := range g.parts {
		for i := range p.goods {
			if x := &p.goods[i]; products[x.Product.ID] && !now[x.key] {
				variants = append(variants, *x)
			}
		}
	}
	for some := range slices.Chunk(variants, idsPerRequest) {
		ids := make([]string, len(some))
		for i := range some {
			ids[i] = string(some[i].ID)
			now[some[i].key] = true // one that is not returned is deleted
		}
		slices.Sort(ids)
		list, err := s.page(ctx, msapi.Filter{}.Where("id", msapi.Eq, ids...), "id", 0, goodsPerPage)
		if err != nil {
			return err
		}
		changed = append(changed, list.rows...)
	}
	if len(changed) == 0 {
		return nil
	}
	for _, p := range g.parts {
		n := len(p.goods)
		p.goods = slices.DeleteFunc(p.goods, func(x good) bool { return now[x.key] })
		p.changed = p.changed || len(p.goods) < n
	}
	for _, x := range changed {
		p := g.parts[partOf(&x.AssortmentItem)]
		p.goods, p.changed = append(p.goods, x), true
	}
	return nil
}
