package moysklad

import (
	"fmt"
	"os"
	"testing"

	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestLook(t *testing.T) {
	if os.Getenv("LOOK") == "" {
		t.Skip()
	}
	s := openShop(t, sandbox.Options{})
	for role, token := range map[string]string{"owner": s.info.Tokens.Owner, "storekeeper": s.info.Tokens.Storekeeper, "sales": s.info.Tokens.Sales} {
		a := s.as(t, token)
		fmt.Println("=====", role, a.who)
		for _, tl := range a.Tools() {
			args := "{}"
			switch tl.Name {
			case "moysklad_reference":
				args = `{"kind":"suppliers"}`
			case "moysklad_find_products":
				args = `{"query":"ча"}`
			}
			for _, lang := range []string{"ru", "en"} {
				before := len(s.Requests())
				r, err := try(a, tl.Name, args, tool.Env{Now: noon, Language: "ru"})
				if lang == "en" {
					r, err = try(a, tl.Name, args, tool.Env{Now: noon, Language: "en"})
				}
				if err != nil {
					fmt.Println("!!!", tl.Name, err)
					continue
				}
				fmt.Printf("--- %s: %d requests (%d), %d rows\n%s\n", tl.Name, r.Provenance.Requests, len(s.Requests())-before, len(r.Rows), r.Answer)
				if lang == "en" {
					continue
				}
				for _, n := range r.Notices {
					fmt.Println("   ", n.Code, n.Message)
				}
				for i := range min(3, len(r.Rows)) {
					for j, c := range r.Columns {
						fmt.Print(c.Name, "=", r.Rows[i][j].Format(c.Unit, "ru"), " | ")
					}
					fmt.Println()
				}
				for j, c := range r.Columns {
					if r.Totals != nil && !r.Totals[j].IsEmpty() {
						fmt.Print("total ", c.Name, "=", r.Totals[j].Format(c.Unit, "ru"), " | ")
					}
				}
				fmt.Println()
			}
		}
	}
}
