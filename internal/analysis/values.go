package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// ValueType is what the values of a dimension are. It decides which operators apply and how values are ordered.
type ValueType string

// The types. The ID of a key is the text itself or that of an object, a decimal, a day such as "2026-10-01", or "true"
// or "false".
const (
	Text   ValueType = ""
	Number ValueType = "number"
	Date   ValueType = "date"
	Flag   ValueType = "boolean"
)

// ordered reports whether the values can be compared by size.
func (t ValueType) ordered() bool { return t == Number || t == Date }

// flags are the words for the values of a [Flag].
var flags = map[string]string{"true": "true", "да": "true", "yes": "true", "1": "true",
	"false": "false", "нет": "false", "no": "false", "0": "false"}

// check checks the operator and the values of a condition on the dimension, and returns the values in the form of keys.
func (d *Dimension) check(c Condition) ([]Scalar, error) {
	switch {
	case c.Op.ordering() && !d.Type.ordered():
		return nil, fmt.Errorf("%s compares numbers and dates, and the values of %s are neither", c.Op, clip(d.Name))
	case c.Op == Contains && d.Type != Text:
		return nil, fmt.Errorf("contains compares texts, and the values of %s are not texts", clip(d.Name))
	case d.Type == Text:
		return c.Values, nil
	}
	values := slices.Clone(c.Values)
	for i, v := range values {
		var err error
		switch d.Type {
		case Number:
			var n decimal.Decimal
			if n, err = decimal.Parse(strings.TrimSpace(string(v))); err == nil {
				values[i] = Scalar(n.String())
			}
		case Date:
			_, err = time.Parse(time.DateOnly, string(v))
		case Flag:
			word, ok := flags[fold(string(v))]
			if values[i] = Scalar(word); !ok {
				err = fmt.Errorf("unknown word")
			}
		case Text:
		}
		if err != nil {
			return nil, fmt.Errorf("expected a %s for %s", d.Type, clip(d.Name))
		}
	}
	return values, nil
}

// compare orders two IDs of values; an empty one, which is no value, comes first.
func (t ValueType) compare(x, y string) int {
	if t == Number && x != "" && y != "" {
		a, errA := decimal.Parse(x)
		b, errB := decimal.Parse(y)
		if errA == nil && errB == nil {
			return a.Cmp(b)
		}
	}
	return cmp.Compare(x, y)
}

// within reports whether a value meets a condition on its size. No value meets none.
func (f *Filter) within(k Key) bool {
	if k.ID == "" {
		return false
	}
	at := func(i int) int { return f.Dimension.Type.compare(k.ID, string(f.Values[i])) }
	return f.Op.holds(at)
}
