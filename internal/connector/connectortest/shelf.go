// Package connectortest is a minimal in-memory connector. A test registers it next to MoySklad and uses every feature
// that a connector may offer.
package connectortest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Token is the only token that the shelf accepts.
const Token = "shelf-token"

// Zone is the time zone of the shelf.
var Zone = tool.Zone{Name: "Asia/Kathmandu", Label: tool.Text{RU: "Катманду", EN: "Nepal time"}}

// Shelf is an external system with one account and one product, whose price can be changed.
type Shelf struct {
	mu    sync.Mutex
	price decimal.Decimal
	sales []time.Time
}

// New returns a shelf whose product costs 10.
func New() *Shelf { return &Shelf{price: decimal.MustParse("10")} }

// Price returns the price of the product.
func (s *Shelf) Price() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.price.String()
}

// Sell records that the product was sold.
func (s *Shelf) Sell(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sales = append(s.sales, at)
}

func (s *Shelf) set(price decimal.Decimal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.price = price
}

// Kind returns the connector.
func (s *Shelf) Kind() connector.Kind {
	return connector.Kind{
		Name: "shelf", Title: tool.Text{RU: "Полка", EN: "Shelf"}, About: tool.Text{RU: "Полка.", EN: "A shelf."},
		Fields: []connector.Field{{Name: "token", Title: tool.Text{RU: "Токен", EN: "Token"}, Secret: true,
			Required: true}},
		Tools:  (&account{shelf: s}).Tools(),
		Zone:   Zone,
		Rights: func([]string) (has, missing []connector.Right) { return nil, nil },
		Verify: func(_ context.Context, c connector.Config) (connector.Identity, error) {
			if c.Token != Token {
				return connector.Identity{},
					stockhand.Errorf(stockhand.CodeTokenRejected, "the shelf rejects the token")
			}
			return connector.Identity{Account: "shelf-1", Employee: "Clerk", Organization: "Shelf Ltd"}, nil
		},
		Open: func(_ connector.Config, who connector.Identity) connector.Account {
			return &account{shelf: s, who: who}
		},
	}
}

type account struct {
	shelf *Shelf
	who   connector.Identity
}

func (a *account) Identity() connector.Identity { return a.who }

func (a *account) Names(context.Context, ...connector.NameKind) ([]connector.Name, error) {
	return nil, nil
}

func (a *account) Find(context.Context, connector.NameKind, string, int) ([]connector.Name, error) {
	return nil, nil
}

func (a *account) Tools() []tool.Tool {
	return []tool.Tool{
		tool.Read("shelf_price", tool.Text{RU: "Цена", EN: "Price"}, tool.Text{RU: "Цена товара.", EN: "The price."},
			a.read),
		tool.Read("shelf_sales_trend", tool.Text{RU: "Продажи", EN: "Sales"},
			tool.Text{RU: "Продажи за дни.", EN: "The sales of some days."}, a.readSales),
		tool.Propose("shelf_propose_price_change", tool.Text{RU: "Изменить цену", EN: "Change the price"},
			tool.Text{RU: "Готовит новую цену.", EN: "Prepares a new price."}, a.propose),
	}
}

func (a *account) read(_ context.Context, env tool.Env, _ struct{}) (*tool.Result, error) {
	a.shelf.mu.Lock()
	defer a.shelf.mu.Unlock()
	return &tool.Result{
		Title: "Price", Answer: "The price is " + a.shelf.price.String() + ".",
		Columns: []tool.Column{{Name: "price", Label: "Price", Unit: tool.UnitMoney}},
		Rows:    tool.Rows{{tool.Money(a.shelf.price, "RUB")}},
		Notices: []tool.Notice{}, Provenance: a.provenance(env.Clock()),
	}, nil
}

// salesPeriod is the input of readSales.
type salesPeriod struct {
	From tool.Day `json:"from" jsonschema:"the first day"`
	To   tool.Day `json:"to" jsonschema:"the last day"`
}

// readSales lists the sales of a period of whole days in the shelf's time zone.
func (a *account) readSales(_ context.Context, env tool.Env, in salesPeriod) (*tool.Result, error) {
	a.shelf.mu.Lock()
	defer a.shelf.mu.Unlock()
	r := &tool.Result{
		Title:   "Sales",
		Columns: []tool.Column{{Name: "at", Label: "At", Unit: tool.UnitMoment}},
		Rows:    tool.Rows{}, Notices: []tool.Notice{}, Provenance: a.provenance(env.Clock()),
	}
	r.Provenance.Period = &tool.Period{From: in.From, To: in.To}
	for _, at := range a.shelf.sales {
		if day := tool.DayOf(at.In(env.Zone.Location())); in.From <= day && day <= in.To {
			r.Rows = append(r.Rows, tool.Row{tool.Moment(at)})
		}
	}
	r.Answer = fmt.Sprintf("Sold: %d.", len(r.Rows))
	return r, nil
}

func (a *account) provenance(now time.Time) tool.Provenance {
	return tool.Provenance{Account: a.who.Account, Employee: a.who.Employee, Login: a.who.Login, Read: now,
		Sources: []tool.Source{}}
}

type priceChange struct {
	Percent    decimal.Decimal `json:"percent" jsonschema:"by how many percent the price changes"`
	Everything bool            `json:"everything,omitempty" jsonschema:"for all products; there is one"`
}

func (a *account) propose(_ context.Context, env tool.Env, in priceChange) (*tool.Proposal, error) {
	a.shelf.mu.Lock()
	defer a.shelf.mu.Unlock()
	price := a.shelf.price.Mul(decimal.Hundred.Add(in.Percent)).Div(decimal.Hundred)
	return &tool.Proposal{
		Title: "Change the price", Answer: "The price would be " + price.String() + ".",
		Documents: []tool.Document{{
			Kind: tool.PriceChange, Title: "New price", Reason: "asked for", Currency: "RUB",
			PriceType: &tool.Ref{ID: "sale", Name: "sale"},
			Lines: []tool.Line{{
				ID: "1", Product: tool.Ref{ID: "1", Name: "Box"}, Price: decimal.Some(price),
				OldPrice: decimal.Some(a.shelf.price), Reason: "asked for",
			}},
		}},
		Notices: []tool.Notice{}, Provenance: a.provenance(env.Clock()),
	}, nil
}

// Writer writes confirmed prices.
type Writer struct{ shelf *Shelf }

// Writer returns a client that writes to the shelf.
func (s *Shelf) Writer(connector.Config, stockhand.AccountID, stockhand.Language) (*Writer, error) {
	return &Writer{s}, nil
}

// Bodies returns the requests that Apply would send for the document.
func (w *Writer) Bodies(doc tool.Document) ([]tool.Body, error) {
	return []tool.Body{{Method: http.MethodPut, Path: "price", Body: json.RawMessage(doc.Lines[0].Price.String())}}, nil
}

// Check reports every document as unchanged.
func (w *Writer) Check(_ context.Context, _ stockhand.Language, docs []tool.Document) ([]tool.Check, error) {
	checks := make([]tool.Check, len(docs))
	for i := range docs {
		checks[i].Fresh = docs[i]
	}
	return checks, nil
}

// Apply sets the price.
func (w *Writer) Apply(_ context.Context, docs []tool.Document) []tool.Outcome {
	outcomes := make([]tool.Outcome, len(docs))
	for i, doc := range docs {
		w.shelf.set(doc.Lines[0].Price.Decimal)
		outcomes[i] = tool.Outcome{State: stockhand.DocumentApplied,
			Lines: []tool.LineOutcome{{Line: "1", State: stockhand.DocumentApplied}}}
	}
	return outcomes
}

// Find always fails: without a network no write has an unknown outcome.
func (w *Writer) Find(context.Context, []tool.Document) ([]tool.Outcome, error) {
	return nil, errors.New("nothing to find")
}

// gateway serves raw API requests from the shelf.
type gateway struct {
	shelf  *Shelf
	writes bool
}

// Gateway returns the raw API of the shelf.
func (s *Shelf) Gateway(_ connector.Config, _ stockhand.AccountID, writes bool) connector.Gateway {
	return gateway{s, writes}
}

// Check implements connector.Gateway.
func (g gateway) Check(r connector.GatewayRequest) error {
	if r.Path != "price" || r.Method != http.MethodGet && !g.writes {
		return fmt.Errorf("%s %s is not forwarded", r.Method, r.Path)
	}
	return nil
}

// Pass implements connector.Gateway.
func (g gateway) Pass(_ context.Context, r connector.GatewayRequest) (*connector.GatewayAnswer, error) {
	if err := g.Check(r); err != nil {
		return nil, err
	}
	if r.Method == http.MethodPut {
		price, err := decimal.Parse(string(r.Body))
		if err != nil {
			return nil, err
		}
		g.shelf.set(price)
	}
	return &connector.GatewayAnswer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(g.shelf.Price()))}, nil
}
