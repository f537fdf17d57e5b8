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

// employeeWith responds with an employee who has the given rights, written "entity.action".
func employeeWith(rights ...string) http.HandlerFunc {
	perms := map[string][]string{}
	for _, r := range rights {
		entity, action, _ := strings.Cut(r, ".")
		perms[entity] = append(perms[entity], fmt.Sprintf(`"%s":"ALL"`, action))
	}
	var keys []string
	for entity, actions := range perms {
		keys = append(keys, fmt.Sprintf(`"%s":{%s}`, entity, strings.Join(actions, ",")))
	}
	return respond(200, `{"id":"`+madeID+`","accountId":"a","permissions":{`+strings.Join(keys, ",")+`}}`)
}

func objectJSON(kind, id, more string) string {
	return fmt.Sprintf(`{"meta":{"href":"http://any/entity/%s/%s","type":"%s"},"id":"%s","name":"имя"%s}`, kind, id,
		kind, id, more)
}

// stockRow returns a row of the stock report by store, for the store storeID.
func stockRow(kind, id string, stock, reserve, inTransit string) string {
	return fmt.Sprintf(`{"meta":{"href":"http://any/entity/%s/%s?expand=supplier","type":"%s"},"stockByStore":[
		{"meta":{"href":"http://any/entity/store/%s","type":"store"},"name":"Основной","stock":%s,"reserve":%s,"inTransit":%s}]}`,
		kind, id, kind, storeID, stock, reserve, inTransit)
}

// unchanged returns handlers for everything that checks read. The account matches the test documents, except for the
// handlers in change.
func unchanged(change map[string]http.HandlerFunc) map[string]http.HandlerFunc {
	answers := map[string]http.HandlerFunc{
		"GET context/employee":    employeeWith("admin.view"),
		"GET entity/product":      rows(goodJSON("product", productID, "10000", "12345")),
		"GET entity/variant":      rows(goodJSON("variant", variantID, "5000", "10")),
		"GET entity/store":        rows(objectJSON("store", storeID, ""), objectJSON("store", targetID, "")),
		"GET entity/counterparty": rows(objectJSON("counterparty", supplierID, "")),
		"GET entity/organization": rows(objectJSON("organization", organizationID, "")),
		"GET entity/currency": rows(objectJSON("currency", roublesID, `,"isoCode":"RUB","default":true`),
			objectJSON("currency", dollarsID, `,"isoCode":"USD"`)),
		"GET report/stock/bystore": rows(stockRow("product", productID, "8", "1", "2")),
	}
	maps.Copy(answers, change)
	return answers
}

func check(t *testing.T, change map[string]http.HandlerFunc, docs ...tool.Document) []tool.Check {
	t.Helper()
	s := serve(t, unchanged(change))
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

func describeMoved(c tool.Check) string {
	var b strings.Builder
	for _, m := range c.Moved {
		fmt.Fprintf(&b, "%s %s: %s → %s; ", m.Line, m.What, m.Old, m.New)
	}
	return strings.ReplaceAll(b.String(), "\u00a0", " ")
}

// seenOrder returns the order with the figures that it was prepared from.
func seenOrder() tool.Document {
	doc := order()
	doc.Lines[0].Seen = tool.Seen{Stock: some("8"), Reserve: some("1"), InTransit: some("2"), Price: some("123.45")}
	doc.Lines[1].Seen = tool.Seen{Price: some("0.1")}
	return doc
}

func TestNothingMovedInAnUnchangedAccount(t *testing.T) {
	for name, c := range map[string]tool.Check{"order": check(t, nil, seenOrder())[0],
		"transfer": check(t, nil, move())[0],
		"prices":   check(t, nil, prices())[0]} {
		if c.MissingRight != "" || len(c.Moved) != 0 {
			t.Errorf("%s: %q, %s", name, c.MissingRight, describeMoved(c))
		}
	}
	if c := check(t, nil, seenOrder())[0]; !c.Fresh.Total.Known || len(c.Fresh.Lines) != 2 ||
		c.Fresh.ID != seenOrder().ID {
		t.Errorf("fresh %+v", c.Fresh)
	}
}

func TestRightsAreNamedAsInTheRoleSettings(t *testing.T) {
	purchase := prices()
	purchase.PriceType = ref("", tool.BuyPrice, "")
	for name, c := range map[string]struct {
		rights http.HandlerFunc
		doc    tool.Document
		want   string
	}{
		"order, none":                 {employeeWith("move.create"), order(), "Заказы поставщикам: создавать"},
		"order, without posting":      {employeeWith("purchaseorder.create"), order(), "Заказы поставщикам: проводить"},
		"order, all":                  {employeeWith("purchaseorder.create", "purchaseorder.approve"), seenOrder(), ""},
		"order, camel case":           {employeeWith("purchaseOrder.create", "purchaseOrder.approve"), seenOrder(), ""},
		"transfer, none":              {employeeWith("purchaseorder.create"), move(), "Перемещения: создавать"},
		"transfer, without posting":   {employeeWith("move.create"), move(), "Перемещения: проводить"},
		"prices, none":                {employeeWith("product.view"), prices(), "Товары: редактировать"},
		"prices, documentation's key": {employeeWith("good.update"), prices(), ""},
		"prices, variants apart": {employeeWith("product.update", "variant.view"), prices(),
			"Товары: редактировать"},
		"purchase prices, unseen": {employeeWith("product.update"), purchase,
			"Видеть себестоимость, цену закупки и прибыль товаров"},
		"deletion, none": {employeeWith("purchaseorder.create"), removal(), "Заказы поставщикам: удалять"},
		"administrator":  {employeeWith("admin.view"), seenOrder(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := check(t, map[string]http.HandlerFunc{"GET context/employee": c.rights}, c.doc)[0]
			if got.MissingRight != c.want {
				t.Errorf("missing %q, want %q", got.MissingRight, c.want)
			}
		})
	}
}

func TestChangesToAnOrderAreReported(t *testing.T) {
	product := func(sale, buy string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"GET entity/product": rows(goodJSON("product", productID, sale, buy))}
	}
	stock := func(stock, reserve, transit string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"GET report/stock/bystore": rows(
			stockRow("product", productID, stock, reserve, transit))}
	}
	archived := func(path, kind, id string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{path: rows(objectJSON(kind, id, `,"archived":true`),
			objectJSON(kind, targetID, ""))}
	}
	dollars := strings.Replace(goodJSON("product", productID, "1", "12345"), roublesID, dollarsID, 1)
	for name, c := range map[string]struct {
		handlers map[string]http.HandlerFunc
		want     string // empty if nothing moved
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
		"stock may not be seen any more": {map[string]http.HandlerFunc{"GET report/stock/bystore": respond(403,
			errorBody(13003, ""))}, "1 доступно с учётом ожидания на складе «Основной» («Товар»): 9 → нет данных; "},
		"the purchase price rose": {product("1", "12346"),
			"1 закупочная цена («Товар»): 123,45 ₽ → 123,46 ₽; "},
		"the purchase price is in dollars": {map[string]http.HandlerFunc{"GET entity/product": rows(dollars)},
			"1 валюта закупочной цены («Товар»): RUB → другая; "},
		"the good was deleted": {map[string]http.HandlerFunc{"GET entity/product": rows()},
			"1 товар «Товар»: есть → удалён или скрыт; "},
		"the good was archived": {map[string]http.HandlerFunc{"GET entity/product": rows(
			strings.Replace(goodJSON("product", productID, "1", "12345"), `"archived":false`, `"archived":true`, 1))},
			"1 товар «Товар»: действует → в архиве; "},
		"the warehouse was archived": {archived("GET entity/store", "store", storeID),
			" склад «Основной»: действует → в архиве; "},
		"the supplier was archived": {archived("GET entity/counterparty", "counterparty", supplierID),
			" поставщик «Поставщик»: действует → в архиве; "},
		"the supplier was deleted": {map[string]http.HandlerFunc{"GET entity/counterparty": rows()},
			" поставщик «Поставщик»: есть → удалён или скрыт; "},
		"suppliers may not be seen": {map[string]http.HandlerFunc{"GET entity/counterparty": respond(403,
			errorBody(1016, ""))}, ""},
		"the legal entity was archived": {archived("GET entity/organization", "organization", organizationID),
			" юрлицо «Юрлицо»: действует → в архиве; "},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describeMoved(check(t, c.handlers, seenOrder())[0]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAFreshOrderHasCurrentFigures(t *testing.T) {
	doc := seenOrder()
	doc.Lines[1].Price = some("5") // the user replaced the purchase price of 0.1
	c := check(t, map[string]http.HandlerFunc{
		"GET entity/product":       rows(goodJSON("product", productID, "1", "20000")),
		"GET entity/variant":       rows(goodJSON("variant", variantID, "1", "30")),
		"GET report/stock/bystore": rows(stockRow("product", productID, "8", "1", "12")),
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
		t.Error("Check modified its document")
	}
	again := check(t, map[string]http.HandlerFunc{
		"GET entity/product":       rows(goodJSON("product", productID, "1", "20000")),
		"GET entity/variant":       rows(goodJSON("variant", variantID, "1", "30")),
		"GET report/stock/bystore": rows(stockRow("product", productID, "8", "1", "12")),
	}, c.Fresh)[0]
	if len(again.Moved) != 0 {
		t.Errorf("the fresh document has moved again: %s", describeMoved(again))
	}
	gone := check(t, map[string]http.HandlerFunc{"GET entity/product": rows()}, seenOrder())[0]
	if len(gone.Fresh.Lines) != 1 || gone.Fresh.Lines[0].ID != "2" {
		t.Errorf("the fresh document still has the deleted good: %+v", gone.Fresh.Lines)
	}
}

func TestChangesToATransferAreReported(t *testing.T) {
	stock := func(stock, reserve string) map[string]http.HandlerFunc {
		return map[string]http.HandlerFunc{"GET report/stock/bystore": rows(
			stockRow("product", productID, stock, reserve, "100"))}
	}
	minimum := move()
	minimum.Lines[0].Seen.Minimum = some("4")
	more := move() // rule R1060: an edit asked for more than the 7 that were shown
	more.Lines[0].Quantity = some("15")
	below := move()
	below.Lines[0].Seen.Minimum = some("5") // the stock was already below it when the user saw it
	for name, c := range map[string]struct {
		doc      tool.Document
		handlers map[string]http.HandlerFunc
		want     string
	}{
		"enough is left": {move(), stock("4", "1"), ""},
		"one is missing": {move(), stock("3", "1"),
			"1 свободный остаток на складе «Основной» («Товар»): 7 → 2; "},
		"the rest is reserved": {move(), stock("8", "6"),
			"1 свободный остаток на складе «Основной» («Товар»): 7 → 2; "},
		"nothing is known": {move(), map[string]http.HandlerFunc{"GET report/stock/bystore": rows()},
			"1 свободный остаток на складе «Основной» («Товар»): 7 → нет данных; "},
		"the minimum is kept": {minimum, stock("8", "1"), ""},
		"the minimum is not kept": {minimum, stock("7", "1"),
			"1 свободный остаток на складе «Основной» («Товар»): 7 → 6; "},
		"already below it":    {below, stock("7", "1"), ""},
		"more than there was": {more, stock("8", "1"), ""},
		"more, and it has fallen": {more, stock("7", "1"),
			"1 свободный остаток на складе «Основной» («Товар»): 7 → 6; "},
		"the target is archived": {move(),
			map[string]http.HandlerFunc{"GET entity/store": rows(objectJSON("store", storeID, ""),
				objectJSON("store", targetID, `,"archived":true`))}, " склад «Магазин»: действует → в архиве; "},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describeMoved(check(t, c.handlers, c.doc)[0]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	second, third := move(), move()
	second.ID, third.ID = "doc_move_2", "doc_move_3"
	checks := check(t, nil, move(), second, third) // 7 available, 3 + 3 + 3 needed
	if len(checks[0].Moved)+len(checks[1].Moved) != 0 ||
		describeMoved(checks[2]) != "1 свободный остаток на складе «Основной» («Товар»): 7 → 1; " {
		t.Errorf("three transfers of the same stock: %s, %s, %s", describeMoved(checks[0]), describeMoved(checks[1]),
			describeMoved(checks[2]))
	}
}

func TestChangesToAPriceAreReported(t *testing.T) {
	c := check(t, map[string]http.HandlerFunc{"GET entity/product": rows(goodJSON("product", productID, "10001", "1"))},
		prices())[0]
	if got := describeMoved(c); got != "1 цена «Розничная» («Товар»): 100 ₽ → 100,01 ₽; " &&
		got != "1 цена «Розничная» («Товар»): 100,00 ₽ → 100,01 ₽; " {
		t.Errorf("%q", got)
	}
	if c.Fresh.Lines[0].OldPrice.String() != "100.01" || c.Fresh.Lines[0].Price.String() != "107" {
		t.Errorf("fresh %+v", c.Fresh.Lines[0])
	}
	unset := prices()
	unset.Lines = unset.Lines[:1]
	unset.Lines[0].OldPrice.Known = false
	if c := check(t, map[string]http.HandlerFunc{"GET entity/product": rows(goodJSON("product", productID, "0", "1"))},
		unset)[0]; len(c.Moved) != 0 {
		t.Errorf("a price that is still not set: %s", describeMoved(c))
	}
	if c := check(t, nil, unset)[0]; len(c.Moved) != 1 {
		t.Errorf("a price that was not set before: %s", describeMoved(c))
	}
	dollars := strings.ReplaceAll(goodJSON("product", productID, "10000", "1"), roublesID, dollarsID)
	if c := check(t, map[string]http.HandlerFunc{"GET entity/product": rows(dollars)},
		prices())[0]; describeMoved(c) != "1 валюта: цена «Розничная» («Товар»): RUB → другая; " {
		t.Errorf("%q", describeMoved(c))
	}
}

func TestChangesToADeletionAreReported(t *testing.T) {
	path := "GET entity/purchaseorder/" + madeID
	for name, c := range map[string]struct{ answer, want string }{
		"untouched": {createdJSON("purchaseorder", "", 1), ""},
		"zeros": {objectJSON("purchaseorder", madeID,
			`,"shippedSum":0,"payedSum":0.0,"positions":{"rows":[{"shipped":0}]}`), ""},
		"received": {objectJSON("purchaseorder", madeID, `,"shippedSum":5000`),
			" приёмка товаров: нет → 50,00 ₽; "},
		"received, sums are hidden": {objectJSON("purchaseorder", madeID,
			`,"positions":{"rows":[{"shipped":0},{"shipped":1.5}]}`), " приёмка товаров: нет → есть; "},
		"a supply hangs on it": {objectJSON("purchaseorder", madeID, `,"supplies":[{"meta":{}}]`),
			" приёмка товаров: нет → есть; "},
		"paid": {objectJSON("purchaseorder", madeID, `,"payedSum":100`), " оплачено: нет → 1,00 ₽; "},
		"invoiced": {objectJSON("purchaseorder", madeID, `,"invoicesIn":[{"meta":{}}]`),
			" связанные документы: нет → есть; "},
		"thrown into the bin": {objectJSON("purchaseorder", madeID,
			`,"deleted":"2026-11-20 10:00:00.000","shippedSum":5000`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describeMoved(check(t, map[string]http.HandlerFunc{path: respond(200, c.answer)},
				removal())[0]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if c := check(t, map[string]http.HandlerFunc{path: respond(404, errorBody(1021, ""))},
		removal())[0]; len(c.Moved) != 0 {
		t.Errorf("already deleted: %s", describeMoved(c))
	}
}

func TestAFailedReadIsAnErrorOfTheCheck(t *testing.T) {
	for _, path := range []string{"context/employee", "entity/product", "report/stock/bystore"} {
		s := serve(t, unchanged(map[string]http.HandlerFunc{"GET " + path: respond(400, errorBody(1034, ""))}))
		if _, err := s.writer().Check(t.Context(), stockhand.Russian, []tool.Document{seenOrder()}); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}
