package moysklad

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// namesOfTypes are the names of documents on a card.
var namesOfTypes = map[company.DocumentType]string{company.DemandDoc: "Отгрузка",
	company.RetailDemandDoc: "Розничная продажа", company.SalesReturnDoc: "Возврат покупателя",
	company.SupplyDoc: "Приёмка", company.PurchaseOrderDoc: "Заказ поставщику",
	company.CustomerOrderDoc: "Заказ покупателя", company.PaymentInDoc: "Входящий платёж",
	company.PaymentOutDoc: "Исходящий платёж", company.CashInDoc: "Приходный ордер",
	company.CashOutDoc: "Расходный ордер"}

// newestOf returns the newest posted documents of some types that fit.
func newestOf(c *company.Company, n int, fits func(*company.Document) bool,
	types ...company.DocumentType) []*company.Document {
	var list []*company.Document
	for _, k := range types {
		for _, d := range c.Documents(k) {
			if d.Applicable && fits(d) {
				list = append(list, d)
			}
		}
	}
	slices.SortFunc(list, func(x, y *company.Document) int {
		return cmp.Or(y.Moment.Compare(x.Moment), cmp.Compare(x.Type, y.Type), cmp.Compare(y.Name, x.Name))
	})
	return list[:min(n, len(list))]
}

// lineOf adds up the lines of a good and its variants in a document.
func lineOf(d *company.Document, g *company.Good) (quantity, sum, expected decimal.Decimal, found bool) {
	for _, p := range d.Positions {
		if p.Good.ID == g.ID || p.Good.Product != nil && p.Good.Product.ID == g.ID {
			found = true
			quantity, sum = quantity.Add(p.Quantity.Decimal()), sum.Add(p.Sum().Decimal().Major())
			expected = expected.Add(p.InTransit.Decimal())
		}
	}
	return quantity, sum, expected, found
}

// wantDealings compares the latest documents of a card with the raw ones.
func wantDealings(t *testing.T, g *company.Good, r *tool.Result, want []*company.Document) {
	t.Helper()
	if r == nil {
		r = &tool.Result{}
	}
	if len(r.Rows) != len(want) {
		t.Errorf("%s: %d documents, want %d", g.Name, len(r.Rows), len(want))
		return
	}
	for i, d := range want {
		row := r.Row(i)
		if row["document"].Text() != namesOfTypes[d.Type]+" "+d.Name || row["document_id"].Text() != string(d.ID) ||
			row["date"].Text() != string(tool.DayOf(d.Moment.In(msapi.Moscow))) ||
			row["counterparty"].Text() != d.Agent.Name {
			t.Errorf("%s: document %d is %v, want %s %s", g.Name, i, row, d.Type, d.Name)
		}
		quantity, sum, _, _ := lineOf(d, g)
		wantEqual(t, g.Name+" quantity", number(t, r, r.Rows[i], "quantity"), quantity)
		wantNear(t, g.Name+" sum", number(t, r, r.Rows[i], "sum"), sum)
		if quantity.Sign() > 0 {
			wantNear(t, g.Name+" price", number(t, r, r.Rows[i], "price"), sum.Div(quantity))
		}
	}
}

// netSales adds up sales less returns of a good (with its variants) in a period, and what bundles took of it.
func netSales(c *company.Company, g *company.Good, p tool.Period) (own, bundled, revenue decimal.Decimal) {
	for _, k := range []company.DocumentType{company.DemandDoc, company.RetailDemandDoc, company.SalesReturnDoc,
		company.RetailSalesReturnDoc} {
		for _, d := range c.Documents(k) {
			day := tool.DayOf(d.Moment.In(msapi.Moscow))
			if !d.Applicable || day < p.From || day > p.To {
				continue
			}
			sign := decimal.One
			if isReturn(k) {
				sign = decimal.FromInt(-1)
			}
			quantity, sum, _, _ := lineOf(d, g)
			if d.Rate != 0 {
				sum = sum.Mul(d.Rate.Decimal())
			}
			own, revenue = own.Add(quantity.Mul(sign)), revenue.Add(sum.Mul(sign))
			for _, line := range d.Positions {
				for _, part := range line.Good.Components {
					if part.Good.Root().ID == g.ID || part.Good.ID == g.ID {
						bundled = bundled.Add(line.Quantity.Decimal().Mul(part.Quantity.Decimal()).Mul(sign))
					}
				}
			}
		}
	}
	return own, bundled, revenue
}

// Rule R244: every figure of every good's card equals what the raw documents say.
func TestAProductCardEqualsTheRawDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a, stock := s.owner(t), stockFromDocuments(s.company)
	costs := callTool(t, a, "moysklad_stock", `{"only":"all"}`)
	kinds := map[company.Kind]int{}
	figures := 0
	for _, g := range s.company.Catalogue().Goods {
		if g.Index%3 != 0 && g.Kind == company.Product && len(g.Variants) == 0 && !g.Archived {
			continue
		}
		kinds[g.Kind]++
		r := callTool(t, a, "moysklad_product", fmt.Sprintf(`{"product":%q,%s}`, g.ID, inOctober))
		all := parts(t, r)
		of := func(x *company.Good) bool { return x.ID == g.ID || x.Product != nil && x.Product.ID == g.ID }
		has := func(d *company.Document) bool { _, _, _, found := lineOf(d, g); return found }
		var free, transit decimal.Decimal
		want := map[string]balance{}
		for at, b := range stock {
			x, _ := s.company.Good(at.good)
			if !of(x) || b == (balance{}) {
				continue
			}
			free, transit = free.Add(b.free().Decimal()), transit.Add(b.transit.Decimal())
			name := "(без склада)"
			for _, store := range s.company.Catalogue().Stores {
				if store.ID == at.store {
					name = store.Name
				}
			}
			o := want[name]
			want[name] = balance{o.stock + b.stock, o.reserve + b.reserve, o.transit + b.transit}
		}
		if places := all["Остатки по складам"]; !g.IsArchived() {
			for i := 0; places != nil && i < len(places.Rows); i++ {
				row := places.Row(i)
				w := want[row["store"].Text()]
				delete(want, row["store"].Text())
				for name, n := range map[string]company.Quantity{"stock": w.stock, "reserve": w.reserve,
					"in_transit": w.transit, "free": w.free()} {
					figures++
					wantEqual(t, g.Name+" "+name, number(t, places, places.Rows[i], name), n.Decimal())
				}
			}
			for name, w := range want {
				if w != (balance{}) {
					t.Errorf("%s: nothing in %s, want %v", g.Name, name, w)
				}
			}
		}

		prices := map[string]tool.Value{}
		for i := range all["Цены"].Rows {
			prices[all["Цены"].Row(i)["price_type"].Text()] = all["Цены"].Row(i)["price"]
		}
		for _, k := range s.company.Catalogue().PriceTypes {
			p := g.SalePrice(k)
			wantPrice(t, g.Name+" "+k.Name, prices[k.Name],
				decimal.Maybe{Decimal: p.Value.Decimal().Major(), Known: p.Value != 0})
		}
		if buy, ok := g.BuyPrice(); ok || prices["Закупочная цена"] != tool.Empty {
			wantPrice(t, g.Name+" buy", prices["Закупочная цена"],
				decimal.Maybe{Decimal: buy.Value.Decimal().Major(), Known: ok && buy.Value != 0})
		}
		for _, row := range costs.Rows {
			if cell(t, costs, row, "id").Text() == string(g.ID) && len(g.Variants) == 0 {
				cost, _ := cell(t, costs, row, "cost").Decimal()
				got, _ := prices["Себестоимость"].Decimal()
				wantNear(t, g.Name+" cost", got, cost)
			}
		}

		wantDealings(t, g, all["Последние продажи"],
			newestOf(s.company, 5, has, company.DemandDoc, company.RetailDemandDoc))
		wantDealings(t, g, all["Последние закупки"], newestOf(s.company, 3, has, company.SupplyDoc))

		own, bundled, revenue := netSales(s.company, g, october)
		pace := all["Продажи с 22.10.2026 по 20.11.2026"]
		wantEqual(t, g.Name+" sold", number(t, pace, pace.Rows[0], "sold"), own)
		wantNear(t, g.Name+" revenue", number(t, pace, pace.Rows[0], "revenue"), revenue)
		net := own.Add(bundled)
		wantEqual(t, g.Name+" a day", number(t, pace, pace.Rows[0], "per_day"), net.Div(decimal.FromInt(30)).Round(3))
		if g.Stocked() {
			days := cell(t, pace, pace.Rows[0], "days_of_cover")
			if known := net.Sign() > 0 && !g.IsArchived(); known == days.IsEmpty() && !g.IsArchived() {
				t.Errorf("%s: days of cover %v with %s sold", g.Name, days, net)
			} else if n, ok := days.Decimal(); ok && !g.IsArchived() {
				wantEqual(t, g.Name+" cover", n, free.Max(decimal.Zero).Mul(decimal.FromInt(30)).Div(net).Round(1))
			}
		}
		if last := newestOf(s.company, 1, has, company.DemandDoc, company.RetailDemandDoc); len(last) > 0 {
			day := tool.DayOf(last[0].Moment.In(msapi.Moscow))
			if got := cell(t, pace, pace.Rows[0], "last_sale").Text(); got != string(day) {
				t.Errorf("%s: last sale %s, want %s", g.Name, got, day)
			}
			since := tool.Period{From: day, To: tool.DayOf(noon)}.Days() - 1
			wantEqual(t, g.Name+" since", number(t, pace, pace.Rows[0], "days_since_sale"),
				decimal.FromInt(int64(since)))
		} else if !strings.Contains(r.Answer, "продаж не было") {
			t.Errorf("%s: %s", g.Name, r.Answer)
		}

		coming := map[string]decimal.Decimal{}
		for _, d := range s.company.Documents(company.PurchaseOrderDoc) {
			if _, _, n, _ := lineOf(d, g); d.Applicable && n.Sign() > 0 {
				coming[string(d.ID)] = n
			}
		}
		if way := all["В пути от поставщиков"]; way != nil {
			for i := range way.Rows {
				id := way.Row(i)["document_id"].Text()
				wantEqual(t, g.Name+" expected", number(t, way, way.Rows[i], "expected"), coming[id])
				transit = transit.Sub(coming[id])
				delete(coming, id)
			}
		}
		if len(coming) > 0 || transit.Sign() != 0 {
			t.Errorf("%s: %d orders are missing, and %s on the way", g.Name, len(coming), transit)
		}
		if v := all["Модификации"]; v == nil != (len(g.Variants) == 0) || v != nil && len(v.Rows) != len(g.Variants) {
			t.Errorf("%s: variants %v", g.Name, v)
		}
		if parts := all["Состав комплекта"]; parts == nil != (len(g.Components) == 0) {
			t.Errorf("%s consists of %v", g.Name, parts)
		}
		if fewest := Fewest(r); r.Provenance.Requests > fewest {
			t.Errorf("%s: %d requests, %d would be enough: %+v", g.Name, r.Provenance.Requests, fewest,
				r.Provenance.Sources)
		}
	}
	if kinds[company.Variant] < 3 || kinds[company.Bundle] < 3 || kinds[company.Service] == 0 || figures < 400 {
		t.Errorf("%v, %d figures of stock", kinds, figures)
	}
	t.Logf("%v, %d figures of stock", kinds, figures)
}

// Rule R243: a good is found by whatever names it, and never guessed.
func TestAGoodIsFoundByAnyOfItsNames(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	g := find(t, s, "a product", func(g *company.Good) bool {
		return g.Kind == company.Product && g.Article != "" && len(g.Barcodes) > 0 && len(g.Variants) == 0
	})
	list := s.company.Catalogue().Goods
	old := list[slices.IndexFunc(list, func(g *company.Good) bool { return g.Kind == company.Product && g.Archived })]
	cap := find(t, s, "a product with variants", func(g *company.Good) bool { return len(g.Variants) > 0 })
	ask := func(name string) (*tool.Result, error) {
		return tryTool(a, "moysklad_product", fmt.Sprintf(`{"product":%q}`, name), tool.Env{Now: noon})
	}
	for name, want := range map[string]*company.Good{g.Name: g, strings.ToUpper(g.Name): g, g.Code: g, g.Article: g,
		g.Barcodes[0].Value: g, " " + string(g.ID): g, old.Name: old, old.Code: old, string(old.ID): old, cap.Name: cap,
		cap.Article: cap, cap.Variants[0].Code: cap.Variants[0], cap.Variants[1].Name: cap.Variants[1]} {
		r, err := ask(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if id := facts(parts(t, r)["Карточка"])["ID"]; id != string(want.ID) {
			t.Errorf("%s: %s, want %s", name, r.Title, want.Name)
		}
	}
	twin := find(t, s, "another", func(x *company.Good) bool {
		return x.Kind == company.Product && !x.Archived && x.Index > g.Index && len(x.Variants) == 0
	})
	card := twin.Card
	card.Name = g.Name
	if _, err := s.company.EditGood(twin.ID, card); err != nil {
		t.Fatal(err)
	}
	gone := s.company.AddGood(company.Product, company.Card{Name: "Удалённый товар", Code: "GONE"})
	gone.Card.Deleted = true
	if _, err := s.company.EditGood(gone.ID, gone.Card); err != nil {
		t.Fatal(err)
	}
	for name, said := range map[string]string{g.Name: string(twin.ID), "Подарочный набор": "Подарочный набор № 2",
		"Удалённый товар": "не найдено", string(gone.ID): "не найдено", "нет такого": "не найдено", " ": "назовите",
		"e5e629f6-dd98-1103-0a80-d06806461cb2": "не найдено"} {
		_, err := ask(name)
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != stockhand.CodeValidation || !strings.Contains(e.Hint+e.Error(), said) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := ask("Подарочный набор № 2")
	if err != nil || strings.Contains(r.Answer, "остаток") {
		t.Errorf("a bundle: %v, %v", r, err)
	}
	if r, err = ask(cap.Variants[0].Code[:3]); err == nil {
		t.Errorf("part of a code is %s", r.Title)
	}
}

// Rules R15 and R244: what an employee may not see is named, and is not zero.
func TestAProductCardNamesWhatIsHidden(t *testing.T) {
	for _, zero := range []bool{false, true} {
		o := sandbox.Options{}
		o.Switches.HiddenCostIsZero = zero
		s := openShop(t, o)
		sold := newestOf(s.company, 1, func(d *company.Document) bool { return d.Positions[0].Good.Stocked() },
			company.RetailDemandDoc)[0].Positions[0].Good
		in := fmt.Sprintf(`{"product":%q}`, sold.ID)

		r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_product", in)
		all := parts(t, r)
		for i := range all["Цены"].Rows {
			if name := all["Цены"].Row(i)["price_type"].Text(); name == "Себестоимость" || name == "Закупочная цена" {
				t.Errorf("the storekeeper sees %s", name)
			}
		}
		if !column(t, all["Цены"], "price_margin").Hidden || strings.Contains(r.Answer, "себестоимость") ||
			strings.Contains(r.Answer, "наценка") {
			t.Errorf("the storekeeper sees a markup: %s", r.Answer)
		}
		if pace := all["Продажи с 22.10.2026 по 20.11.2026"]; !column(t, pace, "revenue").Hidden {
			t.Error("the storekeeper sees revenue")
		} else { // the turnover has what bundles took among the sales of the good
			own, bundled, _ := netSales(s.company, sold, tool.Period{From: "2026-10-22", To: "2026-11-20"})
			wantEqual(t, "sold", number(t, pace, pace.Rows[0], "sold"), own.Add(bundled))
		}

		r = callTool(t, s.as(t, s.info.Tokens.Sales), "moysklad_product", in)
		wantNotice(t, r, tool.NoticeVisibility)
		missing := wantNotice(t, r, tool.NoticeRightMissing)
		if strings.Contains(r.Answer, "продаж не было") || !strings.Contains(missing+r.Answer, "Прибыльность") ||
			strings.Contains(r.Answer, "продано") {
			t.Errorf("own documents only: %s", r.Answer)
		}
	}
}

// Rule R244: a good without sales, stock and prices.
func TestTheCardOfANewGoodIsEmptyAndSaysSo(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	g := s.company.AddGood(company.Product, company.Card{Name: "Новинка", Code: "NEW-1"})
	r := callTool(t, s.owner(t), "moysklad_product", `{"product":"NEW-1"}`)
	for _, said := range []string{"остаток 0", "Цена продажи не задана", "себестоимость неизвестна", "— 0",
		"продаж не было"} {
		if !strings.Contains(r.Answer, said) {
			t.Errorf("%q is not said: %s", said, r.Answer)
		}
	}
	if f := facts(parts(t, r)["Карточка"]); f["Поставщик"] != "не указан" || f["Неснижаемый остаток"] != "не задан" ||
		f["ID"] != string(g.ID) {
		t.Errorf("%v", f)
	}
}

// Rules R243 and R244: the country is read if the good has one, and too many bundles are not looked through.
func TestTheCountryAndManyBundlesOnAProductCard(t *testing.T) { // facts M126 and M128
	const id, country = "00000000-0000-0000-0000-0000000000a1", "00000000-0000-0000-0000-0000000000b1"
	good := `{"meta":{"type":"product","href":"x/entity/product/` + id + `"},"id":"` + id + `","name":"Чай","country":` +
		`{"meta":{"type":"country","href":"x/entity/country/` + country + `"}}}`
	a := serve(t, respond(t, map[string]string{
		"entity/assortment": listJSON(good), "entity/product": listJSON(good),
		"report/stock/bystore/current": `[]`,
		"entity/country/" + country:    `{"id":"` + country + `","name":"Индия"}`,
		"entity/bundle":                `{"meta":{"size":1001,"limit":100,"offset":0},"rows":[]}`,
	}))
	r := callTool(t, a, "moysklad_product", `{"product":"чай"}`)
	if f := facts(parts(t, r)["Карточка"]); f["Страна"] != "Индия" {
		t.Errorf("%v", f)
	}
	if n := countNotices(r, "комплектов слишком много (1001)"); n != 1 {
		t.Errorf("%v", r.Notices)
	}
}
