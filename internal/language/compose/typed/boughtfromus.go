package typed

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// boughtFromUs reads a verb of buying beside "у нас" as what customers bought, and not as our purchases: "сколько у нас
// купили за осень", "кто у нас закупался" (rule R1095). Where a supplier is named, we bought.
func (s *Sentence) boughtFromUs() {
	fromUs := false
	for i := range s.Tokens {
		w, next := s.Tokens[i].Norm, normAt(s.Tokens, i+1)
		fromUs = fromUs || w == "у" && (next == "нас" || next == "меня") || w == "from" && next == "us"
		if w == "мы" || w == "we" || strings.HasPrefix(w, "поставщик") || strings.HasPrefix(w, "supplier") {
			return
		}
	}
	if !fromUs {
		return
	}
	for _, it := range s.Items {
		if it.Kind == Measure && purchasesOfUs[it.ID] && slices.ContainsFunc(s.Tokens[it.At:it.End],
			func(t token.Token) bool { return customersBuy(t.Norm) }) {
			it.ID = "revenue"
		}
	}
}

// customersBuy reports whether a verb says what customers do beside "у нас".
func customersBuy(verb string) bool {
	if strings.HasPrefix(verb, "закупа") || strings.HasPrefix(verb, "закупи") {
		return strings.HasSuffix(verb, "ся") || strings.HasSuffix(verb, "сь")
	}
	return slices.ContainsFunc(strings.Fields("купил купят покупа накупи брал берет берут взял bought buy"),
		func(p string) bool { return strings.HasPrefix(verb, p) })
}

// purchasesOfUs are the measures that verbs of buying mean where nothing says who bought.
var purchasesOfUs = words.Set("purchases quantity_received deliveries")
