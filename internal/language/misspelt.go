package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/spelling"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// repairMonths corrects misspelt months and relative days of a task that are one wrong letter away from one word: "за
// сентбярь", "tomorow". Shorter words than six letters are names or other words too often.
func repairMonths(ts []token.Token) {
	const least = 6
	for i := range ts {
		t := &ts[i]
		n := len([]rune(t.Norm))
		if t.Kind != token.Word || t.Use != token.Unused || n < least || token.HasDigit(t.Norm) ||
			quantity.IsCalendarWord(t.Norm) {
			continue
		}
		near := ""
		for _, w := range spellings {
			if m := len([]rune(w)); m < least || m > n+1 || m < n-1 || !names.Near(t.Norm, w) ||
				[]rune(w)[0] != []rune(t.Norm)[0] {
				continue
			}
			if near != "" && words.MonthOf(near) != words.MonthOf(w) {
				near = ""
				break
			}
			near = w
		}
		if near != "" {
			t.Norm, t.Stem, t.Typo = near, token.Stem(near, t.Cyrillic), true
		}
	}
}

// spellOut writes short forms in front of a unit of time in full: "на след неделе", "за прош. месяц".
func spellOut(ts []token.Token) []token.Token {
	for i := range ts {
		full, ok := shortForms[ts[i].Norm]
		j := i + 1
		if j < len(ts) && ts[j].Norm == "." {
			j++
		}
		if !ok || j >= len(ts) || words.TimeUnitOf(ts[j].Norm) == words.NoTime || ts[i].Use != token.Unused {
			continue
		}
		ts[i].Norm, ts[i].Stem, ts[i].Typo = full, token.StemOf(full), true
		if j == i+2 {
			return spellOut(slices.Delete(ts, i+1, i+2)) // the dot
		}
	}
	return ts
}

var shortForms = map[string]string{"след": "следующий", "сл": "следующий", "прош": "прошлый", "пр": "прошлый",
	"пред": "предыдущий", "тек": "текущий", "посл": "последний", "поза": "позапрошлый", "prev": "previous",
	"nxt": "next", "lst": "last", "curr": "current"}

// spellings are the words that a misspelt one may be, in a fixed order.
var spellings = func() []string {
	list := words.Months()
	list = append(list, "вчера", "сегодня", "позавчера", "yesterday", "tomorrow", "weekend")
	slices.Sort(list)
	return list
}()

// correct replaces misspelt words by those that the readers of tasks know (rule R790). Words that a name of the account
// has, words in quotes and those with a capital inside a sentence stay as they are: they may be names.
func (r *reader) correct() {
	dictionary, shouted := spelling.Known(), strings.ToUpper(r.task) == r.task
	for i := range r.ts {
		t := &r.ts[i]
		if t.Kind != token.Word || t.Use != token.Unused || token.HasDigit(t.Norm) ||
			i > 0 && startsUpper(t.Raw) && !shouted || quantity.IsCalendarWord(t.Norm) {
			continue
		}
		w := dictionary.Correct(t.Norm)
		if w == "" || slices.ContainsFunc(r.indexes(), func(x *names.Index) bool { return x.HasWord(t.Norm) }) {
			continue
		}
		t.Norm, t.Stem, t.Typo = w, token.StemOf(w), true
	}
}

// indexes returns the names that the task may mention.
func (r *reader) indexes() []*names.Index {
	if r.known == nil {
		r.known = slices.Clone(r.in.Known)
		if len(r.in.Names) > 0 {
			r.known = append(r.known, names.New(r.in.Names))
		}
	}
	return r.known
}
