package analyze

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// recorded is a sandbox whose requests are listed.
type recorded struct {
	*account.Account
	mu   sync.Mutex
	seen []string // path and query
}

// readsFacts reports whether a path is that of documents, goods or a report.
func readsFacts(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	if strings.HasSuffix(path, "/metadata") { // the names of states
		return false
	}
	return strings.HasSuffix(path, "/product") || strings.HasSuffix(path, "/variant") ||
		slices.ContainsFunc([]string{"demand", "return", "order", "/supply", "report/", "assortment"},
			func(part string) bool { return strings.Contains(path, part) })
}

// take returns the requests since the last call.
func (r *recorded) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.seen
	r.seen = nil
	return seen
}

func record(t *testing.T) *recorded {
	t.Helper()
	s := sandbox.New(sandbox.Options{NoLimits: true, Accounts: 1,
		Company: company.Options{Products: 50, Days: 40, Seed: 7}})
	r := &recorded{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		r.seen = append(r.seen, q.URL.Path+"?"+q.URL.RawQuery)
		r.mu.Unlock()
		s.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	r.Account = account.New(connector.Config{BaseURL: server.URL + sandbox.APIPath,
		Token: s.Accounts()[0].Tokens.Owner},
		connector.Identity{Account: "a", Rights: []string{account.RightAdmin}})
	return r
}

var planned = []struct {
	query     string
	exact     bool
	unplanned int // requests that only the rows read show to be needed
}{
	{`{"measures":["revenue","receipts"],"by":["weekday"]}`, true, 0},
	{`{"measures":["revenue"],"by":["store","hour"],"compare":{"with":"previous"}}`, true, 0},
	{`{"measures":["discount"],"by":["day"]}`, true, 0},
	{`{"measures":["orders","unpaid","purchases"],"by":["counterparty"]}`, false, 0}, // whose names are looked up
	{`{"measures":["orders"],"by":["store"]}`, true, 0},
	{`{"measures":["profit"],"by":["employee"]}`, false, 1}, // goods of unknown cost are read again
	{`{"measures":["stock","stock_cost"],"by":["store"]}`, true, 0},
	{`{"measures":["profit","margin"],"by":["product"]}`, true, 0},
	{`{"measures":["profit","stock_cost"],"by":["group"]}`, false, 0}, // goods are looked up
	{`{"measures":["discount"],"by":["supplier"]}`, false, 0},
	{`{"measures":["minimum","shortage"],"by":["group"]}`, true, 0},
	{`{"measures":["open_orders","expected_on","overdue_days"],"by":["state"]}`, true, 0},
	{`{"measures":["overdue_days","supplier_overdue_days"],"by":["store"]}`, true, 0},
}

func TestAPlanReadsNoFactsAndNamesTheRequests(t *testing.T) { // rule R230
	r := record(t)
	analyst := Tools(r.Account)[0]
	for _, p := range planned {
		plan, err := analyst.Plan(t.Context(), tool.Env{}, json.RawMessage(p.query))
		if err != nil {
			t.Fatal(p.query, err)
		}
		for _, q := range r.take() {
			if readsFacts(q) && !strings.Contains(q+"&", "limit=1&") {
				t.Errorf("the plan of %s reads %s", p.query, q)
			}
		}
		if plan.Exact != p.exact || len(plan.Readings) == 0 || plan.Requests == 0 {
			t.Errorf("%s: %+v", p.query, plan)
		}
		for _, x := range plan.Readings {
			if len(x.Serves) == 0 || x.Period == nil || x.Path == "" || x.Requests == 0 {
				t.Errorf("%s: %+v", p.query, x)
			}
		}
		made, err := analyst.Call(t.Context(), tool.Env{}, json.RawMessage(p.query))
		if err != nil {
			t.Fatal(p.query, err)
		}
		facts := 0
		for _, s := range made.Provenance.Sources {
			if readsFacts("/" + s.Path) {
				facts += s.Requests
			}
		}
		if p.exact && plan.Requests != facts || plan.Requests+p.unplanned < facts {
			t.Errorf("%s: %d requests were planned, %d made: %+v", p.query, plan.Requests, facts,
				made.Provenance.Sources)
		}
		if p := made.Provenance; p.Needed == 0 || p.Needed != p.Requests {
			t.Errorf("%d requests, %d would be enough: %+v", p.Requests, p.Needed, p.Sources)
		}
		r.take()
	}
	_, err := analyst.Plan(t.Context(), tool.Env{}, json.RawMessage(`{"measures":["luck"]}`))
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Error(err)
	}
}

// A query that is too large is refused when the first page tells the size: no second page is read.
func TestAQueryThatIsTooLargeIsRefusedAtItsFirstPages(t *testing.T) { // rule R202
	r := record(t)
	small := bounds{lines: 20, readings: 400}
	for _, query := range []string{`{"measures":["discount"],"by":["day"]}`, `{"measures":["revenue"],"by":["hour"]}`} {
		for name, ask := range map[string]func() error{
			"plan": func() error {
				_, err := tools(r.Account, small)[0].Plan(t.Context(), tool.Env{Language: stockhand.English},
					json.RawMessage(query))
				return err
			},
			"call": func() error {
				_, err := tools(r.Account, small)[0].Call(t.Context(), tool.Env{Language: stockhand.English},
					json.RawMessage(query))
				return err
			},
		} {
			if err := ask(); stockhand.CodeOf(err) != stockhand.CodeValidation ||
				!strings.Contains(err.Error(), "shorter") {
				t.Errorf("%s of %s: %v", name, query, err)
			}
			for _, q := range r.take() {
				if strings.Contains(q, "offset=") {
					t.Errorf("%s of %s reads on: %s", name, query, q)
				}
			}
		}
	}
}

func TestAPageIsReadOncePerRun(t *testing.T) { // rule R231
	r := record(t)
	ask := func(query string, env tool.Env) *tool.Result {
		t.Helper()
		made, err := Tools(r.Account)[0].Call(t.Context(), env, json.RawMessage(query))
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	for _, p := range planned {
		run := tool.Env{Memo: tool.NewMemo()}
		first := ask(p.query, run)
		if len(r.take()) == 0 {
			t.Fatalf("%s was answered without requests", p.query)
		}
		second := ask(p.query, run)
		if again := r.take(); len(again) > 0 || second.Provenance.Requests > 0 {
			t.Errorf("%s reads again in its run: %s", p.query, again)
		}
		if !reflect.DeepEqual(first.Rows, second.Rows) || first.Answer != second.Answer {
			t.Errorf("%s: %s, then %s", p.query, first.Answer, second.Answer)
		}
		ask(p.query, tool.Env{Memo: tool.NewMemo()})
		if len(r.take()) == 0 {
			t.Errorf("%s reads nothing in another run", p.query)
		}
	}
}
