package typed

import "github.com/stockhand/stockhand/internal/words"

// perUnit takes the unit behind "за" for no figure where a price is said: "сыр дороже 800 за кило" (rule R822).
func (s *Sentence) perUnit() {
	priced := false
	for _, it := range s.Items {
		priced = priced || it.Kind == Operator && priceOperators[s.Tokens[it.At].Norm] ||
			it.Kind == Measure && it.ID == "sale_price"
	}
	for _, it := range s.Items {
		if !priced || it.At == 0 || it.End != it.At+1 || !perWords[s.Tokens[it.At-1].Norm] {
			continue
		}
		if it.Kind == Measure && it.ID == "quantity" || it.Kind == Unexplained && packages[s.Tokens[it.At].Norm] {
			it.Kind = Function
		}
	}
}

var (
	priceOperators = words.Set("дороже дешевле cheaper dearer costs cost costing priced pricier")
	perWords       = words.Set("за per /")
	packages       = words.Set("пачку упаковку банку бутылку мешок коробку рулон пару единицу литр метр ящик pack box " +
		"piece item unit kilo kg litre bottle")
)
