// Package refer finds the words of a task that mean rows of the last answer: "эти товары", "второй", "the last one".
package refer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/harmless"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Rows are those of a table that a task may refer to: "эти товары", "второй", "the last one".
type Rows struct {
	Result    string   // the ID of the stored result
	Dimension string   // what the rows are, such as "product"
	IDs       []string // of the things that the rows are about, in the order shown; "" where a row has none
	Names     []string // as shown
	More      bool     // the table has rows that are not known
	Top       bool     // the answer is its first row: "кто больше всех должен"
	Earlier   bool     // an answer without such rows came after it
	Newest    bool     // the rows are documents, newest first: "the last one" is the first row
	Draft     bool     // the goods of a draft that waits: "что там самое дорогое" is about them
	Part      bool     // the stored result has more rows, which are not meant
}

// Reference is a part of a task that means rows of the last table (rule R291).
type Reference struct {
	At   []int // its tokens
	Rows []int // from 0; none: the words mean rows that the table does not have
	// a single thing of a table with several: "him" may be any of them
	Ambiguous bool
	Placed    bool // the words say which row by its place: "второй"
}

// shownLast is how many rows an answer shows: "the last one" is the last that was seen.
const shownLast = 10

// Refer finds the words of a task that mean rows: "эти", "на них", "второй", "последний", "по первым трём", "the last
// one". Words that are already read as something else are left alone.
func (r *Rows) Refer(ts []token.Token) []Reference {
	if r == nil {
		return nil
	}
	var out []Reference
	for i := 0; i < len(ts); i++ {
		f := finder{Rows: r, ts: ts}
		if ref := f.at(i); ref != nil {
			out = append(out, *ref)
			i = slices.Max(ref.At)
		}
	}
	return out
}

// finder looks for a reference at one place.
type finder struct {
	*Rows
	ts []token.Token
}

func (f finder) norm(i int) string {
	if i < 0 || i >= len(f.ts) || f.ts[i].Use != token.Unused || f.ts[i].Kind == token.Quoted {
		return ""
	}
	return f.ts[i].Norm
}

// noun returns the kind of thing that a word names: a dimension, "row" for any, or "".
func (f finder) noun(i int) string {
	w := f.norm(i)
	if nounsOf[f.Dimension][w] {
		return f.Dimension
	}
	if rowWords[w] {
		return "row"
	}
	for d, set := range nounsOf {
		if set[w] {
			return d
		}
	}
	return ""
}

func (f finder) at(i int) *Reference {
	w := f.norm(i)
	switch {
	case w == "":
		return nil
	case f.every(i) != nil:
		return f.every(i)
	case (heWords[w] || sheWords[w]) && !f.calendar(i+1):
		return f.single(i)
	case thereWords[w] && f.Draft && f.picks():
		return f.all(i, i+1)
	case thereWords[w] && f.Top && f.Dimension == "store":
		return f.single(i)
	case itWords[w] && (len(f.IDs) == 1 || i == len(f.ts)-1 && w == "it"):
		return f.single(i)
	case (thisWords[w] || sameWords[w] && f.norm(i+1) == "же") && !f.calendar(i+1):
		end := i + 1
		if f.norm(end) == "же" {
			end++
		}
		switch n := f.noun(end); {
		case n == f.Dimension || n == "row":
			return f.single(i, f.span(i+1, end+1)...)
		case n != "" && n != "document":
			return &Reference{At: f.span(i, end+1)}
		case ofThis[w] && f.norm(i-1) == "из" && f.Dimension == "product": // "что из этого не продавалось"
			return f.all(i, end)
		case ofThis[w] && (end == len(f.ts) || f.ts[end].Kind == token.Mark || harmless.Words[f.norm(end)] ||
			isLeft[f.norm(end)]):
			return f.all(i, end) // "сколько этого на складе", "сколько этого осталось" (rule R1283)
		}
		return nil
	case numberWords[w]:
		return f.numbered(i)
	case firstMany[w] || lastMany[w]:
		if ref := f.several(i); ref != nil {
			return ref
		}
	case f.count(i) > 1 && oblique[f.norm(i+1)] && firstMany[f.norm(i+1)] && f.count(i+2) == 0:
		return f.firstRows(f.count(i), i, i+2) // "три первых"
	}
	if n := collectives[f.norm(i+1)]; n > 0 && ordinals[w] == 1 {
		return f.firstRows(n, i, i+2) // "первую тройку"
	}
	return f.ordinal(i)
}

// picks reports whether a message asks which of several is the greatest or the least: "что там самое дорогое".
func (f finder) picks() bool {
	return slices.ContainsFunc(f.ts, func(t token.Token) bool {
		return strings.HasPrefix(t.Norm, "самы") || strings.HasPrefix(t.Norm, "само") ||
			strings.HasPrefix(t.Norm, "сама") || t.Norm == "most" || t.Norm == "least"
	})
}

func (f finder) span(from, to int) []int {
	var at []int
	for i := from; i < to; i++ {
		at = append(at, i)
	}
	return at
}

func (f finder) calendar(i int) bool {
	if i < len(f.ts) && f.ts[i].Use == token.AsPeriod {
		return true
	}
	w := f.norm(i)
	return w != "" && (words.TimeUnitOf(w) != words.NoTime || words.MonthOf(w) != 0 || quantity.IsWeekday(w) ||
		otherNouns[w])
}

// every reads words for all rows.
func (f finder) every(i int) *Reference {
	w, end := f.norm(i), i+1
	switch {
	case bothWords[w] && len(f.IDs) == 2:
	case theyWords[w] && !(w == "ним" && len(f.IDs) == 1) && !(w == "им" && len(f.IDs) == 0):
	case eachWords[w] && f.Dimension == "product" && (end == len(f.ts) || f.ts[end].Kind == token.Mark ||
		isLeft[f.norm(end)]) && (i == 0 || !eachOther[f.norm(i-1)]): // "how many left of each"
	case theseWords[w]:
	case sameWords[w] && f.norm(i+1) == "же" && strings.HasPrefix(w, "те"):
		end++
	default:
		return nil
	}
	if w == "those" && f.norm(end) == "that" {
		return nil // "those that fell" says which
	}
	if f.calendar(end) || !theyWords[w] && quantity.IsCalendarWord(f.norm(end)) || f.ts[min(end,
		len(f.ts)-1)].Kind == token.Number && end < len(f.ts) {
		return nil
	}
	n := f.noun(end)
	if theyWords[w] {
		n = ""
	}
	switch {
	case n == f.Dimension || n == "row":
		end++
	case n == "document":
		return nil
	case n != "":
		return &Reference{At: f.span(i, end+1)}
	}
	if f.Top && theyWords[w] && !f.ts[i].Cyrillic && f.Dimension != "product" {
		return f.single(i) // "who owes us most", "their phone"
	}
	return f.all(i, end)
}

// all returns the reference to every row.
func (f finder) all(i, end int) *Reference {
	ref := &Reference{At: f.span(i, end)}
	for j := range f.IDs {
		if !f.More {
			ref.Rows = append(ref.Rows, j)
		}
	}
	return ref
}

// single reads a word for one thing, which the table must be about.
func (f finder) single(i int, more ...int) *Reference {
	ref := &Reference{At: append([]int{i}, more...), Ambiguous: len(f.IDs) > 1 && !f.Top}
	for j := range f.IDs {
		if j == 0 || !f.Top {
			ref.Rows = append(ref.Rows, j)
		}
	}
	return ref
}

// numbered reads "№ 2" and "row 3", unless it is the number of something else.
func (f finder) numbered(i int) *Reference {
	n, err := strconv.Atoi(f.norm(i + 1))
	if err != nil || n < 1 || i > 0 && !f.before(i-1) {
		return nil
	}
	return f.one(n, i, i+2)
}

// one returns the reference to a row by its number, from the end if that is negative.
func (f finder) one(n, from, to int) *Reference {
	ref := &Reference{At: f.span(from, to), Placed: true}
	switch {
	case n < 0 && f.Newest:
		n = -n
	case n < 0:
		n += min(len(f.IDs), shownLast) + 1
	}
	if n >= 1 && n <= len(f.IDs) {
		ref.Rows = []int{n - 1}
	}
	return ref
}

// before are words before which a reference may stand.
func (f finder) before(i int) bool {
	w := f.ts[i].Norm
	return f.ts[i].Kind == token.Mark || harmless.Words[w] || referBefore[w]
}

var (
	referAfter  = words.Set("from by with")
	referBefore = words.Set("по под подробнее подробно остаток остатки цена цену продажи карточка карточку открой " +
		"details more stock price только only кроме except без детали расскажи")
)

// several reads "по первым трём", "первые пять из них", "the first three of these".
func (f finder) several(i int) *Reference {
	w := f.norm(i)
	n := quantity.Numeral(f.norm(i + 1))
	if n == 0 {
		n, _ = strconv.Atoi(f.norm(i + 1))
	}
	if n < 1 {
		return nil
	}
	end := i + 2
	if f.calendar(end) || i+1 < len(f.ts) && f.ts[i+1].Use != token.Unused {
		return nil
	}
	sure := oblique[w]
	switch d := f.noun(end); {
	case d == f.Dimension || d == "row":
		end++
	case d != "":
		return nil
	}
	if i > 0 {
		switch f.ts[i-1].Norm {
		case "на", "по", "для", "у", "про", "of", "for", "on", "to", "about":
			sure = true
		case "the":
			if i > 1 {
				switch f.ts[i-2].Norm {
				case "of", "for", "on", "to", "about", "only":
					sure = true
				}
			}
		}
	}
	if to := f.ofThem(end); to > end {
		sure, end = true, to
	}
	if !sure {
		return nil
	}
	ref := &Reference{At: f.span(i, end), Placed: true}
	if n > len(f.IDs) {
		return ref
	}
	for j := range n {
		if lastMany[w] && !f.Newest {
			j += min(len(f.IDs), max(shownLast, n)) - n
		}
		ref.Rows = append(ref.Rows, j)
	}
	return ref
}

// count returns the number that a token is; 0 for none.
func (f finder) count(i int) int {
	if n := quantity.Numeral(f.norm(i)); n > 0 {
		return n
	}
	n, _ := strconv.Atoi(f.norm(i))
	return n
}

// firstRows returns the reference to the first n rows.
func (f finder) firstRows(n, from, to int) *Reference {
	if d := f.noun(to); d == f.Dimension || d == "row" {
		to++
	} else if d != "" {
		return nil
	}
	ref := &Reference{At: f.span(from, f.ofThem(to)), Placed: true}
	for j := range min(n, len(f.IDs)) {
		ref.Rows = append(ref.Rows, j)
	}
	if n > len(f.IDs) {
		ref.Rows = nil
	}
	return ref
}

// ofThem returns the token after words such as "из них" and "in the list", or i.
func (f finder) ofThem(i int) int {
	j := i
	switch f.norm(j) {
	case "из", "в", "of", "in", "from", "с", "со":
		j++
	default:
		return i
	}
	for f.norm(j) == "the" {
		j++
	}
	w := f.norm(j)
	if theyWords[w] || theseWords[w] || listWords[w] {
		if j++; f.noun(j) == f.Dimension {
			j++
		}
		return j
	}
	return i
}

// ordinal reads "второй", "последнего", "третий снизу", "the second one".
func (f finder) ordinal(i int) *Reference {
	w := f.norm(i)
	n := ordinals[w]
	if n == 0 || i+1 < len(f.ts) && f.ts[i+1].Use == token.AsPeriod || f.calendar(i+1) || f.norm(i-1) == "за" {
		return nil // "за второй" is a quarter
	}
	end, english := i+1, !f.ts[i].Cyrillic
	switch d := f.noun(end); {
	case d == f.Dimension || d == "row":
		end++
	case d != "":
		return nil
	case english && n == -1 && !(end == len(f.ts) || f.ts[end].Kind == token.Mark):
		return nil // "last week", "last sale"
	case english && end < len(f.ts) && f.ts[end].Kind != token.Mark && !harmless.Words[f.norm(end)] &&
		!referAfter[f.norm(end)]:
		return nil
	case end < len(f.ts) && f.ts[end].Kind == token.Number:
		return nil
	case english && i > 1 && inOrder[f.norm(i-1)]:
		return nil // "most expensive first"
	case i > 0 && f.ts[i-1].Kind == token.Word && f.ts[i-1].Use == token.Unused && !f.before(i-1) &&
		strings.HasSuffix(w, "ий"):
		return nil // "чай первый": part of a name
	}
	if f.norm(end) == "с" && fromBottom[f.norm(end+1)] || f.norm(end) == "from" {
		j := end + 1
		for f.norm(j) == "the" {
			j++
		}
		if fromBottom[f.norm(j)] {
			return f.one(f.bottom(n), i, j+1)
		}
	}
	switch {
	case fromBottom[f.norm(end)]:
		return f.one(f.bottom(n), i, end+1)
	case fromTop[f.norm(end)]:
		end++
	}
	return f.one(n, i, max(end, f.ofThem(end)))
}

// inOrder are words before "first" and "last" that say in which order rows are shown.
var inOrder = words.Set("expensive cheapest cheap biggest largest smallest highest lowest oldest newest latest " +
	"best worst dearest profitable")

// bottom returns the number of the n-th row from the end of what was shown.
func (f finder) bottom(n int) int { return max(0, min(len(f.IDs), shownLast)+1-max(n, -n)) }
