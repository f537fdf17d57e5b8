package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
)

func TestScratch(t *testing.T) {
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
	now := time.Date(2026, time.November, 22, 12, 0, 0, 0, moscow)
	for _, c := range all.Conversations {
		var prev *language.Reading
		for _, u := range c.Turns {
			r := language.Read(u.Say, language.Input{Now: now, Names: shop, Catalogue: measures.Catalogue, Previous: prev})
			q := ""
			if r.Query != nil {
				j, _ := json.Marshal(r.Query)
				q = string(j)
			} else if r.Skill.Calls() {
				j, _ := json.Marshal(r.Arguments)
				q = string(j)
			}
			if len(r.Unused) > 0 {
				q += fmt.Sprint(" UNUSED ", r.Unused)
			}
			fmt.Printf("%s %s | %s | %s | %s %s\n", c.ID, u.Kind, u.Say, u.Must, outcome(r), q)
			prev = &r
		}
	}
}
