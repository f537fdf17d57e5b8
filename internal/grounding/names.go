package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/words"
)

// role is what the words of a column are to the figures of their row.
type role uint8

const (
	nothing   role = iota
	subject        // what the row is about: a product, an order, an account
	attribute      // what several rows share: a supplier, a warehouse
	weak           // an everyday word, such as a status
	day            // a date that the row is about
)

// name is a text that names rows of the sources.
type name struct {
	tokens          []string
	raw             string
	from            columnRef // where raw was found
	code            bool      // an article or a number, which must be written as it is
	looksLikeFigure bool      // it looks like an amount or a percentage, and is a name only in quotes
	role            role
	rows            map[int][]int // by table
	scopes          map[int]bool  // sources that are about it as a whole and have no row for it
	about           []fact        // figures of the tools' own sentences about it
}

// nameIndex finds names in texts. It has only the names whose words all occur in those texts, so that a table of ten
// thousand rows leaves a handful.
type nameIndex struct {
	vocabulary map[string]struct{}
	byFirst    map[string][]*name
	byKey      map[string]*name
	known      map[string][]*name // by the text of the cell; nil for one that no text has
}

func newNameIndex() *nameIndex {
	return &nameIndex{vocabulary: map[string]struct{}{}, byFirst: map[string][]*name{}, byKey: map[string]*name{},
		known: map[string][]*name{}}
}

// learn adds a text in which names will be looked for.
func (x *nameIndex) learn(text string) {
	for _, t := range prose.Tokens(text) {
		x.vocabulary[t.Folded] = struct{}{}
	}
}

// add records that a row has a cell with this text.
func (x *nameIndex) add(cell string, r role, from columnRef, row int) {
	var buf [64]byte
	first, legal := firstWord(cell, buf[:0])
	if _, in := x.vocabulary[string(first)]; !in && !legal {
		return
	}
	names, seen := x.known[cell]
	if !seen {
		names = x.register(cell, from)
		x.known[cell] = names
	}
	for _, n := range names {
		if n.role == nothing || r < n.role {
			n.role = r
		}
		if n.from.table == from.table && from.column < n.from.column {
			n.write(cell, from) // as in the first column that has it
		}
		if rows := n.rows[from.table]; len(rows) == 0 || rows[len(rows)-1] != row {
			n.rows[from.table] = append(rows, row)
		}
	}
}

// done sorts the rows of each name. A name may occur in several columns.
func (x *nameIndex) done() {
	for _, n := range x.byKey {
		for t, rows := range n.rows {
			slices.Sort(rows)
			n.rows[t] = slices.Compact(rows)
		}
	}
}

// register returns the names of a cell: its text, and for a company the text without the legal form.
func (x *nameIndex) register(cell string, from columnRef) []*name {
	var parts []string
	for _, t := range prose.Tokens(cell) {
		parts = append(parts, t.Folded)
	}
	var out []*name
	variants := [][]string{parts}
	if len(parts) > 1 && words.IsLegalForm(parts[0]) {
		variants = append(variants, parts[1:])
	}
	for _, v := range variants {
		if !x.allKnown(v) {
			continue
		}
		n := x.named(cell, v, from)
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}

func (x *nameIndex) named(raw string, parts []string, from columnRef) *name {
	key := strings.Join(parts, " ")
	if n := x.byKey[key]; n != nil {
		return n
	}
	lettersIn, digitsIn := 0, false
	for _, r := range key {
		if unicode.IsLetter(r) {
			lettersIn++
		}
		digitsIn = digitsIn || unicode.IsDigit(r)
	}
	n := &name{tokens: parts, code: lettersIn < 4 && digitsIn, rows: map[int][]int{}, scopes: map[int]bool{}}
	if !digitsIn && lettersIn < 3 {
		return nil
	}
	n.write(raw, from)
	x.byKey[key] = n
	x.byFirst[parts[0]] = append(x.byFirst[parts[0]], n)
	slices.SortStableFunc(x.byFirst[parts[0]], func(a, b *name) int { return len(b.tokens) - len(a.tokens) })
	return n
}

// write sets how a name is written where it was found.
func (n *name) write(raw string, from columnRef) {
	n.raw, n.from = raw, from
	var inner []*prose.Figure
	if strings.ContainsFunc(raw, unicode.IsDigit) {
		inner, _ = prose.Find(raw, "", [2]int{})
	}
	n.looksLikeFigure = slices.ContainsFunc(inner,
		func(f *prose.Figure) bool { return f.Kind == money || f.Kind == percent })
}

func (x *nameIndex) allKnown(parts []string) bool {
	for _, w := range parts {
		if _, ok := x.vocabulary[w]; !ok {
			return false
		}
	}
	return len(parts) > 0
}

// firstWord folds the first word of a cell into buf, without an allocation, and reports whether it is a legal form.
func firstWord(cell string, buf []byte) (word []byte, legal bool) {
	for w := range words.Scan(cell) {
		if w.Kind != words.Mark {
			buf = words.AppendFold(buf, cell[w.Start:w.End])
			break
		}
	}
	for i, b := range buf {
		if b == ',' {
			buf[i] = '.'
		}
	}
	return buf, len(buf) <= len("gmbhооо") && words.IsLegalForm(string(buf))
}

// mention is a name in a text.
type mention struct {
	prose.Span
	name *name
}

// find returns the names in a text, in order and without overlap, the longest first.
func (x *nameIndex) find(text string) []mention {
	var out []mention
	all := prose.Tokens(text)
	for i := 0; i < len(all); {
		step := 1
		for _, n := range x.byFirst[all[i].Folded] {
			if i+len(n.tokens) > len(all) || !matches(text, all[i:i+len(n.tokens)], n) {
				continue
			}
			out = append(out, mention{prose.Span{Start: all[i].Start, End: all[i+len(n.tokens)-1].End}, n})
			step = len(n.tokens)
			break
		}
		i += step
	}
	return out
}

func matches(text string, at []prose.Token, n *name) bool {
	for k, w := range n.tokens {
		if at[k].Folded != w {
			return false
		}
		if k > 0 && !connected(text[at[k-1].End:at[k].Start], n.raw) {
			return false
		}
	}
	start, end := at[0].Start, at[len(at)-1].End
	if n.role == weak && len(n.tokens) == 1 && !quoted(text, start, end) {
		return false
	}
	if !n.code {
		return true
	}
	if !strings.EqualFold(strings.Trim(text[start:end], "\\"), trimName(n.raw)) {
		return false
	}
	if r, _ := utf8.DecodeLastRuneInString(text[:start]); r == '-' || r == ',' || r == '.' {
		return false
	}
	return !allDigits(n.raw) || idLike(text, start, end)
}

func trimName(raw string) string {
	return strings.TrimFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func allDigits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) }) < 0
}

// idLike reports whether digits are written as an identifier: with leading zeros, after a word such as "заказ", or too
// many for anything else. An amount that happens to equal an article stays an amount.
func idLike(text string, start, end int) bool {
	if prose.UnitAt(text, end).Kind != bare {
		return false
	}
	if text[start] == '0' && end-start > 1 || end-start >= 12 {
		return true
	}
	before := strings.TrimRight(text[:start], " \u00a0«\"*_")
	if strings.HasSuffix(before, "№") || strings.HasSuffix(before, "#") {
		return true
	}
	switch strings.ToLower(prose.LastWord(before)) {
	case "заказ", "заказа", "заказу", "заказе", "заказом", "арт", "артикул", "артикула", "код", "кода", "кодом",
		"order", "article", "code", "sku":
		return true
	}
	return false
}

// connected reports whether the text between two words of a name is only markup, quotation marks and dashes, or what
// is in the name.
func connected(gap, name string) bool {
	if strings.Contains(name, gap) {
		return true
	}
	if len(gap) > 12 {
		return false
	}
	for _, r := range gap {
		if r == '\n' || r == '|' || r == ';' || r == '?' || r == '!' {
			return false
		}
	}
	return true
}

func quoted(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return strings.ContainsRune("«\"“„'|*", before) && strings.ContainsRune("»\"”“'|*", after) || before == ' ' &&
		after == ' ' && strings.HasSuffix(text[:start], "| ")
}
