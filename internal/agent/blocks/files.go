package blocks

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
)

// Files are where the figures of a block can be read as files: paths of this server's API, for those who may read
// the answer (rule R570).
type Files struct {
	CSV  string `json:"csv" doc:"All its rows as CSV: a path of this API"`
	XLSX string `json:"xlsx" doc:"All its rows as a workbook"`
	SVG  string `json:"svg,omitempty" doc:"The picture, if it is a chart"`
}

// Files returns the files behind a table, a chart or key figures; nil for what has no figures of a result.
func (b Block) Files() *Files {
	id := b.Result
	switch b.Type {
	case Table, Chart:
	case KPI:
		if len(b.Figures) > 0 {
			id = b.Figures[0].Result
		}
	case Text, Draft, Question:
		return nil
	}
	if id == "" {
		return nil
	}
	of := url.Values{}
	if b.Part != nil {
		of.Set("part", strconv.Itoa(*b.Part))
	}
	f := &Files{CSV: file(id, of, "csv"), XLSX: file(id, of, "xlsx")}
	if b.Type != Chart {
		return f
	}
	of.Set("chart", string(b.Chart))
	of.Set("x", b.X)
	of.Set("y", strings.Join(b.Y, ","))
	if b.Series != "" {
		of.Set("series", b.Series)
	}
	if b.Limit > 0 {
		of.Set("limit", strconv.Itoa(b.Limit))
	}
	f.SVG = file(id, of, "svg")
	return f
}

func file(id stockhand.ResultID, of url.Values, format string) string {
	of.Set("format", format)
	return "/api/v1/results/" + url.PathEscape(string(id)) + "?" + of.Encode()
}

// MarshalJSON encodes a block with its files.
func (b Block) MarshalJSON() ([]byte, error) {
	type plain Block
	return json.Marshal(struct {
		plain
		Files *Files `json:"files,omitempty"`
	}{plain(b), b.Files()})
}
