package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/tool"
)

// namedQueries are queries as people mean them. Months are the last whole one and the one before.
var namedQueries = []struct{ name, query string }{
	{"revenue by store and month vs last year",
		`"measures":["revenue"],"by":["store","month"],"compare":{"with":"last_year"}`},
	{"what changed profit, by product",
		`"measures":["profit","quantity"],"by":["product"],"compare":{"with":"previous"},"explain":true`},
	{"profit and margin by group", `"measures":["profit","margin"],"by":["group"]`},
	{"average receipt by weekday", `"measures":["average_receipt","receipts"],"by":["weekday"]`},
	{"returns by product", `"measures":["returns","return_rate"],"by":["product"],` +
		`"where":[{"field":"returns","op":">","values":[0]}]`},
	{"unpaid orders by customer", `"measures":["orders","unpaid"],"by":["counterparty"],` +
		`"where":[{"field":"unpaid","op":">","values":[0]}]`},
	{"purchases by supplier", `"measures":["purchases","deliveries"],"by":["counterparty"]`},
	{"sales by customer and month", `"measures":["revenue","receipts"],"by":["counterparty","month"]`},
	{"stock and its value by group", `"measures":["stock_cost","stock_price"],"by":["group"]`},
	{"shares of groups, running", `"measures":["revenue"],"by":["group"],"share":true,"cumulative":true`},
}

// measureQueries prints the requests and the own time of each question, asked twice: without limits, so that the time
// is that of the service and of the sandbox.
func measureQueries(ctx context.Context, sizes string) error {
	to := time.Now().AddDate(0, 0, -time.Now().Day())
	period := fmt.Sprintf(`,"from":"%s","to":"%s"}`, to.AddDate(0, 0, 1-to.Day()).Format(time.DateOnly),
		to.Format(time.DateOnly))
	for _, size := range strings.Split(sizes, ",") {
		products, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("-products: %w", err)
		}
		fmt.Printf("\n%d products\n%-42s %8s %8s %8s %8s %6s\n", products, "query", "requests", "seconds", "again",
			"seconds",
			"rows")
		if err := measureQueriesOf(ctx, products, period); err != nil {
			return err
		}
	}
	return nil
}

func measureQueriesOf(ctx context.Context, products int, period string) error {
	s, err := startSandbox(ctx, products, false)
	if err != nil {
		return err
	}
	defer s.stop()
	for _, q := range namedQueries {
		config := connector.Config{BaseURL: s.URL, Token: s.Token}
		who, err := moysklad.Kind.Verify(ctx, config)
		if err != nil {
			return err
		}
		account := moysklad.Kind.Open(config, who) // for each, so that the first ask caches nothing
		line := ""
		rows := 0
		for range 2 {
			began := time.Now()
			r, err := analyze(ctx, account, "{"+q.query+period)
			if err != nil {
				return fmt.Errorf("%s: %w", q.name, err)
			}
			line += fmt.Sprintf(" %8d %8.2f", r.Provenance.Requests, time.Since(began).Seconds())
			rows = len(r.Rows)
		}
		fmt.Printf("%-42s%s %6d\n", q.name, line, rows)
	}
	return nil
}

func analyze(ctx context.Context, a connector.Account, query string) (*tool.Result, error) {
	for _, t := range a.Tools() {
		if t.Name == moysklad.Kind.Analyze {
			return t.Call(ctx, tool.Env{}, json.RawMessage(query))
		}
	}
	return nil, fmt.Errorf("there is no tool %s", moysklad.Kind.Analyze)
}
