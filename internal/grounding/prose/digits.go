package prose

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// digits returns the digits at i in groups, with the separators between them, as far as they are one number.
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

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// readings returns the ways to read groups of digits.
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
	case isMoney: // money has two decimal places, so this separates thousands
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

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
