package ratelimit

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
)

func TestFullBucketsAreForgotten(t *testing.T) {
	b := newBuckets("", Rate{PerSecond: 10, Burst: 10}, new(shares))
	now := time.Now()
	for i := range 1000 {
		b.of(fmt.Sprint(i), now).AllowN(now, 1)
	}
	b.of("1", now.Add(time.Hour))
	if len(b.known) != 1 {
		t.Errorf("%d buckets are known", len(b.known))
	}
}

// Finding L10: 200 keys of an organization, or 100 organizations of a person, multiplied the limit.
func TestAttackManyKeysOrOrganizationsMultiplyTheRate(t *testing.T) {
	for name, actor := range map[string]func(i int) stockhand.Actor{
		"keys": func(i int) stockhand.Actor {
			return stockhand.Actor{Org: "org_a",
				Name: fmt.Sprint("key:", i)}
		},
		"organizations": func(i int) stockhand.Actor { return stockhand.Actor{Org: orgOf(i), Name: "user:a"} },
	} {
		l := New(Rate{PerSecond: 0.001, Burst: 5}, Rate{PerSecond: 0.001, Burst: 12}, Rate{})
		passed := 0
		for i := range 200 {
			h := http.Header{}
			if err := l.Take(h, actor(i)); err == nil {
				passed++
			} else if h.Get("RateLimit-Remaining") != "0" {
				t.Errorf("%s: refused with %v", name, h)
			}
		}
		if want := map[string]int{"keys": 12, "organizations": 5}[name]; passed != want {
			t.Errorf("%s: %d requests passed, want %d", name, passed, want)
		}
	}
}

func orgOf(i int) stockhand.OrgID { return stockhand.OrgID(fmt.Sprint("org_", i)) }

// wire carries counts to one other replica.
type wire struct{ to, from chan map[string]int }

func (w wire) TellCounts(counts map[string]int)  { w.to <- counts }
func (w wire) HearCounts() <-chan map[string]int { return w.from }

// Finding L10: each replica had limits of its own.
func TestAttackReplicasMultiplyTheRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rate := Rate{PerSecond: 10, Burst: 20}
		one, other := New(rate, rate, rate), New(rate, rate, rate)
		there, back := make(chan map[string]int, 10), make(chan map[string]int, 10)
		go one.Share(t.Context(), wire{there, back})
		go other.Share(t.Context(), wire{back, there})
		synctest.Wait()
		passed := 0
		for range 10 * 100 { // for ten seconds, a hundred times a second at each
			for i, l := range []*Limits{one, other} {
				if l.Take(http.Header{}, stockhand.Actor{Org: "org_a", Name: "key:" + fmt.Sprint(i)}) == nil {
					passed++
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
		if most := 20 + 10*10; passed < most-5 || passed > most+25 { // each other's burst before they know
			t.Errorf("%d requests passed, want about %d", passed, most)
		}
	})
}

// Finding L10: a guessed token was looked up although its address had failed too often.
func TestAttackGuessedTokensAreLookedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Rate{}, Rate{}, Rate{PerSecond: 1, Burst: 10})
		wrong := stockhand.Errorf(stockhand.CodeTokenExpired, "x")
		looked := 0
		for i := range 1000 {
			ip := netip.AddrFrom4([4]byte{192, 0, 2, byte(i % 4)})
			if l.MayLookUp(ip) == nil {
				looked++
				_ = l.Failed(ip, wrong)
			}
		}
		if looked != 50 { // ten of each address, and ten of any
			t.Errorf("%d tokens were looked up, want 50", looked)
		}
		if err := l.MayLookUp(netip.MustParseAddr("192.0.2.9")); err != nil {
			t.Errorf("another address: %v", err)
		}
	})
}
