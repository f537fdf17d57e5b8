package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// asPayments limits payments to those whom the task says they went to: "оплаты поставщикам" are not all payments. No
// payment says what its counterparty is, but the item of expenses does: goods, salaries or returns (rule R1200).
func (r *reader) asPayments(out *Reading, _, _ []token.Token) bool {
	r.asReturned(out)
	r.salaries(out)
	item, dative := r.payees()
	if item == "" || out.Question != nil || out.Outside || len(out.Unknown) > 0 || r.in.Catalogue == nil {
		return false
	}
	q := &analysis.Query{Measures: []string{"money_out"}}
	switch in, ok := out.Input.(lookup.Documents); {
	case out.Skill == Documents && ok:
		if !payments(in, dative) {
			return false
		}
		q = r.paymentsOf(in)
	case out.Skill == Analyze && out.Query != nil:
		copied := *out.Query
		copied.Measures, copied.Where = slices.Clone(copied.Measures), slices.Clone(copied.Where)
		q = &copied
		if slices.Equal(q.Measures, []string{"money_in"}) && item == "закуп" && r.saysPayments() {
			q.Measures = []string{"money_out"} // "оплаты по поставщикам"
		}
		if !ofMoneyOut(q) || slices.ContainsFunc(q.Where, ofPayee) {
			return false
		}
		if len(q.By) == 0 || slices.Equal(q.By, []string{"employee"}) {
			q.By = []string{"counterparty"}
		}
	default:
		return false
	}
	q.Where = append(q.Where, analysis.Condition{Field: "expense_item", Op: analysis.Contains,
		Values: []analysis.Scalar{analysis.Scalar(item)}})
	if !query.Possible(r.in.Catalogue, *q) {
		return false
	}
	r.answerBy(out, q)
	r.converted = false
	return false
}

// asReturned takes returns that the task says went to suppliers for those documents: figures of returns are of what
// customers brought back (rule R1210).
func (r *reader) asReturned(out *Reading) {
	q := out.Query
	if out.Skill != Analyze || q == nil || out.Question != nil || q.Compare != nil || len(out.Unknown) > 0 ||
		slices.ContainsFunc(q.Measures, func(m string) bool { return m != "returns" && m != "quantity_returned" }) {
		return
	}
	for i := range r.named {
		if t := &r.named[i]; t.Use != token.Unused || !datives[t.Norm] || i > 0 && r.named[i-1].Norm == "по" {
			continue
		}
		in := lookup.Documents{Kinds: []string{"purchasereturn"}, From: q.From, To: q.To, By: "counterparty"}
		for _, w := range q.Where {
			if w.Field != "counterparty" && w.Field != "supplier" || w.Op != analysis.In {
				return
			}
			for _, v := range w.Values {
				in.Counterparties = append(in.Counterparties, string(v))
			}
		}
		out.Skill, out.Input, out.Query, out.Arguments, r.usual = Documents, in, nil, Arguments{}, true
		return
	}
}

// salaries shows salaries by whom they went to, and not by who entered them: "зарплата сотрудников".
func (r *reader) salaries(out *Reading) {
	q := out.Query
	if out.Skill != Analyze || q == nil || out.Question != nil || !slices.Equal(q.By, []string{"employee"}) ||
		!ofMoneyOut(q) || !slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
		return w.Field == "expense_item"
	}) ||
		slices.ContainsFunc(r.named, func(t token.Token) bool { return t.Norm == "по" || t.Norm == "by" }) {
		return
	}
	copied := *q
	copied.By = []string{"counterparty"}
	out.Query, out.Said, r.usual = &copied, r.say(&copied), true
}

// saysPayments reports whether the task says that payments are meant, either way.
func (r *reader) saysPayments() bool {
	return slices.ContainsFunc(r.named, func(t token.Token) bool {
		return t.Use == token.Unused && (strings.HasPrefix(t.Norm, "оплат") || strings.HasPrefix(t.Norm, "плат") ||
			strings.HasPrefix(t.Norm, "payment"))
	})
}

// ofMoneyOut reports whether a query is about nothing but money that goes, or its average.
func ofMoneyOut(q *analysis.Query) bool {
	defined := len(q.Define) == 1 && strings.HasPrefix(q.Define[0].Formula, "money_out ") &&
		slices.Equal(q.Measures, []string{q.Define[0].Name})
	return slices.Equal(q.Measures, []string{"money_out"}) || defined
}

// ofPayee reports whether a condition already says whom money went to, or for what.
func ofPayee(w analysis.Condition) bool {
	return w.Field == "counterparty" || w.Field == "expense_item" || w.Field == "supplier"
}

// payments reports whether a list is of payments that no condition limits but a period. Incoming ones are meant to be
// outgoing beside a dative: "платежи покупателям".
func payments(in lookup.Documents, dative bool) bool {
	ways := words.Set("paymentout cashout")
	if dative {
		ways = words.Set("paymentout cashout paymentin cashin")
	}
	if slices.ContainsFunc(in.Kinds, func(k string) bool { return !ways[k] }) {
		return false
	}
	return len(in.Kinds) > 0 && in.Number == "" && in.Text == "" && in.SumFrom == nil && in.SumTo == nil &&
		in.Posted == nil && !in.Unpaid && !in.Overdue &&
		len(in.Counterparties)+len(in.States)+len(in.Employees)+len(in.LegalEntities)+len(in.Channels) == 0
}

// paymentsOf is the query of a list of payments: by whom they went to, or each of them where the task asks for one or
// for an order.
func (r *reader) paymentsOf(in lookup.Documents) *analysis.Query {
	q := &analysis.Query{Measures: []string{"money_out"}, By: []string{"counterparty"}, From: in.From, To: in.To,
		Limit: in.Limit}
	order := analysis.Order{Field: "day", Direction: analysis.Descending}
	switch {
	case in.By != "":
		q.By = []string{in.By}
		return q
	case in.Order == "" && in.Limit == 0:
		return q
	case in.Order == "oldest":
		order.Direction = analysis.Ascending
	case in.Order == "largest":
		order.Field = "money_out"
	case in.Order == "smallest":
		order = analysis.Order{Field: "money_out", Direction: analysis.Ascending}
	}
	q.By, q.Order = []string{"day", "document", "counterparty"}, []analysis.Order{order}
	return q
}

// payees returns what the items of expenses of payments to those contain whom the task names by their role: suppliers,
// staff or, as what they get back, customers; "" for none. It also reports whether that is said in the dative.
func (r *reader) payees() (item string, dative bool) {
	for i := range r.named {
		t := &r.named[i]
		if t.Use != token.Unused || t.Kind != token.Word {
			continue
		}
		before := ""
		if i > 0 {
			before = r.named[i-1].Norm
		}
		switch {
		case before == "from" || before == "от":
		case suppliersNamed[t.Norm]:
			return "закуп", datives[t.Norm] && before != "по" || before == "to"
		case before == "по" || before == "by":
		case staffPaid[t.Norm] && (t.Cyrillic || before == "to" || before == "our"):
			return "зарплат", true
		case customersPaid[t.Norm] && (t.Cyrillic || before == "to"):
			return "возврат", true
		}
	}
	return "", false
}

var (
	suppliersNamed = words.Set("поставщикам поставщику поставщики поставщиков поставщика поставщик suppliers supplier " +
		"vendors vendor")
	datives   = words.Set("поставщикам поставщику")
	staffPaid = words.Set("сотрудникам сотруднику персоналу работникам работнику менеджерам менеджеру продавцам продавцу " +
		"кассирам кассиру employees employee staff")
	customersPaid = words.Set("покупателям покупателю клиентам клиенту customers customer clients client")
)
