package blocks

import (
	"fmt"
	"testing"
)

func TestReferencesToResultsAreRead(t *testing.T) { // rule R366
	for text, want := range map[string]string{
		"[[table r2]]":   "table r2 [] 0",
		"[[chart r12]]":  "chart r12 [] 0",
		"[[kpi r1]]":     "kpi r1 [] 0",
		"[[figures r1]]": "kpi r1 [] 0",
		"[[chart: r2]]":  "chart r2 [] 0",
		"{{table r2}}":   "table r2 [] 0",
		"`[[table r2]]`": "table r2 [] 0",
		"[[Table R2 columns=name,profit rows=5]]":     "table r2 [name profit] 5",
		"[[table r2 columns: name, profit; rows: 5]]": "table r2 [name profit] 5",
		"[[table r2 rows=5000]]":                      "table r2 [] 50",
		"[[table r2]] [[table r2]]":                   "table r2 [] 0;  r2 [] 0",
		"[[table res_06h0nvcs3g]]":                    "table res_06h0nvcs3g [] 0",
		"[table](r2), [[note r2]], [[table]], r2":     "",
	} {
		got := ""
		for _, p := range Places(text) {
			if got != "" {
				got += "; "
			}
			got += fmt.Sprint(p.Kind, " ", p.Result, " ", p.Columns, " ", p.Rows)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
