package compose

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// dashed reads two numbers with a dash between them as a range: "осталось 1-2 штуки", "осталось две-три" (rule R1076).
func (d *draft) dashed() {
	for i := 0; i+1 < len(d.Items); i++ {
		low, high := d.Items[i], d.Items[i+1]
		if !is(low, typed.Number) || !is(high, typed.Number) || low.Used || high.Used ||
			!d.onlyDash(low.End, high.At) {
			continue
		}
		x, err := strconv.Atoi(low.Number.Value)
		y, err2 := strconv.Atoi(high.Number.Value)
		if err != nil || err2 != nil || x >= y || low.Number.Unit != words.NoUnit &&
			low.Number.Unit != high.Number.Unit {
			continue
		}
		of := d.about(i, i+1, high.Number)
		if m, ok := d.Catalogue.Measure(of); !ok || high.Number.Unit == words.NoUnit && m.Unit != tool.UnitQuantity {
			continue
		}
		d.addMeasure(of)
		d.where(of, analysis.Between, low.Number.Value, high.Number.Value)
		d.goods = d.goods || of == "stock" && !d.ofGoods()
		low.Used, high.Used = true, true
		if prev := d.neighbour(i, -1); is(prev, typed.Per) && prev.End == low.At {
			prev.Used = true // "осталось по 1-2 штуки"
		}
	}
}

func (d *draft) onlyDash(from, to int) bool {
	return to-from <= 1 && !slices.ContainsFunc(d.Tokens[from:to], func(t token.Token) bool {
		return t.Kind != token.Mark && t.Norm != "или" && t.Norm != "or"
	})
}

// fewPieces reports whether a number without a unit may be of pieces.
func (d *draft) fewPieces(value typed.Numeral) bool {
	n, err := strconv.Atoi(value.Value)
	return err == nil && n <= mostPieces
}
