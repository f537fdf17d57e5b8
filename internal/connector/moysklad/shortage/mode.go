package shortage

import (
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/tool"
)

type Mode string

const (
	All          Mode = "all"
	BelowMinimum Mode = "below_minimum"
	RunningOut   Mode = "running_out"
)

func (Mode) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("below the minimum stock, about to run out by the sales rate, or both (default)", All,
		BelowMinimum, RunningOut)
}
