package typed

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// priceTypes reads the words for a type of prices where the task is about prices, or the answer before was: "почём
// кружки оптом", "цены в интернете" (rule R744).
func (s *Sentence) priceTypes() {
	if len(s.Prices) == 0 || !s.ofSalePrices() {
		return
	}
	for i, it := range s.Items {
		t := &s.Tokens[it.At]
		meaning := PriceTypeWord(t)
		if it.Kind == Dimension && s.webShop(it) {
			it.Kind = Function
			continue
		}
		if (t.Norm == "магазине" || t.Norm == "магазина") && it.Kind == Dimension && s.namesPriceType(i) {
			meaning = "розн" // "на сайте и в магазине"
		}
		if meaning == "" || it.End != it.At+1 || it.Kind == Named && !OfPriceType(t) && !isChannel(it) ||
			it.Kind == Measure && !strings.HasPrefix(t.Stem, "розн") {
			continue
		}
		types := PriceTypes(s.Prices, meaning)
		if len(types) == 0 {
			continue
		}
		if i > 0 && s.Items[i-1].Kind == Unexplained && pricePlaces[s.Tokens[s.Items[i-1].At].Norm] {
			s.Items[i-1].Kind = Function
		}
		*it = Item{Kind: Named, At: it.At, End: it.End,
			Name: &Name{At: []int{it.At}, Meanings: types, All: len(types) > 1, ByID: true}}
	}
}

// webShop reports whether a word for a shop is the second half of "интернет-магазин", of which the first names the
// type of prices.
func (s *Sentence) webShop(it *Item) bool {
	before := it.At - 1
	if before > 0 && s.Tokens[before].Kind == token.Mark && s.Tokens[before].Norm == "-" {
		before--
	}
	return before >= 0 && strings.HasPrefix(s.Tokens[it.At].Norm, "магазин") &&
		PriceTypeWord(&s.Tokens[before]) == "сайт"
}

// namesPriceType reports whether another item than i says a type of prices.
func (s *Sentence) namesPriceType(i int) bool {
	for k, it := range s.Items {
		w := PriceTypeWord(&s.Tokens[it.At])
		typed := it.Kind == Named && it.Name.Meanings[0].Kind == connector.NamePriceType
		if k != i && (typed || w != "" && it.Kind != Measure) {
			return true
		}
	}
	return false
}

var pricePlaces = words.Set("в на для по")

// ofSalePrices reports whether the task is about sale prices and nothing else that has places or channels.
func (s *Sentence) ofSalePrices() bool {
	priced := false
	for _, it := range s.Items {
		switch {
		case it.Kind == Measure && it.ID == "sale_price", it.Kind == Operator &&
			dearer[s.Tokens[it.At].Norm]:
			priced = true
		case it.Kind == Measure && it.Order == "" && !besidePrices[it.ID]:
			return false
		}
	}
	return priced || s.Previous != nil && slices.Contains(s.Previous.Measures, "sale_price")
}

func isChannel(it *Item) bool {
	return !slices.ContainsFunc(it.Name.Meanings, func(n connector.Name) bool {
		return n.Kind != connector.NameSalesChannel
	})
}

var dearer = words.Set("дороже дешевле cheaper dearer")

var besidePrices = words.Set("stock card_purchase_price minimum_price")

// PriceTypeWord returns what a word says of a type of prices: the beginning of its name, or "сайт" or "маркет";
// empty for other words.
func PriceTypeWord(t *token.Token) string {
	if t.Kind != token.Word || startsUpper(t.Raw) && t.Use == token.AsName {
		return ""
	}
	for _, p := range priceTypeWords {
		if p.words[t.Norm] {
			return p.meaning
		}
	}
	return ""
}

// OfPriceType reports whether a word is one for a type of prices rather than a part of a company's name: "оптом".
func OfPriceType(t *token.Token) bool {
	m := PriceTypeWord(t)
	return m == "опт" || m == "розн"
}

func startsUpper(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(first)
}

var priceTypeWords = []struct {
	meaning string
	words   map[string]bool
}{
	{"опт", words.Set("опт опта опту оптом оптовый оптовая оптовую оптовой оптовое оптовые оптовых оптовым " +
		"оптовику оптовикам оптовиков мелкооптовая мелкооптовые крупнооптовая wholesale")},
	{"розн", words.Set("розница розницы рознице розницу розницей розничный розничная розничную розничной " +
		"розничные розничных розничным retail")},
	{"сайт", words.Set("интернет интернета интернету интернете интернетная инет инета инету инете инетовская " +
		"онлайн сайт сайта сайту сайте интернетмагазин интернетмагазине online")},
	{"маркет", words.Set("озон озоне озона вб вайлдберриз валдберис маркетплейс маркетплейсе маркетплейса " +
		"маркетплейсов маркетплейсах ozon wildberries wb")},
}

// PriceTypes returns the account's price types that a word means. Retail prices are of the first type where none is
// called so.
func PriceTypes(all []connector.Name, meaning string) (types []connector.Name) {
	for _, n := range all {
		called := strings.ToLower(n.Name)
		if strings.Contains(called, meaning) || slices.ContainsFunc(priceNames[meaning],
			func(w string) bool {
				return strings.Contains(called, w)
			}) {
			types = append(types, n)
		}
	}
	if len(types) == 0 && meaning == "розн" && len(all) > 0 {
		types = all[:1]
	}
	return types
}

// priceNames are further words in the names of price types, by the meaning of what people say.
var priceNames = map[string][]string{"опт": {"whol"}, "розн": {"retail"}, "интернет": {"сайт", "онлайн", "site",
	"online", "web"}, "сайт": {"интернет", "онлайн", "site", "online", "web"},
	"маркет": {"ozon", "озон", "wild", "вайлд", "wb"}}
