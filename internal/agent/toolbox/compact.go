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
	"product":        "name, code, article, barcode or id",
	"counterparty":   "name, legal name, code or id",
	"into":           tool.IntoAbout,
	"instead":        tool.InsteadAbout,
}

// Signature describes the arguments of a tool shown alone.
func Signature(s *tool.Schema) string { return newSaid().arguments("", s) }

// said is what a model has read of the tools before: a field means what it meant there unless it says otherwise.
type said struct {
	tool    string
	fields  map[string]bool   // by name and meaning
	choices map[string]string // by choices: the field that has them
	objects map[string]object // by name
}

// object is a field with fields of its own, and the tool that has it.
type object struct {
	tool   string
	fields map[string]any
}

// readers are fields that only Stockhand's own reader uses.
var readers = map[string]bool{"highlight": true, "title": true}

// manyFields is how many fields of an object are listed again with another tool that has them.
const manyFields = 4

// contained reports whether all fields are among others. One that is not allowed is refused with advice.
func contained(fields, others map[string]any) bool {
	for name := range fields {
		if others[name] == nil {
			return false
		}
	}
	return true
}

func newSaid() *said {
	return &said{fields: map[string]bool{}, choices: map[string]string{},
		objects: map[string]object{}}
}

// usual reports whether the instructions say what a field is. The end of any period is its last day.
func usual(name, about string) bool {
	said, ok := common[name]
	return ok && about == said || strings.HasSuffix(name, "to") && about == "its last day" ||
		name == "product" && about == "name, code, article or id" // a barcode is found, too, or refused with advice
}

// again reports whether a field's meaning was said before. A common field that means something else always says so.
func (s *said) again(name, about string) bool {
	if _, ok := common[name]; ok {
		return false
	}
	key := name + ": " + about
	was := s.fields[key]
	s.fields[key] = true
	return was
}

// arguments describes arguments in a line, {at (…), days int, groups, lines! [{quantity! num}]}, which takes a quarter
// of the tokens of a JSON schema: ! is required, [] a list, and what has no type is text. The instructions say so.
// Arguments are validated against the schema, whose error says what was wrong.
func (s *said) arguments(tool string, of *tool.Schema) string {
	raw, err := json.Marshal(of.Schema)
	var v map[string]any
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // derived from our own types
	}
	s.tool = tool
	return s.object(v)
}

func (s *said) object(v map[string]any) string {
	fields, _ := v["properties"].(map[string]any)
	required, _ := v["required"].([]any)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f, _ := fields[name].(map[string]any)
		about, _ := f["description"].(string)
		if (name == "into" || name == "instead") && usual(name, about) ||
			readers[name] {
			continue // the instructions say it of all tools that propose
		}
		part := name
		if slices.Contains(required, any(name)) {
			part += "!"
		}
		if !usual(name, about) {
			if kind := s.kind(name, f); kind != "" {
				part += " " + kind
			}
			if about != "" && !s.again(name, about) {
				part += " (" + about + ")"
			}
		}
		parts = append(parts, part)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// kind returns the type of a field, without null; "" for text.
func (s *said) kind(name string, f map[string]any) string {
	if items, ok := f["items"].(map[string]any); ok {
		return "[" + s.kind(name, items) + "]"
	}
	if choices, ok := f["enum"].([]any); ok {
		var names []string
		for _, v := range choices {
			names = append(names, fmt.Sprint(v))
		}
		of := strings.Join(names, "|")
		if before, ok := s.choices[of]; ok && len(names) > manyChoices {
			return "as " + before
		}
		s.choices[of] = strings.TrimPrefix(s.tool+"."+name, ".")
		return of
	}
	if fields, _ := f["properties"].(map[string]any); len(fields) >= manyFields {
		if before, ok := s.objects[name]; ok && contained(fields, before.fields) {
			return "as " + before.tool
		}
		s.objects[name] = object{s.tool, fields}
	}
	if f["properties"] != nil {
		return s.object(f)
	}
	switch t := f["type"].(type) {
	case string:
		return short(t)
	case []any:
		for _, one := range t {
			if one != "null" {
				return short(fmt.Sprint(one))
			}
		}
	}
	return "any"
}

// manyChoices is how many choices are listed again with another field that has them.
const manyChoices = 4

// short returns the name of a JSON type as signatures have it.
func short(kind string) string {
	switch kind {
	case "string":
		return ""
	case "integer":
		return "int"
	case "number":
		return "num"
	case "boolean":
		return "bool"
	}
	return kind
}
