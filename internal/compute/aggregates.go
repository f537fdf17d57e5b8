package compute

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"modernc.org/sqlite"
)

// aggregate combines the values of a group or of a window.
type aggregate interface {
	add(r *remarks, args []driver.Value) error
	remove(args []driver.Value) error
	value(r *remarks) (driver.Value, error)
}

var aggregates = map[string]func() aggregate{
	"sh_sum":   func() aggregate { return &sum{} },
	"sh_avg":   func() aggregate { return &sum{average: true} },
	"sh_total": func() aggregate { return &sum{orZero: true} },
	"sh_alike": func() aggregate { return &units{} },
	"sh_join":  func() aggregate { return &joined{} },
}

// aggregation makes SQLite's interface from an aggregate.
type aggregation struct {
	aggregate
	*remarks
}

// Step implements sqlite.AggregateFunction.
func (a *aggregation) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	return a.note(a.add(a.remarks, args))
}

// WindowInverse implements sqlite.AggregateFunction.
func (a *aggregation) WindowInverse(_ *sqlite.FunctionContext, args []driver.Value) error {
	return a.note(a.remove(args))
}

// WindowValue implements sqlite.AggregateFunction. An error of Step is returned again.
func (a *aggregation) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if a.failure != nil {
		return nil, a.failure
	}
	v, err := a.value(a.remarks)
	return v, a.note(err)
}

// Final implements sqlite.AggregateFunction.
func (a *aggregation) Final(*sqlite.FunctionContext) {}

// units counts the known values of a group by unit.
type units struct {
	unit  unit // of those that are not bare
	known int
}

func (s *units) add(_ *remarks, args []driver.Value) error {
	if _, isText := args[0].(string); args[0] == nil || isText {
		return nil
	}
	b, ok := args[0].([]byte)
	if !ok {
		s.known++
		return nil
	}
	_, u, ok := decode(b)
	if !ok {
		return errors.New("a number cannot be read")
	}
	return s.count(u, doNotCompare)
}

func (s *units) count(u unit, does string) error {
	s.known++
	if u == s.unit {
		return nil
	}
	mixed, err := together(s.unit, u, does)
	s.unit = mixed
	return err
}

func (s *units) remove([]driver.Value) error { return nil }

func (s *units) value(*remarks) (driver.Value, error) { return nil, nil }

// sum adds exactly. The sum of no known values is unknown, and so is their average.
type sum struct {
	units
	total
	average, orZero bool
}

func (s *sum) add(r *remarks, args []driver.Value) error {
	if args[0] == nil {
		r.unknown = true
		return nil
	}
	return s.change(args[0], 1)
}

func (s *sum) remove(args []driver.Value) error {
	if args[0] == nil {
		return nil
	}
	if err := s.change(args[0], -1); err != nil {
		return err
	}
	if s.known -= 2; s.known == 0 { // change has counted it
		s.unit = bare
	}
	return nil
}

func (s *sum) change(v driver.Value, sign int64) error {
	if b, ok := v.([]byte); ok {
		if coef, scale, u, ok := scan(b); ok {
			s.total.add(sign*coef, scale)
			if string(u) == string(s.unit) && s.unit != percent {
				s.known++
				return nil
			}
			return s.alike(unitOf(u))
		}
	}
	n, u, ok, err := operand(v)
	if err != nil || !ok {
		return err
	}
	if sign < 0 {
		n = n.neg()
	}
	s.addBig(n)
	return s.alike(u)
}

func (s *sum) alike(u unit) error {
	if u == percent {
		return errors.New("percentages do not add up: compute them from the amounts, as in " +
			"100 * sum(profit) / sum(revenue), or use number(column)")
	}
	return s.count(u, doNotAdd)
}

func (s *sum) value(r *remarks) (driver.Value, error) {
	switch {
	case s.known == 0 && s.orZero:
		return result(integer(0), bare, nil)
	case s.known == 0:
		return nil, nil
	case s.average:
		n, of := s.number(), integer(int64(s.known))
		mean := n.div(of)
		r.divided = r.divided || mean.mul(of).cmp(n) != 0
		u := s.unit
		if u == count {
			u = bare
		}
		return result(mean, u, nil)
	}
	return result(s.number(), s.unit, nil)
}

// joined joins texts.
type joined struct {
	strings.Builder
	any bool
}

func (j *joined) add(r *remarks, args []driver.Value) error {
	s, ok := spelled(args[0])
	if !ok {
		return nil
	}
	if j.any {
		separator := ","
		if len(args) == 2 {
			separator, _ = spelled(args[1])
		}
		j.WriteString(separator)
		r.texts += len(separator)
	}
	j.any = true
	if r.texts += len(s); r.texts > maxTexts {
		return errTexts
	}
	j.WriteString(s)
	return nil
}

func (j *joined) remove([]driver.Value) error {
	return fmt.Errorf("group_concat() cannot move its window: use a window that begins at UNBOUNDED PRECEDING")
}

func (j *joined) value(r *remarks) (driver.Value, error) {
	if !j.any {
		return nil, nil
	}
	return r.made(strings.Clone(j.String()))
}

// total adds numbers exactly: small ones by their number of decimal places in machine integers, others in big ones.
type total struct {
	small [divisionPlaces]int64
	big   number
	any   bool // big is set
}

func (t *total) add(coef int64, scale int) {
	if scale < len(t.small) {
		s := t.small[scale] + coef
		if (s > t.small[scale]) == (coef > 0) {
			t.small[scale] = s
			return
		}
	}
	t.addBig(number{big.NewInt(coef), scale})
}

func (t *total) addBig(n number) {
	if !t.any {
		t.big, t.any = integer(0), true
	}
	t.big = t.big.add(n)
}

func (t *total) number() number {
	n := integer(0)
	if t.any {
		n = t.big
	}
	for scale, coef := range t.small {
		if coef != 0 {
			n = n.add(number{big.NewInt(coef), scale})
		}
	}
	return n
}
