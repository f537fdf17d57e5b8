package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// input reads a JSON object of a request body field by field. The first error is kept in err and stops reading.
type input struct {
	c      *call
	fields map[string]json.RawMessage
	used   map[string]bool
	err    error
}

func (c *call) input(raw json.RawMessage) (*input, error) {
	o := &input{c: c, used: map[string]bool{}}
	if err := json.Unmarshal(raw, &o.fields); err != nil {
		return nil, refuse(http.StatusBadRequest, 2016, "Ошибка формата: ожидался объект")
	}
	return o, nil
}

func errType(name string) *apiError {
	return refuse(http.StatusBadRequest, 2016, "Ошибка формата: значение поля '%s' имеет неверный тип", name).at(name)
}

func (o *input) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// into decodes a field if present. For null it leaves to unchanged and returns clear.
func (o *input) into(name string, to any) (there, clear bool) {
	raw, ok := o.fields[name]
	if o.used[name] = true; !ok || o.err != nil {
		return false, false
	}
	if string(bytes.TrimSpace(raw)) == "null" {
		return true, true
	}
	if err := json.Unmarshal(raw, to); err != nil {
		at := name
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
			at += "." + wrong.Field
		}
		o.fail(errType(at))
	}
	return true, false
}

// text reads a string; null clears it.
func (o *input) text(name string, most int, to *string) {
	s := ""
	if there, _ := o.into(name, &s); there {
		*to = s
		if utf8.RuneCountInString(s) > most {
			o.fail(refuse(http.StatusPreconditionFailed, 3040, "Ошибка сохранения объекта: слишком длинное поле '%s'",
				name).at(name))
		}
	}
}

const (
	shortText = 255
	longText  = 4096
)

func (o *input) flag(name string, to *bool) {
	var b bool
	if there, _ := o.into(name, &b); there {
		*to = b
	}
}

// readNumber reads a non-negative number in ten-thousandths; null is zero.
func readNumber[N ~int64](o *input, name string, to *N) {
	var n json.Number
	there, clear := o.into(name, &n)
	if !there || o.err != nil {
		return
	}
	if string(o.fields[name])[0] == '"' { // json.Number also accepts quoted numbers
		o.fail(errType(name))
		return
	}
	v := int64(0)
	if !clear {
		var ok bool
		if v, ok = parseFixed(n.String()); !ok {
			o.fail(errType(name))
		}
	}
	if v < 0 {
		o.fail(refuse(http.StatusPreconditionFailed, 3002,
			"Ошибка сохранения объекта: поле '%s' не может быть отрицательным", name).at(name))
	}
	*to = N(v)
}

func (o *input) moment(name string, to *time.Time) {
	s := ""
	if there, _ := o.into(name, &s); !there {
		return
	}
	at, ok := parseMoment(s)
	if s != "" && !ok {
		o.fail(errType(name))
	}
	*to = at
}

// refer reads a reference to an object; null clears it.
func refer[R any](o *input, name, typ string, to *R) {
	var w *wireRef
	if there, _ := o.into(name, &w); there && o.err == nil {
		found, err := resolve[R](o.c, name, w, typ)
		if err != nil {
			o.fail(err)
		}
		*to = found
	}
}

// list reads an array of objects and calls read for each.
func (o *input) list(name string, read func(*input)) (there bool) {
	var elements []json.RawMessage
	if there, _ = o.into(name, &elements); !there {
		return false
	}
	if len(elements) > maxElements {
		o.fail(refuse(http.StatusRequestEntityTooLarge, 2022, "В массиве '%s' больше 1000 элементов", name))
	}
	for _, raw := range elements {
		if o.err != nil {
			break
		}
		inner, err := o.c.input(raw)
		if err == nil {
			read(inner)
			err = inner.err
		}
		if err != nil {
			o.fail(err)
		}
	}
	return true
}

// attributes reads additional fields and merges them with the existing ones (fact M47).
func (o *input) attributes(typ string, to *[]company.AttributeValue) {
	merged := slices.Clone(*to)
	o.list("attributes", func(a *input) {
		var w wireRef
		_, _ = a.into("meta", &w.Meta)
		_, id, err := o.c.refID("attributes", &w, "attributemetadata")
		definition := o.c.attributeByID(typ, id)
		switch {
		case err != nil:
			a.fail(err)
			return
		case definition == nil:
			a.fail(errNowhere("attributes"))
			return
		}
		v := company.AttributeValue{Attribute: definition}
		switch attributeKind(definition) {
		case number:
			readNumber(a, "value", &v.Number)
		case flag:
			a.flag("value", &v.Flag)
		case moment:
			a.moment("value", &v.Time)
		case text, uid, link:
			if definition.Type == company.DirectoryType {
				var element struct{ Name string }
				_, _ = a.into("value", &element)
				v.Text = element.Name
				break
			}
			a.text("value", longText, &v.Text)
		}
		merged = slices.DeleteFunc(merged, func(old company.AttributeValue) bool { return old.Attribute == definition })
		if string(a.fields["value"]) != "null" {
			merged = append(merged, v)
		}
	})
	*to = merged
}

// readOnly are fields set by the API, which ignores them in request bodies (fact M46).
var readOnly = []string{"meta", "id", "accountId", "updated", "created", "group", "shared", "pathName", "sum", "vatSum",
	"payedSum", "shippedSum", "invoicedSum", "reservedSum", "waitSum", "printed", "published", "variantsCount",
	"effectiveVat", "effectiveVatEnabled", "demands", "supplies", "returns", "salesAmount", "bonusPoints",
	"useParentVat"}

// finish checks the fields that were not read. It refuses changes to fields that the sandbox cannot change and, if a
// switch says so, unknown fields. known are the fields of the type; present writes the object before the change and is
// nil for a new one.
func (o *input) finish(known []string, present func(*encoder)) error {
	shown := map[string]any{}
	if present != nil {
		var b bytes.Buffer
		e := newEncoder(&b)
		present(e)
		if err := errors.Join(e.flush(), json.Unmarshal(b.Bytes(), &shown)); err != nil {
			return err
		}
	}
	for name, raw := range o.fields {
		switch {
		case o.used[name] || slices.Contains(readOnly, name):
		case slices.Contains(known, name):
			var sent any
			if err := json.Unmarshal(raw, &sent); err == nil && !equalJSON(sent, shown[name]) {
				o.fail(errReadOnly(name))
			}
		case o.c.server.options.Switches.UnknownFieldsRefused:
			o.fail(refuse(http.StatusPreconditionFailed, 1007, "Неизвестное поле в теле запроса: '%s'", name))
		}
	}
	return o.err
}

// equalJSON compares a sent value with the current one. An empty value equals an absent one, and references are equal
// if their hrefs are.
func equalJSON(a, b any) bool {
	if href := dig(a, "meta", "href"); href != nil {
		return href == dig(b, "meta", "href")
	}
	empty := func(v any) bool {
		r := reflect.ValueOf(v)
		return !r.IsValid() || r.IsZero() || (r.Kind() == reflect.Slice || r.Kind() == reflect.Map) && r.Len() == 0
	}
	x, isList := a.([]any)
	y, both := b.([]any)
	if isList && both && len(x) == len(y) {
		for i := range x {
			if !equalJSON(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return empty(a) && empty(b) || reflect.DeepEqual(a, b)
}

// dig returns the value at a path of keys in nested objects, or nil.
func dig(v any, keys ...string) any {
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}
