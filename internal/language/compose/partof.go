package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// percentOf shows a part of a sum of money beside it: "премия продавцам 3% от выручки за октябрь" (rule R754).
func (d *draft) percentOf() {
	if d.Previous != nil || len(d.q.Define) > 0 || d.q.Compare != nil {
		return
	}
	for _, it := range d.Items {
		if !is(it, typed.Number) || it.Used || it.End >= len(d.Tokens) {
			continue
		}
		at := it.End
		if percent := isPercent(&d.Tokens[at]); percent {
			at++
		} else if it.Number.Unit != words.Percent {
			continue
		}
		if at >= len(d.Tokens) || !partOf[d.Tokens[at].Norm] {
			continue
		}
		i := slices.IndexFunc(d.Items, func(x *typed.Item) bool { return x.At == at+1 && is(x, typed.Measure) })
		if i < 0 {
			continue
		}
		of := d.Items[i].ID
		if of == "sales" || of == "quantity" {
			of = "revenue"
		}
		m, ok := d.Catalogue.Measure(of)
		if !ok || m.Unit != tool.UnitMoney || !m.Adds || !slices.Contains(d.asked, d.Items[i].ID) {
			continue
		}
		const name = "part_of"
		for _, x := range d.Items {
			x.Used = x.Used || x == it || x.At >= it.End && x.End <= at+1 || x.Kind == typed.Unexplained &&
				rewards[d.Tokens[x.At].Stem]
		}
		if d.shareWord != nil && d.shareWord.At >= it.End && d.shareWord.End <= at+1 {
			d.q.Share, d.shareWord = false, nil
		}
		for _, other := range slices.Clone(d.asked) {
			if other == "margin" || other == "money_out" { // "процента", "зарплата"
				d.remove(other)
			}
		}
		d.replace(d.Items[i].ID, of)
		d.q.Define = []analysis.Definition{{Name: name, Formula: of + " * " + it.Number.Value + " / 100",
			Unit: analysis.Shown(m.Unit), Title: d.title(title(m.Title.RU, 40), title(m.Title.EN, 40)) + " × " +
				it.Number.Value + " %"}}
		d.ask(of, name)
		return
	}
}

func isPercent(t *token.Token) bool {
	return strings.HasPrefix(t.Norm, "процент") || t.Norm == "percent" || t.Norm == "%"
}

var (
	partOf = words.Set("от с со of from")
	// what such a part is paid as
	rewards = token.Stems("премия премии премию бонус бонусы зарплата зарплату зарплаты зп комиссия комиссию " +
		"комиссии вознаграждение отчисления роялти агентские процент надбавка bonus commission salary royalty " +
		"reward")
)

// wholesale reads "оптовые клиенты" and "оптовики" as the customers that have such a tag (rule R755).
func (s *sentence) wholesale() {
	for i, it := range s.Items {
		w := s.Tokens[it.At].Norm
		if it.End == it.At+1 && s.onlyWholesale(w) {
			it.Kind, s.wholesalers = typed.Function, true
			return
		}
		if it.End != it.At+1 || !strings.HasPrefix(w, "оптов") && w != "wholesale" && w != "wholesalers" {
			continue
		}
		var beside *typed.Item
		for k := i + 1; k < len(s.Items) && beside == nil; k++ {
			if s.Items[k].Kind != typed.Function {
				beside = s.Items[k]
			}
		}
		switch {
		case strings.HasPrefix(w, "оптовик") || w == "wholesalers":
			it.Kind, it.ID, it.Plural = typed.Dimension, "counterparty", !strings.HasSuffix(w, "к")
		case is(beside, typed.Dimension) && beside.ID == "counterparty":
			it.Kind = typed.Function
		case is(beside, typed.Measure) && ofWholesale[beside.ID] && beside.At == it.End: // "оптовые продажи"
			it.Kind = typed.Function
		default:
			continue
		}
		s.wholesalers = true
		return
	}
}

// onlyWholesale reports whether a word limits the sales of the answer before to wholesale: "только опт", "а
// оптовики".
func (s *sentence) onlyWholesale(w string) bool {
	const most = 4
	return s.Previous != nil && len(s.Tokens) <= most && ofWholesale[s.Previous.Measures[0]] &&
		(wholesaleWords[w] || strings.HasPrefix(w, "оптовик")) &&
		!slices.ContainsFunc(s.Items, func(it *typed.Item) bool { return it.Kind == typed.Measure })
}

var wholesaleWords = words.Set("опт опта опту оптом опте оптовые оптовых wholesale wholesalers")

// ofWholesale are figures of sales that may be wholesale.
var ofWholesale = words.Set("revenue sales profit margin markup receipts average_receipt quantity returns orders " +
	"orders_sum owed_to_us")

// tagged limits a query to the customers whose tag says that they buy wholesale.
func (d *draft) tagged() {
	if d.wholesalers && len(d.asked) == 0 && slices.Equal(d.q.By, []string{"counterparty"}) { // "оптовые клиенты"
		d.ask("purchases_sum")
	}
	allowed := d.allAllow("tag")
	if d.Previous != nil && len(d.asked) == 0 {
		allowed = allowed && d.allows(d.Previous.Measures[0], "tag")
	}
	if d.wholesalers && allowed {
		d.q.Where = append(d.q.Where, analysis.Condition{Field: "tag", Op: analysis.Contains,
			Values: []analysis.Scalar{"опт"}})
	}
}

// pricesOfSuppliers reads "сравни цены поставщиков на кофе" and "у какого поставщика цена ниже" as what they charge.
func (d *draft) pricesOfSuppliers() {
	has := func(m string) bool { return slices.Contains(d.asked, m) }
	if has("sale_price") && (slices.Equal(d.q.By, []string{"supplier"}) || has("purchase_price")) ||
		has("purchase_price") && len(d.q.By) == 0 && !d.named("counterparty") && d.word(supplierWords) &&
			d.compares {
		d.replace("sale_price", "purchase_price")
		d.q.By, d.compares = []string{"counterparty"}, false
	}
}

// costToBuy reads a noun for buying beside a word for a price of named goods as their purchase price, in any order:
// "сколько стоит кофе в закупке" (rule R886).
func (d *draft) costToBuy() {
	if d.Previous != nil || len(d.periods) > 0 || !slices.Contains(d.asked, "purchases") ||
		!slices.Contains(d.asked, "sale_price") || !d.named("product") && !d.named("group") {
		return
	}
	for _, it := range d.Items {
		if is(it, typed.Joining) {
			return // "цена и закупки"
		}
	}
	d.remove("purchases")
	d.replace("sale_price", "last_purchase_price")
}

// howLongOwed reads "кто должен и сколько дней" as debts and their age.
func (d *draft) howLongOwed() {
	age := map[string]string{"owed_to_us": "debt_age", "owed_by_us": "our_debt_age"}
	if d.Previous != nil || len(d.asked) != 1 || age[d.asked[0]] == "" {
		return
	}
	for _, it := range d.Items {
		if d.Tokens[it.At].Norm != "дней" || it.End != it.At+1 || it.At == 0 ||
			d.Tokens[it.At-1].Norm != "сколько" {
			continue
		}
		it.Used = true
		d.q.By = slices.DeleteFunc(slices.Clone(d.q.By), func(by string) bool { return by == "day" })
		d.ask(age[d.asked[0]])
		return
	}
}

// idleGoods reads "денег в товаре без движения" as what the goods are worth that were not sold.
func (d *draft) idleGoods() {
	if d.Previous != nil || !slices.Contains(d.asked, "days_since_sale") || d.conditioned("days_since_sale") ||
		d.direction != "" || !slices.Contains(d.asked, "stock_cost") && !slices.Contains(d.asked, "stock_price") {
		return
	}
	d.remove("days_since_sale")
	d.withoutSales(nil)
	d.q.By, d.goods = []string{"product"}, false
}

var (
	whoPays = words.Set("платил платила платит платят платили заплатил заплатила оплатил оплатила перевел " +
		"перечислил внес расплатился рассчитался заплатили оплатили")
	oursWords = words.Set("мы наш наших нашим поставщикам поставщику поставщиков")
)
