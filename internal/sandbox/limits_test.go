package sandbox

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func units(t *testing.T, a response, name string) int {
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
		t.Errorf("the short stock report weighs %d, want the weight of a plain request", got)
	}
}

func TestEveryAnswerCarriesTheRate(t *testing.T) {
	s := newServer(t, func(o *Options) { o.NoLimits = false })
	for path, want := range map[string]int{"entity/store": 42, "report/stock/all": 40, "report/stock/all/current": 42} {
		s.Reset()
		a := request(t, s, owner(s), path)
		if units(t, a, "X-RateLimit-Limit") != 45 || units(t, a, "X-RateLimit-Remaining") != want ||
			units(t, a, "X-Lognex-Retry-TimeInterval") != 3000 || units(t, a, "X-Lognex-Reset") != 0 {
			t.Errorf("GET %s: headers %v", path, a.header)
		}
		if a.header.Get("X-Lognex-Retry-After") != "" || a.header.Get("Retry-After") != "" {
			t.Errorf("GET %s: an accepted request has a Retry-After header", path)
		}
	}
}

func TestAnExhaustedBucketIs429With1049AndMilliseconds(t *testing.T) {
	now := today
	s := newServer(t, func(o *Options) { o.NoLimits, o.Now = false, func() time.Time { return now } })
	for i := range 15 { // 15 × 3 = 45
		if a := request(t, s, owner(s), "entity/store"); a.status != http.StatusOK {
			t.Fatalf("request %d: %d", i, a.status)
		}
		now = now.Add(10 * time.Millisecond)
	}
	a := request(t, s, owner(s), "entity/store")
	wantError(t, a, 429, 1049)
	if got := units(t, a, "X-Lognex-Retry-After"); got != 2850 {
		t.Errorf("X-Lognex-Retry-After %d, want 2850, the rest of the interval in ms", got)
	}
	if a.header.Get("X-Lognex-Auth") != "429002" || a.header.Get("Retry-After") != "" {
		t.Errorf("headers %v", a.header)
	}
	if a := request(t, s, s.Accounts()[0].Tokens.Storekeeper, "entity/store"); a.status != http.StatusOK {
		t.Errorf("another employee's bucket: status %d", a.status)
	}
	now = now.Add(2850 * time.Millisecond)
	if a := request(t, s, owner(s), "entity/store"); a.status != http.StatusOK ||
		units(t, a, "X-RateLimit-Remaining") != 42 {
		t.Errorf("after the interval: %d, %v", a.status, a.header)
	}
}

func TestSlidingWindowReleasesUnitsOneByOne(t *testing.T) {
	now := today
	s := newServer(t, func(o *Options) {
		o.NoLimits, o.Now, o.Switches.SlidingWindow = false, func() time.Time { return now }, true
	})
	for range 15 {
		request(t, s, owner(s), "entity/store")
		now = now.Add(100 * time.Millisecond)
	}
	a := request(t, s, owner(s), "entity/store")
	wantError(t, a, 429, 1049)
	if got := units(t, a, "X-Lognex-Retry-After"); got != 1500 {
		t.Errorf("X-Lognex-Retry-After %d, want 1500, when the first charge is three seconds old", got)
	}
	now = now.Add(1500 * time.Millisecond)
	if a := request(t, s, owner(s), "entity/store"); a.status != http.StatusOK ||
		units(t, a, "X-RateLimit-Remaining") != 0 {
		t.Errorf("after the first charge expired: %d, %v", a.status, a.header)
	}
}

func TestSixthParallelRequestIs429With1073AndNoRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Accounts: 1, Latency: time.Second})
		var wg sync.WaitGroup
		var mu sync.Mutex
		var refusals []response
		for range 6 {
			wg.Go(func() {
				if a := request(t, s, owner(s), "entity/store"); a.status != http.StatusOK {
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
		wantError(t, refusals[0], 429, 1073)
		if h := refusals[0].header; h.Get("X-Lognex-Retry-After") != "" || h.Get("X-Lognex-Auth") != "429005" {
			t.Errorf("headers %v", h)
		}
		if a := request(t, s, owner(s), "entity/store"); a.status != http.StatusOK {
			t.Errorf("after the other requests finished: %d", a.status)
		}
	})
}

func TestAnAccountAllowsTwentyParallelRequests(t *testing.T) {
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
		request(t, s, owner(s), "entity/store")
	}
	if a := request(t, s, owner(s), "entity/store"); units(t, a, "X-RateLimit-Remaining") != 0 {
		t.Errorf("headers %v", a.header)
	}
	wantError(t, request(t, s, owner(s), "entity/store"), 429, 1049)
}

func TestPeakPerSecondCountsAnySlidingSecond(t *testing.T) {
	at := func(ms int) Request {
		return Request{At: today.Add(time.Duration(ms) * time.Millisecond), Path: apiRoot + "/report/stock/all"}
	}
	requests := []Request{at(0), at(900), at(950), at(1000), at(1850), at(1899)}
	if got := PeakPerSecond(requests, nil); got != 5 {
		t.Errorf("peak %d, want 5, between 900 and 1899 ms", got)
	}
	if got := PeakPerSecond([]Request{at(0), at(1000)}, Request.StockReport); got != 1 {
		t.Errorf("peak %d, want 1: requests one second apart are not in the same second", got)
	}
	if got := PeakPerSecond(nil, nil); got != 0 {
		t.Errorf("peak without requests: %d", got)
	}
}
