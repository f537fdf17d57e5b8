package tool

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Value is one cell. The zero value is empty: nothing is known, which is not zero.
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

// Empty is a cell about which nothing is known or may be seen.
var Empty = Value{}

// Text is a cell with words; no words make an empty cell.
func TextValue(s string) Value {
	if s == "" {
		return Empty
	}
	return Value{kind: text, text: s}
}

// Money is an amount in main units of a currency (ISO code).
func Money(amount decimal.Decimal, currency string) Value {
	return Value{kind: money, text: currency, number: amount}
}

// Number is a quantity, count, percentage or number of days; the column's unit says which.
func Number(n decimal.Decimal) Value { return Value{kind: number, number: n} }

// Count is a whole number.
func Count(n int) Value { return Number(decimal.FromInt(int64(n))) }

// MaybeNumber is Number of a known number and Empty of an unknown one.
func MaybeNumber(n decimal.Maybe) Value {
	if !n.Known {
		return Empty
	}
	return Number(n.Decimal)
}

// MaybeMoney is Money of a known amount and Empty of an unknown one.
func MaybeMoney(n decimal.Maybe, currency string) Value {
	if !n.Known {
		return Empty
	}
	return Money(n.Decimal, currency)
}

// Date is a day.
func Date(d Day) Value { return Value{kind: day, text: string(d)} }

// Moment is a date and time. [Tool.Call] moves it to the account's time zone; JSON has it in UTC.
func Moment(t time.Time) Value { return Value{kind: moment, text: t.Format(time.RFC3339)} }

// IsEmpty reports whether nothing is known about the cell.
func (v Value) IsEmpty() bool { return v.kind == empty }

// Decimal returns the number of a numeric cell or an amount of money.
func (v Value) Decimal() (decimal.Decimal, bool) {
	return v.number, v.kind == number || v.kind == money
}

// Text returns the words of a text cell, a date as YYYY-MM-DD, or a moment in RFC 3339 with the offset of its zone;
// empty for numbers.
func (v Value) Text() string {
	if v.kind == text || v.kind == day || v.kind == moment {
		return v.text
	}
	return ""
}

// Currency returns the currency of an amount.
func (v Value) Currency() string {
	if v.kind == money {
		return v.text
	}
	return ""
}

// MarshalJSON writes a string for words, quantities and dates, an object for money (rule R39), and null for an empty
// cell. A number that no calculation could give is an error.
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

// UnmarshalJSON reads what MarshalJSON wrote; a string that is a number comes back as one only through [Result]'s
// own reading, which knows the column's unit.
func (v *Value) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		*v = Empty
		return nil
	case b[0] == '{':
		var m Amount
		if err := json.Unmarshal(b, &m); err != nil {
			return err
		}
		d, err := decimal.Parse(m.Amount)
		if err != nil {
			return err
		}
		*v = Money(d, m.Currency)
		return nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("read cell: %w", err)
	}
	*v = TextValue(s)
	return nil
}

// Day is a calendar day, YYYY-MM-DD, without a time zone.
type Day string

// DayOf is the day of t in t's own zone.
func DayOf(t time.Time) Day { return Day(t.Format(time.DateOnly)) }

// Time is the midnight that begins the day, in UTC; the zero time for a malformed day.
func (d Day) Time() time.Time {
	t, _ := time.Parse(time.DateOnly, string(d))
	return t
}

// Add returns the day n days later.
func (d Day) Add(n int) Day { return DayOf(d.Time().AddDate(0, 0, n)) }

// Format writes the cell for people: "1 234,56 ₽" and "15.10.2026" in Russian, "1,234.56 ₽" and "15 Oct 2026" in
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

// in moves a moment to a zone; other cells stay as they are.
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

// Format writes the day for people.
func (d Day) Format(l stockhand.Language) string {
	t := d.Time()
	if t.IsZero() {
		return string(d)
	}
	return l.Pick(t.Format("02.01.2006"), t.Format("2 Jan 2006"))
}

var signs = map[string]string{"RUB": "₽", "USD": "$", "EUR": "€", "CNY": "¥", "KZT": "₸", "BYN": "Br"}

// FormatMoney rounds an amount to two places and writes it with the currency's sign: "1 234,56 ₽". The spaces do
// not break.
func FormatMoney(amount decimal.Decimal, currency string, l stockhand.Language) string {
	return strings.TrimRight(group(amount.Fixed(2), l)+"\u00a0"+CurrencySign(currency), "\u00a0")
}

// CurrencySign is the sign that people write for a currency, its code where there is none.
func CurrencySign(currency string) string {
	if s, ok := signs[currency]; ok {
		return s
	}
	return currency
}

// FormatQuantity writes a quantity for people: up to four places, thousands apart.
func FormatQuantity(n decimal.Decimal, l stockhand.Language) string {
	return group(n.Round(4).String(), l)
}

// group sets thousands apart and puts the language's decimal mark.
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
