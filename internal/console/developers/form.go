package developers

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Kinds of fields.
const (
	asText   = "text"
	asDate   = "date"
	asNumber = "number"
	asChoice = "choice"
	asFlag   = "flag"
	asList   = "list"    // one text a line
	asTicks  = "several" // of known values
	asJSON   = "json"
)

// field is an argument of a tool in a form.
type field struct {
	Name     string
	Kind     string
	About    string
	Required bool
	Options  []ui.Option
	Values   []string // as entered
	Error    string
	In       string // where a parameter is in a request to the API
	Fixed    bool   // it cannot be changed
}

// input is the name of the field's input, and its ID.
func (f field) input() string { return prefix + f.Name }

// hint is what the field is for and how it is filled in.
func (f field) hint(ctx context.Context) string {
	all := []string{f.About}
	switch f.Kind {
	case asList:
		all = append(all, text.FieldLines.In(ctx))
	case asJSON:
		all = append(all, "JSON")
	}
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " · ")
}

func (f field) value() string {
	if len(f.Values) == 0 {
		return ""
	}
	return f.Values[0]
}

// fieldsOf returns the fields of a schema, the required ones first, with what a form or an address has for them.
func fieldsOf(ctx context.Context, s *jsonschema.Schema, given url.Values) []field {
	names := slices.DeleteFunc(slices.Clone(s.PropertyOrder), func(n string) bool { return s.Properties[n] == nil })
	if len(names) != len(s.Properties) {
		names = slices.Sorted(maps.Keys(s.Properties))
	}
	var first, rest []field
	for _, name := range names {
		p := s.Properties[name]
		f := field{Name: name, About: text.Described(ctx, p.Description), Required: slices.Contains(s.Required, name)}
		f.Kind, f.Options = kindOfField(ctx, p, f.Required)
		f.Values = slices.DeleteFunc(slices.Clone(given[f.input()]), func(v string) bool { return v == "" })
		if f.Required {
			first = append(first, f)
		} else {
			rest = append(rest, f)
		}
	}
	return append(first, rest...)
}

// kindOfField returns how a property is entered, and the choices.
func kindOfField(ctx context.Context, p *jsonschema.Schema, required bool) (string, []ui.Option) {
	has := func(t string) bool { return p.Type == t || slices.Contains(p.Types, t) }
	switch {
	case len(p.Enum) > 0:
		var all []ui.Option
		if !required {
			all = append(all, ui.Option{Title: text.FieldUsual.In(ctx)})
		}
		return asChoice, append(all, enumOf(p)...)
	case has("boolean"):
		return asFlag, nil
	case has("number"), has("integer"):
		return asNumber, nil
	case has("string") && strings.Contains(p.Pattern, `\d{4}-\d{2}-\d{2}`):
		return asDate, nil
	case has("string"):
		return asText, nil
	case has("array") && p.Items != nil && len(p.Items.Enum) > 0:
		return asTicks, enumOf(p.Items)
	case has("array") && p.Items != nil && p.Items.Type == "string":
		return asList, nil
	}
	return asJSON, nil
}

func enumOf(p *jsonschema.Schema) (all []ui.Option) {
	for _, v := range p.Enum {
		if s, ok := v.(string); ok {
			all = append(all, ui.Option{Value: s, Title: s})
		}
	}
	return all
}

// arguments are the fields that were filled in as a JSON object, in the order of the form. It marks those that are not
// what they should be.
func arguments(ctx context.Context, all []field) (json.RawMessage, bool) {
	var b bytes.Buffer
	ok := true
	b.WriteByte('{')
	for i := range all {
		f := &all[i]
		value, given := f.json(ctx)
		if f.Error != "" {
			ok = false
		}
		if !given {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(encode(f.Name))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), ok
}

// json returns the value of a field, if there is one.
func (f *field) json(ctx context.Context) (value []byte, given bool) {
	v := strings.TrimSpace(f.value())
	if v == "" && f.Kind != asTicks {
		return nil, false
	}
	switch f.Kind {
	case asFlag:
		return []byte("true"), v == "1"
	case asNumber:
		v = strings.NewReplacer(",", ".", " ", "", "\u00a0", "").Replace(v)
		if _, err := strconv.ParseFloat(v, 64); err != nil || !json.Valid([]byte(v)) {
			f.Error = text.FieldNumber.In(ctx)
			return nil, false
		}
		return []byte(v), true
	case asTicks:
		return encode(f.Values), len(f.Values) > 0
	case asList:
		var lines []string
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		return encode(lines), true
	case asJSON:
		var out bytes.Buffer
		if json.Compact(&out, []byte(v)) != nil {
			f.Error = text.FieldJSON.In(ctx)
			return nil, false
		}
		return out.Bytes(), true
	}
	return encode(v), true
}

// encode encodes a text or texts, without escaping what only matters in HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // texts always encode
	return bytes.TrimSpace(b.Bytes())
}

// blame puts what a refusal says about arguments beside their fields, and returns what belongs to none.
func blame(all []field, e *stockhand.Error) (rest []stockhand.FieldError) {
	for _, wrong := range e.Fields {
		name, _, _ := strings.Cut(wrong.Field, ".")
		name, _, _ = strings.Cut(name, "[")
		i := slices.IndexFunc(all, func(f field) bool { return f.Name == name })
		if i < 0 {
			rest = append(rest, wrong)
		} else if all[i].Error == "" {
			all[i].Error = wrong.Message
		}
	}
	return rest
}
