package talk

import (
	"strings"
	"testing"
)

func TestDebtsHaveNoDueDates(t *testing.T) { // rule R785
	for said, want := range map[string]string{
		"who do we owe money to | anything of it due in the coming week?": "our_debt_age",
		"кому мы должны | что из этого надо оплатить на следующей неделе": "our_debt_age",
		"who owes us | when is it due": "debt_age",
	} {
		r := converseOf(said, nil)
		if r.Question == nil || len(r.Question.Options) != 1 ||
			!strings.Contains(strings.Join(r.Question.Options[0].Query.Measures, " "), want) {
			t.Errorf("%s: %+v, want a question that offers %s", said, r, want)
		}
	}
	if r := converseOf("who owes us | who paid last week", nil); r.Question != nil {
		t.Errorf("a payment of last week is asked about: %s", r.Question.Text)
	}
}
