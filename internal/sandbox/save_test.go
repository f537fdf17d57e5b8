package sandbox

import (
	"fmt"
	"net/http"
	"testing"
)

// save sends a write that must succeed and returns the object in the response.
func save(t *testing.T, s *Server, method, path, body string) map[string]any {
	t.Helper()
	a := change(t, s, owner(s), method, path, body)
	if a.status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	return decode[map[string]any](t, a)
}

func TestAProductIsCreatedEditedAndDeleted(t *testing.T) {
	s := newServer(t)
	p := save(t, s, http.MethodPost, "entity/product", fmt.Sprintf(
		`{"name": "Чайник", "code": "T-1", "article": "A1", "weight": 1.5, "supplier": %s, "buyPrice": {"value": 12.5},
		"minimumBalance": 3}`, ref(t, s, "counterparty", 1)))
	path := "entity/product/" + p["id"].(string)
	if p["name"] != "Чайник" || p["weight"] != 1.5 || dig(p, "buyPrice", "value") != 12.5 ||
		p["minimumBalance"] != 3.0 ||
		len(p["barcodes"].([]any)) != 1 || len(p["salePrices"].([]any)) != 3 {
		t.Errorf("created %v", p)
	}
	wantShape(t, "POST /entity/product", p, path)
	wantShape(t, "GET /entity/product/{id}", object(t, s, owner(s), path), path)
	if size(t, s, owner(s), "entity/product?search="+escape("чайник")) != 1 ||
		size(t, s, owner(s), "report/stock/all?filter="+escape("stockMode=all;quantityMode=all;search=Чайник")) != 1 {
		t.Error("search does not find the product")
	}

	edited := save(t, s, http.MethodPut, path, `{"name": "Чайник новый", "description": "zz", "archived": true}`)
	if edited["name"] != "Чайник новый" || edited["code"] != "T-1" || dig(edited, "buyPrice", "value") != 12.5 {
		t.Errorf("edited %v", edited)
	}
	if got := object(t, s, owner(s), path); got["description"] != "zz" || got["archived"] != true {
		t.Errorf("after the edit: %v", got)
	}
	if a := change(t, s, owner(s), http.MethodDelete, path, ""); a.status != http.StatusOK || len(a.body) != 0 {
		t.Errorf("deleted: %d %s", a.status, a.body)
	}
	wantError(t, request(t, s, owner(s), path), 404, 1021)
	sold := dig(rows(t, s, owner(s), "report/profit/byproduct?limit=1")[0], "assortment", "meta", "href").(string)
	wantError(t, change(t, s, owner(s), http.MethodDelete, relativePath(t, sold), ""), 409, 1028)
}

func TestReportsUseAnEditedProductsNewName(t *testing.T) {
	s := newServer(t)
	row := rows(t, s, owner(s), "report/profit/byproduct?limit=1")[0]
	path := relativePath(t, dig(row, "assortment", "meta", "href").(string))
	save(t, s, http.MethodPut, path, `{"name": "Переименован"}`)
	after := rows(t, s, owner(s), "report/profit/byproduct?limit=1")[0]
	if dig(after, "assortment", "name") != "Переименован" || after["sellSum"] != row["sellSum"] {
		t.Errorf("before %v, after %v", row, after)
	}
}

// A client may read an object, change a field and send the whole object back. Only that field changes.
func TestAWholeObjectMayBeSentBack(t *testing.T) {
	s := newServer(t)
	for _, typ := range []string{"product", "variant", "counterparty", "customerorder", "demand", "purchaseorder",
		"move"} {
		one := request(t, s, owner(s), "entity/"+typ+"?limit=1&expand=positions")
		if typ == "product" || typ == "variant" || typ == "counterparty" {
			one = request(t, s, owner(s), "entity/"+typ+"?limit=1")
		}
		before := decode[map[string]any](t, one)["rows"].([]any)[0].(map[string]any)
		if p, ok := before["positions"].(map[string]any); ok {
			before["positions"] = p["rows"]
		}
		before["description"] = "новое"
		path := relativePath(t, dig(before, "meta", "href").(string))
		after := save(t, s, http.MethodPut, path, encode(t, before))
		if after["description"] != "новое" || after["name"] != before["name"] || after["sum"] != before["sum"] {
			t.Errorf("%s: before %v, after %v", typ, before, after)
		}
	}
}

func TestInvalidWritesGetTheVendorsErrors(t *testing.T) {
	s := newServer(t)
	product := relativePath(t, dig(rows(t, s, owner(s), "entity/product?limit=1")[0], "meta", "href").(string))
	attribute := rows(t, s, owner(s), "entity/product/metadata/attributes")[1]
	for body, want := range map[string][2]int{
		`{"name": null}`:                 {412, 3000},
		`{"name": 5}`:                    {400, 2016},
		`{"archived": "yes"}`:            {400, 2016},
		`{"weight": "1"}`:                {400, 2016},
		`{"weight": -1}`:                 {412, 3002},
		`{"syncId": "x"}`:                {412, 1052},
		`{"supplier": {}}`:               {400, 2010},
		`{"trackingType": "LP_CLOTHES"}`: {412, 3001},
		`{"buyPrice": {}}`:               {412, 3000},
		`{"attributes": [{"meta": {"href": "https://api.moysklad.ru/api/remap/1.2/entity/product/metadata/attributes/00000000-0000-0000-0000-000000000000", "type": "attributemetadata"}, "value": "x"}]}`: {412, 2013},
		fmt.Sprintf(`{"attributes": [{"meta": %s, "value": "x"}]}`,
			encode(t, attribute["meta"])): {400, 2016},
		`{"unknownField": 1, "description": "zz"}`: {200, 0},
	} {
		a := change(t, s, owner(s), http.MethodPut, product, body)
		if want[1] == 0 {
			if a.status != http.StatusOK {
				t.Errorf("%s: %d %s", body, a.status, a.body)
			}
			continue
		}
		wantError(t, a, want[0], want[1])
	}
	wantError(t, change(t, s, owner(s), http.MethodPost, "entity/product", `{}`), 412, 3000)
	wantError(t, change(t, s, owner(s), http.MethodPost, "entity/counterparty", `{"name": "x", "companyType": "y"}`),
		412,
		3005)
	wantError(t, change(t, s, owner(s), http.MethodPost, "entity/webhook", `{}`), 405, 1039)
	wantError(t, change(t, s, s.Accounts()[0].Tokens.Sales, http.MethodPut, product, `{"name": "x"}`), 403, 1017)
}

func TestACounterpartyIsCreatedOnceAndEdited(t *testing.T) {
	s := newServer(t)
	body := `{"name": "ООО «Новый»", "syncId": "` + syncA +
		`", "tags": ["опт"], "actualAddress": "г. Тверь, ул. Мира, 1"}`
	p := save(t, s, http.MethodPost, "entity/counterparty", body)
	if again := save(t, s, http.MethodPost, "entity/counterparty", body); again["id"] != p["id"] {
		t.Error("one syncId created two counterparties")
	}
	if dig(p, "actualAddressFull", "city") != "Тверь" || p["companyType"] != "legal" {
		t.Errorf("created %v", p)
	}
	if size(t, s, owner(s), "entity/counterparty?search="+escape("новый")) != 1 {
		t.Error("search does not find a word inside quotation marks")
	}
	path := "entity/counterparty/" + p["id"].(string)
	save(t, s, http.MethodPut, path, `{"name": "ООО «Другой»"}`)
	wantShape(t, "GET /entity/counterparty/{id}", object(t, s, owner(s), path), path)
	if size(t, s, owner(s), "entity/counterparty?filter="+escape("name=ООО «Другой»;tags=опт")) != 1 ||
		size(t, s, owner(s), "report/counterparty?filter="+escape("counterparty.name=ООО «Другой»")) != 1 {
		t.Error("the filters do not find the counterparty")
	}
	if a := change(t, s, owner(s), http.MethodDelete, path, ""); a.status != http.StatusOK {
		t.Errorf("deleted: %d", a.status)
	}
	wantError(t, request(t, s, owner(s), path), 404, 1021)
}

// An order reserves goods. Its shipment reduces the stock and the reserve, and counts as shipped.
func TestAnOrderIsShippedAndTheFiguresFollow(t *testing.T) {
	s := newServer(t)
	product := rows(t, s, owner(s), "report/stock/all?limit=1&filter="+escape("stockMode=positiveOnly"))[0]
	meta := encode(t, map[string]any{"meta": dig(product, "meta")})
	store := ref(t, s, "store", 0)
	order := save(t, s, http.MethodPost, "entity/customerorder?expand=positions", fmt.Sprintf(
		`{"organization": %s, "agent": %s, "store": %s, "code": "X", "shipmentAddress": "г. Тверь", "project": %s,
		"positions": [{"quantity": 5, "reserve": 3, "price": 1000, "assortment": %s}]}`, ref(t, s, "organization", 0),
		ref(t, s, "counterparty", 3), store, ref(t, s, "project", 0), meta))
	wantShape(t, "POST /entity/customerorder", order, "customerorder")
	if order["sum"] != 5000.0 || order["reservedSum"] != 3000.0 || order["code"] != "X" ||
		dig(order, "project") == nil {
		t.Errorf("order %v", order)
	}
	demand := save(t, s, http.MethodPost, "entity/demand", fmt.Sprintf(
		`{"organization": %s, "agent": %s, "store": %s, "customerOrder": %s,
		"positions": [{"quantity": 2, "price": 1000, "assortment": %s}]}`, ref(t, s, "organization", 0),
		ref(t, s, "counterparty", 3), store, encode(t, map[string]any{"meta": order["meta"]}), meta))
	wantShape(t, "POST /entity/demand", demand, "demand")
	shipped := object(t, s, owner(s), "entity/customerorder/"+order["id"].(string)+"?expand=positions")
	line := dig(shipped, "positions", "rows").([]any)[0].(map[string]any)
	if shipped["shippedSum"] != 2000.0 || line["shipped"] != 2.0 || line["reserve"] != 1.0 ||
		len(shipped["demands"].([]any)) != 1 {
		t.Errorf("the order after its shipment: %v, %v", shipped, line)
	}
	stockOf := func() float64 {
		list := rows(t, s, owner(s), "report/stock/all?filter="+escape("product="+dig(product, "meta", "href").(string)+
			";quantityMode=all"))
		return list[0]["stock"].(float64)
	}
	if got, want := stockOf(), product["stock"].(float64)-2; got != want {
		t.Errorf("stock %v, want %v", got, want)
	}
	line = map[string]any{"quantity": 3, "price": 100, "assortment": map[string]any{"meta": dig(product, "meta")}}
	added := change(t, s, owner(s), http.MethodPost, "entity/customerorder/"+order["id"].(string)+"/positions",
		encode(t, line))
	if list := decode[[]map[string]any](t, added); len(list) != 1 || list[0]["quantity"] != 3.0 {
		t.Errorf("added %s", added.body)
	}
	if got := object(t, s, owner(s), "entity/customerorder/"+order["id"].(string))["sum"]; got != 5300.0 {
		t.Errorf("with one more position the order's sum is %v", got)
	}
	save(t, s, http.MethodPut, "entity/demand/"+demand["id"].(string), fmt.Sprintf(
		`{"positions": [{"quantity": 1, "price": 1000, "assortment": %s}]}`, meta))
	if got, want := stockOf(), product["stock"].(float64)-1; got != want {
		t.Errorf("after the edit: stock %v, want %v", got, want)
	}
}

func TestAttributesAreListedReadFilteredAndWritten(t *testing.T) {
	s := newServer(t)
	for typ, kinds := range map[string]int{"product": 7, "variant": 7, "counterparty": 3, "customerorder": 4,
		"demand": 2,
		"store":  0} {
		list := rows(t, s, owner(s), "entity/"+typ+"/metadata/attributes")
		if len(list) != kinds {
			t.Errorf("%s has %d additional fields, want %d", typ, len(list), kinds)
		}
		for _, a := range list {
			one := relativePath(t, dig(a, "meta", "href").(string))
			if object(t, s, owner(s), one)["name"] != a["name"] {
				t.Errorf("%s is not %v", one, a)
			}
		}
	}
	wantShape(t, "GET /entity/customerorder/metadata/attributes",
		object(t, s, owner(s), "entity/customerorder/metadata/attributes"), "attributes")
	brand := rows(t, s, owner(s), "entity/product/metadata/attributes")[0]
	filter := "entity/product?filter=" + escape(dig(brand, "meta", "href").(string)+"=Домовой")
	list := rows(t, s, owner(s), filter)
	if len(list) == 0 {
		t.Fatal("no product has that brand")
	}
	for _, p := range list {
		first := p["attributes"].([]any)[0].(map[string]any)
		if first["name"] != "Бренд" || first["value"] != "Домовой" {
			t.Errorf("attributes %v", p["attributes"])
		}
	}
	path := relativePath(t, dig(list[0], "meta", "href").(string))
	save(t, s, http.MethodPut, path, fmt.Sprintf(`{"attributes": [{"meta": %s, "value": "Иной"}]}`,
		encode(t, brand["meta"])))
	if got := size(t, s, owner(s), filter); got != len(list)-1 {
		t.Errorf("%d products have the brand, want %d", got, len(list)-1)
	}
}
