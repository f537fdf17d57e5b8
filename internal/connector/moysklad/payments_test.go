package moysklad

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// addPayment adds what only payments have to the oracle's keys.
func addPayment(keys map[string]string, d *company.Document) {
	if d.Recipient.ID != "" {
		keys["counterparty"], keys["recipient"] = string(d.Recipient.ID), d.Recipient.Type
	}
	if d.ExpenseItem != nil {
		keys["expense_item"] = string(d.ExpenseItem.ID)
	}
	if d.OrganizationAccount != nil {
		keys["account"] = string(d.OrganizationAccount.ID)
	}
	if d.Type == company.CashInDoc || d.Type == company.CashOutDoc {
		keys["account"] = "cash"
	}
}

// Money by expense item, account and the other side of payments has the names that people know.
func TestMoneyIsBrokenDownByWhatItWasSpentOn(t *testing.T) { // rule R221, fact M118
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for dimension, name := range map[string]string{"expense_item": "Аренда", "account": "Касса",
		"counterparty": s.company.Catalogue().Employees[3].ShortName, "currency": "USD"} {
		r := callTool(t, a, "moysklad_analyze", `{"measures":["money_out"],"by":["`+dimension+`"],`+
			`"from":"2026-10-01","to":"2026-11-20"}`)
		if !slices.ContainsFunc(r.Rows, func(row tool.Row) bool { return cell(t, r, row, dimension).Text() == name }) {
			t.Errorf("no row %q by %s: %v", name, dimension, r.Rows)
		}
	}
	all := callTool(t, a, "moysklad_analyze", `{"measures":["money_out"],"from":"2026-10-01","to":"2026-11-20"}`)
	rent := callTool(t, a, "moysklad_analyze", `{"measures":["money_out"],"from":"2026-10-01","to":"2026-11-20",`+
		`"where":[{"field":"expense_item","op":"=","values":["аренда"]}]}`)
	rest := callTool(t, a, "moysklad_analyze", `{"measures":["money_out"],"from":"2026-10-01","to":"2026-11-20",`+
		`"where":[{"field":"expense_item","op":"!=","values":["Аренда"]}]}`)
	out := func(r *tool.Result) decimal.Decimal { return number(t, r, r.Totals, "money_out") }
	wantEqual(t, "rent of two months", out(rent), decimal.FromInt(160_000))
	wantEqual(t, "rent and the rest", out(rent).Add(out(rest)), out(all))
	_, err := tryTool(a, "moysklad_analyze", `{"measures":["money_out"],"where":[{"field":"expense_item","op":"=",`+
		`"values":["Яхта"]}]}`, tool.Env{Now: noon})
	if stockhand.CodeOf(err) != stockhand.CodeValidation ||
		!strings.HasPrefix(err.Error(), "VALIDATION_FAILED: expense_item «Яхта»") {
		t.Errorf("an unknown expense item: %v", err)
	}
}

// Payments before and after midnight belong to their days in Moscow.
func TestAPaymentAroundMidnightBelongsToItsDay(t *testing.T) { // rule R221, fact M35
	a := openShop(t, sandbox.Options{}).owner(t)
	for day, want := range map[string]int64{"2026-10-31": 0, "2026-11-01": 80_000} {
		r := callTool(t, a, "moysklad_analyze", `{"measures":["money_out"],"from":"`+day+`","to":"`+day+
			`","where":[{"field":"expense_item","op":"=","values":["Аренда"]}],"by":["day"]}`)
		got := decimal.Zero
		for _, row := range r.Rows {
			got = got.Add(number(t, r, row, "money_out"))
		}
		wantEqual(t, "rent on "+day, got, decimal.FromInt(want))
	}
}

// The balances of accounts are those of the money report. Those in other currencies are named and not added.
func TestBalancesInOtherCurrenciesAreNotAdded(t *testing.T) { // rule R222, fact M84
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["balance"],"by":["legal_entity","account"]}`)
	wantNotice(t, r, tool.NoticeCurrency)
	want, shown := decimal.Zero, 0
	for _, b := range s.company.MoneyByAccount() {
		id := "cash"
		if b.Account != nil {
			id = string(b.Account.ID)
		}
		i := slices.IndexFunc(r.Rows, func(row tool.Row) bool {
			return cell(t, r, row, "account_id").Text() == id &&
				cell(t, r, row, "legal_entity_id").Text() == string(b.Organization.ID)
		})
		if i < 0 {
			t.Errorf("no row of %v", b)
			continue
		}
		got := cell(t, r, r.Rows[i], "balance")
		if !b.Currency.Default {
			if !got.IsEmpty() {
				t.Errorf("a balance in %s is shown as %v", b.Currency.ISOCode, got)
			}
			continue
		}
		shown++
		want = want.Add(b.Balance.Decimal().Major())
		wantEqual(t, id, number(t, r, r.Rows[i], "balance"), b.Balance.Decimal().Major())
	}
	wantEqual(t, "total", number(t, r, r.Totals, "balance"), want)
	if shown < 3 {
		t.Errorf("%d balances", shown)
	}
}

// Payments that the employee may not see are neither zero nor half of a flow.
func TestHiddenPaymentsAreNotZero(t *testing.T) { // rules R15, R221
	s := openShop(t, sandbox.Options{})
	keeper := s.as(t, s.info.Tokens.Storekeeper)
	for _, measures := range []string{`"net_flow"`, `"money_in"`, `"balance"`} {
		r := callTool(t, keeper, "moysklad_analyze", `{"measures":[`+measures+`],`+inOctober+`}`)
		if len(r.Rows) > 0 || strings.Contains(r.Answer, "₽") || !strings.Contains(r.Answer, "Ответить нельзя") {
			t.Errorf("%s: %d rows, %s", measures, len(r.Rows), r.Answer)
		}
	}
}
