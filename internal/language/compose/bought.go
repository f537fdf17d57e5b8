package compose

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// notPurchased asks for goods, or suppliers, of which nothing was bought for long, the longest first: "у кого давно не
// закупали", "что не закупали с лета" (rule R602). Purchases are looked for in the last year.
func (d *draft) notPurchased() {
	d.ask("last_purchase")
	d.ordered, d.direction = "last_purchase", analysis.Ascending
	suppliers := d.word(supplierWords) || slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && it.ID == "counterparty"
	})
	d.goods = !suppliers
	from := d.Today.AddDate(-1, 0, 1)
	for i, it := range d.Items {
		switch {
		case it.Kind == typed.Number && it.Number.Unit == words.Days && is(d.neighbour(i, -1), typed.Operator) &&
			!it.Used: // "не закупали больше трёх месяцев"
			if days, err := strconv.Atoi(it.Number.Value); err == nil {
				it.Used, d.neighbour(i, -1).Used = true, true
				d.where("last_purchase", analysis.Less, string(day(d.Today.AddDate(0, 0, -days))))
			}
		case suppliers && it.Kind == typed.Dimension && (it.ID == "supplier" || it.ID == "counterparty"):
			it.Used = true
		case it.Kind == typed.Period && !it.Period.From.IsZero() && !it.Period.To.Before(d.Today) &&
			it.Period.From.After(from):
			it.Used = true // nothing since then
			d.where("last_purchase", analysis.Less, string(day(it.Period.From)))
		}
	}
	if suppliers {
		d.q.By = []string{"counterparty"}
	}
	d.periods = slices.DeleteFunc(d.periods, func(p *typed.Item) bool { return p.Used })
	d.q.From, d.q.To = day(from), day(d.Today)
}

// raisedPrices shows whose purchase prices changed, and of which goods: "какие поставщики подняли цены" (rule R632).
func (d *draft) raisedPrices() {
	if d.Previous != nil || d.q.Compare == nil || !slices.Equal(d.q.Measures, []string{"purchase_price"}) ||
		!slices.Equal(d.q.By, []string{"product"}) || d.named("counterparty") || !d.word(supplierWords) {
		return
	}
	q := d.q
	q.By = []string{"counterparty", "product"}
	if query.Possible(d.Catalogue, q) {
		d.q = q
	}
}

var supplierWords = words.Set("поставщик поставщика поставщику поставщики поставщиков поставщикам suppliers " +
	"supplier vendors")

// lastTime ranks by the day of the last purchase or sale what a task asks for with "последний раз": "у кого брали сахар
// последний раз" (rule R602).
func (d *draft) lastTime() {
	for i, it := range d.Items[:max(len(d.Items)-1, 0)] {
		next := d.Items[i+1]
		if it.Kind != typed.Unexplained && it.Kind != typed.Earlier || next.Kind != typed.Unexplained ||
			d.Tokens[next.At].Norm != "раз" || d.Tokens[it.At].Stem != token.StemOf("последний") ||
			len(d.q.By) == 0 && !d.asksWhat() {
			continue
		}
		for from, to := range map[string]string{"purchases": "last_purchase", "revenue": "last_sale"} {
			if !slices.Contains(d.asked, from) || !d.fits(to) {
				continue
			}
			it.Used, next.Used = true, true
			d.goods = d.goods || len(d.q.By) == 0
			d.replace(from, to)
			d.remove("quantity_received")
			d.ordered, d.direction = to, analysis.Descending
			if len(d.periods) == 0 {
				d.q.From, d.q.To = day(d.Today.AddDate(-1, 0, 1)), day(d.Today)
			}
		}
		return
	}
}

// partners takes "работаем" beside "с кем" for no more than that: "с кем мы больше всего работаем".
func (d *draft) partners() {
	if !d.word(whomWith) {
		return
	}
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.Unexplained && working[d.Tokens[it.At].Norm]
	}
}

var (
	whomWith = words.Set("кем")
	working  = words.Set("работаем сотрудничаем дружим контактируем")
)
