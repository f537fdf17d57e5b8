package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/words"
)

// ownMinimum reads the minimum that a request names: "минимум 10". One that is relative to the old minimum is not
// computed, and several are several requests.
func (s *sentence) ownMinimum() {
	if s.clears {
		s.draft.Minimum = "0"
		return
	}
	for i := range s.Words { // "увеличь минималки вдвое"
		if w := s.Norm(i); w == "вдвое" || w == "втрое" || w == "наполовину" {
			s.Use(i, i+1)
			s.askMinimum(nil)
			return
		}
	}
	s.oldMinimum()
	var own *number
	for _, n := range s.numbers {
		switch {
		case n.used || n.unit == words.Days || s.rankOf(n):
			continue
		case own != nil, n.unit == words.Percent, n.unit == words.Times, n.unit == words.Money, n.measure, n.sign != "":
			s.askMinimum(nil)
			return
		}
		own = n
	}
	if own == nil {
		return
	}
	if w := s.Word(own.at - 1); (w == "на" || w == "by") && s.changesBy() {
		s.askMinimum(own)
		return
	}
	if op, _ := s.comparison(own.at); (op == analysis.Less || op == analysis.Greater) && !s.holds {
		return // a condition: "где минимум ниже 5"
	}
	own.used = true
	from := own.at
	if op, at := s.comparison(own.at); op == analysis.GreaterEqual && s.holds { // "держи не меньше 10"
		from = at
	}
	s.Use(from, own.end)
	s.draft.Minimum = own.value
}

// oldMinimum marks the minimum that was, of "с 5 до 8".
func (s *sentence) oldMinimum() {
	for i, n := range s.numbers {
		if i == 0 || n.used || n.unit != words.NoUnit {
			continue
		}
		was := s.numbers[i-1]
		w, to := s.Word(was.at-1), s.Word(n.at-1)
		if (w == "с" || w == "from") && (to == "до" || to == "на" || to == "to") && was.end == n.at-1 && !was.used {
			s.take(was, was.at-1)
			s.Use(n.at-1, n.at)
			s.numbers = slices.Delete(s.numbers, i-1, i) // no draft has it
			return
		}
	}
}

// rankOf reports whether a number says how many goods of a rank are meant: "топ 10".
func (s *sentence) rankOf(n *number) bool {
	return request.Begins(s.Word(n.at-1), []string{"топ", "top", "перв", "first", "последн", "last", "bottom", "best"})
}

// changesBy reports whether a verb of the task raises or lowers.
func (s *sentence) changesBy() bool {
	for i := range s.Words {
		if w := s.Word(i); request.Raises[w] || request.Lowers[w] {
			return true
		}
	}
	return false
}

// askMinimum asks for the new minimum; n is what may be meant as such. It asks once the goods are known.
func (s *sentence) askMinimum(n *number) {
	for _, x := range s.numbers {
		if !x.used && x.unit != words.Days {
			x.used = true
			s.Use(x.at, x.end)
		}
	}
	s.later = append(s.later, func() {
		var options []Option
		if n != nil {
			d := s.draft.Clone()
			d.Minimum = n.value
			options = append(options, s.option(d))
		}
		s.ask("Какой неснижаемый остаток поставить? Напишите одно число: оно станет новым минимумом.",
			"What is the new minimum stock? Write one number.", options...)
	})
}

// covers sets for how many days of sales a minimum must last.
func (s *sentence) covers(days, from, end int) {
	s.draft.LeadDays = days
	if none := 0; s.draft.SafetyDays == nil {
		s.draft.SafetyDays = &none
	}
	s.Use(from, end)
	s.Around(from, end, "чтобы", "чтоб", "хватало", "хватило", "хватит", "запас", "запаса", "запасом", "с", "его", "их",
		"торговли", "продаж", "работы", "нам", "to", "last", "enough", "so", "that", "it", "lasts", "cover", "covers",
		"of", "sales", "worth", "stock")
}

func (s *sentence) completeMinimums() {
	d := &s.draft
	s.toRows()
	if d.RowsOf != nil && len(d.Products) > 0 {
		s.askEither()
	}
	if d.Minimum != "" && (d.LeadDays > 0 || d.SafetyDays != nil || d.From != "") {
		number, days := d.Clone(), d.Clone()
		number.LeadDays, number.SafetyDays, number.From, number.To = 0, nil, "", ""
		days.Minimum = ""
		s.ask("Поставить это число или посчитать по продажам на эти дни?",
			"Set that number, or compute it from the sales of those days?", s.option(number), s.option(days))
		return
	}
	if d.Scoped() || d.Everything || len(s.later) > 0 {
		return
	}
	every := d.Clone()
	every.Everything = true
	s.ask("Для каких товаров? Назовите товары, группу или поставщика. Или для всех?",
		"For which goods? Name goods, a group or a supplier. Or for all?", s.option(every))
}
