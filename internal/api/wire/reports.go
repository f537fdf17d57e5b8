package wire

import (
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/reports"
)

// ReportFields are a report to be saved.
type ReportFields struct {
	Title      string                 `json:"title" minLength:"1" maxLength:"100" example:"Revenue by warehouse"`
	Connection stockhand.ConnectionID `json:"connection_id" doc:"The account that it is about"`
	Tool       string                 `json:"tool" maxLength:"100" example:"moysklad_analyze" doc:"A tool that reads"`
	Arguments  map[string]any         `json:"arguments" doc:"As in POST /tools/{name}/execute"`
	Fixed      bool                   `json:"fixed,omitempty" doc:"Keep the period of the arguments. By default one that people mean by the calendar, such as the last 30 days or this month, moves with it"`
}

// Definition returns the report that the fields define.
func (f ReportFields) Definition() reports.Definition {
	raw, err := json.Marshal(f.Arguments)
	if err != nil || f.Arguments == nil {
		raw = json.RawMessage("{}")
	}
	return reports.Definition{Title: f.Title, Connection: f.Connection, Tool: f.Tool, Arguments: raw}
}

// ReportChange changes a report.
type ReportChange struct {
	Title string `json:"title" minLength:"1" maxLength:"100"`
}

// Report is a saved call of a read tool.
type Report struct {
	ID         stockhand.ReportID     `json:"id"`
	Title      string                 `json:"title"`
	Connection stockhand.ConnectionID `json:"connection_id"`
	Tool       string                 `json:"tool"`
	Arguments  map[string]any         `json:"arguments" doc:"As they were saved"`
	Moves      bool                   `json:"moves" doc:"Whether its period moves with the calendar"`
	CreatedBy  string                 `json:"created_by" doc:"The actor who saved it"`
	CreatedAt  time.Time              `json:"created_at"`
}

// ReportOf converts a report.
func ReportOf(r reports.Report) Report {
	out := Report{ID: r.ID, Title: r.Title, Connection: r.Connection, Tool: r.Tool, Moves: r.Period.Kind != "",
		CreatedBy: r.By, CreatedAt: r.Created}
	if json.Unmarshal(r.Arguments, &out.Arguments) != nil || out.Arguments == nil {
		out.Arguments = map[string]any{}
	}
	return out
}
