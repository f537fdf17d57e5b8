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

// spellOut writes short forms in front of a unit of time in full: "на след неделе", "за прош. месяц".
func spellOut(ts []token.Token) []token.Token {
	ts = withoutDots(ts)
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

// lying writes "где валяются пледы" as "где лежат пледы": with "где" and a name, that asks for the warehouses.
func (r *reader) lying() {
	where := slices.ContainsFunc(r.ts, func(t token.Token) bool { return t.Norm == "где" })
	if !where || len(r.mentions) == 0 {
		return
	}
	for i := range r.ts {
		if w := lies[r.ts[i].Norm]; w != "" && r.ts[i].Use == token.Unused {
			r.ts[i].Norm, r.ts[i].Stem = w, token.StemOf(w)
		}
	}
}

var lies = map[string]string{"валяется": "лежит", "валяются": "лежат", "пылится": "лежит", "пылятся": "лежат",
	"завалялся": "лежит", "завалялась": "лежит", "завалялись": "лежат", "застрял": "лежит", "застряли": "лежат",
	"прячется": "лежит", "прячутся": "лежат", "спрятан": "лежит", "спрятаны": "лежат", "торчит": "лежит",
	"тусуется": "лежит"}

// withoutDots leaves out the dots behind abbreviations inside a task: "ср. чек", "100 тыс. руб. за квартал".
func withoutDots(ts []token.Token) []token.Token {
	for i := len(ts) - 2; i > 0; i-- {
		if ts[i].Norm == "." && ts[i].Kind == token.Mark && abbreviations[ts[i-1].Norm] &&
			ts[i].Start == ts[i-1].End {
			ts = slices.Delete(ts, i, i+1)
		}
	}
	return ts
}

var abbreviations = words.Set("тыс млн руб шт ср кг гр коп кол мин макс ед уп нед мес кв")

var shortForms = map[string]string{"след": "следующий", "сл": "следующий", "прош": "прошлый", "пр": "прошлый",
	"пред": "предыдущий", "тек": "текущий", "посл": "последний", "поза": "позапрошлый", "prev": "previous",
	"nxt": "next", "lst": "last", "curr": "current"}

// correct replaces misspelt words by those that the readers of tasks know (rule R790). Words that a name of the account
// has, words in quotes and those with a capital inside a sentence, but for months, stay as they are: they may be names.
func (r *reader) correct() {
	dictionary, shouted := spelling.Known(), strings.ToUpper(r.task) == r.task
	for i := range r.ts {
		t := &r.ts[i]
		if t.Kind != token.Word || t.Use != token.Unused || token.HasDigit(t.Norm) ||
			quantity.IsCalendarWord(t.Norm) {
			continue
		}
		w := dictionary.Correct(t.Norm)
		named := i > 0 && startsUpper(t.Raw) && !shouted && !quantity.IsCalendarWord(w)
		if w == "" || named || slices.ContainsFunc(r.indexes(), func(x *names.Index) bool {
			return x.HasWord(t.Norm)
		}) {
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
