package cli_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/app/apptest"
)

func TestMeasuresAreDefinedAtTheCommandLine(t *testing.T) { // rules R246, R247
	t.Parallel()
	s, environment := beside(t, apptest.Options{Accounts: 1})
	measures := func(args ...string) ran { return run(t, environment, append([]string{"measures"}, args...)...) }
	if r := measures("list"); r.out != "None yet.\n" {
		t.Errorf("%+v", r)
	}
	if r := measures("set", "our_gain", "revenue - luck", "--en", "Our gain"); r.code != 1 ||
		!strings.Contains(r.err, "luck") {
		t.Errorf("%+v", r)
	}
	if r := measures("set", "our_gain", "revenue - cost", "--en", "Our gain"); r.code != 0 ||
		!strings.Contains(r.out, "revenue - cost") {
		t.Errorf("%+v", r)
	}
	made := object(t, measures("set", "our_markup", "our_gain / cost", "--ru", "Наша наценка", "--unit", "percent",
		"--words-ru", "наша наценка,наценка наша", "--json"))
	if made["unit"] != "percent" || len(made["words"].(map[string]any)["ru"].([]any)) != 2 {
		t.Errorf("%+v", made)
	}
	if a := s.Do("POST", "/query?wait=60", s.AdminToken, map[string]any{"measures": []string{"our_markup"}}); a.Status != 200 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if r := measures("list"); !strings.Contains(r.out, "our_markup") || !strings.Contains(r.out, "Наша наценка") {
		t.Errorf("%+v", r)
	}
	if r := measures("remove", "our_gain"); r.code != 1 || !strings.Contains(r.err, "our_markup") {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"our_markup", "our_gain"} {
		if r := measures("remove", name); r.code != 0 {
			t.Errorf("%+v", r)
		}
	}
}
