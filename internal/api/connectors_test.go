package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// catalogue is a connector as the API shows it.
type catalogue struct {
	Key    string
	Fields []struct {
		Name             string
		Secret, Required bool
	}
	Operations []struct {
		Name, Effect, Kind string
		Title, Description struct{ RU, EN string }
		Parameters         struct {
			Type       string
			Properties map[string]any
		}
		Weight struct {
			Requests     int
			StockReports int `json:"stock_reports"`
		}
		Traps []string
	}
	Limits []struct {
		Name   string
		Most   int
		Window string
	}
	Traps []struct {
		Name  string
		About struct{ RU, EN string }
	}
}

func moysklad(t *testing.T, s *apptest.Service) catalogue {
	t.Helper()
	return want[catalogue](t, "connector", s.Do(http.MethodGet, "/connectors/moysklad", s.AdminToken, nil),
		http.StatusOK)
}

func operate(s *apptest.Service, operation string, arguments any) apptest.Answer {
	return s.Do(http.MethodPost, "/connectors/moysklad/execute", s.AdminToken,
		map[string]any{"operation": operation, "arguments": arguments})
}

// Rules R1, R24 and R64.
func TestTheCatalogueSaysWhatAConnectionNeedsAndWhatOperationsCost(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	k := moysklad(t, s)
	for _, f := range k.Fields {
		if f.Name != "token" && f.Name != "label" || f.Name == "token" && !(f.Secret && f.Required) {
			t.Errorf("field %+v", f)
		}
	}
	limits := map[string]int{}
	for _, l := range k.Limits {
		limits[l.Name+" "+l.Window] = l.Most
	}
	if limits["requests 1s"] != 6 || limits["stock_reports 1s"] != 2 || limits["in_flight "] != 5 {
		t.Errorf("limits %v", limits)
	}
	traps := map[string]bool{}
	for _, trap := range k.Traps {
		if traps[trap.Name] || trap.About.RU == "" || trap.About.EN == "" {
			t.Errorf("trap %+v", trap)
		}
		traps[trap.Name] = true
	}
	names := map[string]bool{}
	for _, o := range k.Operations {
		if names[o.Name] || o.Title.RU == "" || o.Title.EN == "" || o.Description.RU == "" || o.Description.EN == "" ||
			o.Parameters.Type != "object" || o.Weight.Requests == 0 {
			t.Errorf("operation %+v", o)
		}
		names[o.Name] = true
		if o.Effect != "read" && !strings.Contains(o.Name, "_propose_") {
			t.Errorf("%s has the effect %s", o.Name, o.Effect)
		}
		if stock := strings.HasPrefix(o.Name, "report_stock_"); stock != (o.Weight.StockReports == 1) {
			t.Errorf("%s costs %d stock reports", o.Name, o.Weight.StockReports)
		}
		for _, trap := range o.Traps {
			if !traps[trap] {
				t.Errorf("%s names the trap %s, which is not explained", o.Name, trap)
			}
		}
	}
	list := want[struct{ Data []struct{ Key string } }](t, "list",
		s.Do(http.MethodGet, "/connectors", s.AdminToken, nil), http.StatusOK)
	if len(list.Data) != 2 || list.Data[0].Key != "moysklad" || list.Data[1].Key != "mcp" {
		t.Errorf("connectors %+v", list)
	}
	wantFailure(t, "no such connector", s.Do(http.MethodGet, "/connectors/nothing", s.AdminToken, nil),
		http.StatusNotFound, stockhand.CodeNotFound)
	wantFailure(t, "no such connector", s.Do(http.MethodPost, "/connectors/nothing/execute", s.AdminToken,
		map[string]any{"operation": "list"}), http.StatusNotFound, stockhand.CodeNotFound)
}

// reading is the answer to a raw operation.
type reading struct {
	Operation string
	Data      json.RawMessage
	Notices   []struct{ Code, Message string }
	Requests  int `json:"external_requests"`
}

func TestEveryRawOperationReadsWithItsLeastArguments(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	first := func(entity string) string {
		out := want[reading](t, entity, operate(s, "list", map[string]any{"entity": entity, "limit": 1}), http.StatusOK)
		var list struct{ Rows []struct{ ID string } }
		if err := json.Unmarshal(out.Data, &list); err != nil || len(list.Rows) != 1 {
			t.Fatalf("%s: %v %s", entity, err, out.Data)
		}
		return list.Rows[0].ID
	}
	period := map[string]any{"from": "2026-10-01", "to": "2026-10-31"}
	plot := map[string]any{"from": "2026-10-01", "to": "2026-10-31", "interval": "day"}
	arguments := map[string]any{
		"list": map[string]any{"entity": "product"}, "get": map[string]any{"entity": "store", "id": first("store")},
		"positions":                 map[string]any{"entity": "supply", "id": first("supply")},
		"metadata":                  map[string]any{"entity": "customerorder"},
		"report_stock_by_operation": map[string]any{"id": first("customerorder")},
		"report_by_operations":      map[string]any{"entity": "product", "id": first("product"), "kind": "stock"},
		"report_turnover":           period, "report_profit": period,
		"report_money_flow": plot, "report_sales": plot, "report_orders": plot,
		"report_dashboard": map[string]any{"period": "month"},
	}
	for _, o := range moysklad(t, s).Operations {
		if o.Kind != "raw" {
			continue
		}
		before := len(s.Sandbox.Requests())
		a := operate(s, o.Name, arguments[o.Name])
		if a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", o.Name, a.Status, a.Body)
			continue
		}
		var out reading
		a.Decode(t, &out)
		sent := s.Sandbox.Requests()[before:]
		if len(sent) != 1 || out.Requests != 1 || len(out.Data) < 2 || sent[0].Method != http.MethodGet {
			t.Errorf("%s: %d requests, %d reported, data %.50s", o.Name, len(sent), out.Requests, out.Data)
			continue
		}
		if sent[0].StockReport() != (o.Weight.StockReports == 1) {
			t.Errorf("%s asked for %s and costs %d stock reports", o.Name, sent[0].Path, o.Weight.StockReports)
		}
	}
}

func TestArgumentsOfOperationsAreValidatedBeforeAnythingIsSent(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	before := len(s.Sandbox.Requests())
	for what, c := range map[string]struct {
		operation string
		arguments any
		field     string
	}{
		"an unknown operation": {"delete", nil, "operation"},
		"a write":              {"entity_purchaseorder_create", nil, "operation"},
		"an unknown argument":  {"list", map[string]any{"entity": "product", "method": "POST"}, "arguments.method"},
		"a path for an entity": {"list", map[string]any{"entity": "../security/token"}, "arguments.entity"},
		"no entity":            {"list", nil, "arguments.entity"},
		"no id":                {"get", map[string]any{"entity": "product"}, "arguments.id"},
		"a path for an id":     {"get", map[string]any{"entity": "product", "id": "../../x"}, "arguments.id"},
		"too many rows":        {"list", map[string]any{"entity": "product", "limit": 1001}, "arguments.limit"},
		"a fraction of a row":  {"list", map[string]any{"entity": "product", "limit": 1.5}, "arguments.limit"},
		"expand above 100 rows": {"list",
			map[string]any{"entity": "product", "limit": 500, "expand": []string{"supplier"}}, "arguments.limit"},
		"state not equal": {"list",
			map[string]any{"entity": "customerorder",
				"filter": []any{map[string]any{"field": "state", "op": "!=", "entity": "state",
					"values": []string{"00000000-0000-0000-0000-000000000001"}}}}, "arguments.filter"},
		"a filter with two parts": {"list",
			map[string]any{"entity": "product", "filter": []any{map[string]any{"field": "name;archived", "op": "="}}},
			"arguments.filter"},
		"an unknown comparison": {"list",
			map[string]any{"entity": "product", "filter": []any{map[string]any{"field": "name", "op": "like"}}},
			"arguments.filter"},
		"half a period": {"report_profit", map[string]any{"from": "2026-10-01"}, "arguments.to"},
		"a day that is none": {"report_profit", map[string]any{"from": "yesterday", "to": "2026-10-01"},
			"arguments.from"},
	} {
		a := operate(s, c.operation, c.arguments)
		f := wantFailure(t, what, a, http.StatusUnprocessableEntity, stockhand.CodeValidation)
		named := false
		for _, e := range f.Detail.Errors {
			named = named || e.Field == c.field
		}
		if !named {
			t.Errorf("%s: %s is not named: %s", what, c.field, a.Body)
		}
	}
	if n := len(s.Sandbox.Requests()) - before; n != 0 {
		t.Errorf("%d requests went out", n)
	}
	// What only the API can tell comes back in its own words.
	wantFailure(t, "a field that cannot be filtered",
		operate(s, "list", map[string]any{"entity": "product",
			"filter": []any{map[string]any{"field": "nothing", "op": "=", "values": []string{"1"}}}}),
		http.StatusUnprocessableEntity, stockhand.CodeValidation)
	wantFailure(t, "nothing of that id",
		operate(s, "get", map[string]any{"entity": "product", "id": "00000000-0000-0000-0000-000000000001"}),
		http.StatusNotFound, stockhand.CodeNotFound)
}

// Rules R17 to R22: known pitfalls are avoided or named.
func TestOperationsAvoidTheTrapsOfTheAPIOrSaySo(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	last := func() url.Values {
		all := s.Sandbox.Requests()
		q, _ := url.ParseQuery(strings.ReplaceAll(all[len(all)-1].Query, ";", "%3B"))
		return q
	}
	found := want[reading](t, "search", operate(s, "list",
		map[string]any{"entity": "assortment", "search": "пазл", "limit": 100}), http.StatusOK)
	if q := last(); q.Get("search") != "" || q.Get("filter") != "search=пазл" {
		t.Errorf("a search of the assortment went out as %v", q)
	}
	var list struct{ Rows []struct{ Name string } }
	if err := json.Unmarshal(found.Data, &list); err != nil || len(list.Rows) == 0 || len(list.Rows) > 20 {
		t.Errorf("found %d, %v", len(list.Rows), err)
	}
	want[reading](t, "period", operate(s, "report_profit", map[string]any{"from": "2026-10-01", "to": "2026-10-31"}),
		http.StatusOK)
	if q := last(); q.Get("momentFrom") != "2026-10-01 00:00:00" || q.Get("momentTo") != "2026-10-31 23:59:59" {
		t.Errorf("a period of whole days went out as %v", q)
	}
	page := want[reading](t, "page", operate(s, "list", map[string]any{"entity": "product", "limit": 2}), http.StatusOK)
	codes := map[string]bool{}
	for _, n := range page.Notices {
		codes[n.Code] = true
	}
	if q := last(); q.Get("order") != "id" || !codes["truncated"] || !codes["minor_units"] {
		t.Errorf("a page went out as %v and came with %v", q, page.Notices)
	}
	store := want[reading](t, "stores", operate(s, "list", map[string]any{"entity": "store", "limit": 1}),
		http.StatusOK)
	var stores struct{ Rows []struct{ ID string } }
	_ = json.Unmarshal(store.Data, &stores)
	want[reading](t, "by store", operate(s, "report_stock_all", map[string]any{"filter": []any{
		map[string]any{"field": "store", "op": "=", "entity": "store", "values": []string{stores.Rows[0].ID}},
		map[string]any{"field": "stockMode", "op": "=", "values": []string{"underMinimum"}},
	}}), http.StatusOK)
	if q := last(); q.Get("filter") != "store="+s.SandboxURL+"/entity/store/"+stores.Rows[0].ID+
		";stockMode=underMinimum" {
		t.Errorf("a filter by warehouse and minimum went out as %v", q)
	}
}

// A search that the API ignores answers with the whole catalogue: that is refused and not passed off as a result.
func TestASearchThatTheAPIIgnoresIsAnError(t *testing.T) {
	s, _ := behind(t, map[string]http.HandlerFunc{"entity/product": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json;charset=utf-8")
		_, _ = w.Write([]byte(`{"meta":{"size":3,"limit":100,"offset":0},"rows":[{"name":"Чай"},{"name":"Кофе"},{"name":"Сахар"}]}`))
	}})
	wantFailure(t, "ignored", operate(s, "list", map[string]any{"entity": "product", "search": "молоток"}),
		http.StatusBadGateway, stockhand.CodeExternalUnavailable)
	want[reading](t, "honoured", operate(s, "list", map[string]any{"entity": "product"}), http.StatusOK)
}
