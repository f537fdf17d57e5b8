package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// scan turns the tokens into items, the longest meaning first at each place.
func (s *sentence) scan() {
	periods := quantity.Periods(s.ts, s.Today)
	for i := 0; i < len(s.ts); {
		it := s.item(i, periods)
		if it == nil { // a mark
			i++
			continue
		}
		s.items = append(s.items, it)
		i = it.end
	}
}

func (s *sentence) item(i int, periods []quantity.Period) *item {
	t := &s.ts[i]
	if t.Kind == token.Mark {
		if t.Norm == "+" && !t.Glued {
			return &item{kind: joining, at: i, end: i + 1}
		}
		return nil
	}
	for k := range periods {
		if p := &periods[k]; p.At <= i && i < p.End {
			return &item{kind: period, at: i, end: p.End, period: p}
		}
	}
	switch t.Use {
	case token.AsName:
		return s.nameItem(i)
	case token.AsAccount:
		return &item{kind: function, at: i, end: i + 1}
	case token.Unused, token.AsPeriod, token.AsNumber:
	}
	if t.Kind != token.Quoted {
		if e, end := s.x.at(s.ts, i); e != nil {
			return &item{kind: e.kind, at: i, end: end, id: e.id, order: e.order, plural: plural(s.ts[end-1].Norm)}
		}
		if n, end := s.numberAt(i); end > 0 {
			return &item{kind: number, at: i, end: end, number: n}
		}
		if words.IsLegalForm(t.Norm) || s.x.function[t.Norm] || s.x.function[t.Stem] && t.Kind == token.Word ||
			t.Kind == token.Word && len([]rune(t.Norm)) == 1 && t.Glued {
			return &item{kind: function, at: i, end: i + 1}
		}
	}
	return &item{kind: unexplained, at: i, end: i + 1}
}

func (s *sentence) nameItem(i int) *item {
	for k := range s.Names {
		n := &s.Names[k]
		if at := slices.Index(n.At, i); at == 0 {
			return &item{kind: name, at: i, end: i + 1, name: n}
		} else if at > 0 { // a further word of the same name
			return &item{kind: function, at: i, end: i + 1}
		}
	}
	return &item{kind: function, at: i, end: i + 1} // a mark or a legal form beside a name
}

// plural reports whether a noun looks like a plural: "складам", "товары", "products".
func plural(w string) bool {
	for _, ending := range []string{"ам", "ям", "ах", "ях", "ы", "и", "ов", "ев", "ей", "ами", "ями"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return !token.IsCyrillic(w) && strings.HasSuffix(w, "s")
}
