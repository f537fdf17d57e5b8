package answer

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent/blocks"
)

func TestRule431_ComputedFiguresAndEstimatesAreDistinguished(t *testing.T) {
	fact := func(text, figure string, class blocks.Class, formula string) blocks.Fact {
		start := len([]rune(text[:strings.Index(text, figure)]))
		return blocks.Fact{Start: start, End: start + len([]rune(figure)), Class: class, Formula: formula}
	}
	for name, c := range map[string]struct {
		text, figure string
		class        blocks.Class
		want         string
	}{
		"computed": {"Стало на 5 ₽ больше", "5 ₽", blocks.Computed, `<span class="fact computed">5 ₽</span>`},
		"estimate": {"Нужно **около 300** штук", "300", blocks.Estimate,
			`<strong>около <span class="fact estimate">300</span></strong>`},
		"escaped":         {`Выросло на 1\.5 раза`, `1\.5`, blocks.Computed, `<span class="fact computed">1.5</span>`},
		"in a list":       {"- прибыль 7 ₽", "7 ₽", blocks.Computed, `<li>прибыль <span class="fact computed">7 ₽</span></li>`},
		"read":            {"На счёте 5 ₽", "5 ₽", blocks.Read, "<p>На счёте 5 ₽</p>"},
		"found nowhere":   {"На счёте 5 ₽", "5 ₽", blocks.Unverified, "<p>На счёте 5 ₽</p>"},
		"across emphasis": {"Было **5** ₽", "5** ₽", blocks.Computed, "<strong>5</strong> ₽"},
		"marks of its own": {"\uE000<b>\uE002 5 ₽", "5 ₽", blocks.Computed,
			`&lt;b&gt;  <span class="fact computed">5 ₽</span>`},
		"beyond the text":   {"5 ₽", "5 ₽", blocks.Class("new"), "<p>5 ₽</p>"},
		"of another reader": {"а 5 ₽", "5 ₽", "", "<p>а 5 ₽</p>"},
	} {
		var b strings.Builder
		p := Part{Text: c.text, Facts: []blocks.Fact{fact(c.text, c.figure, c.class, "")}}
		if err := Prose(p).Render(t.Context(), &b); err != nil || !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: %s, %v", name, b.String(), err)
		}
	}

	text := "Стало на 5 ₽ больше, это **5 ₽** из 9 ₽, а будет 300"
	got := figures([]Part{{Text: text, Facts: []blocks.Fact{fact(text, "5 ₽", blocks.Computed, "9 ₽ − 4 ₽"),
		fact(text, "9 ₽", blocks.Read, ""), fact(text, "300", blocks.Estimate, ""),
		{Start: 40, End: 4000, Class: blocks.Computed}}}})
	if len(got) != 2 || got[0] != (Figure{"5 ₽", blocks.Computed, "9 ₽ − 4 ₽"}) || got[1].Text != "300" {
		t.Errorf("%+v", got)
	}
}
