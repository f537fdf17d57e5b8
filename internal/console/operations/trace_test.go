package operations

import (
	"strconv"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// A trace has the wait in the queue, each reply of the model from the end of what was before it, and each finished
// call; its bars lie within the drawing, in order (rule R449).
func TestTheTraceOfARunIsInOrder(t *testing.T) {
	begin := time.Date(2026, time.October, 1, 9, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return begin.Add(time.Duration(ms) * time.Millisecond) }
	call := func(title string, from, to int, failure string) step {
		s := step{Title: title}
		s.Started, s.Finished, s.Done, s.Error = at(from), at(to), true, failure
		return s
	}
	answer := func(seq int64, ms int) reply {
		return reply{ModelStep: stockhand.ModelStep{Seq: seq, At: at(ms)}}
	}
	var v runView
	v.Created = begin
	v.Steps = []step{call("stock", 300, 500, ""), call("sales", 310, 900, "no access"), {Title: "still running"}}
	v.Replies = []reply{answer(1, 290), answer(2, 1000)}
	ctx := text.With(t.Context(), stockhand.English)
	all := v.trace(ctx, []stockhand.Event{{Type: stockhand.EventStart, At: at(100)}})
	model := func(n int) string { return text.ModelStep.With(ctx, strconv.Itoa(n)) }
	want := []span{{text.TraceWait.EN, at(0), at(100), false}, {model(1), at(100), at(290), false},
		{"stock", at(300), at(500), false}, {"sales", at(310), at(900), true}, {model(2), at(900), at(1000), false}}
	if len(all) != len(want) {
		t.Fatalf("%d spans: %+v", len(all), all)
	}
	before := 0
	for i, s := range all {
		if s != want[i] {
			t.Errorf("span %d: %+v, want %+v", i, s, want[i])
		}
		x, width := drawnSpan(all, s)
		from, errX := strconv.Atoi(x)
		wide, errWidth := strconv.Atoi(width)
		if errX != nil || errWidth != nil || from < before || wide < 1 || from+wide > traceWidth {
			t.Errorf("span %d is drawn from %s, %s wide", i, x, width)
		}
		before = from
	}
	// a run that has not begun, and one that took no time
	if got := v.trace(ctx, nil); got[0].Title != "stock" && got[0].Title != model(1) {
		t.Errorf("without its start: %+v", got)
	}
	moment := span{From: begin, To: begin}
	if x, width := drawnSpan([]span{moment}, moment); x != "0" || width != "3" {
		t.Errorf("a moment is drawn from %s, %s wide", x, width)
	}
}
