package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// probe is a value at a documented bound, or just beyond it.
type probe struct {
	value any
	fits  bool
}

// ruled are fields with rules besides their length: nothing is tried that fits.
var ruled = []string{"cursor", "token", "email", "url", "connector", "operation", "allowed_ips",
	"formula", "part", "x", "y", "series"}

// probes are those of all bounds of a field.
func probes(field string, s *huma.Schema) (all []probe) {
	letter := "я"
	if field == "message" {
		letter = "x" // bytes are counted
	}
	text := func(length int) string { return strings.Repeat(letter, length) }
	list := func(length int) []any { return slices.Repeat([]any{"x"}, length) }
	if s.MaxLength != nil {
		plain := s.Format == "" && s.Pattern == "" && len(s.Enum) == 0
		if plain {
			all = append(all, probe{text(*s.MaxLength), true})
		}
		all = append(all, probe{text(*s.MaxLength + 1), false})
	}
	if s.MinLength != nil && *s.MinLength > 0 {
		all = append(all, probe{text(*s.MinLength - 1), false})
	}
	if s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString("!") || len(s.Enum) > 0 {
		all = append(all, probe{"!", false})
	}
	if s.MaxItems != nil {
		all = append(all, probe{list(*s.MaxItems), true}, probe{list(*s.MaxItems + 1), false})
	}
	if s.MinItems != nil && *s.MinItems > 0 {
		all = append(all, probe{list(*s.MinItems - 1), false})
	}
	if s.Maximum != nil {
		all = append(all, probe{*s.Maximum, true}, probe{*s.Maximum + 1, false})
	}
	if s.Minimum != nil {
		all = append(all, probe{*s.Minimum, true}, probe{*s.Minimum - 1, false})
	}
	if slices.Contains(ruled, field) {
		all = slices.DeleteFunc(all, func(p probe) bool { return p.fits })
	}
	return all
}

// wantBound wants a refusal that names the field exactly if the value does not fit.
func wantBound(t *testing.T, doing, field string, p probe, a apptest.Answer) {
	t.Helper()
	var b errorBody
	if a.Status == http.StatusUnprocessableEntity || a.Status == http.StatusBadRequest {
		a.Decode(t, &b)
	}
	named := slices.ContainsFunc(b.Detail.Errors, func(f stockhand.FieldError) bool { return f.Field == field })
	if a.Status >= 500 || named == p.fits {
		t.Errorf("%s (fits: %v): %d %.300s", doing, p.fits, a.Status, a.Body)
	}
}

// What the document says of lengths, ranges and patterns is what the service enforces: a value at the bound is accepted
// or refused for another reason, and one beyond it is refused by the name of its field (rule R182).
func TestDocumentedBoundsAreThoseThatAreEnforced(t *testing.T) {
	t.Parallel()
	w := newWalked(t)
	tried := 0
	for _, r := range api.Routes() {
		for _, param := range r.Params {
			if param.In != "query" {
				continue
			}
			for _, p := range probes(param.Name, r.Resolve(param.Schema)) {
				path := w.fill(r) + "?" + url.Values{param.Name: {fmt.Sprint(p.value)}}.Encode()
				var body any
				if r.Example != nil {
					body = w.body(r)
				}
				if p.fits && r.Method != http.MethodGet {
					continue // it would wait
				}
				wantBound(t, r.Method+" "+path, param.Name, p, w.Do(r.Method, path, w.AdminToken, body))
				tried++
			}
		}
		if r.Schema == nil {
			continue
		}
		var try func(at string, s *huma.Schema, with func(any) map[string]any)
		try = func(at string, s *huma.Schema, with func(any) map[string]any) {
			for _, p := range probes(at, s) {
				doing := fmt.Sprintf("%s %s with %.40v as %s", r.Method, r.Path, p.value, at)
				wantBound(t, doing, at, p, w.Do(r.Method, w.fill(r), w.AdminToken, with(p.value)))
				tried++
			}
			for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
				inner := s.Properties[name]
				for _, one := range inner.OneOf {
					if one.Type == huma.TypeString || one.Ref != "" {
						inner = one
					}
				}
				try(strings.TrimPrefix(at+"."+name, "."), r.Resolve(inner), func(v any) map[string]any {
					if at == "" {
						body := w.body(r)
						body[name] = v
						return body
					}
					return with(map[string]any{name: v})
				})
			}
		}
		try("", r.Schema, nil)
	}
	if tried < 200 {
		t.Errorf("only %d values were tried", tried)
	}
}

// Texts, lists and numbers in a request have bounds in the document, but for IDs and names in lists, which are
// looked up (rule R182).
func TestRequestsHaveDocumentedBounds(t *testing.T) {
	t.Parallel()
	looked := regexp.MustCompile(`(^|[._])ids?$|\[\]$`)
	unbounded := []string{
		"version", "after", // any number
		"documents[].lines[].price", "documents[].lines[].quantity", // numbers beside the pattern of text
		"documents[].lines[].price.currency", "documents[].lines[].price.text", // not read
		"draft_rules.max_order_total", "draft_rules.max_price_change", "draft_rules.second_approver_above",
		"draft_rules.second_approver_price_change", "draft_rules.step_up_above", // decimal numbers
	}
	for _, r := range api.Routes() {
		var walk func(at string, s *huma.Schema)
		walk = func(at string, s *huma.Schema) {
			s = r.Resolve(s)
			named := len(s.Enum) > 0 || s.Pattern != "" || s.Format != "" || looked.MatchString(at) ||
				slices.Contains(unbounded, at)
			if s.Type == huma.TypeString && s.MaxLength == nil && !named ||
				s.Type == huma.TypeArray && s.MaxItems == nil ||
				(s.Type == huma.TypeInteger || s.Type == huma.TypeNumber) && s.Maximum == nil && !named {
				t.Errorf("%s: %s has no bound", r.Name, at)
			}
			if s.Items != nil {
				walk(at+"[]", s.Items)
			}
			for _, one := range s.OneOf {
				walk(at, one)
			}
			for name, p := range s.Properties {
				walk(strings.TrimPrefix(at+"."+name, "."), p)
			}
		}
		for _, p := range r.Params {
			if p.In == "query" {
				walk(p.Name, p.Schema)
			}
		}
		if r.Schema != nil {
			walk("", r.Schema)
		}
	}
}
