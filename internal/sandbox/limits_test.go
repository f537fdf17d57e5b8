package sandbox

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func units(t *testing.T, a reply, name string) int {
	t.Helper()
	n, err := strconv.Atoi(a.header.Get(name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func TestWeightOfAUserTokenGrowsWithTheCalendar(t *testing.T) {
	for day, want := range map[string]int{
		"2026-02-01": 1, "2026-05-11": 1, "2026-05-12": 2, "2026-08-31": 2, "2026-09-01": 3, "2026-11-30": 3,
		"2026-12-01": 4,
	} {
		at, _ := time.ParseInLocation(time.DateOnly, day, moscow)
		if got := weightOf("entity/product", at); got != want {
			t.Errorf("%s: a plain request weighs %d, want %d", day, got, want)
		}
		if got := weightOf("report/stock/all", at); got != 5 {
			t.Errorf("%s: report/stock/all weighs %d, want 5", day, got)
		}
	}
	if got := weightOf("report/stock/bystore", today); got != 5 {
		t.Errorf("report/stock/bystore weighs %d, want 5", got)
	}
	if got := weightOf("report/stock/all/current", today); got != 3 {
		t.Errorf("the short stock report weighs %d, want that of a plain request", got)
	}
}

func TestEveryAnswerCarriesTheRate(t *testing.T) {
	s := newServer(t, func(o *Options) { o.NoLimits = false })
	for path, want := range map[string]int{"entity/store": 42, "report/stock/all": 40, "report/stock/all/current": 42} {
		s.Reset()
		a := ask(t, s, owner(s), path)
		if units(t, a, "X-RateLimit-Limit") != 45 || units(t, a, "X-RateLimit-Remaining") != want ||
			units(t, a, "X-Lognex-Retry-TimeInterval") != 3000 || units(t, a, "X-Lognex-Reset") != 0 {
			t.Errorf("GET %s: headers %v", path, a.header)
		}
		if a.header.Get("X-Lognex-Retry-After") != "" || a.header.Get("Retry-After") != "" {
			t.Errorf("GET %s: a wait on an answer that was not refused", path)
		}
	}
}

func TestSpentBucketIs429With1049AndMilliseconds(t *testing.T) {
	now := today
	s := newServer(t, func(o *Options) { o.NoLimits, o.Now = false, func() time.Time { return now } })
	for i := range 15 { // 15 × 3 = 45
		if a := ask(t, s, owner(s), "entity/store"); a.status != http.StatusOK {
			t.Fatalf("request %d: %d", i, a.status)
		}
		now = now.Add(10 * time.Millisecond)
	}
	a := ask(t, s, owner(s), "entity/store")
	refused(t, a, 429, 1049)
	if got := units(t, a, "X-Lognex-Retry-After"); got != 2850 {
		t.Errorf("X-Lognex-Retry-After %d, want 2850 ms: the rest of the interval", got)
	}
	if a.header.Get("X-Lognex-Auth") != "429002" || a.header.Get("Retry-After") != "" {
		t.Errorf("headers %v", a.header)
	}
	if a := ask(t, s, s.Accounts()[0].Tokens.Storekeeper, "entity/store"); a.status != http.StatusOK {
		t.Errorf("another employee has a bucket of his own: %d", a.status)
	}
	now = now.Add(2850 * time.Millisecond)
	if a := ask(t, s, owner(s), "entity/store"); a.status != http.StatusOK ||
		units(t, a, "X-RateLimit-Remaining") != 42 {
		t.Errorf("a new interval: %d, %v", a.status, a.header)
	}
}

func TestSlidingWindowFreesUnitsOneByOne(t *testing.T) {
	now := today
	s := newServer(t, func(o *Options) {
		o.NoLimits, o.Now, o.Switches.SlidingWindow = false, func() time.Time { return now }, true
	})
	for range 15 {
		ask(t, s, owner(s), "entity/store")
		now = now.Add(100 * time.Millisecond)
	}
	a := ask(t, s, owner(s), "entity/store")
	refused(t, a, 429, 1049)
	if got := units(t, a, "X-Lognex-Retry-After"); got != 1500 {
		t.Errorf("X-Lognex-Retry-After %d, want 1500: when the first charge is three seconds old", got)
	}
	now = now.Add(1500 * time.Millisecond)
	if a := ask(t, s, owner(s), "entity/store"); a.status != http.StatusOK ||
		units(t, a, "X-RateLimit-Remaining") != 0 {
		t.Errorf("one charge is free again: %d, %v", a.status, a.header)
	}
}

func TestSixthParallelRequestIs429With1073AndNoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Accounts: 1, Latency: time.Second})
		var wg sync.WaitGroup
		var mu sync.Mutex
		var refusals []reply
		for range 6 {
			wg.Go(func() {
				if a := ask(t, s, owner(s), "entity/store"); a.status != http.StatusOK {
					mu.Lock()
					defer mu.Unlock()
					refusals = append(refusals, a)
				}
			})
		}
		wg.Wait()
		if len(refusals) != 1 {
			t.Fatalf("%d of 6 parallel requests were refused, want 1", len(refusals))
		}
		refused(t, refusals[0], 429, 1073)
		if h := refusals[0].header; h.Get("X-Lognex-Retry-After") != "" || h.Get("X-Lognex-Auth") != "429005" {
			t.Errorf("headers %v", h)
		}
		if a := ask(t, s, owner(s), "entity/store"); a.status != http.StatusOK {
			t.Errorf("after the others are done: %d", a.status)
		}
	})
}

func TestAccountTakesTwentyParallelRequests(t *testing.T) {
	l := newLimits(false)
	for employee := range 4 {
		for range 5 {
			if v, _ := l.enter(today, "account", strconv.Itoa(employee), 1); v.refusal != nil {
				t.Fatal(v.refusal)
			}
		}
	}
	if v, _ := l.enter(today, "account", "fifth", 1); v.refusal == nil || v.refusal.code != 1073 {
		t.Errorf("the 21st parallel request of an account: %+v", v)
	}
	if v, _ := l.enter(today, "another", "sixth", 1); v.refusal != nil {
		t.Errorf("another account: %v", v.refusal)
	}
}

func TestRefusedRequestsCostNothing(t *testing.T) {
	s := newServer(t, func(o *Options) { o.NoLimits = false })
	for range 20 {
		ask(t, s, owner(s), "entity/store")
	}
	if a := ask(t, s, owner(s), "entity/store"); units(t, a, "X-RateLimit-Remaining") != 0 {
		t.Errorf("headers %v", a.header)
	}
	refused(t, ask(t, s, owner(s), "entity/store"), 429, 1049)
}

func TestPeakPerSecondCountsAnySlidingSecond(t *testing.T) {
	at := func(ms int) Request {
		return Request{At: today.Add(time.Duration(ms) * time.Millisecond), Path: apiRoot + "/report/stock/all"}
	}
	requests := []Request{at(0), at(900), at(950), at(1000), at(1850), at(1899)}
	if got := PeakPerSecond(requests, nil); got != 5 {
		t.Errorf("peak %d, want 5: from 900 to 1899 ms", got)
	}
	if got := PeakPerSecond([]Request{at(0), at(1000)}, Request.StockReport); got != 1 {
		t.Errorf("peak %d, want 1: a second apart is not within one", got)
	}
	if got := PeakPerSecond(nil, nil); got != 0 {
		t.Errorf("peak of nothing %d", got)
	}
}
