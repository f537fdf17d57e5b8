package draft

import (
	"fmt"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
)

// writer puts a draft into words that are read as the same draft.
type writer struct {
	l stockhand.Language
	b strings.Builder
}

func (w *writer) add(ru, en string, args ...any) {
	text := w.l.Pick(ru, en)
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	if w.b.Len() > 0 && !strings.HasPrefix(text, ",") {
		w.b.WriteByte(' ')
	}
	w.b.WriteString(text)
}

func quoted(names []string) string { return "«" + strings.Join(names, "», «") + "»" }

// Text returns a task that requests the draft.
func Text(k Kind, d Draft, l stockhand.Language) string {
	w := &writer{l: l}
	switch k {
	case Prices:
		w.prices(&d)
	case Orders:
		w.add("Закажи", "Order")
	case Transfers:
		w.add("Перемести", "Transfer")
	case Minimums:
		if d.Minimum != "" {
			w.add("Поставь неснижаемый остаток "+d.Minimum, "Set the minimum stock to "+d.Minimum)
		} else {
			w.add("Пересчитай неснижаемые остатки", "Recalculate the minimum stocks")
		}
	case None:
	}
	w.items(k, &d)
	w.scope(k, &d)
	for _, c := range d.Where {
		w.condition(c)
	}
	if d.RowsOf != nil {
		w.rows(d.RowsOf)
	}
	if e := d.Except; e != nil {
		w.add("кроме", "except")
		w.goods(*e)
	}
	if d.Round != nil {
		w.round(d.Round)
	}
	w.plan(k, &d)
	w.limits(d.Limits)
	return w.b.String()
}

func (w *writer) limits(l Limits) {
	over := func(percent, ru, en string) {
		switch percent {
		case "":
		case "0":
			w.add(", но не ниже "+ru, ", but not below "+en)
		default:
			w.add(", но не ниже "+ru+" плюс %s %%", ", but not below "+en+" plus %s%%", percent)
		}
	}
	over(l.OverCost, "себестоимости", "cost")
	over(l.OverPurchase, "закупочной цены", "the purchase price")
	for _, x := range []struct{ value, ru, en string }{
		{l.MinMargin, ", чтобы маржа осталась не меньше %s %%", ", so that the margin stays at least %s%%"},
		{l.MinPrice, ", но не дешевле %s ₽", ", but not below %s ₽"},
		{l.MaxPrice, ", но не дороже %s ₽", ", but not above %s ₽"},
		{l.AtLeast, ", не меньше %s шт каждого", ", at least %s of each"},
		{l.AtMost, ", не больше %s шт каждого", ", at most %s of each"},
		{l.Multiple, ", кратно %s", ", in multiples of %s"},
		{l.Keep, ", оставь на складе по %s шт каждого", ", keep %s of each at the warehouse"},
	} {
		if x.value != "" {
			w.add(x.ru, x.en, x.value)
		}
	}
}

func (w *writer) prices(d *Draft) {
	typed := func(ru, en string) (string, string) {
		if d.PriceType == "" {
			return ru, en
		}
		return ru + " «" + d.PriceType + "»", en + " “" + d.PriceType + "”"
	}
	ru, en := typed("цены", "prices")
	down := strings.HasPrefix(d.Percent+d.Amount, "-")
	percent, amount := strings.TrimPrefix(d.Percent, "-"), strings.TrimPrefix(d.Amount, "-")
	switch {
	case percent != "" && down:
		w.add("Снизь "+ru+" на "+percent+" %", "Lower "+en+" by "+percent+"%")
	case percent != "":
		w.add("Подними "+ru+" на "+percent+" %", "Raise "+en+" by "+percent+"%")
	case amount != "" && down:
		w.add("Снизь "+ru+" на "+amount+" ₽", "Lower "+en+" by "+amount+" ₽")
	case amount != "":
		w.add("Подними "+ru+" на "+amount+" ₽", "Raise "+en+" by "+amount+" ₽")
	case d.Markup != "":
		w.add("Поставь "+ru+" с наценкой "+d.Markup+" %", "Set "+en+" with a markup of "+d.Markup+"%")
	case d.Margin != "":
		w.add("Поставь "+ru+" с маржой "+d.Margin+" %", "Set "+en+" with a margin of "+d.Margin+"%")
	case d.Price != "":
		w.add("Поставь "+ru+" "+d.Price+" ₽", "Set "+en+" to "+d.Price+" ₽")
	case len(d.Items) > 0:
		ru, en = typed("цену", "the price of")
		w.add("Поставь "+ru, "Set "+en)
	default:
		w.add("Округли "+ru, "Round "+en)
	}
	if d.Everything {
		w.add("на все товары", "of all goods")
	}
}

func (w *writer) items(k Kind, d *Draft) {
	for i, item := range d.Items {
		comma := ""
		if i > 0 {
			comma = ","
		}
		switch {
		case k == Prices && w.l == stockhand.English:
			w.add("", spaced(comma)+"“%s” to %s", item.Product, item.Price)
		case k == Prices:
			w.add(spaced(comma)+"«%s» %s", "", item.Product, item.Price)
		default:
			text := comma + w.l.Pick("%s шт «%s»", "%s of “%s”")
			if comma != "" {
				text = ", " + strings.TrimPrefix(text, ",")
			}
			w.add(text, text, item.Quantity, item.Product)
		}
		if k != Prices && item.Price != "" {
			w.add("по %s ₽", "at %s ₽", item.Price)
		}
	}
}

// spaced returns a comma with the space behind it; "" for none.
func spaced(comma string) string { return strings.Replace(comma, ",", ", ", 1) }

func (w *writer) goods(g Goods) {
	comma := ""
	for _, part := range []struct {
		names  []string
		ru, en string
	}{{g.Products, "%s", "%s"}, {g.Groups, "группы %s", "the group %s"},
		{g.Suppliers, "товаров поставщика %s", "goods from the supplier %s"}} {
		if len(part.names) > 0 {
			w.add(comma+part.ru, comma+part.en, quoted(part.names))
			comma = ", "
		}
	}
}

func (w *writer) scope(k Kind, d *Draft) {
	if len(d.Products) > 0 {
		switch {
		case k == Prices:
			w.add("на %s", "of %s", quoted(d.Products))
		case k == Minimums && d.Minimum != "":
			w.add("на %s", "for %s", quoted(d.Products))
		default:
			w.add("чего не хватает: %s", "what is short: %s", quoted(d.Products))
		}
	}
	if len(d.Groups) > 0 {
		w.add("на группу %s", "for the group %s", quoted(d.Groups))
	}
	if len(d.Suppliers) > 0 {
		if k == Prices {
			w.add("на товары поставщика %s", "of goods from the supplier %s", quoted(d.Suppliers))
		} else {
			w.add("у поставщика %s", "from the supplier %s", quoted(d.Suppliers))
		}
	}
	if len(d.FromStores) > 0 {
		w.add("со склада %s", "from the warehouse %s", quoted(d.FromStores))
	}
	if len(d.Stores) > 0 {
		w.add("на склад %s", "to the warehouse %s", quoted(d.Stores))
	}
	if d.Store != "" {
		w.add("на склад «%s»", "to the warehouse “%s”", d.Store)
	}
}

// figures are the figures of conditions, in words that are read so.
var figures = map[string][2]string{"price": {"с ценой", "with a price"},
	"purchase_price": {"с закупочной ценой", "with a purchase price"}, "cost": {"с себестоимостью", "with a cost"},
	"margin": {"с маржой", "with a margin"}, "markup": {"с наценкой", "with a markup"}, "stock": {"с остатком",
		"with stock"},
	"free": {"со свободным остатком", "with free stock"}, "days_in_stock": {"которые лежат", "in stock"},
	"days_without_sale": {"которые не продавались", "not sold for"}}

func (w *writer) condition(c analysis.Condition) {
	if len(c.Values) == 0 {
		return
	}
	f, ok := figures[c.Field]
	if !ok {
		f = [2]string{"где " + c.Field, "with " + c.Field}
	}
	unit := map[string][2]string{"price": {" ₽", " ₽"}, "purchase_price": {" ₽", " ₽"}, "cost": {" ₽", " ₽"},
		"margin": {" %", "%"}, "markup": {" %", "%"}, "days_in_stock": {" дн.", " days"},
		"days_without_sale": {" дн.", " days"}}[c.Field]
	op := map[analysis.Op][2]string{analysis.Less: {"ниже", "below"}, analysis.LessEqual: {"не больше", "at most"},
		analysis.Greater: {"больше", "above"}, analysis.GreaterEqual: {"не меньше", "at least"}}[c.Op]
	value := string(c.Values[0])
	switch {
	case c.Field == "days_without_sale":
		op = [2]string{"", ""}
	case c.Field == "days_in_stock" && (c.Op == analysis.Greater || c.Op == analysis.GreaterEqual):
		op[1] = map[analysis.Op]string{analysis.Greater: "more than", analysis.GreaterEqual: "at least"}[c.Op]
	case c.Op == analysis.Between && len(c.Values) == 2:
		w.add(f[0]+" от "+value+" до "+string(c.Values[1])+unit[0],
			f[1]+" from "+value+" to "+string(c.Values[1])+unit[1])
		return
	}
	ru := strings.Join(strings.Fields(f[0]+" "+op[0]+" "+value), " ") + unit[0]
	en := strings.Join(strings.Fields(f[1]+" "+op[1]+" "+value), " ") + unit[1]
	w.add(ru, en)
}

func (w *writer) rows(r *RowsOf) {
	if r.Column == "available" && r.Query != nil && len(r.Query.Where) > 0 {
		if c := r.Query.Where[0]; c.Field == "product" && len(c.Values) == 1 {
			w.add("«%s» до %s шт", "“%s” up to %s", string(c.Values[0]), r.Quantity)
			return
		}
	}
	if r.Query == nil && r.Quantity != "" {
		w.add("по %s шт (строки последней таблицы)", "%s each (rows of the last table)", r.Quantity)
		return
	}
	if r.Query == nil {
		w.add("(строки последней таблицы)", "(rows of the last table)")
		return
	}
	if r.Quantity != "" {
		w.add("по %s шт", "%s each", r.Quantity)
	}
	stores := false
	for _, c := range r.Query.Where {
		stores = stores || c.Field == "store"
	}
	for _, c := range r.Query.Where {
		switch {
		case c.Field == "store":
			w.add("на товары, которые есть на складе «"+string(c.Values[0])+"»",
				"of goods that are in stock at the warehouse “"+string(c.Values[0])+"”")
		case stores && c.Field == "stock":
		case c.Op == analysis.In || c.Op == analysis.NotIn:
			w.among(c)
		case c.Op == analysis.Contains:
			w.add("на товары, в названии которых есть «"+string(c.Values[0])+"»",
				"of goods with “"+string(c.Values[0])+"” in their names")
		default:
			if f := FiguresOfPrices[c.Field]; f != "" {
				c.Field = f
			}
			w.condition(c)
		}
	}
	if q := r.Query; q.Limit > 0 && len(q.Order) > 0 {
		by, ok := orders[q.Order[0].Field]
		if !ok {
			by = [2]string{q.Order[0].Field, q.Order[0].Field}
		}
		down := q.Order[0].Direction == analysis.Descending
		w.add(map[bool]string{true: "топ-%d", false: "последние %d"}[down]+" по "+by[0],
			map[bool]string{true: "the top %d", false: "the bottom %d"}[down]+" by "+by[1], q.Limit)
		if q.From != "" {
			w.add("с %s по %s", "from %s to %s", dotted(w.l, string(q.From)), dotted(w.l, string(q.To)))
		}
	} else if q.Limit > 0 {
		w.add("(первые %d)", "(the first %d)", q.Limit)
	}
}

// among writes which goods the rows of a query are of.
func (w *writer) among(c analysis.Condition) {
	var g Goods
	for _, v := range c.Values {
		switch c.Field {
		case "group":
			g.Groups = append(g.Groups, string(v))
		case "supplier":
			g.Suppliers = append(g.Suppliers, string(v))
		case "product":
			g.Products = append(g.Products, string(v))
		}
	}
	if g.Empty() {
		return
	}
	if c.Op == analysis.NotIn {
		w.add("кроме", "except")
	}
	w.goods(g)
}

// orders are the figures that goods are chosen by, in words that are read so.
var orders = map[string][2]string{"quantity": {"количеству продаж", "quantity " +
	"sold"}, "revenue": {"выручке", "revenue"},
	"profit": {"прибыли", "profit"}, "margin": {"марже", "margin"}, "markup": {"наценке", "markup"},
	"stock": {"остатку", "stock"}, "sale_price": {"цене", "price"}, "stock_value": {"сумме остатка", "stock value"}}

// dotted returns a date as people write it.
func dotted(l stockhand.Language, iso string) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil || l == stockhand.English {
		return iso
	}
	return t.Format("02.01.2006")
}

func (w *writer) round(r *quantity.Round) {
	switch {
	case r.Ending != "":
		w.add(", чтобы заканчивались на %s", ", ending in %s", r.Ending)
	case r.To == "0.01" && r.Direction == "":
		w.add(", без округления", ", without rounding")
	case r.To != "":
		w.add(", округли до %s ₽", ", round to %s ₽", r.To)
	}
	switch r.Direction {
	case "up":
		w.add("вверх", "up")
	case "down":
		w.add("вниз", "down")
	}
}

func (w *writer) plan(k Kind, d *Draft) {
	if k == Prices {
		return
	}
	switch d.Mode {
	case "below_minimum":
		w.add("всё, что ниже минимума", "everything below minimum")
	case "running_out":
		w.add("всё, что заканчивается", "everything running out")
	}
	if d.Days > 0 {
		w.add("на %d дн.", "for %d days", d.Days)
	}
	if d.From != "" {
		w.add("по продажам с %s по %s", "by sales from %s to %s", dotted(w.l, d.From), dotted(w.l, d.To))
	}
	cover := d.SafetyDays != nil && *d.SafetyDays == 0
	switch {
	case cover && d.LeadDays > 0:
		w.add(", чтобы хватало на %d дн.", ", to last %d days", d.LeadDays)
	case d.LeadDays > 0:
		w.add(", срок поставки %d дн.", ", lead time %d days", d.LeadDays)
	}
	if d.SafetyDays != nil && !cover {
		w.add(", запас %d дн.", ", safety %d days", *d.SafetyDays)
	}
	if d.Forecast {
		w.add("по прогнозу", "by the forecast")
	}
	if d.Budget != "" {
		w.add(", бюджет %s ₽", ", budget %s ₽", d.Budget)
	}
	if d.MinOrder != "" {
		w.add(", минимальный заказ %s ₽", ", minimum order %s ₽", d.MinOrder)
	}
	if d.Delivery != "" {
		w.add("с поставкой к %s", "delivery by %s", dotted(w.l, d.Delivery))
	}
}
