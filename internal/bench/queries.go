package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/kept"
	"github.com/stockhand/stockhand/internal/tool"
)

// namedQueries are questions as people mean them, about the last whole month unless the arguments say otherwise. A
// question that would read more than a query may is refused.
var namedQueries = []namedQuery{
	{"revenue by store and month vs last year", "", `"measures":["revenue"],"by":["store","month"],` +
		`"compare":{"with":"last_year"}`},
	{"profit by group with contributions", "", `"measures":["profit","quantity"],"by":["group"],` +
		`"compare":{"with":"previous"},"explain":true`},
	{"average receipt by weekday", "", `"measures":["average_receipt","receipts"],"by":["weekday"]`},
	{"returns by product", "", `"measures":["returns","return_rate"],"by":["product"],` +
		`"where":[{"field":"returns","op":">","values":[0]}]`},
	{"unpaid orders", "", `"measures":["orders","unpaid"],"by":["document"],` +
		`"where":[{"field":"unpaid","op":">","values":[0]}]`},
	{"purchases by supplier", "", `"measures":["purchases","deliveries"],"by":["counterparty"]`},
	{"one customer's year", "", `"measures":["revenue","receipts"],"by":["month"],` +
		`"where":[{"field":"counterparty","op":"=","values":[CUSTOMER]}],"from":"YEAR"`},
	{"dead stock and its value", "", `"measures":["stock","stock_cost","last_sale"],"by":["product"],` +
		`"where":[{"field":"last_sale","op":"is_empty"},{"field":"stock","op":">","values":[0]}]`},
	{"ABC by group", "", `"measures":["revenue"],"by":["group"],"share":true,"cumulative":true`},
	{"cash by expense item", "", `"measures":["money_out"],"by":["expense_item"]`},
	{"prices below cost", "", `"measures":["sale_price","unit_cost","price_minus_cost"],"by":["product"],` +
		`"where":[{"field":"price_minus_cost","op":"<","values":[0]}]`},
	{"forecast of 50 goods", "moysklad_forecast", `"top":50`},
}

// changes is how many documents change before the third ask.
const changes = 100

// measureQueries prints the requests of each question, the fewest that could do, the time and the CPU time of this
// process, without limits: for the first ask, the second, and one after changes. The fewest of a first ask is what its
// lists take in full pages; of a later one, a request for each type of documents and for all goods, and full pages of
// the reports, which cannot be kept.
func measureQueries(ctx context.Context, sizes string, documents int) error {
	for _, size := range strings.Split(sizes, ",") {
		products, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("-products: %w", err)
		}
		if err := measureQueriesOf(ctx, products, documents); err != nil {
			return err
		}
	}
	return nil
}

// startShop starts a sandbox with at least so many documents of sale, of as many days as that takes.
func startShop(ctx context.Context, products, atLeast int) (s *stand, documents int, customer string, err error) {
	for days := usualDays; ; {
		if s, err = startSandboxOf(ctx, products, days, false); err != nil {
			return nil, 0, "", err
		}
		documents, customer, err = s.describe(ctx)
		if err == nil && documents >= atLeast {
			return s, documents, customer, nil
		}
		s.stop()
		if err != nil {
			return nil, 0, "", err
		}
		days = days*atLeast/max(1, documents) + 10
	}
}

func measureQueriesOf(ctx context.Context, products, atLeast int) error {
	s, documents, customer, err := startShop(ctx, products, atLeast)
	if err != nil {
		return err
	}
	defer s.stop()
	fmt.Printf("\n%d products, %d documents of sale; requests, the fewest that could do, seconds, CPU seconds\n"+
		"%-42s %27s %27s %27s\n", products, documents, "", "first ask", "second ask",
		fmt.Sprintf("after %d changes", changes))
	config := connector.Config{BaseURL: s.URL, Token: s.Token}
	who, err := moysklad.Kind.Verify(ctx, config)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, ":memory:", nil)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	pieces := db.System().Kept(kept.Limits{Age: time.Hour, Size: 1 << 30}, nil)
	org := stockhand.NewID[stockhand.OrgID]("org")
	if _, err := db.CreateOrganization(ctx, org, "Bench"); err != nil {
		return err
	}
	asked := make([]asking, len(namedQueries))
	for i, q := range namedQueries {
		c, err := db.CreateConnection(ctx, org, stockhand.Connection{Connector: moysklad.Kind.Name,
			Account: who.Account, Login: strconv.Itoa(i)})
		if err != nil {
			return err
		}
		config.Kept = pieces.Of(c)
		asked[i] = asking{namedQuery: q, account: moysklad.Kind.Open(config, who)} // nothing is known before
		for range 2 {
			asked[i].ask(ctx, customer)
		}
	}
	if err := s.change(ctx); err != nil { // at the end, because recent changes are read by every question
		return err
	}
	var failed error
	for i := range asked {
		a := &asked[i]
		a.ask(ctx, customer)
		fmt.Printf("%-42s%.160s\n", a.name, a.line)
		failed = cmp.Or(failed, a.failed)
	}
	return failed
}

// asking is a question that is asked several times.
type asking struct {
	namedQuery
	account connector.Account
	line    string // figures
	asks    int
	refused bool
	failed  error // the other questions are measured anyway
}

// ask asks the question and adds its figures to the line.
func (a *asking) ask(ctx context.Context, customer string) {
	if a.refused || a.failed != nil {
		return
	}
	name, arguments := a.call(customer, time.Now())
	began, used := time.Now(), processor()
	r, err := answer(ctx, a.account, name, arguments)
	switch {
	case tooLarge(err):
		a.line, a.refused = "  refused: "+strings.SplitN(err.Error(), ";", 2)[0], true
		return
	case err != nil:
		a.line += "  ERROR: " + err.Error()
		a.failed = fmt.Errorf("%s: %w", a.name, err)
		return
	}
	a.asks++
	if os.Getenv("BENCH_SOURCES") != "" {
		fmt.Println(a.name, "ask", a.asks)
		for _, x := range r.Provenance.Sources {
			fmt.Printf("    %5d requests %7d rows  %s %.100s\n", x.Requests, x.Rows, x.Path, x.Filter)
		}
	}
	fewest := r.Provenance.Needed
	if a.asks > 1 {
		fewest = moysklad.FewestAgain(r)
	}
	a.line += fmt.Sprintf("   %5d %5d %6.2f %5.2f", r.Provenance.Requests, fewest, time.Since(began).Seconds(),
		(processor() - used).Seconds())
	for _, n := range r.Notices {
		if n.Code == tool.NoticePartial { // it could not be read to its end
			a.line += " PARTIAL"
			a.failed = fmt.Errorf("%s: %s", a.name, n.Message)
		}
	}
}

// namedQuery is a question, as a call of a tool; that of queries if it has none.
type namedQuery struct{ name, tool, arguments string }

// call returns the tool and the arguments for a customer and the time now.
func (q namedQuery) call(customer string, now time.Time) (name, arguments string) {
	arguments = "{" + strings.NewReplacer("CUSTOMER", strconv.Quote(customer),
		"YEAR", now.AddDate(-1, 0, 0).Format(time.DateOnly)).Replace(q.arguments)
	if q.tool == "" && !strings.Contains(arguments, `"from"`) {
		to := now.AddDate(0, 0, -now.Day())
		arguments += fmt.Sprintf(`,"from":"%s","to":"%s"`, to.AddDate(0, 0, 1-to.Day()).Format(time.DateOnly),
			to.Format(time.DateOnly))
	}
	return cmp.Or(q.tool, moysklad.Kind.Analyze), arguments + "}"
}

// tooLarge reports whether a query is refused because it would read too much. Any other error is a fault.
func tooLarge(err error) bool {
	e, ok := errors.AsType[*stockhand.Error](err)
	return ok && e.Code == stockhand.CodeValidation && len(e.Fields) > 0 && e.Fields[0].Field == "from"
}

func answer(ctx context.Context, a connector.Account, name, arguments string) (*tool.Result, error) {
	for _, t := range a.Tools() {
		if t.Name == name {
			return t.Call(ctx, tool.Env{}, json.RawMessage(arguments))
		}
	}
	return nil, stockhand.Errorf(stockhand.CodeValidation, "there is no tool %s", name)
}

// describe returns the number of documents of sale, and a customer.
func (s *stand) describe(ctx context.Context) (documents int, customer string, err error) {
	for _, kind := range []string{"demand", "retaildemand"} {
		var list struct {
			Meta struct{ Size int }
		}
		if err := s.send(ctx, http.MethodGet, "/entity/"+kind+"?limit=1", nil, &list); err != nil {
			return 0, "", err
		}
		documents += list.Meta.Size
	}
	var list struct {
		Rows []struct{ Agent struct{ Name string } }
	}
	err = s.send(ctx, http.MethodGet, "/entity/customerorder?limit=1&expand=agent", nil, &list)
	if err == nil && len(list.Rows) > 0 {
		customer = list.Rows[0].Agent.Name
	}
	return documents, customer, err
}

// change edits documents of sale.
func (s *stand) change(ctx context.Context) error {
	var list struct{ Rows []struct{ ID string } }
	if err := s.send(ctx, http.MethodGet, fmt.Sprintf("/entity/demand?limit=%d", changes), nil, &list); err != nil {
		return err
	}
	for i, d := range list.Rows {
		body := fmt.Appendf(nil, `{"description":"%d at %d"}`, i, time.Now().UnixNano())
		if err := s.send(ctx, http.MethodPut, "/entity/demand/"+d.ID, body, &struct{}{}); err != nil {
			return err
		}
	}
	return nil
}

// send sends a request to the sandbox.
func (s *stand) send(ctx context.Context, method, path string, body []byte, into any) error {
	q, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	q.Header.Set("Authorization", "Bearer "+s.Token)
	q.Header.Set("Accept", "application/json;charset=utf-8")
	q.Header.Set("Content-Type", "application/json")
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, r.Status)
	}
	return json.NewDecoder(r.Body).Decode(into)
}
