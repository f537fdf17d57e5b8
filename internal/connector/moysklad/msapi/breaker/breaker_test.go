package breaker

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

var errFirst, errLast = errors.New("first"), errors.New("last")

// Rule R25: an identical failing request is not repeated without end.
func TestARequestThatFailsTooOftenIsRefusedForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(3, 5)
		for range 2 {
			b.Failed("a", errFirst, false)
		}
		if err := b.Refuses("a", "b"); err != nil {
			t.Errorf("refused after 2 failures of 3: %v", err)
		}
		b.Failed("a", errLast, false)
		if err := b.Refuses("b", "a"); !errors.Is(err, errLast) {
			t.Errorf("after 3 failures: %v", err)
		}
		if err := b.Refuses("b"); err != nil {
			t.Errorf("another request: %v", err)
		}
		time.Sleep(window - time.Second)
		if b.Refuses("a") == nil {
			t.Error("sent again within the minute")
		}
		time.Sleep(time.Second)
		if err := b.Refuses("a"); err != nil {
			t.Errorf("after a minute: %v", err)
		}
	})
}

func TestTemporaryFailuresHaveALimitOfTheirOwn(t *testing.T) { // rule R25
	b := New(3, 5)
	for range 4 {
		b.Failed("a", errFirst, true)
	}
	for range 2 {
		b.Failed("a", errFirst, false)
	}
	if err := b.Refuses("a"); err != nil {
		t.Errorf("4 of 5 temporary and 2 of 3 permanent failures: %v", err)
	}
	b.Failed("a", errLast, true)
	if err := b.Refuses("a"); !errors.Is(err, errLast) {
		t.Errorf("5 temporary failures: %v", err)
	}
	b.Succeeded("a")
	if err := b.Refuses("a"); err != nil {
		t.Errorf("after a success: %v", err)
	}
}

// Failures spread over more than a minute never add up.
func TestSlowFailuresAreNotRefused(t *testing.T) { // rule R25
	synctest.Test(t, func(t *testing.T) {
		b := New(3, 3)
		for i := range 20 {
			b.Failed("a", errFirst, false)
			if err := b.Refuses("a"); err != nil {
				t.Fatalf("failure %d, one every 30 seconds: %v", i, err)
			}
			time.Sleep(30 * time.Second)
		}
	})
}

func TestABreakerForgetsOldRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, 1)
		for i := range 1500 {
			b.Failed(fmt.Sprint(i), errFirst, i%2 == 0)
		}
		time.Sleep(window)
		b.Failed("new", errLast, false)
		if n := len(b.entries); n != 1 {
			t.Errorf("%d entries are kept", n)
		}
	})
}
