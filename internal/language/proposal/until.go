package proposal

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readUntil reads the day until which stock must last: "чтобы хватило до конца месяца".
func (s *sentence) readUntil() {
	if s.draft.Days > 0 || s.kind != Orders && s.kind != Transfers {
		return
	}
	ts := slices.Clone(s.Words)
	var day time.Time
	from, end := 0, 0
	for _, p := range quantity.Periods(ts, s.Today) {
		at := p.At - 1
		if p.From.IsZero() { // "до" is part of it
			at = p.At
		}
		if w := s.Word(at); (w == "до" || w == "until" || w == "till") && s.mustLast(p.At) && !p.To.IsZero() {
			day, from, end = p.To, at, p.End
			// elsewhere a date without a year is in the past
			if day.Before(s.Today) && (p.From.IsZero() || p.From.Equal(p.To)) {
				day = quantity.Shift(words.Year, day, 1)
			}
		}
	}
	for i := range s.Words {
		if w := s.Norm(i); w != "до" && w != "until" && w != "till" || !s.mustLast(i) {
			continue
		}
		k := i + 1
		for w := s.Norm(k); w == "the" || w == "of" || w == "end" || w == "конца"; w = s.Norm(k) {
			k++
		}
		if unit := words.TimeUnitOf(s.Norm(k)); unit != words.NoTime && k > i+1 {
			day, from, end = quantity.Shift(unit, quantity.Begin(unit, s.Today), 1).AddDate(0, 0, -1), i, k+1
		}
	}
	if end > 0 {
		s.lastsUntil(day, from, end)
	}
}

// readPace reads the days of sales that count: "по продажам за октябрь".
func (s *sentence) readPace() {
	ts := slices.Clone(s.Words)
	for _, p := range quantity.Periods(ts, s.Today) {
		if p.From.IsZero() || p.From.After(s.Today) || !s.SaidBefore(p.At, "продаж", "темп", "расход", "sales",
			"pace", "sold") || s.Find(ranks) >= 0 {
			continue
		}
		to := p.To
		if to.After(s.Today) {
			to = s.Today
		}
		s.draft.From, s.draft.To = p.From.Format("2006-01-02"), to.Format("2006-01-02")
		s.Use(p.At, p.End)
		s.Around(p.At, p.End, "за", "по", "продажам", "продаж", "темпу", "темпа", "исходя", "из", "на", "основе", "for",
			"the", "sales", "of", "in", "by", "based", "on", "pace", "from", "during", "over")
	}
}

// readHoliday reads the holiday by which goods are needed: "к новому году".
func (s *sentence) readHoliday() {
	if s.kind != Orders {
		return
	}
	for i := range s.Words {
		if w := s.Norm(i); w != "к" && w != "ко" && w != "до" && w != "by" && w != "before" && w != "под" {
			continue
		}
		for _, e := range request.Entries {
			if e.Section != "holiday" {
				continue
			}
			k := i + 1
			for s.Norm(k) == "the" {
				k++
			}
			end := s.AnyPhrase(k, e.Phrases)
			if end == 0 {
				continue
			}
			day, err := time.Parse("2006-01-02", s.Today.Format("2006-")+e.Meaning)
			if err != nil {
				continue
			}
			if day.Before(s.Today) {
				day = day.AddDate(1, 0, 0)
			}
			s.Use(i, end)
			if s.mustLast(i) {
				s.lastsUntil(day, i, end)
			} else {
				s.draft.Delivery = day.Format("2006-01-02")
			}
			return
		}
	}
}

// mustLast reports whether stock must last until what follows: "чтобы хватило до".
func (s *sentence) mustLast(i int) bool {
	return s.SaidBefore(i, "хват", "дотян", "дожи", "last", "enough", "запас")
}

// lastsUntil sets for how many days stock must last.
func (s *sentence) lastsUntil(day time.Time, from, end int) {
	if days := int(day.Sub(s.Today).Hours() / 24); days > 0 && days <= 365 {
		s.draft.Days = days
		s.Use(from, end)
		s.Around(from, end, "чтобы", "чтоб", "хватило", "хватит", "хватало", "нам", "дотянуть", "дожить", "запас", "с",
			"запасом", "to", "last", "enough", "so", "that", "it", "lasts", "stock")
	}
}

// readDelivery reads the day by which goods are needed, the next such day that has not passed.
func (s *sentence) readDelivery() {
	if s.kind != Orders {
		return
	}
	ts := slices.Clone(s.Words)
	for _, p := range quantity.Periods(ts, s.Today) {
		if p.From.IsZero() || !p.From.Equal(p.To) {
			continue
		}
		near, from := s.Word(p.At-1), p.At
		switch {
		case near == "к" || near == "ко" || near == "до" || near == "by" || near == "на" || near == "for" ||
			near == "on":
			from--
		}
		said := false
		for j := max(0, from-3); j < from; j++ {
			if w := s.Norm(j); request.Begins(w, []string{"достав", "постав", "привез", "deliver", "arriv", "получ",
				"приех", "пришл", "приш", "прибы", "пришел", "успел", "было", "были"}) &&
				!request.Sets[w] && !request.Begins(w, request.SupplierNouns) {
				said = true
				s.Use(j, j+1)
				s.Around(j, j+1, "чтобы", "чтоб", "и", "они", "это", "все", "нам", "уже", "нужно",
					"надо", "so", "that", "it", "to")
			}
		}
		if near != "к" && near != "ко" && near != "до" && near != "by" && !said &&
			!(near == "на" && quantity.IsWeekday(s.Word(p.At))) {
			continue
		}
		d := p.From
		switch {
		case !d.Before(s.Today):
		case quantity.IsWeekday(s.Word(p.At)) || quantity.IsWeekday(s.Word(p.End-1)):
			for d.Before(s.Today) {
				d = d.AddDate(0, 0, 7)
			}
		case !slices.ContainsFunc(s.Words[p.At:min(p.End, len(s.Words))],
			func(t token.Token) bool { return t.Kind == token.Number && len(t.Norm) >= 4 }):
			d = quantity.Shift(words.Year, d, 1) // everywhere else a date without a year is in the past
		}
		if d.Before(s.Today) {
			continue
		}
		s.draft.Delivery = d.Format("2006-01-02")
		s.Use(from, p.End)
		return
	}
}
