package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/mcp/remote"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// tabulate turns a list of objects into typed columns: numeric if all values are numbers, text otherwise.
func tabulate(r *tool.Result, objects [][]member, l stockhand.Language) {
	if len(objects) > maxRows {
		objects = objects[:maxRows]
		r.Notices = append(r.Notices, truncated(l))
	}
	at := map[string]int{}
	var fields []string
	for _, o := range objects {
		for _, m := range o {
			if _, known := at[m.name]; !known && len(fields) < maxColumns {
				at[m.name] = len(fields)
				fields = append(fields, m.name)
			}
		}
	}
	cells := make([][]json.RawMessage, len(objects))
	numeric := make([]bool, len(fields))
	for i := range numeric {
		numeric[i] = true
	}
	filled := make([]bool, len(fields))
	for i, o := range objects {
		cells[i] = make([]json.RawMessage, len(fields))
		for _, m := range o {
			column, ok := at[m.name]
			if !ok || string(m.value) == "null" {
				continue
			}
			cells[i][column], filled[column] = m.value, true
			if _, ok := number(m.value); !ok {
				numeric[column] = false
			}
		}
	}
	var taken []string
	for i, f := range fields {
		c := tool.Column{Name: columnName(f, taken), Label: remote.Words(f, 60), Unit: tool.UnitText}
		if numeric[i] && filled[i] {
			c.Unit = tool.UnitQuantity
		}
		taken = append(taken, c.Name)
		r.Columns = append(r.Columns, c)
	}
	for _, given := range cells {
		row := make(tool.Row, len(fields))
		for i, raw := range given {
			row[i] = cell(raw, r.Columns[i].Unit)
		}
		r.Rows = append(r.Rows, row)
	}
}

// cell converts a value to a cell: empty, a number, or text. Other values, such as nested lists, are shown as JSON.
func cell(raw json.RawMessage, unit tool.Unit) tool.Value {
	if raw == nil {
		return tool.Empty
	}
	if unit == tool.UnitQuantity {
		d, _ := number(raw)
		return tool.Number(d)
	}
	var words string
	if json.Unmarshal(raw, &words) == nil {
		return tool.TextValue(cut(words, maxCell))
	}
	return tool.TextValue(cut(compacted(raw), maxCell))
}

// exactDigits is the number of digits that a decimal can hold. A longer number would be rounded, so it stays text.
const exactDigits = 19

// number parses a JSON number, exactly or not at all.
func number(raw json.RawMessage) (decimal.Decimal, bool) {
	s := string(raw)
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return decimal.Decimal{}, false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	if len(strings.TrimLeft(whole, "0"))+len(fraction) > exactDigits || strings.HasPrefix(exponent, "-") {
		return decimal.Decimal{}, false
	}
	d, err := decimal.Parse(s)
	return d, err == nil
}

// columnName converts a field's name to a unique column name.
func columnName(field string, taken []string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, field)
	name = name[:min(len(name), 60)]
	if strings.Trim(name, "_") == "" {
		name = fmt.Sprintf("column_%d", len(taken)+1)
	}
	unique := name
	for n := 2; slices.Contains(taken, unique); n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	return unique
}
