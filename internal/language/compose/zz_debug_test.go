package compose

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/token"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile("/tmp/e/dbg.txt")
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		in := Input{Tokens: token.Split(l), Catalogue: measures.Catalogue, Today: sunday}
		s := &sentence{Input: in, x: lexiconOf(in.Catalogue), ts: in.Tokens}
		s.scan()
		fmt.Println(l)
		for _, it := range s.items {
			var w []string
			for i := it.at; i < it.end; i++ {
				w = append(w, s.ts[i].Norm)
			}
			fmt.Printf("   [%s] kind=%d id=%s num=%v\n", strings.Join(w, " "), it.kind, it.id, it.number)
		}
		fmt.Println("  =>", short(read(l, nil)))
	}
}
