package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/token"
)

func TestScratchWords(t *testing.T) {
	f := os.Getenv("SCRATCH")
	if f == "" {
		t.Skip("scratch")
	}
	b, _ := os.ReadFile(f)
	var all struct{ Conversations []conversation }
	if err := json.Unmarshal(b, &all); err != nil {
		var list []conversation
		_ = json.Unmarshal(b, &list)
		all.Conversations = list
	}
	for _, c := range all.Conversations {
		for _, u := range c.Turns {
			if u.Kind != "read" {
				continue
			}
			n, w := compose.Explain(compose.Input{Tokens: token.Split(u.Say), Catalogue: measures.Catalogue, Today: unseenDay.Time()})
			if len(w) > 0 || n == 0 {
				fmt.Println(n, u.Say, "=>", w)
			}
		}
	}
}
