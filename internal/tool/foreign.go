package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
)

// ReadRaw returns a read tool whose schema is known only at run time; see [ForeignSchema]. Run gets the arguments
// unchanged.
func ReadRaw(name string, title, about Text, input *Schema,
	run func(ctx context.Context, env Env, arguments json.RawMessage) (*Result, error)) Tool {
	return Tool{Name: name, Title: title, About: about, Input: input,
		run: func(ctx context.Context, env Env, arguments json.RawMessage) (*Result, error) {
			arguments, err := input.Check(arguments)
			if err != nil {
				return nil, err
			}
			return run(ctx, env, arguments)
		}}
}

// ProposeRaw returns a propose tool whose schema is known only at run time.
func ProposeRaw(name string, title, about Text, input *Schema,
	run func(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error)) Tool {
	return Tool{Name: name, Title: title, About: about, Input: input,
		propose: func(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error) {
			arguments, err := input.Check(arguments)
			if err != nil {
				return nil, err
			}
			return run(ctx, env, arguments)
		}}
}

// The limits of a foreign schema.
const (
	foreignBytes = 16 << 10
	foreignParts = 2000 // schemas within it, each counted once per reference
)

// ForeignSchema parses the input schema of a tool of another server: JSON Schema 2020-12 or draft 7, for an object.
// Validating arguments must be fast, so it rejects schemas that refer to themselves, expand into thousands of parts,
// refer to another address, or are larger than 16 KiB.
func ForeignSchema(raw json.RawMessage) (*Schema, error) {
	if len(raw) > foreignBytes {
		return nil, fmt.Errorf("the schema is larger than %d KiB", foreignBytes>>10)
	}
	var root any
	if err := json.Unmarshal(raw, &root); err != nil {
		return nil, errors.New("the schema is not JSON")
	}
	top, ok := root.(map[string]any)
	if !ok || top["type"] != "object" {
		return nil, errors.New("the schema does not describe an object")
	}
	if v, ok := top["$schema"].(string); ok && !strings.Contains(v, "2020-12") && !strings.Contains(v, "draft-07") {
		return nil, errors.New("the schema uses an unsupported draft of JSON Schema")
	}
	w := unfolding{root: root}
	if err := w.count(root, 0); err != nil {
		return nil, err
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(raw, s); err != nil {
		return nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	s.Schema, s.ID = "", ""
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be compiled: %w", err)
	}
	return &Schema{Schema: s, resolved: resolved, foreign: true}, nil
}

// unfolding counts the parts of a schema while following references.
type unfolding struct {
	root  any
	parts int
	path  []string // references being followed
}

func (w *unfolding) count(v any, depth int) error {
	if w.parts++; w.parts > foreignParts || depth > 100 {
		return errors.New("the schema expands into too many parts")
	}
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			if err := w.count(inner, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, inner := range v {
			if err := w.member(name, inner, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *unfolding) member(name string, v any, depth int) error {
	text, isText := v.(string)
	switch {
	case isText && (name == "$dynamicRef" || name == "$recursiveRef" || name == "$anchor" || name == "$dynamicAnchor" ||
		name == "$id" && depth > 0):
		return fmt.Errorf("the schema uses %s", name)
	case isText && name == "$ref":
		if slices.Contains(w.path, text) {
			return errors.New("the schema refers to itself")
		}
		target, ok := pointed(w.root, text)
		if !ok {
			return errors.New("the schema refers to something outside it")
		}
		w.path = append(w.path, text)
		err := w.count(target, depth+1)
		w.path = w.path[:len(w.path)-1]
		return err
	}
	return w.count(v, depth+1)
}

// pointed resolves a local reference such as "#/$defs/money".
func pointed(root any, ref string) (any, bool) {
	pointer, own := strings.CutPrefix(ref, "#/")
	if !own {
		return nil, false
	}
	for part := range strings.SplitSeq(pointer, "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		object, ok := root.(map[string]any)
		if !ok {
			return nil, false
		}
		if root, ok = object[part]; !ok {
			return nil, false
		}
	}
	return root, true
}

// checkForeign validates arguments against the whole schema and, if possible, finds the invalid fields.
func (s *Schema) checkForeign(given map[string]any) error {
	if s.resolved.Validate(given) == nil {
		return nil
	}
	var fields []stockhand.FieldError
	for _, name := range s.Required {
		if _, ok := given[name]; !ok {
			fields = append(fields, stockhand.FieldError{Field: name, Message: "required"})
		}
	}
	for name, property := range s.Properties {
		value, ok := given[name]
		if !ok {
			continue
		}
		// a schema with references cannot be validated alone
		if resolved, err := property.Resolve(nil); err == nil && resolved.Validate(value) != nil {
			fields = append(fields, stockhand.FieldError{Field: name, Message: expectation(property)})
		}
	}
	if len(fields) == 0 {
		for name := range given {
			if _, known := s.Properties[name]; !known {
				fields = append(fields, stockhand.FieldError{Field: name, Message: "unknown field; known: " +
					strings.Join(s.names(), ", ")})
			}
		}
	}
	if len(fields) == 0 {
		return stockhand.Errorf(stockhand.CodeValidation, "the arguments do not match the tool's schema").WithHint(
			"see the tool's schema")
	}
	return misfit(fields...)
}
