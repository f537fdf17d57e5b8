package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// performed reads "how did toys do last quarter" and "как там игрушки за квартал": without a measure, it asks for the
// sales and the profit of what is named (rule R780).
func (s *sentence) performed() {
	if !slices.ContainsFunc(s.Items, func(it *typed.Item) bool { return it.Kind == typed.Named }) ||
		slices.ContainsFunc(s.Items, func(it *typed.Item) bool {
			return it.Kind == typed.Measure || it.Kind == typed.Operator || it.Kind == typed.Best ||
				it.Kind == typed.Worst || it.Kind == typed.Why
		}) {
		return
	}
	how := slices.IndexFunc(s.Items, func(it *typed.Item) bool { return howWords[s.Tokens[it.At].Norm] })
	if how < 0 || how > 2 || !s.asksHow(how) {
		return
	}
	for _, it := range s.Items[how+1:] {
		w := s.Tokens[it.End-1].Norm
		if (it.Kind == typed.Function || it.Kind == typed.Unexplained) && performs[w] &&
			(s.Tokens[it.At].Cyrillic || s.behindName(it)) {
			it.Kind, it.ID = typed.Measure, "revenue profit"
			return
		}
	}
}

// asksHow reports whether "how" at an item asks for no quantity: "how did toys do", but not "how much cheese do we
// have".
func (s *sentence) asksHow(i int) bool {
	for _, it := range s.Items[i+1:] {
		if it.Kind == typed.Named {
			return true
		}
		if w := s.Tokens[it.At].Norm; !s.Tokens[it.At].Cyrillic && !auxiliary[w] {
			return false
		}
	}
	return true
}

var auxiliary = words.Set("did do does is are was were has have s the our my all")

// behindName reports whether an item stands behind a name: "how did toys do".
func (s *sentence) behindName(it *typed.Item) bool {
	return slices.ContainsFunc(s.Items, func(x *typed.Item) bool { return x.Kind == typed.Named && x.At < it.At })
}

// deliver reads "when will Chainy Dom deliver": the dates of open orders (rule R783).
func (s *sentence) deliver() {
	when := slices.IndexFunc(s.Items, func(it *typed.Item) bool { return s.Tokens[it.At].Norm == "when" })
	if when < 0 || when > 2 || when+1 >= len(s.Items) || !willWords[s.Tokens[s.Items[when+1].At].Norm] {
		return
	}
	for _, it := range s.Items[when+2:] {
		if it.Kind != typed.Named && delivers[s.Tokens[it.At].Norm] && s.behindName(it) {
			it.Kind, it.ID = typed.Measure, "open_orders expected_on"
			return
		}
	}
}

var (
	willWords = words.Set("will do does is are")
	delivers  = words.Set("deliver delivering delivers ship bring send supply come arrive coming arriving")
	howWords  = words.Set("how как")
	performs  = words.Set("do doing done perform performed performing fare fared faring go going gone look looking " +
		"там дела сработали сработал сработала отработали отработал отработала показали показал показала " +
		"поживает поживают чувствует чувствуют")
)
