package moysklad

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// totalOf returns the total of a column.
func totalOf(t *testing.T, r *tool.Result, name string) tool.Value {
	t.Helper()
	i := slices.IndexFunc(r.Columns, func(c tool.Column) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no column %s", name)
	}
	return r.Totals[i]
}

// Rule R241.
func TestTheQuantityOfAGoodIsOfPostedDocumentsOfOneType(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var draft *company.Document
	var good company.Position
	for _, d := range s.company.Documents(company.CustomerOrderDoc) {
		if !d.Applicable && len(d.Positions) > 0 && d.Positions[0].Good.Root() == d.Positions[0].Good {
			draft, good = d, d.Positions[0]
		}
	}
	if draft == nil {
		t.Fatal("no draft")
	}
	var want decimal.Decimal
	for _, d := range s.company.Documents(company.CustomerOrderDoc) {
		for _, p := range d.Positions {
			if d.Applicable && p.Good.Root() == good.Good {
				want = want.Add(p.Quantity.Decimal())
			}
		}
	}
	const in = `{"kinds":[%s],"products":[%q],"from":"2026-09-01"}`
	r := callTool(t, a, "moysklad_documents", fmt.Sprintf(in, `"customerorder"`, good.Good.ID))
	got, _ := totalOf(t, r, "product_quantity").Decimal()
	wantEqual(t, "ordered", got, want)
	r = callTool(t, a, "moysklad_documents", fmt.Sprintf(in, `"customerorder","demand"`, good.Good.ID))
	if total := totalOf(t, r, "product_quantity"); !total.IsEmpty() {
		t.Errorf("orders and shipments add up to %v", total)
	}
}

// Rule R241.
func TestSumsInHiddenCurrenciesAreNotAdded(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	currencies := map[bool]bool{}
	for _, d := range s.company.Documents(company.PurchaseOrderDoc) {
		currencies[d.Currency == nil] = currencies[d.Currency == nil] || d.Applicable
	}
	if !currencies[true] || !currencies[false] {
		t.Fatal("all orders have the same currency")
	}
	a := s.owner(t)
	if err := s.Fail(sandbox.Fault{Path: "entity/currency", Status: 403, Count: 9}); err != nil {
		t.Fatal(err)
	}
	r := callTool(t, a, "moysklad_documents", `{"kinds":["purchaseorder"],"from":"2026-01-01"}`)
	if total := totalOf(t, r, "sum"); !total.IsEmpty() || strings.Contains(r.Answer, " на ") {
		t.Errorf("total %v: %s", total, r.Answer)
	}
	if !strings.Contains(fmt.Sprint(r.Notices), "разные: суммы не сложены") {
		t.Errorf("notices %v", r.Notices)
	}
}

// Rule R240.
func TestDocumentsWhoseStatesMayNotBeReadAreNamed(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	const tariff = `{"errors":[{"error":"Недоступно на текущем тарифе","code":1043}]}`
	for name, f := range map[string]sandbox.Fault{
		"forbidden": {Path: "entity/purchaseorder", Status: 403, Count: 20},
		"tariff":    {Path: "entity/purchaseorder", Status: 403, Body: tariff, Count: 20},
	} {
		s.Reset()
		a := s.owner(t)
		if err := s.Fail(f); err != nil {
			t.Fatal(err)
		}
		in := `{"kinds":["customerorder","purchaseorder"],"states":["Новый"],"from":"2026-09-01"}`
		r := callTool(t, a, "moysklad_documents", in)
		if len(r.Rows) == 0 || !strings.Contains(wantNotice(t, r, tool.NoticeRightMissing), "«Заказы поставщикам»") {
			t.Errorf("%s: %v", name, r.Notices)
		}
		in = `{"kinds":["purchaseorder"],"states":["Новый"],"from":"2026-09-01"}`
		if r = callTool(t, a, "moysklad_documents", in); !strings.Contains(r.Answer, "Ответить нельзя") ||
			!strings.Contains(r.Answer, "«Заказы поставщикам»") || len(r.Rows) > 0 {
			t.Errorf("%s: %s", name, r.Answer)
		}
	}
	s.Reset()
	a := s.owner(t)
	if err := s.Fail(sandbox.Fault{Path: "entity/(demand|supply)", Status: 403, Count: 20}); err != nil {
		t.Fatal(err)
	}
	r := callTool(t, a, "moysklad_documents", `{"kinds":["demand","supply"]}`)
	if !strings.Contains(r.Answer, "Ответить нельзя") {
		t.Errorf("no type is readable: %s", r.Answer)
	}
}

// A missing right is named as what it is (rule R15).
func TestARefusedRequestNamesItsOwnSection(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	if err := s.Fail(sandbox.Fault{Path: "entity/project$", Status: 403, Count: 9}); err != nil {
		t.Fatal(err)
	}
	r := callTool(t, a, "moysklad_documents", `{"kinds":["demand"],"projects":["Интернет-магазин"]}`)
	if !strings.Contains(r.Answer, "«Проекты»") {
		t.Errorf("%s", r.Answer)
	}
}

// Rule R242.
func TestADocumentNamedTwiceIsRefused(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	d := s.company.Documents(company.DemandDoc)[0]
	link := "https://online.moysklad.ru/app/#demand/edit?id=" + string(d.ID)
	api := s.url + "/entity/demand/" + string(d.ID)
	for in, field := range map[string]string{
		fmt.Sprintf(`{"id":%q,"number":"00002"}`, d.ID):                                                      "number",
		fmt.Sprintf(`{"link":%q,"number":"00002"}`, link):                                                    "number",
		fmt.Sprintf(`{"link":%q,"id":%q}`, api, d.ID):                                                        "id",
		fmt.Sprintf(`{"link":"https://api.moysklad.ru/api/remap/1.2/entity/demand/%s","kind":"move"}`, d.ID): "kind",
	} {
		_, err := tryTool(s.owner(t), "moysklad_document", in, tool.Env{Now: noon})
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != stockhand.CodeValidation || e.Fields[0].Field != field {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// Rule R242.
func TestTheSumOfALineIsLessItsDiscount(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_document",
		fmt.Sprintf(`{"kind":"demand","id":%q}`, s.company.Documents(company.DemandDoc)[0].ID))
	if !strings.Contains(r.Provenance.Method, "за вычетом скидки") {
		t.Errorf("%s", r.Provenance.Method)
	}
}

// Names are read for the documents that are shown, not for all that were found.
func TestNamesAreReadForShownDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	r := callTool(t, a, "moysklad_documents", `{"from":"2026-09-01","limit":1}`)
	shown := r.Row(0)["document_type"].Text()
	for _, q := range s.Requests() {
		kind, isStates := strings.CutSuffix(strings.TrimPrefix(q.Path, sandbox.APIPath+"/entity/"), "/metadata")
		if isStates && kind != shown {
			t.Errorf("the states of %s were read, and a %s is shown", kind, shown)
		}
	}
}
