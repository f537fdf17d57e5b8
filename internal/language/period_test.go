package language

import (
	"testing"
	"time"
)

// wednesday is the day on which the tables are based: 21 October 2026, in the middle of a week, a month and a quarter.
var wednesday = time.Date(2026, time.October, 21, 15, 4, 5, 0, time.FixedZone("MSK", 3*60*60))

func TestAPeriodEndsTodayAtTheLatest(t *testing.T) {
	r := Read("прибыль за этот год", Input{Now: wednesday})
	if r.Arguments.From != "2026-01-01" || r.Arguments.To != "2026-10-21" {
		t.Errorf("got %s..%s", r.Arguments.From, r.Arguments.To)
	}
}

func TestAPeriodInTheFutureLeadsToAQuestion(t *testing.T) {
	for _, task := range []string{"прибыль за 2027 год", "profit for 2027", "выручка за следующий месяц"} {
		r := Read(task, Input{Now: wednesday})
		if r.Question == nil || len(r.Question.Options) < 2 || r.Question.Options[0].Arguments.From == "" {
			t.Errorf("%q: got %+v", task, r)
		}
	}
}
