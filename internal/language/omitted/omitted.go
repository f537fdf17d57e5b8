// Package omitted compares what a task says with what the call chosen for it asks for: the typed parts that the call
// does not represent, whichever skill was chosen (rule R345). Nothing that means something may disappear silently.
package omitted

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Call is what a reading executes.
type Call struct {
	Tool  string          // without the connector's prefix
	Query *analysis.Query // what the call asks for; nil if no query says it
	Shows []string        // measures that the tool shows whatever is asked
	List  string          // of a list of the account: the dimension whose values it shows
	Free  bool            // the query was put together from the parts

	Catalogue *analysis.Catalogue
}

// Parts returns those parts of a task that a call does not represent.
func Parts(of []typed.Part, c Call) (list []typed.Part) {
	for i := range of {
		if !c.represents(&of[i]) {
			list = append(list, of[i])
		}
	}
	return list
}

func (c *Call) represents(p *typed.Part) bool {
	switch p.Kind {
	case typed.PartWho:
		return c.over(persons) || showsPersons[c.Tool] || c.listOf(persons) ||
			c.amongStores() // "Мира и Лесная, кто больше продал"
	case typed.PartWhere:
		return c.over(places) || showsPlaces[c.Tool] || c.listOf(places) ||
			c.over(agents) && c.measures(purchased) || // "где дешевле брать", "где берём сахар"
			c.Free && c.over(times) && len(c.Query.Order) > 0 // the month that is lowest
	case typed.PartWay:
		return c.over(places) || c.over(persons) || showsPlaces[c.Tool] || c.listOf(places)
	case typed.PartWhen:
		return c.over(times) || showsTimes[c.Tool] || c.measures(dates)
	}
	if c.Tool == "money" && p.Of == typed.Cash {
		return true // by its place
	}
	if c.Query == nil {
		return c.listed(p)
	}
	if c.dividesBy(p) {
		return true
	}
	switch p.Kind {
	case typed.PartRows:
		return c.shows(p.ID)
	case typed.PartBy:
		return c.over(map[string]bool{p.ID: true}) || agents[p.ID] && c.over(agents) ||
			p.ID == "day" && c.over(map[string]bool{"weekday": true}) ||
			goods[p.ID] && slices.ContainsFunc(c.Query.By, func(d string) bool { return goods[d] })
	case typed.PartOrder:
		return c.Query.InStores() || p.Time && c.Free && c.measures(paces) || c.ordered(p.ID) && (!p.Time || !c.Free ||
			c.unit(tool.UnitDays, tool.UnitDate) || c.over(times) || c.measures(speeds) ||
			slices.ContainsFunc(c.Query.Order, func(o analysis.Order) bool { return o.Change }))
	case typed.PartCompare:
		return c.defines("stock_change") || c.Free && c.composed(p) || !c.Free && c.Query.Compare != nil &&
			(p.ID == "" || c.Query.Compare.With == analysis.Relative(p.ID) || c.Query.Compare.From != "") ||
			!c.Free && p.ID == "" && !p.Changes && slices.ContainsFunc(c.Query.By, func(by string) bool {
				return by == "sales_channel" || persons[by] || // "сравни менеджеров по прибыли"
					slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool {
						return w.Field == by && w.Op == analysis.In && len(w.Values) > 1 // "чай против кофе"
					})
			})
	case typed.PartShare:
		return c.Query.Share || c.Free && c.composed(p)
	case typed.PartWhy:
		return c.Query.Explain || c.Query.Compare != nil
	case typed.PartTrend:
		return c.over(times) || c.defines("stock_change")
	case typed.PartWeekday:
		return c.over(map[string]bool{"weekday": true})
	case typed.PartHour:
		return c.over(map[string]bool{"hour": true})
	case typed.PartCondition:
		return c.Free && (c.composed(p) || p.Of == typed.InUnits && c.limitsPrices()) ||
			(c.Tool == "stock" || c.Tool == "stock_age") &&
				(len(c.Query.Where) > 0 || p.Of == typed.InUnits) || c.Tool == "stock_by_store" &&
			p.Of == typed.InUnits
	case typed.PartMeasure:
		return c.Query.InStores() || p.ID == "average_receipt" && c.defines("average_document") ||
			p.ID == "revenue_per_day" && slices.Contains(c.Query.By, "day") ||
			c.Free && c.composed(p) || !c.Free && (c.shown(p.ID) || p.ID == "sale_price" &&
			c.measures(worth) || // "сколько стоит весь склад"
			stands(p.ID, "balance") && c.measures(moneyNow)) // "остаток по счёту"
	case typed.PartNumber:
		return c.Free && c.composed(p) || !c.Free && (!ofReports[c.Tool] || c.has(p))
	default:
		return !c.Free || c.composed(p)
	}
}

// amongStores reports whether the rows are of several warehouses that the query names.
func (c *Call) amongStores() bool {
	rows := c.over(map[string]bool{"store": true})
	return rows && slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool {
		return w.Field == "store" && w.Op == analysis.In && len(w.Values) > 1
	})
}

// paces say how fast goods sell: "how fast do toys sell" (rule R1123).
var paces = words.Set("pace days_of_cover")

// defines reports whether a query has a measure of its own.
func (c *Call) defines(name string) bool {
	return slices.ContainsFunc(c.Query.Define, func(d analysis.Definition) bool { return d.Name == name })
}

// limitsPrices reports whether a query has a condition on a price, which is that of a piece: "от 5 тысяч за штуку".
func (c *Call) limitsPrices() bool {
	return slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool {
		return strings.Contains(w.Field, "price")
	})
}

// ofReports are tools whose only number is that of rows.
var ofReports = words.Set("profitability sales_trend")

// listed reports whether a tool that no query stands for represents a part.
func (c *Call) listed(p *typed.Part) bool {
	switch {
	case c.Tool == "reference":
		return p.Kind == typed.PartBy && c.listOf(map[string]bool{p.ID: true}) || p.Kind == typed.PartMeasure
	case c.Tool != "shortages" && c.Tool != "overdue_orders":
		return p.Kind != typed.PartBy || columns[c.Tool] == nil || columns[c.Tool][p.ID]
	}
	switch p.Kind {
	case typed.PartMeasure:
		return c.shown(p.ID) || c.Tool == "shortages" && buying[p.ID] // "что нужно закупить"
	case typed.PartOrder, typed.PartShare, typed.PartWhy, typed.PartTrend, typed.PartCompare,
		typed.PartWeekday, typed.PartHour:
		return false
	case typed.PartBy:
		return columns[c.Tool][p.ID]
	default:
		return true
	}
}

// listOf reports whether the call is a list of what one of the dimensions has.
func (c *Call) listOf(dimensions map[string]bool) bool {
	return c.Tool == "reference" && (dimensions[c.List] || agents[c.List] && (dimensions["supplier"] ||
		dimensions["counterparty"]))
}

// over reports whether the query shows or selects by one of the dimensions.
func (c *Call) over(dimensions map[string]bool) bool {
	return c.Query != nil && (slices.ContainsFunc(c.Query.By, func(d string) bool { return dimensions[d] }) ||
		slices.ContainsFunc(c.Query.Where, func(w analysis.Condition) bool { return dimensions[w.Field] }))
}

// measures reports whether the query has one of the measures.
func (c *Call) measures(set map[string]bool) bool {
	return c.Query != nil && slices.ContainsFunc(c.Query.Measures, func(m string) bool { return set[m] })
}

// shown reports whether all of the measures are shown or a condition is on them.
func (c *Call) shown(ids string) bool {
	for id := range strings.FieldsSeq(ids) {
		if !slices.Contains(c.Shows, id) && (c.Query == nil || !slices.ContainsFunc(c.Query.Where,
			func(w analysis.Condition) bool { return w.Field == id })) {
			return false
		}
	}
	return true
}

// ordered reports whether the rows have an order in a direction. Debts and old stock come with the greatest first.
func (c *Call) ordered(direction string) bool {
	q := c.Query
	switch {
	case len(q.Order) > 0:
		return true
	case c.Tool == "receivables" || c.Tool == "stock_age":
		return direction != string(analysis.Ascending)
	}
	return c.Free && (q.Compare != nil || q.Explain || q.Limit > 0)
}

var (
	persons = words.Set("counterparty supplier employee legal_entity tag rfm document")
	places  = words.Set("store sales_channel account expense_item group country")
	times   = words.Set("day week month quarter year weekday hour document")
	goods   = words.Set("product variant abc xyz group kind price_band")
	dates   = words.Set("last_sale last_purchase latest_sale first_sale expected_on days_since days_since_sale " +
		"days_of_cover overdue_days supplier_overdue_days debt_age our_debt_age days_in_stock")
	buying   = words.Set("purchases ordered orders purchase_orders revenue")
	moneyNow = words.Set("balance")
	worth    = words.Set("stock_cost stock_cost_at_end")
	agents   = words.Set("supplier counterparty")

	purchased = words.Set("purchase_price last_purchase_price purchases quantity_received")
	speeds    = words.Set("quantity pace turnover") // what sells "fastest"
	// the columns of tools that no query stands for
	columns = map[string]map[string]bool{"shortages": words.Set("product supplier"),
		"overdue_orders": words.Set("document counterparty"),
		"documents":      words.Set("document counterparty supplier store employee state legal_entity day account"),
		"find_products":  words.Set("product group"), "turnover": words.Set("product variant")}

	showsPersons = words.Set("receivables counterparty documents document overdue_orders product")
	showsPlaces  = words.Set("stock_by_store documents document product counterparty money")
	showsTimes   = words.Set("documents document product counterparty forecast shortages overdue_orders")
)
