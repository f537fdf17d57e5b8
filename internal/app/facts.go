package app

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/kept"
	"github.com/stockhand/stockhand/internal/traffic"
)

// keptFacts reads the setting: days and MiB.
func keptFacts(v string) (l kept.Limits, ok bool) {
	if v == "off" {
		return l, true
	}
	first, second, _ := strings.Cut(cmp.Or(v, "30:256"), ":")
	days, err := strconv.ParseUint(first, 10, 12)
	size, invalid := strconv.ParseUint(second, 10, 30)
	return kept.Limits{Age: time.Duration(days) * 24 * time.Hour, Size: int64(size) << 20},
		err == nil && invalid == nil && days > 0 && size > 0
}

// keptTraffic reads the setting: days and MiB.
func keptTraffic(v string) (traffic.Limits, bool) {
	if v == "" || v == "off" {
		return traffic.Limits{}, true
	}
	l, ok := keptFacts(v)
	return traffic.Limits{Age: l.Age, Size: l.Size}, ok
}

// keeper returns what is kept of the accounts of connections; nil if nothing may be kept.
func keeper(s *kept.Store) func(stockhand.Connection) connector.Kept {
	if !s.Keeps() {
		return nil
	}
	return func(c stockhand.Connection) connector.Kept { return s.Of(c) }
}

// measurer returns what tells how much is kept of the account of a connection; nil if nothing may be kept.
func measurer(s *kept.Store) func(context.Context, stockhand.Connection) (stockhand.KeptFacts, error) {
	if !s.Keeps() {
		return nil
	}
	return s.Facts
}

// housekeeping also removes what is too old of what is kept of external accounts, of responses and of the
// traffic of runs.
type housekeeping struct {
	store.System
	facts   *kept.Store
	traffic time.Duration // how long the traffic of runs is kept
}

// ForgetExpired implements retention.System.
func (h housekeeping) ForgetExpired(ctx context.Context, now time.Time) (bool, error) {
	more, err := h.System.ForgetExpired(ctx, now)
	responses, failed := h.Responses().Forget(ctx, now)
	runs, lost := h.Traffic().Forget(ctx, now.Add(-h.traffic))
	return more || responses || runs, errors.Join(err, failed, lost, h.facts.Forget(ctx))
}
