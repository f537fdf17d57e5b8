package agent_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/tool"
)

// pages notes which rows of results are read.
type pages struct {
	agent.Store
	mu   sync.Mutex
	read map[[2]int]bool // from and to
}

func (p *pages) ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID,
	from, to int) iter.Seq2[stockhand.RowPage, error] {
	rows := p.Store.ResultRows(ctx, org, id, from, to)
	return func(yield func(stockhand.RowPage, error) bool) {
		p.mu.Lock()
		p.read[[2]int{from, to}] = true
		p.mu.Unlock()
		rows(yield)
	}
}

// Rule R174: the figures were once checked against all rows in memory.
func TestRule174_FiguresAreCheckedAgainstPagesOfRows(t *testing.T) {
	p := &pages{read: map[[2]int]bool{}}
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("stock_by_store", `{}`),
		llmtest.Say("Самого ходового товара 987 654 321 шт.")),
		func(c *agent.Config) { p.Store, c.Store = c.Store, p })
	f := s.ask("какие остатки по складам?")
	if !strings.Contains(f.FinalResponse, grounding.Mark) || len(f.Results) != 1 {
		t.Fatalf("%+v, %s", f.Failure, f.FinalResponse)
	}
	count := f.Results[0].Count
	if count <= 200 {
		t.Fatalf("only %d rows", count)
	}
	for from := 0; from < count; from += 200 {
		if page := [2]int{from, min(from+200, count)}; !p.read[page] {
			t.Errorf("rows %v were not read as a page, but %v", page, p.read)
		}
	}
}

func TestWrongFiguresAreMarkedAndListed(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("money", `{}`),
		llmtest.Say("На счетах всего 987 654 321,00 ₽.")))
	f := s.ask("сколько денег на счетах?")
	if !strings.Contains(f.FinalResponse, grounding.Mark) || !slices.ContainsFunc(f.Notices, func(n tool.Notice) bool {
		return n.Code == grounding.NoticeUngrounded && strings.Contains(n.Message, "987 654 321,00")
	}) {
		t.Errorf("%s\n%+v", f.FinalResponse, f.Notices)
	}
}

func TestFiguresOfAnAnswerWithoutAnyToolAreAllMarked(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Always(llmtest.Say("Продано 150 штук на 42 000 ₽.")))
	f := s.ask("сколько продали?")
	if strings.Count(f.FinalResponse, grounding.Mark) < 3 { // both, and the remark that explains the marks
		t.Error(f.FinalResponse)
	}
}

func TestAMarginIsNeverShownWithoutItsCoverage(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		if n == 0 {
			return llmtest.CallTool("profitability", `{}`)
		}
		first := row(r)
		return llmtest.Say(first["name"] + ": маржа " + strings.ReplaceAll(first["margin_percent"], ".", ",") + " %.")
	})
	f := s.ask("какая маржа по товарам?")
	coverage := f.Results[0].Totals
	i := slices.IndexFunc(f.Results[0].Columns, func(c tool.Column) bool { return c.Name == "cost_known_percent" })
	if want := coverage[i].Format(tool.UnitPercent, stockhand.Russian); !strings.Contains(
		strings.ReplaceAll(f.FinalResponse, "\u00a0", " "), strings.ReplaceAll(want, "\u00a0", " ")) &&
		!strings.Contains(f.FinalResponse, "себестоимост") {
		t.Errorf("a margin without the share of revenue whose cost is known (%s): %s", want, f.FinalResponse)
	}
}

func TestNoticesThatTheModelOmitsAreAdded(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("shortages", `{}`), llmtest.Say("Заказать нужно многое.")))
	f := s.ask("что заказать?")
	if len(f.Results) != 1 || len(f.Results[0].Notices) == 0 {
		t.Fatal("the result has no notices to leave out", f.Failure)
	}
	for _, n := range f.Results[0].Notices {
		if !strings.Contains(f.FinalResponse, n.Message) {
			t.Errorf("left out: %s", n.Message)
		}
	}
}
