package byword

import (
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/tool"
)

// within returns the lines whose figure is within a bound, or those to keep; else why there are none (rule R810).
func (d *decision) within(a act.Act, all []place) ([]place, *outcome) {
	b := a.Bound
	value, err := decimal.Parse(b.Value)
	if err != nil {
		return nil, nil
	}
	var chosen []place
	known := 0
	for _, p := range all {
		figure := figureOf(p.line, b)
		if !figure.Known { // it stays
			if a.Kind == act.Keep {
				chosen = append(chosen, p)
			}
			continue
		}
		known++
		is := figure.Cmp(value)
		if is < 0 && b.Less || is > 0 && !b.Less || is == 0 && b.Equal {
			chosen = append(chosen, p)
		}
	}
	switch {
	case known == 0 && b.Price:
		return nil, d.say("В этом черновике у строк нет цен: убрать по цене не могу, черновик не изменён.",
			"The lines of this draft have no prices, so none can be chosen by price. The draft is unchanged.")
	case known == 0:
		return nil, d.say("В этом черновике у строк нет количеств: черновик не изменён.",
			"The lines of this draft have no quantities. The draft is unchanged.")
	case len(chosen) == 0 && a.Kind == act.Drop, len(chosen) == len(all) && a.Kind == act.Keep:
		return nil, d.say("Таких строк в черновике нет: убирать нечего, черновик не изменён.",
			"The draft has no such lines: nothing is removed.")
	case len(chosen) == len(all) || len(chosen) == 0:
		return nil, d.say("Так в черновике не останется ни одной строки, поэтому он не изменён. Если он не нужен, "+
			"напишите «отмени».", "That would leave no line in the draft, so it is unchanged. To drop it, write "+
			"“cancel”.")
	}
	return chosen, nil
}

// figureOf returns the figure of a line that a bound is on. Of a change of prices it is the price as it is now.
func figureOf(l *tool.Line, b act.Bound) decimal.Maybe {
	priced := !l.Quantity.Known && l.Price.Known
	switch {
	case priced && b.Quantity:
		return decimal.Maybe{}
	case priced:
		return l.OldPrice
	case b.Price:
		return l.Price
	}
	return l.Quantity
}
