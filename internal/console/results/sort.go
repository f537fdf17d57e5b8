package results

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/tool"
)

// sortKey is a cell as it is compared, so that each is converted once.
type sortKey struct {
	at     int
	empty  bool
	head   uint64 // the bytes of text where the column's texts begin to differ: most comparisons end here
	number int64  // of figures, in the same power of ten
	text   string // of a figure, its currency
}

// sortRows sorts positions by a column. Unknown cells come last in either direction, equal ones keep their order.
func sortRows(rows tool.Rows, at []int, column int, down bool) {
	keys := make([]sortKey, len(at))
	exact := figures(keys, rows, at, column)
	// the halves of a large table are prepared and sorted side by side
	half := len(keys)
	if half >= 2*leastSpan {
		half /= 2
	}
	left, right := keys[:half], keys[half:]
	sideBySide := func(do func([]sortKey)) {
		var second sync.WaitGroup
		second.Go(func() { do(right) })
		do(left)
		second.Wait()
	}
	sideBySide(func(part []sortKey) { texts(part, rows, column) })
	alike := commonPrefix(keys)
	direction := 1
	if down {
		direction = -1
	}
	compare := func(a, b sortKey) int {
		if a.empty != b.empty {
			if a.empty {
				return 1
			}
			return -1
		}
		c := cmp.Compare(a.head, b.head)
		if c == 0 {
			c = cmp.Compare(a.text, b.text)
		}
		if c == 0 && exact {
			c = cmp.Compare(a.number, b.number)
		} else if c == 0 {
			x, _ := rows[a.at][column].Decimal()
			y, _ := rows[b.at][column].Decimal()
			c = x.Cmp(y)
		}
		return cmp.Or(direction*c, cmp.Compare(a.at, b.at))
	}
	sideBySide(func(part []sortKey) {
		for i := range part {
			if !part[i].empty {
				part[i].head = headOf(part[i].text[alike:])
			}
		}
		slices.SortFunc(part, compare)
	})
	for i := range at {
		if len(right) == 0 || len(left) > 0 && compare(left[0], right[0]) < 0 {
			at[i], left = left[0].at, left[1:]
		} else {
			at[i], right = right[0].at, right[1:]
		}
	}
}

// figures sets the keys but for their texts, and reports whether their numbers are exact.
func figures(keys []sortKey, rows tool.Rows, at []int, column int) (exact bool) {
	scale := 0
	for _, i := range at {
		if n, ok := rows[i][column].Decimal(); ok {
			_, s, _ := n.Parts()
			scale = max(scale, s)
		}
	}
	exact = true
	for i, at := range at {
		v := rows[at][column]
		keys[i] = sortKey{at: at, empty: v.IsEmpty()}
		if n, ok := v.Decimal(); ok {
			digits, s, negative := n.Parts()
			var fits bool
			keys[i].number, fits = scaled(digits, scale-s, negative)
			exact = exact && fits
			keys[i].text = v.Currency()
		}
	}
	return exact
}

// texts sets the texts of keys, all in one piece of memory.
func texts(keys []sortKey, rows tool.Rows, column int) {
	size := 0
	for _, k := range keys {
		size += len(rows[k.at][column].Text())
	}
	folded := make([]byte, 0, size)
	ends := make([]int, len(keys))
	for i, k := range keys {
		folded = appendFolded(folded, rows[k.at][column].Text())
		ends[i] = len(folded)
	}
	all, from := string(folded), 0
	for i := range keys {
		if ends[i] > from {
			keys[i].text = all[from:ends[i]]
		}
		from = ends[i]
	}
}

// commonPrefix returns how many bytes all texts begin with alike. Unknown cells have no text and do not count.
func commonPrefix(keys []sortKey) int {
	var first string
	most := -1
	for _, k := range keys {
		switch {
		case k.empty:
		case most < 0:
			first, most = k.text, len(k.text)
		default:
			n := min(most, len(k.text))
			if k.text[:n] == first[:n] {
				most = n
				continue
			}
			for most = 0; k.text[most] == first[most]; most++ {
			}
		}
	}
	return max(most, 0)
}

// headOf returns the first bytes of a text as a number that is ordered as the texts are.
func headOf(s string) uint64 {
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}

// fold returns a text as it is compared: in lower case, with е for ё.
func fold(s string) string { return string(appendFolded(make([]byte, 0, len(s)), s)) }

// appendFolded appends a text as [fold] returns it.
func appendFolded(to []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			to = append(to, byte(r))
			continue
		case 'А' <= r && r <= 'Я':
			r += 'а' - 'А'
		case 'а' <= r && r <= 'я':
		case r == 'Ё' || r == 'ё':
			r = 'е'
		default:
			r = unicode.ToLower(r)
		}
		to = utf8.AppendRune(to, r)
	}
	return to
}

// scaled returns digits times a power of ten, and whether that is exact.
func scaled(digits uint64, power int, negative bool) (int64, bool) {
	for ; power > 0; power-- {
		if digits > math.MaxInt64/10 {
			return 0, false
		}
		digits *= 10
	}
	if digits > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(digits), true
	}
	return int64(digits), true
}
