package analyze

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/values"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// closed resolves a condition on a dimension whose values are known beforehand, and refuses a value that no fact can
// have: it would find nothing, which is not so (rule R228). It reports whether the dimension is one.
func (c *call) closed(ctx context.Context, f *analysis.Filter) (bool, error) {
	var find func(string) []string
	var possible string
	step := f.Dimension.Step
	excludes := f.Op == analysis.NotEqual || f.Op == analysis.NotIn
	list := c.closedList(f.Field, excludes)
	switch {
	case list != nil:
		find = func(s string) []string { return values.Find(list, s) }
		if f.Op == analysis.Contains {
			find = func(s string) []string { return values.Containing(list, s) }
		}
		names := make([]string, len(list))
		for i, v := range list {
			names[i] = v.Names.In(c.Lang)
		}
		possible = strings.Join(names, ", ")
	case step != "" && f.Op == analysis.Contains:
		return true, account.Invalid("where", c.Pickf("contains сравнивает тексты; для %s нужны = или in",
			"contains compares texts; for %s use = or in", f.Field))
	case step == analysis.Hour:
		find, possible = oneKey(values.Hour), c.Pick("от 0 до 23, например 9 или 9:00", "0 to 23, such as 9 or 9:00")
	case step != "":
		find, possible = c.intervals(step)
	case values.Classes(f.Field) != "":
		class := func(s string) string { return values.Class(f.Field, s) }
		find, possible = oneKey(class), values.Classes(f.Field)
	case f.Field == measures.DimPriceBand:
		find, possible = oneKey(values.Band), values.BandList()
	case f.Field == measures.DimTag:
		return true, c.tags(f)
	case f.Field == measures.DimUnit:
		units, err := c.units(ctx)
		if err != nil || units == nil {
			return false, err
		}
		find = func(s string) []string { return values.Unit(units, s) }
		possible = strings.Join(units[:min(len(units), mostNamed)], ", ")
	default:
		return false, nil
	}
	switch f.Op {
	case analysis.Equal, analysis.NotEqual, analysis.In, analysis.NotIn:
	case analysis.Contains:
		if list == nil {
			return true, nil
		}
	default:
		return true, nil
	}
	f.IDs = map[string]bool{}
	for _, v := range f.Values {
		keys := find(string(v))
		// A part of a period may be without an interval, and a query may exclude one that it has not.
		if keys == nil || len(keys) == 0 && !c.preset && !excludes {
			return true, account.Invalid("where", c.Pickf("%s: значения «%s» не бывает; возможны: %s",
				"%s: there is no value “%s”; possible: %s", f.Field, string(v), possible))
		}
		for _, k := range keys {
			f.IDs[k] = true
			if i := slices.IndexFunc(list, func(x values.Value) bool { return x.Key == k }); i >= 0 &&
				f.Field == measures.DimDocumentType {
				f.Named = append(f.Named, wording.Lower(list[i].Names.In(c.Lang)))
			}
		}
	}
	return true, nil
}

// mostNamed is how many possible values an error names.
const mostNamed = 20

func oneKey(key func(string) string) func(string) []string {
	return func(s string) []string {
		if k := key(s); k != "" {
			return []string{k}
		}
		return nil
	}
}

// closedList returns the values of a dimension that has a fixed list of them, or nil. The types of documents are those
// that the query is about; it may exclude others.
func (c *call) closedList(dimension string, excludes bool) []values.Value {
	switch dimension {
	case string(analysis.Weekday):
		return values.Weekdays
	case measures.DimKind:
		return values.Kinds
	case measures.DimDocumentType:
		list := []values.Value{}
		for _, k := range doctype.All {
			for _, t := range k {
				if excludes || t.Has(c.plan.Bases) {
					list = append(list, values.Value{Key: t.Name, Names: t.Title})
				}
			}
		}
		return list
	}
	return nil
}

// intervals finds the intervals of the period that a text names. Those at the same place of the period compared with
// go with them, unless the periods overlap.
func (c *call) intervals(step analysis.Step) (find func(string) []string, possible string) {
	p, other := c.plan.Period, c.plan.Other
	all := analysis.Intervals(step, p)
	first, last := analysis.Interval(step, p.From.Time()), analysis.Interval(step, p.To.Time())
	if possible = first; last != first {
		possible += " … " + last
	}
	possible += c.Pickf(" (период %s)", " (the period is %s)", wording.Span(p, c.Lang))
	var before []tool.Period
	if c.plan.Compares() && (other.To < p.From || other.From > p.To) {
		before = analysis.Intervals(step, other)
	}
	return func(s string) []string {
		named, ok := values.ReadInterval(step, s)
		if !ok {
			return nil
		}
		keys := append([]string{}, named.Keys(p)...)
		for i, in := range all[:min(len(all), len(before))] {
			if slices.Contains(keys, analysis.Interval(step, in.From.Time())) {
				keys = append(keys, analysis.Interval(step, before[i].From.Time()))
			}
		}
		return keys
	}, possible
}

// units returns the names of the account's units of measure; nil if the employee may not see them.
func (c *call) units(ctx context.Context) ([]string, error) {
	list, err := c.UnitList(ctx)
	if msapi.IsForbidden(err) {
		return nil, nil
	}
	names := make([]string, len(list))
	for i, u := range list {
		names[i] = u.Name
	}
	return names, err
}

// tags resolves a condition on the tags of counterparties.
func (c *call) tags(f *analysis.Filter) error {
	switch f.Op {
	case analysis.Equal, analysis.NotEqual, analysis.In, analysis.NotIn:
	default:
		return nil
	}
	f.IDs = map[string]bool{}
	for _, v := range f.Values {
		f.IDs[wording.Fold(string(v))] = true
	}
	return c.taggable()
}

// taggable refuses conditions on a tag that no counterparty has, once all counterparties are known.
func (c *call) taggable() error {
	list, known := c.KnownCounterparties()
	if !c.plan.Uses(measures.DimTag) || !known || len(list) >= account.MostCounterparties {
		return nil
	}
	tags := map[string]bool{}
	for _, x := range list {
		for _, t := range x.Tags {
			tags[wording.Fold(t)] = true
		}
	}
	all := slices.Sorted(maps.Keys(tags))
	for _, f := range c.plan.Facts {
		for tag := range f.IDs {
			if f.Field == measures.DimTag && !tags[tag] {
				return account.Invalid("where", c.Pickf("группы контрагентов «%s» нет; есть: %s",
					"no counterparty has the tag “%s”; there are: %s", tag,
					strings.Join(all[:min(len(all), mostNamed)], ", ")))
			}
		}
	}
	return nil
}
