package prices

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// A goal says what new prices should be; a condition says which goods get one. A condition is tested on the figures as
// they are now. One that cannot be tested is an error that says why, never a condition that is left out (rule R261).

// goodsCondition selects goods by one of their figures.
type goodsCondition struct {
	Field  goodsFigure       `json:"field"`
	Op     analysis.Op       `json:"op" jsonschema:"days_without_sale: >="`
	Values []analysis.Scalar `json:"values,omitempty" jsonschema:"numbers; two for between"`
}

// goodsFigure is a figure of a good that a condition tests.
type goodsFigure string

// The figures. Amounts are in the account currency, margin and markup in percent; stock is that of all warehouses.
const (
	figurePrice    goodsFigure = "price"
	figureCost     goodsFigure = "cost"
	figurePurchase goodsFigure = "purchase_price"
	figureMargin   goodsFigure = "margin"
	figureMarkup   goodsFigure = "markup"
	figureStock    goodsFigure = "stock"
	figureFree     goodsFigure = "free"
	figureAge      goodsFigure = "days_in_stock"
	figureUnsold   goodsFigure = "days_without_sale"
)

var figureTitles = map[goodsFigure]tool.Text{
	figurePrice: {RU: "нынешняя цена", EN: "present price"}, figureCost: {RU: "себестоимость", EN: "cost"},
	figurePurchase: {RU: "закупочная цена", EN: "purchase price"},
	figureMargin:   {RU: "нынешняя маржа, %", EN: "present margin, %"},
	figureMarkup:   {RU: "нынешняя наценка, %", EN: "present markup, %"},
	figureStock:    {RU: "остаток", EN: "stock"}, figureFree: {RU: "свободный остаток", EN: "free stock"},
	figureAge:    {RU: "дней на складе", EN: "days in stock"},
	figureUnsold: {RU: "дней без продаж", EN: "days without a sale"},
}

// Schema lists the figures.
func (goodsFigure) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("price: of the price type; cost: else the purchase price; stock: of all warehouses", figurePrice, figureCost,
		figurePurchase, figureMargin, figureMarkup, figureStock, figureFree, figureAge, figureUnsold)
}

// goodsFigures are what conditions test, by good.
type goodsFigures struct {
	stock map[msapi.Key]msapi.StockRow
	sold  map[int]shortage.Sales // by the number of days of a condition
	under map[msapi.Key][]msapi.Key
}

// checkWhere rejects conditions that mean nothing.
func (w *proposal) checkWhere() error {
	for _, c := range w.in.Where {
		bad := func(ru, en string) error {
			return account.Invalid("where", string(c.Field)+": "+w.Pick(ru, en))
		}
		numbers := 1
		switch c.Op {
		case analysis.Equal, analysis.NotEqual, analysis.Less, analysis.LessEqual, analysis.Greater,
			analysis.GreaterEqual:
		case analysis.Between:
			numbers = 2
		case analysis.IsEmpty, analysis.IsNotEmpty:
			numbers = 0
		default:
			return bad("так условие на число не задать; есть = != < <= > >= between is_empty is_not_empty",
				"not an operator for numbers; there are = != < <= > >= between is_empty is_not_empty")
		}
		if len(c.Values) != numbers {
			return bad(fmt.Sprintf("для %s нужно чисел: %d", c.Op, numbers),
				fmt.Sprintf("%s takes %d numbers", c.Op, numbers))
		}
		for _, v := range c.Values {
			if _, err := decimal.Parse(string(v)); err != nil {
				return bad("нужно число", "a number is needed")
			}
		}
		if c.Op == analysis.Between && c.number(1).Less(c.number(0)) {
			return bad("нижняя граница больше верхней", "the lower bound is above the upper one")
		}
		if c.Field != figureUnsold {
			continue
		}
		days, err := strconv.Atoi(string(slices.Concat(c.Values, []analysis.Scalar{""})[0]))
		if c.Op != analysis.GreaterEqual || err != nil || days < 1 || days > 3650 {
			return bad("только >= и целое число дней от 1 до 3650", "only >= with a whole number of days, 1 to 3650")
		}
	}
	return nil
}

// number returns a value of a checked condition.
func (c goodsCondition) number(i int) decimal.Decimal { return decimal.MustParse(string(c.Values[i])) }

// tests reports whether a condition uses one of the figures.
func (w *proposal) tests(figures ...goodsFigure) bool {
	return slices.ContainsFunc(w.in.Where, func(c goodsCondition) bool { return slices.Contains(figures, c.Field) })
}

// readFigures reads what the conditions test, beside prices and costs.
func (w *proposal) readFigures(ctx context.Context) error {
	if !w.tests(figureUnsold) {
		return nil
	}
	w.figures.sold = map[int]shortage.Sales{}
	for _, c := range w.in.Where {
		if c.Field != figureUnsold {
			continue
		}
		days, _ := strconv.Atoi(string(c.Values[0])) // checked
		if w.figures.sold[days] != nil {
			continue
		}
		today := account.Today(w.Env)
		sold, source, err := shortage.ReadSales(ctx, w.Call, tool.Period{From: today.Add(1 - days), To: today})
		if err != nil {
			return err
		}
		if source == shortage.RateUnknown {
			return w.untestable(figureUnsold, account.SectionProfit)
		}
		w.figures.sold[days] = sold
	}
	return nil
}

// untestable asks for other conditions, because the employee may not see a figure.
func (w *proposal) untestable(f goodsFigure, section tool.Text) error {
	return account.Invalid("where", w.Pickf("условие «%s» проверить нельзя: у сотрудника нет права «%s»",
		"the condition on “%s” cannot be tested: the employee lacks the right “%s”", figureTitles[f].In(w.Lang),
		section.In(w.Lang))).WithHint("%s", w.Pick(
		"уберите это условие, назовите товары сами или дайте сотруднику право",
		"leave this condition out, name the goods yourself, or give the employee the right"))
}

// choose keeps the goods that meet every condition. Goods of which a figure is unknown are left out and named.
func (w *proposal) choose() error {
	if len(w.in.Where) == 0 {
		return nil
	}
	hidden := map[goodsFigure]tool.Text{}
	if !w.Rights.Has(account.RightCost) && !slices.ContainsFunc(w.goods, func(g *catalogue.Card) bool {
		return w.figure(g, figureCost).Known
	}) {
		for _, f := range []goodsFigure{figureCost, figurePurchase, figureMargin, figureMarkup} {
			hidden[f] = account.SectionCost
		}
	}
	if w.figures.stock == nil {
		for _, f := range []goodsFigure{figureStock, figureFree, figureAge} {
			hidden[f] = account.SectionStock
		}
	}
	for _, c := range w.in.Where {
		if section, ok := hidden[c.Field]; ok && len(w.goods) > 0 {
			return w.untestable(c.Field, section)
		}
	}
	w.considered = len(w.goods)
	unknown := map[goodsFigure][]string{}
	w.goods = slices.DeleteFunc(w.goods, func(g *catalogue.Card) bool {
		var untested []goodsFigure
		for _, c := range w.in.Where {
			switch met, known := w.meets(g, c); {
			case !known:
				untested = append(untested, c.Field)
			case !met:
				return true
			}
		}
		for _, f := range untested {
			unknown[f] = append(unknown[f], g.Name)
		}
		return len(untested) > 0
	})
	for _, c := range w.in.Where {
		names := unknown[c.Field]
		delete(unknown, c.Field)
		if len(names) > 0 {
			title := figureTitles[c.Field]
			w.Noticef(tool.NoticePartial, "%s: неизвестно, условие не проверить, не меняются (%d): %s.",
				"%s: not known, the condition cannot be tested, not changed (%d): %s.",
				wording.Upper(title.In(w.Lang)), len(names), w.ListNames(names))
		}
	}
	return nil
}

// meets reports whether a good meets a condition; known is false if its figure is unknown.
func (w *proposal) meets(g *catalogue.Card, c goodsCondition) (met, known bool) {
	if c.Field == figureUnsold {
		days, _ := strconv.Atoi(string(c.Values[0])) // checked
		return !slices.ContainsFunc(w.itself(g), func(k msapi.Key) bool {
			_, sold := w.figures.sold[days][k]
			return sold
		}), true
	}
	x := w.figure(g, c.Field)
	switch c.Op {
	case analysis.IsEmpty:
		return !x.Known, true
	case analysis.IsNotEmpty:
		return x.Known, true
	}
	if !x.Known {
		return false, false
	}
	by := x.Cmp(c.number(0))
	switch c.Op {
	case analysis.Equal:
		return by == 0, true
	case analysis.NotEqual:
		return by != 0, true
	case analysis.Less:
		return by < 0, true
	case analysis.LessEqual:
		return by <= 0, true
	case analysis.Greater:
		return by > 0, true
	case analysis.GreaterEqual:
		return by >= 0, true
	}
	return by >= 0 && x.Cmp(c.number(1)) <= 0, true // between
}

// itself returns the good and, for a product, its variants: their stock and sales are the product's.
func (w *proposal) itself(g *catalogue.Card) []msapi.Key {
	return append([]msapi.Key{g.ID.Key()}, w.figures.under[g.ID.Key()]...)
}

// figure returns a figure of a good, unknown if it is not set or not visible.
func (w *proposal) figure(g *catalogue.Card, f goodsFigure) decimal.Maybe {
	switch f {
	case figurePurchase:
		if buy, of := g.Buy(); buy.Known {
			return w.inAccountCurrency(buy.Decimal, of)
		}
		return decimal.Maybe{}
	case figureStock, figureFree, figureAge:
		return w.stockFigure(g, f)
	}
	present := w.present(g)
	price := decimal.Maybe{}
	if present.Value.Known && present.Value.Sign() > 0 {
		price = w.inAccountCurrency(present.Value.Major(), present.Currency)
	}
	cost, from, _ := w.costOf(g)
	if cost.Known {
		cost = w.inAccountCurrency(cost.Decimal, from)
	}
	switch {
	case f == figurePrice:
		return price
	case f == figureCost:
		return cost
	case !price.Known || !cost.Known:
		return decimal.Maybe{}
	case f == figureMargin:
		return account.Share(price.Sub(cost.Decimal), price.Decimal)
	}
	return account.Share(price.Sub(cost.Decimal), cost.Decimal)
}

// stockFigure adds up the stock of a good and its variants; the age is the greatest.
func (w *proposal) stockFigure(g *catalogue.Card, f goodsFigure) decimal.Maybe {
	var sum decimal.Maybe
	for _, k := range w.itself(g) {
		r, there := w.figures.stock[k]
		of := r.Stock
		switch f {
		case figureFree:
			if of = (decimal.Maybe{}); r.Stock.Known {
				of = decimal.Some(r.Stock.Sub(r.Reserve.Decimal))
			}
		case figureAge:
			of = r.StockDays
		}
		switch {
		case !there || !of.Known:
		case f == figureAge:
			sum = decimal.Some(sum.Max(of.Decimal))
		default:
			sum = decimal.Some(sum.Add(of.Decimal))
		}
	}
	return sum
}

func (w *proposal) inAccountCurrency(amount decimal.Decimal, from msapi.Ref) decimal.Maybe {
	d, ok := w.convert(amount, from, msapi.Ref{})
	return decimal.Maybe{Decimal: d, Known: ok}
}

// leaveOut removes the goods that the arguments except.
func (w *proposal) leaveOut(ctx context.Context) error {
	e := w.in.Except
	if e == nil {
		return nil
	}
	if len(e.Groups)+len(e.Suppliers)+len(e.Products) == 0 {
		return account.Invalid("except", w.Pick("назовите группы, поставщиков или товары",
			"name groups, suppliers or products"))
	}
	var scope [3]account.Filter // each of them is left out, so they do not narrow each other
	for i, args := range []account.GoodsArgs{{Groups: e.Groups}, {Suppliers: e.Suppliers}, {Products: e.Products}} {
		var err error
		aside := w.Aside()
		if scope[i], err = aside.Narrow(ctx, nil, args); err != nil {
			return err
		}
	}
	before := len(w.goods)
	w.goods = slices.DeleteFunc(w.goods, func(g *catalogue.Card) bool {
		root := g.Root()
		return scope[0].Nested[root.Folder.ID] || slices.Contains(scope[1].SupplierIDs(), root.Supplier.ID) ||
			slices.ContainsFunc(scope[2].Goods, func(r msapi.Ref) bool { return r.ID == g.ID || r.ID == root.ID })
	})
	w.excepted = before - len(w.goods)
	return nil
}

// conditionTitles are the figures in the sentence "где …"; the second word is the unit.
var conditionTitles = map[goodsFigure][2]tool.Text{
	figureMargin: {{RU: "нынешняя маржа", EN: "the present margin"}, {RU: " %", EN: "%"}},
	figureMarkup: {{RU: "нынешняя наценка", EN: "the present markup"}, {RU: " %", EN: "%"}},
	figureAge:    {{RU: "на складе", EN: "in stock for"}, {RU: " дней", EN: " days"}},
	figureUnsold: {{RU: "без продаж", EN: "without a sale for"}, {RU: " дней", EN: " days"}},
}

var operatorWords = map[analysis.Op]tool.Text{analysis.Less: {RU: "меньше", EN: "under"},
	analysis.LessEqual: {RU: "не больше", EN: "at most"}, analysis.Greater: {RU: "больше", EN: "over"},
	analysis.GreaterEqual: {RU: "не меньше", EN: "at least"}, analysis.Equal: {RU: "равно", EN: "equal to"},
	analysis.NotEqual: {RU: "не равно", EN: "other than"}}

// conditions describes what was applied beside the goal: "где нынешняя маржа меньше 20 %; кроме группы Посуда (3)".
func (w *proposal) conditions() string {
	var parts []string
	for _, c := range w.in.Where {
		values := make([]string, len(c.Values))
		for i := range c.Values {
			values[i] = tool.FormatQuantity(c.number(i), w.Lang)
		}
		title, unit := figureTitles[c.Field].In(w.Lang), ""
		if t, ok := conditionTitles[c.Field]; ok {
			title, unit = t[0].In(w.Lang), t[1].In(w.Lang)
		}
		switch c.Op {
		case analysis.Between:
			parts = append(parts, w.Pickf("%s от %s до %s%s", "%s from %s to %s%s", title, values[0], values[1], unit))
		case analysis.IsEmpty:
			parts = append(parts, title+w.Pick(" неизвестна", " is unknown"))
		case analysis.IsNotEmpty:
			parts = append(parts, title+w.Pick(" известна", " is known"))
		default:
			parts = append(parts, title+" "+operatorWords[c.Op].In(w.Lang)+" "+strings.Join(values, "")+unit)
		}
	}
	text := ""
	if len(parts) > 0 {
		text = w.Pick("где ", "where ") + strings.Join(parts, w.Pick(" и ", " and "))
	}
	if w.in.Except != nil {
		if text != "" {
			text += "; "
		}
		text += w.Pickf("кроме: %s (%d)", "except: %s (%d)", w.Named(*w.in.Except), w.excepted)
	}
	return text
}
