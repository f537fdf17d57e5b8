package compose

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// thanPeriods reads "зимой больше продаём, чем летом" and "больше ли продаём, чем весной" as a comparison of periods
// and no ranking, unless the task asks for rows, which are then ranked by their change (rule R1110).
func (s *sentence) thanPeriods() {
	at := slices.IndexFunc(s.Items, func(it *typed.Item) bool {
		return (it.Kind == typed.Period || it.Kind == typed.OverMonth || it.Kind == typed.OverYear) && s.behindThan(it)
	})
	if s.ranksChange = at >= 0; at < 0 {
		at = s.nowOrThen()
	}
	if at < 0 {
		return
	}
	rows := asksRows[s.Tokens[0].Norm]
	var ranks []*typed.Item
	for _, it := range s.Items {
		switch it.Kind {
		case typed.Sorting, typed.TopRows, typed.Number:
			return
		case typed.Dimension, typed.Only:
			rows = true
		case typed.Best, typed.Worst:
			ranks = append(ranks, it)
		case typed.Operator:
			if comparatives[s.Tokens[it.At].Norm] {
				ranks = append(ranks, it)
			}
		default:
		}
	}
	for i, it := range s.Items {
		if it.Kind == typed.Function && s.says(i, thanWords) {
			it.Kind = typed.With
		}
	}
	if !rows {
		for _, it := range ranks {
			it.Kind = typed.With
		}
	}
}

// asksRows are words that ask which rows changed: "что продаётся лучше, чем летом".
var asksRows = words.Set("что кто кого кому где какой какая какие каких which who what whose where")

// behindThan reports whether a period stands behind "чем" or "than", and perhaps a preposition.
func (s *sentence) behindThan(it *typed.Item) bool {
	k := it.At
	if !thanWords[s.Tokens[k].Norm] {
		k--
	}
	for k > 0 && (inTime[s.Tokens[k].Norm] || beforeThan[s.Tokens[k].Norm]) {
		k--
	}
	return k >= 0 && thanWords[s.Tokens[k].Norm]
}

// beforeThan are other words between "than" and a period.
var beforeThan = words.Set("на it was we did")

// nowOrThen returns the place of the past period that a task compares with now, "сейчас больше продаём или летом", or
// of the second of two periods that "or" joins; -1 for none. It marks "now" as a word of comparing.
func (s *sentence) nowOrThen() int {
	at, now := -1, -1
	for i, it := range s.Items {
		switch {
		case it.Kind == typed.Period && at >= 0 && s.joins(it, orWords):
			return i
		case it.Kind == typed.Period:
			if at >= 0 || !it.Period.To.Before(s.Today) {
				return -1
			}
			at = i
		case it.Kind == typed.Function && s.says(i, nowWords):
			now = i
		}
	}
	if at < 0 || now < 0 || s.Previous != nil || !s.joins(s.Items[max(at, now)], joinNow) {
		return -1
	}
	s.Items[now].Kind, s.comparesNow = typed.With, true
	return at
}

// joins reports whether a word of a set stands before an item, perhaps with a preposition between.
func (s *sentence) joins(it *typed.Item, set map[string]bool) bool {
	k := it.At - 1
	for k > 0 && inTime[s.Tokens[k].Norm] {
		k--
	}
	return k >= 0 && set[s.Tokens[k].Norm]
}

var (
	nowWords = words.Set("сейчас щас теперь нынче now currently")
	orWords  = words.Set("или or")
	joinNow  = words.Set("и или а and or")
)

// thanIn reads "меньше, чем в октябре", "выросла с лета" and "grew since last month": the period of the same unit that
// has not ended, against the named one (rule R1110).
func (d *draft) thanIn(it *typed.Item) bool {
	i := it.At - 1
	for i >= 0 && (d.Tokens[i].Norm == "в" || d.Tokens[i].Norm == "за" || d.Tokens[i].Norm == "in" ||
		d.Tokens[i].Norm == ",") {
		i--
	}
	w := ""
	if i >= 0 {
		w = d.Tokens[i].Norm
	}
	p := it.Period
	since := d.Tokens[it.At].Norm == "since" || w == "since"
	named, begins := quantity.NamedSince(d.Tokens, &quantity.Period{From: p.From, To: p.To, At: it.At, End: it.End},
		d.Today)
	if begins = begins && d.saysChange(); begins {
		p = &named
	}
	unit, ok := units[unitOf(p)]
	if since && p.Previous != words.NoTime {
		unit, ok = p.Previous, true
	}
	season := quantity.IsSeason(p)
	against := p.Previous == words.NoTime && (d.governed(it) || (w == "к" || w == "ко" || w == "с" || w == "со") &&
		!d.aYearAgo(it)) // "по сравнению с октябрём", "выросла к октябрю", "сравни с летом"
	behind := thanWords[w] || against || begins || d.comparesNow
	if !ok && !season || !behind && !since || since && !begins && p.Previous == words.NoTime ||
		!p.To.Before(d.Today) && !since {
		return false
	}
	var from, end time.Time
	if from, end = quantity.SeasonOf(d.Today); !season {
		from = quantity.Begin(unit, d.Today)
		_, end = quantity.Whole(unit, from)
	}
	d.q.From, d.q.To = day(from), day(d.Today)
	d.q.Compare = &analysis.Comparison{From: day(p.From), To: d.asFar(&quantity.Period{From: from, To: end}, p)}
	switch {
	case season && p.From.Equal(from.AddDate(-1, 0, 0)): // "по сравнению с прошлой осенью"
		d.q.Compare = &analysis.Comparison{With: analysis.LastYear}
	case !season && !p.To.Before(from):
		d.q.Compare.From, d.q.Compare.To = day(quantity.Shift(unit, from, -1)), day(from.AddDate(0, 0, -1))
	}
	return true
}

// saysChange reports whether a word of comparing says that a figure changed, and is no order to compare.
func (d *draft) saysChange() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.With && !toCompare[d.Tokens[it.At].Stem]
	})
}

var toCompare = token.Stems("сравни сравнить сравнение сравниваем сравнивать сопоставь сопоставить compare comparing")
