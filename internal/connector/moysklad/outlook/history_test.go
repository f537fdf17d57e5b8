package outlook

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R252: with many documents, the report is read for each day instead, and says the same.
func TestTheReportOfEachDayEqualsTheDocuments(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, msapi.Moscow)
	s := sandbox.New(sandbox.Options{NoLimits: true, Now: func() time.Time { return noon },
		Company: company.Options{Products: 60, Days: 60, Seed: 7}})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	a := account.New(connector.Config{BaseURL: server.URL + sandbox.APIPath, Token: s.Accounts()[0].Tokens.Owner},
		connector.Identity{})
	read := func(from func(*reading, context.Context) error) map[account.StockKey]*sales {
		ctx, c := account.Begin(t.Context(), a, tool.Env{Now: noon}, tool.Text{})
		r := &reading{Call: c, history: &History{Period: tool.Period{From: "2026-10-01", To: "2026-11-19"},
			sold: map[account.StockKey]*sales{}}}
		if err := from(r, ctx); err != nil {
			t.Fatal(err)
		}
		return r.history.sold
	}
	documents, reports := read((*reading).documents), read((*reading).reports)
	if len(documents) < 30 || !slices.Equal(sorted(documents), sorted(reports)) {
		t.Fatalf("%d goods in documents, %d in reports", len(documents), len(reports))
	}
	for k, s := range documents {
		other := reports[k]
		if s.revenue.Cmp(other.revenue) != 0 {
			t.Errorf("%s: revenue %s in documents, %s in reports", s.good.ID, s.revenue, other.revenue)
		}
		for day := range s.daily {
			if math.Abs(s.daily[day]-other.daily[day]) > 1e-9 {
				t.Errorf("%s, day %d: %v in documents, %v in reports", s.good.ID, day, s.daily[day], other.daily[day])
			}
		}
	}
}

func sorted(of map[account.StockKey]*sales) []msapi.ID {
	return slices.Sorted(func(yield func(msapi.ID) bool) {
		for k := range maps.Keys(of) {
			if !yield(k.Good.ID()) {
				return
			}
		}
	})
}

func TestAHistoryThatIsTooLargeIsRefused(t *testing.T) {
	r := &reading{Call: &account.Call{}, history: &History{Period: tool.Period{From: "2023-11-16", To: "2026-11-19"},
		sold: map[account.StockKey]*sales{}}}
	days := r.history.Period.Days()
	for i := range mostSales/days + 1 {
		if err := r.complete(); err != nil {
			t.Fatalf("%d goods: %v", i, err)
		}
		id := msapi.ID(fmt.Sprintf("00000000-0000-0000-0000-%012d", i))
		r.add("", msapi.Ref{Type: "product", ID: id}, r.history.Period.To, decimal.One, decimal.One)
	}
	if err := r.complete(); err == nil || len(r.history.sold)*days > mostSales {
		t.Errorf("%d goods of %d days are kept: %v", len(r.history.sold), days, err)
	}
}
