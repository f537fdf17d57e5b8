package agent_test

import (
	"testing"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// The request limits (rule R24), measured where it counts: at the receiving side, with the vendor's own
// limits on as well.
func TestEightConcurrentTasksStayWithinSixRequestsAndTwoStockReportsPerSecond(t *testing.T) {
	t.Parallel()
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1}, Accounts: 1})
	s := openShop(t, server, limit.New(limit.Config{}))
	var turns []agent.Turn
	for _, task := range []string{
		"остатки по складам", "что заканчивается?", "залежавшийся товар", "сколько денег на счетах?",
		"прибыльность по товарам за прошлый месяц", "обороты за октябрь", "какие заказы просрочены?",
		"остатки на Основном складе",
	} {
		turn, err := s.Start(t.Context(), s.org, agent.Task{Text: task})
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	s.Wait()
	for _, turn := range turns {
		f, err := s.Finished(t.Context(), s.org, turn.Run)
		if err != nil || f.Failure != nil || len(f.Results) != 1 {
			t.Errorf("%+v, %v", f, err)
		}
	}
	seen := server.Requests()
	all := sandbox.PeakPerSecond(seen, func(sandbox.Request) bool { return true })
	stock := sandbox.PeakPerSecond(seen, sandbox.Request.StockReport)
	for _, r := range seen {
		if r.Status == 429 {
			t.Errorf("%s was refused for its rate", r.Path)
		}
	}
	t.Logf("%d requests; the fullest sliding second held %d, %d of them stock reports", len(seen), all, stock)
	if all > 6 || stock > 2 {
		t.Errorf("a sliding second held %d requests, %d stock reports; at most 6 and 2 are allowed", all, stock)
	}
}
