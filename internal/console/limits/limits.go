// Package limits shows how much of the limits of an account is used.
package limits

import (
	"context"
	"strconv"

	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
)

// meters show how much of the limits is used.
func meters(ctx context.Context, s limit.State) []ui.Amount {
	of := func(n, most int) string { return text.UsedOf.With(ctx, strconv.Itoa(n), strconv.Itoa(most)) }
	meter := func(title text.T, n, most int) ui.Amount {
		return ui.Amount{Title: title.In(ctx), Said: of(n, most), N: int64(n), Most: int64(most)}
	}
	all := []ui.Amount{meter(text.LimitSecond, s.Recent, s.PerSecond),
		meter(text.LimitReports, s.Heavy, s.HeavyPerSecond), meter(text.LimitInFlight, s.InFlight, s.MostInFlight)}
	if s.Units == 0 {
		return append(all, ui.Amount{Title: text.LimitUnits.In(ctx), Said: text.LimitUnitsNone.In(ctx)})
	}
	seconds := decimal.FromParts(uint64(s.Interval.Milliseconds()), 3, false)
	return append(all, ui.Amount{Title: text.LimitUnits.In(ctx), Said: text.LimitUnitsIn.With(ctx,
		strconv.Itoa(s.Left), strconv.Itoa(s.Units), tool.FormatQuantity(seconds, text.Language(ctx))),
		N: int64(s.Left), Most: int64(s.Units)})
}

// remarks say what holds up the requests of an account.
func remarks(ctx context.Context, s limit.State) (all []string) {
	if s.Waiting > 0 {
		all = append(all, text.LimitWaiting.With(ctx, strconv.Itoa(s.Waiting)))
	}
	if !s.Paused.IsZero() {
		all = append(all, text.LimitPaused.With(ctx, ui.Moment(ctx, s.Paused)))
	}
	return all
}
