package loop

import (
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// follower is a turn whose followers hear what the model does.
type follower struct {
	Turn

	heard chan Thinking
}

func (f follower) Notify(e stockhand.Event) {
	var data Thinking
	if e.Type == stockhand.EventThinking && json.Unmarshal(e.Data, &data) == nil {
		f.heard <- data
	}
}

// Followers that begin later learn of a model that thinks within five seconds, until it writes. The clock is that of
// the test.
func TestRule440_ThinkingIsSaidEveryFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := follower{heard: make(chan Thinking, 20)}
		l := &Loop{Task: Task{Language: stockhand.English, Now: time.Now}, turn: f}
		model := l.think(llm.Request{})
		<-time.After(12 * time.Second)
		model.waiting()
		<-time.After(10 * time.Second)
		model.end()
		model.end() // it has replied, too
		<-time.After(time.Minute)
		synctest.Wait()
		var seconds []int
		labels := map[string]int{}
		for range len(f.heard) {
			said := <-f.heard
			seconds = append(seconds, said.Seconds)
			labels[said.Label]++
			if said.Iteration != 1 {
				t.Errorf("%+v", said)
			}
		}
		if want := []int{0, 5, 10, 12, 15, 20}; !slices.Equal(seconds, want) {
			t.Errorf("said after %v seconds, want %v", seconds, want)
		}
		if labels["Thinking about the question"] != 3 ||
			labels["The language model does not answer; waiting for it"] != 3 {
			t.Errorf("%v", labels)
		}
	})
}
