package typed

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// piecesOfList takes a number of pieces at the end of a ranking for the number of its rows: "топ товаров по прибыли,
// штук 15", "лучшие клиенты, 7 штук", "топ товаров, десяточку" (rule R1119).
func (s *Sentence) piecesOfList() {
	ranks := false
	for i, it := range s.Items {
		ranks = ranks || it.Kind == Best || it.Kind == Worst || it.Kind == TopRows
		if it.Kind == Operator || it.Kind == Factor || it.Kind == TopRows && i+1 < len(s.Items) &&
			s.Items[i+1].Kind == Number {
			return
		}
	}
	n := len(s.Tokens)
	for n > 0 && s.Tokens[n-1].Kind == token.Mark {
		n--
	}
	if !ranks || n < 3 || s.Previous != nil {
		return
	}
	last, before := &s.Tokens[n-1], &s.Tokens[n-2]
	from, rows := n-2, 0
	switch {
	case listPieces[before.Norm] && last.Kind == token.Number: // "штук 15"
		rows = number(last.Norm)
	case listPieces[last.Norm] && before.Kind == token.Number && s.endsList(n-3): // ", 7 штук"
		rows = number(before.Norm)
	case tens[last.Norm] > 0 && last.Use == token.Unused:
		from, rows = n-1, tens[last.Norm]
	}
	if rows < 1 || rows > analysis.MaxRows {
		return
	}
	s.Most = rows
	for _, it := range s.Items {
		if it.At >= from {
			it.Kind, it.ID = Function, ""
		}
	}
}

// endsList reports whether a token is a mark, or the end of a period or of what is listed.
func (s *Sentence) endsList(i int) bool {
	return s.Tokens[i].Kind == token.Mark || slices.ContainsFunc(s.Items, func(it *Item) bool {
		return it.End == i+1 && (it.Kind == Period || it.Kind == Dimension)
	})
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

var (
	listPieces = words.Set("штук штучек штуки штучки шт строк позиций")
	tens       = map[string]int{"десяточку": 10, "десяток": 10, "десятку": 10, "десятка": 10, "пятерку": 5, "пяток": 5,
		"пятерочку": 5, "тройку": 3, "троечку": 3, "двадцатку": 20}
)
