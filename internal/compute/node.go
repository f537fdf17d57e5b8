package compute

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"math"
	"slices"
	"strings"
)

// node is an expression that can be computed without SQLite, by the same functions. The zero node is NULL.
type node struct {
	op            string // empty for a constant
	args          []*node
	constant      driver.Value
	table, column string
}

// op returns a node, or nil if an argument is none.
func op(name string, args ...*node) *node {
	if slices.Contains(args, nil) {
		return nil
	}
	return &node{op: name, args: args}
}

// evaluator computes an expression for a row.
type evaluator func(row int) (datum, error)

// errOnlySQLite is why a grouping is left to SQLite.
var errOnlySQLite = errors.New("only SQLite can compute this")

// compiler makes evaluators of the expressions of a grouping.
type compiler struct {
	schema
	*relation
	remarks *remarks
	alias   string
}

func (c *compiler) compile(n *node) (evaluator, error) {
	if n.op == "column" {
		return c.columnOf(n)
	}
	if n.op == "" {
		d := c.units.datumOf(n.constant)
		return func(int) (datum, error) { return d, nil }, nil
	}
	args := make([]evaluator, len(n.args))
	for i, a := range n.args {
		var err error
		if args[i], err = c.compile(a); err != nil {
			return nil, err
		}
	}
	switch n.op {
	case "not":
		return func(row int) (datum, error) {
			d, err := args[0](row)
			d.n = 1 - d.n
			return d, err
		}, nil
	case "known":
		return func(row int) (datum, error) {
			d, err := args[0](row)
			return truthOf(d.kind != none), err
		}, nil
	case "AND", "OR":
		return bothOrEither(args[0], args[1], n.op == "OR"), nil
	case "CASE":
		return cases(args), nil
	case "coalesce":
		return func(row int) (d datum, err error) {
			for _, f := range args {
				if d, err = f(row); err != nil || d.kind != none {
					break
				}
			}
			return d, err
		}, nil
	}
	if is, ok := strings.CutPrefix(n.op, "sqlite"); ok {
		return c.sqliteComparison(args[0], args[1], is), nil
	}
	f, ok := functions[n.op]
	if !ok {
		return nil, errOnlySQLite
	}
	return c.call(f, c.fast(n.op), args), nil
}

func (c *compiler) columnOf(n *node) (evaluator, error) {
	i := slices.IndexFunc(c.schema.columns, func(x column) bool { return sameName(x.name, n.column) })
	if i < 0 || n.table != "" && !sameName(n.table, c.alias) {
		return nil, errOnlySQLite
	}
	return func(row int) (datum, error) { return c.at(i, row), nil }, nil
}

func truthOf(b bool) datum {
	if b {
		return datum{kind: flag, n: 1}
	}
	return datum{kind: flag}
}

func bothOrEither(left, right evaluator, either bool) evaluator {
	decides := int64(0)
	if either {
		decides = 1
	}
	return func(row int) (datum, error) {
		l, err := left(row)
		if err != nil || l.kind == flag && l.n == decides {
			return l, err
		}
		r, err := right(row)
		if err != nil || r.kind == flag && r.n == decides || l.kind == flag {
			return r, err
		}
		return l, nil
	}
}

// cases takes conditions and results in turn, and what holds without any.
func cases(parts []evaluator) evaluator {
	return func(row int) (datum, error) {
		for i := 0; i+1 < len(parts); i += 2 {
			is, err := parts[i](row)
			if err != nil {
				return is, err
			}
			if is.kind == flag && is.n == 1 {
				return parts[i+1](row)
			}
		}
		if len(parts)%2 == 1 {
			return parts[len(parts)-1](row)
		}
		return datum{}, nil
	}
}

// slow calls a function with the values that SQLite would call it with.
func (c *compiler) slow(f scalar, args []datum, values []driver.Value) (datum, error) {
	for i, d := range args {
		var err error
		if values[i], err = d.value(c.units); err != nil {
			return datum{}, err
		}
	}
	v, err := f(c.remarks, values)
	return c.units.datumOf(v), err
}

// fast computes with small numbers by itself.
func (c *compiler) fast(op string) func(x, y datum) (datum, bool, error) {
	switch op {
	case "sh_add", "sh_sub":
		return func(x, y datum) (datum, bool, error) {
			a, b, scale, ok := sameScale(x, y)
			if op == "sh_sub" {
				b = -b
			}
			sum := a + b
			if !ok || b == math.MinInt64 || (sum > a) != (b > 0) {
				return datum{}, false, nil
			}
			u, err := c.units.of(unitPair{a: x.unit, b: y.unit}, doNotAdd)
			return datum{kind: small, n: sum, scale: scale, unit: u}, true, err
		}
	case "sh_mul":
		return func(x, y datum) (datum, bool, error) {
			n, ok := times(x.n, y.n)
			if !ok || x.scale+y.scale > maxSmallScale {
				return datum{}, false, nil
			}
			u, err := c.units.of(unitPair{a: x.unit, b: y.unit, product: true}, "")
			return datum{kind: small, n: n, scale: x.scale + y.scale, unit: u}, true, err
		}
	case "sh_eq", "sh_ne", "sh_lt", "sh_le", "sh_gt", "sh_ge":
		return func(x, y datum) (datum, bool, error) {
			a, b, _, ok := sameScale(x, y)
			if !ok {
				return datum{}, false, nil
			}
			_, err := c.units.of(unitPair{a: x.unit, b: y.unit}, doNotCompare)
			return truthOf(holds(op, a, b)), true, err
		}
	}
	return nil
}

// call computes by a fast function where there is one and it can.
func (c *compiler) call(f scalar, fast func(x, y datum) (datum, bool, error), args []evaluator) evaluator {
	known, values := make([]datum, len(args)), make([]driver.Value, len(args))
	return func(row int) (datum, error) {
		for i, a := range args {
			var err error
			if known[i], err = a(row); err != nil {
				return datum{}, err
			}
		}
		if fast != nil && known[0].kind == small && known[1].kind == small {
			if d, ok, err := fast(known[0], known[1]); ok || err != nil {
				return d, err
			}
		}
		return c.slow(f, known, values)
	}
}

func holds(op string, a, b int64) bool {
	switch op {
	case "sh_eq":
		return a == b
	case "sh_ne":
		return a != b
	case "sh_lt":
		return a < b
	case "sh_le":
		return a <= b
	case "sh_gt":
		return a > b
	}
	return a >= b
}

// sqliteComparison compares as SQLite does.
func (c *compiler) sqliteComparison(left, right evaluator, is string) evaluator {
	return func(row int) (datum, error) {
		x, err := left(row)
		if err != nil {
			return x, err
		}
		y, err := right(row)
		if err != nil || x.kind == none || y.kind == none {
			return datum{}, err
		}
		v, err := x.value(c.units)
		if err != nil {
			return datum{}, err
		}
		w, err := y.value(c.units)
		return truthOf(holds(is, int64(inOrder(v, w)), 0)), err
	}
}

// inOrder compares as SQLite sorts: what is unknown, integers, texts, numbers.
func inOrder(v, w driver.Value) int {
	rank := func(v driver.Value) int {
		switch v.(type) {
		case nil:
			return 0
		case int64:
			return 1
		case string:
			return 2
		}
		return 3
	}
	a, b := rank(v), rank(w)
	switch {
	case a != b:
		return a - b
	case a == 1:
		return compareIntegers(v.(int64), w.(int64))
	case a == 2:
		return strings.Compare(v.(string), w.(string))
	case a == 3:
		return bytes.Compare(v.([]byte), w.([]byte))
	}
	return 0
}

func compareIntegers(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
