package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// retailPrice takes "розничная" for the price that goods are sold at, beside a price that we pay and in "какая розничная
// у шоколада" (rules R1059 and R1078).
func (s *sentence) retailPrice() {
	if s.Previous != nil {
		return
	}
	paid := slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Measure && paidPrices[it.ID]
	})
	for _, it := range s.Items {
		asked := it.At > 0 && s.Tokens[it.At-1].Norm == "какая"
		if it.Kind == typed.Unexplained && it.End == it.At+1 && retailWords[s.Tokens[it.At].Norm] && (paid || asked) {
			it.Kind, it.ID = typed.Measure, "sale_price"
		}
	}
}

var (
	paidPrices  = words.Set("card_purchase_price purchase_price last_purchase_price unit_cost")
	retailWords = words.Set("розничная розничную розничной розница розницу рознице розничные retail отпускная продажная")
)
