package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// operator is a comparison of the filter grammar (fact M22).
type operator string

const (
	opEqual       operator = "="
	opNotEqual    operator = "!="
	opGreater     operator = ">"
	opLess        operator = "<"
	opAtLeast     operator = ">="
	opAtMost      operator = "<="
	opContains    operator = "~"
	opBegins      operator = "~="
	opEnds        operator = "=~"
	opNotContains operator = "!~"
)

// operators lists longer operators first, so that "~=" is not read as "~" and a value starting with "=".
var operators = []operator{
	opNotEqual, opNotContains, opAtLeast, opAtMost, opBegins, opEnds, opEqual, opGreater, opLess, opContains,
}

func (o operator) orders() bool {
	return o == opGreater || o == opLess || o == opAtLeast || o == opAtMost
}

func (o operator) matchesText() bool {
	return o == opContains || o == opBegins || o == opEnds || o == opNotContains
}

// condition is one part of a filter: field, operator, value. An empty value matches empty fields or, negated, non-empty
// ones.
type condition struct {
	field string
	op    operator
	value string
}

// filter holds the conditions by field, in the order in which fields first appear.
type filter struct {
	fields []string
	by     map[string][]condition
}

// parseFilter parses a URL-decoded filter parameter. Conditions are separated by ";"; "\;" escapes a semicolon.
func parseFilter(text string) (filter, error) {
	f := filter{by: map[string][]condition{}}
	for _, part := range splitConditions(text) {
		at := strings.IndexAny(part, "=!<>~")
		if at <= 0 {
			return filter{}, errFilter("не удалось разобрать условие '%s'", part)
		}
		c := condition{field: strings.TrimSpace(part[:at])}
		for _, op := range operators {
			if value, ok := strings.CutPrefix(part[at:], string(op)); ok {
				c.op, c.value = op, value
				break
			}
		}
		if c.op == "" {
			return filter{}, errFilter("неизвестный оператор в условии '%s'", part)
		}
		if _, seen := f.by[c.field]; !seen {
			f.fields = append(f.fields, c.field)
		}
		f.by[c.field] = append(f.by[c.field], c)
	}
	for _, field := range f.fields {
		if err := combinable(field, f.by[field]); err != nil {
			return filter{}, err
		}
	}
	return f, nil
}

func splitConditions(text string) []string {
	var parts []string
	var b strings.Builder
	end := func() {
		if s := b.String(); strings.TrimSpace(s) != "" {
			parts = append(parts, s)
		}
		b.Reset()
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ';':
			b.WriteByte(';')
			i++
		case text[i] == ';':
			end()
		default:
			b.WriteByte(text[i])
		}
	}
	end()
	return parts
}

// combinable refuses "=" together with an inequality on one field.
func combinable(field string, conditions []condition) error {
	is := func(test func(operator) bool) bool {
		return slices.ContainsFunc(conditions, func(c condition) bool { return test(c.op) })
	}
	equal := is(func(o operator) bool { return o == opEqual })
	if equal && is(func(o operator) bool { return o == opNotEqual || o.orders() }) {
		return errFilter("поле '%s': оператор '=' нельзя сочетать с операторами неравенства", field)
	}
	return nil
}

// kind is the type of a field's value. It determines the operators and values allowed in filters.
type kind int

const (
	text kind = iota
	number
	flag
	moment
	uid  // a plain identifier
	link // another object, by href
)

// value is a field's value in a row. The zero value means empty.
type value struct {
	filled bool
	text   string // text; an identifier; the id of a linked object
	typ    string // the type of a linked object
	num    int64  // in ten-thousandths, like amounts in package company
	flag   bool
	at     time.Time
}

func textValue(s string) value       { return value{filled: s != "", text: s} }
func numberValue(n int64) value      { return value{filled: true, num: n} }
func flagValue(b bool) value         { return value{filled: true, flag: b} }
func momentValue(t time.Time) value  { return value{filled: !t.IsZero(), at: t} }
func linkValue(typ, id string) value { return value{filled: id != "", typ: typ, text: id} }

// compare orders two non-empty values of a kind.
func (v value) compare(w value, k kind) int {
	switch k {
	case number:
		return cmp.Compare(v.num, w.num)
	case moment:
		return v.at.Compare(w.at)
	case flag:
		switch {
		case v.flag == w.flag:
			return 0
		case w.flag:
			return -1
		default:
			return 1
		}
	case text, uid, link:
	}
	return strings.Compare(v.text, w.text)
}

// matcher decides whether a value of a row passes all conditions on its field.
type matcher func(value) bool

// compile turns the conditions on a field into a matcher: "=" conditions are alternatives, all others must hold. Of a
// repeated ordering operator only the first counts. Unless keepNull is set, "!=" drops rows without a value, as in SQL:
// this is undocumented, but clients report it (fact M23).
func compile(field string, k kind, conditions []condition, keepNull bool) (matcher, error) {
	var equals, others []matcher
	seen := map[operator]bool{}
	for _, c := range conditions {
		if c.op.orders() && seen[c.op] {
			continue
		}
		seen[c.op] = true
		m, err := c.matcher(k, keepNull)
		if err != nil {
			return nil, err
		}
		if c.op == opEqual {
			equals = append(equals, m)
		} else {
			others = append(others, m)
		}
	}
	return func(v value) bool {
		if len(equals) > 0 && !slices.ContainsFunc(equals, func(m matcher) bool { return m(v) }) {
			return false
		}
		return !slices.ContainsFunc(others, func(m matcher) bool { return !m(v) })
	}, nil
}

func (c condition) matcher(k kind, keepNull bool) (matcher, error) {
	switch {
	case c.op.matchesText() && k != text:
		return nil, errFilter("оператор '%s' не применим к полю '%s'", c.op, c.field)
	case c.op.orders() && k != number && k != moment:
		return nil, errFilter("оператор '%s' не применим к полю '%s'", c.op, c.field)
	case c.value == "" && c.op == opEqual:
		return func(v value) bool { return !v.filled }, nil
	case c.value == "" && c.op == opNotEqual:
		return func(v value) bool { return v.filled }, nil
	case c.op.matchesText():
		return c.textMatcher(), nil
	}
	want, err := c.operand(k)
	if err != nil {
		return nil, err
	}
	holds := func(sign int) bool { return sign == 0 }
	switch c.op {
	case opNotEqual:
		return func(v value) bool {
			return (v.filled || keepNull) && (!v.filled || v.compare(want, k) != 0)
		}, nil
	case opGreater:
		holds = func(sign int) bool { return sign > 0 }
	case opLess:
		holds = func(sign int) bool { return sign < 0 }
	case opAtLeast:
		holds = func(sign int) bool { return sign >= 0 }
	case opAtMost:
		holds = func(sign int) bool { return sign <= 0 }
	case opEqual, opContains, opBegins, opEnds, opNotContains:
	}
	return func(v value) bool { return v.filled && holds(v.compare(want, k)) }, nil
}

// textMatcher ignores case, like the vendor.
func (c condition) textMatcher() matcher {
	want := strings.ToLower(c.value)
	switch c.op {
	case opBegins:
		return func(v value) bool { return strings.HasPrefix(strings.ToLower(v.text), want) }
	case opEnds:
		return func(v value) bool { return strings.HasSuffix(strings.ToLower(v.text), want) }
	case opNotContains:
		return func(v value) bool { return v.filled && !strings.Contains(strings.ToLower(v.text), want) }
	default:
		return func(v value) bool { return strings.Contains(strings.ToLower(v.text), want) }
	}
}

// operand parses the condition's value as a kind.
func (c condition) operand(k kind) (value, error) {
	switch k {
	case number:
		n, ok := parseFixed(c.value)
		if !ok {
			return value{}, errFilterValue(c.field, c.value)
		}
		return numberValue(n), nil
	case flag:
		if c.value != "true" && c.value != "false" {
			return value{}, errFilterValue(c.field, c.value)
		}
		return flagValue(c.value == "true"), nil
	case moment:
		at, ok := parseMoment(c.value)
		if !ok {
			return value{}, refuse(http.StatusPreconditionFailed, 1035,
				"Ошибка фильтрации: неверный формат даты '%s'", c.value).at(c.field)
		}
		return momentValue(at), nil
	case link:
		typ, id, ok := splitHref(c.value)
		if !ok {
			return value{}, errFilterValue(c.field, c.value)
		}
		return linkValue(typ, id), nil
	case text, uid:
	}
	return textValue(c.value), nil
}
