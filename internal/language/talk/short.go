package talk

import (
	_ "embed" // the sayings
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
)

//go:embed short.words
var shortWords string

// shortSayings are follow-ups of a few words, read by the classes of their words and not by their order.
var shortSayings = sync.OnceValue(func() *short {
	s, err := parseShort(shortWords)
	if err != nil {
		panic("talk: short.words: " + err.Error())
	}
	return s
})

// short is the sayings of a file and the classes of their words.
type short struct {
	classes vocabulary.Book[[]string]
	sayings []shortSaying
}

// shortSaying means plain words, if a message has words of all the classes it needs and of no classes but these and
// those it allows.
type shortSaying struct {
	context, plain string
	needs, allows  []string
}

// around is the class of words that every saying allows.
const around = "around"

// answers are the contexts of sayings: what the answer before must be.
var answers = map[string]func(done *language.Reading) bool{
	"":       func(*language.Reading) bool { return true },
	"bought": ofBought, "partner": ofOnePartner, "partners": firstPartners, "returns": ofReturns, "short": ofShort,
	"named stock": ofNamedStock, "sales": ofSales, "goods": ofGoods, "goods rows": rowsOfGoods,
	"partner documents": ofPartnerDocuments,
	"minimum":           ofMinimum, "one": byOne, "compared": byCompared, "documents": ofDocuments, "rows": ofRows,
	"times": ofTimes, "stock figures": hidesEmpty, "shortages": ofShortages, "stock": ofStock, "buyer": ofBuyer,
	"price": ofPrice, "debts": ofDebts, "place": ofPlace, "money": ofMoney, "flow": ofFlow, "flows": ofFlows,
	"running out": ofRunningOut, "stored there": ofStockThere,
	"named price": func(done *language.Reading) bool { return ofPrice(done) && ofGoods(done) }, "then": ofStockThen,
	"coming": ofComing, "goods coming": ofGoodsComing, "ordered": ofOrdered, "card": ofProductCard, "free": ofFree,
	"goods by store": ofGoodsByStore, "one good": ofOneGood, "age": ofAge, "sold goods": ofSoldGoods,
}

// ofSoldGoods reports whether an answer was the sales of goods, one by one.
func ofSoldGoods(done *language.Reading) bool {
	return ofSales(done) && (done.Query != nil && slices.Equal(done.Query.By, []string{"product"}) ||
		done.Query == nil && done.Arguments.By == "product")
}

// parseShort reads the classes and sayings of a file. It reports words, classes and contexts that do not exist.
func parseShort(text string) (*short, error) {
	classes := map[string][]string{} // of each phrase
	known := map[string]bool{}
	s := &short{classes: vocabulary.Book[[]string]{}}
	text = strings.ReplaceAll(text, "\n  ", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			x, err := parseSaying(line)
			if err != nil {
				return nil, err
			}
			s.sayings = append(s.sayings, x)
			continue
		}
		name, words, ok := strings.Cut(line, ":")
		if !ok || known[name] {
			return nil, fmt.Errorf("%q is no new class", line)
		}
		known[name] = true
		for phrase := range strings.FieldsSeq(words) {
			phrase = strings.ReplaceAll(phrase, "_", " ")
			classes[phrase] = append(classes[phrase], name)
		}
	}
	inflected := map[string][]string{} // classes by stems
	for phrase, of := range classes {
		if phrase[0] != '=' {
			inflected[stems(phrase)] = append(inflected[stems(phrase)], of...)
		}
	}
	for phrase, of := range classes {
		if form, exact := strings.CutPrefix(phrase, "="); exact { // it is an inflection, too
			of = slices.Concat(of, inflected[stems(form)])
		}
		if err := s.classes.Add(phrase, of); err != nil {
			return nil, err
		}
	}
	s.classes.Sort()
	for _, x := range s.sayings {
		for _, c := range slices.Concat(x.needs, x.allows) {
			if !known[c] {
				return nil, fmt.Errorf("saying %q: no class %q", x.plain, c)
			}
		}
	}
	return s, nil
}

func stems(phrase string) string {
	var all strings.Builder
	for _, t := range token.Split(phrase) {
		all.WriteString(t.Stem + " ")
	}
	return all.String()
}

func parseSaying(line string) (x shortSaying, err error) {
	context, rest, ok := strings.Cut(line[1:], "]")
	plain, classes, arrow := strings.Cut(rest, "<-")
	if !ok || !arrow || answers[context] == nil {
		return x, fmt.Errorf("%q is no saying with a context", line)
	}
	x = shortSaying{context: context, plain: strings.TrimSpace(plain)}
	for class := range strings.FieldsSeq(classes) {
		if name, needed := strings.CutSuffix(class, "!"); needed {
			x.needs = append(x.needs, name)
		} else {
			x.allows = append(x.allows, class)
		}
	}
	if len(x.needs) == 0 {
		return x, fmt.Errorf("%q needs no class", line)
	}
	return x, nil
}

// plain returns what a follow-up means in plain words; "" if it is no saying behind that answer.
func (s *short) plain(message string, done *language.Reading) string {
	ts := token.Split(message)
	var words [][]string // the classes of each word or phrase
	for i := 0; i < len(ts); {
		if ts[i].Punctuation() {
			i++
			continue
		}
		phrase, end := s.classes.At(ts, i)
		if phrase == nil {
			return ""
		}
		words, i = append(words, phrase.Meaning), end
	}
	for _, x := range s.sayings {
		if x.fits(words) && answers[x.context](done) {
			return x.plain
		}
	}
	return ""
}

// fits reports whether every word belongs to a class of the saying, and each class it needs has a word of its own.
func (x shortSaying) fits(words [][]string) bool {
	met := map[string]bool{}
	for _, of := range words {
		needed := slices.IndexFunc(x.needs, func(c string) bool { return !met[c] && slices.Contains(of, c) })
		switch {
		case needed >= 0:
			met[x.needs[needed]] = true
		case !slices.ContainsFunc(of, func(c string) bool {
			return c == around || slices.Contains(x.allows, c) || slices.Contains(x.needs, c)
		}):
			return false
		}
	}
	return len(met) == len(x.needs)
}
