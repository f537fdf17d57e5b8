package token

import "slices"

// Wording is a message of known words in any order: at least one word of each class that it needs, among words that
// may stand beside them.
type Wording struct {
	Needs  []map[string]bool
	Beside map[string]bool
}

// Rest returns the tokens that are neither of the wording nor idle, such as a name; ok is false if a class that it
// needs has no word. Marks are left out, and quoted text is always of the rest.
func (w Wording) Rest(ts []Token, idle map[string]bool) (rest []int, ok bool) {
	said := make([]bool, len(w.Needs))
	for i := range ts {
		t := &ts[i]
		if t.Kind == Quoted {
			rest = append(rest, i)
			continue
		}
		needed := false
		for k, class := range w.Needs {
			if class[t.Norm] {
				said[k], needed = true, true
			}
		}
		if !needed && t.Kind != Mark && !w.Beside[t.Norm] && !idle[t.Norm] {
			rest = append(rest, i)
		}
	}
	return rest, !slices.Contains(said, false)
}

// Is reports whether the tokens are the wording and idle words, and nothing else.
func (w Wording) Is(ts []Token, idle map[string]bool) bool {
	rest, ok := w.Rest(ts, idle)
	return ok && len(rest) == 0
}
