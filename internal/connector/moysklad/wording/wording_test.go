package wording

import (
	"testing"

	"github.com/stockhand/stockhand"
)

func TestNestedQuotesUseInnerQuotationMarks(t *testing.T) {
	if got := InQuotes("ООО «Ромашка»", stockhand.Russian); got != "«ООО „Ромашка“»" {
		t.Error(got)
	}
	if got := InQuotes("The “Daisy”", stockhand.English); got != "“The ‘Daisy’”" {
		t.Error(got)
	}
}

func TestASingleOrderedLineIsInTheAccusative(t *testing.T) {
	for n, want := range map[int]string{1: "1 позицию", 61: "61 позицию", 2: "2 позиции", 5: "5 позиций"} {
		if got := NounPositionAcc.Count(stockhand.Russian, n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestRussianNounsUseTheRightPluralForm(t *testing.T) {
	for n, want := range map[int]string{1: "1 товар", 2: "2 товара", 5: "5 товаров", 11: "11 товаров", 12: "12 товаров",
		21: "21 товар", 22: "22 товара", 111: "111 товаров", 1001: "1\u00a0001 товар", 0: "0 товаров"} {
		if got := NounItem.Count("ru", n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if NounItem.Count("en", 1) != "1 item" || NounItem.Count("en", 2) != "2 items" {
		t.Error("wrong English plural")
	}
}
