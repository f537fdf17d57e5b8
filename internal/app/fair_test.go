package app_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// prompt bounds the time of a trivial question under a flood that takes minutes. The time itself, which should be under
// two seconds on an idle machine, is logged: here other tests with the race detector share the cores.
const prompt = 10 * time.Second

// neighbours are two organizations with an account each: one queues much, the other asks a trivial question.
type neighbours struct {
	flooding, asking string // keys
}

func newNeighbours(t *testing.T, s *apptest.Service) neighbours {
	t.Helper()
	org, _ := s.Organization("Neighbour")
	accounts := s.Sandbox.Accounts()
	s.Connect(s.OrgID, accounts[0].Tokens.Owner, accounts[0].Label)
	s.Connect(org, accounts[1].Tokens.Owner, accounts[1].Label)
	return neighbours{s.Key(stockhand.ScopeWriteTools), s.KeyIn(org, stockhand.ScopeWriteTools)}
}

// flood queues heavy tasks and waits for none.
func (n neighbours) flood(t *testing.T, s *apptest.Service, tasks int) {
	t.Helper()
	for i := range tasks {
		a := s.Do(http.MethodPost, "/tools/moysklad_shortages/execute?wait=0", n.flooding,
			map[string]any{"arguments": map[string]any{"days": 30 + i%60}})
		if a.Status != http.StatusAccepted {
			t.Fatalf("task %d: %d %s", i, a.Status, a.Body)
		}
	}
}

// ask asks a trivial question and returns how long the answer took.
func (n neighbours) ask(t *testing.T, s *apptest.Service) time.Duration {
	t.Helper()
	began := time.Now()
	a := s.Do(http.MethodPost, "/sessions/stream?wait=60", n.asking,
		map[string]any{"message": "сколько денег на счетах?"})
	if a.Status != http.StatusOK {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	return time.Since(began)
}

// Finding H3: with 60 heavy tasks of another organization queued, a trivial question took three minutes.
func TestAttackAFloodOfHeavyTasksDelaysNoOtherOrganization(t *testing.T) {
	for _, replicas := range []int{1, 3} {
		t.Run(fmt.Sprint(replicas), func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, apptest.Options{Unconnected: true, Limits: true, Postgres: replicas > 1,
				Replicas: replicas > 1})
			n := newNeighbours(t, s)
			all := []*apptest.Service{s}
			for len(all) < replicas {
				all = append(all, s.Replica())
			}
			n.flood(t, s, 60)
			for i, r := range all {
				took := n.ask(t, r)
				t.Logf("replica %d: %s", i, took.Round(time.Millisecond))
				if took > prompt {
					t.Errorf("replica %d: a trivial question took %s", i, took)
				}
			}
		})
	}
}

// Finding H3: calls that waited for a server that does not answer held every worker.
func TestAttackAServerThatDoesNotAnswerDelaysNoOtherOrganization(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	n := newNeighbours(t, s)
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 1_000_000, DelayMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	n.flood(t, s, 40)
	took := n.ask(t, s)
	t.Log(took.Round(time.Millisecond))
	if took > prompt {
		t.Errorf("a trivial question took %s", took)
	}
}

// Finding H3: the queue of one key had no bound.
func TestAttackAnEndlessQueueIsRefused(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	n := newNeighbours(t, s)
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 1_000_000, DelayMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	n.flood(t, s, 200)
	a := s.Do(http.MethodPost, "/tools/moysklad_shortages/execute?wait=0", n.flooding,
		map[string]any{"arguments": map[string]any{}})
	if a.Status != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	n.ask(t, s)
}
