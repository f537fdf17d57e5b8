package typed

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
)

// lateSuppliers reads "какой поставщик опаздывает" and "кто из поставщиков задерживает" as days overdue by suppliers:
// without them, such verbs are of our orders.
func (s *Sentence) lateSuppliers() {
	measured := slices.ContainsFunc(s.Items, func(it *Item) bool { return it.Kind == Measure })
	supplier := slices.ContainsFunc(s.Items, func(it *Item) bool {
		return it.Kind == Dimension && slices.ContainsFunc(s.Tokens[it.At:it.End], func(t token.Token) bool {
			return t.Stem == token.StemOf("поставщик") || t.Norm == "supplier" || t.Norm == "suppliers"
		})
	})
	if measured || !supplier || s.Previous != nil {
		return
	}
	for _, it := range s.Items {
		if it.End == it.At+1 && it.Kind == Unexplained && lateStems[s.Tokens[it.At].Stem] {
			it.Kind, it.ID, it.Least = Measure, "supplier_overdue_days", "1"
			return
		}
	}
}

var lateStems = token.Stems("опаздывает опаздывают опаздывал опаздывали опоздал опоздали задерживает задерживают " +
	"задержал задержали задерживается задерживаются просрочил просрочили late")
