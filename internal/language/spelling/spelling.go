// Package spelling corrects misspelt words of a task.
package spelling

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/names"
)

// Words are those that a misspelt word may be corrected to, by their length in letters.
type Words map[int][]string

// Add adds a word, which may be the beginning of longer ones.
func (x Words) Add(w string) {
	n := len([]rune(w))
	x[n] = append(x[n], w)
}

// Sort must be called after the last word was added, so that the same misspelling always leads to the same word.
func (x Words) Sort() {
	for n := range x {
		slices.Sort(x[n])
		x[n] = slices.Compact(x[n])
	}
}

// Correct returns the word that a word of a task is one wrong letter away from, with the task's own ending; empty if
// there is none, or if the word is spelt right ([Dictionary.Knows]).
func (x Words) Correct(word string) string {
	rs := []rune(word)
	if len(rs) < Shortest || Known().Knows(word) {
		return ""
	}
	// A pattern may be a stem: the task's word is longer. The first letter is rarely the wrong one.
	for n := min(len(rs)+1, 14); n >= 5; n-- {
		for _, w := range x[n] {
			if first := firstRune(w); first != rs[0] && !strings.Contains(soundsAlike, string([]rune{first, rs[0]})) {
				continue
			}
			for _, cut := range []int{n - 1, n, n + 1} {
				if cut > len(rs) || cut < 4 || len(rs)-cut > 4 {
					continue
				}
				if n == 5 && cut == 5 && vowelSlip(string(rs[:cut]), w) {
					return w + string(rs[cut:]) // "астатки"
				}
				if n < 6 && cut != len(rs) {
					continue
				}
				if n == 5 && cut == 5 && !swapped(string(rs[:cut]), w) {
					continue // one letter for another makes other words of short ones: каска is no касса
				}
				if names.Near(string(rs[:cut]), w) {
					return w + string(rs[cut:])
				}
			}
		}
	}
	return ""
}

// swapped reports whether a and b have the same letters in any order.
func swapped(a, b string) bool {
	x, y := []rune(a), []rune(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// vowelSlip reports whether two words of one length differ in one vowel that sounds like the other.
func vowelSlip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) {
		return false
	}
	slips := 0
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		if slips++; slips > 1 || !strings.Contains(soundsAlike, string([]rune{x[i], y[i]})) {
			return false
		}
	}
	return slips == 1
}

// soundsAlike are pairs of vowels that sound alike: "астатки".
const soundsAlike = "оа ао еи ие"

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}
