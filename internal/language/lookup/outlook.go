package lookup

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Forecast is the input of the forecast of sales.
type Forecast struct {
	Scope
	Top  int `json:"top,omitempty"`
	Days int `json:"days,omitempty"`
}

// Shortages is the input of the report of what runs out.
type Shortages struct {
	Scope
	Mode string `json:"mode,omitempty"`
	Days int    `json:"days,omitempty"`
}

// Scope are the goods and warehouses that a look-up is limited to.
type Scope struct {
	Stores    []string `json:"stores,omitempty"`
	Groups    []string `json:"groups,omitempty"`
	Suppliers []string `json:"suppliers,omitempty"`
	Products  []string `json:"products,omitempty"`
}

func (c Scope) empty() bool {
	return len(c.Stores)+len(c.Groups)+len(c.Suppliers)+len(c.Products) == 0
}

// mostDays is how far a forecast can look.
const mostDays = 180

// scope takes the names of goods, groups, suppliers and warehouses. Goods win over the group of the same words: "кофе".
func (s *sentence) scope() Scope {
	var out Scope
	for i, it := range s.items {
		if it.meaning != name {
			continue
		}
		if beside := s.beside(i, -1); is(beside, agent) || is(beside, kindOf) || is(beside, goods) {
			beside.used = true
		}
		for _, of := range []struct {
			to   *[]string
			kind connector.NameKind
		}{{&out.Stores, connector.NameStore}, {&out.Products, connector.NameProduct},
			{&out.Groups, connector.NameGroup}, {&out.Suppliers, connector.NameSupplier}} {
			found := meanings(it.name, of.kind)
			if len(found) == 0 {
				continue
			}
			if len(found) > 1 && of.to != &out.Products {
				s.askName(it, found)
			}
			it.used = true
			for _, n := range found {
				*of.to = append(*of.to, argument(it.name.Meanings, n))
			}
			break
		}
	}
	return out
}

// deliveries reads what is expected from suppliers: orders that are not received in full (rule R312).
func (s *sentence) deliveries() *Reading {
	if n := s.first(document); !s.has(expected) && (n == nil || n.id != "supply" || !s.isToCome()) {
		return nil
	}
	s.use(expected, asking, when, joining, every, goods)
	d := &papers{sentence: s, in: Documents{Kinds: []string{"purchaseorder"}, NotReceived: true}}
	var due *item
	for i, it := range s.items {
		switch it.meaning {
		case name:
			d.name(it, s.beside(i, -1))
		case agent, from:
			next := s.beside(i, 1)
			it.used = is(next, name) || is(next, agent) || is(next, kindOf) || it.meaning == agent && it.id != "by"
		case kindOf:
			it.used = it.id == "suppliers" || is(s.beside(i, 1), name)
		case flag:
			it.used = it.id == "overdue" && d.flag(it.id)
		case document:
			it.used = it.id == "order" || it.id == "purchaseorder" || it.id == "supply" || it.id == "arrival"
		case period:
			due = it
		default:
		}
	}
	if due != nil {
		return s.due(due, d.in)
	}
	return &Reading{Call: Call{Tool: documentsTool, Input: d.in}}
}

// isToCome reports whether the task names a period that begins later than today: documents of that day there are none.
func (s *sentence) isToCome() bool {
	return slices.ContainsFunc(s.items, func(it *item) bool {
		return it.meaning == period && it.period.From.After(s.Today)
	})
}

// due reads what is expected in a period: orders by their planned dates, or goods where the task names some.
func (s *sentence) due(it *item, in Documents) *Reading {
	if it.period.From.Equal(s.Today) && it.period.To.Equal(s.Today) && s.ts[it.at].Norm != "сегодня" &&
		s.ts[it.at].Norm != "today" { // "right now"
		it.used = true
		return &Reading{Call: Call{Tool: documentsTool, Input: in}}
	}
	if it.period.From.IsZero() || in.Overdue || len(in.Employees)+len(in.LegalEntities) > 0 {
		return &Reading{Call: Call{Tool: documentsTool, Input: in}}
	}
	it.used = true
	q := &analysis.Query{Measures: []string{"open_orders", "expected_on"}, By: []string{"document", "counterparty"},
		Where: []analysis.Condition{{Field: "expected_on", Op: analysis.Between, Values: []analysis.Scalar{
			analysis.Scalar(tool.DayOf(it.period.From)), analysis.Scalar(tool.DayOf(it.period.To))}}}}
	if len(in.Products) > 0 {
		q.Measures, q.By = []string{"expected_on"}, []string{"product"}
	}
	for i, n := range s.items {
		if n.meaning != name || !n.used {
			continue
		}
		for _, of := range []struct {
			field string
			kinds []connector.NameKind
		}{{"counterparty", []connector.NameKind{connector.NameCounterparty, connector.NameSupplier}},
			{"store", []connector.NameKind{connector.NameStore}},
			{"product", []connector.NameKind{connector.NameProduct}}} {
			found := meanings(s.items[i].name, of.kinds...)
			if len(found) == 0 {
				continue
			}
			w := analysis.Condition{Field: of.field, Op: analysis.In}
			for _, m := range found {
				w.Values = append(w.Values, analysis.Scalar(m.ID))
			}
			q.Where = append(q.Where, w)
			break
		}
	}
	return &Reading{Call: Call{Query: q}}
}

// moneyAhead refuses forecasts of money: "прогноз выручки", "какая будет прибыль в декабре" (rules R313, R833).
func (s *sentence) moneyAhead() *Reading {
	ahead := s.earnsAhead()
	if !ahead && (!s.has(forecast) || s.ofMoney() == nil) {
		return nil
	}
	for _, it := range s.items {
		it.used = true
	}
	return &Reading{Ahead: ahead, Refusal: [2]string{"Прогноз я строю только по количеству товаров, не по деньгам. Могу " +
		"показать, сколько продастся и на сколько хватит остатков.\nНапример: «прогноз продаж на 30 дней».",
		"I forecast quantities of goods, not money. I can show how much will sell and how long stock lasts.\n" +
			"For example: “sales forecast for 30 days”."}}
}

// outlook reads forecasts of sales, for how long stock lasts, and what runs out by a day (rule R313).
func (s *sentence) outlook() *Reading {
	switch {
	case s.has(forecast):
		s.use(forecast, asking, counting, goods, every)
		for _, it := range s.items {
			it.used = it.used || it.meaning == document && it.id == "sale"
		}
		in := Forecast{Scope: s.scope()}
		late := false
		in.Days, late = s.horizon()
		in.Top = s.limit()
		r := &Reading{Call: Call{Tool: "forecast", Input: in}}
		if late {
			r.Ask, r.Options = TooLate, []Option{{Text: s.untilThen(), Call: r.Call}}
		}
		return r
	case s.has(lasting) && s.first(lasting).id == "when" && s.has(goods) && s.ahead():
		s.use(lasting, goods, asking, every)
		days, _ := s.horizon()
		in := Shortages{Mode: "running_out", Days: days, Scope: s.scope()}
		return &Reading{Call: Call{Tool: "shortages", Input: in}}
	case s.has(lasting) || s.has(when) && s.has(last):
		s.use(lasting, when, goods, asking)
		if it := s.first(last); it != nil && s.ts[it.at].Norm != "last" || !s.has(when) &&
			s.first(lasting).id == "when" {
			return nil // "run out" alone, "when was the latest"
		} else if it != nil {
			it.used = true
		}
		in := Forecast{Scope: s.scope()}
		if in.empty() {
			s.use(every)
			if unknown := s.first(unexplained); unknown != nil {
				return &Reading{Call: Call{Tool: "forecast", Input: in}}
			}
			q := &analysis.Query{Measures: []string{"days_of_cover", "stock"}, By: []string{"product"},
				Order: []analysis.Order{{Field: "days_of_cover", Direction: analysis.Ascending}}}
			return &Reading{Call: Call{Query: q}}
		}
		return &Reading{Call: Call{Tool: "forecast", Input: in}}
	case s.has(restock):
		s.use(restock, enough, goods, asking, every, counting)
		days, _ := s.horizon()
		what := slices.ContainsFunc(s.ts, func(t token.Token) bool { return asksWhat[t.Norm] })
		if days == 0 && !what || s.has(document) || s.has(number) {
			return nil
		}
		return &Reading{Call: Call{Tool: "shortages", Input: Shortages{Days: days, Scope: s.scope()}}, Listing: what}
	case s.has(running) || s.has(enough):
		s.use(running, enough, goods, when, asking, every)
		days, _ := s.horizon()
		if days == 0 {
			return nil
		}
		in := Shortages{Mode: "running_out", Days: days, Scope: s.scope()}
		return &Reading{Call: Call{Tool: "shortages", Input: in}}
	}
	return nil
}

var asksWhat = words.Set("что чего че сколько какой какие каких what which")

// earnsAhead reports whether the task asks what will be earned: "какая будет прибыль в декабре", "сколько заработаем"
// (rule R833).
func (s *sentence) earnsAhead() bool {
	will, earn := false, false
	for i := range s.ts {
		w := s.ts[i].Norm
		switch {
		case plans[w]:
			return false
		case willEarn[w] || (w == "make" || w == "earn") && s.saysWill(i):
			earn = true
		case willBe[w] || w == "be" && s.saysWill(i):
			will = true
		}
	}
	return earn || will && s.ofMoney() != nil
}

// saysWill reports whether "will" stands before token i.
func (s *sentence) saysWill(i int) bool {
	return slices.ContainsFunc(s.ts[:i], func(t token.Token) bool { return t.Norm == "will" })
}

var (
	willEarn = words.Set("заработаем заработаю выручим выручу наторгуем наварим наживем")
	willBe   = words.Set("будет будут ожидается ожидаются ожидать ждать выйдет получится expected expect")
	plans    = words.Set("если нужно надо закупить заказать купить закупку заказ понадобится потребуется if need buy order")
)

// ofMoney returns the word of a forecast of money; nil if it is of goods.
func (s *sentence) ofMoney() *item {
	for _, it := range s.items {
		if it.meaning == unexplained && money[s.ts[it.at].Stem] {
			return it
		}
	}
	return nil
}

// money are the stems of figures in money that people want forecasts of.
var money = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("выручка выручки прибыль прибыли доход доходы доходов расход расходы расходов " +
		"оборот оборота маржа деньги денег касса revenue profit income expenses turnover margin cash") {
		m[token.Stem(w, token.IsCyrillic(w))] = true
	}
	return m
}()

// ahead reports whether the task names a period that has not ended, or a number of days.
func (s *sentence) ahead() bool {
	return slices.ContainsFunc(s.items, func(it *item) bool {
		return it.meaning == period && it.period.To.After(s.Today) || it.meaning == number && it.unit == words.Days
	})
}

// horizon returns how many days a look ahead takes, today included, and whether the period that the task names begins
// later than today.
func (s *sentence) horizon() (days int, late bool) {
	for i, it := range s.items {
		switch {
		case it.meaning == period && !it.period.To.Before(s.Today):
			n := s.daysUntil(it.period.To)
			if n > mostDays {
				return 0, false
			}
			if mid := s.beside(i, -1); mid != nil && mid.meaning == unexplained && middles[s.ts[mid.at].Norm] {
				n -= it.period.To.Day() - min(it.period.To.Day(), middleDay)
				mid.used = true
				if prev := s.beside(i-1, -1); is(prev, upTo) {
					prev.used = true
				}
			}
			it.used = true
			if prev := s.beside(i, -1); is(prev, upTo) || is(prev, agent) || is(prev, coming) {
				prev.used = true
			}
			return n, it.period.From.After(s.Today.AddDate(0, 0, 1))
		case it.meaning == number && it.unit == words.Days && it.id == "":
			if n := whole(it.value); n > 0 && n <= mostDays {
				it.used = true
				s.use(coming)
				return n, false
			}
		}
	}
	return 0, false
}

// middles are words for the middle of a month, whose day middleDay is.
var middles = words.Set("середины середине середину mid middle")

const middleDay = 15

// untilThen is the task of a forecast whose period begins later than today, from today on.
func (s *sentence) untilThen() string {
	it := s.first(period)
	at := []int{it.at}
	for i := it.at + 1; i < it.end; i++ {
		at = append(at, i)
	}
	first := at[0]
	if first > 0 && slices.Contains([]string{"на", "в", "за", "for", "in"}, s.ts[first-1].Norm) {
		at = append([]int{first - 1}, at...)
	}
	day := tool.DayOf(it.period.To)
	if s.ts[s.first(forecast).at].Cyrillic {
		return s.instead(at, "до "+it.period.To.Format("02.01.2006"))
	}
	return s.instead(at, "until "+string(day))
}

// limit takes "top 10".
func (s *sentence) limit() int {
	for _, it := range s.items {
		if it.meaning == number && it.id == "" && it.unit == words.NoUnit && !it.used {
			if n := whole(it.value); n > 0 {
				it.used = true
				return n
			}
		}
	}
	return 0
}
