package cards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

var kindWords = map[string]tool.Text{"product": text("Товар", "Product"), "variant": text("Модификация", "Variant"),
	"bundle": text("Комплект", "Bundle"), "service": text("Услуга", "Service")}

// showProduct writes the parts of the card and the answer.
func (c *call) showProduct(p *product) {
	c.Result.Title = cmp.Or(kindWords[p.Type], kindWords["product"]).In(c.Lang) + " " + wording.InQuotes(p.Name, c.Lang)
	c.Method("Остатки, себестоимость и продажи — отчёты МоегоСклада, цены — карточка, остальное — документы. Темп — "+
		"продажи за вычетом возвратов, вместе с комплектами, ÷ дни периода; запас — свободное ÷ темп.",
		"Stock, cost and sales are from reports of MoySklad, prices from the card, the rest from documents. The rate is "+
			"sales less returns, with bundles, ÷ days of the period; cover is free stock ÷ rate.")
	c.productFields(p)
	places := c.showStock(p)
	c.showIncoming(p, places)
	priced := c.showPrices(p)
	c.showPace(p, places)
	c.showDealings("Последние продажи", "Latest sales", p.sales)
	c.showDealings("Последние закупки", "Latest purchases", p.purchases)
	c.showVariants(p)
	parts := func(ru, en string, list []part) {
		tool.AddPart(c.Result, c.Lang, text(ru, en), []tool.TableColumn[part]{
			texts("name", "Название", "Name", func(x part) string { return x.name }),
			quantities("quantity", "Количество", "Quantity",
				func(x part) decimal.Maybe { return decimal.Some(x.quantity) }),
			texts("product_id", "ID товара", "Product ID", func(x part) string { return string(x.id) }),
		}, list)
	}
	parts("Входит в комплекты", "Part of bundles", p.bundles)
	parts("Состав комплекта", "The bundle consists of", p.parts)
	c.sayProduct(p, places, priced)
}

func (c *call) productFields(p *product) {
	f := &fields{call: c}
	f.add("Вид", "Type", kindWords[p.Type].In(c.Lang))
	if p.Archived {
		f.add("В архиве", "Archived", c.Pick("да", "yes"))
	}
	f.add("Группа", "Group", p.folder)
	f.add("Артикул", "Article", p.Article)
	f.add("Код", "Code", p.Code)
	f.add("Штрихкоды", "Barcodes", strings.Join(p.Barcodes, ", "))
	f.add("Единица", "Unit", p.unit())
	if root := p.root(); root != nil {
		supplier := c.named(root.Supplier)
		if root.Supplier.IsZero() {
			supplier = c.Pick("не указан", "not set")
		}
		f.add("Поставщик", "Supplier", supplier)
		f.add("Страна", "Country", p.country)
		f.add("Неснижаемый остаток", "Minimum stock", c.minimumText(p))
	}
	if p.Type == "variant" && p.parent != nil {
		f.add("Модификация товара", "Variant of", p.parent.Name)
	}
	f.attributes(p.Attributes)
	f.add("ID", "ID", string(p.ID))
	f.show()
}

// named returns the name of a link, and says so if the employee may not see it.
func (c *call) named(r msapi.Ref) string {
	if r.Hidden || r.ID != "" && r.Name == "" {
		return c.Pick("(не виден сотруднику)", "(not visible to the employee)")
	}
	return r.Name
}

func (p *product) unit() string {
	if root := p.root(); root != nil && p.stocked() {
		return root.Unit.Name
	}
	return p.Unit.Name
}

// minimum returns the minimum stock that holds for the good: a variant may follow its product.
func (p *product) minimum() (*msapi.MinimumStock, decimal.Maybe) {
	if p.card == nil {
		return nil, decimal.Maybe{}
	}
	if p.parent != nil && shortage.Inherits(p.card.Minimum) {
		return p.parent.Minimum, p.parent.Flat
	}
	return p.card.Minimum, p.card.Flat
}

// flat returns the minimum for all warehouses together that the vendor states in the old way (fact M57).
func (p *product) flat() decimal.Maybe { _, flat := p.minimum(); return flat }

// minimumText says what the minimum stock is.
func (c *call) minimumText(p *product) string {
	m, flat := p.minimum()
	number := func(n decimal.Maybe) string { return tool.FormatQuantity(n.Decimal, c.Lang) }
	switch {
	case m != nil && m.Kind == msapi.MinimumSame && m.Quantity.Sign() > 0:
		return number(m.Quantity) + c.Pick(" на каждом складе", " in each warehouse")
	case m != nil && m.Kind == msapi.MinimumVaried && len(m.ByStore()) > 0:
		names := map[msapi.ID]string{}
		for _, s := range p.stores {
			names[s.ID] = s.Name
		}
		var list []string
		for _, s := range m.ByStore() {
			list = append(list, cmp.Or(names[s.Store.ID], c.Pick("другой склад", "another warehouse"))+" — "+
				number(s.Quantity))
		}
		return c.ListNames(list)
	case m != nil && m.Kind == msapi.MinimumSum && m.Quantity.Sign() > 0:
		return number(m.Quantity) + c.Pick(" на все склады вместе", " for all warehouses together")
	case m == nil && flat.Sign() > 0:
		return number(flat) + c.Pick(" на все склады вместе", " for all warehouses together")
	}
	return c.Pick("не задан", "not set")
}

// place is the stock in a warehouse.
type place struct {
	store   string
	level   account.Level
	minimum decimal.Maybe
}

// known returns a figure of the level, unless the vendor is recalculating it (fact M74).
func (x place) known(of decimal.Decimal) decimal.Maybe {
	return decimal.Maybe{Decimal: of, Known: !x.level.Unknown}
}

// totalOf is the stock in all warehouses.
type totalOf struct {
	stock, reserve, free, transit decimal.Maybe
}

// showStock adds the stock by warehouse and returns the total.
func (c *call) showStock(p *product) totalOf {
	if !p.stocked() {
		return totalOf{}
	}
	var all account.Level
	var places []place
	if p.Archived && p.seesCosts {
		for _, r := range p.costs {
			all = all.Add(account.LevelOf(r.Stock, r.Reserve, r.InTransit))
		}
		if !all.IsZero() {
			places = []place{{store: c.Pick("Все склады", "All warehouses"), level: all}}
		}
		c.Notice(tool.NoticeArchived, "Товар в архиве: остаток по складам отчёты не показывают, он показан общим.",
			"The good is archived: reports do not show its stock by warehouse, so it is shown in all.")
	} else if p.Archived || !p.seesStock {
		return totalOf{}
	}
	by := map[msapi.Key]account.Level{}
	for k, l := range p.levels {
		by[k.Store] = by[k.Store].Add(l)
		all = all.Add(l)
	}
	m, _ := p.minimum()
	for _, s := range p.stores {
		minimum, _ := m.In(s.ID)
		if l := by[s.ID.Key()]; !l.IsZero() || minimum.Sign() > 0 {
			places = append(places, place{s.Name, l, minimum})
		}
		delete(by, s.ID.Key())
	}
	slices.SortFunc(places, func(x, y place) int {
		return strings.Compare(wording.Fold(x.store), wording.Fold(y.store))
	})
	if l := by[msapi.Key{}]; !l.IsZero() {
		places = append(places, place{store: c.Pick("(без склада)", "(no warehouse)"), level: l})
	}
	delete(by, msapi.Key{})
	var rest account.Level
	for _, l := range by {
		rest = rest.Add(l)
	}
	if !rest.IsZero() {
		places = append(places, place{store: c.Pick("(другие склады)", "(other warehouses)"), level: rest})
	}
	if l := p.archivedVariants(); !l.IsZero() {
		places = append(places, place{store: c.Pick("(модификации в архиве, все склады)",
			"(archived variants, all warehouses)"), level: l})
		all = all.Add(l)
	}
	if all.Unknown {
		c.Notice(tool.NoticePartial, "МойСклад пересчитывает остатки этого товара: сейчас они неизвестны.",
			"MoySklad is recalculating the stock of this good: it is unknown now.")
	}
	columns := []tool.TableColumn[place]{
		texts("store", "Склад", "Warehouse", func(x place) string { return x.store }),
		quantities("stock", "Остаток", "Stock",
			func(x place) decimal.Maybe { return x.known(x.level.Stock.Decimal()) }).WithSum(),
		quantities("reserve", "Резерв", "Reserve",
			func(x place) decimal.Maybe { return x.known(x.level.Reserve.Decimal()) }).WithSum(),
		quantities("free", "Свободно", "Free",
			func(x place) decimal.Maybe { return x.known(x.level.Free()) }).WithSum(),
		quantities("in_transit", "В пути", "On the way",
			func(x place) decimal.Maybe { return x.known(x.level.Transit.Decimal()) }).WithSum(),
	}
	sum := decimal.Maybe{} // the minimum of all warehouses together
	if m == nil {
		sum = p.flat()
	} else if m.Kind == msapi.MinimumSum {
		sum = m.Quantity
	}
	if sum.Sign() > 0 || slices.ContainsFunc(places, func(x place) bool { return x.minimum.Known }) {
		columns = append(columns, quantities("minimum", "Минимум", "Minimum",
			func(x place) decimal.Maybe { return x.minimum }).WithTotal(tool.MaybeNumber(sum)))
	}
	tool.AddPart(c.Result, c.Lang, text("Остатки по складам", "Stock by warehouse"), columns, places)
	whole := place{level: all}
	return totalOf{whole.known(all.Stock.Decimal()), whole.known(all.Reserve.Decimal()), whole.known(all.Free()),
		whole.known(all.Transit.Decimal())}
}

// inArchive returns the stock of an archived good or variant, which only the extended report has (fact M26).
func (p *product) inArchive(id msapi.ID) account.Level {
	r, ok := p.costs[id.Key()]
	if !ok {
		return account.Level{}
	}
	return account.LevelOf(r.Stock, r.Reserve, r.InTransit)
}

// archivedVariants returns the stock of the archived variants of a good that is not archived.
func (p *product) archivedVariants() (sum account.Level) {
	for _, v := range p.variants {
		if v.Archived && !p.Archived {
			sum = sum.Add(p.inArchive(v.ID))
		}
	}
	return sum
}

// showIncoming adds what is on the way and when it is expected.
func (c *call) showIncoming(p *product, t totalOf) {
	tool.AddPart(c.Result, c.Lang, text("В пути от поставщиков", "On the way from suppliers"),
		[]tool.TableColumn[incoming]{
			texts("document", "Документ", "Document", func(x incoming) string { return c.title(&x.Document) }),
			dates("expected_on", "Ждём", "Expected", func(x incoming) msapi.Moment { return x.Planned }),
			quantities("expected", "Ожидается", "To come",
				func(x incoming) decimal.Maybe { return decimal.Some(x.left) }),
			counts("overdue_days", tool.UnitDays, "Опоздание, дн.", "Days late",
				func(x incoming) int { return x.overdue }),
			texts("counterparty", "Контрагент", "Counterparty", func(x incoming) string { return c.named(x.Agent) }),
			texts("counterparty_id", "ID контрагента", "Counterparty ID",
				func(x incoming) string { return string(x.Agent.ID) }).AsDetail(),
			documentType(func(x incoming) string { return x.Kind }),
			texts("document_id", "ID документа", "Document ID", func(x incoming) string { return string(x.ID) }),
		}, p.incoming)
	var sum decimal.Decimal
	for _, x := range p.incoming {
		sum = sum.Add(x.left)
	}
	if p.seesOrders && t.transit.Known && sum.Cmp(t.transit.Decimal) != 0 {
		c.Noticef(tool.NoticePartial, "В пути по остаткам — %s, а в заказах поставщикам, которые видны сотруднику, — %s.",
			"The stock report has %s on the way, and the supplier orders that the employee sees have %s.",
			tool.FormatQuantity(t.transit.Decimal, c.Lang), tool.FormatQuantity(sum, c.Lang))
	}
}

// showPace adds the sales of the period, the sales rate and how long the stock lasts.
func (c *call) showPace(p *product, t totalOf) {
	if p.pace == nil {
		return
	}
	x := p.pace
	columns := []tool.TableColumn[*pace]{
		quantities("sold", "Продано", "Sold",
			func(x *pace) decimal.Maybe { return decimal.Some(x.sold.Sub(x.returned)) }),
	}
	if x.returned.Sign() != 0 {
		columns = append(columns, quantities("returned", "Возвращено", "Returned",
			func(x *pace) decimal.Maybe { return decimal.Some(x.returned) }).AsDetail())
	}
	if !x.bundled && p.mayBeInBundles() {
		columns = append(columns, quantities("in_bundles", "В комплектах", "In bundles",
			func(x *pace) decimal.Maybe { return x.inBundles }))
	}
	columns = append(columns,
		amounts("revenue", "Выручка", "Revenue",
			func(x *pace) (decimal.Maybe, string) { return x.revenue, c.currency }).HiddenIf(!x.revenue.Known),
		quantities("per_day", "В день", "A day", func(x *pace) decimal.Maybe { return c.perDay(x) }))
	if p.stocked() {
		columns = append(columns, cells("days_of_cover", tool.UnitDays, "Запас, дн.", "Cover, days",
			func(x *pace) tool.Value { return account.Rounded(c.cover(x, t.free), 1) }))
	}
	last := func(*pace) (at msapi.Moment) {
		if len(p.sales) > 0 {
			at = p.sales[0].Moment
		}
		return at
	}
	if !p.seesSales { // a sale that is not visible may be later
		last = func(*pace) msapi.Moment { return msapi.Moment{} }
	}
	alone, aloneEN := "", ""
	if p.mayBeInBundles() { // the documents read are those of the good itself
		alone, aloneEN = " вне комплектов", " outside bundles"
	}
	columns = append(columns, dates("last_sale", "Последняя продажа"+alone, "Last sale"+aloneEN, last),
		cells("days_since_sale", tool.UnitDays, "Дней без продаж"+alone, "Days without sales"+aloneEN,
			func(*pace) tool.Value {
				if at := last(x); !at.IsZero() {
					return tool.Count(c.daysSince(at))
				}
				return tool.Empty
			}))
	tool.AddPart(c.Result, c.Lang, text("Продажи "+wording.Span(c.period, "ru"), "Sales "+wording.Span(c.period, "en")),
		columns, []*pace{x})
}

// mayBeInBundles reports whether the good is sold in bundles, as far as is known.
func (p *product) mayBeInBundles() bool { return len(p.bundles) > 0 || p.bundlesUnseen }

// showDealings adds documents with the good.
func (c *call) showDealings(ru, en string, list []dealing) {
	hidden := len(list) > 0 && !slices.ContainsFunc(list, func(x dealing) bool { return x.sum.Known })
	if hidden {
		c.Missing(account.SectionCost, "цены и суммы закупок не показаны",
			"the prices and sums of purchases are not shown")
	}
	tool.AddPart(c.Result, c.Lang, text(ru, en), []tool.TableColumn[dealing]{
		texts("document", "Документ", "Document", func(x dealing) string { return c.title(&x.Document) }),
		dates("date", "Дата", "Date", func(x dealing) msapi.Moment { return x.Moment }),
		quantities("quantity", "Количество", "Quantity", func(x dealing) decimal.Maybe { return x.quantity }),
		amounts("price", "Цена", "Price", func(x dealing) (decimal.Maybe, string) {
			return x.price, c.iso(x.Rate.Currency)
		}).HiddenIf(hidden),
		amounts("sum", "Сумма", "Sum", func(x dealing) (decimal.Maybe, string) {
			return x.sum, c.iso(x.Rate.Currency)
		}).HiddenIf(hidden).AsDetail(),
		texts("counterparty", "Контрагент", "Counterparty", func(x dealing) string { return c.named(x.Agent) }),
		texts("document_id", "ID документа", "Document ID", func(x dealing) string { return string(x.ID) }),
	}, list)
}

// showVariants adds the variants with their stock.
func (c *call) showVariants(p *product) {
	archived := func(v msapi.Card) bool { return p.Archived || v.Archived }
	level := func(v msapi.Card) place {
		var x place
		if archived(v) {
			return place{level: p.inArchive(v.ID)}
		}
		for k, l := range p.levels {
			if k.Good == v.ID.Key() {
				x.level = x.level.Add(l)
			}
		}
		return x
	}
	figure := func(of func(place) decimal.Decimal) func(msapi.Card) decimal.Maybe {
		return func(v msapi.Card) decimal.Maybe {
			x := level(v)
			if archived(v) && !p.seesCosts || !archived(v) && !p.seesStock {
				return decimal.Maybe{}
			}
			return x.known(of(x))
		}
	}
	tool.AddPart(c.Result, c.Lang, text("Модификации", "Variants"), []tool.TableColumn[msapi.Card]{
		texts("variant", "Модификация", "Variant", func(v msapi.Card) string {
			if v.Archived {
				return v.Name + c.Pick(" (в архиве)", " (archived)")
			}
			return v.Name
		}),
		texts("code", "Код", "Code", func(v msapi.Card) string { return v.Code }),
		quantities("stock", "Остаток", "Stock",
			figure(func(x place) decimal.Decimal { return x.level.Stock.Decimal() })),
		quantities("free", "Свободно", "Free", figure(func(x place) decimal.Decimal { return x.level.Free() })),
		quantities("in_transit", "В пути", "On the way",
			figure(func(x place) decimal.Decimal { return x.level.Transit.Decimal() })),
		amounts("price", "Цена", "Price", func(v msapi.Card) (decimal.Maybe, string) {
			if len(v.SalePrices) == 0 || v.SalePrices[0].Value.Sign() == 0 {
				return decimal.Maybe{}, ""
			}
			return account.Major(v.SalePrices[0].Value), c.iso(v.SalePrices[0].Currency)
		}),
		texts("product_id", "ID товара", "Product ID", func(v msapi.Card) string { return string(v.ID) }),
	}, p.variants)
}
