package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

// context reads what precedes a number: its sign, a currency, and words such as "about".
func (s *scanner) context(f *Figure) {
	before := s.text[:f.Start]
	trimmed := strings.TrimRight(before, "*_` \u00a0\u202f")
	if r, size := utf8.DecodeLastRuneInString(trimmed); size > 0 {
		if u, ok := words.SignOf(r); ok && u.Kind == words.Money {
			f.Kind, f.Currency = words.Money, u.Currency
			f.Start = len(trimmed) - size
			before = s.text[:f.Start]
		} else if word := LastWord(trimmed); word != "" {
			if u, ok := UnitOf(word); ok && u.Kind == words.Money && len(word) == 3 &&
				word == strings.ToUpper(word) {
				f.Kind, f.Currency = words.Money, u.Currency
				before = strings.TrimRight(trimmed[:len(trimmed)-len(word)], " ")
			}
		}
	}
	if r, size := utf8.DecodeLastRuneInString(before); r == '-' || r == '−' || r == '–' {
		if p, _ := utf8.DecodeLastRuneInString(before[:len(before)-size]); len(before) == size ||
			strings.ContainsRune(" \t\n(|*_:\\\u00a0\u202f«\"", p) {
			f.Start -= size
			if f.Start > len(before)-size {
				f.Start = len(before) - size
			}
			before = before[:len(before)-size]
			f.Negative = true
		}
	}
	behind := LastWords(before, 3)
	if strings.HasSuffix(strings.TrimRight(before, " "), "~") ||
		strings.HasSuffix(strings.TrimRight(before, " "), "≈") {
		f.about = roughly
	}
	for i, w := range behind {
		pair := w
		if i+1 < len(behind) {
			pair = behind[i+1] + " " + w
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
	if len(behind) > 0 {
		switch behind[0] {
		case "топ", "top", "первые", "первых", "первая", "first":
			if f.Kind == words.NoUnit {
				f.Kind = Top
			}
		}
	}
}

// unit reads the unit at i. It returns where a mark goes and where the unit ends.
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
			return words.Unit{Kind: words.Percent}, stop, j + len("п.п")
		}
		word := s.text[j : j+letters(s.text[j:])]
		found, ok := UnitOf(word)
		switch {
		case attached && scale == 1 && (word == "M" || word == "М"):
			found, ok = words.Unit{Scale: true, Factor: 1e6}, true
		case ok && found.Attached && !attached:
			ok = false
		case !ok && !attached || ok && found.Kind == words.Count:
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
			if found.Kind == words.Count {
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

// counted finds what is counted, up to two words further on: "26 overdue orders". In English the last noun counts:
// "26 customer orders".
func (s *scanner) counted(i int) (found words.Unit, ok bool) {
	for range 3 {
		word := strings.ToLower(s.text[i : i+letters(s.text[i:])])
		if word == "" || Prepositions[word] {
			break
		}
		if u, known := UnitOf(word); known && u.Kind == words.Count {
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

var Prepositions = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("на в во по у от до для с со из и или а но к за при о об in at of on from for per and or the by to with is are was than из-за") {
		m[w] = true
	}
	return m
}()

// apply puts a unit on a figure.
func (s *scanner) apply(f *Figure, u words.Unit, stop, whole int) {
	if f.Kind == Top && u.Kind == words.Count {
		u.Kind = Top
	}
	if u.Kind != words.NoUnit {
		f.Kind, f.Noun = u.Kind, u.Noun
		if u.Currency != "" {
			f.Currency = u.Currency
		}
	}
	if u.Factor > 1 {
		f.scaled = u.Scale
		by := decimal.FromInt(u.Factor)
		for i := range f.Readings {
			f.Readings[i] = reading{f.Readings[i].Value.Mul(by), f.Readings[i].last.Mul(by)}
		}
	}
	f.MarkAt, f.UnitEnd = stop, whole
}

// lastWord is the run of letters that ends a text.
func LastWord(text string) string {
	i := strings.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[i+size:]
}

// lastWords returns up to n words at the end of a text, in lower case, the last first. Punctuation ends them.
func LastWords(text string, n int) []string {
	var out []string
	for len(out) < n {
		text = strings.TrimRight(text, "*_`-–≈~ \u00a0\u202f")
		w := LastWord(text)
		if w == "" {
			break
		}
		out = append(out, strings.ToLower(w))
		text = text[:len(text)-len(w)]
	}
	return out
}

// letters is how many bytes of letters the text begins with.
func letters(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		return i
	}
	return len(text)
}
