package analyze

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// slice is one reading of the report: the values of the sliced dimensions and its sign.
type slice struct {
	keys  map[string]analysis.Key
	query msapi.ProfitQuery
	minus bool
}

// sliceStores chooses the warehouses that the conditions accept.
func (p *profitPlan) sliceStores(ctx context.Context) error {
	list, err := p.EveryStore(ctx)
	if err != nil {
		return err
	}
	parents := map[msapi.ID]msapi.ID{}
	for _, s := range list {
		parents[s.ID] = s.Parent.ID
	}
	p.stores = slices.DeleteFunc(slices.Clone(list), func(s msapi.Store) bool {
		key := analysis.Key{ID: string(s.ID), Name: s.Name}
		for up := s.Parent.ID; up != ""; up = parents[up] {
			key.Parents = append(key.Parents, string(up))
		}
		return !p.plan.Accepts(measures.DimStore, key)
	})
	return nil
}

// filtered returns the query with the conditions that the server can apply.
func (p *profitPlan) filtered() msapi.ProfitQuery {
	q := msapi.ProfitQuery{Stores: p.idsOf(measures.DimStore), Counterparties: p.idsOf(measures.DimCounterparty),
		Organizations: p.idsOf(measures.DimLegalEntity), Channels: p.idsOf(measures.DimChannel)}
	switch {
	case p.filtersByID(measures.DimProduct) || p.filtersByID(measures.DimVariant):
		q.Goods = p.namedGoods()
	case p.filtersByID(measures.DimGroup):
		q.Folders = p.idsOf(measures.DimGroup)
	}
	if p.filtersByID(measures.DimSupplier) {
		q.Suppliers = p.idsOf(measures.DimSupplier)
	}
	if p.subject == measures.DimCounterparty {
		q.Counterparties = nil
	}
	if p.subject == measures.DimChannel {
		q.Channels = nil
	}
	return q
}

// slicesOf returns the readings for a period.
//
// A filter by a warehouse includes those nested in it (fact M59), so what a nested one sold is taken out of its parent.
func (p *profitPlan) slicesOf(period tool.Period) []slice {
	all := []slice{{keys: map[string]analysis.Key{}, query: p.filtered()}}
	if p.step != "" {
		all = split(all, analysis.Intervals(p.step, period), func(s slice, in tool.Period) slice {
			id := analysis.Interval(p.step, in.From.Time())
			s.keys[p.stepField()] = analysis.Key{ID: id, Name: id}
			s.query.Period = account.ReportPeriod(in)
			return s
		})
	} else {
		all[0].query.Period = account.ReportPeriod(period)
	}
	if p.entities != nil {
		all = split(all, p.entities, func(s slice, x msapi.Organization) slice {
			s.keys[measures.DimLegalEntity] = analysis.Key{ID: string(x.ID), Name: x.Name}
			s.query.Organizations = []msapi.ID{x.ID}
			return s
		})
	}
	if p.stores != nil {
		var bySign []slice
		for _, minus := range []bool{false, true} {
			bySign = append(bySign, split(all, p.stores, func(s slice, x msapi.Store) slice {
				key := x.ID
				if minus {
					key = x.Parent.ID
				}
				s.keys[measures.DimStore] = analysis.Key{ID: string(key)}
				s.query.Stores, s.minus = []msapi.ID{x.ID}, minus
				return s
			})...)
		}
		all = slices.DeleteFunc(bySign, func(s slice) bool { return s.minus && s.keys[measures.DimStore].ID == "" })
	}
	return all
}

// stepField returns the dimension of the slices of time.
func (p *profitPlan) stepField() string { return string(p.step) }

func split[T any](all []slice, values []T, of func(slice, T) slice) []slice {
	var parts []slice
	for _, s := range all {
		for _, v := range values {
			keys := make(map[string]analysis.Key, len(s.keys)+1)
			for k, x := range s.keys {
				keys[k] = x
			}
			parts = append(parts, of(slice{keys: keys, query: s.query}, v))
		}
	}
	return parts
}

// checkStores compares the sum over warehouses with the report as a whole, because the vendor does not document that a
// filter by a warehouse includes those nested in it (fact M97). If it does not, the readings that take nested ones out
// of their parents are dropped; a sum that fits neither way is reported.
func (p *profitPlan) checkStores(ctx context.Context, period tool.Period, all []slice, rows [][]profitRow) error {
	if !slices.ContainsFunc(all, func(s slice) bool { return s.minus }) {
		return nil
	}
	net := func(r msapi.ProfitRow) decimal.Decimal { return r.SellSum.Sub(r.ReturnSum.Decimal) }
	query, by := p.filtered(), p.by
	if p.subject != "" { // the rows include sales without a subject
		by = msapi.ProfitByProduct
	}
	query.Period = account.ReportPeriod(period)
	whole, nested, apart := decimal.Zero, decimal.Zero, decimal.Zero
	err := account.Each(p.Call, p.Reader.Profit(ctx, by, query),
		func(r msapi.ProfitRow) { whole = whole.Add(net(r)) })
	if err != nil {
		return err
	}
	for i, part := range rows {
		for _, r := range part {
			if all[i].minus {
				nested = nested.Sub(net(r.ProfitRow))
				continue
			}
			nested, apart = nested.Add(net(r.ProfitRow)), apart.Add(net(r.ProfitRow))
		}
	}
	switch {
	case nested.Cmp(whole) == 0:
	case apart.Cmp(whole) == 0:
		for i := range all {
			if all[i].minus {
				rows[i] = nil
			}
		}
	default:
		p.Notice(tool.NoticePartial,
			"Сумма по складам отличается от отчёта в целом: "+tool.FormatMoney(nested.Major(), p.currency, "ru")+" и "+
				tool.FormatMoney(whole.Major(), p.currency, "ru")+".",
			"The sum over warehouses differs from the report as a whole: "+
				tool.FormatMoney(nested.Major(), p.currency, "en")+" and "+
				tool.FormatMoney(whole.Major(), p.currency, "en")+".")
	}
	return nil
}
