package analyze

import (
	"errors"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/answer"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// findable refuses conditions that no row can meet, because only goods without a sale in the period would: sales name
// none of them, and they have no last sale in it.
func (c *call) findable() error {
	if !slices.ContainsFunc(c.plan.By, isOfGoods) {
		return nil
	}
	for _, w := range c.plan.Rows {
		switch {
		case w.Op == analysis.IsEmpty && (w.Field == "last_sale" || w.Field == "days_since_sale") &&
			!c.needs(slices.Concat(measures.StockBases, measures.PriceBases)...):
			return account.Invalid("where", c.Pick("товары без продаж видны только рядом с остатком: добавьте stock в "+
				"measures", "goods without sales are found beside their stock: add stock to measures"))
		case w.Field == "days_since_sale" && (w.Op == analysis.Greater || w.Op == analysis.GreaterEqual):
			most := c.plan.Period.Days() - 1 // since a sale on the first day
			if w.Op == analysis.Greater {
				most--
			}
			if at, err := decimal.Parse(string(w.Values[0])); err != nil || at.Cmp(decimal.FromInt(int64(most))) > 0 {
				return account.Invalid("where",
					c.Pick("в периоде столько дней нет: возьмите период длиннее или условие "+
						"last_sale is_empty вместе с показателем stock",
						"the period has fewer days: ask for a longer one, or "+
							"for last_sale is_empty together with the measure stock"))
			}
		}
	}
	return nil
}

// explained checks a query that explains a change (rule R201). By goods, the change of revenue or profit is split into
// the effects of prices and quantities. By anything else, the change of a measure that adds up is split into the
// contributions of the rows.
func (c *call) explained() error {
	if !c.plan.Explain {
		return nil
	}
	first := c.plan.Shown[0]
	switch {
	case len(c.plan.By) == 0:
		return account.Invalid("explain", c.Pick("нужен разрез by, по которому искать причины",
			"needs a breakdown by something that contributes"))
	case answer.ByGoods(c.plan) && !slices.Contains(c.plan.Measures, "quantity"):
		return account.Invalid("explain", c.Pickf("нужно и количество: measures: [\"%s\", \"quantity\"]",
			"needs the quantity, too: measures: [\"%s\", \"quantity\"]", first.Name))
	case !first.Adds:
		return account.Invalid("explain", c.Pickf("«%s» не складывается из частей; объясняется изменение первого из "+
			"measures, например revenue или profit", "“%s” does not add up from parts; the change of the first of "+
			"measures is explained, such as revenue or profit", first.Title.In(c.Lang)))
	}
	return nil
}

// comparable refuses to compare what is only known now: the other period would have the same figures.
func (c *call) comparable() error {
	if !c.plan.Compares() || !c.needs(measures.NowBases...) {
		return nil
	}
	return account.Invalid("compare", c.Pick(
		"остатки, цены, деньги на счетах, долги и невыполненные заказы известны только сейчас, поэтому их не с чем сравнить; "+
			"остаток на дату — stock_at_start, stock_at_end и stock_cost_at_end",
		"stock, prices, balances, debts and open orders are known only as of now, so there is nothing to compare them "+
			"with; stock at a date is stock_at_start, stock_at_end and stock_cost_at_end"))
}

// classable refuses classes by what has no parts of a total. A document counts for each of its goods, so their numbers
// have none either (rule R207).
func (c *call) classable() error {
	if c.plan.Uses(measures.DimXYZ) && len(analysis.SlicesXYZ(c.plan.Period)) == 1 {
		return account.Invalid("from", c.Pick(
			"насколько ровно идут продажи (XYZ), видно не меньше чем за три недели: назовите такой период в from и to",
			"how evenly goods sell (XYZ) takes at least three weeks to see: name such a period by from and to"))
	}
	if m := c.plan.Shown[0]; c.plan.Uses(measures.DimABC) && (!m.Adds || m.Unit == tool.UnitCount) {
		return account.Invalid("measures", c.Pickf(
			"классы ABC — это доли в сумме, а «%s» не складывается; назовите первым показатель вроде revenue, profit или "+
				"quantity", "ABC classes are parts of a sum, and “%s” does not add up; name a measure such as revenue, "+
				"profit or quantity first", m.Title.In(c.Lang)))
	}
	return nil
}

// ErrHidden is the cause of the error of a query with a condition on a figure that the employee may not see.
var ErrHidden = errors.New("a condition on a hidden figure")

// testable refuses conditions on figures that the employee may not see: no row would meet them.
func (c *call) testable() error {
	for _, w := range c.plan.Rows {
		if m, _ := c.catalogue.Measure(w.Field); c.isHidden(m) {
			return c.untestable(m)
		}
	}
	return nil
}

// untestable refuses a condition on a measure that the employee may not see.
func (c *call) untestable(m *analysis.Measure) error {
	err := account.Invalid("where", c.Pickf(
		"сотруднику этого подключения не видно «%s»%s, поэтому такое условие не проверить",
		"the employee of this connection may not see “%s”%s, so this condition cannot be tested",
		m.Title.In(c.Lang), c.without(m)))
	err.Err = ErrHidden
	return err
}

// without names the rights without which a measure is hidden.
func (c *call) without(m *analysis.Measure) string {
	var list []string
	for _, b := range m.Bases {
		if section, ok := c.closedBy[b]; ok && !slices.Contains(list, section.In(c.Lang)) {
			list = append(list, section.In(c.Lang))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return c.Pick(": нет права ", ": the missing right is ") + wording.Quoted(list, c.Lang)
}

// searchable refuses conditions on parts of names that the employee may not see: none would contain anything.
func (c *call) searchable(facts []analysis.Fact) error {
	for i := range c.plan.Facts {
		f := &c.plan.Facts[i]
		if f.Op != analysis.Contains || f.IDs != nil {
			continue
		}
		at := slices.Index(c.fields, f.Field)
		unnamed, named := map[string]bool{}, false
		for _, x := range facts {
			switch k := x.Keys[at]; {
			case k.ID != "" && k.Name == "":
				unnamed[k.ID] = true
			case k.ID != "":
				named = true
			}
		}
		title, right := f.Dimension.Title.In(c.Lang), ""
		if section, ok := c.nameless[f.Field]; ok {
			right = c.Pickf(": нет права «%s»", ": the missing right is “%s”", section.In(c.Lang))
		}
		switch {
		case len(unnamed) == 0:
		case !named:
			return account.Invalid("where", c.Pickf("«%s»: названия сотруднику не видны%s, искать по ним нельзя",
				"“%s”: the employee may not see the names%s, so they cannot be searched", title, right))
		default:
			c.Noticef(tool.NoticePartial, "%s: названия у %d не видны%s; по ним не искалось.",
				"%s: the names of %d are not visible%s; they were not searched.", title, len(unnamed), right)
		}
	}
	return nil
}
