package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Row is a row's cells in column order.
type Row []Value

// Rows are a table's rows. In JSON, each row is an object with column names as keys.
type Rows []Row

// plain is Result without its methods, to avoid recursion.
type plain Result

type wireResult struct {
	*plain
	Rows   json.RawMessage `json:"rows,omitempty"`
	Totals json.RawMessage `json:"totals"`
}

// MarshalJSON encodes rows and totals as objects with column names as keys, in column order.
func (r *Result) MarshalJSON() ([]byte, error) {
	var rows bytes.Buffer
	rows.WriteByte('[')
	for i, row := range r.Rows {
		if i > 0 {
			rows.WriteByte(',')
		}
		if err := writeRow(&rows, r.Columns, row, true); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	rows.WriteByte(']')
	return r.encode(rows.Bytes())
}

// encode encodes a result with these rows, or without any if rows is nil.
func (r *Result) encode(rows json.RawMessage) ([]byte, error) {
	filled := plain(*r) // lists are never null in JSON
	if filled.Columns == nil {
		filled.Columns = []Column{}
	}
	if filled.Notices == nil {
		filled.Notices = []Notice{}
	}
	if filled.Provenance.Sources == nil {
		filled.Provenance.Sources = []Source{}
	}
	wire := wireResult{plain: &filled, Rows: rows}
	if r.Totals != nil {
		var totals bytes.Buffer
		if err := writeRow(&totals, r.Columns, r.Totals, false); err != nil {
			return nil, fmt.Errorf("totals: %w", err)
		}
		wire.Totals = totals.Bytes()
	}
	return json.Marshal(wire)
}

// writeRow encodes a row as an object. Empty cells are null in rows and omitted in totals.
func writeRow(b *bytes.Buffer, columns []Column, row Row, whole bool) error {
	if len(row) != len(columns) {
		return fmt.Errorf("%d cells for %d columns", len(row), len(columns))
	}
	b.WriteByte('{')
	first := true
	for i, c := range columns {
		if !whole && row[i].IsEmpty() {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		name, err := json.Marshal(c.Name)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		b.Write(name)
		b.WriteByte(':')
		cell, err := row[i].MarshalJSON()
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		b.Write(cell)
	}
	b.WriteByte('}')
	return nil
}

// UnmarshalJSON decodes a stored result, using each column's unit to decode its cells.
func (r *Result) UnmarshalJSON(b []byte) error {
	wire := wireResult{plain: (*plain)(r)}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	var err error
	if len(wire.Rows) > 0 {
		if r.Rows, err = r.readRows(wire.Rows); err != nil {
			return err
		}
	}
	if len(wire.Totals) == 0 || string(wire.Totals) == "null" {
		return nil
	}
	var totals map[string]Value
	if err := json.Unmarshal(wire.Totals, &totals); err != nil {
		return err
	}
	r.Totals, err = readRow(r.Columns, totals)
	return err
}

// readRows decodes rows of the result's columns. Times are in its account's time zone.
func (r *Result) readRows(b []byte) (Rows, error) {
	var all []map[string]Value
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	rows := make(Rows, len(all))
	for i, cells := range all {
		row, err := readRow(r.Columns, cells)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		rows[i] = row
	}
	r.localize(rows)
	return rows, nil
}

func readRow(columns []Column, cells map[string]Value) (Row, error) {
	row := make(Row, len(columns))
	for i, c := range columns {
		v := cells[c.Name]
		if v.kind != text {
			row[i] = v
			continue
		}
		switch c.Unit {
		case UnitQuantity, UnitCount, UnitPercent, UnitDays:
			d, err := decimal.Parse(v.text)
			if err != nil {
				return nil, errors.Join(fmt.Errorf("column %s", c.Name), err)
			}
			v = Number(d)
		case UnitDate:
			v = Date(Day(v.text))
		case UnitMoment:
			v.kind = moment
		case UnitText, UnitMoney:
		}
		row[i] = v
	}
	return row, nil
}
