package limit

import (
	"testing"
	"time"
)

func TestBound(t *testing.T) {
	moysklad := Vendor{Limit: 45, Interval: 3 * time.Second, Light: 4, Heavy: 5}
	for _, c := range []struct {
		n, heavy int
		v        Vendor
		want     time.Duration
	}{
		{0, 0, Vendor{}, 0},
		{6, 2, Vendor{}, 0},
		{7, 0, Vendor{}, time.Second},
		{13, 0, Vendor{}, 2 * time.Second},
		{3, 3, Vendor{}, time.Second},
		{100, 100, Vendor{}, 49 * time.Second},
		{11, 0, moysklad, time.Second},
		{12, 0, moysklad, 3 * time.Second},
		{22, 0, moysklad, 4 * time.Second},
		{10, 9, moysklad, 4 * time.Second},
	} {
		if got := Bound(c.n, c.heavy, Config{}, c.v); got != c.want {
			t.Errorf("%d requests, %d heavy: %v, want %v", c.n, c.heavy, got, c.want)
		}
	}
}
