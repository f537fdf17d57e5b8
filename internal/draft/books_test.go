package draft_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// books is the external system: an HTTP server that keeps documents by the id their maker gave them, and prices.
type books struct {
	url string

	mu        sync.Mutex
	documents map[string]string // path → body as it arrived
	prices    map[string]string // product → price
	costs     map[string]string // product → cost
	writes    map[string]int    // method and path → requests that got as far as being done
	refused   map[string]bool   // products whose documents are refused
	right     string            // the right that is missing
	down      bool              // reads are not answered
	extra     string            // what a writer that has changed its mind adds to its bodies
	// whether to cut the connection, before or after doing what is asked
	fault func(r *http.Request) (before, after bool)
	done  func(r *http.Request) bool // called in between; whether to cut
}

func newBooks(t testing.TB) *books {
	b := &books{documents: map[string]string{}, prices: map[string]string{}, costs: map[string]string{},
		writes:  map[string]int{},
		refused: map[string]bool{}}
	server := httptest.NewServer(b)
	b.url = server.URL
	t.Cleanup(server.Close)
	return b
}

// set changes the account, or how it answers.
func (b *books) set(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

// wrote counts the writes that were done, of all documents or of one path.
func (b *books) wrote(path string) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for request, times := range b.writes {
		if path == "" || strings.HasSuffix(request, " "+path) {
			n += times
		}
	}
	return n
}

func cut(w http.ResponseWriter) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		conn.Close()
	}
}

func (b *books) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	fault, done, down := b.fault, b.done, b.down
	b.mu.Unlock()
	var before, after bool
	if fault != nil {
		before, after = fault(r)
	}
	if before || (down && r.Method == http.MethodGet) {
		cut(w)
		return
	}
	status, answer := b.answer(r.Method, r.URL.Path, string(body))
	if (done != nil && done(r)) || after {
		cut(w)
		return
	}
	w.WriteHeader(status)
	io.WriteString(w, answer)
}

func (b *books) answer(method, path, body string) (int, string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	product, isPrice := strings.CutPrefix(path, "/prices/")
	priced, isCost := strings.CutPrefix(path, "/costs/")
	switch {
	case method == http.MethodGet && path == "/right":
		return http.StatusOK, b.right
	case method == http.MethodGet && isPrice:
		return http.StatusOK, cmp.Or(b.prices[product], "100")
	case method == http.MethodGet && isCost:
		return http.StatusOK, b.costs[priced]
	case method == http.MethodGet:
		if found, ok := b.documents[path]; ok {
			return http.StatusOK, found
		}
		return http.StatusNotFound, ""
	}
	for product := range b.refused {
		if strings.Contains(path+body, product) {
			return http.StatusPreconditionFailed, "refused: " + product
		}
	}
	b.writes[method+" "+path]++
	switch {
	case method == http.MethodPut && isPrice:
		b.prices[product] = body
	case method == http.MethodPut:
		if _, ok := b.documents[path]; !ok { // a repeated create is the first one
			b.documents[path] = body
		}
	case method == http.MethodDelete:
		delete(b.documents, path)
	}
	return http.StatusOK, ""
}

// Writer makes books the draft.Writers of a service.
func (b *books) Writer(context.Context, stockhand.OrgID, stockhand.Connection, stockhand.Language) (draft.Writer,
	error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return clerk{b.url, b.extra}, nil
}

// clerk writes into books over HTTP. It stands where the connector's writer does.
type clerk struct{ url, extra string }

func (c clerk) Bodies(doc tool.Document) ([]tool.Body, error) {
	switch doc.Kind {
	case tool.Deletion:
		return []tool.Body{{Method: http.MethodDelete, Path: "/documents/" + doc.Deletes.ID}}, nil
	case tool.PriceChange:
		var all []tool.Body
		for _, l := range doc.Lines {
			all = append(all, tool.Body{Method: http.MethodPut, Path: "/prices/" + l.Product.ID,
				Body: json.RawMessage(l.Price.String())})
		}
		return all, nil
	}
	var lines []string
	for _, l := range doc.Lines {
		lines = append(lines, fmt.Sprint(l.Product.ID, " ", l.Quantity, " ", l.Price))
	}
	body, err := json.Marshal(map[string]any{"from": doc.Store, "to": doc.Target, "lines": lines, "extra": c.extra})
	return []tool.Body{{Method: http.MethodPut, Path: "/documents/" + string(doc.ID), Body: body}}, err
}

// The client does not keep connections: a kept one that was cut is retried by net/http when the request has no body.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func (c clerk) do(ctx context.Context, method, path string, body []byte) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, "", stockhand.Errorf(stockhand.CodeExternalUnavailable, "the books did not answer: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}

func (c clerk) Check(ctx context.Context, _ stockhand.Language, docs []tool.Document) ([]tool.Check, error) {
	checks := make([]tool.Check, len(docs))
	for i, doc := range docs {
		_, right, err := c.do(ctx, http.MethodGet, "/right", nil)
		if err != nil {
			return nil, err
		}
		check := tool.Check{MissingRight: right, Fresh: doc}
		check.Fresh.Lines = append([]tool.Line(nil), doc.Lines...)
		for j, l := range doc.Lines {
			_, price, err := c.do(ctx, http.MethodGet, "/prices/"+l.Product.ID, nil)
			if err != nil {
				return nil, err
			}
			if now := decimal.MustParse(price); l.Seen.Price.Known && now.Cmp(l.Seen.Price.Decimal) != 0 {
				check.Moved = append(check.Moved,
					tool.Moved{Line: l.ID, What: "цена «" + l.Product.Name + "»", Old: l.Seen.Price.String(),
						New: price})
				fresh := &check.Fresh.Lines[j]
				fresh.Seen.Price = decimal.Some(now)
				if doc.Kind == tool.PriceChange {
					fresh.OldPrice = decimal.Some(now)
				}
			}
		}
		checks[i] = check
	}
	return checks, nil
}

func (c clerk) Costs(ctx context.Context, doc tool.Document) ([]decimal.Maybe, error) {
	costs := make([]decimal.Maybe, len(doc.Lines))
	for i, l := range doc.Lines {
		_, cost, err := c.do(ctx, http.MethodGet, "/costs/"+l.Product.ID, nil)
		if err != nil {
			return nil, err
		}
		if cost != "" {
			costs[i] = decimal.Some(decimal.MustParse(cost))
		}
	}
	return costs, nil
}

func (c clerk) Apply(ctx context.Context, docs []tool.Document) []tool.Outcome {
	outcomes := make([]tool.Outcome, len(docs))
	for i, doc := range docs {
		bodies, err := c.Bodies(doc)
		if err != nil {
			outcomes[i] = tool.Outcome{State: stockhand.DocumentFailed, Problem: err.Error()}
			continue
		}
		var lines []tool.LineOutcome
		for j, b := range bodies {
			status, answer, err := c.do(ctx, b.Method, b.Path, b.Body)
			line := tool.LineOutcome{Line: fmt.Sprint(j + 1), State: stockhand.DocumentApplied}
			switch {
			case err != nil:
				line.State = stockhand.DocumentUnknown
			case status != http.StatusOK:
				line.State, line.Problem = stockhand.DocumentFailed, answer
			}
			lines = append(lines, line)
		}
		outcomes[i] = together(doc, lines)
	}
	return outcomes
}

func (c clerk) Find(ctx context.Context, docs []tool.Document) ([]tool.Outcome, error) {
	outcomes := make([]tool.Outcome, len(docs))
	for i, doc := range docs {
		bodies, err := c.Bodies(doc)
		if err != nil {
			return nil, err
		}
		var lines []tool.LineOutcome
		for j, b := range bodies {
			status, answer, err := c.do(ctx, http.MethodGet, b.Path, nil)
			if err != nil {
				return nil, err
			}
			there := status == http.StatusOK
			switch doc.Kind {
			case tool.PriceChange:
				there = answer == string(b.Body)
			case tool.Deletion:
				there = !there // what is gone was deleted
			}
			line := tool.LineOutcome{Line: fmt.Sprint(j + 1), State: stockhand.DocumentFailed}
			if there {
				line.State = stockhand.DocumentApplied
			} else if doc.Kind == tool.PriceChange && answer != doc.Lines[j].OldPrice.String() {
				line.State, line.Problem = stockhand.DocumentUnknown, "the price is neither the old nor the new one"
			}
			lines = append(lines, line)
		}
		outcomes[i] = together(doc, lines)
	}
	return outcomes, nil
}

func together(doc tool.Document, lines []tool.LineOutcome) tool.Outcome {
	o := tool.Outcome{State: stockhand.DocumentApplied}
	for _, l := range lines {
		if l.State != stockhand.DocumentApplied && o.State != stockhand.DocumentUnknown {
			o.State, o.Problem = l.State, l.Problem
		}
	}
	if doc.Kind == tool.PriceChange {
		o.Lines = lines
	} else if o.State == stockhand.DocumentApplied && doc.Kind != tool.Deletion {
		o.External = &tool.Ref{Type: "document", ID: string(doc.ID), Name: "00001"}
		o.Link = "https://example.invalid/" + string(doc.ID)
	}
	return o
}
