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
