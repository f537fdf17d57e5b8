package loop

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// thinkingEvery is the time between events of a model that thinks. Followers that begin later learn of it by the next.
const thinkingEvery = 5 * time.Second

// Thinking is the data of an event while a model is asked.
type Thinking struct {
	Iteration int    `json:"iteration"`
	Label     string `json:"label"`   // what it does, for people
	Seconds   int    `json:"seconds"` // since the model was asked
}

// thinking tells the run's followers that the model is asked, until it writes (rule R440).
type thinking struct {
	*Loop

	began time.Time
	ended chan struct{}
	once  sync.Once

	mu   sync.Mutex
	data Thinking
}

// think begins to tell the followers about a request.
func (l *Loop) think(r llm.Request) *thinking {
	t := &thinking{Loop: l, began: time.Now(), ended: make(chan struct{}),
		data: Thinking{Iteration: int(l.step) + 1, Label: l.doing(r)}}
	t.tell("")
	go func() {
		every := time.NewTicker(thinkingEvery)
		defer every.Stop()
		for {
			select {
			case <-t.ended:
				return
			case <-every.C:
				t.tell("")
			}
		}
	}()
	return t
}

// doing says what the model does with a request.
func (l *Loop) doing(r llm.Request) string {
	switch {
	case l.first != nil:
		return l.Language.Pick("Перепроверяю цифры", "Checking the figures again")
	case r.Answer || l.draft != nil:
		return l.Language.Pick("Пишу ответ", "Writing the answer")
	case len(l.said) > 0:
		return l.Language.Pick("Изучаю прочитанное", "Going through what was read")
	}
	return l.Language.Pick("Думаю над вопросом", "Thinking about the question")
}

// waiting says that the model is down and waited for.
func (t *thinking) waiting() {
	t.tell(t.Language.Pick("Языковая модель не отвечает, жду её", "The language model does not answer; waiting for it"))
}

// tell sends the event. An empty label means the last one.
func (t *thinking) tell(label string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if label != "" {
		t.data.Label = label
	}
	t.data.Seconds = int(time.Since(t.began) / time.Second)
	data, err := json.Marshal(t.data)
	if err != nil {
		return // strings and numbers have an encoding
	}
	t.turn.Notify(stockhand.Event{Run: t.Run.ID, Type: stockhand.EventThinking, At: t.Now(), Data: data})
}

// end stops it: the model writes, or has replied. It may be called several times.
func (t *thinking) end() { t.once.Do(func() { close(t.ended) }) }
