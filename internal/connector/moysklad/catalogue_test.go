package moysklad

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

var update = flag.Bool("update", false, "write the files that tests compare with")

// The published columns must match those that the tools return.
func TestShapesMatchTheResults(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	type column struct {
		Name string    `json:"name"`
		Unit tool.Unit `json:"unit"`
	}
	all := map[string][]column{}
	for _, tl := range toolsThatRead(a.Tools()) {
		input := "{}"
		if len(tl.Input.Required) > 0 || strings.HasPrefix(arguments[tl.Name], `{"kind":"customerorder"`) {
			input = arguments[tl.Name]
		}
		for _, c := range callTool(t, a, tl.Name, input).Columns {
			all[tl.Name] = append(all[tl.Name], column{c.Name, c.Unit})
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("shapes.json", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(b.Bytes(), shapesJSON) {
		t.Errorf("shapes.json is outdated, run: go test ./internal/connector/moysklad -run Shapes "+
			"-update\n%s", b.Bytes())
	}
}

// Rule R15: every section that a tool reports as missing is among its declared needs.
func TestMissingRightsMatchTheDeclaredNeeds(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	for role, token := range map[string]string{"storekeeper": s.info.Tokens.Storekeeper, "sales": s.info.Tokens.Sales} {
		a := s.as(t, token)
		for _, tl := range toolsThatRead(a.Tools()) {
			r, err := tryTool(a, tl.Name, arguments[tl.Name], tool.Env{Now: noon})
			if err != nil {
				t.Errorf("%s %s: %v", role, tl.Name, err)
				continue
			}
			for _, n := range r.Notices {
				_, after, ok := strings.Cut(n.Message, "Нет права «")
				section, _, _ := strings.Cut(after, "»:")
				if n.Code != tool.NoticeRightMissing || !ok {
					continue
				}
				if !slices.ContainsFunc(tl.Needs, func(need tool.Need) bool { return need.Section.RU == section }) {
					t.Errorf("%s, %s: «%s» is reported missing but not declared", tl.Name, role, section)
				}
			}
		}
	}
}

func TestRightsHaveDisplayNames(t *testing.T) {
	names := func(rights []connector.Right) string {
		var all []string
		for _, r := range rights {
			all = append(all, strings.TrimSuffix(r.Name+":"+r.Extent, ":"))
		}
		return strings.Join(all, " ")
	}
	has, missing := rightsInWords([]string{"stock", "customerorder:OWN", "demand:OWN_GROUP_SHARED",
		"move:SOMETHING_NEW", "product"})
	if got := names(has); got != "stock:all product:all customerorder:own demand:own_department_and_shared move:all" {
		t.Errorf("has %s", got)
	}
	if got := names(missing); !strings.HasPrefix(got, "viewproductcostandprofit pnl dashboard dashboardmoney") ||
		len(has)+len(missing) != len(rightWords) {
		t.Errorf("lacks %s", got)
	}
	if has, missing := rightsInWords([]string{"admin"}); len(missing) != 0 || len(has) != len(rightWords) {
		t.Errorf("an administrator has %s and lacks %s", names(has), names(missing))
	}
	if has, missing := rightsInWords(nil); has == nil || len(missing) != len(rightWords) {
		t.Error("an employee without rights has a right")
	}
}
