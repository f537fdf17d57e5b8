package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// aroundType stand beside a type of prices in a message that asks for the same goods at it.
var aroundType = words.Set("а и по в во на теперь то же самое какая какие сколько цена цены цене ценам ценой " +
	"ценах прайс тип типу покажи and at in for the price prices what about is are now show me")

// pricesOfType reads "оптовые" and "а оптом" after prices as the prices of that type, whatever customers or
// suppliers have such a name (rule R656). It returns nil for any other message.
func (t *talk) pricesOfType(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if base.Query == nil || !slices.Contains(base.Query.Measures, "sale_price") {
		return nil
	}
	said := slices.DeleteFunc(token.Split(task), func(x token.Token) bool {
		return x.Punctuation() || aroundType[x.Norm]
	})
	if len(said) != 1 || said[0].Kind != token.Word {
		return nil
	}
	q := *base.Query
	x := &language.Reading{Task: task, Language: languageOf(task, in),
		Skill: language.Analyze, Query: &q, FollowUp: true, Confidence: 1}
	types := in.NamesOf(connector.NamePriceType)
	found := typesNamed(said[0], types)
	switch {
	case len(types) == 0 && in.Unsearched && tradeOf(said[0].Norm) != "":
		x.Unknown = []language.Phrase{{Words: said[0].Raw, Kinds: []connector.NameKind{connector.NamePriceType}}}
		return x
	case len(found) != 1:
		return nil
	}
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w analysis.Condition) bool {
		return w.Field == "price_type"
	})
	q.Where = append(q.Where, analysis.Condition{Field: "price_type", Op: analysis.In,
		Values: []analysis.Scalar{analysis.Scalar(found[0].ID)}})
	if !slices.Contains(q.By, "price_type") {
		q.By = append(slices.Clone(q.By), "price_type")
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	x.Matched = []language.Match{{Name: found[0], Words: said[0].Raw}}
	x.Said = query.Say(in.Catalogue, q, x.Language, func(id string) string {
		if id == found[0].ID {
			return found[0].Name
		}
		return ""
	})
	return x
}

// typesNamed returns the types of prices that a word names. Retail prices are those of the first type, if no other
// is called so.
func typesNamed(said token.Token, types []connector.Name) (found []connector.Name) {
	trade := tradeOf(said.Norm)
	for _, n := range types {
		if slices.ContainsFunc(token.Split(n.Name), func(x token.Token) bool {
			return x.Kind == token.Word &&
				(trade != "" && tradeOf(x.Norm) == trade || trade == "" && x.Stem == said.Stem)
		}) {
			found = append(found, n)
		}
	}
	if len(found) == 0 && trade == "retail" && len(types) > 0 {
		found = types[:1]
	}
	return found
}

// tradeOf returns the kind of trade that a word is about; empty for none.
func tradeOf(w string) string {
	switch {
	case strings.HasPrefix(w, "опт") && !strings.HasPrefix(w, "опти"), w == "wholesale":
		return "wholesale"
	case strings.HasPrefix(w, "розни"), w == "retail":
		return "retail"
	}
	return ""
}
