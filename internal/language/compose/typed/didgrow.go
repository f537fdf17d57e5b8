package typed

import "slices"

// didGrow reads "did profit grow" as a comparison of the profit (rule R1150).
func (s *Sentence) didGrow() {
	for i, it := range s.Items {
		if it.Kind != With || it.End != it.At+3 || s.Tokens[it.At].Norm != "did" {
			continue
		}
		if e, _ := s.x.at(s.Tokens, it.At+1); e != nil && e.kind == Measure {
			s.Items = slices.Replace(s.Items, i, i+1, &Item{Kind: Function, At: it.At, End: it.At + 1},
				&Item{Kind: Measure, ID: e.id, At: it.At + 1, End: it.At + 2},
				&Item{Kind: With, ID: it.ID, At: it.At + 2, End: it.End})
			return
		}
	}
}
