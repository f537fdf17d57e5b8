package moysklad

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// What is known only now has no figures of another period.
func TestFiguresOfNowAreNotCompared(t *testing.T) { // rule R204
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, query := range []string{`{"measures":["stock_cost"]`, `{"measures":["sale_price"],"by":["product"]`,
		`{"measures":["days_of_cover"],"by":["product"]`, `{"measures":["balance"]`, `{"measures":["owed_to_us"]`,
		`{"measures":["revenue"],"by":["product"],"where":[{"field":"stock","op":">","values":[3]}]`} {
		_, err := tryTool(a, "moysklad_analyze", query+`,"compare":{"with":"previous"}}`, tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), "stock_at_end") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// While the vendor recalculates a good, its stock is null.
func TestStockBeingRecalculatedIsNotZero(t *testing.T) { // rule R23, fact M74
	s := openShop(t, sandbox.Options{})
	row := s.company.Current(company.CurrentQuery{ByStore: true})[0]
	a := s.behind(t, func(path string) (string, int) {
		if !strings.HasSuffix(path, "report/stock/bystore/current") {
			return "", 0
		}
		return `[{"assortmentId":"` + string(row.Good.ID) + `","storeId":"` + string(row.Store.ID) +
			`","stock":null}]`, http.StatusOK
	})
	r := callTool(t, a, "moysklad_analyze",
		`{"measures":["stock","stock_cost","days_of_cover"],"by":["product","store"]}`)
	if _, ok := r.Notice(tool.NoticePartial); !ok || len(r.Rows) == 0 {
		t.Fatalf("%d rows, notices %+v", len(r.Rows), r.Notices)
	}
	for i, c := range r.Columns {
		if c.Name != "stock" && c.Name != "stock_cost" && c.Name != "days_of_cover" {
			continue
		}
		for _, row := range r.Rows {
			if !row[i].IsEmpty() {
				t.Errorf("%s is %v", c.Name, row[i])
			}
		}
	}
}

// A condition on a figure that the employee may not see would find nothing.
func TestAConditionOnAHiddenFigureIsRefused(t *testing.T) { // rule R15
	s := openShop(t, sandbox.Options{})
	for _, query := range []string{
		`{"measures":["sale_price"],"by":["product"],"where":[{"field":"price_minus_cost","op":"<","values":[0]}]}`,
		`{"measures":["stock_at_end"],"by":["product"],"where":[{"field":"stock_cost_at_end","op":">","values":[1]}]}`} {
		_, err := tryTool(s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze", query, tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%s: %v", query, err)
		}
		callTool(t, s.owner(t), "moysklad_analyze", query)
	}
}

// Goods without a sale have no row among sales, so a condition that only they meet would find nothing.
func TestAConditionThatOnlyUnsoldGoodsMeetIsRefused(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	const days = `"by":["product"],"from":"2026-11-10","to":"2026-11-20"`
	for _, where := range []string{`{"field":"last_sale","op":"is_empty"}`,
		`{"field":"days_since_sale","op":">","values":[15]}`, `{"field":"days_since_sale","op":">=","values":[11]}`} {
		_, err := tryTool(a, "moysklad_analyze", `{"measures":["quantity"],"where":[`+where+`],`+days+`}`,
			tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), "stock") {
			t.Errorf("%s: %v", where, err)
		}
	}
	for _, query := range []string{`{"measures":["stock"],"where":[{"field":"last_sale","op":"is_empty"}],`,
		`{"measures":["quantity"],"where":[{"field":"days_since_sale","op":">","values":[5]}],`} {
		if r := callTool(t, a, "moysklad_analyze", query+days+`}`); len(r.Rows) == 0 {
			t.Errorf("%s: %s", query, r.Answer)
		}
	}
}

// What is computed from a part of the sales is wrong, if it is a pace or a last day, and a part, if it is a sum.
func TestHiddenSalesAreNotAPaceOfZero(t *testing.T) { // rules R15 and R212
	s := openShop(t, sandbox.Options{})
	for name, c := range map[string]struct{ closed, hidden []string }{
		"all sales": {[]string{"entity/demand", "entity/retaildemand"}, []string{"pace", "last_sale", "revenue",
			"receipts"}},
		"one type": {[]string{"entity/retaildemand"}, []string{"pace", "last_sale"}},
		"returns":  {[]string{"entity/salesreturn", "entity/retailsalesreturn"}, []string{"pace", "returns"}},
	} {
		a := s.behind(t, func(path string) (string, int) {
			for _, closed := range append(c.closed, "report/profit/byproduct") {
				if strings.HasSuffix(path, closed) {
					return `{"errors":[{"error":"no access","code":1016}]}`, http.StatusForbidden
				}
			}
			return "", 0
		})
		for _, query := range []string{`{"measures":["stock","pace","last_sale"],"by":["product"]}`,
			`{"measures":["revenue","receipts","returns"],"by":["store","month"]}`} {
			r := callTool(t, a, "moysklad_analyze", query)
			if _, missing := r.Notice(tool.NoticeRightMissing); !missing || len(r.Rows) == 0 {
				t.Errorf("%s: %s: %s %v", name, query, r.Answer, r.Notices)
			}
			for _, x := range r.Columns {
				if _, ok := measures.Catalogue.Measure(x.Name); ok && x.Hidden != slices.Contains(c.hidden, x.Name) {
					t.Errorf("%s are closed: %s, hidden: %t", name, x.Name, x.Hidden)
				}
			}
		}
	}
}

// behind opens the owner's account through a proxy. What answer returns for a path, with a status, is sent instead of
// the sandbox's response.
func (s *shop) behind(t *testing.T, answer func(path string) (string, int)) opened {
	t.Helper()
	vendor, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: vendor.Scheme, Host: vendor.Host})
		r.Out.Host = r.In.Host // links are those of the host that is asked
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, status := answer(r.URL.Path)
		if status == 0 {
			proxy.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	config := connector.Config{BaseURL: server.URL + vendor.Path, Token: s.info.Tokens.Owner}
	who, err := Kind.Verify(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return Kind.Open(config, who).(opened) //nolint:forcetypeassert // always this type
}
