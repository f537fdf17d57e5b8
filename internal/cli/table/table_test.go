package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// wide is a result that no usual terminal has room for.
func wide() *tool.Result {
	name := "Футболка хлопковая с очень длинным названием (белый, XXL)"
	return &tool.Result{
		Columns: []tool.Column{
			{Name: "name", Label: "Товар", Unit: tool.UnitText},
			{Name: "article", Label: "Артикул", Unit: tool.UnitText, Detail: true},
			{Name: "stock", Label: "Остаток", Unit: tool.UnitQuantity},
			{Name: "supplier", Label: "Поставщик", Unit: tool.UnitText},
			{Name: "sum", Label: "Сумма", Unit: tool.UnitQuantity},
			{Name: "store_id", Label: "ID", Unit: tool.UnitText},
		},
		Rows: tool.Rows{{
			tool.TextValue(name), tool.TextValue("A-1234567890"), tool.Number(decimal.FromInt(12345)),
			tool.TextValue("ООО «Поставщик с длинным именем»"), tool.Number(decimal.FromInt(678)), tool.TextValue("id"),
		}},
	}
}

func TestATableFitsItsTerminalAndSaysWhatDidNot(t *testing.T) {
	for _, width := range []int{40, 60, 80, 130} {
		var b strings.Builder
		Table{Language: stockhand.Russian, Width: width}.Write(&b, wide())
		for line := range strings.Lines(b.String()) {
			if n := runewidth.StringWidth(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("%d columns on a terminal of %d: %s", n, width, line)
			}
		}
		if left := strings.Contains(b.String(), "Не поместились столбцы: "); left != (width < 130) {
			t.Errorf("at %d:\n%s", width, b.String())
		}
		if width == 80 && (strings.Contains(b.String(), "A-1234567890") || !strings.Contains(b.String(), "678")) {
			t.Errorf("a detail stands where a figure ought to:\n%s", b.String())
		}
	}
}

// A shortage table at 80 columns: what to order and from whom stays, what is mostly unknown goes.
func TestFiguresStayWhereAColumnIsMostlyEmpty(t *testing.T) {
	r := &tool.Result{Columns: []tool.Column{
		{Name: "name", Label: "Товар", Unit: tool.UnitText}, {Name: "store", Label: "Склад", Unit: tool.UnitText},
		{Name: "reason", Label: "Почему", Unit: tool.UnitText, Detail: true},
		{Name: "free", Label: "Свободно", Unit: tool.UnitQuantity},
		{Name: "minimum", Label: "Минимум", Unit: tool.UnitQuantity},
		{Name: "days", Label: "Запас, дн.", Unit: tool.UnitDays},
		{Name: "to_order", Label: "Заказать", Unit: tool.UnitQuantity},
		{Name: "supplier", Label: "Поставщик", Unit: tool.UnitText},
		{Name: "flags", Label: "Внимание", Unit: tool.UnitText},
	}}
	for i := range 5 {
		days := tool.Empty
		if i == 0 {
			days = tool.Count(3)
		}
		r.Rows = append(r.Rows, tool.Row{
			tool.TextValue("Перчатки усиленный вариант 5 шт"), tool.TextValue("Основной склад"),
			tool.TextValue("ниже минимума: 0 из 8"), tool.Count(0), tool.Count(8), days, tool.Count(8),
			tool.TextValue("ИП Петрова"), tool.TextValue(""),
		})
	}
	var b strings.Builder
	Table{Language: stockhand.Russian, Width: 80}.Write(&b, r)
	head, _, _ := strings.Cut(b.String(), "\n")
	for label, want := range map[string]bool{"Заказать": true, "Поставщик": true, "Свободно": true, "Запас": false,
		"Почему": false, "Внимание": false} {
		if strings.Contains(head, label) != want {
			t.Errorf("%s:\n%s", label, b.String())
		}
	}
}

// The documents of a draft on a narrow terminal: all are orders, and differ in their sums.
func TestATextThatIsTheSameInAllRowsGoesBeforeAFigure(t *testing.T) {
	r := &tool.Result{Columns: []tool.Column{
		{Name: "n", Label: "№", Unit: tool.UnitCount}, {Name: "kind", Label: "Документ", Unit: tool.UnitText},
		{Name: "to", Label: "Поставщик → склад", Unit: tool.UnitText},
		{Name: "lines", Label: "Строк", Unit: tool.UnitCount},
		{Name: "sum", Label: "Сумма", Unit: tool.UnitQuantity},
	}}
	for i := range 3 {
		r.Rows = append(r.Rows, tool.Row{tool.Count(i + 1), tool.TextValue("Заказ поставщику"),
			tool.TextValue(fmt.Sprintf("ИП Петрова → Магазин № %d", i)), tool.Count(2), tool.Count(1234567 + i)})
	}
	r.Totals = tool.Row{tool.Empty, tool.Empty, tool.Empty, tool.Count(6), tool.Count(3703704)}
	var b strings.Builder
	Table{Language: stockhand.Russian, Width: 46}.Write(&b, r)
	if head, _, _ := strings.Cut(b.String(), "\n"); !strings.Contains(head, "Сумма") ||
		strings.Contains(head, "Документ") {
		t.Error(b.String())
	}
}

func TestOneRowHasNoTotal(t *testing.T) {
	r := wide()
	r.Totals = r.Rows[0]
	var b strings.Builder
	Table{Language: stockhand.Russian}.Write(&b, r)
	if strings.Contains(b.String(), "Итого") {
		t.Error(b.String())
	}
}

func TestATableInAFileIsComplete(t *testing.T) {
	var b strings.Builder
	Table{Language: stockhand.Russian}.Write(&b, wide())
	for _, s := range []string{"(белый, XXL)", "A-1234567890", "с длинным именем»", "678"} {
		if !strings.Contains(b.String(), s) {
			t.Errorf("%s is missing in:\n%s", s, b.String())
		}
	}
}

func TestTotalsThatAreNotShownLeaveNoEmptyRow(t *testing.T) {
	r := wide()
	r.Totals = make(tool.Row, len(r.Columns)) // sums of several currencies are not added up
	var b strings.Builder
	Table{Language: stockhand.Russian}.Write(&b, r)
	if strings.Contains(b.String(), "Итого") {
		t.Error(b.String())
	}
}

func TestTextFromTheAccountCannotControlTheTerminal(t *testing.T) {
	if s := OneLine("a\x1b[2Jb\nc\u202ed"); s != "a[2Jb cd" {
		t.Errorf("%q", s)
	}
}
