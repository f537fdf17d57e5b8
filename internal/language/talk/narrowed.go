package talk

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// withinFirst limits a condition behind "только" to the first rows that were shown: "только у кого маржа ниже 30" after
// the ten best customers is about those ten (rule R1000).
func withinFirst(task string, r *language.Reading, in language.Input) {
	if in.Previous == nil || !complete(r) || r.Query == nil || r.Query.Limit > 0 ||
		!has(task, onlyClass) && !has(task, keeping) {
		return
	}
	base := in.Previous.Composed(in.Catalogue)
	if base.Query == nil || base.Query.Limit < 2 || !slices.Equal(base.Query.By, r.Query.By) || len(r.Query.By) != 1 ||
		!slices.ContainsFunc(r.Query.Where, func(w analysis.Condition) bool {
			_, measure := in.Catalogue.Measure(w.Field)
			return measure
		}) || slices.ContainsFunc(r.Query.Where, func(w analysis.Condition) bool { return w.Field == r.Query.By[0] }) {
		return
	}
	if q, ok := ofFirstShown(*r.Query, in.Rows, base.Query.Limit); ok && query.Possible(in.Catalogue, q) {
		r.Query, r.FollowUp = &q, true
	}
}

// ofFirstShown limits a query to the first n of the rows that were shown, and reports whether those are rows of what
// the query is by.
func ofFirstShown(q analysis.Query, rows *refer.Rows, n int) (analysis.Query, bool) {
	if len(q.By) != 1 || !rowsOf(rows, q.By[0]) || len(rows.IDs) < n {
		return q, false
	}
	q.Where = append(slices.Clone(q.Where), oneOf(q.By[0], rows.IDs[:n]))
	return q, true
}

// ofPayee makes a debt one of ours behind what we paid somebody or bought there (rule R1001).
func ofPayee(task string, r *language.Reading, in language.Input) {
	if in.Previous == nil || !complete(r) || has(task, toUs) || !paidOut(in.Previous) {
		return
	}
	of := conditionsOf(in.Previous)
	same := slices.ContainsFunc(conditionsOf(r), func(w analysis.Condition) bool {
		return w.Op == analysis.In && len(w.Values) == 1 && slices.ContainsFunc(of, func(o analysis.Condition) bool {
			return partnerFields[o.Field] && partnerFields[w.Field] && slices.Equal(o.Values, w.Values)
		})
	})
	switch {
	case !same:
	case r.Skill == language.Receivables && r.Arguments.Direction == "owed_to_us":
		r.Arguments.Direction = "owed_by_us"
	case r.Query != nil && slices.Contains(r.Query.Measures, "owed_to_us"):
		q := *r.Query
		q.Measures = slices.Clone(q.Measures)
		q.Measures[slices.Index(q.Measures, "owed_to_us")] = "owed_by_us"
		q.Order = slices.Clone(q.Order)
		for i := range q.Order {
			if q.Order[i].Field == "owed_to_us" {
				q.Order[i].Field = "owed_by_us"
			}
		}
		if query.Possible(in.Catalogue, q) {
			r.Query = &q
		}
	}
}

// paidOut reports whether an answer was what we paid, bought or ordered.
func paidOut(done *language.Reading) bool {
	return done.Query != nil && slices.ContainsFunc(done.Query.Measures, func(m string) bool {
		return m == "money_out" || m == "purchases" || m == "ordered" || m == "owed_by_us"
	})
}

var (
	partnerFields = words.Set("counterparty supplier")
	toUs          = words.Set("нам нас us")
)

// ofWhole reads "а прибыль с этого" after a whole table as the same table with that figure, and no list of its rows, so
// that "а за неделю" after it is of all (rule R1002). It returns nil for any other message.
func ofWhole(task string, in language.Input) *language.Reading {
	if in.Previous == nil || in.Rows == nil || in.Rows.Earlier || in.Rows.More || in.Rows.Part || !linked(task, in) {
		return nil
	}
	rest := fromThat().ReplaceAllString(strings.TrimRight(task, " ?.!"), "")
	if rest == strings.TrimRight(task, " ?.!") || len(token.Split(rest)) > 3 {
		return nil
	}
	base := in.Previous.Composed(in.Catalogue)
	if base.Query == nil || base.Query.Limit > 0 || len(base.Query.By) != 1 || base.Query.By[0] != in.Rows.Dimension ||
		len(base.Query.Where) > 0 || base.Query.From == "" {
		return nil
	}
	in.Rows = nil
	x := read("а "+strings.TrimPrefix(strings.TrimPrefix(rest, "а "), "и "), in)
	if !complete(&x) || !x.FollowUp || x.Query == nil || !slices.Equal(x.Query.By, base.Query.By) ||
		x.Query.From != base.Query.From ||
		slices.ContainsFunc(x.Query.Measures, func(m string) bool { return !soldOf[m] }) {
		return nil
	}
	x.Task = task
	return &x
}

var fromThat = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i) (?:с|от|по|на) (?:этого|этому|этом|них|ним|этих|этим)$`)
})

// withoutItem reads "без закупки товаров" after expenses as those without the standard item of that name, and about no
// prices of purchase (rule R1003). It returns nil for any other message.
func withoutItem(task string, in language.Input) *language.Reading {
	if in.Previous == nil || !ofExpenses(in.Previous) || !has(task, leavingOut) {
		return nil
	}
	plain := strings.TrimSpace(goodsBought().ReplaceAllString(task, "${1}${2}кроме статьи «Закупка товаров»"))
	if plain == task {
		return nil
	}
	x := Read(plain, in)
	if x.Query != nil && slices.ContainsFunc(x.Query.Where, func(w analysis.Condition) bool {
		return w.Field == "expense_item" && w.Op == analysis.NotIn
	}) { // the name is left out, and the word says so
		x.Unused = slices.DeleteFunc(x.Unused, func(w string) bool { return w == "кроме" })
	}
	x.Task = task
	return &x
}

var (
	leavingOut  = words.Set("без кроме исключая исключи убери вычти минус")
	goodsBought = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(^|\s)(а |и |)(?:без|кроме|исключая|исключи|убери|вычти|минус) ` +
			`(?:закупк\p{L}+|закупок|покупк\p{L}+ товар\p{L}*)(?: товар\p{L}*)?`)
	})
)
