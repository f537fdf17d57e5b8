package moysklad

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/write"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

const minimums4 = "moysklad_propose_minimum_stock"

func TestMinimumsFollowTheRateAndAreWrittenAndRestored(t *testing.T) { // rules R62, R263
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	p, err := tryProposal(t, a, minimums4, `{"everything":true,"lead_days":10,"safety_days":5}`)
	if err != nil || len(p.Documents) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	doc := p.Documents[0]
	sold := soldByStore(s.company, tool.Period{From: tool.DayOf(noon).Add(-29), To: tool.DayOf(noon)})
	byStore, together := 0, 0
	before := map[company.ID]company.Minimum{}
	for _, l := range doc.Lines {
		g := goodOf(t, s, l.Product)
		old, total := decimal.Zero, decimal.Zero
		if m := g.Minimum; m != nil {
			before[g.ID] = *m
			if l.Store == nil && m.Type == company.MinimumSum {
				old = m.Quantity.Decimal()
			}
			if m.Type == company.MinimumSame || m.Inherited {
				t.Errorf("%s: a minimum that cannot be written", g.Name)
			}
			for _, x := range m.Stores {
				if l.Store != nil && string(x.Store.ID) == l.Store.ID {
					old = x.Quantity.Decimal()
				}
			}
		}
		for at, n := range sold {
			if at.good == g.ID && (l.Store == nil || string(at.store) == l.Store.ID) {
				total = total.Add(n.Decimal())
			}
		}
		need := total.Mul(decimal.FromInt(15)).Div(decimal.FromInt(30)).Ceil(3)
		if l.Whole {
			need = need.Ceil(0)
		}
		if l.Pack.Known {
			need = need.Div(l.Pack.Decimal).Ceil(0).Mul(l.Pack.Decimal)
		}
		wantEqual(t, g.Name+" new", l.Quantity.Decimal, need)
		wantEqual(t, g.Name+" old", l.Seen.Minimum.Decimal, old)
		if l.Store == nil {
			together++
		} else {
			byStore++
		}
	}
	if byStore == 0 || together == 0 || noticeOf(p, tool.NoticePartial) == "" {
		t.Errorf("%d by warehouse, %d together; %v", byStore, together, p.Notices)
	}

	w, err := write.New(connector.Config{BaseURL: s.url, Token: s.info.Tokens.Owner},
		stockhand.AccountID(s.info.AccountID), stockhand.English)
	if err != nil {
		t.Fatal(err)
	}
	settled := func(doc tool.Document, want stockhand.DocumentState) {
		t.Helper()
		out, err := w.Find(t.Context(), []tool.Document{doc})
		if err != nil || out[0].State != want {
			t.Errorf("found %+v, %v, want %s", out, err, want)
		}
	}
	unmoved := func(doc tool.Document) {
		t.Helper()
		checks, err := w.Check(t.Context(), stockhand.English, []tool.Document{doc})
		if err != nil || len(checks[0].Moved) > 0 || checks[0].MissingRight != "" {
			t.Fatalf("%+v, %v", checks, err)
		}
	}
	unmoved(doc)
	settled(doc, stockhand.DocumentFailed)
	if out := w.Apply(t.Context(), []tool.Document{doc}); out[0].State != stockhand.DocumentApplied {
		t.Fatalf("%+v", out[0])
	}
	settled(doc, stockhand.DocumentApplied)
	checks, err := w.Check(t.Context(), stockhand.English, []tool.Document{doc})
	if err != nil || len(checks[0].Moved) == 0 {
		t.Errorf("what was changed meanwhile is not noticed: %+v, %v", checks, err)
	}

	back := doc
	back.Lines = nil
	for _, l := range doc.Lines {
		old := l
		old.Quantity, old.Seen = decimal.Some(l.Seen.Minimum.Decimal), tool.Seen{Minimum: l.Quantity}
		if l.Store != nil {
			old.Seen.Minimums = doc.MinimumsOf(l.Product.ID)
		}
		back.Lines = append(back.Lines, old)
	}
	unmoved(back)
	if out := w.Apply(t.Context(), []tool.Document{back}); out[0].State != stockhand.DocumentApplied {
		t.Fatalf("%+v", out[0])
	}
	for _, l := range doc.Lines {
		g, _ := s.company.Good(company.ID(l.Product.ID))
		was, had := before[g.ID]
		if had != (g.Minimum != nil) || had && (was.Type != g.Minimum.Type || was.Quantity != g.Minimum.Quantity ||
			len(was.Stores) != len(g.Minimum.Stores)) {
			t.Errorf("%s: %+v, was %+v", g.Name, g.Minimum, was)
		}
	}
}

func TestProposedMinimumsLeaveArchivedWarehousesOut(t *testing.T) { // fact M116
	s := openShop(t, sandbox.Options{})
	good := find(t, s, "a good that sells, with minimums by warehouse", func(g *company.Good) bool {
		return g.Kind == company.Product && g.Minimum != nil && g.Minimum.Type == company.MinimumVaried &&
			len(g.Minimum.Stores) > 1
	})
	archived := good.Minimum.Stores[1].Store
	archived.Archived = true
	in := `{"products":["` + string(good.ID) + `"],"lead_days":30,"safety_days":30}`
	p, err := tryProposal(t, s.owner(t), minimums4, in)
	if err != nil || len(p.Documents) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, l := range p.Documents[0].Lines {
		for _, m := range append(l.Seen.Minimums, tool.StoreMinimum{Store: *l.Store}) {
			if m.Store.ID == string(archived.ID) {
				t.Errorf("the archived warehouse %s is in the document", archived.Name)
			}
		}
	}
}

func TestAGivenMinimumIsTakenAsItIs(t *testing.T) { // rule R263
	s := openShop(t, sandbox.Options{})
	good := find(t, s, "a good without a minimum", func(g *company.Good) bool {
		return g.Kind == company.Product && g.Minimum == nil && len(g.Variants) == 0 && !g.Archived &&
			g.Unit.Name == "шт"
	})
	with := func(minimum string) (*tool.Proposal, error) {
		return tryProposal(t, s.owner(t), minimums4, `{"products":["`+string(good.ID)+`"],"minimum":`+minimum+`}`)
	}
	p, err := with(`"15"`)
	if err != nil || len(p.Documents) != 1 || len(p.Documents[0].Lines) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	l := p.Documents[0].Lines[0]
	wantEqual(t, "new", l.Quantity.Decimal, decimal.FromInt(15))
	wantEqual(t, "old", l.Seen.Minimum.Decimal, decimal.Zero)
	for _, wrong := range []string{`"-1"`, `"2.5"`, `"3","lead_days":5`} {
		if p, err := with(wrong); err == nil {
			t.Errorf("%s: %+v", wrong, p)
		}
	}
}

func TestAGoodWithOnlyZerosKeepsItsMinimumsByWarehouse(t *testing.T) { // rule R263
	s := openShop(t, sandbox.Options{})
	good := find(t, s, "a good that sells, with minimums by warehouse", func(g *company.Good) bool {
		return g.Kind == company.Product && g.Minimum != nil && g.Minimum.Type == company.MinimumVaried
	})
	for i := range good.Minimum.Stores {
		good.Minimum.Stores[i].Quantity = 0
	}
	p, err := tryProposal(t, s.owner(t), minimums4, `{"products":["`+string(good.ID)+`"]}`)
	if err != nil || len(p.Documents) != 1 || p.Documents[0].Lines[0].Store == nil {
		t.Fatalf("%+v, %v", p, err)
	}
}
