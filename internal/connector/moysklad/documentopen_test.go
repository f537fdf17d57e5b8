package moysklad

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/export"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// parts returns the parts of a result by title.
func parts(t *testing.T, r *tool.Result) map[string]*tool.Result {
	t.Helper()
	all := map[string]*tool.Result{}
	for _, p := range r.InPages().Split() {
		whole, err := p.Whole()
		if err != nil {
			t.Fatal(err)
		}
		all[p.Title] = whole
	}
	return all
}

// facts returns the fields of a part with names and values.
func facts(r *tool.Result) map[string]string {
	all := map[string]string{}
	for i := range r.Rows {
		row := r.Row(i)
		all[row["name"].Text()] = row["value"].Text()
	}
	return all
}

// busiest returns the order with the most documents made from it and a changed state.
func busiest(s *shop) *company.Document {
	return slices.MaxFunc(s.company.Documents(company.CustomerOrderDoc), func(x, y *company.Document) int {
		return len(x.Links) + len(x.Changes) - len(y.Links) - len(y.Changes)
	})
}

// Rule R242.
func TestAnOpenedDocumentHasItsLinesPaymentsLinksAndHistory(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	d := busiest(s)
	var results []*tool.Result
	for _, in := range []string{
		fmt.Sprintf(`{"kind":"customerorder","number":%q}`, strings.TrimLeft(d.Name, "0")),
		fmt.Sprintf(`{"id":%q}`, d.ID),
		fmt.Sprintf(`{"kind":"customerorder","id":%q}`, d.ID),
		fmt.Sprintf(`{"link":"https://online.moysklad.ru/app/#customerorder/edit?id=%s"}`, d.ID),
	} {
		r := callTool(t, a, "moysklad_document", in)
		results = append(results, r)
		if r.Answer != results[0].Answer || len(r.Rows) != len(results[0].Rows) {
			t.Errorf("%s: %s", in, r.Answer)
		}
	}
	r := results[0]
	all := parts(t, r)
	lines := all["Строки"]
	if len(lines.Rows) != len(d.Positions) {
		t.Fatalf("%d lines, want %d", len(lines.Rows), len(d.Positions))
	}
	var sum decimal.Decimal
	for i, p := range d.Positions {
		sum = sum.Add(p.Sum().Decimal().Major())
		row := lines.Row(i)
		if row["name"].Text() != p.Good.Name || row["product_id"].Text() != string(p.Good.ID) {
			t.Errorf("line %d is %v", i, row)
		}
		for name, want := range map[string]decimal.Decimal{"quantity": p.Quantity.Decimal(),
			"price": p.Price.Decimal().Major(), "sum": p.Sum().Decimal().Major(), "shipped": p.Shipped.Decimal()} {
			wantEqual(t, name, number(t, lines, lines.Rows[i], name), want)
		}
	}
	at := slices.IndexFunc(lines.Columns, func(c tool.Column) bool { return c.Name == "sum" })
	total, _ := lines.Totals[at].Decimal()
	wantEqual(t, "the total of the lines", total, sum)

	fields := facts(all["Реквизиты"])
	money := func(m company.Money) string { return tool.FormatMoney(m.Decimal().Major(), "RUB", stockhand.Russian) }
	for name, want := range map[string]string{"Номер": d.Name, "Контрагент": d.Agent.Name, "Сумма": money(d.Sum),
		"Оплачено": money(d.PayedSum), "Отгружено": money(d.ShippedSum), "Статус": d.State.Name, "ID": string(d.ID)} {
		if fields[name] != want {
			t.Errorf("%s is %q, want %q", name, fields[name], want)
		}
	}
	paid := d.Made(company.PaymentInDoc, company.CashInDoc)
	if n := len(paid); n > 0 && len(all["Оплаты"].Rows) != n {
		t.Errorf("%d payments, want %d", len(all["Оплаты"].Rows), n)
	}
	if n := len(d.Links) - len(paid); len(all["Связанные документы"].Rows) != n {
		t.Errorf("%d linked documents, want %d", len(all["Связанные документы"].Rows), n)
	}
	history := all["История статусов"]
	if len(history.Rows) != 1+len(d.Changes) || !strings.HasSuffix(history.Row(len(d.Changes))["name"].Text(),
		"→ "+d.State.Name) || history.Row(0)["employee"].Text() == "" {
		t.Errorf("the history is %v", history.Rows)
	}
}

// Rules R242 and R94: every part is a sheet of its own, and a name is text.
func TestADocumentIsExportedWithASheetForEachPart(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	d := busiest(s)
	r := callTool(t, s.owner(t), "moysklad_document", fmt.Sprintf(`{"kind":"customerorder","id":%q}`, d.ID))
	var b bytes.Buffer
	if err := export.XLSX(&b, stockhand.Russian, r.InPages()); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	sheets := book.GetSheetList()
	if want := len(r.Parts) + 1; len(sheets) != want || sheets[0] != "Реквизиты" || sheets[1] != "Строки" {
		t.Errorf("sheets %q, want %d", sheets, want)
	}
	rows, err := book.GetRows("Строки")
	if err != nil || len(rows) != len(d.Positions)+2 || rows[1][0] != d.Positions[0].Good.Name {
		t.Errorf("lines %q, error %v", rows, err)
	}
}

// Rule R242: a number is not a key (fact M94).
func TestADocumentIsNeverGuessed(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for in, hint := range map[string]string{
		`{"number":"00001"}`: "Отгрузка 00001", `{"number":"99999"}`: "", `{}`: "",
		`{"link":"https://example.com/app/#demand/edit?id=e5e629f6-dd98-1103-0a80-d06806461cb2"}`: "",
		`{"kind":"demand","id":"e5e629f6-dd98-1103-0a80-000000000000"}`:                           "",
		`{"id":"e5e629f6-dd98-1103-0a80-000000000000"}`:                                           "", `{"id":"7"}`: "",
	} {
		_, err := tryTool(a, "moysklad_document", in, tool.Env{Now: noon})
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != stockhand.CodeValidation || !strings.Contains(e.Hint, hint) {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// Rule R242: what an employee may not see is said, and is not zero.
func TestAnOpenedDocumentSaysWhatIsHidden(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	storekeeper := s.as(t, s.info.Tokens.Storekeeper)
	order := s.company.Documents(company.PurchaseOrderDoc)[0]
	r := callTool(t, storekeeper, "moysklad_document", fmt.Sprintf(`{"kind":"purchaseorder","id":%q}`, order.ID))
	if fields := facts(parts(t, r)["Реквизиты"]); fields["Сумма"] != "" || fields["Не оплачено"] != "" {
		t.Errorf("sums are shown: %v", fields)
	}
	wantNotice(t, r, tool.NoticeRightMissing)
	enter := s.company.Documents(company.EnterDoc)[0]
	r = callTool(t, storekeeper, "moysklad_document", fmt.Sprintf(`{"kind":"enter","id":%q}`, enter.ID))
	if lines := parts(t, r)["Строки"]; !column(t, lines, "price").Hidden || !column(t, lines, "sum").Hidden {
		t.Error("prices at cost are shown")
	}
	paid := s.company.Documents(company.SupplyDoc)
	i := slices.IndexFunc(paid, func(d *company.Document) bool { return len(d.Made(company.PaymentOutDoc)) > 0 })
	r = callTool(t, storekeeper, "moysklad_document", fmt.Sprintf(`{"kind":"supply","id":%q}`, paid[i].ID))
	if parts(t, r)["Оплаты"] != nil || !strings.Contains(wantNotice(t, r, tool.NoticeVisibility), "не видны") {
		t.Errorf("payments: %v", r.Notices)
	}
	payment := s.company.Documents(company.PaymentInDoc)[0]
	r = callTool(t, storekeeper, "moysklad_document", fmt.Sprintf(`{"kind":"paymentin","id":%q}`, payment.ID))
	if len(r.Rows) > 0 || !strings.Contains(r.Answer, "Входящие платежи") {
		t.Errorf("a payment: %s", r.Answer)
	}
}
