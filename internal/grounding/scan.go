package grounding

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

// figure is a number of the text that states something.
type figure struct {
	start, end int // the digits, with their sign
	stop       int // where a mark goes: behind the digits, or behind a sign such as % that follows them
	whole      int // behind the unit
	readings   []reading
	kind       kind
	currency   string
	noun       string
	negative   bool
	opposite   bool // a word such as "loss" may stand for the sign
	scaled     bool // written as thousands or millions
	about      about
	cell       *cell
	clause     int  // index of its clause
	verbatim   bool // in a sentence that is word for word a tool's own
	found      *place
}

// reading is one way to read the digits: "1,234" is two in Russian.
type reading struct {
	value decimal.Decimal
	last  decimal.Decimal // what one more in the last digit written would be
}

// about says how a rounded number may stand to the true one.
type about uint8

const (
	exactly  about = iota
	roughly        // "about": either side
	moreThan       // "more than": the true one is not below
	lessThan       // "almost": the true one is not above
)

// span is a piece of the text.
type span struct{ start, end int }

// scanner finds the figures of one text.
type scanner struct {
	text  string
	l     stockhand.Language
	years [2]int // years that the data is of: such a number without a unit is a year
	taken []span // names, in order: digits in them are no figures
	dates []date // found on the way
	found []*figure
}

func (s *scanner) scan() {
	next := 0
	for i := 0; i < len(s.text); {
		for next < len(s.taken) && s.taken[next].end <= i {
			next++
		}
		if next < len(s.taken) && i >= s.taken[next].start {
			i = s.taken[next].end
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

// link goes over the address of a link, which nobody sees.
func (s *scanner) link(i int) int {
	if n := strings.IndexAny(s.text[i:], ") \n"); n >= 0 && s.text[i+n] == ')' {
		return i + n
	}
	return i
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// foreign takes digits of another script for a figure that nothing can match.
func (s *scanner) foreign(i int) int {
	end := i
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if !unicode.IsDigit(r) {
			break
		}
		end += size
	}
	s.found = append(s.found, &figure{start: i, end: end, stop: end, whole: end})
	return end
}

// word reads a run of letters and digits: an identifier, a link, a number in words, or nothing of ours. It returns
// where to go on.
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
			if u, ok := unitOf(s.text[i:end]); ok && u.Kind == money { // "RUB500"
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
			return i + first // "x500 ₽" is an amount, whatever stands before it
		}
	}
	return s.identifier(end)
}

// identifier goes on to the end of what is joined by dashes: "A-1198", a UUID.
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

// unitBehind tells whether a sign or a word of money or percent follows.
func (s *scanner) unitBehind(i int) bool {
	u, _, _ := s.unit(i)
	return u.Kind == money || u.Kind == percent
}

// digits takes the digits at i with their separators, as far as they are one number.
func (s *scanner) digits(i int) (end int, groups []string, marks []rune) {
	end = i
	take := func() string {
		from := end
		for end < len(s.text) && isDigit(rune(s.text[end])) {
			end++
		}
		return s.text[from:end]
	}
	groups = append(groups, take())
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		next := end + size
		if next >= len(s.text) || !isDigit(rune(s.text[next])) {
			break
		}
		length := 0
		for next+length < len(s.text) && isDigit(rune(s.text[next+length])) {
			length++
		}
		if r == '’' || isThin(r) {
			r = map[bool]rune{true: ' ', false: '\''}[isThin(r)]
		}
		switch r {
		case ' ', '\'':
			if length != 3 || len(groups[0]) > 3 || groups[0] == "0" || (len(marks) > 0 && marks[len(marks)-1] != r) {
				return end, groups, marks
			}
		case ',', '.':
			// "5,7,9" are three
			if len(marks) > 0 && marks[len(marks)-1] == ',' && r == ',' && len(groups[len(groups)-1]) != 3 {
				return end, groups, marks
			}
		default:
			return end, groups, marks
		}
		marks = append(marks, r)
		end = next
		groups = append(groups, take())
	}
	return end, groups, marks
}

func isThin(r rune) bool {
	return r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '\u2007'
}

// number reads the number that begins at i and returns where to go on.
func (s *scanner) number(i int) int {
	if d, ok := s.date(i); ok {
		if d.key != "" {
			s.dates = append(s.dates, d)
		}
		return d.end
	}
	end, groups, marks := s.digits(i)
	f := &figure{start: i, end: end, stop: end, whole: end}
	s.context(f)
	if n := max(exponent(s.text[end:]), noughts(s.text[end:])); n > 0 { // no form that people are shown
		f.end, f.stop, f.whole = end+n, end+n, end+n
		s.found = append(s.found, f)
		return f.end
	}
	u, stop, whole := s.unit(end)
	if u.Kind == bare && !u.Scale && f.kind == bare {
		if to, nothing := s.statesNothing(i, end, groups, marks); nothing {
			return to
		}
	}
	f.readings = s.readings(groups, marks, u.Kind == money || f.kind == money)
	for k := range f.readings {
		if f.negative {
			f.readings[k].value = f.readings[k].value.Neg()
		}
	}
	s.apply(f, u, stop, whole)
	s.found = append(s.found, f)
	return f.end
}

// exponent is how many bytes of one a text begins with: "e5".
func exponent(text string) int {
	if len(text) < 2 || text[0] != 'e' && text[0] != 'E' {
		return 0
	}
	n := 1
	if text[1] == '-' || text[1] == '+' {
		n++
	}
	if digits := run(text[n:]); digits > 0 {
		return n + digits
	}
	return 0
}

// noughts is how many bytes of letters O, which look like noughts, a text begins with.
func noughts(text string) int {
	n := letters(text)
	if strings.Trim(text[:n], "OoОо") != "" {
		return 0
	}
	return n
}

// apply puts a unit on a figure.
func (s *scanner) apply(f *figure, u words.Unit, stop, whole int) {
	if f.kind == top && u.Kind == count {
		u.Kind = top
	}
	if u.Kind != bare {
		f.kind, f.noun = u.Kind, u.Noun
		if u.Currency != "" {
			f.currency = u.Currency
		}
	}
	if u.Factor > 1 {
		f.scaled = u.Scale
		by := decimal.FromInt(u.Factor)
		for i := range f.readings {
			f.readings[i] = reading{f.readings[i].value.Mul(by), f.readings[i].last.Mul(by)}
		}
	}
	f.stop, f.whole = stop, whole
}

// readings are the ways to read the groups of digits.
func (s *scanner) readings(groups []string, marks []rune, isMoney bool) []reading {
	threes := func(g []string) bool {
		for _, x := range g {
			if len(x) != 3 {
				return false
			}
		}
		return true
	}
	whole := func() []reading { return read(strings.Join(groups, ""), "") }
	fraction := func() []reading {
		return read(strings.Join(groups[:len(groups)-1], ""), groups[len(groups)-1])
	}
	if len(marks) == 0 {
		return whole()
	}
	last := marks[len(marks)-1]
	point := last == ',' || last == '.'
	switch {
	case !point:
		return whole()
	case len(marks) > 1 && marks[0] != last:
		if !threes(groups[1 : len(groups)-1]) {
			return nil
		}
		return fraction()
	case len(marks) > 1:
		if !threes(groups[1:]) {
			return nil
		}
		return whole()
	case len(groups[1]) != 3 || len(groups[0]) > 3 || strings.HasPrefix(groups[0], "0"):
		return fraction()
	case last == ',' && s.l == stockhand.English:
		return whole()
	case last == '.' && s.l == stockhand.English:
		return fraction()
	case isMoney: // money has two places: the mark sets thousands apart
		return whole()
	}
	return append(fraction(), whole()...)
}

func read(whole, fraction string) []reading {
	text := whole
	if fraction != "" {
		text += "." + fraction
	}
	if len(whole)+len(fraction) > 18 {
		return nil
	}
	value, err := decimal.Parse(text)
	if err != nil {
		return nil
	}
	last := decimal.One
	for range fraction {
		last = last.Div(decimal.FromInt(10))
	}
	return []reading{{value, last}}
}

// context reads what stands before a number: its sign, a currency, and words such as "about".
func (s *scanner) context(f *figure) {
	before := s.text[:f.start]
	trimmed := strings.TrimRight(before, "*_` \u00a0\u202f")
	if r, size := utf8.DecodeLastRuneInString(trimmed); size > 0 {
		if u, ok := words.SignOf(r); ok && u.Kind == money {
			f.kind, f.currency = money, u.Currency
			f.start = len(trimmed) - size
			before = s.text[:f.start]
		} else if word := lastWord(trimmed); word != "" {
			if u, ok := unitOf(word); ok && u.Kind == money && len(word) == 3 &&
				word == strings.ToUpper(word) {
				f.kind, f.currency = money, u.Currency
				before = strings.TrimRight(trimmed[:len(trimmed)-len(word)], " ")
			}
		}
	}
	if r, size := utf8.DecodeLastRuneInString(before); r == '-' || r == '−' || r == '–' {
		if p, _ := utf8.DecodeLastRuneInString(before[:len(before)-size]); len(before) == size ||
			strings.ContainsRune(" \t\n(|*_:\\\u00a0\u202f«\"", p) {
			f.start -= size
			if f.start > len(before)-size {
				f.start = len(before) - size
			}
			before = before[:len(before)-size]
			f.negative = true
		}
	}
	words := lastWords(before, 3)
	if strings.HasSuffix(strings.TrimRight(before, " "), "~") ||
		strings.HasSuffix(strings.TrimRight(before, " "), "≈") {
		f.about = roughly
	}
	for i, w := range words {
		pair := w
		if i+1 < len(words) {
			pair = words[i+1] + " " + w
		}
		switch {
		case i > 0 && f.about != exactly:
		case w == "около" || w == "примерно" || w == "порядка" || w == "приблизительно" || w == "about" ||
			w == "around" || w == "approximately" || w == "roughly" || w == "nearly" && i > 0:
			f.about = roughly
		case w == "более" || w == "больше" || w == "свыше" || w == "over" || pair == "more than":
			f.about = moreThan
		case w == "почти" || w == "менее" || w == "меньше" || w == "almost" || w == "nearly" || w == "under" ||
			pair == "less than":
			f.about = lessThan
		}
	}
	if len(words) > 0 {
		switch words[0] {
		case "топ", "top", "первые", "первых", "первая", "first":
			if f.kind == bare {
				f.kind = top
			}
		}
	}
}

// lastWord is the run of letters that ends a text.
func lastWord(text string) string {
	i := strings.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[i+size:]
}

// lastWords are up to n words before a place, in lower case, the nearest first; a mark of punctuation ends them.
func lastWords(text string, n int) []string {
	var out []string
	for len(out) < n {
		text = strings.TrimRight(text, "*_`-–≈~ \u00a0\u202f")
		w := lastWord(text)
		if w == "" {
			break
		}
		out = append(out, strings.ToLower(w))
		text = text[:len(text)-len(w)]
	}
	return out
}

// unit reads the unit at i: where a mark goes behind it, and where it ends.
func (s *scanner) unit(i int) (u words.Unit, stop, whole int) {
	stop, whole = i, i
	var scale int64 = 1
	for range 2 { // a scale, then a unit
		j := i
		if scale > 1 && strings.HasPrefix(s.text[j:], ".") { // "тыс. руб."
			j++
		}
		for j < len(s.text) {
			r, size := utf8.DecodeRuneInString(s.text[j:])
			if !isThin(r) && r != '*' && r != '_' && r != '`' || j-i > 4 {
				break
			}
			j += size
		}
		attached := j == i
		r, size := utf8.DecodeRuneInString(s.text[j:])
		if sign, ok := words.SignOf(r); ok {
			sign.Factor, sign.Scale = scale, scale > 1
			return sign, j + size, j + size
		}
		if strings.HasPrefix(s.text[j:], "п.п") || strings.HasPrefix(s.text[j:], "п. п") {
			return words.Unit{Kind: percent}, stop, j + len("п.п")
		}
		word := s.text[j : j+letters(s.text[j:])]
		found, ok := unitOf(word)
		switch {
		case attached && scale == 1 && (word == "M" || word == "М"):
			found, ok = words.Unit{Scale: true, Factor: 1e6}, true
		case ok && found.Attached && !attached:
			ok = false
		case !ok && !attached || ok && found.Kind == count:
			found, ok = s.counted(j)
		}
		if !ok {
			break
		}
		i = j + len(word)
		whole = max(whole, i)
		if !found.Scale {
			if found.Factor == 0 {
				found.Factor = 1
			}
			found.Factor, found.Scale = found.Factor*scale, scale > 1
			if found.Kind == count {
				whole = max(stop, j+len(word))
			}
			return found, stop, whole
		}
		scale *= found.Factor
		if attached {
			stop = i
		}
	}
	return words.Unit{Factor: scale, Scale: scale > 1}, stop, whole
}

// counted finds what is counted behind up to two other words: "26 overdue orders". English puts what it is of before
// it: "26 customer orders".
func (s *scanner) counted(i int) (found words.Unit, ok bool) {
	for range 3 {
		word := strings.ToLower(s.text[i : i+letters(s.text[i:])])
		if word == "" || prepositions[word] {
			break
		}
		if u, known := unitOf(word); known && u.Kind == count {
			found, ok = u, true
			if word[0] >= utf8.RuneSelf {
				break
			}
		}
		i += len(word)
		if i >= len(s.text) || s.text[i] != ' ' {
			break
		}
		i++
	}
	return found, ok
}

var prepositions = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("на в во по у от до для с со из и или а но к за при о об in at of on from for per and or the by to with is are was than из-за") {
		m[w] = true
	}
	return m
}()

// letters is how many bytes of letters the text begins with.
func letters(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		return i
	}
	return len(text)
}

// statesNothing tells whether a number without a unit is no figure, and where to go on then: one of a list, an ordinal,
// an identifier, a size.
func (s *scanner) statesNothing(i, end int, groups []string, marks []rune) (int, bool) {
	after := s.text[end:]
	next, _ := utf8.DecodeRuneInString(after)
	start := strings.LastIndexByte(s.text[:i], '\n') + 1
	lead := strings.Trim(s.text[max(start, i-farthest):i], " \t#>*-_•|")
	single := len(marks) == 0 && len(groups[0]) <= 3
	switch {
	case lead == "" && single && (strings.HasPrefix(after, ".") || strings.HasPrefix(after, ")")) &&
		(len(after) == 1 || strings.ContainsRune(" *_\t", rune(after[1]))):
		return end, true // of a list
	case single && len(groups[0]) < 3 && next == ')' && !strings.Contains(s.text[max(start, i-farthest):i], "("):
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
	w := strings.ToLower(lastWord(before))
	return w == "топ" || w == "top"
}

func alnum(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); i >= 0 {
		return i
	}
	return len(text)
}

// join gives the first of a range the unit of the second: "5–7 kg", "from 1.2 to 1.5 million".
func (s *scanner) join() {
	for i := len(s.found) - 2; i >= 0; i-- {
		a, b := s.found[i], s.found[i+1]
		if a.whole > b.start {
			continue
		}
		between := strings.TrimSpace(s.text[a.whole:b.start])
		closed := false
		switch strings.ToLower(between) {
		case "-", "–", "—", "…", "...", "до", "to":
			closed = true
		case "и", "and", "или", "or", "из", "of":
		default:
			continue
		}
		if a.kind != bare || b.kind == bare {
			continue
		}
		a.kind, a.currency, a.noun = b.kind, b.currency, b.noun
		if closed && b.scaled && !a.scaled && len(b.readings) > 0 && len(a.readings) > 0 {
			a.scaled = true
			for _, scale := range []int64{1e3, 1e6, 1e9} {
				if x := b.readings[0].value.Div(decimal.FromInt(scale)); x.Less(decimal.FromInt(1000)) {
					by := decimal.FromInt(scale)
					a.readings[0] = reading{a.readings[0].value.Mul(by), a.readings[0].last.Mul(by)}
					break
				}
			}
		}
	}
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
