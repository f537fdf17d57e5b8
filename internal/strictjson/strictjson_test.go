package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzJSON checks that the reader never panics and that accepted JSON decodes, is valid UTF-8 without NUL characters
// and is not nested too deeply.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,{"b":null}],"c":"\u0000"}`, `[[[[1e999]]]]`, `{"a":1,"a":2}`, "\xff",
		`{"a":"\ud800"}`, `1 2`, strings.Repeat("[", 70)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if f := JSON(body); f != nil {
			if f.Field == "" || f.Message == "" {
				t.Errorf("%+v", f)
			}
			return
		}
		var v any
		if err := json.Unmarshal(body, &v); err != nil || !utf8.Valid(body) || !valid(v, 0) {
			t.Errorf("accepted: %q, %v", body, err)
		}
	})
}

func valid(v any, depth int) bool {
	switch v := v.(type) {
	case string:
		return !strings.ContainsRune(v, 0)
	case []any:
		for _, e := range v {
			if !valid(e, depth+1) {
				return false
			}
		}
		return depth < MaxDepth
	case map[string]any:
		for key, e := range v {
			if strings.ContainsRune(key, 0) || !valid(e, depth+1) {
				return false
			}
		}
		return depth < MaxDepth
	}
	return true
}
