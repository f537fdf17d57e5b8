package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// slot is the type of a part: parts of one slot take each other's place.
type slot string

// part is a typed part of a task.
type part struct {
	slots    []slot
	from, to int // its tokens, with the words that belong to it: "у Беты", "за октябрь"
	core     int // its first token without those
	excludes bool
	only     bool
	names    []connector.Name
	unit     words.UnitKind
	bound    string // "over", "under": the word in front of a number
	unitAt   int    // the first token of a number's unit
	id       string // of a measure or a dimension
}

// sentence is a task in parts.
type sentence struct {
	text  string
	ts    []token.Token
	parts []part
	rest  []int // tokens that are in no part and say something
}

// The slots of names.
var slotsOf = map[connector.NameKind]slot{connector.NameProduct: "goods", connector.NameGroup: "goods",
	connector.NameSupplier: "partner", connector.NameCounterparty: "partner", connector.NameStore: "store",
	connector.NameEmployee: "employee", connector.NameSalesChannel: "channel",
	connector.NameOrganization: "organization", connector.NamePriceType: "price type"}

var nameSlots = []slot{"goods", "partner", "store", "employee", "channel", "organization", "price type"}

// belongs are the words in front of a part that are part of it.
var belongs = words.Set("за в во с со на по у от для к ко из о об про под при до кроме без только лишь исключая " +
	"больше меньше более менее свыше старше выше ниже дороже дешевле дольше over under more less than older above below " +
	"in for at from by of on to the only just except without with during since per")

// parts reads the typed parts of a task. With lookUp, the words of look-ups count before those of figures.
func (t *talk) parts(task string, lookUp bool) *sentence {
	text, in := language.Typed(task, t.in)
	s := &sentence{text: text, ts: in.Tokens}
	spans := typed.Spans(in)
	if lookUp {
		spans = override(spans, lookup.Spans(text, in))
	}
	for i := 0; i < len(spans); i++ {
		p := spans[i]
		if p.Kind == typed.SpanFunction || p.Kind == typed.SpanOnly || p.Kind == typed.SpanExcept ||
			p.Kind == typed.SpanUnknown && ignored(s.norm(p.From)) {
			continue
		}
		if p.Kind == typed.SpanUnknown {
			for i+1 < len(spans) && spans[i+1].Kind == typed.SpanUnknown && spans[i+1].From == p.To {
				i++
				p.To = spans[i].To
			}
		}
		x := part{from: p.From, to: p.To, core: p.From, slots: slotsFor(p), names: p.Meanings, unit: p.Unit,
			unitAt: p.To, id: p.ID}
		for p.Unit != words.NoUnit && x.unitAt > p.From+1 && s.ts[x.unitAt-1].Kind != token.Number {
			x.unitAt--
		}
		if len(x.slots) == 0 {
			for k := p.From; k < p.To; k++ {
				s.rest = append(s.rest, k)
			}
			continue
		}
		s.extend(&x)
		s.parts = append(s.parts, x)
	}
	s.rest = slices.DeleteFunc(s.rest, func(i int) bool {
		return slices.ContainsFunc(s.parts, func(p part) bool { return p.from <= i && i < p.to })
	})
	return s
}

// ignored reports whether a word says how a message goes on and nothing else.
func ignored(w string) bool {
	return leads[w] || insteadWords[w] || removeWords[w] || w == "не" || w == "not"
}

// override puts spans in place of those that they overlap, but not in place of names and periods.
func override(spans, with []typed.Span) []typed.Span {
	for _, w := range with {
		held := slices.ContainsFunc(spans, func(p typed.Span) bool {
			return p.From < w.To && w.From < p.To && (p.Kind == typed.SpanName || p.Kind == typed.SpanPeriod)
		})
		if held {
			continue
		}
		spans = slices.DeleteFunc(spans, func(p typed.Span) bool { return p.From < w.To && w.From < p.To })
		at := slices.IndexFunc(spans, func(p typed.Span) bool { return p.From >= w.To })
		if at < 0 {
			at = len(spans)
		}
		spans = slices.Insert(spans, at, w)
	}
	return spans
}

// slotsFor returns the slots of a span; none for a word that is no part by itself.
func slotsFor(p typed.Span) []slot {
	switch p.Kind {
	case typed.SpanName:
		var list []slot
		for _, n := range p.Meanings {
			if s := slotsOf[n.Kind]; s != "" && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
		if list == nil {
			list = []slot{"other name"}
		}
		return list
	case typed.SpanUnknown:
		return []slot{"unknown"}
	case typed.SpanOther, typed.SpanFunction, typed.SpanOnly, typed.SpanExcept:
		return nil
	default:
		return []slot{slot(p.Kind)}
	}
}

// extend takes the words in front of a part that belong to it.
func (s *sentence) extend(x *part) {
	for x.from > 0 {
		t := &s.ts[x.from-1]
		w := t.Norm
		kind := t.Kind == token.Word && names.Kind(w) != "" && x.slots[0] != slot(typed.SpanPeriod)
		if t.Kind == token.Quoted || !belongs[w] && !kind ||
			slices.ContainsFunc(s.parts, func(p part) bool { return p.from <= x.from-1 && x.from-1 < p.to }) {
			break
		}
		switch w {
		case "кроме", "без", "исключая", "except", "without":
			x.excludes = true
		case "только", "лишь", "only", "just":
			x.only = true
		case "больше", "меньше", "более", "менее", "свыше", "старше", "выше", "ниже", "дороже", "дешевле", "дольше",
			"over",
			"under", "more", "less", "older", "above", "below":
			x.bound = w
		}
		x.from--
	}
	if w := s.norm(x.from - 1); x.bound != "" && (w == "не" || w == "not" || w == "no") { // "не дешевле 200"
		x.from--
		x.bound = w + " " + x.bound
	}
}

// words returns the text of tokens [from, to).
func (s *sentence) words(from, to int) string {
	if from >= to {
		return ""
	}
	return s.text[s.ts[from].Start:s.ts[to-1].End]
}

func (s *sentence) norm(i int) string {
	if i < 0 || i >= len(s.ts) || s.ts[i].Kind == token.Quoted {
		return ""
	}
	return s.ts[i].Norm
}

// like reports whether two parts say the same: "Посуда" and "посуду".
func (s *sentence) like(p part, o *sentence, q part) bool {
	stems := func(x *sentence, p part) string {
		var list []string
		for i := p.core; i < p.to; i++ {
			if number := p.slots[0] == slot(typed.SpanNumber); !x.ts[i].Punctuation() &&
				(!number || i < p.unitAt) {
				list = append(list, x.ts[i].StemOrNumber())
			}
		}
		return strings.Join(list, " ")
	}
	return stems(s, p) == stems(o, q)
}
