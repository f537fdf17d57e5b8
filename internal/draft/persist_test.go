package draft

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
)

// Rule R171: the outcome of what was sent is stored when the database accepts writes again.
func TestRule171_AnOutcomeIsStoredWhenTheDatabaseAcceptsItAgain(t *testing.T) {
	full := stockhand.Errorf(stockhand.CodeDatabaseUnavailable, "the disk is full")
	for _, c := range []struct {
		name           string
		away           time.Duration
		error          error
		tries          int // at most
		stored         bool
		stops, noLater time.Duration
	}{
		{"a moment", time.Second, full, 5, true, 0, longestPause},
		{"four minutes", 4 * time.Minute, full, 130, true, 0, longestPause},
		{"too long", time.Hour, full, 160, false, persistTimeout, 0},
		{"another error", time.Hour, stockhand.Errorf(stockhand.CodeInternal, "a bug"), 1, false, firstPause, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			began, tries, stored := time.Now(), 0, time.Duration(0)
			persist(t.Context(), func(context.Context) error {
				tries++
				if time.Since(began) < c.away {
					return c.error
				}
				stored = time.Since(began)
				return nil
			})
			if tries > c.tries || (stored > 0) != c.stored {
				t.Errorf("%s: stored after %s and %d tries", c.name, stored, tries)
			}
			if c.stored && stored > c.away+c.noLater {
				t.Errorf("%s: stored only %s after the database was back", c.name, stored-c.away)
			}
			if !c.stored && time.Since(began) != c.stops {
				t.Errorf("%s: it stopped after %s", c.name, time.Since(began))
			}
		})
	}
}
