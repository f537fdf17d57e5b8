package compute

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"modernc.org/sqlite"
)

// remarks is what the functions found out while a query ran.
type remarks struct {
	unknown    bool  // sum or avg left out unknown values
	byZero     bool  // something was divided by zero
	divided    bool  // something was rounded by a division
	texts      int   // bytes of the texts that were made
	failure    error // the first error of a function
	memoryUsed bool  // the query was interrupted for its use of memory
}

// maxTexts bounds the memory of the texts that a query makes.
const maxTexts = 32 << 20 // bytes

var errTexts = errors.New("the query makes too much text")

// operand reads an argument as a number. ok is false for an unknown one.
func operand(v driver.Value) (n number, u unit, ok bool, err error) {
	switch v := v.(type) {
	case nil:
		return n, u, false, nil
	case int64:
		return integer(v), bare, true, nil
	case []byte:
		if n, u, ok = decode(v); !ok {
			err = errors.New("a number cannot be read")
		}
		return n, u, ok, err
	case string:
		if n, ok = parseNumber(v); !ok {
			err = fmt.Errorf("the text %q is not a number", clip(v))
		}
		return n, bare, ok, err
	}
	return n, u, false, errors.New("a number is not exact")
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// spelled returns an argument as text.
func spelled(v driver.Value) (s string, ok bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	}
	n, _, ok, err := operand(v)
	if !ok || err != nil {
		return "", false
	}
	return n.String(), true
}

type scalar func(r *remarks, args []driver.Value) (driver.Value, error)

// functions are the scalar functions of rewritten queries. Any unknown argument makes the result unknown, unless the
// function says otherwise.
var functions = map[string]scalar{
	"sh_add": arithmeticOf(number.add, doNotAdd),
	"sh_sub": arithmeticOf(number.sub, doNotAdd),
	"sh_mul": twoNumbers(func(_ *remarks, x, y number, a, b unit) (driver.Value, error) {
		u, err := product(a, b)
		return result(x.mul(y), u, err)
	}),
	"sh_div": twoNumbers(func(r *remarks, x, y number, a, b unit) (driver.Value, error) {
		if y.sign() == 0 {
			r.byZero = true
			return nil, nil
		}
		u, err := ratio(a, b)
		q := x.div(y)
		r.divided = r.divided || q.mul(y).cmp(x) != 0
		return result(q, u, err)
	}),
	"sh_mod": twoNumbers(func(r *remarks, x, y number, a, b unit) (driver.Value, error) {
		if y.sign() == 0 {
			r.byZero = true
			return nil, nil
		}
		u, err := together(a, b, "cannot be divided")
		return result(x.mod(y), u, err)
	}),
	"sh_neg":   unary(func(x number) number { return x.neg() }),
	"sh_abs":   unary(func(x number) number { return number{x.coef.Abs(x.coef), x.scale} }),
	"sh_int":   unary(number.whole),
	"sh_floor": unary(number.floor),
	"sh_ceil":  unary(func(x number) number { return x.neg().floor().neg() }),
	"sh_cast":  unary(func(x number) number { return x }),
	"sh_count": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		x, _, ok, err := operand(args[0])
		if err != nil || !ok {
			return nil, err
		}
		return result(x, count, nil)
	},
	"sh_round": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		places := number{}
		x, u, ok, err := operand(args[0])
		if err != nil || !ok {
			return nil, err
		}
		if places = integer(0); len(args) == 2 {
			if places, _, ok, err = operand(args[1]); err != nil || !ok {
				return nil, err
			}
		}
		if places.cmp(integer(divisionPlaces)) > 0 {
			return result(x, u, nil)
		}
		if places.cmp(integer(-divisionPlaces)) < 0 {
			return result(integer(0), u, nil)
		}
		return result(x.round(int(places.whole().coef.Int64())), u, nil)
	},
	"sh_number": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		n, _, ok, err := operand(args[0])
		if err != nil || !ok {
			return nil, err
		}
		return result(n, bare, nil)
	},
	"sh_currency": unitName(currencyMark), "sh_unit": unitName(measureMark),

	"sh_eq": compared(func(c int) bool { return c == 0 }, true),
	"sh_ne": compared(func(c int) bool { return c != 0 }, true),
	"sh_lt": compared(func(c int) bool { return c < 0 }, false),
	"sh_le": compared(func(c int) bool { return c <= 0 }, false),
	"sh_gt": compared(func(c int) bool { return c > 0 }, false),
	"sh_ge": compared(func(c int) bool { return c >= 0 }, false),
	"sh_is": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		if args[0] == nil || args[1] == nil {
			return args[0] == nil && args[1] == nil, nil
		}
		c, err := compare(args[0], args[1], true)
		return c == 0, err
	},
	"sh_between": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		for i, wrong := range []int{-1, 1} {
			if args[0] == nil || args[i+1] == nil {
				return nil, nil
			}
			c, err := compare(args[0], args[i+1], false)
			if err != nil {
				return nil, err
			}
			if c == wrong {
				return false, nil
			}
		}
		return true, nil
	},
	"sh_true": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		n, _, ok, err := operand(args[0])
		if err != nil || !ok {
			return nil, err
		}
		return n.sign() != 0, nil
	},
	"sh_nullif": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		if args[0] == nil || args[1] == nil {
			return kept(args[0]), nil
		}
		c, err := compare(args[0], args[1], true)
		if c == 0 || err != nil {
			return nil, err
		}
		return kept(args[0]), nil
	},
	"sh_first": func(_ *remarks, args []driver.Value) (driver.Value, error) { return kept(args[0]), nil },
	"sh_min":   extreme(-1), "sh_max": extreme(1),
	"sh_day": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		switch v := args[0].(type) {
		case nil:
			return nil, nil
		case string:
			return strings.Clone(v), nil
		}
		return nil, errors.New("a number is not a date")
	},
	"sh_julianday": func(_ *remarks, args []driver.Value) (driver.Value, error) { return julianDay(args[0]) },

	"sh_concat": func(r *remarks, args []driver.Value) (driver.Value, error) {
		var b strings.Builder
		for _, v := range args {
			s, ok := spelled(v)
			if !ok {
				return nil, nil
			}
			b.WriteString(s)
		}
		return r.made(b.String())
	},
	"sh_text":  ofText(strings.Clone),
	"sh_lower": ofText(strings.ToLower),
	"sh_upper": ofText(strings.ToUpper),
	"sh_trim":  ofText(func(s string) string { return strings.Clone(strings.TrimSpace(s)) }),
	"sh_length": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		s, ok := spelled(args[0])
		if !ok {
			return nil, nil
		}
		return result(integer(int64(utf8.RuneCountInString(s))), bare, nil)
	},
	"sh_substr": substr,
	"sh_replace": func(r *remarks, args []driver.Value) (driver.Value, error) {
		var s [3]string
		for i := range s {
			var ok bool
			if s[i], ok = spelled(args[i]); !ok {
				return nil, nil
			}
		}
		if s[1] == "" {
			return r.made(strings.Clone(s[0]))
		}
		if size := len(s[0]) + strings.Count(s[0], s[1])*(len(s[2])-len(s[1])); r.texts+size > maxTexts {
			return nil, errTexts
		}
		return r.made(strings.ReplaceAll(s[0], s[1], s[2]))
	},
	"sh_instr": func(_ *remarks, args []driver.Value) (driver.Value, error) {
		s, ok := spelled(args[0])
		part, known := spelled(args[1])
		if !ok || !known {
			return nil, nil
		}
		i := strings.Index(s, part)
		if i >= 0 {
			i = utf8.RuneCountInString(s[:i])
		}
		return result(integer(int64(i+1)), bare, nil)
	},
	"sh_like": like,
}

// kept copies an argument, which is valid only during the call.
func kept(v driver.Value) driver.Value {
	switch v := v.(type) {
	case string:
		return strings.Clone(v)
	case []byte:
		return append([]byte(nil), v...)
	}
	return v
}

// made counts a text that a query made.
func (r *remarks) made(s string) (driver.Value, error) {
	if r.texts += len(s); r.texts > maxTexts {
		return nil, errTexts
	}
	return s, nil
}

func result(n number, u unit, err error) (driver.Value, error) {
	if err != nil {
		return nil, err
	}
	return encoded(n, u)
}

func encoded(n number, u unit) (driver.Value, error) {
	b, err := n.encode(u)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func unary(f func(number) number) scalar {
	return func(_ *remarks, args []driver.Value) (driver.Value, error) {
		x, u, ok, err := operand(args[0])
		if err != nil || !ok {
			return nil, err
		}
		return result(f(x), u, nil)
	}
}

func twoNumbers(f func(r *remarks, x, y number, a, b unit) (driver.Value, error)) scalar {
	return func(r *remarks, args []driver.Value) (driver.Value, error) {
		x, a, ok, err := operand(args[0])
		if err != nil {
			return nil, err
		}
		y, b, known, err := operand(args[1])
		if err != nil || !ok || !known {
			return nil, err
		}
		return f(r, x, y, a, b)
	}
}

func arithmeticOf(f func(x, y number) number, does string) scalar {
	return twoNumbers(func(_ *remarks, x, y number, a, b unit) (driver.Value, error) {
		u, err := together(a, b, does)
		return result(f(x, y), u, err)
	})
}

func unitName(of string) scalar {
	return func(_ *remarks, args []driver.Value) (driver.Value, error) {
		_, u, ok, err := operand(args[0])
		if rest, is := strings.CutPrefix(string(u), of); ok && is && rest != "" {
			return rest, err
		}
		return nil, err
	}
}

// compare compares two known values. A text is compared with a number as a number; a text that is none is an error
// unless only equality matters: then the two differ.
func compare(v, w driver.Value, equality bool) (int, error) {
	s, isText := v.(string)
	t, areTexts := w.(string)
	if isText && areTexts {
		return strings.Compare(s, t), nil
	}
	if equality && (isText || areTexts) {
		_, left := parseNumber(s)
		_, right := parseNumber(t)
		if isText && !left || areTexts && !right {
			return 1, nil
		}
	}
	x, a, _, err := operand(v)
	if err != nil {
		return 0, err
	}
	y, b, _, err := operand(w)
	if err != nil {
		return 0, err
	}
	if _, err := together(a, b, doNotCompare); err != nil {
		return 0, err
	}
	return x.cmp(y), nil
}

func compared(is func(int) bool, equality bool) scalar {
	return func(_ *remarks, args []driver.Value) (driver.Value, error) {
		if args[0] == nil || args[1] == nil {
			return nil, nil
		}
		c, err := compare(args[0], args[1], equality)
		if err != nil {
			return nil, err
		}
		return is(c), nil
	}
}

// extreme returns the least or greatest of its arguments.
func extreme(sign int) scalar {
	return func(_ *remarks, args []driver.Value) (driver.Value, error) {
		best := args[0]
		for _, v := range args {
			if v == nil || best == nil {
				return nil, nil
			}
			c, err := compare(v, best, false)
			if err != nil {
				return nil, err
			}
			if c == sign {
				best = v
			}
		}
		return kept(best), nil
	}
}

func ofText(f func(string) string) scalar {
	return func(r *remarks, args []driver.Value) (driver.Value, error) {
		s, ok := spelled(args[0])
		if !ok {
			return nil, nil
		}
		return r.made(f(s))
	}
}

// substr returns a part of a text, counted in characters from 1, or from the end if negative.
func substr(r *remarks, args []driver.Value) (driver.Value, error) {
	s, ok := spelled(args[0])
	if !ok {
		return nil, nil
	}
	runes := []rune(s)
	bounds := []int{1, len(runes)}
	for i, v := range args[1:] {
		n, _, ok, err := operand(v)
		if err != nil || !ok {
			return nil, err
		}
		if !n.whole().coef.IsInt64() {
			return "", nil
		}
		bounds[i] = int(max(-1<<30, min(1<<30, n.whole().coef.Int64())))
	}
	from, size := bounds[0], bounds[1]
	if from < 0 {
		from = max(len(runes)+from+1, 1)
	}
	from = max(from, 1) - 1
	if from >= len(runes) || size <= 0 {
		return "", nil
	}
	return r.made(string(runes[from:min(len(runes), from+size)]))
}

// julianDay returns the days since the beginning of the Julian period, so that differences are days.
func julianDay(v driver.Value) (driver.Value, error) {
	s, ok := v.(string)
	if !ok {
		if v == nil {
			return nil, nil
		}
		return nil, errors.New("a number is not a date")
	}
	for _, layout := range []string{time.DateOnly, time.DateTime} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		const at1970 = 4881175 // half days
		seconds := integer(t.Unix()).div(integer(86400))
		return result(number{integer(at1970 * 5).coef, 1}.add(seconds), bare, nil)
	}
	return nil, nil
}

// like implements LIKE without regard to case. It takes time proportional to the lengths of text and pattern
// multiplied.
func like(_ *remarks, args []driver.Value) (driver.Value, error) {
	s, ok := spelled(args[0])
	pattern, known := spelled(args[1])
	if !ok || !known {
		return nil, nil
	}
	escape := rune(-1)
	if len(args) == 3 {
		e, _ := spelled(args[2])
		if utf8.RuneCountInString(e) != 1 {
			return nil, errors.New("ESCAPE needs one character")
		}
		escape, _ = utf8.DecodeRuneInString(e)
	}
	type part struct {
		r    rune
		kind rune // 0 for the character itself, '_' or '%'
	}
	var parts []part
	rs := []rune(pattern)
	for i := 0; i < len(rs); i++ {
		switch {
		case rs[i] == escape && i+1 < len(rs):
			i++
			parts = append(parts, part{r: fold(rs[i])})
		case rs[i] == '%' || rs[i] == '_':
			parts = append(parts, part{kind: rs[i]})
		default:
			parts = append(parts, part{r: fold(rs[i])})
		}
	}
	subject := []rune(s)
	i, j, star, from := 0, 0, -1, 0
	for i < len(subject) {
		switch {
		case j < len(parts) && parts[j].kind == '%':
			star, from = j, i
			j++
		case j < len(parts) && (parts[j].kind == '_' || parts[j].kind == 0 && parts[j].r == fold(subject[i])):
			i++
			j++
		case star >= 0:
			from++
			i, j = from, star+1
		default:
			return false, nil
		}
	}
	for j < len(parts) && parts[j].kind == '%' {
		j++
	}
	return j == len(parts), nil
}

// fold is a letter without case; ё is е.
func fold(r rune) rune {
	if r = unicode.ToLower(r); r == 'ё' {
		return 'е'
	}
	return r
}

// register adds the functions to a driver, with the remarks that they report to.
func register(d *sqlite.Driver, r *remarks) {
	for name, f := range functions {
		d.MustRegisterFunction(name, &sqlite.FunctionImpl{NArgs: -1, Deterministic: true, VolatileArgs: true,
			Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
				v, err := f(r, args)
				return v, r.note(err)
			}})
	}
	for name, create := range aggregates {
		d.MustRegisterFunction(name, &sqlite.FunctionImpl{NArgs: -1, VolatileArgs: true,
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
				return &aggregation{aggregate: create(), remarks: r}, nil
			}})
	}
}

// note keeps the first error.
func (r *remarks) note(err error) error {
	if err != nil && r.failure == nil {
		r.failure = err
	}
	return err
}
