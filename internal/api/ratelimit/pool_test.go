package ratelimit

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stockhand/stockhand"
)

func TestAPoolHasRoomForEveryCallersShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := stockhand.Actor{Name: "key:1"}, stockhand.Actor{Org: "org_1", Name: "key:2"}
		p := NewPool(5, Share{OfActor: 3, OfOrg: 5})
		if !p.TryTake(one, 3) || p.TryTake(one, 1) {
			t.Error("a caller does not have exactly its share")
		}
		if p.TryTake(two, 3) || !p.TryTake(two, 2) {
			t.Error("callers together do not have exactly the total")
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if p.Take(ended, two, 1) {
			t.Error("took more than there is")
		}
		taken := make(chan bool)
		go func() { taken <- p.Take(t.Context(), two, 1) }()
		synctest.Wait()
		p.Give(one, 3)
		if !<-taken {
			t.Error("did not take what was given back")
		}
		p.Give(two, 3)
		if p.used != 0 || len(p.by) != 0 {
			t.Errorf("%d used, %v", p.used, p.by)
		}
	})
}

func TestAPoolHasAShareOfEachOrganization(t *testing.T) {
	a := func(org stockhand.OrgID, name string) stockhand.Actor { return stockhand.Actor{Org: org, Name: name} }
	p := NewPool(100, Share{OfActor: 3, OfOrg: 5})
	if !p.TryTake(a("org_1", "key:1"), 3) || !p.TryTake(a("org_1", "key:2"), 2) || p.TryTake(a("org_1", "key:3"), 1) {
		t.Error("the keys of an organization do not have exactly its share together")
	}
	if !p.TryTake(a("org_2", "key:4"), 3) || !p.TryTake(a("", "user:5"), 3) || !p.TryTake(a("", "user:6"), 3) {
		t.Error("others have less than their share")
	}
	p.Give(a("org_1", "key:1"), 3)
	if !p.TryTake(a("org_1", "key:3"), 3) {
		t.Error("what was given back cannot be taken")
	}
}
