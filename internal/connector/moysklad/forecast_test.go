package moysklad

import (
	"math"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/forecast"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

const forecasts = "moysklad_forecast"

// dailySales adds up the documents of sale by good and day, with bundles by component too. An empty store means all.
func dailySales(c *company.Company, p tool.Period, store company.ID) map[company.ID][]float64 {
	all := map[company.ID][]float64{}
	add := func(good company.ID, day int, quantity float64) {
		if all[good] == nil {
			all[good] = make([]float64, p.Days())
		}
		all[good][day] += quantity
	}
	for kind, sign := range map[company.DocumentType]float64{company.DemandDoc: 1, company.RetailDemandDoc: 1,
		company.SalesReturnDoc: -1, company.RetailSalesReturnDoc: -1} {
		for _, d := range c.Documents(kind) {
			at := tool.DayOf(d.Moment.In(msapi.Moscow))
			if !d.Applicable || at < p.From || at > p.To || store != "" && d.Store.ID != store {
				continue
			}
			day := tool.Period{From: p.From, To: at}.Days() - 1
			for _, line := range d.Positions {
				quantity := sign * line.Quantity.Decimal().Float64()
				add(line.Good.ID, day, quantity)
				for _, part := range line.Good.Components {
					add(part.Good.ID, day, quantity*part.Quantity.Decimal().Float64())
				}
			}
		}
	}
	return all
}

// Rules R250 and R252: the forecast is that of the raw documents, and the stock that of the warehouses.
func TestForecastsAreThoseOfTheDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 60, Days: 150}})
	a, store := s.owner(t), activeStores(s)[0]
	stock := stockFromDocuments(s.company)
	for _, c := range []struct {
		arguments, store string
		horizon          int
	}{{`{"top":10000,"history":100}`, "", 14}, {`{"top":10000,"history":100,"weeks":3,"stores":["` +
		string(store.ID) + `"]}`, string(store.ID), 21}} {
		r := callTool(t, a, forecasts, c.arguments)
		p := tool.Period{From: tool.DayOf(noon).Add(-100), To: tool.DayOf(noon).Add(-1)}
		if *r.Provenance.Period != p {
			t.Fatalf("history %v", r.Provenance.Period)
		}
		sold, compared := dailySales(s.company, p, company.ID(c.store)), 0
		for _, row := range r.Rows {
			id := company.ID(cell(t, r, row, "id").Text())
			good, _ := s.company.Good(id)
			f, why := forecast.Of(forecast.Series{First: p.From.Time(), Sold: sold[id]}, c.horizon)
			if got, known := cell(t, r, row, "expected").Decimal(); known != (f != nil) {
				t.Errorf("%s: forecast %v, reason %v", good.Name, got, why)
			} else if known {
				compared++
				if math.Abs(got.Float64()-f.Total) > 0.0501 {
					t.Errorf("%s: %s will sell, want %.2f", good.Name, got, f.Total)
				}
			}
			var free company.Quantity
			for at, h := range stock {
				if at.good == id && (c.store == "" || at.store == company.ID(c.store)) {
					free += h.free()
				}
			}
			wantEqual(t, good.Name+" free", number(t, r, row, "free"), free.Decimal())
			if f == nil {
				continue
			}
			days, ok := f.Lasts(free.Decimal().Float64())
			if day := cell(t, r, row, "runs_out").Text(); ok && day != string(tool.DayOf(noon).Add(days)) ||
				!ok && day != "" {
				t.Errorf("%s runs out on %q, want day %d", good.Name, day, days)
			}
		}
		if compared < 20 {
			t.Errorf("%s: only %d forecasts", c.arguments, compared)
		}
	}
}

func TestAForecastReadsAHundredDocumentsPerRequest(t *testing.T) { // rule R252
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), forecasts, `{"history":60}`)
	if least := Fewest(r); r.Provenance.Requests > least || len(r.Rows) == 0 {
		t.Errorf("%d requests, %d are enough", r.Provenance.Requests, least)
	}
}

func TestTheForecastSaysWhichGoodsHaveNone(t *testing.T) { // rule R251
	s := openShop(t, sandbox.Options{})
	sold := dailySales(s.company, tool.Period{From: "2026-09-20", To: "2026-11-19"}, "")
	never := find(t, s, "good that is not sold",
		func(g *company.Good) bool {
			return g.Kind == company.Product && len(g.Variants) == 0 && sold[g.ID] == nil
		})
	r := callTool(t, s.owner(t), forecasts, `{"history":60,"products":["`+string(never.ID)+`"]}`)
	n, ok := r.Notice(tool.NoticePartial)
	if len(r.Rows) != 1 || !cell(t, r, r.Rows[0], "expected").IsEmpty() || !ok ||
		!strings.Contains(n.Message, never.Name) || !strings.Contains(r.Answer, "Прогноза") {
		t.Errorf("%s %v", r.Answer, r.Notices)
	}
}

func TestAForecastNeedsNoRightToSeeStock(t *testing.T) { // rule R15
	s := openShop(t, sandbox.Options{})
	for _, token := range []string{s.info.Tokens.Sales, s.info.Tokens.Storekeeper} {
		r := callTool(t, s.as(t, token), forecasts, `{"history":60}`)
		_, missing := r.Notice(tool.NoticeRightMissing)
		for _, c := range r.Columns {
			if c.Name == "free" && c.Hidden && !missing {
				t.Error("stock is hidden without a notice")
			}
		}
		if len(r.Rows) == 0 && !missing {
			t.Errorf("no answer: %s", r.Answer)
		}
	}
	if _, err := tryTool(s.owner(t), forecasts, `{"days":7,"weeks":1}`, tool.Env{Now: noon}); err == nil {
		t.Error("days and weeks together are accepted")
	}
}
