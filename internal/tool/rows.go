package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

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
	r.Totals, err = readRow(r.Columns, gjson.ParseBytes(wire.Totals))
	return err
}

// readRows decodes rows of the result's columns. Times are in its account's time zone. It uses gjson because an export
// decodes tens of thousands of rows, for which encoding/json needs five times as long.
func (r *Result) readRows(b []byte) (Rows, error) {
	all := gjson.ParseBytes(b)
	if !gjson.ValidBytes(b) || !all.IsArray() {
		return nil, errors.New("the rows are not a list")
	}
	rows := Rows{}
	var err error
	all.ForEach(func(_, object gjson.Result) bool {
		var row Row
		if row, err = readRow(r.Columns, object); err != nil {
			err = fmt.Errorf("row %d: %w", len(rows), err)
		}
		rows = append(rows, row)
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	r.localize(rows)
	return rows, nil
}

// readRow decodes an object with cells by column name. Missing cells are empty.
func readRow(columns []Column, object gjson.Result) (Row, error) {
	if !object.IsObject() {
		return nil, errors.New("it is not an object")
	}
	row := make(Row, len(columns))
	next := 0 // cells are stored in the order of the columns
	var err error
	object.ForEach(func(name, cell gjson.Result) bool {
		i := next
		if i == len(columns) || columns[i].Name != name.Str {
			i = slices.IndexFunc(columns, func(c Column) bool { return c.Name == name.Str })
		}
		if i < 0 {
			return true
		}
		next = i + 1
		if row[i], err = readCell(columns[i].Unit, cell); err != nil {
			err = fmt.Errorf("column %s: %w", columns[i].Name, err)
		}
		return err == nil
	})
	return row, err
}

// readCell decodes a cell. The unit of its column tells a number or a time from text. It copies texts, because a row
// that is kept must not keep the whole page in memory.
func readCell(unit Unit, cell gjson.Result) (Value, error) {
	switch {
	case cell.Type == gjson.Null, cell.Type == gjson.String && cell.Str == "":
		return Empty, nil
	case cell.IsObject():
		amount, err := decimal.Parse(cell.Get("amount").Str)
		return Money(amount, strings.Clone(cell.Get("currency").Str)), err
	case cell.Type != gjson.String:
		return Empty, errors.New("it is neither text nor an amount")
	}
	switch unit {
	case UnitQuantity, UnitCount, UnitPercent, UnitDays, UnitNumber:
		n, err := decimal.Parse(cell.Str)
		return Number(n), err
	case UnitDate:
		return Date(Day(strings.Clone(cell.Str))), nil
	case UnitMoment:
		return Value{kind: moment, text: strings.Clone(cell.Str)}, nil
	case UnitText, UnitMoney:
	}
	return TextValue(strings.Clone(cell.Str)), nil
}
