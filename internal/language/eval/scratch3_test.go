package eval

import (
	"fmt"
	"os"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
)

func TestScratchPhrases(t *testing.T) {
	if os.Getenv("SCRATCH") == "" {
		t.Skip("scratch")
	}
	for _, s := range splits {
		ps, _ := parse(s.name)
		n, changed, unused, drafts := 0, 0, 0, 0
		for _, p := range ps {
			a := language.Read(p.task, language.Input{Now: s.now, Names: s.names})
			b := language.Read(p.task, language.Input{Now: s.now, Names: s.names, Catalogue: measures.Catalogue})
			n++
			if outcome(a) != outcome(b) {
				changed++
				if s.name[:4] == "tune" {
					fmt.Println("CHANGED", p.task, "=>", outcome(a), "->", outcome(b), shown(b))
				}
			}
			if len(b.Unused) > 0 {
				unused++
				if b.Skill.Proposes() {
					drafts++
				}
				if s.name[:4] == "tune" {
					fmt.Println("UNUSED", outcome(b), p.task, "=>", b.Unused)
				}
			}
		}
		fmt.Println(s.name, n, "changed", changed, "unused", unused, "drafts", drafts)
	}
}
