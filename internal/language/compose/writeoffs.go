package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// reasonsOfWriteOffs leaves the reason of a write-off unexplained: "что списали по браку". Documents have no field for
// it, and all write-offs are no answer (rule R1122).
func (d *draft) reasonsOfWriteOffs() {
	said := false // "списали" itself
	for _, it := range d.Items {
		said = said || d.ofWritingOff(it) && !d.isReason(it)
	}
	if !said {
		return
	}
	for _, it := range d.Items {
		if d.isReason(it) && it.Kind != typed.Named {
			it.Used = false
			if it.Kind == typed.Function {
				it.Kind = typed.Unexplained
			}
		}
	}
}

func (d *draft) ofWritingOff(it *typed.Item) bool {
	return it.Kind == typed.Measure && strings.Contains(it.ID, "written_off")
}

// isReason reports whether an item is the reason of a write-off: "из-за боя", "как брак", "due to expiry".
func (d *draft) isReason(it *typed.Item) bool {
	for i := it.At; i < it.End; i++ {
		if i > 0 && reasonsToWriteOff[d.Tokens[i].Norm] && behindReason[d.Tokens[i-1].Norm] {
			return true
		}
	}
	return false
}

var (
	behindReason = words.Set("по из-за из за как в от под из-под вследствие ввиду причине as for of to because due from " +
		"by через")
	reasonsToWriteOff = words.Set("браку брака брак бою боя бой порче порчи порчу порча недостаче недостачи недостачу " +
		"пересорту пересорта сроку срока годности просрочке просрочки просрочку краже кражи воровства воровству усушке " +
		"усушки естественной утере утери поломке поломки дефекту дефекта списанию износу износа " +
		"damaged damage broken breakage expired expiry expiration spoiled spoilage theft stolen defective defects " +
		"defect loss lost shortage shrinkage")
)

// transferredTo leaves the warehouse that goods were moved to unexplained: what was transferred is counted by the one
// that sent it (rule R1129).
func (d *draft) transferredTo() {
	if !slices.ContainsFunc(d.asked, func(m string) bool { return strings.Contains(m, "transferred") }) {
		return
	}
	for _, it := range d.Items {
		if it.Kind == typed.Named && it.At > 0 && typed.DimensionOf(it.Name.Meanings[0].Kind) == "store" &&
			towards[d.Tokens[it.At-1].Norm] {
			it.Used = false
			d.q.Where = slices.DeleteFunc(slices.Clone(d.q.Where), func(w analysis.Condition) bool {
				return w.Field == "store"
			})
		}
	}
}

var towards = words.Set("в на to into onto")
