// Package courtesy finds what people say beside their question and what changes no question: politeness, impatience,
// for whom or why they ask. "Будьте добры, покажите остатки, а то шеф спрашивает" asks for the stock.
package courtesy

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
	"github.com/stockhand/stockhand/internal/words"
)

//go:embed vocabulary/*.words
var files embed.FS

// entries are those of the files.
var entries = sync.OnceValue(func() []vocabulary.Entry {
	list, err := vocabulary.Read(files, "vocabulary")
	if err != nil {
		panic("courtesy: " + err.Error())
	}
	return list
})

// books are the phrases by section.
var books = func() map[string]vocabulary.Book[string] {
	m := map[string]vocabulary.Book[string]{"phrase": {}, "purpose": {}, "person": {}, "says": {}, "reason": {},
		"meeting": {}, "tell": {}, "closing": {}}
	for _, e := range entries() {
		b, ok := m[e.Section]
		if e.Section == "verb" || e.Section == "light" {
			continue
		}
		if !ok {
			panic("courtesy: " + e.Place + ": unknown section " + e.Section)
		}
		for _, p := range e.Phrases {
			if e.Section == "phrase" && !strings.HasPrefix(p, "=") &&
				(e.Meaning == "frames" || !strings.ContainsAny(p, " -")) {
				p = "=" + p // "чисто" but not "чистый", "по фирме" but not "по фирмам"
			}
			if err := b.Add(p, e.Meaning); err != nil {
				panic("courtesy: " + e.Place + ": " + err.Error())
			}
		}
	}
	for _, b := range m {
		b.Sort()
	}
	return m
}()

// Mark marks the tokens of courtesy as used, unless nothing else is left of the task (rule R335).
func Mark(ts []token.Token) {
	said := make([]bool, len(ts))
	for i := 0; i < len(ts); {
		end := clause(ts, i)
		for k := i; k < end; k++ {
			said[k] = true
		}
		i = max(end, i+1)
	}
	left := false
	for i := range ts {
		left = left || !said[i] && ts[i].Kind != token.Mark && ts[i].Use == token.Unused && len([]rune(ts[i].Norm)) > 2
	}
	if !left {
		return
	}
	for i := range ts {
		if said[i] && ts[i].Kind != token.Mark {
			ts[i].Use = token.AsAccount
		}
	}
}

// clause returns the token after the courtesy that begins at token i, or 0.
func clause(ts []token.Token, i int) int {
	if ts[i].Kind != token.Word || ts[i].Use != token.Unused {
		return 0
	}
	if end := closing(ts, i); end > 0 {
		return end
	}
	if end := at("phrase", ts, i); end > 0 {
		if end < len(ts) && ts[end].Kind == token.Number || end < len(ts) && prices[ts[end].Norm] {
			return 0 // "скинь 10 %", "сбрось цены"
		}
		if lowering[ts[i].Norm] && numbered(ts) {
			return 0 // "скинь на посуду 10 %"
		}
		return end
	}
	if end := purpose(ts, i); end > 0 {
		if n := next("says", ts, end); n > 0 && needs[ts[end].Norm] {
			return n
		}
		return end
	}
	if needs[ts[i].Norm] { // "нужно для налоговой"
		j := i + 1
		if j < len(ts) && (ts[j].Norm == "it" || ts[j].Norm == "this" || ts[j].Norm == "это") {
			j++
		}
		if end := purpose(ts, j); end > 0 {
			return end
		}
	}
	if end := at("tell", ts, i); end > 0 { // "показать начальнику", "отчитаться перед шефом"
		for end < len(ts) && towards[ts[end].Norm] {
			end++
		}
		if n := next("person", ts, end); n > 0 {
			return n
		}
	}
	return speaker(ts, i)
}

// purpose returns the token after "для отчёта", "к планёрке" or "на совещание"; 0 if there is none at token i.
func purpose(ts []token.Token, i int) int {
	if i+1 >= len(ts) || ts[i].Use != token.Unused {
		return 0
	}
	w, j := ts[i].Norm, i+1
	for j < len(ts) && owners[ts[j].Norm] {
		j++
	}
	end := 0
	if w == "для" || w == "for" || w == "под" || w == "ради" {
		end = next("purpose", ts, j)
	}
	if w == "для" || w == "к" || w == "ко" || w == "на" || w == "перед" || w == "for" || w == "before" {
		end = max(end, next("meeting", ts, j))
	}
	if end > 0 {
		end = max(end, next("person", ts, end)) // "для отчёта инвестору"
	}
	return end
}

func at(section string, ts []token.Token, i int) int {
	p, end := books[section].At(ts, i)
	if p == nil {
		return 0
	}
	return end
}

func next(section string, ts []token.Token, i int) int {
	if i >= len(ts) || ts[i].Kind != token.Word || ts[i].Use != token.Unused {
		return 0
	}
	return at(section, ts, i)
}

// closing reads "с уважением, Анна" at the end of a task: a few words, none of which asks.
func closing(ts []token.Token, i int) int {
	const most = 5
	end := at("closing", ts, i)
	if end == 0 || i == 0 || len(ts)-end > most {
		return 0
	}
	if alone := end == i+1 && !signs[ts[i].Norm]; alone && ts[i-1].Kind != token.Mark { // "thanks" within a sentence
		return 0
	}
	if end < len(ts) && binding[ts[end].Norm] {
		return 0 // "заранее спасибо, по складам"
	}
	for k := end; k < len(ts); k++ {
		if ts[k].Kind == token.Number || ts[k].Kind == token.Quoted || questions[ts[k].Norm] ||
			ts[k].Norm == "?" || narrowing[ts[k].Norm] {
			return 0
		}
		if ts[k].Kind == token.Word && k > end+2 {
			return 0
		}
	}
	return len(ts)
}

// binding are words that no name of a person begins with.
var binding = words.Set("без по за до в во на из у с со для к от кроме только но by for from without except only " +
	"in at but")

// signs are words that end a letter wherever they stand.
var signs = words.Set("regards sincerely respectfully")

// questions are the words that a question or an order begins with.
var questions = words.Set("сколько какой какая какое какие каких какому где когда кто кому что чего почему покажи " +
	"покажите выведи дай дайте скажи how what which who where when why show list give tell")

// speaker reads "the accountant wants to know": a person, perhaps a few small words, and what the person does.
func speaker(ts []token.Token, i int) int {
	j := i
	for j < len(ts) && j < i+2 && before[ts[j].Norm] {
		j++
	}
	end := next("person", ts, j)
	if end == 0 || i > 0 && whose[ts[i-1].Norm] {
		return 0
	}
	said := 0
	for end < len(ts) {
		if n := next("says", ts, end); n > 0 {
			said, end = n, n
		} else if between[ts[end].Norm] {
			end++
		} else {
			break
		}
	}
	return said
}

func numbered(ts []token.Token) bool {
	return slices.ContainsFunc(ts, func(t token.Token) bool {
		return t.Kind == token.Number || t.Norm == "%" || strings.HasPrefix(t.Norm, "процент")
	})
}

var (
	lowering = words.Set("скинь скиньте сбрось сбросьте")
	// what follows these may be a condition
	narrowing = words.Set("кроме только лишь если которые который которая которых except only if which that")
)

// prices are words behind which an order changes prices.
var prices = words.Set("цену цены ценник ценники процент процентов немного чуть чуток половину пару наценку")

var (
	needs = words.Set("нужно надо нужен нужна нужны необходимо требуется понадобилось понадобился понадобились " +
		"need needed")
	towards = words.Set("перед to by моему нашему моим нашим моей нашей my our the")
	owners  = words.Set("моего моей нашего нашей нашему нашим своего своей my our the a")
	before  = words.Set("меня мне нас нам у тут там вон вот my the our")
	between = words.Set("мне меня нас нам уже тут там сейчас опять и у мной передо снова еще опять очень on me us " +
		"the now")
	// behind these, people are what is asked about
	whose = words.Set("какой какая какие кто чей от для по у из этот тот каждый с со к и или which what by per from")
)
