// Package fields makes the arguments of tools fields of forms.
package fields

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Kinds of fields.
const (
	Text   = "text"
	Date   = "date"
	Number = "number"
	Choice = "choice"
	Flag   = "flag"
	Either = "either"  // yes, no, or neither
	List   = "list"    // one text a line
	Ticks  = "several" // of known values
	JSON   = "json"
)

// Field is an argument of a tool in a form.
type Field struct {
	Name     string
	Title    string // what people call it; empty for programmers, who see its name
	ID       string // of its input; the input's name by default
	Kind     string
	About    string
	Required bool
	Options  []ui.Option
	Values   []string // as entered
	Error    string
	In       string // where a parameter is in a request to the API
	Fixed    bool   // it cannot be changed
	Least    string // of a number; empty without a bound
	Most     string
}

// Prefix begins the names of inputs.
const Prefix = "a-"

// Input is the name of the field's input.
func (f Field) Input() string { return Prefix + f.Name }

// Hint is what the field is for and how it is filled in.
func (f Field) Hint(ctx context.Context) string {
	all := []string{f.About}
	switch f.Kind {
	case List:
		all = append(all, text.FieldLines.In(ctx))
	case JSON:
		all = append(all, "JSON")
	}
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " · ")
}

// Value is what a field with one value has; empty for nothing.
func (f Field) Value() string {
	if len(f.Values) == 0 {
		return ""
	}
	return f.Values[0]
}

// Of returns the fields of a schema, the required ones first, with what a form or an address has for them.
func Of(ctx context.Context, s *jsonschema.Schema, given url.Values) []Field {
	names := slices.DeleteFunc(slices.Clone(s.PropertyOrder), func(n string) bool { return s.Properties[n] == nil })
	if len(names) != len(s.Properties) {
		names = slices.Sorted(maps.Keys(s.Properties))
	}
	var first, rest []Field
	for _, name := range names {
		p := s.Properties[name]
		f := Field{Name: name, About: text.Described(ctx, p.Description),
			Required: slices.Contains(s.Required, name)}
		f.Kind, f.Options = kindOf(ctx, p, f.Required)
		f.Least, f.Most = bound(p.Minimum), bound(p.Maximum)
		f.Values = slices.DeleteFunc(slices.Clone(given[f.Input()]), func(v string) bool { return v == "" })
		if f.Required {
			first = append(first, f)
		} else {
			rest = append(rest, f)
		}
	}
	return append(first, rest...)
}

func bound(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}

// ValuesOf are the values of a field that has an argument, as a form sends them.
func (f Field) ValuesOf(argument json.RawMessage) []string {
	var one string
	var all []string
	switch {
	case len(argument) == 0 || string(argument) == "null":
		return nil
	case f.Kind == Flag:
		if string(argument) == "true" {
			return []string{"1"}
		}
		return nil
	case f.Kind == JSON:
	case json.Unmarshal(argument, &one) == nil:
		return []string{one}
	case json.Unmarshal(argument, &all) != nil:
	case f.Kind == List:
		return []string{strings.Join(all, "\n")}
	default:
		return all
	}
	return []string{string(argument)}
}

// kindOf returns how a property is entered, and the choices.
func kindOf(ctx context.Context, p *jsonschema.Schema, required bool) (string, []ui.Option) {
	has := func(t string) bool { return p.Type == t || slices.Contains(p.Types, t) }
	switch {
	case len(p.Enum) > 0:
		var all []ui.Option
		if !required {
			all = append(all, ui.Option{Title: text.FieldUsual.In(ctx)})
		}
		return Choice, append(all, enumOf(p)...)
	case has("boolean") && has("null"):
		return Either, []ui.Option{{Title: text.FieldUsual.In(ctx)}, {Value: "true", Title: text.Yes.In(ctx)},
			{Value: "false", Title: text.No.In(ctx)}}
	case has("boolean"):
		return Flag, nil
	case has("number"), has("integer"):
		return Number, nil
	case has("string") && strings.Contains(p.Pattern, `\d{4}-\d{2}-\d{2}`):
		return Date, nil
	case has("string"):
		return Text, nil
	case has("array") && p.Items != nil && len(p.Items.Enum) > 0:
		return Ticks, enumOf(p.Items)
	case has("array") && p.Items != nil && p.Items.Type == "string":
		return List, nil
	}
	return JSON, nil
}

func enumOf(p *jsonschema.Schema) (all []ui.Option) {
	for _, v := range p.Enum {
		if s, ok := v.(string); ok {
			all = append(all, ui.Option{Value: s, Title: s})
		}
	}
	return all
}

// Arguments are the fields that were filled in as a JSON object, in the order of the form. It marks those that are
// not what they should be.
func Arguments(ctx context.Context, all []Field) (json.RawMessage, bool) {
	var b bytes.Buffer
	ok := true
	b.WriteByte('{')
	for i := range all {
		f := &all[i]
		value, given := f.JSON(ctx)
		if f.Error != "" {
			ok = false
		}
		if !given {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(Encode(f.Name))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), ok
}

// JSON returns the value of a field, if there is one.
func (f *Field) JSON(ctx context.Context) (value []byte, given bool) {
	v := strings.TrimSpace(f.Value())
	if v == "" && f.Kind != Ticks {
		return nil, false
	}
	switch f.Kind {
	case Flag:
		return []byte("true"), v == "1"
	case Either:
		return []byte(v), v == "true" || v == "false"
	case Number:
		v = strings.NewReplacer(",", ".", " ", "", "\u00a0", "").Replace(v)
		if _, err := strconv.ParseFloat(v, 64); err != nil || !json.Valid([]byte(v)) {
			f.Error = text.FieldNumber.In(ctx)
			return nil, false
		}
		return []byte(v), true
	case Ticks:
		return Encode(f.Values), len(f.Values) > 0
	case List:
		var lines []string
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		return Encode(lines), true
	case JSON:
		var out bytes.Buffer
		if json.Compact(&out, []byte(v)) != nil {
			f.Error = text.FieldJSON.In(ctx)
			return nil, false
		}
		return out.Bytes(), true
	}
	return Encode(v), true
}

// Encode encodes a text or texts, without escaping what only matters in HTML.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // texts always encode
	return bytes.TrimSpace(b.Bytes())
}

// Blame puts what a refusal says about arguments beside their fields, and returns what belongs to none.
func Blame(all []Field, e *stockhand.Error) (rest []stockhand.FieldError) {
	for _, wrong := range e.Fields {
		name, _, _ := strings.Cut(wrong.Field, ".")
		name, _, _ = strings.Cut(name, "[")
		i := slices.IndexFunc(all, func(f Field) bool { return f.Name == name })
		if i < 0 {
			rest = append(rest, wrong)
		} else if all[i].Error == "" {
			all[i].Error = wrong.Message
		}
	}
	return rest
}

func (f Field) id() string { return cmp.Or(f.ID, f.Input()) }

func (f Field) label() string { return cmp.Or(f.Title, f.Name) }

// bounds are the attributes of a number's input. A number with a bound is a whole one.
func (f Field) bounds() templ.Attributes {
	if f.Least == "" && f.Most == "" {
		return templ.Attributes{"inputmode": "decimal"}
	}
	all := templ.Attributes{"type": "number"}
	for name, value := range map[string]string{"min": f.Least, "max": f.Most} {
		if value != "" {
			all[name] = value
		}
	}
	return all
}
