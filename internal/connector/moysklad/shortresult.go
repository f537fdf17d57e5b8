package moysklad

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// perDay is the pace: how much is sold a day.
func (s *scarce) perDay(p tool.Period) decimal.Maybe {
	return decimal.Maybe{Decimal: s.sold.Div(decimal.FromInt(int64(max(1, p.Days())))), Known: s.sold.Known}
}

func (s *scarce) reason(c *call) string {
	switch {
	case s.belowMinimum && s.runningOut:
		return c.pick("ниже минимума, кончается", "below minimum, running out")
	case s.belowMinimum:
		return c.pick("ниже минимума", "below minimum")
	}
	return c.pick("кончается", "running out")
}

func (w *shortage) result(list []*scarce, currency string, of map[msapi.ID]string, limit Limit) {
	c := w.call
	priced := false
	for _, s := range list {
		priced = priced || s.price.Known
	}
	var hidden []string
	pricesHidden := !priced && !c.rights.has(rightCost)
	if pricesHidden {
		hidden = []string{"price", "sum"}
		c.missing(sectionCost, "закупочные цены и суммы заказа не показаны",
			"purchase prices and sums to order are not shown")
	}
	c.columns(hidden,
		field{"name", tool.UnitText, "Товар", "Item"}, field{"store", tool.UnitText, "Склад", "Warehouse"},
		field{"reason", tool.UnitText, "Почему", "Why"},
		field{"free", tool.UnitQuantity, "Свободно", "Free"}, field{"minimum", tool.UnitQuantity, "Минимум", "Minimum"},
		field{"days_of_cover", tool.UnitDays, "Запас, дн.", "Days left"},
		field{"to_order", tool.UnitQuantity, "Заказать", "To order"},
		field{"supplier", tool.UnitText, "Поставщик", "Supplier"},
		field{"price", tool.UnitMoney, "Цена закупки", "Purchase price"},
		field{"sum", tool.UnitMoney, "Сумма заказа", "Sum to order"},
		field{"unit", tool.UnitText, "Ед.", "Unit"},
		field{"sold_per_day", tool.UnitQuantity, "Продаётся в день", "Sold a day"},
		field{"stock", tool.UnitQuantity, "Остаток", "Stock"}, field{"reserve", tool.UnitQuantity, "Резерв", "Reserve"},
		field{"in_transit", tool.UnitQuantity, "В пути", "On the way"},
		field{"article", tool.UnitText, "Артикул", "Article"}, field{"code", tool.UnitText, "Код", "Code"},
		field{"id", tool.UnitText, "ID", "ID"}, field{"store_id", tool.UnitText, "ID склада", "Warehouse ID"},
		field{"supplier_id", tool.UnitText, "ID поставщика", "Supplier ID"})
	c.details("reason", "price", "sum", "unit", "sold_per_day", "stock", "reserve", "in_transit", "article", "code")
	t := shortTotals{sums: purse{}}
	for _, s := range list {
		t.add(s, currency, of)
	}
	for _, s := range head(c, list, limit) {
		store := s.store
		if s.place.store == (msapi.Key{}) {
			store = c.pick("(все склады)", "(all warehouses)")
		}
		price, sum := tool.Empty, tool.Empty
		if s.price.Known && !pricesHidden {
			code := iso(s.currency, currency, of)
			price, sum = tool.Money(s.price.Decimal, code), tool.Money(s.order.Mul(s.price.Decimal), code)
		}
		c.result.Rows = append(c.result.Rows, tool.Row{
			tool.TextValue(s.name), tool.TextValue(store), tool.TextValue(s.reason(c)),
			tool.Number(s.level.free()), tool.MaybeNumber(s.minimum), rounded(s.lasts, 1), tool.Number(s.order),
			tool.TextValue(s.supplier), price, sum,
			tool.TextValue(s.unit()), rounded(s.perDay(w.period), 3), tool.Number(s.level.stock.decimal()),
			tool.Number(s.level.reserve.decimal()), tool.Number(s.level.transit.decimal()),
			tool.TextValue(s.article), tool.TextValue(s.code),
			tool.TextValue(string(s.good.ID())), tool.TextValue(string(s.place.store.ID())),
			tool.TextValue(string(s.supplierID.ID())),
		})
	}
	w.shortMethod()
	w.paceNotices()
	t.notices(c, pricesHidden)
	if len(list) > 0 {
		cells := map[string]tool.Value{"to_order": tool.Number(t.order)}
		if !pricesHidden {
			cells["sum"] = t.sums.total(currency)
			c.noticeSeveral(t.sums)
		}
		c.totals(cells)
	}
	w.answer(list, t, currency, pricesHidden)
}

// shortTotals is what the answer and the notices tell, over all rows.
type shortTotals struct {
	belowMinimum, runningOut, toOrder int
	order                             decimal.Decimal
	sums                              purse
	orphans, unpriced                 map[msapi.Key]bool
	suppliers                         map[msapi.Key]bool
}

func (t *shortTotals) add(s *scarce, currency string, of map[msapi.ID]string) {
	if t.orphans == nil {
		t.orphans, t.unpriced, t.suppliers = map[msapi.Key]bool{}, map[msapi.Key]bool{}, map[msapi.Key]bool{}
	}
	if s.belowMinimum {
		t.belowMinimum++
	}
	if s.runningOut {
		t.runningOut++
	}
	if s.supplierID == (msapi.Key{}) {
		t.orphans[s.good] = true
	}
	if s.order.Sign() <= 0 {
		return
	}
	t.toOrder++
	t.order = t.order.Add(s.order)
	if s.supplierID != (msapi.Key{}) {
		t.suppliers[s.supplierID] = true
	}
	if s.price.Known {
		t.sums.add(iso(s.currency, currency, of), s.order.Mul(s.price.Decimal))
	} else {
		t.unpriced[s.good] = true
	}
}

func (t *shortTotals) notices(c *call, pricesHidden bool) {
	if n := len(t.orphans); n > 0 {
		c.notice(tool.NoticeNoSupplier,
			fmt.Sprintf("Поставщик не указан у %s: в списке есть, но у кого заказывать, неизвестно.",
				nounItemOf.count("ru", n)),
			fmt.Sprintf("No supplier is named for %s: listed, but whom to order from is not known.",
				nounItem.count("en", n)))
	}
	if n := len(t.unpriced); n > 0 && !pricesHidden {
		c.notice(tool.NoticeNoPrice,
			fmt.Sprintf("Закупочной цены нет у %s: в сумме заказа не учтено.", nounItemOf.count("ru", n)),
			fmt.Sprintf("There is no purchase price for %s: not in the sum to order.", nounItem.count("en", n)))
	}
}

func (w *shortage) shortMethod() {
	var ru, en []string
	if w.mode != shortPace {
		ru = append(ru, "Ниже минимума — по отбору МоегоСклада (underMinimum) на каждом складе"+
			map[bool]string{true: " и по сумме складов",
				false: "; минимум «по сумме складов» при выборе склада не проверяется"}[len(w.scope.stores) == 0]+
			"; сам минимум взят из карточек, модификация наследует его у товара.")
		en = append(en, "Below the minimum: by MoySklad's own selection (underMinimum) in each warehouse"+
			map[bool]string{true: " and over all of them",
				false: "; a minimum over all warehouses is not checked when warehouses are named"}[len(
				w.scope.stores) == 0]+"; the minimum itself is from the cards, a variant inherits its product's.")
	}
	if w.mode != shortMinimum && w.source != paceNone {
		source := [2]string{"отчёту «Прибыльность» по модификациям", "the profitability report by variant"}
		if w.source == paceTurnover {
			source = [2]string{"отчёту «Обороты» по документам продажи и возврата, потому что «Прибыльность» закрыта",
				"the turnover report over documents of sale and return, because profitability is closed"}
		}
		ru = append(ru, fmt.Sprintf("Темп — продажи за вычетом возвратов %s по %s ÷ %s; хватит на дней = (остаток − резерв) ÷ темп, в списке — меньше %d.", span(w.period, "ru"), source[0], nounDay.count("ru", w.period.Days()), w.horizon))
		en = append(en, fmt.Sprintf("The pace is sales net of returns %s by %s ÷ %s; days of cover = (stock − reserve) ÷ pace, listed below %d.", span(w.period, "en"), source[1], nounDay.count("en", w.period.Days()), w.horizon))
	}
	if w.mode != shortMinimum && !w.scope.everything() {
		ru = append(ru, "При отборе товаров в темпе учтены только комплекты, которые сами под него подходят.")
		en = append(en, "With goods selected, the pace counts only those bundles that fit the selection themselves.")
	}
	ru = append(ru, "Заказать = большее из минимума и продаж за горизонт − свободно − в пути, не меньше нуля, штучное — целыми, а где есть упаковка — целыми упаковками; строка «все склады» не повторяет заказанного по складам. Проданные комплекты считаются по составляющим; самих комплектов и услуг в списке нет.")
	en = append(en, "To order = the larger of the minimum and the sales of the horizon − free − on the way, not below zero, whole pieces, and whole packs where there are packs; a row over all warehouses does not repeat what rows by warehouse order. Bundles sold count by their components; bundles themselves and services are not listed.")
	w.method(strings.Join(ru, " "), strings.Join(en, " "))
}

func (w *shortage) answer(list []*scarce, t shortTotals, currency string, pricesHidden bool) {
	c := w.call
	closed := ""
	if w.mode != shortMinimum && w.source == paceNone {
		closed = c.pick("Темп продаж не посчитан: разделы «Прибыльность» и «Обороты» закрыты правами сотрудника.",
			"The pace of sales is not computed: profitability and turnover are closed by the employee's rights.")
	}
	if len(list) == 0 {
		c.notice(tool.NoticeEmpty, "Ни один товар не ниже минимума и не заканчивается в пределах горизонта.",
			"Nothing is below its minimum or runs out within the horizon.")
		c.result.Answer = sentences(c.pick("Нехватки "+c.place(w.scope)+" нет.", "Nothing is short "+c.place(w.scope)+
			"."), closed)
		return
	}
	running := nounItem
	if len(w.scope.stores) > 1 {
		running = nounPosition // a good may run out in several of them
	}
	var parts []string
	if t.belowMinimum > 0 {
		parts = append(parts, c.pick("ниже минимума — "+nounPosition.count(c.l, t.belowMinimum), "below the minimum: "+
			nounPosition.count(c.l, t.belowMinimum)))
	}
	if t.runningOut > 0 {
		parts = append(parts, c.pick(fmt.Sprintf("хватит меньше чем на %s — %s", nounDay.count(c.l, w.horizon),
			running.count(c.l, t.runningOut)),
			fmt.Sprintf("lasting less than %s: %s", nounDay.count(c.l, w.horizon), running.count(c.l, t.runningOut))))
	}
	first := upper(c.place(w.scope)) + ": " + strings.Join(parts, "; ") + "."
	second := c.pick("Заказывать ничего не нужно: недостающее уже в пути.",
		"Nothing has to be ordered: what is missing is on the way.")
	if t.toOrder > 0 {
		worth := ""
		if !pricesHidden && len(t.sums) > 0 {
			worth = c.pick(" на ", ", ") + t.sums.text(currency, c.l)
		}
		verb := c.pick("Заказать стоит", "To order:")
		second = fmt.Sprintf("%s %s%s.", verb, nounPositionAcc.count(c.l, t.toOrder), worth)
		if n := len(t.suppliers); n > 0 {
			second = fmt.Sprintf("%s %s%s (%s).", verb, nounPositionAcc.count(c.l, t.toOrder), worth,
				c.pick("поставщиков: ", "suppliers: ")+fmt.Sprint(n))
		}
	}
	top := list[0]
	store := ""
	if top.store != "" {
		store = c.pick(" на складе "+inQuotes(top.store, c.l), " in "+inQuotes(top.store, c.l))
	}
	third := c.pick("Срочнее всего "+inQuotes(top.name, c.l)+store+": ", "Most urgent is "+inQuotes(top.name, c.l)+
		store+": ")
	switch free := top.level.free(); {
	case free.Sign() < 0:
		third += c.pick("свободный остаток уже ниже нуля, "+tool.FormatQuantity(free, c.l)+".",
			"the free stock is below zero, "+tool.FormatQuantity(free, c.l)+".")
	case free.Sign() == 0:
		third += c.pick("свободного остатка уже нет.", "none is free.")
	case top.lasts.Known:
		third += c.pick(
			fmt.Sprintf("свободно %s, хватит на %s.", tool.FormatQuantity(free, c.l),
				nounDay.count(c.l, int(top.lasts.Floor(0).Float64()))),
			fmt.Sprintf("%s free, lasting %s.", tool.FormatQuantity(free, c.l),
				nounDay.count(c.l, int(top.lasts.Floor(0).Float64()))))
	default:
		third += c.pick(
			fmt.Sprintf("свободно %s при минимуме %s.", tool.FormatQuantity(free, c.l),
				tool.FormatQuantity(top.minimum.Decimal, c.l)),
			fmt.Sprintf("%s free, the minimum is %s.", tool.FormatQuantity(free, c.l),
				tool.FormatQuantity(top.minimum.Decimal, c.l)))
	}
	c.result.Answer = sentences(first, second, third, closed)
}
