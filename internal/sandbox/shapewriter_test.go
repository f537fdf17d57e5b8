package sandbox

import (
	"encoding/json"
	goflag "flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// from is a directory with the vendor's documentation: openapi.json, the published OpenAPI document, and
// samples/*.json, the sample responses. It is only needed to regenerate testdata:
//
//	go test ./internal/sandbox -run TestWriteShapes -from DIR
//
// Only field names and types are kept. The command rewrites the paths listed in testdata/shapes.txt and the files in
// testdata/answers. To add one, first add a line "GET /path" or an empty file.
var from = goflag.String("from", "", "directory of the vendor's OpenAPI document and samples")

func TestWriteShapes(t *testing.T) {
	if *from == "" {
		return
	}
	files, err := filepath.Glob("testdata/answers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata/answers: ", err)
	}
	for _, file := range files {
		var sample any
		readJSON(t, filepath.Join(*from, "samples", filepath.Base(file)), &sample)
		b, err := json.MarshalIndent((&skeleton{ids: map[string]string{}}).of("", sample), "", " ")
		if err == nil {
			err = os.WriteFile(file, append(b, '\n'), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var doc openAPI
	readJSON(t, filepath.Join(*from, "openapi.json"), &doc)
	w := shapeWriter{doc: doc, shapes: map[string]string{}}
	for line := range strings.Lines(string(readFile(t, "testdata/shapes.txt"))) {
		if words := strings.Fields(line); len(words) > 1 && strings.HasPrefix(words[1], "/") {
			schema := doc.Paths[words[1]][strings.ToLower(words[0])].Responses["200"].Content["application/json"].Schema
			w.shapes[words[0]+" "+words[1]] = w.kind(words[1], schema)
		}
	}
	w.kind("", schema{Ref: "#/components/schemas/error"})
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(w.shapes)) {
		fmt.Fprintln(&out, strings.TrimSpace(name+" "+w.shapes[name]))
	}
	if err := os.WriteFile("testdata/shapes.txt", []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, path), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// skeleton replaces the values in a sample with generated ones and keeps names and types. An array keeps one element,
// or one for each entity type in it.
type skeleton struct {
	n   int
	ids map[string]string // generated id by original id, so that an object and its href agree
}

var anyID = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

func (s *skeleton) of(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		made := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if v[k] != nil {
				made[k] = s.of(k, v[k])
			}
		}
		if list, ok := made["rows"].([]any); ok {
			made["meta"] = withSize(made["meta"], len(list))
		}
		return made
	case []any:
		byKind, order := map[string]any{}, []string{}
		for _, e := range v {
			kind, _ := dig(e, "meta", "type").(string)
			if _, seen := byKind[kind]; !seen {
				order = append(order, kind)
			}
			byKind[kind] = merge(byKind[kind], e)
		}
		made := []any{}
		for _, kind := range order {
			made = append(made, s.of(key, byKind[kind]))
		}
		return made
	case string:
		return s.text(key, v)
	case float64:
		s.n++
		return 10000 + s.n
	}
	return v // a boolean
}

func (s *skeleton) text(key, v string) string {
	s.n++
	old := strings.ToLower(anyID.FindString(v))
	id := s.ids[old]
	if old == "" || id == "" {
		id = fmt.Sprintf("00000000-0000-0000-0000-%012d", s.n)
		s.ids[old] = id
	}
	v, query, _ := strings.Cut(v, "?")
	_, path, api := strings.Cut(v, apiRoot)
	if strings.HasPrefix(query, "expand=") {
		path += "?" + query
	}
	switch {
	case api:
		return "https://api.moysklad.ru" + apiRoot + anyID.ReplaceAllString(path, id)
	case strings.Contains(v, "://"):
		return "https://example.com/" + key + "?id=" + id
	case anyID.MatchString(v):
		return id
	case regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d`).MatchString(v):
		return "2026-01-02 03:04:00.000"
	case key == "type", key == "mediaType", key == "view":
		return v // an API keyword
	}
	return fmt.Sprint(key, " ", s.n)
}

func withSize(meta any, size int) any {
	if m, ok := meta.(map[string]any); ok && m["size"] != nil {
		m["size"], m["limit"], m["offset"] = size, maxLimit, 0
	}
	return meta
}

// merge returns an object with the keys of both values, or the first value if it is not an object.
func merge(a, b any) any {
	x, isObject := a.(map[string]any)
	y, both := b.(map[string]any)
	if !isObject || !both {
		if a == nil {
			return b
		}
		return a
	}
	both2 := maps.Clone(x)
	for k, v := range y {
		both2[k] = merge(both2[k], v)
	}
	return both2
}

// openAPI is the part of an OpenAPI document that describes responses.
type openAPI struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Ref                 string `json:"$ref"`
	Type                string
	Nullable            bool
	Required            []string
	Properties          map[string]schema
	Items               *schema
	AllOf, AnyOf, OneOf []schema
}

// shapeWriter writes schemas in the notation of [shapes].
type shapeWriter struct {
	doc    openAPI
	shapes map[string]string
}

// kind returns a schema in that notation. An object becomes a shape named at.
func (w shapeWriter) kind(at string, s schema) string {
	suffix := ""
	if s.Nullable {
		suffix = "?"
	}
	switch alternatives := slices.Concat(s.AnyOf, s.OneOf); {
	case s.Ref != "":
		name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		if _, done := w.shapes[name]; !done {
			w.shapes[name] = "" // the schema may be recursive
			if kind := w.kind(name, w.doc.Components.Schemas[name]); strings.TrimSuffix(kind, "?") != name {
				w.shapes[name] = kind
			}
		}
		return name + suffix
	case len(alternatives) > 0:
		var kinds []string
		for i, a := range alternatives {
			kinds = append(kinds, w.kind(fmt.Sprint(at, ".", i), a))
		}
		return strings.Join(kinds, "|") + suffix
	case len(s.AllOf) == 1 && len(s.Properties) == 0:
		return w.kind(at, s.AllOf[0]) + suffix
	case s.Type == "array" && s.Items != nil:
		return "[" + w.kind(at, *s.Items) + "]" + suffix
	case len(s.Properties) == 0 && len(s.AllOf) == 0:
		return map[bool]string{true: s.Type, false: "any"}[s.Type != ""] + suffix
	}
	fields := map[string]string{}
	w.fields(at, s, fields)
	var line []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		line = append(line, name+fields[name])
	}
	w.shapes[at] = "{ " + strings.Join(line, " ") + " }"
	return at + suffix
}

// fields collects the properties of a schema and of its allOf schemas.
func (w shapeWriter) fields(at string, s schema, into map[string]string) {
	for _, part := range s.AllOf {
		if part.Ref != "" {
			part = w.doc.Components.Schemas[part.Ref[strings.LastIndex(part.Ref, "/")+1:]]
		}
		w.fields(at, part, into)
	}
	for name, p := range s.Properties {
		mark := ":"
		if slices.Contains(s.Required, name) {
			mark = "!:"
		}
		into[name] = mark + w.kind(at+"."+name, p)
	}
}
