package analyze

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// isClassOfGoods reports whether facts carry the product in place of a dimension until [call.classify] replaces it.
func isClassOfGoods(dimension string) bool {
	return dimension == measures.DimABC || dimension == measures.DimXYZ
}

// classify replaces goods by their classes, where the query uses them. The classes are those of the query's period,
// also for the facts of the one that it is compared with.
func (c *call) classify(ctx context.Context, now, all []analysis.Fact) error {
	if at := slices.Index(c.fields, measures.DimXYZ); at >= 0 {
		classes, err := c.classesXYZ(ctx)
		if err != nil {
			return err
		}
		for _, f := range all {
			f.Keys[at] = plainKey(classes[f.Keys[at].ID])
		}
	}
	at := slices.Index(c.fields, measures.DimABC)
	if at < 0 {
		return nil
	}
	if m := c.plan.Shown[0]; c.isHidden(m) {
		err := account.Invalid("measures", c.Pickf(
			"сотруднику этого подключения не видно «%s», поэтому классов ABC не посчитать",
			"the employee of this connection may not see “%s”, so there are no ABC classes", m.Title.In(c.Lang)))
		err.Err = ErrHidden
		return err
	}
	classes := c.plan.Classify(measures.DimABC, now)
	for _, f := range all {
		f.Keys[at] = plainKey(classes[f.Keys[at].ID])
	}
	return nil
}

// classesXYZ asks for the quantities of each product sold in each slice of the period, under the query's conditions,
// and returns the classes by product. Products that were not sold have none (rule R219).
func (c *call) classesXYZ(ctx context.Context) (map[string]string, error) {
	quantity, _ := measures.Catalogue.Measure("quantity")
	q := analysis.Query{Measures: []string{quantity.Name}, By: []string{measures.DimProduct}}
	for _, f := range c.plan.Facts {
		owner, _, _ := fieldOf(f.Field)
		if isClassOfGoods(f.Field) || owner == "" && !slices.Contains(quantity.Over, f.Field) {
			continue
		}
		w := f.Condition
		if f.IDs != nil && (f.Field == measures.DimProduct || f.Field == measures.DimVariant) { // found once
			w.Values = nil
			for _, id := range slices.Sorted(maps.Keys(f.IDs)) {
				w.Values = append(w.Values, analysis.Scalar(id))
			}
		}
		q.Where = append(q.Where, w)
	}
	parts := analysis.SlicesXYZ(c.plan.Period)
	answers := make([]*analysis.Answer, len(parts))
	work, inner := errgroup.WithContext(ctx)
	for i, part := range parts {
		asked := &call{Call: c.Call, most: c.most, preset: true, part: true, found: maps.Clone(c.found)}
		q := q
		q.From, q.To = part.From, part.To
		work.Go(func() (err error) { answers[i], err = asked.evaluate(inner, q); return })
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	sold := map[string][]decimal.Decimal{}
	for i, a := range answers {
		for _, r := range a.Rows {
			id := r.Keys[0].ID
			if sold[id] == nil {
				sold[id] = make([]decimal.Decimal, len(parts))
			}
			sold[id][i] = r.Value(a.Plan.Shown[0]).Decimal
		}
	}
	classes := make(map[string]string, len(sold))
	for id, list := range sold {
		classes[id], _ = analysis.XYZ(list, parts)
	}
	return classes, nil
}

// classesRFM returns the classes of the counterparties that have bought: three digits for how lately, how often and for
// how much, each by thirds of all customers from 1 to 3, the best. Equal values are in the same third (rule R227).
func (c *call) classesRFM(rows []msapi.CounterpartyReport) map[msapi.ID]string {
	if !c.plan.Uses(measures.DimRFM) {
		return nil
	}
	customers := slices.DeleteFunc(slices.Clone(rows), func(r msapi.CounterpartyReport) bool {
		return r.LastDemand.IsZero() || !r.DemandsCount.Known || !r.DemandsSum.Known
	})
	classes := make(map[msapi.ID]string, len(customers))
	for _, compare := range []func(x, y msapi.CounterpartyReport) int{
		func(x, y msapi.CounterpartyReport) int { return strings.Compare(lastDay(x), lastDay(y)) },
		func(x, y msapi.CounterpartyReport) int { return x.DemandsCount.Cmp(y.DemandsCount.Decimal) },
		func(x, y msapi.CounterpartyReport) int { return x.DemandsSum.Cmp(y.DemandsSum.Decimal) },
	} {
		slices.SortStableFunc(customers, compare)
		worse := 0
		for i, r := range customers {
			if i > 0 && compare(customers[i-1], r) != 0 {
				worse = i
			}
			classes[r.Counterparty.ID] += fmt.Sprint(1 + 3*worse/len(customers))
		}
	}
	return classes
}

func lastDay(r msapi.CounterpartyReport) string {
	return string(tool.DayOf(r.LastDemand.In(msapi.Moscow)))
}
