package words

import (
	"testing"
	"time"
)

func TestNumbersAreRecognizedInEveryGrammaticalCase(t *testing.T) {
	for word, want := range map[string]int{"один": 1, "двумя": 2, "пятью": 5, "двенадцати": 12, "сорока": 40,
		"девяноста": 90, "двухсот": 200, "seven": 7, "ninety": 90} {
		if n, ok := Numeral(word); !ok || n != want {
			t.Errorf("%s: got %d", word, n)
		}
	}
	for _, word := range []string{"пятый", "сорокалетний", "двадцатого", ""} { // ordinals are not cardinal numbers
		if n, ok := Numeral(word); ok {
			t.Errorf("%s: got %d", word, n)
		}
	}
}

func TestMonthsAreRecognizedInEveryGrammaticalCase(t *testing.T) {
	for word, want := range map[string]time.Month{"январём": time.January, "мае": time.May, "Марту": time.March,
		"сент": time.September, "sept": time.September, "december": time.December, "маёк": 0, "": 0} {
		if m := MonthOf(Fold(word)); m != want {
			t.Errorf("%s: got %s", word, m)
		}
	}
}

func TestTheLongestPrefixDeterminesTheUnit(t *testing.T) {
	for word, want := range map[string]Unit{
		"товаров": {Kind: Count, Noun: "goods"}, "килограммов": {Kind: Quantity, Measure: true},
		"недель": {Kind: Days, Factor: 7}, "г": {Kind: Quantity, Measure: true},
		"долларов": {Kind: Money, Currency: "USD"}, "миллионов": {Scale: true, Factor: 1e6},
	} {
		if u, ok := UnitOf(word); !ok || u != want {
			t.Errorf("%s: got %+v", word, u)
		}
	}
	if u, ok := UnitOf("ежемесячно"); ok {
		t.Errorf("got %+v", u)
	}
}
