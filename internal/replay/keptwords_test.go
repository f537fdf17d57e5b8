package replay_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/traffic"
)

// Words that decide on drafts are part of the conversation: what they write into the account is recorded, and a replay
// writes it nowhere.
func TestRule711_DecisionsInWordsAreReplayed(t *testing.T) {
	t.Parallel()
	s := live(t, traffic.Limits{Age: time.Hour, Size: 64 << 20}, func(_ int, r llmtest.Request) llmtest.Answer {
		switch last := r.Messages[len(r.Messages)-1]; {
		case last.Role == llm.ToolRole:
			return llmtest.Say("Готово.")
		case strings.Contains(last.Content, "Закажи"):
			return llmtest.CallTool("propose_supplier_orders", `{}`)
		}
		return llmtest.CallTool("drafts", `{}`)
	})
	first := tell(t, s, "", "Закажи у поставщиков всё, что ниже минимума")
	if len(first.Drafts) != 1 {
		t.Fatalf("%+v", first)
	}
	words := []struct{ said, answer string }{
		{"увеличь количество в 2 раза", "Это черновик"},
		{"подтверждаю", "**записан**"},
		{"верни как было", "Это черновик"},
		{"подтверждаю", "**записан**"},
		{"подумай, какие черновики ещё открыты", "Готово."},
	}
	var last turn
	for _, w := range words {
		if last = tell(t, s, first.Session, w.said); !strings.Contains(last.Answer, w.answer) {
			t.Errorf("%s: %s", w.said, last.Answer)
		}
	}
	export := s.Do("GET", last.cassette(), s.AdminToken, nil)
	if export.Status != http.StatusOK {
		t.Fatalf("%d %s", export.Status, export.Body)
	}
	c := same(t, export.Body)
	writes := 0
	for _, turn := range c.Turns {
		for _, x := range turn.Exchanges {
			if !strings.HasPrefix(x.Request, "GET ") {
				writes++
			}
		}
	}
	if len(c.Turns) != 1+len(words) || c.Turns[2].Decision == nil || writes < 2 {
		t.Errorf("%d turns, %d writes", len(c.Turns), writes)
	}
}
