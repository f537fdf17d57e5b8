package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	// comparisons open a message that compares what was shown: "сравни с сентябрём", "vs last year".
	comparisons = words.Set("сравни сравнить сопоставь относительно против vs versus compare compared against")
	// modifiers open one that orders, joins or limits it: "по прибыли", "с остатком", "самый дешёвый".
	firstRows = words.Set("топ лучшие худшие top best worst")
	modifiers = words.Set("с со with по by самый самая самое самые отсортируй сортируй упорядочь sort order only только")
)

// dependent reports whether a message only says something about what was shown before: by its first word it compares,
// orders, joins or limits that. What can be no part of it is asked about, and is no task of its own (rule R621).
func (s *sentence) dependent(done *language.Reading) bool {
	first := 0
	leads := false
	for first < len(s.ts) && (s.ts[first].Punctuation() || joins[s.ts[first].Norm] ||
		addingWords[s.ts[first].Norm]) {
		leads = leads || !s.ts[first].Punctuation()
		first++
	}
	if first >= len(s.ts) {
		return false
	}
	w, said := s.norm(first), len(s.ts)-first
	measure := s.has(slot(typed.SpanMeasure))
	switch {
	case comparisons[w], w == "по" && s.norm(first+1) == "сравнению":
		return !s.says(slot(typed.SpanMeasure)) && !s.has("document")
	case w == "по" || w == "by":
		return said <= 3 && measure && !s.has(nameSlots...) && !s.has(slot(typed.SpanDimension))
	case firstRows[w]:
		return said <= mostFragment+1 && measure && !s.has(append(nameSlots, "other name", "document")...) &&
			!s.has(slot(typed.SpanDimension), slot(typed.SpanPeriod))
	case modifiers[w]:
		return said <= mostFragment && measure && !s.has(slot(typed.SpanDimension), slot(typed.SpanPeriod), "document")
	case leads && lookUps[done.Skill]:
		return said <= 2 && measure && !s.has(nameSlots...) && !s.has(slot(typed.SpanPeriod), "document")
	}
	return false
}

// says reports whether a part of a type is a word of the message itself, and no comparison's.
func (s *sentence) says(kind slot) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool {
		return p.slots[0] == kind && !comparisons[s.norm(p.core)] && p.id != ""
	})
}

// fromThem are words for what a list shows: "какие из них не отгружены".
var fromThem = []string{"из них", "из этих", "из этого списка", "из списка", "среди них", "of them", "of these",
	"of those", "from them", "among them"}

// withoutThem returns a message about documents of a list without the words that mean the list; "" if it has none.
// The list's rows have no names, so that the message changes the list.
func withoutThem(task string, done *language.Reading) string {
	if done == nil || !lookUps[done.Skill] || ofCard[done.Skill] {
		return ""
	}
	lower := strings.ToLower(task)
	for _, w := range fromThem {
		if i := strings.Index(lower, w); i >= 0 && len(lower) == len(task) {
			text := strings.TrimSpace(task[:i]) + " " + strings.TrimSpace(task[i+len(w):])
			ts := token.Split(text)
			for len(ts) > 0 && (asksWhich[ts[0].Norm] || ts[0].Punctuation()) {
				ts = ts[1:]
			}
			if len(ts) == 0 {
				return ""
			}
			return text[ts[0].Start:ts[len(ts)-1].End]
		}
	}
	return ""
}

var asksWhich = words.Set("а и какие какой какая which what who кто")
