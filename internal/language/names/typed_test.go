package names

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesAreFoundWhileTheyAreTyped(t *testing.T) { // rule R397
	x := New(shop)
	for typed, want := range map[string]string{
		"круж":          "Кружка эмаль 2 л|Кружка с рисунком большой",
		"кружек":        "Кружка эмаль 2 л|Кружка с рисунком большой",
		"эмаль кру":     "Кружка эмаль 2 л",
		"rhe;rb":        "Кружка эмаль 2 л|Кружка с рисунком большой",
		"rhe;rf 'vfkm":  "Кружка эмаль 2 л",
		"kruzhka emal":  "Кружка эмаль 2 л",
		"krug":          "",
		"кружкка эмаль": "Кружка эмаль 2 л",
		"самсунг":       "Samsung Galaxy A55",
		"gal":           "Samsung Galaxy A55",
		"А1002":         "Кружка с рисунком большой",
		"4600000000017": "Кружка эмаль 2 л",
		"Чайного дома":  "ООО «Чайный дом»",
		"ооо чайн":      "ООО «Чайный дом»",
		"петр":          "ИП Петрова",
		"":              "",
		"ъъъ":           "",
	} {
		found, total := Typed(typed, 5, x)
		var got []string
		for _, n := range found {
			if !slices.Contains(got, n.Name) { // a supplier is a counterparty, too
				got = append(got, n.Name)
			}
		}
		if s := strings.Join(got, "|"); s != want || total < len(got) {
			t.Errorf("%q: got %q of %d, want %q", typed, s, total, want)
		}
	}
}
