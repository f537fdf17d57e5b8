package proposal

import (
	"embed"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/spelling"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
	"github.com/stockhand/stockhand/internal/words"
)

//go:embed vocabulary/*.words
var files embed.FS

var entriesOfFiles = readWords()

func readWords() []vocabulary.Entry {
	list, err := vocabulary.Read(files, "vocabulary")
	if err != nil {
		panic("proposal: " + err.Error())
	}
	for _, e := range list {
		for i, p := range e.Phrases {
			e.Phrases[i] = strings.ReplaceAll(p, "ё", "е") // as tokens are written
		}
	}
	return list
}

// phrasesOf returns what the files list under a meaning of a section.
func phrasesOf(section, meaning string) (list []string) {
	for _, e := range entriesOfFiles {
		if e.Section == section && e.Meaning == meaning {
			list = append(list, e.Phrases...)
		}
	}
	if list == nil {
		panic("proposal: no words of " + meaning + " in [" + section + "]")
	}
	return list
}

func wordsOf(section, meaning string) map[string]bool {
	return words.Set(strings.Join(phrasesOf(section, meaning), " "))
}

// The verbs of a request. Russian ones are imperatives, infinitives and "let us", which nothing else in a sentence looks
// like; English ones count only where an order begins.
var (
	raises  = wordsOf("verb", "raise")
	lowers  = wordsOf("verb", "lower")
	sets    = wordsOf("verb", "set")
	changes = wordsOf("verb", "change")
	rounds  = wordsOf("verb", "round")
	buys    = wordsOf("verb", "buy")
	moves   = wordsOf("verb", "move")
	sends   = wordsOf("verb", "send")
	makes   = wordsOf("verb", "make")
	verbs   = union(raises, lowers, sets, changes, rounds, buys, moves, sends, makes)
)

func union(sets ...map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, s := range sets {
		maps.Copy(out, s)
	}
	return out
}

// The nouns of a request, by their beginnings.
var (
	priceNouns    = phrasesOf("noun", "price")
	orderNouns    = phrasesOf("noun", "order")
	transferNouns = phrasesOf("noun", "transfer")
	minimumNouns  = phrasesOf("noun", "minimum")
	discountNouns = phrasesOf("noun", "discount")
	markupNouns   = phrasesOf("noun", "markup")
	marginNouns   = phrasesOf("noun", "margin")
	purchaseNouns = phrasesOf("noun", "purchase")
	customerNouns = phrasesOf("noun", "customer")
	supplierNouns = phrasesOf("noun", "supplier")
)

var (
	exceptWords     = wordsOf("word", "except")
	everythingWords = wordsOf("word", "everything")
	// fillers say nothing more in a request for a draft. Function words of package compose are not here.
	fillers     = wordsOf("word", "filler")
	approximate = wordsOf("word", "approximate")
	asking      = wordsOf("word", "asking") // "на сколько поднять цены" is none of ours
	all         = wordsOf("word", "any")    // "что" and "чего" may follow without a question: "всё, что закончилось"
	leaving     = wordsOf("word", "leaving")
	touches     = wordsOf("word", "touching") // a denial of these excludes what follows
	adds        = wordsOf("word", "adding")   // an amount behind these is a change
	only        = wordsOf("word", "only")
	each        = wordsOf("word", "each") // all rows, one by one
	pronouns    = wordsOf("word", "pronoun")
	doubtful    = wordsOf("word", "doubtful") // pronouns that have other uses
	slow        = phrasesOf("begin", "slow")
	oldGoods    = phrasesOf("begin", "old")
	soldGoods   = phrasesOf("begin", "sold")
)

// begins reports whether a word begins with one of these.
func begins(w string, with []string) bool {
	if w == "" {
		return false
	}
	for _, b := range with {
		if strings.HasPrefix(w, b) && (b != "po" || w == "po" || w == "pos") && (b != "cost" || w != "costing") &&
			(b != "вход" || len([]rune(w)) <= 5) {
			return true
		}
	}
	return false
}

// typos are the words that a misspelt one is corrected to. The shortest has six letters, so that no typo turns another
// word into an order.
var typos = func() spelling.Words {
	const shortest = 6
	x := spelling.Words{}
	for _, w := range slices.Sorted(maps.Keys(verbs)) {
		if len([]rune(w)) >= shortest && token.IsCyrillic(w) {
			x.Add(w)
		}
	}
	x.Sort()
	return x
}()

// kinds are the words that say what the name beside them is.
var kinds = func() map[string]connector.NameKind {
	out := map[string]connector.NameKind{}
	for meaning, k := range map[string]connector.NameKind{"store": connector.NameStore,
		"supplier": connector.NameSupplier, "group": connector.NameGroup,
		"counterparty": connector.NameCounterparty, "price_type": connector.NamePriceType} {
		for _, w := range phrasesOf("kind", meaning) {
			out[w] = k
		}
	}
	return out
}()

// padding are words that may precede an English order.
var padding = wordsOf("word", "padding")

// nounAfter are nouns that turn the English verb before them into a noun: "order list".
var nounAfter = wordsOf("word", "noun_after")
