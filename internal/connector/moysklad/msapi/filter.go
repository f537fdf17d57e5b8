package msapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Op is an operator of a filter condition (fact M22).
type Op string

// The operators. Contains, Begins and Ends apply to strings and ignore case.
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

// Filter is the value of the filter parameter. Conditions on different fields must all be met; several "=" conditions
// on one field are alternatives. The zero Filter has no conditions. A Filter is immutable: Where returns a longer one.
type Filter struct{ conditions []condition }

// Where adds a condition for each value. An empty value selects empty fields with Eq and non-empty fields with NotEq.
func (f Filter) Where(field string, op Op, values ...string) Filter {
	conditions := slices.Clip(f.conditions)
	for _, v := range values {
		conditions = append(conditions, condition{field, op, v})
	}
	return Filter{conditions}
}

// And returns the combined conditions.
func (f Filter) And(g Filter) Filter {
	return Filter{append(slices.Clip(f.conditions), g.conditions...)}
}

// IsZero reports whether there are no conditions.
func (f Filter) IsZero() bool { return len(f.conditions) == 0 }

// once are the fields that accept only one value (code 1030).
var once = []string{"search", "moment", "stockMode", "quantityMode", "withSubFolders", "stockMoment", "groupBy",
	"stockDaysFrom", "stockDaysTo"}

// never are the fields that cannot be filtered although they look like it, with the reason why a condition on them
// gives an error or wrong figures (facts M22 and M24).
var never = map[string]string{
	"payedSum": "is not filterable", "shippedSum": "is not filterable", "invoicedSum": "is not filterable",
	"waitSum": "is not filterable", "reservedSum": "is not filterable",
	"sourceStore": "is filtered as store", "targetStore": "is filtered as agentStore",
	"updatedFrom": "is filtered as updated>=", "updatedTo": "is filtered as updated<=",
}

// Build returns the filter's text before URL encoding, with semicolons in values escaped. It returns [ErrQuery] for
// what the API rejects or silently misinterprets.
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
			// Documents without a state would silently be dropped (rule R19).
			return "", queryError("state!= drops documents without a state; list the states to include and add an " +
				"empty one")
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
			return "", queryError("%s given twice", key) // only the first of two would count
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

// escape encodes a parameter's value. A space becomes %20, which every server decodes the same way.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// posted restricts documents to those that are posted, or to those that are not; nil means both.
func (f Filter) posted(is *bool) Filter {
	if is == nil {
		return f
	}
	return f.Where("applicable", Eq, strconv.FormatBool(*is))
}

// dated restricts documents to a period and to those planned before a time. A zero time is no restriction.
func (f Filter) dated(from, to, plannedBefore time.Time) Filter {
	for _, end := range []struct {
		field string
		op    Op
		at    time.Time
	}{{"moment", GreaterEq, from}, {"moment", LessEq, to}, {"deliveryPlannedMoment", Less, plannedBefore}} {
		if !end.at.IsZero() {
			f = f.Where(end.field, end.op, FormatMoment(end.at))
		}
	}
	return f
}
