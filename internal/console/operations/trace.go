package operations

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// span is a part of a run in time.
type span struct {
	Title    string
	From, To time.Time
	Failed   bool
}

// trace returns the parts of a run in time: how long it waited, the calls of tools, and the replies of the model, each
// of which began when what was before it ended.
func (v runView) trace(ctx context.Context, events []stockhand.Event) (all []span) {
	began := v.Created
	if i := slices.IndexFunc(events, func(e stockhand.Event) bool { return e.Type == stockhand.EventStart }); i >= 0 {
		began = events[i].At
		all = append(all, span{Title: text.TraceWait.In(ctx), From: v.Created, To: began})
	}
	ends := []time.Time{began}
	for _, s := range v.Steps {
		to := s.Finished
		if !s.Done || to.Before(s.Started) {
			continue
		}
		all = append(all, span{s.Title, s.Started, to, s.Error != ""})
		ends = append(ends, to)
	}
	for _, r := range v.Replies {
		from := began
		for _, end := range ends {
			if end.After(from) && !end.After(r.At) {
				from = end
			}
		}
		all = append(all, span{Title: text.ModelStep.With(ctx, strconv.FormatInt(r.Seq, 10)), From: from, To: r.At})
		ends = append(ends, r.At)
	}
	slices.SortStableFunc(all, func(a, b span) int { return a.From.Compare(b.From) })
	return all
}

// traceWidth is the width of the drawing of a trace.
const traceWidth = 1000

// drawnSpan returns where a span begins in the drawing and how wide it is.
func drawnSpan(all []span, s span) (x, width string) {
	first, last := all[0].From, all[0].To
	for _, other := range all {
		if other.To.After(last) {
			last = other.To
		}
	}
	whole := max(last.Sub(first), time.Millisecond)
	at := int(traceWidth * s.From.Sub(first) / whole)
	wide := max(3, int(traceWidth*s.To.Sub(s.From)/whole))
	return strconv.Itoa(min(at, traceWidth-wide)), strconv.Itoa(wide)
}
