package tool

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Value is a cell. The zero value is empty, which means unknown and not zero.
type Value struct {
	kind   kind
	text   string // the text, or the currency of an amount
	number decimal.Decimal
}

type kind uint8

const (
	empty kind = iota
	text
	money
	number
	day
	moment
)

// Empty is a cell whose value is unknown or hidden.
var Empty = Value{}

// TextValue returns a text cell, or an empty cell for empty text.
func TextValue(s string) Value {
	if s == "" {
		return Empty
	}
	return Value{kind: text, text: s}
}

// Money returns an amount in main units of a currency (ISO code).
func Money(amount decimal.Decimal, currency string) Value {
	return Value{kind: money, text: currency, number: amount}
}

// Number returns a quantity, count, percentage or number of days; the column's unit says which.
func Number(n decimal.Decimal) Value { return Value{kind: number, number: n} }

// Count returns an integer.
func Count(n int) Value { return Number(decimal.FromInt(int64(n))) }

// MaybeNumber returns a number, or Empty if it is unknown.
func MaybeNumber(n decimal.Maybe) Value {
	if !n.Known {
		return Empty
	}
	return Number(n.Decimal)
}

// MaybeMoney returns an amount, or Empty if it is unknown.
func MaybeMoney(n decimal.Maybe, currency string) Value {
	if !n.Known {
		return Empty
	}
	return Money(n.Decimal, currency)
}

// Date returns a day.
func Date(d Day) Value { return Value{kind: day, text: string(d)} }

// Moment returns a date and time. [Tool.Call] converts it to the account's time zone; JSON has it in UTC.
func Moment(t time.Time) Value { return Value{kind: moment, text: t.Format(time.RFC3339)} }

// IsEmpty reports whether the value is unknown.
func (v Value) IsEmpty() bool { return v.kind == empty }

// Decimal returns the number of a numeric cell or the amount of a money cell.
func (v Value) Decimal() (decimal.Decimal, bool) {
	return v.number, v.kind == number || v.kind == money
}

// Text returns the text of a text cell, a date as YYYY-MM-DD, or a time in RFC 3339 with its zone's offset; empty for
// numbers.
func (v Value) Text() string {
	if v.kind == text || v.kind == day || v.kind == moment {
		return v.text
	}
	return ""
}

// Currency returns the currency of a money cell.
func (v Value) Currency() string {
	if v.kind == money {
		return v.text
	}
	return ""
}

// MarshalJSON encodes text, quantities and dates as strings, money as an object (rule R39), and an empty cell as null.
// It returns an error for an invalid number.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case text, day:
		return json.Marshal(v.text)
	case moment:
		return json.Marshal(v.in(time.UTC).text)
	case money:
		if err := v.number.Err(); err != nil {
			return nil, err
		}
		return json.Marshal(AmountOf(decimal.Some(v.number), v.text))
	case number:
		return v.number.MarshalJSON()
	case empty:
	}
	return []byte("null"), nil
}

// Day is a calendar day, YYYY-MM-DD, without a time zone.
type Day string

// DayOf returns the day of t in t's location.
func DayOf(t time.Time) Day { return Day(t.Format(time.DateOnly)) }

// Time returns the start of the day in UTC, or the zero time if the day is malformed.
func (d Day) Time() time.Time {
	t, _ := time.Parse(time.DateOnly, string(d))
	return t
}

// Add returns the day n days later.
func (d Day) Add(n int) Day { return DayOf(d.Time().AddDate(0, 0, n)) }

// Format formats the cell for display: "1 234,56 ₽" and "15.10.2026" in Russian, "1,234.56 ₽" and "15 Oct 2026" in
// English, an em dash for an empty cell.
func (v Value) Format(unit Unit, l stockhand.Language) string {
	switch v.kind {
	case text:
		return v.text
	case money:
		return FormatMoney(v.number, v.text, l)
	case number:
		switch unit {
		case UnitPercent:
			return l.Pick(group(v.number.Fixed(1), l)+" %", group(v.number.Fixed(1), l)+"%")
		case UnitDays:
			return group(v.number.Round(0).String(), l)
		default:
			return group(v.number.Round(4).String(), l)
		}
	case day:
		return Day(v.text).Format(l)
	case moment:
		t, err := time.Parse(time.RFC3339, v.text)
		if err != nil {
			return v.text
		}
		return DayOf(t).Format(l) + t.Format(" 15:04")
	case empty:
	}
	return "—"
}

// in converts a time to a zone and returns other cells unchanged.
func (v Value) in(zone *time.Location) Value {
	if v.kind != moment {
		return v
	}
	t, err := time.Parse(time.RFC3339, v.text)
	if err != nil {
		return v
	}
	return Moment(t.In(zone))
}

// Format formats the day for display.
func (d Day) Format(l stockhand.Language) string {
	t := d.Time()
	if t.IsZero() {
		return string(d)
	}
	return l.Pick(t.Format("02.01.2006"), t.Format("2 Jan 2006"))
}

var signs = map[string]string{"RUB": "₽", "USD": "$", "EUR": "€", "CNY": "¥", "KZT": "₸", "BYN": "Br"}

// FormatMoney formats an amount with two decimal places and the currency's sign: "1 234,56 ₽". The spaces are
// non-breaking.
func FormatMoney(amount decimal.Decimal, currency string, l stockhand.Language) string {
	return strings.TrimRight(group(amount.Fixed(2), l)+"\u00a0"+CurrencySign(currency), "\u00a0")
}

// CurrencySign returns a currency's sign, or its code if it has none.
func CurrencySign(currency string) string {
	if s, ok := signs[currency]; ok {
		return s
	}
	return currency
}

// FormatQuantity formats a quantity with up to four decimal places and grouped thousands.
func FormatQuantity(n decimal.Decimal, l stockhand.Language) string {
	return group(n.Round(4).String(), l)
}

// group inserts the language's thousands separators and decimal mark.
func group(s string, l stockhand.Language) string {
	sep, mark := l.Pick("\u00a0", ","), l.Pick(",", ".")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	whole, frac, hasFrac := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(sep)
		}
		b.WriteRune(r)
	}
	if hasFrac {
		b.WriteString(mark)
		b.WriteString(frac)
	}
	return b.String()
}
