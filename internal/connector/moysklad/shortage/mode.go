package shortage

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

type Mode string

const (
	All          Mode = "all"
	BelowMinimum Mode = "below_minimum"
	RunningOut   Mode = "running_out"
)

func (Mode) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("default: all", All,
		BelowMinimum, RunningOut)
}

// Nothing says what an empty list means: what was looked for, and what was not.
func (l *List) Nothing() tool.Text {
	switch l.Mode {
	case BelowMinimum:
		return tool.Text{RU: "Ни один товар не ниже минимума; надолго ли хватит товаров, не проверялось.",
			EN: "Nothing is below its minimum; how long goods last was not checked."}
	case RunningOut:
		return tool.Text{
			RU: fmt.Sprintf("Нет товаров, которых хватит меньше чем на %s; минимумы не проверялись.",
				wording.NounDay.Count("ru", l.Horizon)),
			EN: fmt.Sprintf("Nothing lasts less than %s; minimums were not checked.",
				wording.NounDay.Count("en", l.Horizon))}
	case All:
	}
	return tool.Text{RU: "Нет товаров ниже минимума и таких, что скоро закончатся.",
		EN: "Nothing is below its minimum or runs out within the horizon."}
}
