package report

import (
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

func TestClassesAreByCumulativeShare(t *testing.T) {
	var lines []*abcLine
	for i, v := range []string{"50", "30", "10", "5", "4", "1", "0", "-3"} {
		lines = append(lines, &abcLine{subject: msapi.Ref{Name: string(rune('a' + i))},
			value: decimal.MustParse(v), known: true})
	}
	lines = append(lines, &abcLine{})
	classify(lines, nil)
	got := ""
	for _, l := range lines {
		if l.abc == "" {
			got += "?"
		}
		got += l.abc
	}
	if got != "AABBCCCC?" {
		t.Errorf("classes %s", got)
	}
}

func TestTheFirstGoodIsAlwaysA(t *testing.T) {
	lines := []*abcLine{{value: decimal.FromInt(90), known: true},
		{value: decimal.FromInt(10), known: true}}
	if classify(lines, nil); lines[0].abc != "A" || lines[1].abc != "C" {
		t.Errorf("%s %s", lines[0].abc, lines[1].abc)
	}
}
