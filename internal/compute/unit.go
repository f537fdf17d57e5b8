package compute

import (
	"fmt"
	"strings"
)

// unit is what a number counts. The zero value is a bare number, such as a literal or a ratio.
type unit string

// The units that are not currencies or units of measure. Those are "$RUB" and "#шт"; "$" is an unknown currency and
// "#" a quantity whose unit is unknown.
const (
	bare    unit = ""
	percent unit = "%"
	count   unit = "c"
	days    unit = "d"

	currencyMark = "$"
	measureMark  = "#"
)

// unitOf avoids an allocation for the usual units.
func unitOf(b []byte) unit {
	switch string(b) {
	case "":
		return bare
	case "$RUB":
		return "$RUB"
	case "c":
		return count
	}
	return unit(b)
}

func (u unit) isMoney() bool   { return strings.HasPrefix(string(u), currencyMark) }
func (u unit) isMeasure() bool { return strings.HasPrefix(string(u), measureMark) }

// String names the unit in an error.
func (u unit) String() string {
	switch {
	case u == bare:
		return "a plain number"
	case u == percent:
		return "percent"
	case u == count:
		return "a count"
	case u == days:
		return "days"
	case u == currencyMark:
		return "money of an unknown currency"
	case u == measureMark:
		return "a quantity"
	}
	return string(u[1:])
}

// together returns the unit of a sum, a difference or a comparison. A bare number takes the other's unit.
func together(a, b unit, does string) (unit, error) {
	switch {
	case a == b || b == bare:
		return a, nil
	case a == bare:
		return b, nil
	case a.isMoney() && b.isMoney():
		return "", fmt.Errorf("%s and %s %s: GROUP BY currency(column), or pick one: WHERE currency(column) = '%s'",
			a, b, does, strings.TrimPrefix(string(a), currencyMark))
	case a.isMeasure() && b.isMeasure() && a != measureMark && b != measureMark:
		return "", fmt.Errorf("%s and %s %s: GROUP BY unit(column), or pick one: WHERE unit(column) = '%s'",
			a, b, does, strings.TrimPrefix(string(a), measureMark))
	case a.isMeasure() && b.isMeasure():
		return measureMark, nil
	case a.isMoney() || b.isMoney() || a == percent || b == percent:
		return "", fmt.Errorf("%s and %s %s; number(x) drops a unit", a, b, does)
	}
	return bare, nil // counts, days and quantities
}

const doNotAdd, doNotCompare = "do not add up", "cannot be compared"

// product returns the unit of a × b.
func product(a, b unit) (unit, error) {
	switch {
	case a.isMoney() && b.isMoney():
		return "", fmt.Errorf("money times money means nothing; number(x) drops a currency")
	case a.isMoney():
		return a, nil
	case b.isMoney():
		return b, nil
	case b == bare && a != count:
		return a, nil
	case a == bare && b != count:
		return b, nil
	case a.isMeasure() && !b.isMeasure():
		return a, nil
	case b.isMeasure() && !a.isMeasure():
		return b, nil
	}
	return bare, nil
}

// ratio returns the unit of a ÷ b.
func ratio(a, b unit) (unit, error) {
	switch {
	case b == bare && a != count:
		return a, nil
	case a.isMoney() && !b.isMoney():
		return a, nil
	case a.isMoney() && b.isMoney() && a != b:
		return together(a, b, "cannot be divided")
	case a.isMeasure() && b == days:
		return a, nil
	}
	return bare, nil
}
