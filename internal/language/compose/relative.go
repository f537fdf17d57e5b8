package compose

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// elliptical reads a comparison with a period whose noun is left out, "этот месяц хуже прошлого", "сравни ноябрь этого
// года и прошлого", and one of two periods by a word such as "better": "ноябрь лучше октября?" (rule R501).
func (s *sentence) elliptical() {
	for i, it := range s.Items {
		first, between, compares := s.periodBefore(i)
		switch {
		case first == nil:
		case s.previousOne(it) && len(between) == 0 && first.End == it.At && s.yearOf(i, first):
			it.Kind = typed.Function
		case s.previousOne(it) && (compares || len(between) > 0):
			it.Kind = typed.OverMonth
			if ofOneYear(s.Tokens[first.End-1].Norm) && unitOf(first.Period) != "year" {
				it.Kind = typed.OverYear
			}
			if next := i + 1; next < len(s.Items) && s.Items[next].Kind == typed.Number && s.Items[next].At == it.End &&
				strconv.Itoa(first.Period.Rolling) == s.Items[next].Number.Value {
				s.Items[next].Kind = typed.Function // "против предыдущих 10"
			}
			for _, x := range between {
				if x.Kind != typed.With {
					x.Kind = typed.Function
				}
			}
		case it.Kind == typed.Period && len(between) == 1 && (between[0].Kind == typed.Best ||
			between[0].Kind == typed.Worst || between[0].Kind == typed.Operator &&
			comparatives[s.Tokens[between[0].At].Norm]) && between[0].End-between[0].At == 1:
			// "октябрь больше сентября?"
			between[0].Kind = typed.With
		}
	}
}

// asManyDays reads "vs same days last month" as a comparison with last month, of as many days as this one has had.
func (s *sentence) asManyDays() {
	for i, it := range s.Items {
		if it.Kind != typed.With {
			continue
		}
		if s.asLongBefore(i) {
			return
		}
		same, k := false, i+1
		for ; k < len(s.Items) && s.Items[k].Kind != typed.Period; k++ {
			x := s.Items[k]
			w := s.Tokens[x.At].Norm
			if !sameWords[w] && x.Kind != typed.Function {
				return
			}
			same = same || w == "same" || w == "теми" || w == "тем" || strings.HasPrefix(w, "аналогичн")
		}
		if !same || k >= len(s.Items) {
			return
		}
		for _, x := range s.Items[i+1 : k] {
			x.Kind = typed.Function
		}
		unit := s.Items[k].Period.Previous
		for _, x := range s.Items[:i] {
			if x.Kind == typed.Period && unit != words.NoTime && x.Period.To.Equal(s.Today) &&
				x.Period.From.Equal(quantity.Begin(unit, s.Today)) {
				p := *x.Period
				_, p.To = quantity.Whole(unit, p.From)
				x.Period = &p
			}
		}
	}
}

// asLongBefore reads "last 2 weeks vs 2 weeks before" as a comparison with the period before.
func (s *sentence) asLongBefore(i int) bool {
	if i+2 >= len(s.Items) {
		return false
	}
	length, last := s.Items[i+1], s.Items[len(s.Items)-1]
	if s.Tokens[length.At].Norm == "the" && i+3 < len(s.Items) {
		length = s.Items[i+2]
	}
	n := s.Tokens[length.At]
	if n.Kind != token.Number || length.Kind != typed.Number && length.Kind != typed.Period ||
		!longBefore[s.Tokens[last.End-1].Norm] || last.End-length.At > 4 ||
		!slices.ContainsFunc(s.Items[:i], func(x *typed.Item) bool {
			return x.Kind == typed.Period && slices.ContainsFunc(s.Tokens[x.At:x.End], func(t token.Token) bool {
				return t.Norm == n.Norm
			})
		}) {
		return false
	}
	for _, x := range s.Items[i+1:] {
		x.Kind = typed.Function
	}
	s.Items[i].Kind = typed.OverMonth
	return true
}

var longBefore = words.Set("before prior earlier preceding that")

var sameWords = words.Set("same days period dates time stretch number of timeframe point the теми тем же днями дни " +
	"периодом датами числами аналогичным аналогичными")

// yearOf moves a period a year back where "прошлого" behind it leaves out the year that stands behind another period:
// "октябрь этого года с октябрём прошлого". It reports whether it does.
func (s *sentence) yearOf(i int, of *typed.Item) bool {
	named := slices.ContainsFunc(s.Items[:i], func(x *typed.Item) bool {
		return x.Kind == typed.Period && x != of && ofOneYear(s.Tokens[x.End-1].Norm) && x.End-x.At > 1
	})
	unit := unitOf(of.Period)
	if !named || unit == "year" || unit == "" {
		return false
	}
	p := *of.Period
	p.From, p.To = p.From.AddDate(-1, 0, 0), p.To.AddDate(-1, 0, 0)
	if u, ok := units[unit]; ok {
		_, p.To = quantity.Whole(u, p.From)
	}
	of.Period = &p
	return true
}

// bareYears reads numbers such as 2025 as years where two are compared, or one stands behind a preposition of time:
// "выручка 2026 к 2025", "продажи за 2025".
func (s *sentence) bareYears() {
	var years []*typed.Item
	for _, it := range s.Items {
		if it.Kind != typed.Number || it.End != it.At+1 || it.Number.Unit != words.NoUnit ||
			s.Tokens[it.At].Kind != token.Number || len(it.Number.Value) != 4 {
			continue
		}
		if y, err := strconv.Atoi(it.Number.Value); err == nil && y <= s.Today.Year() && y > s.Today.Year()-oldest {
			years = append(years, it)
		}
	}
	for _, it := range years {
		if len(years) != 2 && (it.At == 0 || !timeWords[s.Tokens[it.At-1].Norm]) {
			continue
		}
		y, _ := strconv.Atoi(it.Number.Value)
		it.Kind = typed.Period
		it.Period = &quantity.Period{At: it.At, End: it.End, From: time.Date(y, time.January, 1, 0, 0, 0, 0, time.UTC),
			To: time.Date(y, time.December, 31, 0, 0, 0, 0, time.UTC)}
	}
}

// oldest is how many years back a number is still a year.
const oldest = 15

var timeWords = words.Set("за in")

// periodBefore returns the period in front of an item, the words of comparing between them, and whether one such word
// stands in front of the period; nil if anything else stands between.
func (s *sentence) periodBefore(i int) (first *typed.Item, between []*typed.Item, compares bool) {
	k := i - 1
	for ; k >= 0; k-- {
		switch it := s.Items[k]; it.Kind {
		case typed.Function, typed.Joining:
		case typed.Best, typed.Worst, typed.Operator, typed.With:
			between = append(between, it)
		case typed.Period:
			compares = slices.ContainsFunc(s.Items[:k], func(x *typed.Item) bool { return x.Kind == typed.With })
			return it, between, compares
		default:
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// previousOne reports whether an item is "the previous one", without a noun.
func (s *sentence) previousOne(it *typed.Item) bool {
	w := s.Tokens[it.At].Norm
	last := w == "last" && it.Kind == typed.Unexplained && (it.End == len(s.Tokens) ||
		s.Tokens[it.End].Kind == token.Mark)
	return it.End == it.At+1 && (last || it.Kind == typed.Earlier && it.ID == "before" && (typed.LastWords[w] ||
		strings.HasPrefix(w, "предыдущ")))
}

func ofOneYear(w string) bool {
	return w == "года" || w == "году" || w == "год" || w == "year"
}

// changedBy reads by how much figures changed as a condition on rows: "упали больше чем на 20 %", "выросли вдвое" (rule
// R502). Without rows, or without a direction, the number stays unexplained.
func (d *draft) changedBy() {
	up, down := d.rises(), d.falls()
	if !d.compares || up == down || len(d.q.By) == 0 && !d.goods || len(d.q.Measures) == 0 {
		return
	}
	for i, it := range d.Items {
		var percent decimal.Decimal
		switch {
		case it.Used:
			continue
		case it.Kind == typed.Factor:
			percent = percentOf(it.ID, down)
		case it.Kind == typed.Number && it.Number.Unit == words.Percent && it.At > 0 && byWords[d.Tokens[it.At-1].Norm]:
			n, err := decimal.Parse(it.Number.Value)
			if err != nil {
				continue
			}
			percent = n
		default:
			continue
		}
		op := d.neighbour(i, -1)
		less := is(op, typed.Operator) && strings.HasPrefix(op.ID, string(analysis.Less))
		strict := is(op, typed.Operator) && op.ID == string(analysis.Greater)
		if is(op, typed.Operator) {
			op.Used = true
		}
		it.Used = true
		w := analysis.Condition{Field: d.q.Measures[0], Of: analysis.OfPercent}
		switch bound := percent.String(); {
		case less && down:
			w.Op, w.Values = analysis.Between, []analysis.Scalar{analysis.Scalar("-" + bound), "0"}
		case less:
			w.Op, w.Values = analysis.Between, []analysis.Scalar{"0", analysis.Scalar(bound)}
		case down:
			w.Op, w.Values = analysis.LessEqual, []analysis.Scalar{analysis.Scalar("-" + bound)}
			if strict {
				w.Op = analysis.Less
			}
		default:
			w.Op, w.Values = analysis.GreaterEqual, []analysis.Scalar{analysis.Scalar(bound)}
			if strict {
				w.Op = analysis.Greater
			}
		}
		d.q.Where = append(d.q.Where, w)
		return
	}
}

var byWords = words.Set("на by")

// percentOf returns the change in percent that a word such as "twice" stands for. A part, such as "a third", counts as
// it is; a fall by a factor is to one of so many parts.
func percentOf(factor string, down bool) decimal.Decimal {
	if part, ok := strings.CutSuffix(factor, "%"); ok {
		n, _ := decimal.Parse(part)
		return n
	}
	n, _ := decimal.Parse(factor)
	if !down {
		return n.Sub(decimal.FromInt(1)).Mul(decimal.Hundred)
	}
	return decimal.Hundred.Sub(decimal.Hundred.Div(n)).Round(1)
}
