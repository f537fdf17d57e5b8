package eval

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

// carried judges a condition of a follow-up that asks about all rows of the answer before, which held to it.
func (s *seen) carried(hint string) holds {
	if s.before == nil || s.before.meaning == nil || !strings.Contains(hint, " is_empty") ||
		s.before.hint(hint) != yes {
		return no
	}
	rows := s.before.answer.rows()
	named := s.namedGoods()
	if len(rows) == 0 || len(named) == 0 || !within(named, rows) || !within(rows, named) {
		return no
	}
	return s.find(func(f fact) bool { return f.kind == "where" && f.field == "product" })
}

func (s *seen) namedGoods() []string {
	var list []string
	for _, f := range s.facts {
		if f.kind == "where" && f.field == "product" && f.op == "=" {
			list = append(list, f.value)
		}
	}
	return list
}

// row judges "product row 2 of the last answer".
func (s *seen) row(v string) holds {
	n, _, _ := strings.Cut(v, " ")
	for b := s.before; b != nil; b = b.before {
		if rows := b.answer.rows(); len(rows) > 0 {
			if i := toInt(n) - 1; i >= 0 && i < len(rows) {
				return s.named(rows[i])
			}
			return no
		}
	}
	return unsure
}

// paceSpan judges "pace period 2026-10-05..2026-10-18": the days whose sales an order reckons with.
func (s *seen) paceSpan(v string) holds {
	return s.find(func(f fact) bool { return f.kind == "pace period" && f.value == v })
}

// expected judges "expected 2026-12-07..2026-12-13": orders that are to come in those days.
func (s *seen) expected(v string) holds {
	m := spanHint.FindStringSubmatch(v)
	if m == nil {
		return unsure
	}
	bound := func(op, day string) holds {
		return s.find(func(f fact) bool {
			return f.kind == "where" && f.field == "expected_on" && f.op == op && f.value == day
		})
	}
	return min(bound(">=", m[1]), bound("<=", m[2]))
}

// olderThan judges "older than 45 days": documents up to that day, or a debt of that age.
func (s *seen) olderThan(v string) holds {
	days := toInt(strings.TrimSuffix(v, " days"))
	if s.stated && s.period.From < unseenDay.Add(-365) {
		apart := tool.Period{From: s.period.To, To: unseenDay}.Days() - 1
		s.dated = apart == days || apart == days+1
		return ifTrue(s.dated)
	}
	return s.find(func(f fact) bool {
		return f.kind == "where" && slices.Contains([]string{"debt_age", "document_age"}, f.field) &&
			strings.HasPrefix(f.op, ">") && toInt(f.value) == days
	})
}
