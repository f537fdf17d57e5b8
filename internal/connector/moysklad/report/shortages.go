package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

func (c *call) shortageReason(s *shortage.Line) string {
	switch {
	case s.BelowMinimum && s.RunningOut:
		return c.Pick("ниже минимума, кончается", "below minimum, running out")
	case s.BelowMinimum:
		return c.Pick("ниже минимума", "below minimum")
	}
	return c.Pick("кончается", "running out")
}

type shortagesInput struct {
	shortage.Query
	account.LimitArg
}

func shortagesTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_shortages",
		tool.Text{RU: "Что заканчивается и что заказать", EN: "Shortages and what to order"},
		tool.Text{
			RU: "Товары ниже неснижаемого остатка по складам и товары, которых по темпу продаж хватит ненадолго: " +
				"сколько заказать, у кого, по какой цене.",
			EN: "What to order: goods below their minimum, by warehouse, and goods that will not last at the " +
				"sales rate; how much, from whom, at what price. Without a price, the sum is not known.",
		}, (*call).shortages).Requires(account.NeedStores, account.NeedGoods, account.NeedStock, account.NeedSalesRate,
		account.NeedTurnoverRate, account.NeedPurchasePrice)
}

func (c *call) shortages(ctx context.Context, in shortagesInput) error {
	var currency string
	var of map[msapi.ID]string
	var w *shortage.List
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { currency, of, err = c.AccountCurrency(inner); return })
	work.Go(func() (err error) { w, err = shortage.Find(inner, c.Call, in.Query); return })
	if err := work.Wait(); err != nil || w == nil {
		return err
	}
	c.shortagesResult(w, currency, of, in.Limit)
	return nil
}

func (c *call) shortagesResult(w *shortage.List, currency string, of map[msapi.ID]string, limit account.Limit) {
	list := w.Lines
	priced := slices.ContainsFunc(list, func(s *shortage.Line) bool { return s.Item.Price.Known })
	pricesHidden := !priced && !c.Rights.Has(account.RightCost)
	if pricesHidden {
		c.Missing(account.SectionCost, "закупочные цены и суммы заказа не показаны",
			"purchase prices and sums to order are not shown")
	}
	t := w.Totals(currency, of)
	columns := c.shortageColumns(w, currency, of)
	for i := range columns {
		switch columns[i].Name {
		case "price":
			columns[i].Hidden = pricesHidden
		case "sum":
			columns[i] = columns[i].HiddenIf(pricesHidden).WithTotal(t.Sums.Total(currency))
		}
	}
	show(c, columns, list, limit)
	c.shortagesMethod(w)
	c.shortageNotices(t, pricesHidden)
	if !pricesHidden {
		c.NoticeSeveral(t.Sums)
	}
	c.shortagesAnswer(w, t, currency, pricesHidden)
}

func (c *call) shortageColumns(w *shortage.List, currency string, of map[msapi.ID]string) []column[*shortage.Line] {
	type row = *shortage.Line
	amount := func(name, ru, en string, cell func(row) decimal.Decimal) column[row] {
		return quantity(name, ru, en, func(s row) decimal.Maybe { return decimal.Some(cell(s)) })
	}
	price := func(name, ru, en string, cell func(row) decimal.Decimal) column[row] {
		return cells(name, tool.UnitMoney, ru, en, func(s row) tool.Value {
			if !s.Item.Price.Known {
				return tool.Empty
			}
			return tool.Money(cell(s), account.Iso(s.Item.Currency, currency, of))
		}).AsDetail()
	}
	unit := func(s row) string { return s.Unit() }
	return []column[row]{
		text("name", "Товар", "Item", func(s row) string { return s.Item.Name }),
		text("store", "Склад", "Warehouse", func(s row) string {
			if s.StockKey.Store == (msapi.Key{}) {
				return c.Pick("(все склады)", "(all warehouses)")
			}
			return s.Store
		}),
		text("reason", "Почему", "Why", c.shortageReason).AsDetail(),
		amount("free", "Свободно", "Free", func(s row) decimal.Decimal { return s.Level.Free() }),
		quantity("minimum", "Минимум", "Minimum", func(s row) decimal.Maybe { return s.Minimum }),
		cells("days_of_cover", tool.UnitDays, "Запас, дн.", "Days left",
			func(s row) tool.Value { return account.Rounded(s.Lasts, 1) }),
		withSumByUnit(amount("to_order", "Заказать", "To order",
			func(s row) decimal.Decimal { return s.ToOrder }), unit),
		text("supplier", "Поставщик", "Supplier", func(s row) string { return s.Item.Supplier }),
		price("price", "Цена закупки", "Purchase price", func(s row) decimal.Decimal { return s.Item.Price.Decimal }),
		price("sum", "Сумма заказа", "Sum to order",
			func(s row) decimal.Decimal { return s.ToOrder.Mul(s.Item.Price.Decimal) }),
		text("unit", "Ед.", "Unit", unit).AsDetail(),
		cells("sold_per_day", tool.UnitQuantity, "Продаётся в день", "Sold a day",
			func(s row) tool.Value { return account.Rounded(s.PerDay(w.Period), 3) }).AsDetail(),
		amount("stock", "Остаток", "Stock", func(s row) decimal.Decimal { return s.Level.Stock.Decimal() }).AsDetail(),
		amount("reserve", "Резерв", "Reserve",
			func(s row) decimal.Decimal { return s.Level.Reserve.Decimal() }).AsDetail(),
		amount("in_transit", "В пути", "On the way",
			func(s row) decimal.Decimal { return s.Level.Transit.Decimal() }).AsDetail(),
		text("article", "Артикул", "Article", func(s row) string { return s.Item.Article }).AsDetail(),
		text("code", "Код", "Code", func(s row) string { return s.Item.Code }).AsDetail(),
		text("id", "ID", "ID", func(s row) string { return string(s.Good.ID()) }),
		text("store_id", "ID склада", "Warehouse ID", func(s row) string { return string(s.StockKey.Store.ID()) }),
		text("supplier_id", "ID поставщика", "Supplier ID",
			func(s row) string { return string(s.Item.SupplierID.ID()) }),
	}
}

func (c *call) shortageNotices(t *shortage.Totals, pricesHidden bool) {
	if n := len(t.WithoutSupplier); n > 0 {
		c.Notice(tool.NoticeNoSupplier,
			fmt.Sprintf("Поставщик не указан у %s: в списке есть, но у кого заказывать, неизвестно.",
				wording.NounItemOf.Count("ru", n)),
			fmt.Sprintf("No supplier is named for %s: listed, but whom to order from is not known.",
				wording.NounItem.Count("en", n)))
	}
	if n := len(t.Unpriced); n > 0 && !pricesHidden {
		c.Notice(tool.NoticeNoPrice,
			fmt.Sprintf("Закупочной цены нет у %s: в сумме заказа не учтено.", wording.NounItemOf.Count("ru", n)),
			fmt.Sprintf("There is no purchase price for %s: not in the sum to order.", wording.NounItem.Count("en", n)))
	}
}

// shortagesMethod says what is listed and how much of it to order (rule R78).
func (c *call) shortagesMethod(w *shortage.List) {
	var ru, en []string
	if w.Mode != shortage.RunningOut {
		ru, en = append(ru, "ниже неснижаемого остатка"), append(en, "below the minimum stock")
		if len(w.Scope.Stores) > 0 {
			ru[0] += " (кроме общего на все склады)"
			en[0] += " (not that over all warehouses)"
		}
	}
	if w.Mode != shortage.BelowMinimum && w.Source != shortage.RateUnknown {
		source := tool.Text{RU: "«Прибыльность»", EN: "profitability"}
		if w.Source == shortage.RateFromTurnover {
			source = tool.Text{RU: "«Обороты»", EN: "turnover"}
		}
		ru = append(ru, fmt.Sprintf("свободного меньше чем на %s продаж без возвратов (%s %s, комплекты по составу)",
			wording.NounDay.Count("ru", w.Horizon), source.RU, wording.Span(w.Period, "ru")))
		en = append(en, fmt.Sprintf("free stock for less than %s of net sales (%s %s, bundles by component)",
			wording.NounDay.Count("en", w.Horizon), source.EN, wording.Span(w.Period, "en")))
	}
	c.Method(wording.Upper(strings.Join(ru, " или "))+
		". Заказать: большее из минимума и продаж за горизонт − свободно − "+
		"в пути, целыми штуками и упаковками.", wording.Upper(strings.Join(en, " or "))+
		". To order: the larger of the "+
		"minimum and the sales of the horizon − free − on the way, in whole pieces and packs.")
}

func (c *call) shortagesAnswer(w *shortage.List, t *shortage.Totals, currency string, pricesHidden bool) {
	list := w.Lines
	closed := ""
	if w.Mode != shortage.BelowMinimum && w.Source == shortage.RateUnknown {
		closed = c.Pick("Темп продаж не посчитан: разделы «Прибыльность» и «Обороты» закрыты правами сотрудника.",
			"The sales rate is not computed: profitability and turnover are closed by the employee's rights.")
	}
	if len(list) == 0 {
		empty := w.Nothing()
		c.Notice(tool.NoticeEmpty, empty.RU, empty.EN)
		c.Result.Answer = wording.Sentences(
			c.Pick("Нехватки "+c.Places(w.Scope)+" нет.", "Nothing is short "+c.Places(w.Scope)+"."), closed)
		return
	}
	running := wording.NounItem
	if len(w.Scope.Stores) > 1 {
		running = wording.NounPosition // a good may run out in several warehouses
	}
	var parts []string
	if t.BelowMinimum > 0 {
		parts = append(parts, c.Pick("ниже минимума — "+wording.NounPosition.Count(c.Lang, t.BelowMinimum),
			"below the minimum: "+
				wording.NounPosition.Count(c.Lang, t.BelowMinimum)))
	}
	if t.RunningOut > 0 {
		parts = append(parts, c.Pickf("хватит меньше чем на %s — %s", "lasting less than %s: %s",
			wording.NounDay.Count(c.Lang, w.Horizon), running.Count(c.Lang, t.RunningOut)))
	}
	first := wording.Upper(c.Places(w.Scope)) + ": " + strings.Join(parts, "; ") + "."
	second := c.Pick("Заказывать ничего не нужно: недостающее уже в пути.",
		"Nothing has to be ordered: what is missing is on the way.")
	if t.ToOrder > 0 {
		worth := ""
		if !pricesHidden && len(t.Sums) > 0 {
			worth = c.Pick(" на ", ", ") + t.Sums.Text(currency, c.Lang)
		}
		verb := c.Pick("Заказать стоит", "To order:")
		second = fmt.Sprintf("%s %s%s.", verb, wording.NounPositionAcc.Count(c.Lang, t.ToOrder), worth)
		if n := len(t.Suppliers); n > 0 {
			second = fmt.Sprintf("%s %s%s (%s).", verb, wording.NounPositionAcc.Count(c.Lang, t.ToOrder), worth,
				c.Pick("поставщиков: ", "suppliers: ")+fmt.Sprint(n))
		}
	}
	top := list[0]
	store := ""
	if top.Store != "" {
		store = c.Pick(" на складе "+wording.InQuotes(top.Store, c.Lang), " in "+wording.InQuotes(top.Store, c.Lang))
	}
	third := c.Pick("Срочнее всего "+wording.InQuotes(top.Item.Name, c.Lang)+store+": ", "Most urgent is "+
		wording.InQuotes(top.Item.Name, c.Lang)+
		store+": ")
	switch free := top.Level.Free(); {
	case free.Sign() < 0:
		third += c.Pick("свободный остаток уже ниже нуля, "+tool.FormatQuantity(free, c.Lang)+".",
			"the free stock is below zero, "+tool.FormatQuantity(free, c.Lang)+".")
	case free.Sign() == 0:
		third += c.Pick("свободного остатка уже нет.", "none is free.")
	case top.Lasts.Known:
		third += c.Pickf("свободно %s, хватит на %s.", "%s free, lasting %s.", tool.FormatQuantity(free, c.Lang),
			wording.NounDay.Count(c.Lang, int(top.Lasts.Round(1).Round(0).Float64()))) // as the table
	default:
		third += c.Pickf("свободно %s при минимуме %s.", "%s free, the minimum is %s.",
			tool.FormatQuantity(free, c.Lang), tool.FormatQuantity(top.Minimum.Decimal, c.Lang))
	}
	c.Result.Answer = wording.Sentences(first, second, third, closed)
}
