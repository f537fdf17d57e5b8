package render_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/tool"
)

// wide is a result with one row whose columns have those names; a name that ends in "?" is a detail.
func wide(names ...string) *tool.Result {
	r := &tool.Result{Answer: "Answer.", Totals: make(tool.Row, len(names))}
	row := make(tool.Row, len(names))
	for i, name := range names {
		label, detail := strings.CutSuffix(name, "?")
		r.Columns = append(r.Columns, tool.Column{Name: label, Label: label, Unit: tool.UnitText, Detail: detail})
		row[i] = tool.TextValue("of " + label)
	}
	r.Rows = tool.Rows{row}
	return r
}

func answer(t *testing.T, r *tool.Result) render.Markdown {
	t.Helper()
	text, err := render.Result(r.InPages(), stockhand.English)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestFiguresOfNothingInParticularAreNotATable(t *testing.T) {
	t.Parallel()
	r := wide("revenue", "change")
	for i := range r.Columns {
		r.Columns[i].Unit = tool.UnitMoney
	}
	if text := answer(t, r); strings.Contains(string(text), "|") {
		t.Error(text)
	}
	r.Columns[0].Unit = tool.UnitText
	if text := answer(t, r); !strings.Contains(string(text), "|") {
		t.Error("a row of something is a table:", text)
	}
}

func TestAnAnswerOmitsDetailsBeforeRequestedColumns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ columns, shown []string }{
		"there is room for all": {[]string{"item", "code?", "sum"}, []string{"item", "code", "sum"}},
		"the last details go first": {[]string{"item", "a?", "b?", "c?", "1", "2", "3", "4", "5", "profit"},
			[]string{"item", "a", "1", "2", "3", "4", "5", "profit"}},
		"then what stands last": {[]string{"item", "a?", "1", "2", "3", "4", "5", "6", "7", "8"},
			[]string{"item", "1", "2", "3", "4", "5", "6", "7"}},
	} {
		text := answer(t, wide(c.columns...))
		if want := "| " + strings.Join(c.shown, " | ") + " |\n"; !strings.Contains(string(text), want) {
			t.Errorf("%s: not %s in\n%s", name, want, text)
		}
	}
}

func TestAnAnswerWithoutTotalsHasNoLineForThem(t *testing.T) {
	t.Parallel()
	r := wide("account", "balance")
	if text := answer(t, r); strings.Contains(string(text), "Total") {
		t.Error(text)
	}
	r.Totals[1] = tool.TextValue("7")
	if text := answer(t, r); strings.Contains(string(text), "Total") {
		t.Error("one row with a total of the same:", text)
	}
	r.Rows = append(r.Rows, r.Rows[0])
	if text := answer(t, r); !strings.Contains(string(text), "| **Total** | **7** |") {
		t.Error(text)
	}
}
