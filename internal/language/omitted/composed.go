package omitted

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// composed reports whether a query that was put together from the parts of a task has one of them (rule R348). That a
// part was taken up while the query was made is not enough: what was made of it must be in the query that is executed.
func (c *Call) composed(p *typed.Part) bool {
	q := c.Query
	switch p.Kind {
	case typed.PartMeasure:
		return c.about(p.ID)
	case typed.PartCompare:
		return c.compares(p)
	case typed.PartShare:
		return q.Share || q.Cumulative || c.unit(tool.UnitPercent) ||
			q.Compare != nil && len(q.By) == 1 && times[q.By[0]]
	case typed.PartNumber:
		return c.has(p)
	case typed.PartName:
		return c.selects(p.Meanings) || p.Out && c.leavesOut(p.Meanings)
	case typed.PartBoth:
		return c.shows(p.ID)
	case typed.PartApart:
		return len(q.By) > 0
	case typed.PartEach:
		return q.LimitEach > 0 || q.Limit == 0 || len(q.By) < 2 && p.ID == ""
	case typed.PartPeriod:
		return c.within(p)
	case typed.PartCondition:
		return c.limits(p)
	default:
		return true
	}
}

// dividesBy reports whether the query divides by the number of the intervals that a part names: "в среднем в неделю"
// (rule R1057).
func (c *Call) dividesBy(p *typed.Part) bool {
	if !slices.ContainsFunc(c.Query.Define, func(d analysis.Definition) bool {
		return strings.HasPrefix(d.Name, "on_average")
	}) {
		return false
	}
	const longest = 92
	return p.Kind == typed.PartBy && times[p.ID] && !slices.Contains(c.Query.By, p.ID) ||
		p.Kind == typed.PartPeriod && p.Period != nil && p.Period.To.Sub(p.Period.From).Hours() < 24*longest
}

// shows reports whether the rows are of a dimension.
func (c *Call) shows(dimension string) bool {
	return slices.Contains(c.Query.By, dimension) || agents[dimension] && slices.ContainsFunc(c.Query.By,
		func(d string) bool { return agents[d] })
}

// compares reports whether a comparison is in the query: with another period, or of rows.
func (c *Call) compares(p *typed.Part) bool {
	q := c.Query
	switch {
	case q.Compare != nil:
		return p.ID == "" || q.Compare.With == analysis.Relative(p.ID) || q.Compare.From != ""
	case p.ID != "":
		return c.shows("year")
	case p.Changes:
		return c.over(times)
	}
	return len(q.By) > 0 || len(q.Measures) > 1
}

// unit reports whether one of the measures has a unit.
func (c *Call) unit(list ...tool.Unit) bool {
	return slices.ContainsFunc(c.Query.Define, func(d analysis.Definition) bool {
		return slices.Contains(list, tool.Unit(d.Unit))
	}) || slices.ContainsFunc(c.measuresAndConditions(), func(name string) bool {
		m, ok := c.Catalogue.Measure(name)
		return ok && slices.Contains(list, m.Unit)
	})
}

func (c *Call) measuresAndConditions() []string {
	list := slices.Clone(c.Query.Measures)
	for _, w := range c.Query.Where {
		list = append(list, w.Field)
	}
	for _, o := range c.Query.Order {
		list = append(list, o.Field)
	}
	return list
}

// ofDefined returns the names in the formulas that the query defines.
func (c *Call) ofDefined() (list []string) {
	for _, d := range c.Query.Define {
		list = append(list, strings.FieldsFunc(d.Formula, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r)
		})...)
	}
	return list
}

// about reports whether the figures that a word stands for are in the query, perhaps as those that are made of them: a
// price of a sum, days of a date. Words such as "sold" also stand beside other figures of the same documents.
func (c *Call) about(ids string) bool {
	list := append(c.measuresAndConditions(), c.ofDefined()...)
	for id := range strings.FieldsSeq(ids) {
		if !slices.ContainsFunc(list, func(m string) bool { return m == id || stands(id, m) }) {
			return false
		}
	}
	return true
}

// has reports whether a number is in the query: as a bound, a number of rows or of days, or a part of the whole.
func (c *Call) has(p *typed.Part) bool {
	q := c.Query
	n, err := decimal.Parse(p.ID)
	if err != nil || p.Unit == words.Days && c.Free && (q.From != "" || q.Compare != nil) {
		return true
	}
	if inPeriod(q.From, q.To, p.ID) || q.Compare != nil && inPeriod(q.Compare.From, q.Compare.To, p.ID) {
		return true
	}
	rows := q.Limit + q.LimitEach
	if rows > 0 && n.Cmp(decimal.FromInt(int64(rows))) == 0 || q.Cumulative || c.reckonsWith(p.ID) {
		return true
	}
	return slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
		var bounds []decimal.Decimal
		for _, v := range w.Values {
			if b, err := decimal.Parse(string(v)); err == nil {
				bounds = append(bounds, b)
			} else if _, ofRows := c.Catalogue.Measure(w.Field); ofRows {
				return true // a date
			} else if strings.Contains(string(v), p.ID) {
				return true
			}
		}
		return slices.ContainsFunc(bounds, func(b decimal.Decimal) bool {
			if w.Field == "days_of_cover" && slices.ContainsFunc(unitDays, func(u int64) bool {
				return b.Cmp(n.Mul(decimal.FromInt(u))) == 0
			}) {
				return true // "месяца три"
			}
			return b.Abs().Cmp(n) == 0 || c.ofRange(w) && b.Cmp(n.Mul(decimal.FromInt(1000))) == 0
		}) ||
			w.Op == analysis.Between && len(bounds) == 2 && bounds[0].Cmp(n) <= 0 && n.Cmp(bounds[1]) <= 0
	})
}

// unitDays are the days of a week, a month, a quarter and a year.
var unitDays = []int64{7, 30, 91, 365}

// ofRange reports whether a condition is one end of a range, of which only the other may name the thousands: "больше
// 10, но меньше 50 тысяч".
func (c *Call) ofRange(w analysis.Condition) bool {
	return slices.ContainsFunc(c.Query.Where, func(o analysis.Condition) bool {
		return o.Field == w.Field && o.Op != w.Op
	})
}

// reckonsWith reports whether a number is in a formula of the query.
func (c *Call) reckonsWith(n string) bool {
	return slices.ContainsFunc(c.Query.Define, func(d analysis.Definition) bool {
		return slices.Contains(strings.Fields(d.Formula), n)
	})
}

// inPeriod reports whether a number is the year of a period, or its length in days.
func inPeriod(from, to tool.Day, n string) bool {
	if from == "" || to == "" {
		return false
	}
	days := int(to.Time().Sub(from.Time()).Hours()/24) + 1
	return strings.HasPrefix(string(from), n+"-") || strconv.Itoa(days) == n
}

// selects reports whether a name is a value of a condition, or the rows show all values of its dimension.
func (c *Call) selects(meanings []connector.Name) bool {
	return slices.ContainsFunc(meanings, func(n connector.Name) bool {
		of := typed.DimensionOf(n.Kind)
		if c.shows(of) && len(c.Query.Where) == 0 {
			return true
		}
		return slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool {
			return w.At != "" && (w.At == n.ID || w.At == n.Name) || slices.ContainsFunc(w.Values, func(
				v analysis.Scalar) bool {
				return string(v) == n.ID || string(v) == n.Name ||
					w.Field == "tag" && strings.Contains(strings.ToLower(n.Name), string(v))
			})
		}) || c.shows(of) && c.Query.Share
	})
}

// leavesOut reports whether the query is limited to other goods than those of a name.
func (c *Call) leavesOut(meanings []connector.Name) bool {
	return slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool {
		return w.Op == analysis.In && slices.ContainsFunc(meanings, func(n connector.Name) bool {
			return typed.DimensionOf(n.Kind) == w.Field
		})
	}) && !c.selects(meanings)
}

// within reports whether a period of the task is one of those of the query. Figures of now have today.
func (c *Call) within(p *typed.Part) bool {
	q := c.Query
	switch {
	case p.Period == nil || p.Period.From.IsZero(), q.Compare != nil, c.over(times), c.dated():
		return true
	case q.From != "" && c.defines("stock_change") && tool.DayOf(p.Period.To.AddDate(0, 0, 1)) == q.From:
		return true // stock of a day and of a later one
	case q.From != "" && q.From[4:] == tool.DayOf(p.Period.From)[4:]: // of the year that stands beside it
		return true
	case p.Period.LastDays && q.From == tool.DayOf(p.Period.From.AddDate(0, 0, -7)): // before what was shown
		return true
	case q.From != "":
		return tool.DayOf(p.Period.To) >= q.From && tool.DayOf(p.Period.From) <= q.To
	}
	return p.Period.To.Sub(p.Period.From).Hours() <= 24
}

// dated reports whether a condition of the query is on a date or a number of days.
func (c *Call) dated() bool {
	return slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool {
		m, ok := c.Catalogue.Measure(w.Field)
		return ok && (m.Unit == tool.UnitDate || m.Unit == tool.UnitDays)
	})
}

// limits reports whether what a word such as "without" or "on average" asks for is in the query.
func (c *Call) limits(p *typed.Part) bool {
	switch p.Of {
	case typed.InMoney:
		return c.unit(tool.UnitMoney)
	case typed.InUnits:
		return c.unit(tool.UnitQuantity, tool.UnitCount)
	case typed.PerDay:
		return c.averages() || c.shows("day")
	case typed.Average:
		return c.averages() || len(c.Query.By) > 0
	case typed.Nonzero, typed.Negative, typed.Losing, typed.BelowCost:
		return c.bounds()
	case typed.Except, typed.Absent:
		return len(c.Query.Where) > 0 || c.about("sales") || c.unit(tool.UnitDays, tool.UnitDate)
	default:
		return true
	}
}

// averages reports whether one of the figures does not add up: an average, a rate, a price.
func (c *Call) averages() bool {
	return len(c.Query.Define) > 0 || slices.ContainsFunc(c.Query.Measures, func(name string) bool {
		m, ok := c.Catalogue.Measure(name)
		return ok && (!m.Adds || strings.HasSuffix(name, "_per_day") || name == "pace")
	})
}

// bounds reports whether the query has a condition on a measure.
func (c *Call) bounds() bool {
	return slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool {
		_, ok := c.Catalogue.Measure(w.Field)
		return ok
	})
}

// stands reports whether a measure may be what a word for another one comes to.
func stands(id, m string) bool {
	for _, set := range families {
		if set.words[id] && set.figures[m] {
			return true
		}
	}
	return false
}

// family is a set of words that are said of any of a set of figures.
type family struct{ words, figures map[string]bool }

var families = []family{
	{words.Set("revenue sales quantity receipts purchases pace days_since days_since_sale last_sale sale_price " +
		"orders"), words.Set("revenue sales quantity receipts average_receipt average_price lines_per_receipt discount " +
		"cost profit margin markup pace revenue_per_day profit_per_day receipts_per_day last_sale latest_sale " +
		"first_sale days_since days_since_sale purchases_sum purchases_count returns return_rate " +
		"quantity_returned sale_price price_minus_cost price_markup orders_sum")},
	{words.Set("profit margin markup"), words.Set("profit margin markup profit_per_day price_markup " +
		"price_minus_cost stock_price")},
	{words.Set("purchases quantity_received deliveries receipts revenue quantity ordered purchase_orders " +
		"sale_price " +
		"purchase_price last_purchase card_purchase_price last_purchase_price open_orders expected_on"),
		words.Set("purchases quantity_received deliveries purchase_price last_purchase last_purchase_price " +
			"card_purchase_price ordered purchase_orders not_received open_orders expected_on in_transit " +
			"supplier_overdue_days unit_cost")},
	{words.Set("stock stock_cost free stock_at_start stock_at_end income outcome quantity sale_price cost " +
		"days_in_stock balance"),
		words.Set("stock stock_cost stock_price free reserve available in_transit days_in_stock minimum shortage " +
			"stock_at_start stock_at_end stock_cost_at_start stock_cost_at_end income outcome income_cost outcome_cost " +
			"days_of_cover pace turnover")},
	{words.Set("balance money_in money_out net_flow income outcome purchases"),
		words.Set("balance money_in money_out net_flow owed_to_us owed_by_us unpaid stock_cost revenue profit " +
			"purchases_sum")},
	{words.Set("owed_to_us owed_by_us debt_age our_debt_age"),
		words.Set("owed_to_us owed_by_us debt_age our_debt_age unpaid")},
	{words.Set("orders orders_sum unshipped unpaid reserved ordered revenue overdue_days reserve receipts"),
		words.Set("orders orders_sum unshipped unpaid reserved overdue_days reserve open_orders not_received " +
			"purchase_orders ordered expected_on supplier_overdue_days")},
	{words.Set("days_since days_since_sale"), words.Set("days_of_cover")}, // "можно не заказывать"
	{words.Set("reserve"), words.Set("free")},                             // "свободно без резервов"
	{words.Set("latest_sale last_sale"), words.Set("last_purchase")},      // "у кого последний раз брали"
	{words.Set("money_in receipts"), words.Set("deliveries")},             // "receipts by supplier"
	{words.Set("money_out"), words.Set("last_purchase_price")},            // "сколько платили за рис"
	{words.Set("balance"), words.Set("stock_cost")},                       // "сколько денег в сладостях"
	{words.Set("stock stock_cost free"), words.Set("balance")},            // "остаток по счёту"
	{words.Set("cost"), words.Set("cost unit_cost stock_cost stock_price price_minus_cost profit margin")},
	{words.Set("returns quantity_returned return_rate quantity"),
		words.Set("returns quantity_returned return_rate sales")},
	{words.Set("written_off quantity_written_off quantity"), words.Set("written_off quantity_written_off")},
	{words.Set("surplus quantity_surplus quantity"), words.Set("surplus quantity_surplus")},
	{words.Set("transferred quantity_transferred quantity"), words.Set("transferred quantity_transferred")},
	{words.Set("inventory_difference quantity_inventory_difference quantity"),
		words.Set("inventory_difference quantity_inventory_difference surplus written_off")},
	{words.Set("average_receipt receipts_per_day"), words.Set("average_document on_average")},
	{words.Set("first_sale purchases_sum purchases_count latest_sale"),
		words.Set("first_sale purchases_sum purchases_count latest_sale days_since receipts revenue")},
}
