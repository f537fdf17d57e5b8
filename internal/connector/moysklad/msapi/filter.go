package msapi

import (
	"net/url"
	"slices"
	"strings"
)

// Op is an operator of a filter condition (fact M22).
type Op string

// The operators. Contains, Begins and Ends are for strings and look past the case of letters.
const (
	Eq        Op = "="
	NotEq     Op = "!="
	Less      Op = "<"
	LessEq    Op = "<="
	Greater   Op = ">"
	GreaterEq Op = ">="
	Contains  Op = "~"
	Begins    Op = "~="
	Ends      Op = "=~"
)

func (o Op) ordering() bool { return o == Less || o == LessEq || o == Greater || o == GreaterEq }

type condition struct {
	field string
	op    Op
	value string
}

// Filter is the value of the filter parameter: conditions on different fields must all hold, several "=" on one field
// are alternatives. The zero Filter has no conditions. Filters are values: Where returns a longer one.
type Filter struct{ conditions []condition }

// Where adds a condition, or with several values as many of them. An empty value selects what is not filled with Eq
// and what is filled with NotEq.
func (f Filter) Where(field string, op Op, values ...string) Filter {
	conditions := slices.Clip(f.conditions)
	for _, v := range values {
		conditions = append(conditions, condition{field, op, v})
	}
	return Filter{conditions}
}

// And returns the conditions of both.
func (f Filter) And(g Filter) Filter {
	return Filter{append(slices.Clip(f.conditions), g.conditions...)}
}

// IsZero reports whether there are no conditions.
func (f Filter) IsZero() bool { return len(f.conditions) == 0 }

// once are the fields that take one value only (code 1030).
var once = []string{"search", "moment", "stockMode", "quantityMode", "withSubFolders", "stockMoment", "groupBy",
	"stockDaysFrom", "stockDaysTo"}

// never are fields that look filterable and are not, with the reason why a condition on them gives wrong figures or
// an error (facts M22 and M24).
var never = map[string]string{
	"payedSum": "is not filterable", "shippedSum": "is not filterable", "invoicedSum": "is not filterable",
	"waitSum": "is not filterable", "reservedSum": "is not filterable",
	"sourceStore": "is filtered as store", "targetStore": "is filtered as agentStore",
	"updatedFrom": "is filtered as updated>=", "updatedTo": "is filtered as updated<=",
}

// Build returns the filter's text before URL encoding. A literal semicolon in a value is escaped. It refuses, with
// [ErrQuery], what the API refuses or silently understands in another way.
func (f Filter) Build() (string, error) {
	type use struct{ eq, notEq, order bool }
	uses := map[string]*use{}
	seen := map[string]bool{}
	var parts, last []string
	for _, c := range f.conditions {
		if c.field == "" || strings.ContainsAny(c.field, ";=!<>~\\") &&
			!strings.Contains(c.field, "/metadata/attributes/") {
			return "", queryError("bad filter field %q", c.field)
		}
		if why, ok := never[c.field]; ok {
			return "", queryError("%s %s", c.field, why)
		}
		if c.op == NotEq && c.field == "state" && c.value != "" {
			// Documents without a state would be dropped without a word (rule R19).
			return "", queryError("state!= drops documents without a state; name the wanted ones and add an empty one")
		}
		if strings.ContainsFunc(c.value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return "", queryError("control character in a value of %s", c.field)
		}
		u := uses[c.field]
		if u == nil {
			u = &use{}
			uses[c.field] = u
		}
		u.eq, u.notEq, u.order = u.eq || c.op == Eq, u.notEq || c.op == NotEq, u.order || c.op.ordering()
		if u.eq && (u.order || u.notEq) {
			return "", queryError("= together with another comparison of %s", c.field)
		}
		key := c.field + string(c.op)
		if seen[key] && (c.op.ordering() || slices.Contains(once, c.field)) {
			return "", queryError("%s given twice", key) // of two, only the first would count
		}
		seen[key] = true
		part := c.field + string(c.op) + strings.ReplaceAll(c.value, ";", `\;`)
		if strings.HasSuffix(c.value, `\`) {
			last = append(last, part) // before another condition it would escape the separator
			continue
		}
		parts = append(parts, part)
	}
	if len(last) > 1 {
		return "", queryError("two values ending in a backslash")
	}
	return strings.Join(append(parts, last...), ";"), nil
}

// escape encodes a parameter's value; a space becomes %20, which every server reads alike.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
