package language

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// TestAnOrderOfACustomerIsNoSupplierOrder asks which of both is meant (rule R1182).
func TestAnOrderOfACustomerIsNoSupplierOrder(t *testing.T) {
	for task, asks := range map[string]bool{
		"оформи заказ Альфе: чайник стальной 3 шт":   true,
		"заказ для ООО Альфа: 5 чайников стальных":   true,
		"закажи для Альфы 5 чайников стальных":       true,
		"заказ от Альфы: 5 чайников стальных":        true,
		"order 5 чайник стальной for Альфа":          true,
		"закажи у Альфы 5 чайников стальных":         false,
		"заказ поставщику Альфа 5 чайников стальных": false,
	} {
		r := Read(task, Input{Now: wednesday, Catalogue: measures.Catalogue, Names: append(slices.Clone(shop),
			connector.Name{Kind: connector.NameCounterparty, ID: "alfa", Name: "ООО «Альфа»"})})
		asked := r.Question != nil && (strings.Contains(r.Question.Text, "поставщик или покупатель") ||
			strings.Contains(r.Question.Text, "the supplier or the customer"))
		if asked != asks || r.Skill != ProposeSupplierOrders {
			t.Errorf("%s: %s %v %+v", task, r.Skill, r.Input, r.Question)
		}
	}
}
