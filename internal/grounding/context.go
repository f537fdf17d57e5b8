package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

// context reads what precedes a number: its sign, a currency, and words such as "about".
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

// counted finds what is counted, up to two words further on: "26 overdue orders". In English the last noun counts:
// "26 customer orders".
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
	f.markAt, f.unitEnd = stop, whole
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

// lastWords returns up to n words at the end of a text, in lower case, the last first. Punctuation ends them.
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

// letters is how many bytes of letters the text begins with.
func letters(text string) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		return i
	}
	return len(text)
}
