package lookup

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// condition is one of the conditions of a call.
type condition struct {
	Field string `json:"field"`
	Op    op     `json:"op,omitempty"`
	Value scalar `json:"value" jsonschema:"empty: not filled"`
}

type op string

// Schema lists the operators.
func (op) Schema() *jsonschema.Schema {
	return tool.DescribedEnum[op]("default: =, several are alternatives; ~: contains", "=", "!=", "<", "<=", ">",
		">=", "~")
}

// scalar is text, a number or a yes or no.
type scalar string

// Schema accepts what models write.
func (scalar) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number", "boolean"}}
}

// UnmarshalJSON keeps the digits of a number.
func (s *scalar) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(s))
	}
	*s = scalar(b)
	return nil
}

// allowed are the operators of a sort of fields.
var allowed = map[sort]string{words: "= != ~", link: "=", flag: "=", amount: "= != < <= > >=",
	figure: "= != < <= > >=", day: "= < <= > >="}

// test reports whether a row meets a condition. The server's filters are not trusted: one that it ignores would return
// everything.
type test struct {
	field *field
	op    op
	meets func(row) bool
	said  string // the value
}

// where resolves the conditions to a filter and the tests of its rows.
func (c *call) where(ctx context.Context, e *entity, list []condition) (f msapi.Filter, tests []test, err error) {
	for _, x := range list {
		of, err := e.fieldNamed(c.Call, "filter", x.Field)
		if err != nil {
			return f, nil, err
		}
		if x.Op == "" {
			x.Op = "="
		}
		if of.where == "" || !strings.Contains(" "+allowed[of.sort]+" ", " "+string(x.Op)+" ") {
			message := c.Pickf("по полю %s так отбирать нельзя", "%s cannot be filtered so", of.name)
			hint := c.Pick("отберите строки результата: query_result", "filter the result with query_result")
			if of.where != "" {
				hint = c.Pick("можно: ", "operators: ") + allowed[of.sort]
			}
			return f, nil, account.Invalid("filter", message).WithHint("%s", hint)
		}
		if f, err = c.one(ctx, e, of, x, f, &tests); err != nil {
			return f, nil, err
		}
	}
	return f, tests, nil
}

// one adds a condition.
func (c *call) one(ctx context.Context, e *entity, of *field, x condition, f msapi.Filter, tests *[]test) (msapi.Filter,
	error) {
	value := strings.TrimSpace(string(x.Value))
	add := func(text string, meets func(row) bool) (msapi.Filter, error) {
		*tests = append(*tests, test{of, x.Op, meets, value})
		return f.Where(of.where, msapi.Op(x.Op), text), nil
	}
	wrong := func(ru, en string) (msapi.Filter, error) {
		return f, account.Invalid("filter", of.name+": "+c.Pick(ru, en))
	}
	switch of.sort {
	case words:
		folded := wording.Fold(value)
		return add(value, func(r row) bool {
			has := wording.Fold(r.text(of.path))
			return x.Op == "=" && has == folded || x.Op == "!=" && has != folded ||
				x.Op == "~" && strings.Contains(has, folded)
		})
	case flag:
		is, err := strconv.ParseBool(value)
		if err != nil {
			return wrong("нужно true или false", "expected true or false")
		}
		return add(strconv.FormatBool(is), func(r row) bool { return r.get(of.path).Bool() == is })
	case amount, figure:
		d, err := decimal.Parse(value)
		if err != nil {
			return wrong("нужно число", "expected a number")
		}
		if of.sort == amount {
			d = d.Minor()
		}
		return add(d.String(), func(r row) bool {
			has := r.decimal(of.path)
			return has.Known && x.Op.holds(has.Cmp(d))
		})
	case day:
		on := tool.Day(value)
		if on.Time().IsZero() {
			return wrong("нужен день ГГГГ-ММ-ДД", "expected a day, YYYY-MM-DD")
		}
		meets := func(r row) bool {
			has := r.day(of.path)
			return has != "" && x.Op.holds(strings.Compare(string(has), string(on)))
		}
		*tests = append(*tests, test{of, x.Op, meets, on.Format(c.Lang)})
		if x.Op == ">" || x.Op == "<=" || x.Op == "=" { // the day counts whole
			last := value + " 23:59:59"
			if x.Op == "=" {
				return f.Where(of.where, ">=", value+" 00:00:00").Where(of.where, "<=", last), nil
			}
			return f.Where(of.where, msapi.Op(x.Op), last), nil
		}
		return f.Where(of.where, msapi.Op(x.Op), value+" 00:00:00"), nil
	case link:
	}
	if value == "" {
		return add("", func(r row) bool { return r.ref(of.path).IsZero() })
	}
	kind, ids, err := c.linked(ctx, e, of, value)
	if err != nil {
		return f, err
	}
	for _, id := range ids {
		if f, err = add(c.Reader.Href(kind, id), func(r row) bool { return r.ref(of.path).ID == id }); err != nil {
			return f, err
		}
	}
	return f, nil
}

// holds reports whether an operator holds for the order of two values.
func (o op) holds(order int) bool {
	switch o {
	case "=":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return o == ">=" && order >= 0
}

// linked returns what a name or ID of a link means, with its type in the API's addresses.
func (c *call) linked(ctx context.Context, e *entity, of *field, value string) (string, []msapi.ID, error) {
	if id, ok := msapi.ParseID(value); ok && of.of != "state" {
		return of.of, []msapi.ID{id}, nil
	}
	if of.of == "counterparty" {
		list, err := c.FindCounterparties(ctx, "filter", []string{value})
		return of.of, account.Ids(list, func(r msapi.Ref) msapi.ID { return r.ID }), err
	}
	kind, list := of.of, []msapi.Named(nil)
	var err error
	switch of.of {
	case "store":
		list, err = named(c.StoreList(ctx))(func(x msapi.Store) msapi.Named { return x.Named })
	case "employee":
		list, err = named(c.EmployeeList(ctx))(func(x msapi.Colleague) msapi.Named { return x.Named })
	case "organization":
		list, err = named(c.OrganizationList(ctx))(func(x msapi.Organization) msapi.Named { return x.Named })
	case "project":
		list, err = c.ProjectList(ctx)
	case "state":
		kind = e.name + "/metadata/states"
		list, err = named(c.StateList(ctx, e.name))(func(x msapi.State) msapi.Named {
			return msapi.Named{ID: x.ID, Name: x.Name}
		})
	}
	if err != nil {
		return "", nil, err
	}
	x, err := account.FindOne(c.Call, "filter", of.label, value, list, func(x msapi.Named) (msapi.ID, []string) {
		return x.ID, []string{x.Name, x.Code}
	})
	return kind, []msapi.ID{x.ID}, err
}

// named returns a list as names.
func named[T any](list []T, err error) func(of func(T) msapi.Named) ([]msapi.Named, error) {
	return func(of func(T) msapi.Named) ([]msapi.Named, error) {
		names := make([]msapi.Named, len(list))
		for i, x := range list {
			names[i] = of(x)
		}
		return names, err
	}
}

// conditions says what the rows were selected by, in brackets; empty for nothing.
func (c *call) conditions(tests []test) string {
	var list []string
	for _, t := range tests {
		label := strings.ToLower(t.field.label.In(c.Lang))
		text := ""
		switch {
		case t.op == "=" && t.said == "":
			text = label + c.Pick(" не заполнено", " is empty")
		case t.field.sort == flag:
			if text = label + c.Pick(": да", ": yes"); t.said != "true" {
				text = label + c.Pick(": нет", ": no")
			}
		case t.op == "=", t.op == "~":
			text = label + " " + map[op]string{"~": c.Pick("содержит ", "contains ")}[t.op] +
				wording.InQuotes(t.said, c.Lang)
		case t.field.sort == day && t.op == ">=":
			text = label + c.Pick(" с ", " from ") + t.said
		case t.field.sort == day && t.op == "<=":
			text = label + c.Pick(" по ", " to ") + t.said
		default:
			text = label + " " + string(t.op) + " " + t.said
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, "; ") + ")"
}
