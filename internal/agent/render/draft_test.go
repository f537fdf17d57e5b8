package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// prices is a draft of that many price changes of one rouble each.
func prices(lines int) tool.Draft {
	doc := tool.Document{Kind: tool.PriceChange, Title: "Цены", Currency: "RUB"}
	for i := range lines {
		doc.Lines = append(doc.Lines, tool.Line{ID: fmt.Sprint(i + 1),
			Product:  tool.Ref{Name: fmt.Sprint("Товар ", i+1)},
			OldPrice: decimal.Some(decimal.FromInt(140)), Price: decimal.Some(decimal.FromInt(141))})
	}
	return tool.Draft{ID: "drf_1", Version: 1, Language: stockhand.English,
		Documents: []tool.DraftDocument{{Document: doc, DocumentStatus: tool.DocumentStatus{
			State: stockhand.DocumentPending}}}}
}

// Among many harmless lines the one that does harm is far down.
func TestAttackALineThatStandsOutIsAlwaysShown(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*tool.Line){
		"an outlying price": func(x *tool.Line) { x.Price = decimal.Some(decimal.FromInt(1)) },
		"a flag": func(x *tool.Line) {
			x.Flags = []tool.Notice{{Code: tool.NoticeBelowCost, Message: "below cost"}}
		},
	} {
		d := prices(40)
		spoil(&d.Documents[0].Lines[36])
		text := string(render.Draft(d, stockhand.English))
		if first := strings.Index(text, "Товар 37 "); first < 0 || first > strings.Index(text, "Товар 1 ") {
			t.Errorf("%s: the line is not the first:\n%s", name, text)
		}
		if !render.ShowsEnough(d) {
			t.Errorf("%s: not enough is shown", name)
		}
	}
}

func TestADraftTooLargeToShowIsNotConfirmedByAWord(t *testing.T) {
	t.Parallel()
	d := prices(200)
	if !render.ShowsEnough(d) {
		t.Error("200 alike lines are too many")
	}
	for i := range 60 {
		d.Documents[0].Lines[i].Flags = []tool.Notice{{Code: tool.NoticeUnusual}}
	}
	if render.ShowsEnough(d) {
		t.Error("60 lines with flags are not all shown")
	}
	d = prices(1)
	for range 20 {
		d.Documents = append(d.Documents, d.Documents[0])
	}
	if render.ShowsEnough(d) {
		t.Error("21 documents are not all shown")
	}
}

// R472
func TestManyDocumentsAreARowEachWithALink(t *testing.T) {
	t.Parallel()
	d := prices(40)
	d.URL = "https://stockhand.example/drafts/drf_1"
	d.Documents[0].ID = "doc_1"
	for range 5 {
		d.Documents = append(d.Documents, d.Documents[0])
	}
	harm := d.Documents[0]
	harm.Lines = append([]tool.Line{}, harm.Lines...)
	harm.Lines[30].Flags = []tool.Notice{{Code: tool.NoticeBelowCost, Message: "below cost"}}
	d.Documents[3] = harm
	text := string(render.Draft(d, stockhand.English))
	if n := strings.Count(text, "[Цены](https://stockhand.example/drafts/drf_1#doc_1)"); n != 6 {
		t.Errorf("%d links:\n%s", n, text)
	}
	if !strings.Contains(text, "Товар 31 ") || strings.Contains(text, "Товар 5 ") || !render.ShowsEnough(d) {
		t.Errorf("the line to look at, and no other:\n%s", text)
	}
}
