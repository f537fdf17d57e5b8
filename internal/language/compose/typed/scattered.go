package typed

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// scattered reads words that mean nothing by themselves as a phrase of the lexicon whose other words stand elsewhere in
// the task: "пришло в октябре денег" is "денег пришло" (rule R871). Phrases with a preposition or a negation count in
// their own order only.
func (s *Sentence) scattered() {
	for _, it := range s.Items {
		t := &s.Tokens[it.At]
		if it.Kind != Unexplained || it.End != it.At+1 || t.Kind != token.Word || t.Use != token.Unused ||
			s.Means(it.At) {
			continue
		}
		if e, parts := s.together(it); e != nil {
			it.Kind, it.ID = e.kind, e.id
			for _, p := range parts {
				p.Kind, p.ID = Function, ""
			}
		}
	}
}

// together returns the longest phrase that has the word of an item and only words of the task, and the items of its
// other words; nil if there is none, or several that mean different things.
func (s *Sentence) together(it *Item) (found *entry, parts []*Item) {
	for _, e := range s.x.scattered[s.Tokens[it.At].Stem] {
		if found != nil && len(e.words) < len(found.words) {
			continue
		}
		items := s.elsewhere(e, it)
		switch {
		case items == nil:
		case found == nil || len(e.words) > len(found.words):
			found, parts = e, items
		case found.id != e.id:
			return nil, nil
		}
	}
	return found, parts
}

// elsewhere returns the items of the words of a phrase but the one of its item; nil unless the task has all of them,
// each by itself.
func (s *Sentence) elsewhere(e *entry, it *Item) (items []*Item) {
	own := s.Tokens[it.At].Stem
	for _, w := range e.words {
		if w == own {
			continue
		}
		i := slices.IndexFunc(s.Items, func(o *Item) bool {
			t := &s.Tokens[o.At]
			return o.End == o.At+1 && t.Use == token.Unused && t.Stem == w && !slices.Contains(items, o) &&
				(o.Kind == Function || o.Kind == Unexplained || o.Kind == Measure || o.Kind == InMoney ||
					o.Kind == Dimension && !s.behindPer(o))
		})
		if i < 0 {
			return nil
		}
		items = append(items, s.Items[i])
	}
	return items
}

// behindPer reports whether an item stands right behind a word such as "по".
func (s *Sentence) behindPer(it *Item) bool {
	i := slices.Index(s.Items, it)
	return i > 0 && s.Items[i-1].Kind == Per
}

// scatters reports whether the words of a phrase mean the same in any order: at least two say something, and none is a
// preposition or a negation.
func (x *lexicon) scatters(e *entry) bool {
	if len(e.words) < 2 || e.kind != Measure || e.exact || e.order != "" || e.least != "" || e.none {
		return false
	}
	says := 0
	for k, w := range e.words {
		if orderly[e.forms[k]] {
			return false
		}
		if !x.function[w] && !x.function[e.forms[k]] {
			says++
		}
	}
	return says > 1
}

// orderly are words whose place in a phrase counts.
var orderly = words.Set("в во на по с со из у от до за к о об для под над при без не ни нет если чем и или in on at of " +
	"to by for from последний последняя последние первый раз with without not no than and or if per under over")
