package typed

import "github.com/stockhand/stockhand/internal/language/token"

// belowMinimum reads a comparison with the minimum as what lacks up to it, whatever the words and the noun beside them:
// "остаток меньше минимального", "ниже минималки", "не дотягивает до неснижаемого", "под минимумом" (rule R880).
func (s *Sentence) belowMinimum() {
	for i, it := range s.Items {
		end := s.minimumAt(i)
		if end == 0 {
			continue
		}
		from := i - 1
		for from > 0 && !below[s.Tokens[s.Items[from].At].Stem] && (s.Items[from].Kind == Function ||
			s.Tokens[s.Items[from].At].Norm == "до") {
			from--
		}
		if !s.saysBelow(s.Items[from]) {
			continue
		}
		if from > 0 && s.Tokens[s.Items[from-1].At].Norm == "не" { // "не дотягивает до"
			from--
		}
		for _, x := range s.Items[from : end+1] {
			x.Kind = Function
		}
		for _, x := range s.Items { // the stock that is compared
			if x.Kind == Measure && x.ID == "stock" {
				x.Kind = Function
			}
		}
		it.Kind, it.ID = Measure, "shortage"
		return
	}
}

// minimumAt returns the last item of the words for a minimum that begin at item i, which is not the first:
// "минимального остатка", "минималки". It returns 0 if none do.
func (s *Sentence) minimumAt(i int) (end int) {
	it := s.Items[i]
	switch {
	case i == 0 || it.Kind == Named:
		return 0
	case it.Kind == Measure && it.ID == "minimum":
		return i
	case !minimal[s.Tokens[it.At].Stem]:
		return 0
	}
	if i+1 < len(s.Items) {
		if of := s.Items[i+1]; of.Kind == Measure && (of.ID == "stock" || of.ID == "minimum") {
			return i + 1
		}
	}
	return i
}

// saysBelow reports whether an item says that something is less than what follows.
func (s *Sentence) saysBelow(it *Item) bool {
	return it.Kind == Operator && it.ID == "<" || it.Kind != Named && below[s.Tokens[it.End-1].Stem]
}

var (
	minimal = token.Stems("минимального минимальной минимальных минимум минимума минимумом минималки минималку " +
		"неснижаемого неснижаемых неснижаемым minimum minimums")
	below = token.Stems("под дотягивает дотягивают достает дотянули below under beneath")
)

// worthVerbs are stems of verbs that say what something is worth.
var worthVerbs = token.Stems("оценивается оцениваются оценен оценены оценить обошелся обошлась обошлось " +
	"обошлись обходится " +
	"обходятся")

// forHowMuch reads "во сколько" beside such a verb as "for how much", and not as a time of the day.
func (s *Sentence) forHowMuch() {
	for i, it := range s.Items {
		if it.Kind != Dimension || it.ID != "hour" || s.Tokens[it.End-1].Norm != "сколько" || i+1 == len(s.Items) {
			continue
		}
		for _, t := range s.Tokens[it.End:] {
			if worthVerbs[t.Stem] {
				it.Kind = InMoney
			}
		}
	}
}

// belowCost reads a comparison of the selling price with what goods cost, whichever is named first: "закупка дороже
// продажи", "розница ниже закупа", "цена продажи ниже себеса" (rule R885). Verbs compare sums: "купили больше, чем
// продали".
func (s *Sentence) belowCost() {
	for i, it := range s.Items {
		if it.Kind != Operator || i == 0 || s.Tokens[it.At].Norm == "от" || s.Tokens[it.At].Norm == "до" {
			continue
		}
		left, right := s.priceBeside(i, -1), s.priceBeside(i, 1)
		of, price := right, left
		if it.ID == ">" {
			of, price = left, right
		}
		if it.ID != "<" && it.ID != ">" || of == nil || price == nil && it.ID == ">" ||
			!costNouns[s.Tokens[of.End-1].Stem] && !costNouns[s.Tokens[of.At].Stem] ||
			price != nil && !priceNouns[s.Tokens[price.At].Stem] {
			continue
		}
		of.Kind = Function
		if it.Kind = BelowCost; price != nil {
			price.Kind, price.ID = Measure, "sale_price"
		}
		return
	}
}

// priceBeside returns the item beside an operator that may be a price.
func (s *Sentence) priceBeside(i, step int) *Item {
	for k := i + step; k >= 0 && k < len(s.Items); k += step {
		if s.Items[k].Kind != Function {
			if it := s.Items[k]; it.Kind == Measure || it.Kind == Named || it.Kind == Unexplained {
				return it
			}
			return nil
		}
	}
	return nil
}

var (
	costNouns = token.Stems("закупка закупки закупке закупочная закупочной закупочную закуп закупа себестоимость " +
		"себестоимости себес себеса себест purchase cost")
	priceNouns = token.Stems("цена цены цену продажа продажи продажная розница розничная розничной ценник price " +
		"selling " +
		"retail sale")
)
