package loop

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
)

// deltas passes a reply of the model on to the run's followers as it is written, made safe to show (rule R76).
type deltas struct {
	*Loop
	filter *render.Filter
	came   int // characters received from the model
	sent   int // characters passed on
}

func (l *Loop) newDeltas() *deltas { return &deltas{Loop: l, filter: l.filter()} }

// filter returns a filter that makes the model's text safe to show.
func (l *Loop) filter() *render.Filter { return render.NewFilter(l.model.Links...) }

// add processes a piece that starts at the given character. A piece that starts before the end of the text so far
// belongs to a new attempt.
func (d *deltas) add(offset int, text string) {
	if offset < d.came {
		d.filter, d.sent = d.Loop.filter(), 0
	}
	d.came = offset + utf8.RuneCountInString(text)
	d.tell(d.filter.Add(text))
}

// end passes on the text held back.
func (d *deltas) end() { d.tell(d.filter.Close()) }

func (d *deltas) tell(text string) {
	if text == "" {
		return
	}
	data, err := json.Marshal(delta{Content: text, Offset: d.sent})
	if err != nil {
		return // strings and numbers have an encoding
	}
	d.turn.Notify(stockhand.Event{Run: d.Run.ID, Type: stockhand.EventDelta, At: d.Now(), Data: data})
	d.sent += utf8.RuneCountInString(text)
}

// delta is the data of an event with a piece of the text.
type delta struct {
	Content string `json:"content"`
	// the offset of the piece in characters; it replaces the text from there
	Offset int `json:"offset"`
}
