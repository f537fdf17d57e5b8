package language

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// unknown returns the runs of words that nothing explains.
func (r *reader) unknown() []Phrase {
	var out []Phrase
	for i := 0; i < len(r.ts); i++ {
		if !r.strange(i) {
			continue
		}
		first, last := i, i
		for j := i + 1; j < len(r.ts); j++ {
			t := &r.ts[j]
			switch {
			case r.strange(j) || t.Kind == token.Number && t.Use == token.Unused:
				last = j
				continue
			case t.Kind == token.Mark && t.Glued && j+1 < len(r.ts) && r.ts[j+1].Glued &&
				strings.Contains("-/.+&", t.Norm):
				continue
			case t.Kind == token.Word && (t.Norm == "для" || t.Norm == "с" || t.Norm == "на") && j+1 < len(r.ts) &&
				r.strange(j+1) && t.Use == token.Unused && r.ts[i].Kind != token.Quoted:
				continue
			}
			break
		}
		p := Phrase{Words: r.task[r.ts[first].Start:r.ts[last].End], Named: r.ts[first].Kind == token.Quoted}
		if p.Named && first == last {
			p.Words = r.ts[first].Raw
		}
		if first == last && names.IsChannel(&r.ts[first]) {
			p.Kinds = append(p.Kinds, connector.NameSalesChannel)
		}
		if k, ok := names.KindBeside(r.ts, first, last); ok {
			p.Kinds = append(p.Kinds, k)
			capital := startsUpper(r.ts[first].Raw) || token.HasDigit(p.Words)
			p.Named = p.Named || capital || names.KindSaid(r.ts, first, last) || first == last && r.ofPlace(first)
		} else {
			switch prev := r.normAt(first - 1); prev {
			case "у", "от", "from", "with":
				p.Kinds = append(p.Kinds, connector.NameSupplier, connector.NameCounterparty)
			case "на", "в", "во", "at", "in":
				p.Kinds = append(p.Kinds, connector.NameStore)
			default:
				p.Kinds = append(p.Kinds, partyOf(prev)...)
			}
		}
		for _, k := range []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameSupplier,
			connector.NameStore, connector.NameCounterparty, connector.NamePriceType} {
			if !slices.Contains(p.Kinds, k) {
				p.Kinds = append(p.Kinds, k)
			}
		}
		out = append(out, p)
		i = last
	}
	return out
}

func startsUpper(s string) bool {
	for _, c := range s {
		return unicode.IsUpper(c)
	}
	return false
}

func (r *reader) normAt(i int) string {
	if i < 0 || i >= len(r.ts) {
		return ""
	}
	return r.ts[i].Norm
}

// strange reports whether token i is a word that the lexicon does not know.
func (r *reader) strange(i int) bool {
	t := &r.ts[i]
	if t.Use != token.Unused || t.Typo {
		return false
	}
	if t.Kind == token.Quoted {
		return true
	}
	if words.IsLegalForm(t.Norm) && i+1 < len(r.ts) && r.ts[i+1].Use == token.AsName { // ООО «Восток»
		return false
	}
	if r.ofPlace(i) {
		return true // "на старом складе" names a warehouse
	}
	return t.Kind == token.Word && len([]rune(t.Norm)) > 1 && !r.x.explains(t) && !quantity.IsCalendarWord(t.Norm) &&
		!isKindWord(t.Norm) && !padding[t.Norm] && !accountWords[t.Norm] && !r.inPhrase(i)
}

// ofPlace reports whether token i is an adjective that a warehouse is called by, before the word for one.
func (r *reader) ofPlace(i int) bool {
	return agesOfPlaces[r.ts[i].Norm] && names.Kind(r.normAt(i+1)) == connector.NameStore &&
		r.ts[i+1].Use != token.AsName
}

// agesOfPlaces are adjectives that a warehouse is called by, and that mean something else beside goods.
var agesOfPlaces = words.Set("старый старом старого старому новый новом нового новому old new")

func (r *reader) inPhrase(i int) bool {
	return slices.ContainsFunc(r.found, func(f phrase.Found) bool { return slices.Contains(f.At, i) })
}

// channel returns the everyday words for a way of selling as names that are not read yet: "сайт за октябрь".
func (r *reader) channel() (list []Phrase) {
	if !r.in.Unsearched || r.in.has(connector.NameSalesChannel) {
		return nil
	}
	for i := range r.ts {
		if t := &r.ts[i]; t.Use == token.Unused && names.IsChannel(t) {
			list = append(list, Phrase{Words: r.task[t.Start:t.End],
				Kinds: []connector.NameKind{connector.NameSalesChannel}})
		}
	}
	return list
}

// relevant returns the phrases that may name something the skill takes, with only those kinds.
func (r *reader) relevant(ps []Phrase, s Skill) []Phrase {
	var out []Phrase
	takes := skills[s].names
	switch {
	case s == SalesTrend:
		takes = goodsNames // sales of named goods are read as their profitability once the names are known
	case s == FindProducts && r.in.Unsearched: // "найди Альфу" may be about a customer (rule R1094)
		takes = []connector.NameKind{connector.NameCounterparty}
	}
	for _, p := range ps {
		p.Kinds = slices.DeleteFunc(slices.Clone(p.Kinds), func(k connector.NameKind) bool {
			customer := k == connector.NameCounterparty &&
				slices.Contains(takes, connector.NameSupplier) // a query may be of either
			return !slices.Contains(takes, k) && !customer
		})
		if len(p.Kinds) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// onlyAName reports whether the task is nothing but a few words that may be the name of goods.
func (r *reader) onlyAName(ps []Phrase) bool {
	if len(ps) != 1 || r.words() > 4 {
		return false
	}
	for i := range r.ts {
		if t := &r.ts[i]; t.Kind == token.Word && !r.strange(i) && quantity.UnitKind(t.Norm) != words.Quantity {
			return false
		}
	}
	return true
}

// aboutNames returns the phrases of a short task that nothing explains and that may be all it is about, while the
// account's names are not read yet (rule R1149): "расскажи про Альфу", "что по Востоку".
func (r *reader) aboutNames(ps []Phrase) (list []Phrase) {
	if r.in.loaded() || r.words() > mostAboutName {
		return nil
	}
	for _, p := range ps {
		at := slices.IndexFunc(r.ts, func(t token.Token) bool { return strings.HasPrefix(r.task[t.Start:], p.Words) })
		if at >= 0 && (r.words() <= 3 || p.Named || aboutWords[r.normAt(at-1)] || names.Kind(r.normAt(at-1)) != "" ||
			startsUpper(p.Words)) {
			list = append(list, p)
		}
	}
	return list
}

// mostAboutName is how many words a task has at most that is about a name and says hardly more.
const mostAboutName = 7

var aboutWords = words.Set("про о об обо по с со у насчет касательно относительно about on regarding concerning of")

// strayList returns the words that the lexicon does not know.
func (r *reader) strayList() []string {
	var out []string
	for i := range r.ts {
		if r.strange(i) {
			out = append(out, r.ts[i].Norm)
		}
	}
	return out
}

func (r *reader) strayWords() int { return len(r.strayList()) }

func (r *reader) hasNumbers() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Number && t.Use == token.Unused
	})
}

// words returns how many words and numbers the task has.
func (r *reader) words() int {
	n := 0
	for _, t := range r.ts {
		if t.Kind != token.Mark {
			n++
		}
	}
	return n
}
