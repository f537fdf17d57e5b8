package request

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
	"github.com/stockhand/stockhand/internal/words"
)

//go:embed vocabulary/*.words
var files embed.FS

var Entries = readWords()

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

// PhrasesOf returns what the files list under a meaning of a section.
func PhrasesOf(section, meaning string) (list []string) {
	for _, e := range Entries {
		if e.Section == section && e.Meaning == meaning {
			list = append(list, e.Phrases...)
		}
	}
	if list == nil {
		panic("proposal: no words of " + meaning + " in [" + section + "]")
	}
	return list
}

// WordsOf returns the single words that the files list under a meaning of a section.
func WordsOf(section, meaning string) map[string]bool {
	return words.Set(strings.Join(PhrasesOf(section, meaning), " "))
}

// The verbs of a request. Russian ones are imperatives, infinitives and "let us", which nothing else in a sentence
// looks
// like; English ones count only where an order begins.
var (
	Raises   = verbsOf("raise")
	Lowers   = verbsOf("lower")
	Sets     = verbsOf("set")
	Changes  = verbsOf("change")
	Rounds   = verbsOf("round")
	Buys     = verbsOf("buy")
	Moves    = verbsOf("move")
	Sends    = verbsOf("send")
	Makes    = verbsOf("make")
	Clears   = verbsOf("clear")
	Holds    = verbsOf("hold")  // of a minimum: "держи не меньше 10"
	Covers   = verbsOf("cover") // of a shortage: "закрой нехватку"
	Takes    = verbsOf("take")  // of goods with quantities: "возьми 20 пачек чая"
	AllVerbs = union(Raises, Lowers, Sets, Changes, Rounds, Buys, Moves, Sends, Makes)
)

// verbsOf returns the verbs of a meaning, with the plural of each imperative: "перемести" and "переместите".
func verbsOf(meaning string) map[string]bool {
	out := WordsOf("verb", meaning)
	for _, w := range PhrasesOf("verb", meaning) {
		last, _ := utf8.DecodeLastRuneInString(w)
		if (last == 'и' || last == 'й' || last == 'ь') && !strings.HasSuffix(w, "ть") {
			out[w+"те"] = true
		}
	}
	return out
}

// PriceType reports whether a word is for a type of prices: "опт", "сайт".
func PriceType(w string) bool { return Begins(w, typesOfPrices) }

// OtherPriceType reports whether a word is for a type of prices that is not retail: people also mean the usual prices
// by that.
func OtherPriceType(w string) bool { return Begins(w, otherTypesOfPrices) }

var (
	otherTypesOfPrices = slices.Concat(PhrasesOf("price_type", "wholesale"), PhrasesOf("price_type", "online"),
		PhrasesOf("price_type", "marketplace"))
	typesOfPrices = slices.Concat(otherTypesOfPrices, PhrasesOf("price_type", "retail"))
)

// Orders reports whether a message begins with a verb that orders something: within the first three words, behind
// words that only lead to it.
func Orders(message string) bool {
	for i, t := range token.Split(message) {
		switch {
		case t.Kind == token.Mark || padding[t.Norm] || Fillers[t.Norm] && !AllVerbs[t.Norm] || leading[t.Norm]:
		case i < 5 && AllVerbs[t.Norm]:
			return true
		default:
			return false
		}
	}
	return false
}

// Reorders reports whether words have a verb that buys, moves or prices goods, and hardly means anything else.
func Reorders(ts []token.Token) bool {
	return slices.ContainsFunc(ts, func(t token.Token) bool {
		w := t.Norm
		return t.Cyrillic && (Buys[w] || Moves[w] || Raises[w] || Lowers[w]) && !SendsMe[w]
	})
}

// SendsMe are verbs that also ask to be sent something: "скинь отчёт".
var SendsMe = words.Set("скинь скиньте скинуть скинем сбрось сбросьте сбросить кинь киньте закинь закиньте перекинь " +
	"подкинь накинь")

var leading = words.Set("и а ну тогда теперь да ок окей хорошо ладно давай сразу then and now ok okay")

func union(Sets ...map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, s := range Sets {
		maps.Copy(out, s)
	}
	return out
}

// The nouns of a request, by their beginnings.
var (
	PriceNouns    = PhrasesOf("noun", "price")
	OrderNouns    = PhrasesOf("noun", "order")
	TransferNouns = PhrasesOf("noun", "transfer")
	MinimumNouns  = PhrasesOf("noun", "minimum")
	DiscountNouns = PhrasesOf("noun", "discount")
	MarkupNouns   = PhrasesOf("noun", "markup")
	MarginNouns   = PhrasesOf("noun", "margin")
	PurchaseNouns = PhrasesOf("noun", "purchase")
	CustomerNouns = PhrasesOf("noun", "customer")
	SupplierNouns = PhrasesOf("noun", "supplier")
)

var (
	ExceptWords     = WordsOf("word", "except")
	EverythingWords = WordsOf("word", "everything")
	// fillers say nothing more in a request for a draft. Function words of package compose are not here.
	Fillers     = WordsOf("word", "filler")
	Approximate = WordsOf("word", "approximate")
	Asking      = WordsOf("word", "asking") // "на сколько поднять цены" is none of ours
	AnyOf       = WordsOf("word", "any")    // "что" and "чего" may follow without a question: "всё, что закончилось"
	Leaving     = WordsOf("word", "leaving")
	Touches     = WordsOf("word", "touching") // a denial of these excludes what follows
	Adds        = WordsOf("word", "adding")   // an amount behind these is a change
	Only        = WordsOf("word", "only")
	Each        = WordsOf("word", "each") // all rows, one by one
	Pronouns    = WordsOf("word", "pronoun")
	// Correlatives stand for what a relative clause describes: "тем, у кого цена больше 1000".
	Correlatives = WordsOf("word", "correlative")
	Doubtful     = WordsOf("word", "doubtful") // pronouns that have other uses
	SlowGoods    = PhrasesOf("begin", "slow")
	OldGoods     = PhrasesOf("begin", "old")
	SoldGoods    = PhrasesOf("begin", "sold")
)

// Begins reports whether a word begins with one of these.
func Begins(w string, with []string) bool {
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

// Kinds are the words that say what the name beside them is.
var Kinds = func() map[string]connector.NameKind {
	out := map[string]connector.NameKind{}
	for meaning, k := range map[string]connector.NameKind{"store": connector.NameStore,
		"supplier": connector.NameSupplier, "group": connector.NameGroup,
		"counterparty": connector.NameCounterparty, "price_type": connector.NamePriceType} {
		for _, w := range PhrasesOf("kind", meaning) {
			out[w] = k
		}
	}
	return out
}()

// padding are words that may precede an English order.
var padding = WordsOf("word", "padding")

// NounAfter are nouns that turn the English verb before them into a noun: "order list".
var NounAfter = WordsOf("word", "noun_after")

// nounAfterBuying are those that do so behind a verb of buying only: "purchase price", but not "raise prices".
var nounAfterBuying = WordsOf("word", "noun_after_buying")
