package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// shapes maps a name to the shape of a vendor response, as testdata/shapes.txt writes it. A line is "GET /path kind" or
// "name kind". A kind is a JSON type, the name of a shape, [kind] for an array, kind|kind for alternatives, kind? for
// nullable, or { name:kind name!:kind } for an object, where "!" marks a required field.
var shapes = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	b, err := os.ReadFile("testdata/shapes.txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(b)) {
		name, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if path, rest, _ := strings.Cut(kind, " "); strings.HasPrefix(path, "/") {
			name, kind = name+" "+path, rest
		}
		all[name] = kind
	}
	return all
})

// shapeErrors lists where a value does not match a kind. Fields missing from the shape are allowed.
func shapeErrors(kind string, v any, at string) (list []string) {
	optional := strings.HasSuffix(kind, "?")
	kind = strings.TrimSuffix(kind, "?")
	alternatives := strings.Split(kind, "|")
	switch {
	case v == nil && !optional:
		return []string{at + " is null"}
	case v == nil || kind == "any":
		return nil
	case kind[0] == '{':
		return objectShapeErrors(kind, v, at)
	case kind[0] == '[':
		array, ok := v.([]any)
		if !ok {
			return []string{at + " is not an array"}
		}
		for _, e := range array {
			list = append(list, shapeErrors(kind[1:len(kind)-1], e, at)...)
		}
		return list
	case len(alternatives) > 1:
		for _, a := range alternatives {
			if list = shapeErrors(a, v, at); len(list) == 0 {
				return nil
			}
		}
		return list
	case shapes()[kind] != "":
		return shapeErrors(shapes()[kind], v, at)
	case kind != jsonType(v) && (kind != "number" || jsonType(v) != "integer"):
		return []string{fmt.Sprintf("%s is a %s, not a %s", at, jsonType(v), kind)}
	}
	return nil
}

func objectShapeErrors(kind string, v any, at string) (list []string) {
	m, ok := v.(map[string]any)
	if !ok {
		return []string{at + " is not an object"}
	}
	for _, field := range strings.Fields(kind[1 : len(kind)-1]) {
		name, kind, _ := strings.Cut(field, ":")
		name, required := strings.CutSuffix(name, "!")
		if inner, there := m[name]; there {
			list = append(list, shapeErrors(kind, inner, at+"."+name)...)
		} else if required {
			list = append(list, at+"."+name+" is missing")
		}
	}
	return list
}

func jsonType(v any) string {
	switch v := v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// TestEntitiesHaveTheVendorsShapes compares whole responses with the shapes in the vendor's OpenAPI document: for the
// owner and for restricted employees, plain and with everything expanded.
func TestEntitiesHaveTheVendorsShapes(t *testing.T) {
	s := shared()
	entities := map[string]string{ // entity and its expandable fields
		"product": "supplier,uom,productFolder,owner,group,minimumStock.storebalances", "variant": "product.supplier",
		"bundle": "components.assortment", "service": "uom", "assortment": "product,uom",
		"productfolder": "productFolder",
		"store":         "parent", "organization": "accounts", "counterparty": "owner,group", "employee": "group",
		"currency": "", "uom": "", "saleschannel": "", "group": "", "retailstore": "organization,store",
		"customerorder": "positions.assortment,agent,state,store", "purchaseorder": "positions.assortment,agent,state",
		"move": "positions,sourceStore,targetStore", "demand": "positions,customerOrder.agent",
		"supply":      "positions,purchaseOrder",
		"salesreturn": "positions,demand", "retaildemand": "positions,retailStore", "retailsalesreturn": "positions",
		"enter": "positions", "loss": "positions", "paymentin": "agent", "paymentout": "agent", "cashin": "",
		"cashout": "",
	}
	tokens := s.Accounts()[0].Tokens
	for _, name := range slices.Sorted(maps.Keys(entities)) {
		t.Run(name, func(t *testing.T) {
			pattern := "GET /entity/" + name
			paths := []string{"entity/" + name + "?limit=100", "entity/" + name + "?limit=20&expand=" + entities[name]}
			if name == "product" || name == "variant" {
				paths = append(paths, "entity/"+name+"?limit=100&fields=minimumStock&expand="+entities[name])
			}
			if isDocument(name) && strings.Contains(entities[name], "positions") {
				paths = append(paths, "entity/"+name+"?limit=20&fields=stock&expand=positions")
			}
			for _, path := range paths {
				wantShape(t, pattern, object(t, s, tokens.Owner, path), path)
			}
			for _, token := range []string{tokens.Storekeeper, tokens.Sales} {
				if a := request(t, s, token, paths[1]); a.status == 200 {
					wantShape(t, pattern, object(t, s, token, paths[1]), paths[1])
				}
			}
			list := rows(t, s, tokens.Owner, "entity/"+name+"?limit=1")
			if len(list) == 0 {
				t.Fatal("the fixture has none")
			}
			if name == "assortment" {
				return // this list has no single objects
			}
			one := "entity/" + name + "/" + list[0]["id"].(string)
			wantShape(t, pattern+"/{id}", object(t, s, tokens.Owner, one), one)
			if slices.Contains([]string{"customerorder", "purchaseorder"}, name) {
				wantShape(t, pattern+"/metadata",
					object(t, s, tokens.Owner, "entity/"+name+"/metadata"), "metadata")
			}
			if strings.Contains(entities[name], "positions") {
				path := one + "/positions?limit=100&expand=assortment"
				wantShape(t, pattern+"/{id}/positions", object(t, s, tokens.Owner, path), path)
			}
		})
	}
}

func TestOtherAnswersHaveTheVendorsShapes(t *testing.T) {
	s := shared()
	tokens := s.Accounts()[0].Tokens
	product := ""
	for offset := 0; product == ""; offset += 100 {
		for _, r := range rows(t, s, tokens.Owner,
			fmt.Sprintf("entity/product?limit=100&offset=%d&fields=minimumStock", offset)) {
			if dig(r, "minimumStock", "type") == "WAREHOUSE_VARIED" {
				product = r["id"].(string)
			}
		}
	}
	bundle := rows(t, s, tokens.Owner, "entity/bundle?limit=1")[0]["id"].(string)
	organization := rows(t, s, tokens.Owner, "entity/organization?limit=1")[0]["id"].(string)
	storekeeper := object(t, s, tokens.Storekeeper, "context/employee")["id"].(string)
	for path, pattern := range map[string]string{
		"context/companysettings": "/context/companysettings",
		"entity/product/" + product + "/storebalances?limit=10&expand=store": "/entity/product/{id}/storebalances",
		"entity/bundle/" + bundle + "/components":                            "/entity/bundle/{id}/components",
		"entity/organization/" + organization + "/accounts":                  "/entity/organization/{id}/accounts",
		"entity/employee/" + storekeeper + "/security":                       "/entity/employee/{id}/security",
	} {
		wantShape(t, "GET "+pattern, object(t, s, tokens.Owner, path), path)
	}
	var types any
	if err := json.Unmarshal(request(t, s, tokens.Owner, "context/companysettings/pricetype").body,
		&types); err != nil {
		t.Fatal(err)
	}
	wantShape(t, "GET /context/companysettings/pricetype", types, "pricetype")

	for _, path := range []string{"entity/product2", "entity/product?filter=x", "entity/product?filter=x%3D1",
		"entity/store?limit=0"} {
		var body any
		if err := json.Unmarshal(request(t, s, tokens.Owner, path).body, &body); err != nil {
			t.Fatal(err)
		}
		wantShape(t, "error", body, path)
	}
}

func wantShape(t *testing.T, shape string, body any, path string) {
	t.Helper()
	if shapes()[shape] == "" {
		t.Fatalf("testdata/shapes.txt has no %q", shape)
	}
	for _, m := range shapeErrors(shape, body, "") {
		t.Errorf("GET %s: %s", path, m)
	}
}

// TestAnswersHaveTheShapeOfTheSamples compares responses with the recorded samples, including paths that the OpenAPI
// document does not cover: every key must exist in the sample and have its type.
func TestAnswersHaveTheShapeOfTheSamples(t *testing.T) {
	s := shared()
	token := owner(s)
	good := dig(rows(t, s, token, "report/stock/all?limit=1&filter="+escape("stockMode=positiveOnly"))[0], "meta",
		"href").(string)
	incoming := good
	for _, r := range array(t, s, token, "report/stock/all/current?stockType=inTransit") {
		incoming = "https://api.moysklad.ru" + apiRoot + "/entity/product/" + r["assortmentId"].(string)
		if a := request(t, s, token, "entity/product/"+r["assortmentId"].(string)); a.status == 200 {
			break
		}
	}
	counterparty := rows(t, s, token, "entity/counterparty?limit=1")[0]["id"].(string)
	order := rows(t, s, token, "entity/customerorder?limit=1")[0]["id"].(string)
	month := "momentFrom=2026-11-01&momentTo=2026-11-04"
	for _, c := range []struct {
		sample, path string
		required     string // keys of a row, or of the response if it has no rows
		also         string // paths documented by the vendor but absent from its samples
	}{
		{"report_stock_all", "report/stock/all",
			"meta stock inTransit reserve quantity name price salePrice externalCode stockDays", "stockDays uuidHref"},
		{"report_stock_byoperation", "report/stock/byoperation?operation.id=" + order, "meta positions", "uuidHref"},
		{"report_stock_all_current", "report/stock/all/current", "assortmentId stock", ""},
		{"report_stock_bystore_current__freeStock", "report/stock/bystore/current?stockType=freeStock",
			"assortmentId storeId freeStock", ""},
		{"report_stock_bystore_current__inTransit", "report/stock/bystore/current?stockType=inTransit",
			"assortmentId storeId inTransit", ""},
		{"report_turnover_all", "report/turnover/all", "assortment onPeriodStart onPeriodEnd income outcome",
			"code article uom productFolder pathName nextHref"},
		{"report_turnover_byoperations", "report/turnover/byoperations?" + month,
			"assortment store operation quantity cost sum", "code article productFolder pathName description nextHref"},
		{"report_byoperations_stock", "report/byoperations/stock?filter=" + escape("assortment="+good),
			"assortment operation moment store stock costPerUnit sumCost avgStockDays", ""},
		{"report_byoperations_intransit", "report/byoperations/intransit?filter=" + escape("assortment="+incoming),
			"assortment operation moment inTransit", ""},
		{"report_profit_byproduct", "report/profit/byproduct",
			"assortment sellQuantity sellPrice sellCost sellSum sellCostSum returnQuantity returnPrice returnCost " +
				"returnSum returnCostSum profit margin salesMargin", "article productFolder pathName uuidHref"},
		{"report_profit_byemployee", "report/profit/byemployee",
			"employee salesCount salesAvgCheck sellSum sellCostSum returnCount returnAvgCheck returnSum " +
				"returnCostSum profit margin salesMargin", "uuidHref"},
		{"report_profit_bycounterparty", "report/profit/bycounterparty", "counterparty salesCount sellSum profit",
			"uuidHref"},
		{"report_money_byaccount", "report/money/byaccount", "organization balance", "uuidHref"},
		{"report_money_plotseries", "report/money/plotseries?interval=day&" + month, "credit debit series meta context",
			""},
		{"report_sales_plotseries", "report/sales/plotseries?interval=day&" + month, "series meta context", ""},
		{"report_orders_plotseries", "report/orders/plotseries?interval=day&" + month, "series meta context", ""},
		{"report_dashboard_day", "report/dashboard/day", "sales orders money", ""},
		{"report_dashboard_month", "report/dashboard/month", "sales orders money", ""},
		{"report_counterparty", "report/counterparty",
			"meta counterparty demandsCount demandsSum averageReceipt returnsCount returnsSum discountsSum " +
				"balance bonusBalance profit updated", "uuidHref"},
		{"report_counterparty_one", "report/counterparty/" + counterparty, "meta counterparty balance updated",
			"uuidHref"},
		{"pricetype_list", "context/companysettings/pricetype", "meta id name externalCode", ""},
		{"companysettings", "context/companysettings", "currency priceTypes checkShippingStock", "uuidHref"},
		{"customerorder_metadata", "entity/customerorder/metadata", "meta states", "size limit offset"},
		{"context_employee", "context/employee", "meta id accountId uid fullName group permissions",
			"viewProductCostAndProfit viewCashFlow firstName middleName position"},
		{"error_401_1056_auth", "revoked", "errors", ""},
	} {
		t.Run(c.sample, func(t *testing.T) {
			var sample, got any
			readJSON(t, "testdata/answers/"+c.sample+".json", &sample)
			who := token
			if c.path == "revoked" {
				who, c.path = s.Accounts()[0].Tokens.Revoked, "entity/organization"
			}
			if err := json.Unmarshal(request(t, s, who, c.path).body, &got); err != nil {
				t.Fatalf("GET %s: %v", c.path, err)
			}
			kinds, seen := map[string]string{}, map[string]string{}
			collect(sample, "", kinds)
			collect(got, "", seen)
			also := strings.Fields(c.also)
			for path, kind := range seen {
				key := path[strings.LastIndex(path, ".")+1:]
				switch want, there := kinds[path]; {
				case there && want != kind:
					t.Errorf("%s is a %s, want %s as in the sample", path, kind, want)
				case !there && !named(path, also) && key != "nextHref":
					t.Errorf("%s is not in the sample", path)
				}
			}
			subjects, isList := subjectsOf(got)
			if isList && len(subjects) == 0 {
				t.Fatalf("GET %s: no rows to compare", c.path)
			}
			for _, key := range strings.Fields(c.required) {
				for _, r := range subjects {
					if _, there := r[key]; !there {
						t.Fatalf("a row lacks %s: %v", key, r)
					}
				}
			}
		})
	}
}

// named reports whether names contains the path's key or one of its parents.
func named(path string, names []string) bool {
	return slices.ContainsFunc(strings.Split(path, "."), func(part string) bool {
		return slices.Contains(names, part)
	})
}

// subjectsOf returns the rows of a list or array; for any other object, the object itself.
func subjectsOf(v any) (subjects []map[string]any, isList bool) {
	list, _ := v.([]any)
	if m, ok := v.(map[string]any); ok {
		if list, isList = m["rows"].([]any); !isList {
			return []map[string]any{m}, false
		}
	}
	for _, r := range list {
		subjects = append(subjects, r.(map[string]any))
	}
	return subjects, true
}

// collect records the JSON type of every value under its path. All elements of an array share a path, and so do all
// metas, since references of every type have the same shape.
func collect(v any, path string, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			at := path + "." + k
			if k == "meta" {
				at = ".meta"
			}
			collect(inner, at, into)
		}
		into[path] = "object"
	case []any:
		for _, inner := range v {
			collect(inner, path, into)
		}
	case string:
		into[path] = "string"
	case float64:
		into[path] = "number"
	case bool:
		into[path] = "bool"
	}
}

func TestShapeErrorsAreReported(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"{ a!:string b:[number] }", `{"a": "x", "b": [1, 2.5], "more": true}`, ""},
		{"{ a!:string b:[number] }", `{"b": ["x"]}`, ".a is missing; .b is a string, not a number"},
		{"{ a:integer c:boolean }", `{"a": 1.5, "c": null}`, ".a is a number, not a integer; .c is null"},
		{"{ a:[any] b:boolean|{ }? }", `{"a": {}}`, ".a is not an array"},
		{"error", `{"errors": "x"}`, ".errors is not an array"},
	} {
		var body any
		if err := json.Unmarshal([]byte(c.body), &body); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(shapeErrors(c.kind, body, ""), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}
