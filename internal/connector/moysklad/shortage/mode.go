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

// Schema lists the values.
func (Mode) Schema() *jsonschema.Schema {
	s := tool.Enum(All, BelowMinimum, RunningOut)
	s.Description = "below the minimum stock, about to run out by the sales rate, or both (default)"
	return s
}
