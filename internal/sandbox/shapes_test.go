package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// reference returns a folder of the vendor's material, a sibling of the repository. A test that needs it is skipped
// without it, except in CI.
func reference(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(dir, "..", "shared", "reference", name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the vendor's material is not there: %v", err)
		}
		t.Skipf("the vendor's material is not there: %v", err)
	}
	return path
}

var (
	vendorOnce sync.Once
	vendorDoc  *openapi3.T
	errVendor  error
)

// vendor loads the vendor's OpenAPI document, once: it is large.
func vendor(t *testing.T) *openapi3.T {
	t.Helper()
	path := filepath.Join(reference(t, "openapi"), "moysklad-json-api-1.2.openapi.json")
	vendorOnce.Do(func() {
		if vendorDoc, errVendor = openapi3.NewLoader().LoadFromFile(path); errVendor == nil {
			satisfiable(vendorDoc)
		}
	})
	if errVendor != nil {
		t.Fatal(errVendor)
	}
	return vendorDoc
}

// satisfiable turns every oneOf without a discriminator into an anyOf. Their alternatives (the kinds of goods) have
// no required members there, so each of them fits and "exactly one" can never hold: the vendor's own samples do not.
// That a good has the shape of its own kind is what the lists of the four kinds are validated for.
func satisfiable(doc *openapi3.T) {
	seen := map[*openapi3.Schema]bool{}
	var visit func(refs ...*openapi3.SchemaRef)
	visit = func(refs ...*openapi3.SchemaRef) {
		for _, ref := range refs {
			if ref == nil || ref.Value == nil || seen[ref.Value] {
				continue
			}
			v := ref.Value
			seen[v] = true
			if len(v.OneOf) > 0 && v.Discriminator == nil {
				v.AnyOf, v.OneOf = append(v.AnyOf, v.OneOf...), nil
			}
			visit(slices.Collect(maps.Values(v.Properties))...)
			visit(slices.Concat(v.AnyOf, v.OneOf, v.AllOf)...)
			visit(v.Items)
		}
	}
	visit(slices.Collect(maps.Values(doc.Components.Schemas))...)
}

// answerSchema returns the schema of the answer to GET path.
func answerSchema(t *testing.T, path string) *openapi3.Schema {
	t.Helper()
	item := vendor(t).Paths.Value(path)
	if item == nil || item.Get == nil {
		t.Fatalf("the vendor's document has no GET %s", path)
	}
	return item.Get.Responses.Status(200).Value.Content.Get("application/json").Schema.Value
}

// TestAnswersFitTheVendorsOpenAPI validates whole answers, as the owner and as those who see less, in plain form and
// with everything expanded, against the vendor's own description of the path.
func TestAnswersFitTheVendorsOpenAPI(t *testing.T) {
	s := shared()
	entities := map[string]string{ // path and what can be expanded
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
			schema := answerSchema(t, "/entity/"+name)
			paths := []string{"entity/" + name + "?limit=100", "entity/" + name + "?limit=20&expand=" + entities[name]}
			if name == "product" || name == "variant" {
				paths = append(paths, "entity/"+name+"?limit=100&fields=minimumStock&expand="+entities[name])
			}
			if isDocument(name) && strings.Contains(entities[name], "positions") {
				paths = append(paths, "entity/"+name+"?limit=20&fields=stock&expand=positions")
			}
			for _, path := range paths {
				fits(t, schema, object(t, s, tokens.Owner, path), path)
			}
			for _, token := range []string{tokens.Storekeeper, tokens.Sales} {
				if a := ask(t, s, token, paths[1]); a.status == 200 {
					fits(t, schema, object(t, s, token, paths[1]), paths[1])
				}
			}
			list := rows(t, s, tokens.Owner, "entity/"+name+"?limit=1")
			if len(list) == 0 {
				t.Fatal("the company has none")
			}
			if name == "assortment" {
				return // has no single objects
			}
			one := "entity/" + name + "/" + list[0]["id"].(string)
			fits(t, answerSchema(t, "/entity/"+name+"/{id}"), object(t, s, tokens.Owner, one), one)
			if slices.Contains([]string{"customerorder", "purchaseorder"}, name) {
				fits(t, answerSchema(t, "/entity/"+name+"/metadata"),
					object(t, s, tokens.Owner, "entity/"+name+"/metadata"), "metadata")
			}
			if strings.Contains(entities[name], "positions") {
				path := one + "/positions?limit=100&expand=assortment"
				fits(t, answerSchema(t, "/entity/"+name+"/{id}/positions"), object(t, s, tokens.Owner, path), path)
			}
		})
	}
}

func TestOtherAnswersFitTheVendorsOpenAPI(t *testing.T) {
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
		fits(t, answerSchema(t, pattern), object(t, s, tokens.Owner, path), path)
	}
	var types any
	if err := json.Unmarshal(ask(t, s, tokens.Owner, "context/companysettings/pricetype").body, &types); err != nil {
		t.Fatal(err)
	}
	fits(t, answerSchema(t, "/context/companysettings/pricetype"), types, "pricetype")

	schema := vendor(t).Components.Schemas["error"].Value
	for _, path := range []string{"entity/product2", "entity/product?filter=x", "entity/product?filter=x%3D1",
		"entity/store?limit=0"} {
		var body any
		if err := json.Unmarshal(ask(t, s, tokens.Owner, path).body, &body); err != nil {
			t.Fatal(err)
		}
		fits(t, schema, body, path)
	}
}

func fits(t *testing.T, schema *openapi3.Schema, body any, path string) {
	t.Helper()
	if err := schema.VisitJSON(body, openapi3.VisitAsResponse(), openapi3.MultiErrors()); err != nil {
		message := err.Error()
		t.Errorf("GET %s does not fit: %.600s", path, message)
	}
}

// TestAnswersHaveTheShapeOfTheSamples compares what the OpenAPI document does not cover, and once more what it does,
// with the recorded samples: every key that is answered is of the sample's kind there, and none is invented.
func TestAnswersHaveTheShapeOfTheSamples(t *testing.T) {
	s := shared()
	token := owner(s)
	good := dig(rows(t, s, token, "report/stock/all?limit=1&filter="+escape("stockMode=positiveOnly"))[0], "meta",
		"href").(string)
	coming := good
	for _, r := range array(t, s, token, "report/stock/all/current?stockType=inTransit") {
		coming = "https://api.moysklad.ru" + apiRoot + "/entity/product/" + r["assortmentId"].(string)
		if a := ask(t, s, token, "entity/product/"+r["assortmentId"].(string)); a.status == 200 {
			break
		}
	}
	party := rows(t, s, token, "entity/counterparty?limit=1")[0]["id"].(string)
	order := rows(t, s, token, "entity/customerorder?limit=1")[0]["id"].(string)
	month := "momentFrom=2026-11-01&momentTo=2026-11-04"
	for _, c := range []struct {
		sample, path string
		required     string // keys of a row, or of the answer when it has no rows
		also         string // paths that the vendor's text names and its samples lack
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
		{"report_byoperations_intransit", "report/byoperations/intransit?filter=" + escape("assortment="+coming),
			"assortment operation moment inTransit", ""},
		{"report_profit_byproduct", "report/profit/byproduct",
			"assortment sellQuantity sellPrice sellCost sellSum sellCostSum returnQuantity returnPrice returnCost returnSum returnCostSum profit margin salesMargin", "article productFolder pathName uuidHref"},
		{"report_profit_byemployee", "report/profit/byemployee",
			"employee salesCount salesAvgCheck sellSum sellCostSum returnCount returnAvgCheck returnSum returnCostSum profit margin salesMargin", "uuidHref"},
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
			"meta counterparty demandsCount demandsSum averageReceipt returnsCount returnsSum discountsSum balance bonusBalance profit updated", "uuidHref"},
		{"report_counterparty_one", "report/counterparty/" + party, "meta counterparty balance updated", "uuidHref"},
		{"pricetype_list", "context/companysettings/pricetype", "meta id name externalCode", ""},
		{"companysettings", "context/companysettings", "currency priceTypes checkShippingStock", "uuidHref"},
		{"customerorder_metadata", "entity/customerorder/metadata", "meta states", ""},
		{"context_employee", "context/employee", "meta id accountId uid fullName group permissions",
			"viewProductCostAndProfit viewCashFlow firstName middleName position"},
		{"error_401_1056_auth", "revoked", "errors", ""},
	} {
		t.Run(c.sample, func(t *testing.T) {
			var sample, got any
			raw, err := os.ReadFile(filepath.Join(reference(t, "samples"), c.sample+".json"))
			if err == nil {
				err = json.Unmarshal(raw, &sample)
			}
			if err != nil {
				t.Fatal(err)
			}
			who := token
			if c.path == "revoked" {
				who, c.path = s.Accounts()[0].Tokens.Revoked, "entity/organization"
			}
			if err := json.Unmarshal(ask(t, s, who, c.path).body, &got); err != nil {
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
					t.Errorf("%s is a %s, in the sample a %s", path, kind, want)
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

// named tells whether an element of the path is among names: what is below a named key is named with it.
func named(path string, names []string) bool {
	return slices.ContainsFunc(strings.Split(path, "."), func(part string) bool {
		return slices.Contains(names, part)
	})
}

// subjectsOf returns the rows of a list or array, or the object itself.
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

// collect notes the kind of every value by its path, elements of arrays under one. References of any type have one
// shape; the contents of a meta are compared as those of all metas.
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
