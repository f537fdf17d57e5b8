package app_test

import (
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// Rule R24: over all connections, runs and replicas, measured where requests arrive.
func TestThreeReplicasShareTheLimitsOfAnAccount(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Limits: true, Postgres: true, Replicas: true})
	key := s.Key(stockhand.ScopeWriteTools)
	replicas := []*apptest.Service{s, s.Replica(), s.Replica()}
	tasks := []string{"остатки по складам", "сколько денег на счетах?", "что заканчивается на складах и что заказать?",
		"прибыльность по товарам за прошлый месяц"}
	var all sync.WaitGroup
	for n, r := range replicas {
		for _, task := range tasks {
			all.Go(func() {
				a := r.Do("POST", "/sessions/stream?wait=60", key, map[string]any{"message": task})
				if a.Status != 200 {
					t.Errorf("replica %d, %s: %d %s", n, task, a.Status, a.Body)
				}
			})
		}
	}
	all.Wait()
	requests := s.Sandbox.Requests()
	peak, heavy := sandbox.PeakPerSecond(requests, nil), sandbox.PeakPerSecond(requests, sandbox.Request.StockReport)
	t.Logf("%d requests of three replicas: at most %d in any second, %d of them stock reports", len(requests), peak,
		heavy)
	if peak > 6 || heavy > 2 {
		t.Errorf("at most %d in any second, %d of them stock reports", peak, heavy)
	}
	// The vendor's budget is its own affair: each replica learns what requests cost for itself, so now and then one is
	// refused and waits as long as the answer says. More than that would be hammering.
	refused := 0
	for _, r := range requests {
		if r.Status == 429 {
			refused++
		}
	}
	t.Logf("%d refused by the vendor's budget", refused)
	if refused*20 > len(requests) {
		t.Errorf("%d of %d requests were refused by the vendor's budget", refused, len(requests))
	}
}
