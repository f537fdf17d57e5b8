// Package prose finds the figures, dates and months of a text in Russian or English: amounts, percentages, quantities,
// counts and days as people write them. What the figures mean, and whether they are right, is not its concern.
package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

// find returns the figures and the dates of a text, each in order. Digits in the names, which are in order, are not
// figures. The years are the first and the last of the data.
func Find(text string, l stockhand.Language, years [2]int, names ...Span) (figures []*Figure, dates []Date) {
	s := &scanner{text: text, l: l, years: years, names: names}
	s.scan()
	return s.found, s.dates
}

// unitAt returns the unit of a number that ends at i.
func UnitAt(text string, i int) words.Unit {
	s := &scanner{text: text}
	u, _, _ := s.unit(i)
	return u
}

// mostLead is the number of bytes before a number that may make it the number of a list item.
const mostLead = 300

// scanner finds the figures of one text.
type scanner struct {
	text  string
	l     stockhand.Language
	years [2]int // first and last year of the data
	names []Span // names, in order: digits in them are not figures
	dates []Date // in order
	found []*Figure
}

func (s *scanner) scan() {
	next := 0
	for i := 0; i < len(s.text); {
		for next < len(s.names) && s.names[next].End <= i {
			next++
		}
		if next < len(s.names) && i >= s.names[next].Start {
			i = s.names[next].End
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[i:])
		switch {
		case isDigit(r):
			i = s.number(i)
		case unicode.IsDigit(r):
			i = s.foreign(i)
		case unicode.IsLetter(r) || r == '_':
			i = s.word(i)
		case r == ']' && strings.HasPrefix(s.text[i:], "]("):
			i = s.link(i + 2)
		default:
			i += size
		}
	}
	s.join()
}

// link skips the address of a link, which readers do not see.
func (s *scanner) link(i int) int {
	if n := strings.IndexAny(s.text[i:], ") \n"); n >= 0 && s.text[i+n] == ')' {
		return i + n
	}
	return i
}

// foreign reads digits of another script as a figure that matches nothing.
func (s *scanner) foreign(i int) int {
	end := i
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if !unicode.IsDigit(r) {
			break
		}
		end += size
	}
	s.found = append(s.found, &Figure{Start: i, End: end, MarkAt: end, UnitEnd: end})
	return end
}

// word reads a run of letters and digits: an identifier, a link, a number in words or an ordinary word. It returns
// where to continue.
func (s *scanner) word(i int) int {
	end := i
	digits := false
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		if unicode.IsDigit(r) {
			digits = true
			if u, ok := UnitOf(s.text[i:end]); ok && u.Kind == words.Money { // "RUB500"
				return end
			}
		}
		end += size
	}
	if rest := s.text[end:]; strings.HasPrefix(rest, "://") {
		if space := strings.IndexAny(rest, " \n\t)>]"); space >= 0 {
			return end + space
		}
		return len(s.text)
	}
	if !digits {
		return s.spelled(i, end)
	}
	if s.unitBehind(end) {
		if first := strings.IndexFunc(s.text[i:end], isDigit); first > 0 {
			return i + first // "x500 ₽" is an amount, whatever precedes it
		}
	}
	return s.identifier(end)
}

// identifier returns the end of what dashes and points join: "A-1198", a UUID.
func (s *scanner) identifier(end int) int {
	for end+1 < len(s.text) && (s.text[end] == '-' || s.text[end] == '.') {
		r, _ := utf8.DecodeRuneInString(s.text[end+1:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		end++
		for end < len(s.text) {
			r, size := utf8.DecodeRuneInString(s.text[end:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			end += size
		}
	}
	return end
}

// unitBehind reports whether a unit of money or percent follows.
func (s *scanner) unitBehind(i int) bool {
	u, _, _ := s.unit(i)
	return u.Kind == words.Money || u.Kind == words.Percent
}

// number reads the number that begins at i and returns where to continue.
func (s *scanner) number(i int) int {
	if d, ok := s.date(i); ok {
		if d.Key != "" {
			s.dates = append(s.dates, d)
		}
		return d.End
	}
	end, groups, marks := s.digits(i)
	f := &Figure{Start: i, End: end, MarkAt: end, UnitEnd: end}
	s.context(f)
	if n := max(exponent(s.text[end:]), lettersO(s.text[end:])); n > 0 { // not a form that people write
		f.End, f.MarkAt, f.UnitEnd = end+n, end+n, end+n
		s.found = append(s.found, f)
		return f.End
	}
	u, stop, whole := s.unit(end)
	if u.Kind == words.NoUnit && !u.Scale && f.Kind == words.NoUnit {
		if to, nothing := s.notAFigure(i, end, groups, marks); nothing {
			return to
		}
	}
	f.Readings = s.readings(groups, marks, u.Kind == words.Money || f.Kind == words.Money)
	for k := range f.Readings {
		if f.Negative {
			f.Readings[k].Value = f.Readings[k].Value.Neg()
		}
	}
	s.apply(f, u, stop, whole)
	s.found = append(s.found, f)
	return f.End
}

// exponent returns the length of the exponent ("e5") that a text begins with.
func exponent(text string) int {
	if len(text) < 2 || text[0] != 'e' && text[0] != 'E' {
		return 0
	}
	n := 1
	if text[1] == '-' || text[1] == '+' {
		n++
	}
	if digits := DigitsIn(text[n:]); digits > 0 {
		return n + digits
	}
	return 0
}

// lettersO returns the length of the run of letters O, which look like zeros, that a text begins with.
func lettersO(text string) int {
	n := letters(text)
	if strings.Trim(text[:n], "OoОо") != "" {
		return 0
	}
	return n
}

// notAFigure reports whether a number without a unit is not a figure, and where to continue then: the number of a
// list item, an ordinal, an identifier, a size.
func (s *scanner) notAFigure(i, end int, groups []string, marks []rune) (int, bool) {
	after := s.text[end:]
	next, _ := utf8.DecodeRuneInString(after)
	start := strings.LastIndexByte(s.text[:i], '\n') + 1
	lead := strings.Trim(s.text[max(start, i-mostLead):i], " \t#>*-_•|")
	single := len(marks) == 0 && len(groups[0]) <= 3
	switch {
	case lead == "" && single && (strings.HasPrefix(after, ".") || strings.HasPrefix(after, ")")) &&
		(len(after) == 1 || strings.ContainsRune(" *_\t", rune(after[1]))):
		return end, true // of a list item
	case single && len(groups[0]) < 3 && next == ')' && !strings.Contains(s.text[max(start, i-mostLead):i], "("):
		return end, true
	case strings.HasSuffix(strings.TrimRight(s.text[:i], " \u00a0"), "№") || strings.HasSuffix(s.text[:i], "#"):
		return end, true
	case len(marks) == 0 && len(groups[0]) > 1 && groups[0][0] == '0', len(marks) == 0 && len(groups[0]) >= 12:
		return s.identifier(end), true
	case unicode.IsLetter(next):
		n := letters(after)
		to := s.identifier(end + n + alnum(after[n:]))
		return to, !s.unitBehind(to) // "5AB ₽" is an amount
	case next == '-' && single:
		if n := letters(after[1:]); n > 0 { // "3-й", "2-го"
			return end + 1 + n, true
		}
	case next == '×' || next == '/' && s.text[i:end] == "24":
		_, size := utf8.DecodeRuneInString(after)
		return end + size + alnum(after[size:]), true
	}
	if r, size := utf8.DecodeLastRuneInString(s.text[:i]); r == '-' {
		if p, _ := utf8.DecodeLastRuneInString(s.text[:i-size]); unicode.IsLetter(p) && !hasTop(s.text[:i-size]) {
			return s.identifier(end), true
		}
	}
	if dots := strings.Count(string(marks), "."); dots > 1 && len(groups[len(groups)-1]) != 3 {
		return end, true // a version
	}
	return end, false
}

func hasTop(before string) bool {
	w := strings.ToLower(LastWord(before))
	return w == "топ" || w == "top"
}

func alnum(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i >= 0 {
		return i
	}
	return len(text)
}

// join gives the first number of a range the unit of the second: "5–7 kg", "from 1.2 to 1.5 million".
func (s *scanner) join() {
	for i := len(s.found) - 2; i >= 0; i-- {
		a, b := s.found[i], s.found[i+1]
		if a.UnitEnd > b.Start {
			continue
		}
		between := strings.TrimSpace(s.text[a.UnitEnd:b.Start])
		closed := false
		switch strings.ToLower(between) {
		case "-", "–", "—", "…", "...", "до", "to":
			closed = true
		case "и", "and", "или", "or", "из", "of":
		default:
			continue
		}
		if a.Kind != words.NoUnit || b.Kind == words.NoUnit {
			continue
		}
		a.Kind, a.Currency, a.Noun = b.Kind, b.Currency, b.Noun
		if closed && b.scaled && !a.scaled && len(b.Readings) > 0 && len(a.Readings) > 0 {
			a.scaled = true
			for _, scale := range []int64{1e3, 1e6, 1e9} {
				if x := b.Readings[0].Value.Div(decimal.FromInt(scale)); x.Less(decimal.FromInt(1000)) {
					by := decimal.FromInt(scale)
					a.Readings[0] = reading{a.Readings[0].Value.Mul(by), a.Readings[0].last.Mul(by)}
					break
				}
			}
		}
	}
}
