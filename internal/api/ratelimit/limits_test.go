package ratelimit

import (
	"testing"
	"time"
)

func TestFullBucketsAreForgotten(t *testing.T) {
	b := buckets[int]{rate: Rate{PerSecond: 10, Burst: 10}}
	now := time.Now()
	for i := range 1000 {
		b.of(i, now).AllowN(now, 1)
	}
	b.of(1, now.Add(time.Hour))
	if len(b.known) != 1 {
		t.Errorf("%d buckets are known", len(b.known))
	}
}
