package typed

import (
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// absentBehind puts a word such as "без" in front of the field of a card that it stands behind: "штрихкод отсутствует",
// "поставщик не указан" say the same as "без штрихкода", "без поставщика" (rule R883).
func (s *Sentence) absentBehind() {
	for i, it := range s.Items {
		if it.Kind != Absent || i == 0 || i+1 < len(s.Items) && s.describes(s.Items[i+1:]) {
			continue
		}
		k := i - 1
		for k > 0 && s.Items[k].Kind == Function {
			k--
		}
		if field := s.Items[k]; !cardFields[field.ID] || field.Kind != Dimension && field.Kind != Measure ||
			k > 0 && s.Items[k-1].Kind == Absent {
			continue
		}
		copy(s.Items[k+1:i+1], s.Items[k:i])
		s.Items[k] = it
		return
	}
}

// numberOfGoods reads "какое количество наименований на складе" like "сколько наименований": nothing is said of what
// was sold (rule R888).
func (s *Sentence) numberOfGoods() {
	if s.Previous != nil {
		return
	}
	var counts *Item
	for i, it := range s.Items {
		switch {
		case it.Kind == Period, it.Kind == Measure && (it.ID != "quantity" || counts != nil):
			return
		case it.Kind == Measure && it.End == it.At+1 && numberWords[s.Tokens[it.At].Stem] && i+1 < len(s.Items) &&
			s.Items[i+1].Kind == Dimension && s.Items[i+1].ID == "product":
			counts = it
		case it.Kind == Measure, it.Kind == Best, it.Kind == Worst, it.Kind == TopRows, it.Kind == Sorting:
			return
		}
	}
	if counts != nil {
		counts.Kind = Function
	}
}

var numberWords = token.Stems("количество количества")

// describes reports whether what follows an item is what it is about.
func (s *Sentence) describes(behind []*Item) bool {
	for _, it := range behind {
		if it.Kind != Function {
			return it.Kind == Dimension || it.Kind == Measure || it.Kind == Named
		}
	}
	return false
}

// cardFields are the dimensions and measures that a card of goods has or lacks.
var cardFields = words.Set("barcode article supplier country group minimum sale_price card_purchase_price " +
	"minimum_price")
