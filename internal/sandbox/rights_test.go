package sandbox

import (
	"testing"
)

func TestStorekeeperSeesNoCostProfitOrMoney(t *testing.T) {
	s := shared()
	token := s.Accounts()[0].Tokens.Storekeeper
	for _, path := range []string{
		"report/profit/byproduct", "report/money/byaccount",
		"report/money/plotseries?momentFrom=2026-11-01&momentTo=2026-11-02&interval=day",
		"report/dashboard/day", "report/counterparty", "entity/paymentin", "entity/cashout",
		"report/sales/plotseries?momentFrom=2026-11-01&momentTo=2026-11-02&interval=day",
	} {
		wantError(t, request(t, s, token, path), 403, 1016)
	}
	hidden := func(path string, keys ...string) {
		t.Helper()
		for _, r := range rows(t, s, token, path) {
			for _, k := range keys {
				if r[k] != nil {
					t.Fatalf("GET %s: the storekeeper sees %s", path, k)
				}
			}
		}
		shown := 0
		for _, r := range rows(t, s, owner(s), path) {
			for _, k := range keys {
				if r[k] != nil {
					shown++
				}
			}
		}
		if shown == 0 {
			t.Errorf("GET %s: the owner sees none of %v", path, keys)
		}
	}
	hidden("report/stock/all?limit=50", "price")
	hidden("entity/product?limit=50", "buyPrice")
	hidden("entity/purchaseorder?limit=50", "sum", "waitSum", "shippedSum")
	hidden("entity/enter?limit=50", "sum")
	good := dig(rows(t, s, owner(s), "report/stock/all?limit=1")[0], "meta", "href").(string)
	hidden("report/byoperations/stock?filter="+escape("assortment="+good), "costPerUnit", "sumCost")
	for _, r := range rows(t, s, token, "report/turnover/all?limit=20") {
		if dig(r, "income", "sum") != nil || dig(r, "income", "quantity") == nil {
			t.Fatalf("turnover %v", r["income"])
		}
	}
}

func TestHiddenCostIsZeroWithTheSwitch(t *testing.T) {
	s := newServer(t, func(o *Options) { o.Switches.HiddenCostIsZero = true })
	for _, r := range rows(t, s, s.Accounts()[0].Tokens.Storekeeper, "report/stock/all") {
		if r["price"] != 0.0 {
			t.Fatalf("price %v", r["price"])
		}
	}
}

func TestSalesManagerSeesHisOwnDocumentsOnly(t *testing.T) {
	s := shared()
	token := s.Accounts()[0].Tokens.Sales
	me := object(t, s, token, "context/employee")["id"]
	for _, list := range []string{"demand", "customerorder"} {
		own := rows(t, s, token, "entity/"+list)
		all := rows(t, s, owner(s), "entity/"+list)
		if len(own) == 0 || len(own) >= len(all) {
			t.Errorf("%s: %d of %d documents are visible", list, len(own), len(all))
		}
		for _, r := range own {
			if dig(r, "owner", "meta", "href") != "http://sandbox.test"+apiRoot+"/entity/employee/"+me.(string) {
				t.Fatalf("%s %v belongs to %v", list, r["name"], dig(r, "owner", "meta", "href"))
			}
		}
		for _, r := range all {
			if dig(r, "owner", "meta", "href") != "http://sandbox.test"+apiRoot+"/entity/employee/"+me.(string) {
				wantError(t, request(t, s, token, "entity/"+list+"/"+r["id"].(string)), 403, 1016)
				break
			}
		}
	}
	wantError(t, request(t, s, token, "report/turnover/all"), 403, 1016)
	wantError(t, request(t, s, token, "report/profit/byproduct"), 403, 1016)
	wantError(t, request(t, s, token, "report/stock/all/current"), 403, 13004)
	wantError(t, request(t, s, token, "report/stock/bystore/current"), 403, 13004)
	if rows(t, s, token, "report/stock/all?limit=1")[0]["price"] != nil {
		t.Error("the extended stock report exposes the cost")
	}
	if rows(t, s, token, "report/counterparty?limit=1")[0]["profit"] != nil {
		t.Error("the counterparty report exposes the profit")
	}
}

func TestAHiddenObjectIsNotFoundWithTheSwitch(t *testing.T) {
	s := newServer(t, func(o *Options) { o.Switches.InvisibleIsNotFound = true })
	token := s.Accounts()[0].Tokens.Sales
	seen := map[any]bool{}
	for _, r := range rows(t, s, token, "entity/demand") {
		seen[r["id"]] = true
	}
	for _, r := range rows(t, s, owner(s), "entity/demand") {
		if !seen[r["id"]] {
			wantError(t, request(t, s, token, "entity/demand/"+r["id"].(string)), 404, 1021)
			return
		}
	}
	t.Error("the sales manager sees every demand")
}

func TestAnExpandedHiddenObjectIsMarkedAsNotPermitted(t *testing.T) {
	s := shared()
	token := s.Accounts()[0].Tokens.Sales
	mine := map[any]bool{}
	for _, r := range rows(t, s, token, "entity/customerorder") {
		mine[dig(r, "meta", "href")] = true
	}
	for offset := range 10 {
		path := "entity/demand?limit=100&expand=customerOrder&offset=" + string(rune('0'+offset)) + "00"
		for _, r := range rows(t, s, token, path) {
			order, ok := r["customerOrder"].(map[string]any)
			if !ok {
				continue
			}
			_, permitted := dig(order, "meta", "permitted").(bool)
			seen := mine[dig(order, "meta", "href")]
			if seen == permitted || (order["name"] != nil) != seen {
				t.Errorf("order visible: %v; meta %v, name %v", seen, order["meta"], order["name"])
			}
		}
	}
}

func TestPermissionsListTheRights(t *testing.T) {
	s := shared()
	tokens := s.Accounts()[0].Tokens
	for token, want := range map[string]map[string]bool{
		tokens.Owner: {
			"admin": true, "viewProductCostAndProfit": true, "dashboard": true, "dashboardMoney": true, "pnl": true,
			"stock": true, "company_crm": true, "paymentin": true, "product": true, "counterparty": true,
		},
		tokens.Storekeeper: {
			"admin": false, "viewProductCostAndProfit": false, "dashboardMoney": false, "pnl": false, "stock": true,
			"paymentin": false, "supply": true,
		},
		tokens.Sales: {
			"admin": false, "viewProductCostAndProfit": false, "pnl": false, "stock": false, "demand": true,
		},
	} {
		permissions := object(t, s, token, "context/employee")["permissions"].(map[string]any)
		for key, granted := range want {
			if (permissions[key] != nil) != granted {
				t.Errorf("%s: %v, want granted %v", key, permissions[key], granted)
			}
		}
	}
	sales := object(t, s, tokens.Sales, "context/employee")["permissions"]
	if dig(sales, "demand", "view") != "OWN" || dig(sales, "counterparty", "view") != "ALL" {
		t.Errorf("views of the sales manager: %v", sales)
	}
}

func TestOnlyAdministratorsReadSecurity(t *testing.T) {
	s := shared()
	tokens := s.Accounts()[0].Tokens
	id := object(t, s, tokens.Storekeeper, "context/employee")["id"].(string)
	wantError(t, request(t, s, tokens.Storekeeper, "entity/employee/"+id+"/security"), 403, 1016)
	permissions := dig(object(t, s, tokens.Owner, "entity/employee/"+id+"/security"), "role", "permissions")
	for key, want := range map[string]bool{
		"apiRequest": true, "viewProductCostAndProfit": false, "viewTurnover": true, "viewStockReport": true,
		"viewSaleProfit": false,
	} {
		if dig(permissions, key) != want {
			t.Errorf("%s is %v, want %v", key, dig(permissions, key), want)
		}
	}
	if dig(permissions, "paymentIn", "view") != "NO" || dig(permissions, "supply", "view") != "ALL" {
		t.Errorf("views %v, %v", dig(permissions, "paymentIn"), dig(permissions, "supply"))
	}
}
