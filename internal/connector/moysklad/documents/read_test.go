package documents

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R240: the first pages say how many documents there are, so that the rest is not read in vain.
func TestTooManyDocumentsAreRefusedAfterTheFirstPages(t *testing.T) {
	s := sandbox.New(sandbox.Options{NoLimits: true, Accounts: 1,
		Company: company.Options{Products: 50, Days: 60, Seed: 7}})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	info := s.Accounts()[0]
	a := account.New(connector.Config{BaseURL: server.URL + sandbox.APIPath, Token: info.Tokens.Owner},
		connector.Identity{Account: "a", Rights: []string{account.RightAdmin}})
	good := s.Company(info.AccountID).Documents(company.RetailDemandDoc)[0].Positions[0].Good.Root()
	in := fmt.Sprintf(`{"kinds":["retaildemand"],"products":[%q],"from":"2000-01-01"}`, good.ID)
	_, err := listTool(a, 3).Call(t.Context(), tool.Env{Language: stockhand.English}, json.RawMessage(in))
	if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), "shorter period") ||
		!strings.Contains(err.Error(), "at most 3") {
		t.Errorf("%v", err)
	}
	pages := 0
	for _, r := range s.Requests() {
		if strings.HasSuffix(r.Path, "/retaildemand") {
			pages++
		}
	}
	if pages != 1 {
		t.Errorf("%d pages were read", pages)
	}
}

// Lines are used for the figures of a good and not kept: lists may have a hundred thousand documents.
func TestLinesAreNotKept(t *testing.T) {
	c := &call{Call: &account.Call{}}
	good := msapi.Ref{Type: "product", ID: "1"}
	one := decimal.Some(decimal.FromInt(1))
	r := c.row(&conditions{wanted: map[msapi.ID]bool{good.ID: true}}, kindOf("demand"),
		msapi.Document{Positions: []msapi.Position{{Assortment: good, Quantity: one, Price: one}}})
	if r.Positions != nil || !r.goodQuantity.Known {
		t.Errorf("%d lines are kept, quantity %v", len(r.Positions), r.goodQuantity)
	}
}

// Rule R242: what is not read is not the fault of the employee's rights, and is not left out silently.
func TestWhatIsNotReadOfADocumentIsSaid(t *testing.T) {
	const id, link = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body := `{"rows":[],"meta":{"size":0}}`
		if strings.HasSuffix(q.URL.Path, id) {
			href := "http://" + q.Host + "/entity/factureout/" + link
			body = `{"id":"` + id + `","name":"1","moment":"2026-11-01 10:00:00.000","operations":[{"meta":{"type":` +
				`"factureout","href":"` + href + `"}}]}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	a := account.New(connector.Config{BaseURL: server.URL, Token: "t"},
		connector.Identity{Account: "a", Employee: "e", Rights: []string{account.RightAdmin}})
	r, err := openTool(a).Call(t.Context(), tool.Env{Language: stockhand.English},
		json.RawMessage(`{"kind":"processing","id":"`+id+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprint(r.Notices)
	if !strings.Contains(said, "of other types") || strings.Contains(said, "may not see: 1") {
		t.Errorf("a tax invoice: %s", said)
	}
	if !strings.Contains(said, "materials and products") {
		t.Errorf("the lines of a production: %s", said)
	}
}
