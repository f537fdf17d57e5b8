package typed

import "strings"

// averageCount reads "в среднем чеков" as a number of receipts, unlike "средний чек" (rule R609).
func (s *Sentence) averageCount() {
	for _, it := range s.Items {
		if it.Kind == Measure && it.ID == "average_receipt" && s.Tokens[it.At].Norm == "среднем" && it.At > 0 &&
			s.Tokens[it.At-1].Norm == "в" && strings.HasSuffix(s.Tokens[it.End-1].Norm, "ов") {
			it.ID = "receipts_per_day"
		}
	}
}
