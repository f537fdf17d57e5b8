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

// order is an order of one line of ten pieces.
func order(supplier, store string, price int64) tool.DraftDocument {
	d := tool.Document{Kind: tool.SupplierOrder, Title: "Заказ поставщику «" + supplier + "» на склад «" + store + "»",
		Currency: "RUB", Supplier: &tool.Ref{Name: supplier}, Store: &tool.Ref{Name: store},
		Lines: []tool.Line{{ID: "1", Product: tool.Ref{Name: "Соль"}, Quantity: decimal.Some(decimal.FromInt(10)),
			Unit: "шт", Price: decimal.Some(decimal.FromInt(price))}}}
	d.Total = d.Sum()
	return tool.DraftDocument{Document: d, DocumentStatus: tool.DocumentStatus{State: stockhand.DocumentPending}}
}

func TestRule550_ARowPerDocumentThenTheLinesOfFew(t *testing.T) {
	t.Parallel()
	d := tool.Draft{ID: "drf_1", Version: 1, URL: "https://stockhand.example/drafts/drf_1",
		Documents: []tool.DraftDocument{order("Восток", "Склад 1", 5), order("Запад", "Склад 2", 7)}}
	d.Documents[0].ID, d.Documents[1].ID = "doc_1", "doc_2"
	d.Documents[1].Lines[0].Flags = []tool.Notice{{Message: "много"}}
	d.Language = stockhand.Russian
	d.Documents[1].Consequences = []string{"Сумма заказа 70,00\u00a0₽, 1 строка.", "Хватит на 9 дн.",
		"Необычно: «Соль» — много."}
	text := strings.ReplaceAll(string(render.Draft(d, stockhand.Russian)), "\u00a0", " ")
	for _, want := range []string{
		"| № | Документ | Поставщик → склад | Строк | Сумма |",
		"| 1 | [Заказ поставщику](https://stockhand.example/drafts/drf_1#doc_1) | Восток → Склад 1 | 1 | 50,00 ₽ |",
		"| 2 | [Заказ поставщику](https://stockhand.example/drafts/drf_1#doc_2) | Запад → Склад 2 | 1 | 70,00 ₽ |",
		"| **Итого** |  |  | **2** | **120,00 ₽** |",
		"| № | Товар | Количество | Ед. | Цена | Сумма | Внимание |",
		"| 1:1 | Соль | 10 | шт | 5,00 ₽ | 50,00 ₽ | — |",
		"| 2:1 | Соль | 10 | шт | 7,00 ₽ | 70,00 ₽ | много |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, again := range []string{"Сумма заказа", "Необычно"} { // the tables say it
		if strings.Contains(text, again) {
			t.Errorf("%s is said again in\n%s", again, text)
		}
	}
	if !strings.Contains(text, "- № 2: Хватит на 9 дн.") {
		t.Errorf("what follows from the order is missing:\n%s", text)
	}
	if strings.Count(text, "| Товар |") != 1 || strings.Count(text, "Восток") != 1 {
		t.Errorf("headings are repeated:\n%s", text)
	}
	d.Documents = d.Documents[:1]
	text = string(render.Draft(d, stockhand.English))
	for _, want := range []string{"| No. ", "| № | Document | Supplier → warehouse | Lines | Sum |",
		"| 1 | [Supplier order](", "| 1 | Соль | 10 |"} {
		if strings.Contains(text, want) == (want == "| No. ") {
			t.Errorf("%s in\n%s", want, text)
		}
	}
	d.Documents[0].State = stockhand.DocumentRejected
	if text := string(render.Draft(d, stockhand.English)); !strings.Contains(text, "| State |") {
		t.Errorf("no state in\n%s", text)
	}
}

// Documents of several kinds have tables of their own, and lines that are left out are counted for each.
func TestLinesOfSeveralKindsAreSeveralTables(t *testing.T) {
	t.Parallel()
	d := prices(14)
	d.Documents = append(d.Documents, prices(12).Documents[0], order("Восток", "Склад", 5))
	text := string(render.Draft(d, stockhand.English))
	if strings.Count(text, "| Product |") != 2 || !strings.Contains(text, "… and more lines: no. 1: 4; no. 2: 2") ||
		!strings.Contains(text, "For whom, where") {
		t.Errorf("two tables, and what is left out of the first:\n%s", text)
	}
}
