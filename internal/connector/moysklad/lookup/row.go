package lookup

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// row is an object as the API returns it.
type row json.RawMessage

// UnmarshalJSON keeps the text.
func (r *row) UnmarshalJSON(b []byte) error {
	*r = append((*r)[:0], b...)
	return nil
}

func (r row) get(path string) gjson.Result { return gjson.GetBytes(r, path) }

func (r row) text(path string) string { return r.get(path).String() }

// decimal returns a number without rounding it; unknown if it is missing or hidden.
func (r row) decimal(path string) decimal.Maybe {
	v := r.get(path)
	if v.Type != gjson.Number {
		return decimal.Maybe{}
	}
	d, err := decimal.Parse(v.Raw)
	return decimal.Maybe{Decimal: d, Known: err == nil}
}

func (r row) ref(path string) (ref msapi.Ref) {
	if v := r.get(path); v.IsObject() {
		_ = json.Unmarshal([]byte(v.Raw), &ref) // of another form: no link
	}
	return ref
}

// day returns the day of a moment; empty if it is missing.
func (r row) day(path string) tool.Day {
	m, err := msapi.ParseMoment(r.text(path))
	if err != nil {
		return ""
	}
	return tool.DayOf(m.In(msapi.Moscow))
}

// cell returns a field's value.
func (c *call) cell(r row, f *field) tool.Value {
	switch f.sort {
	case amount:
		d := r.decimal(f.path)
		if !d.Known {
			return tool.Empty
		}
		return tool.Money(d.Major(), account.Iso(r.ref(f.currency), c.currency, c.currencies))
	case figure:
		return tool.MaybeNumber(r.decimal(f.path))
	case day:
		if d := r.day(f.path); d != "" {
			return tool.Date(d)
		}
		return tool.Empty
	case flag:
		if v := r.get(f.path); v.IsBool() {
			return tool.TextValue(c.yesno(v.Bool()))
		}
		return tool.Empty
	case link:
		return tool.TextValue(r.ref(f.path).Name)
	case words:
	}
	return tool.TextValue(r.text(f.path))
}

func (c *call) yesno(yes bool) string {
	if yes {
		return c.Pick("да", "yes")
	}
	return c.Pick("нет", "no")
}

var units = map[sort]tool.Unit{words: tool.UnitText, amount: tool.UnitMoney, figure: tool.UnitNumber,
	day: tool.UnitDate, flag: tool.UnitText, link: tool.UnitText}

// columns returns the columns of the result: those asked for, and the ID.
func (c *call) columns(fields []*field) []tool.TableColumn[row] {
	all := []tool.TableColumn[row]{}
	for _, f := range fields {
		all = append(all, tool.TableColumn[row]{Name: f.name, Unit: units[f.sort], Label: f.label,
			Hidden: f.cost && !c.Rights.Has(account.RightCost), Cell: func(r row) tool.Value { return c.cell(r, f) }})
	}
	return append(all, tool.TableColumn[row]{Name: "id", Unit: tool.UnitText, Label: text("Идентификатор", "ID"),
		Cell: func(r row) tool.Value { return tool.TextValue(r.text("id")) }}.AsDetail())
}
