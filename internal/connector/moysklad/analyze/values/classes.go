package values

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/decimal"
)

// classes are the dimensions of classes, with the form of their values.
var classes = map[string]struct {
	is       func(string) bool
	possible string
}{
	measures.DimABC: {func(s string) bool { return len(s) == 1 && strings.Contains("ABC", s) }, "A, B, C"},
	measures.DimXYZ: {func(s string) bool { return len(s) == 1 && strings.Contains("XYZ", s) }, "X, Y, Z"},
	measures.DimRFM: {func(s string) bool { return len(s) == 3 && strings.Trim(s, "123") == "" }, "111 … 333"},
}

// lookalikes are Russian letters that people write for the classes.
var lookalikes = strings.NewReplacer("А", "A", "В", "B", "Б", "B", "С", "C", "Х", "X", "У", "Y")

// Classes says what the classes of a dimension may be; empty if it is none of classes.
func Classes(dimension string) string { return classes[dimension].possible }

// Class returns the class that a text names in a dimension of classes; empty if there is none.
func Class(dimension, s string) string {
	if class := lookalikes.Replace(strings.ToUpper(strings.TrimSpace(s))); classes[dimension].is(class) {
		return class
	}
	return ""
}

// bands are the lower bounds of price bands, in main units.
var bands = []int64{0, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000}

// BandOf returns the key of the band that a price is in: its lower bound; empty if the price is unknown.
func BandOf(price decimal.Maybe) string {
	if !price.Known {
		return ""
	}
	i := len(bands) - 1
	for price.Less(decimal.FromInt(bands[i])) {
		i--
	}
	return decimal.FromInt(bands[i]).String()
}

// Band returns the price band that begins at a price.
func Band(s string) string {
	n, err := decimal.Parse(s)
	for _, from := range bands {
		if at := decimal.FromInt(from); err == nil && at.Cmp(n) == 0 {
			return at.String()
		}
	}
	return ""
}

// BandList lists the price bands.
func BandList() string {
	list := make([]string, len(bands))
	for i, from := range bands {
		list[i] = decimal.FromInt(from).String()
	}
	return strings.Join(list, ", ")
}
