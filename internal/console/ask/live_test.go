package ask

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// A turn in progress shows what is being read, how many of the planned requests are done, and the seconds that are left
// (rule R392).
func TestProgressSaysWhatIsLeft(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	p := progress{now: func() time.Time { return now }}
	shown := func() string {
		t.Helper()
		var b strings.Builder
		if err := state(p).Render(text.With(t.Context(), "en"), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for i, c := range []struct {
		kind  stockhand.EventType
		data  string
		after time.Duration
		want  string
		not   string
	}{
		{stockhand.EventToolStarted, `{"label":"Shipments"}`, 0, "Shipments", "<progress"},
		{stockhand.EventToolProgress, `{"done":1,"total":10}`, 0, `max="10" value="1"`, "s left"},
		{stockhand.EventToolProgress, `{"done":4,"total":10}`, 8 * time.Second, "about 12 s left", ""},
		{stockhand.EventToolProgress, `{"done":10,"total":10}`, time.Second, `value="10"`, "s left"},
		{stockhand.EventToolCompleted, `{}`, 0, "Shipments", "<progress"},
		{stockhand.EventNotice, `{"message":"two of them are drafts"}`, 0, "two of them are drafts", ""},
		{stockhand.EventDelta, `{"content":"Revenue ","offset":0}`, 0, "Revenue", ""},
		{stockhand.EventDelta, `{"content":"grew","offset":8}`, 0, "Revenue grew", ""},
	} {
		now = now.Add(c.after)
		p.take(stockhand.Event{Type: c.kind, Data: []byte(c.data)})
		if got := shown(); !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("event %d: %s", i, got)
		}
	}
	if p.take(stockhand.Event{Type: stockhand.EventComplete, Data: []byte(`{}`)}); !p.ended {
		t.Error("the end is not taken")
	}
}
