package compose

import (
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// besides reports whether an unexplained item only says something beside the question: a Russian verb that no number,
// exception or breakdown stands in front of. Such a word is no name of goods, and what it says is not in the figures;
// the answer names it (rule R327).
func (d *draft) besides(it *typed.Item) bool {
	t := &d.Tokens[it.At]
	if it.Kind != typed.Unexplained || t.Kind != token.Word || !t.Cyrillic || len([]rune(t.Norm)) < 5 ||
		d.Means(it.At) || t.Raw != strings.ToLower(t.Raw) && it.At > 0 {
		return false
	}
	i := slices.Index(d.Items, it)
	for _, beside := range []*typed.Item{d.neighbour(i, -1), d.neighbour(i, 1)} {
		if is(beside, typed.Number) || is(beside, typed.Operator) {
			return false
		}
	}
	switch prev := d.neighbour(i, -1); {
	case is(prev, typed.Except), is(prev, typed.Absent), is(prev, typed.Only), is(prev, typed.Per),
		is(prev, typed.With):
		return false
	}
	return slices.ContainsFunc(verbEndings, func(end string) bool { return strings.HasSuffix(t.Norm, end) }) ||
		d.happened(it)
}

// happened reports whether a word is a verb of the past that only repeats what a noun for the figure says: "сколько
// выручки накапало вчера". Where such a verb may choose the rows, as in "какие товары помялись", it is asked about
// (rule R634).
func (d *draft) happened(it *typed.Item) bool {
	t := &d.Tokens[it.At]
	if !pastVerb.MatchString(t.Norm) || noVerbs[t.Norm] || it.At > 0 && (d.Tokens[it.At-1].Norm == "не" ||
		whichRows[d.Tokens[it.At-1].Norm]) {
		return false
	}
	named := false
	for i := range d.Tokens {
		next := slices.IndexFunc(d.Items, func(x *typed.Item) bool { return x.At == i+1 })
		if whichRows[d.Tokens[i].Norm] && (next < 0 || d.Items[next].Kind != typed.Measure) {
			return false
		}
	}
	for _, x := range d.Items {
		named = named || x.Kind == typed.Measure && x.Used && x.Order == "" && !slices.ContainsFunc(
			d.Tokens[x.At:x.End], func(w token.Token) bool { return verbs[w.Stem] || pastVerb.MatchString(w.Norm) })
	}
	return named
}

// pastVerb are verbs of the past with a prefix, in the plural or neuter; noVerbs are nouns with the same ending.
var (
	pastVerb = regexp.MustCompile(`^(?:на|по|за|вы|при|про|раз|рас|под|от|до|об|о|с|из|ис|пере|у|в|вз|при)` +
		`\p{L}{2,}(?:али|яли|или|ыли|ули|ело|ало|яло|ило|ыло|уло|лось|лись)$`)
	noVerbs = words.Set("покрывало одеяло профили постели стояли сало повидло опахало")
)

// verbEndings are those that few nouns have.
var verbEndings = []string{"ться", "тся", "ать", "ять", "ешь", "ишь", "ется", "ится", "ются", "утся", "лось", "лись",
	"лась",
	"лся", "йте", "ует", "юет", "ает", "яет", "ают", "яют", "уют", "еют", "шься", "емся", "имся"}
