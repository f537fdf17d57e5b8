package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
)

// mayBeExpense says that a word for what shops spend money on may be an item of expenses, whose names are not loaded:
// "зарплата за октябрь", "аренда за год" (rule R1212).
func (r *reader) mayBeExpense(out *Reading) {
	if r.in.has(connector.NameExpenseItem) || r.in.Catalogue == nil || !out.Outside && out.Question == nil &&
		len(out.Unknown) == 0 || len(r.named) > mostOfExpense || r.in.Previous != nil || len(r.Periods) == 0 {
		return
	}
	for i := range r.named {
		t := &r.named[i]
		if t.Use != token.Unused || t.Kind != token.Word || !spentOn.has(t.Norm) {
			continue
		}
		words := r.task[t.Start:t.End]
		k := slices.IndexFunc(out.Unknown, func(p Phrase) bool { return strings.Contains(p.Words, words) })
		if k < 0 {
			out.Unknown = append(out.Unknown, Phrase{Words: words, Named: true,
				Kinds: []connector.NameKind{connector.NameExpenseItem}})
			return
		}
		if p := &out.Unknown[k]; !slices.Contains(p.Kinds, connector.NameExpenseItem) {
			p.Kinds = append([]connector.NameKind{connector.NameExpenseItem}, p.Kinds...)
		}
		return
	}
}

// mostOfExpense is how many words such a task has.
const mostOfExpense = 6

// spentOn are the beginnings of words that items of expenses often have.
var spentOn = begins{"аренд", "зарплат", "оклад", "налог", "взнос", "реклам", "маркетинг", "интернет", "связ",
	"телефон", "коммунал", "электричеств", "бензин", "топлив", "доставк", "логистик", "эквайринг", "комисси", "ремонт",
	"хозрасход", "канцеляр", "командировк", "премии", "премия", "rent", "salar", "payroll", "tax", "advert",
	"marketing", "utilit"}
