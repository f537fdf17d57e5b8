package typed

import (
	"slices"
	"strings"
)

// averageCount reads "в среднем чеков" as a number of receipts, unlike "средний чек" (rule R609).
func (s *Sentence) averageCount() {
	for _, it := range s.Items {
		if it.Kind == Measure && it.ID == "average_receipt" && s.Tokens[it.At].Norm == "среднем" && it.At > 0 &&
			s.Tokens[it.At-1].Norm == "в" && strings.HasSuffix(s.Tokens[it.End-1].Norm, "ов") {
			it.ID = "receipts_per_day"
		}
	}
}

// aDayOf reads "за день" beside another period: of an average day, or of each day where days are ranked (rule R874).
func (s *Sentence) aDayOf() {
	has := func(kinds ...Kind) bool {
		return slices.ContainsFunc(s.Items, func(it *Item) bool { return slices.Contains(kinds, it.Kind) })
	}
	periods := 0
	for _, it := range s.Items {
		if it.Kind == Period {
			periods++
		}
	}
	for _, it := range s.Items {
		last := s.Tokens[it.End-1].Norm
		if periods < 2 || it.Kind != Period || it.Period.Rolling != 1 || last != "день" && last != "сутки" {
			continue
		}
		if it.Kind, it.Period = PerDay, nil; has(Best, Worst) && !has(Average) {
			it.Kind, it.ID, it.Each = Dimension, "day", true
		}
	}
}

// expensesADay takes "расходы в день" for money, unlike "расход в день" of goods (rule R1203).
func (s *Sentence) expensesADay() {
	for i, it := range s.Items {
		if it.Kind == Measure && it.ID == "pace" && s.Tokens[it.At].Norm == "расходы" && it.End > it.At+1 &&
			!slices.ContainsFunc(s.Items, func(x *Item) bool { return x.Kind == Named }) {
			aDay := &Item{Kind: PerDay, At: it.At + 1, End: it.End}
			it.ID, it.End = "money_out", it.At+1
			s.Items = slices.Insert(s.Items, i+1, aDay)
			return
		}
	}
}
