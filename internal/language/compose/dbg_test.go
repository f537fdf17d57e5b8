package compose

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/token"
)

func TestDbg(t *testing.T) {
	for _, task := range strings.Split(os.Getenv("DBG"), "|") {
		in := Input{Tokens: token.Split(task), Catalogue: measures.Catalogue, Today: sunday}
		Repair(measures.Catalogue, in.Tokens, func(*token.Token) bool { return false })
		s := &sentence{Input: in, x: lexiconOf(in.Catalogue), ts: in.Tokens}
		s.scan()
		for _, it := range s.items {
			var w []string
			for _, x := range in.Tokens[it.at:it.end] {
				w = append(w, x.Norm)
			}
			fmt.Printf("[%s]=%d:%s ", strings.Join(w, " "), it.kind, it.id)
		}
		fmt.Println("\n ->", short(Read(in)))
	}
}
