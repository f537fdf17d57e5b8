package render

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestUnusedWordsBeginTheFirstLine(t *testing.T) { // rule R265
	table := (&tool.Result{Answer: "Продажи за октябрь."}).InPages()
	got, err := Result(table, stockhand.Russian, tool.Notice{Code: tool.NoticeUnused, Message: "Не учтено: «оптом»."})
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(got), "\n")
	if first != "Не учтено: «оптом». Продажи за октябрь." {
		t.Error(first)
	}
}
