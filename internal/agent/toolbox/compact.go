package toolbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

// common is what fields mean in most tools. The instructions say it once; a tool in which one of these fields means
// something else always says so.
var common = map[string]string{
	"groups":         "groups of goods, by name, path or id; nested groups count in",
	"suppliers":      "suppliers of the goods, by name or id",
	"products":       "goods, by name, code, article or id",
	"stores":         "warehouses, by name or id; none means all",
	"counterparties": "customers or suppliers, by name or id",
	"from":           "first day; default: 30 days up to and including the last",
	"to":             "last day, included; default: today",
	"limit":          "rows to return; 0 or absent: all. Totals cover all rows anyway",
}

// Signature describes the arguments of a tool shown alone.
func Signature(s *tool.Schema) string { return said{}.arguments(s) }

// said is which descriptions of fields a model has read: a field means what it means in the tools before it unless it
// says otherwise.
type said map[string]bool

// again reports whether a field's description was said before, or is what the instructions say.
func (s said) again(name, about string) bool {
	if usual, ok := common[name]; ok {
		return about == usual
	}
	key := name + ": " + about
	was := s[key]
	s[key] = true
	return was
}

// arguments describes arguments in a line, {at?: string (…), groups?: string[]}, which takes a third of the tokens of
// a JSON schema. Arguments are validated against the schema, whose error says what was wrong.
func (s said) arguments(of *tool.Schema) string {
	raw, err := json.Marshal(of.Schema)
	var v map[string]any
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // derived from our own types
	}
	return s.object(v)
}

func (s said) object(v map[string]any) string {
	fields, _ := v["properties"].(map[string]any)
	required, _ := v["required"].([]any)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f, _ := fields[name].(map[string]any)
		part := name
		if !slices.Contains(required, any(name)) {
			part += "?"
		}
		part += ": " + s.kind(f)
		if about, _ := f["description"].(string); about != "" && !s.again(name, about) {
			part += " (" + about + ")"
		}
		parts = append(parts, part)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// kind returns the type of a field, without null.
func (s said) kind(f map[string]any) string {
	if items, ok := f["items"].(map[string]any); ok {
		return s.kind(items) + "[]"
	}
	if choices, ok := f["enum"].([]any); ok {
		var names []string
		for _, v := range choices {
			names = append(names, fmt.Sprint(v))
		}
		return "(" + strings.Join(names, "|") + ")"
	}
	if f["properties"] != nil {
		return s.object(f)
	}
	switch t := f["type"].(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if one != "null" {
				return fmt.Sprint(one)
			}
		}
	}
	return "any"
}
