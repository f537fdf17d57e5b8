package write

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// may is an employee with the rights named as "entity.action".
func may(rights ...string) http.HandlerFunc {
	perms := map[string][]string{}
	for _, r := range rights {
		entity, action, _ := strings.Cut(r, ".")
		perms[entity] = append(perms[entity], fmt.Sprintf(`"%s":"ALL"`, action))
	}
	var keys []string
	for entity, actions := range perms {
		keys = append(keys, fmt.Sprintf(`"%s":{%s}`, entity, strings.Join(actions, ",")))
	}
	return text(200, `{"id":"`+madeID+`","accountId":"a","permissions":{`+strings.Join(keys, ",")+`}}`)
}

func thing(kind, id, more string) string {
	return fmt.Sprintf(`{"meta":{"href":"http://any/entity/%s/%s","type":"%s"},"id":"%s","name":"имя"%s}`, kind, id,
		kind, id, more)
}

// shelf is a row of the stock report by store for the one store.
func shelf(kind, id string, stock, reserve, inTransit string) string {
	return fmt.Sprintf(`{"meta":{"href":"http://any/entity/%s/%s?expand=supplier","type":"%s"},"stockByStore":[
		{"meta":{"href":"http://any/entity/store/%s","type":"store"},"name":"Основной","stock":%s,"reserve":%s,"inTransit":%s}]}`,
		kind, id, kind, storeID, stock, reserve, inTransit)
}

// shop answers what checks read: two goods, two warehouses, everything in order.
func shop(change map[string]http.HandlerFunc) map[string]http.HandlerFunc {
	answers := map[string]http.HandlerFunc{
		"GET context/employee":    may("admin.view"),
		"GET entity/product":      rows(stocked("product", productID, "10000", "12345")),
		"GET entity/variant":      rows(stocked("variant", variantID, "5000", "10")),
		"GET entity/store":        rows(thing("store", storeID, ""), thing("store", targetID, "")),
		"GET entity/counterparty": rows(thing("counterparty", supplierID, "")),
		"GET entity/organization": rows(thing("organization", organizationID, "")),
		"GET entity/currency": rows(thing("currency", roublesID, `,"isoCode":"RUB","default":true`),
			thing("currency", dollarsID, `,"isoCode":"USD"`)),
		"GET report/stock/bystore": rows(shelf("product", productID, "8", "1", "2")),
	}
	maps.Copy(answers, change)
	return answers
}

func check(t *testing.T, change map[string]http.HandlerFunc, docs ...tool.Document) []tool.Check {
	t.Helper()
	s := serve(t, shop(change))
	checks, err := s.writer().Check(t.Context(), stockhand.Russian, docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.requests() {
		if r.method != http.MethodGet {
			t.Errorf("a check sent %s %s", r.method, r.path)
		}
	}
	return checks
}

func said(c tool.Check) string {
	var b strings.Builder
	for _, m := range c.Moved {
		fmt.Fprintf(&b, "%s %s: %s → %s; ", m.Line, m.What, m.Old, m.New)
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}

// seen is the order as it was made from the shop.
func seen() tool.Document {
	doc := order()
	doc.Lines[0].Seen = tool.Seen{Stock: some("8"), Reserve: some("1"), InTransit: some("2"), Price: some("123.45")}
	doc.Lines[1].Seen = tool.Seen{Price: some("0.1")}
	return doc
}

func TestNothingMovedInAnUnchangedShop(t *testing.T) {
	for name, c := range map[string]tool.Check{"order": check(t, nil, seen())[0], "transfer": check(t, nil, move())[0],
		"prices": check(t, nil, prices())[0]} {
		if c.MissingRight != "" || len(c.Moved) != 0 {
			t.Errorf("%s: %q, %s", name, c.MissingRight, said(c))
		}
	}
	if c := check(t, nil, seen())[0]; !c.Fresh.Total.Known || len(c.Fresh.Lines) != 2 || c.Fresh.ID != seen().ID {
		t.Errorf("fresh %+v", c.Fresh)
	}
}

func TestRightsAreNamedAsTheRoleSettingsNameThem(t *testing.T) {
	purchase := prices()
	purchase.PriceType = ref("", tool.BuyPrice, "")
	for name, c := range map[string]struct {
		rights http.HandlerFunc
		doc    tool.Document
		want   string
	}{
		"order, none":                 {may("move.create"), order(), "Заказы поставщикам: создавать"},
		"order, without posting":      {may("purchaseorder.create"), order(), "Заказы поставщикам: проводить"},
		"order, all":                  {may("purchaseorder.create", "purchaseorder.approve"), seen(), ""},
		"order, camel case":           {may("purchaseOrder.create", "purchaseOrder.approve"), seen(), ""},
		"transfer, none":              {may("purchaseorder.create"), move(), "Перемещения: создавать"},
		"transfer, without posting":   {may("move.create"), move(), "Перемещения: проводить"},
		"prices, none":                {may("product.view"), prices(), "Товары: редактировать"},
		"prices, documentation's key": {may("good.update"), prices(), ""},
		"prices, variants apart":      {may("product.update", "variant.view"), prices(), "Товары: редактировать"},
		"purchase prices, unseen": {may("product.update"), purchase,
			"Видеть себестоимость, цену закупки и прибыль товаров"},
		"deletion, none": {may("purchaseorder.create"), removal(), "Заказы поставщикам: удалять"},
		"administrator":  {may("admin.view"), seen(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := check(t, map[string]http.HandlerFunc{"GET context/employee": c.rights}, c.doc)[0]
			if got.MissingRight != c.want {
				t.Errorf("missing %q, want %q", got.MissingRight, c.want)
			}
		})
	}
}

func TestAnOrderMoves(t *testing.T) {
	product := func(sale, buy string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"GET entity/product": rows(stocked("product", productID, sale, buy))}
	}
	stock := func(stock, reserve, transit string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"GET report/stock/bystore": rows(
			shelf("product", productID, stock, reserve, transit))}
	}
	archived := func(path, kind, id string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{path: rows(thing(kind, id, `,"archived":true`), thing(kind, targetID, ""))}
	}
	dollars := strings.Replace(stocked("product", productID, "1", "12345"), roublesID, dollarsID, 1)
	for name, c := range map[string]struct {
		world map[string]http.HandlerFunc
		want  string // empty: it did not move
	}{
		"goods were sold":  {stock("1", "0", "2"), ""},
		"a supply arrived": {stock("10", "1", "0"), ""},
		"one came back":    {stock("9", "1", "2"), ""},
		"two came back": {stock("10", "1", "2"),
			"1 доступно с учётом ожидания на складе «Основной» («Товар»): 9 → 11; "},
		"somebody ordered the same": {stock("8", "1", "12"),
			"1 доступно с учётом ожидания на складе «Основной» («Товар»): 9 → 19; "},
		"a reserve was released": {stock("8", "0", "2"), ""},
		"the report lost the good": {map[string]http.HandlerFunc{"GET report/stock/bystore": rows()},
			"1 доступно с учётом ожидания на складе «Основной» («Товар»): 9 → нет данных; "},
		"stock may not be seen any more": {map[string]http.HandlerFunc{"GET report/stock/bystore": text(403,
			refuses(13003, ""))}, "1 доступно с учётом ожидания на складе «Основной» («Товар»): 9 → нет данных; "},
		"the purchase price rose": {product("1", "12346"),
			"1 закупочная цена («Товар»): 123,45 ₽ → 123,46 ₽; "},
		"the purchase price is in dollars": {map[string]http.HandlerFunc{"GET entity/product": rows(dollars)},
			"1 валюта закупочной цены («Товар»): RUB → другая; "},
		"the good was deleted": {map[string]http.HandlerFunc{"GET entity/product": rows()},
			"1 товар «Товар»: есть → удалён или скрыт; "},
		"the good was archived": {map[string]http.HandlerFunc{"GET entity/product": rows(
			strings.Replace(stocked("product", productID, "1", "12345"), `"archived":false`, `"archived":true`, 1))},
			"1 товар «Товар»: действует → в архиве; "},
		"the warehouse was archived": {archived("GET entity/store", "store", storeID),
			" склад «Основной»: действует → в архиве; "},
		"the supplier was archived": {archived("GET entity/counterparty", "counterparty", supplierID),
			" поставщик «Поставщик»: действует → в архиве; "},
		"the supplier was deleted": {map[string]http.HandlerFunc{"GET entity/counterparty": rows()},
			" поставщик «Поставщик»: есть → удалён или скрыт; "},
		"suppliers may not be seen": {map[string]http.HandlerFunc{"GET entity/counterparty": text(403,
			refuses(1016, ""))}, ""},
		"the legal entity was archived": {archived("GET entity/organization", "organization", organizationID),
			" юрлицо «Юрлицо»: действует → в архиве; "},
	} {
		t.Run(name, func(t *testing.T) {
			if got := said(check(t, c.world, seen())[0]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAFreshOrderHasCurrentFigures(t *testing.T) {
	doc := seen()
	doc.Lines[1].Price = some("5") // typed by a person, over the purchase price of 0.1
	c := check(t, map[string]http.HandlerFunc{
		"GET entity/product":       rows(stocked("product", productID, "1", "20000")),
		"GET entity/variant":       rows(stocked("variant", variantID, "1", "30")),
		"GET report/stock/bystore": rows(shelf("product", productID, "8", "1", "12")),
	}, doc)[0]
	first, second := c.Fresh.Lines[0], c.Fresh.Lines[1]
	if first.Price.String() != "200" || first.Seen.Price.String() != "200" || first.Seen.InTransit.String() != "12" ||
		first.Quantity.String() != "10" {
		t.Errorf("first line %+v", first)
	}
	if second.Price.String() != "5" || second.Seen.Price.String() != "0.3" {
		t.Errorf("second line %+v", second)
	}
	if c.Fresh.Total.String() != "2012.5" {
		t.Errorf("total %s", c.Fresh.Total)
	}
	if doc.Lines[0].Price.String() != "123.45" {
		t.Error("the document itself was changed")
	}
	again := check(t, map[string]http.HandlerFunc{
		"GET entity/product":       rows(stocked("product", productID, "1", "20000")),
		"GET entity/variant":       rows(stocked("variant", variantID, "1", "30")),
		"GET report/stock/bystore": rows(shelf("product", productID, "8", "1", "12")),
	}, c.Fresh)[0]
	if len(again.Moved) != 0 {
		t.Errorf("what was shown again has moved again: %s", said(again))
	}
	gone := check(t, map[string]http.HandlerFunc{"GET entity/product": rows()}, seen())[0]
	if len(gone.Fresh.Lines) != 1 || gone.Fresh.Lines[0].ID != "2" {
		t.Errorf("a deleted good stays in the fresh document: %+v", gone.Fresh.Lines)
	}
}

func TestATransferMoves(t *testing.T) {
	stock := func(stock, reserve string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"GET report/stock/bystore": rows(
			shelf("product", productID, stock, reserve, "100"))}
	}
	minimum := move()
	minimum.Lines[0].Seen.Minimum = some("4")
	below := move()
	below.Lines[0].Seen.Minimum = some("5") // it was below already: a person has seen that
	for name, c := range map[string]struct {
		doc   tool.Document
		world map[string]http.HandlerFunc
		want  string
	}{
		"enough is left": {move(), stock("4", "1"), ""},
		"one is missing": {move(), stock("3", "1"),
			"1 свободный остаток на складе «Основной» («Товар»): 7 → 2; "},
		"the rest is reserved": {move(), stock("8", "6"),
			"1 свободный остаток на складе «Основной» («Товар»): 7 → 2; "},
		"nothing is known": {move(), map[string]http.HandlerFunc{"GET report/stock/bystore": rows()},
			"1 свободный остаток на складе «Основной» («Товар»): 7 → нет данных; "},
		"the minimum is kept": {minimum, stock("8", "1"), ""},
		"the minimum is not": {minimum, stock("7", "1"),
			"1 свободный остаток на складе «Основной» («Товар»): 7 → 6; "},
		"it never was": {below, stock("7", "1"), ""},
		"the target is archived": {move(),
			map[string]http.HandlerFunc{"GET entity/store": rows(thing("store", storeID, ""),
				thing("store", targetID, `,"archived":true`))}, " склад «Магазин»: действует → в архиве; "},
	} {
		t.Run(name, func(t *testing.T) {
			if got := said(check(t, c.world, c.doc)[0]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	second, third := move(), move()
	second.ID, third.ID = "doc_move_2", "doc_move_3"
	checks := check(t, nil, move(), second, third) // 7 are free, 3 + 3 + 3 are wanted
	if len(checks[0].Moved)+len(checks[1].Moved) != 0 ||
		said(checks[2]) != "1 свободный остаток на складе «Основной» («Товар»): 7 → 1; " {
		t.Errorf("three transfers of the same stock: %s, %s, %s", said(checks[0]), said(checks[1]), said(checks[2]))
	}
}

func TestAPriceMoves(t *testing.T) {
	c := check(t, map[string]http.HandlerFunc{"GET entity/product": rows(stocked("product", productID, "10001", "1"))},
		prices())[0]
	if got := said(c); got != "1 цена «Розничная» («Товар»): 100 ₽ → 100,01 ₽; " &&
		got != "1 цена «Розничная» («Товар»): 100,00 ₽ → 100,01 ₽; " {
		t.Errorf("%q", got)
	}
	if c.Fresh.Lines[0].OldPrice.String() != "100.01" || c.Fresh.Lines[0].Price.String() != "107" {
		t.Errorf("fresh %+v", c.Fresh.Lines[0])
	}
	unset := prices()
	unset.Lines = unset.Lines[:1]
	unset.Lines[0].OldPrice.Known = false
	if c := check(t, map[string]http.HandlerFunc{"GET entity/product": rows(stocked("product", productID, "0", "1"))},
		unset)[0]; len(c.Moved) != 0 {
		t.Errorf("a price that was not set and is not set: %s", said(c))
	}
	if c := check(t, nil, unset)[0]; len(c.Moved) != 1 {
		t.Errorf("a price that was not set and is: %s", said(c))
	}
	dollars := strings.ReplaceAll(stocked("product", productID, "10000", "1"), roublesID, dollarsID)
	if c := check(t, map[string]http.HandlerFunc{"GET entity/product": rows(dollars)},
		prices())[0]; said(c) != "1 валюта: цена «Розничная» («Товар»): RUB → другая; " {
		t.Errorf("%q", said(c))
	}
}

func TestADeletionMoves(t *testing.T) {
	path := "GET entity/purchaseorder/" + madeID
	for name, c := range map[string]struct{ answer, want string }{
		"untouched": {made("purchaseorder", "", 1), ""},
		"zeros": {thing("purchaseorder", madeID,
			`,"shippedSum":0,"payedSum":0.0,"positions":{"rows":[{"shipped":0}]}`), ""},
		"received": {thing("purchaseorder", madeID, `,"shippedSum":5000`),
			" приёмка товаров: нет → 50,00 ₽; "},
		"received, sums are hidden": {thing("purchaseorder", madeID,
			`,"positions":{"rows":[{"shipped":0},{"shipped":1.5}]}`), " приёмка товаров: нет → есть; "},
		"a supply hangs on it": {thing("purchaseorder", madeID, `,"supplies":[{"meta":{}}]`),
			" приёмка товаров: нет → есть; "},
		"paid": {thing("purchaseorder", madeID, `,"payedSum":100`), " оплачено: нет → 1,00 ₽; "},
		"invoiced": {thing("purchaseorder", madeID, `,"invoicesIn":[{"meta":{}}]`),
			" связанные документы: нет → есть; "},
		"thrown into the bin": {thing("purchaseorder", madeID,
			`,"deleted":"2026-11-20 10:00:00.000","shippedSum":5000`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := said(check(t, map[string]http.HandlerFunc{path: text(200, c.answer)},
				removal())[0]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if c := check(t, map[string]http.HandlerFunc{path: text(404, refuses(1021, ""))}, removal())[0]; len(c.Moved) != 0 {
		t.Errorf("gone already: %s", said(c))
	}
}

func TestAFailedReadIsAnErrorOfTheCheck(t *testing.T) {
	for _, path := range []string{"context/employee", "entity/product", "report/stock/bystore"} {
		s := serve(t, shop(map[string]http.HandlerFunc{"GET " + path: text(400, refuses(1034, ""))}))
		if _, err := s.writer().Check(t.Context(), stockhand.Russian, []tool.Document{seen()}); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}
