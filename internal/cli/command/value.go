package command

import (
	"cmp"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// value sets a field from a flag (pflag.Value) or an argument.
type value struct {
	field          reflect.Value
	name           string // --version, <draft>
	shown          string // --version=N
	help           string
	enum           []string
	group          string // of flags that exclude each other
	required, path bool
	clears         bool // --no-NAME
	hasDefault     bool // so it cannot be empty
}

func argumentOf(f reflect.StructField, field reflect.Value, name string) *value {
	v := valueOf(f, field, "<"+name+">")
	v.required = !tagged(f, "optional")
	if v.isList() {
		v.shown = "<" + name + "> ..."
	}
	if !v.required {
		v.shown = "[" + v.shown + "]"
	}
	return v
}

func flagOf(f reflect.StructField, field reflect.Value, name string) *value {
	v := valueOf(f, field, "--"+name)
	v.required = tagged(f, "required")
	v.group = f.Tag.Get("xor")
	if v.isBool() {
		return v
	}
	v.shown += "=" + cmp.Or(f.Tag.Get("placeholder"), f.Tag.Get("default"))
	if v.isList() {
		v.shown += ",..."
	}
	return v
}

func valueOf(f reflect.StructField, field reflect.Value, name string) *value {
	v := &value{field: field, name: name, shown: name, help: f.Tag.Get("help"), enum: list(f, "enum"),
		path: f.Tag.Get("type") == "path"}
	if d := f.Tag.Get("default"); d != "" {
		v.hasDefault = true
		if err := v.assign(d); err != nil {
			panic(err) // the tag is wrong
		}
	}
	return v
}

// Set sets a flag.
func (v *value) Set(text string) error {
	if strings.HasPrefix(text, "--") { // the next flag, which pflag takes
		return v.needed()
	}
	switch {
	case !v.isList():
		return v.assign(text)
	case text == "":
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		if err := v.assign(part); err != nil {
			return err
		}
	}
	return nil
}

// assign sets the field, or adds to a list.
func (v *value) assign(text string) error {
	if len(v.enum) > 0 && !slices.Contains(v.enum, text) && (text != "" || v.hasDefault) {
		all := strings.Join(v.enum, ", ")
		return wrong("%s: %q не подходит, нужно одно из: %s", "%s must be one of: %[3]s; not %[2]q", v.name, text, all)
	}
	if v.path {
		text = absolute(text)
	}
	field := v.field
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	if field.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(text)
		if err != nil {
			return wrong("%s: нужна длительность, например 30m или 24h, а не %q",
				"%s must be a duration such as 30m or 24h, not %q", v.name, text)
		}
		field.SetInt(int64(d))
		return nil
	}
	switch field.Kind() {
	case reflect.Slice:
		field.Set(reflect.Append(field, reflect.ValueOf(text).Convert(field.Type().Elem())))
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		given, ok := truth[text]
		if !ok {
			return wrong("%s: нужно true или false, а не %q", "%s must be true or false, not %q", v.name, text)
		}
		field.SetBool(given != v.clears)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return wrong("%s: нужно целое число, а не %q", "%s must be a whole number, not %q", v.name, text)
		}
		field.SetInt(n)
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			return wrong("%s: нужно целое число от 0, а не %q",
				"%s must be a whole number from 0, not %q", v.name, text)
		}
		field.SetUint(n)
	default:
		panic(v.name + " has a type that no text sets: " + field.Type().String())
	}
	return nil
}

var truth = map[string]bool{"true": true, "1": true, "yes": true, "false": false, "0": false, "no": false}

func (v *value) needed() *Error {
	return wrong("%s: не хватает значения (%s)", "%s needs a value (%s)", v.name, v.shown)
}

// String and Type complete pflag.Value.
func (v *value) String() string { return "" }
func (v *value) Type() string   { return v.field.Type().String() }

func (v *value) isList() bool { return v.field.Kind() == reflect.Slice }

func (v *value) isBool() bool {
	t := v.field.Type()
	return t.Kind() == reflect.Bool || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Bool
}

// absolute returns the path of a file; "-" is a stream.
func absolute(path string) string {
	if path == "" || path == "-" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func tagged(f reflect.StructField, tag string) bool {
	_, ok := f.Tag.Lookup(tag)
	return ok
}

// list returns the parts of a tag.
func list(f reflect.StructField, tag string) []string {
	return strings.FieldsFunc(f.Tag.Get(tag), func(r rune) bool { return r == ',' })
}
