package proposal

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// keep checks that a draft keeps everything that the request says, whichever part of the package read it (rule R355). A
// draft that does not is never prepared: the question names what it leaves out, and offers it without that. Nor are
// options offered of which none has something that the question does not name.
func (s *sentence) keep() {
	if s.question == "" {
		if lost := s.lost(&s.draft); len(lost) > 0 {
			s.askf("В черновик не попало бы «%s». Подготовить без этого?",
				"The draft would leave out “%s”. Prepare it without that?", strings.Join(lost, "», «"),
				s.option(s.draft))
		}
		return
	}
	if len(s.options) == 0 {
		return
	}
	left := map[string]int{} // by words: how many options leave them out
	for _, o := range s.options {
		for _, w := range s.lost(&o.Draft) {
			left[w]++
		}
	}
	var never []string
	for _, w := range slices.Sorted(maps.Keys(left)) {
		if left[w] == len(s.options) && !strings.Contains(words.Fold(s.question), words.Fold(strings.Trim(w, " %"))) {
			never = append(never, w)
		}
	}
	if len(never) > 0 {
		s.question, s.options = "", nil
		s.askf("Черновик не подготовлен: в него не попало бы «%s». Скажите это другими словами или попросите без этого.",
			"No draft was prepared: it would leave out “%s”. Say it in other words, or ask without it.",
			strings.Join(never, "», «"))
	}
}

// lost returns the words of the request that say something which a draft does not have.
func (s *sentence) lost(d *Draft) (out []string) {
	b, err := json.Marshal(d)
	if err != nil {
		return nil
	}
	k := &kept{Draft: d, text: string(b)}
	k.figures = figuresOf.FindAllString(k.text, -1)
	for _, n := range s.numbers {
		if !s.aside(n.at) && !s.aside(n.end-1) && !k.number(n, words.MonthOf(s.Word(n.end)) != 0) {
			out = append(out, strings.TrimLeft(s.Text(n.at, n.end), "+-–−"))
		}
	}
	for _, n := range s.names {
		if n.excluded && s.leftItems && !k.name(n) {
			continue
		}
		if len(n.chosen) > 0 && (!k.name(n) || n.excluded && !k.leavesOut()) {
			out = append(out, n.Words)
		}
	}
	for i := range s.Words {
		if s.aside(i) || s.Words[i].Kind != token.Word {
			continue
		}
		if d.PriceType == "" && s.saysOtherType(i) {
			out = append(out, s.Words[i].Raw)
		}
		for _, p := range meaningful {
			if !strings.HasPrefix(s.Words[i].Norm, p.first) {
				continue
			}
			if end := s.PhraseSaid(i, p.words); end > 0 && !p.kept(k, s) {
				out = append(out, s.Text(i, end))
				break
			}
		}
		if w := s.Words[i].Norm; request.Comparatives[w] != "" && s.comparedBehind(i) && !k.compares() && !k.changes() {
			out = append(out, s.Words[i].Raw)
		}
	}
	return out
}

// saysOtherType reports whether a word of a price change names a type of prices that is not the usual one.
func (s *sentence) saysOtherType(i int) bool {
	if s.kind != Prices || s.typeLeft || !request.OtherPriceType(s.Words[i].Norm) {
		return false
	}
	return !slices.ContainsFunc(s.names, func(n *named) bool { return slices.Contains(n.At, i) && len(n.chosen) > 0 })
}

// comparedBehind reports whether a number or "than" follows a comparative.
func (s *sentence) comparedBehind(i int) bool {
	for j := i + 1; j <= i+3 && j < len(s.Words); j++ {
		w := s.Words[j].Norm
		if s.Words[j].Kind == token.Number || request.Numeral(w) > 0 || w == "чем" || w == "than" {
			return true
		}
	}
	return false
}

// aside reports whether a token was marked before the request was read, or by what is said around it.
func (s *sentence) aside(i int) bool { return s.said.Words[i].Use != token.Unused }

// kept is a draft whose parts are looked for.
type kept struct {
	*Draft
	text    string // as JSON
	figures []string
}

var figuresOf = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// number reports whether a draft has a number of the request, or what was reckoned from it.
// dated says that it is of a date.
func (k *kept) number(n *number, dated bool) bool {
	if n.unit == words.Times && k.Percent != "" || (n.unit == words.Days || dated) && k.dated() {
		return true
	}
	value, err := decimal.Parse(n.value)
	return err != nil || slices.ContainsFunc(k.figures, func(f string) bool {
		v, err := decimal.Parse(f)
		return err == nil && v.Cmp(value) == 0
	})
}

func (k *kept) dated() bool {
	return k.Delivery != "" || k.Days > 0 || k.From != "" || k.RowsOf != nil && k.RowsOf.Query != nil &&
		k.RowsOf.Query.From != ""
}

// name reports whether a draft has one of the things that a name of the request is.
func (k *kept) name(n *named) bool {
	if n.All && k.RowsOf != nil && k.RowsOf.Result != "" {
		return true
	}
	for _, m := range n.chosen {
		for _, v := range []string{m.Name, m.ID} {
			quoted, err := json.Marshal(v)
			if err != nil || v == "" {
				continue
			}
			if text := string(quoted); strings.Contains(k.text, text) || // or a variant of it
				strings.Contains(k.text, strings.TrimSuffix(text, `"`)+" (") {
				return true
			}
		}
	}
	return false
}

// leavesOut reports whether a draft has an exception.
func (k *kept) leavesOut() bool {
	return k.Except != nil || k.RowsOf != nil && (len(k.RowsOf.Except) > 0 || k.RowsOf.Query != nil &&
		slices.ContainsFunc(k.RowsOf.Query.Where, func(w analysis.Condition) bool { return w.Op == analysis.NotIn }))
}

// compares reports whether a draft has a condition or a limit.
func (k *kept) compares() bool {
	return len(k.Where) > 0 || k.Mode != "" || k.Budget != "" || k.MinOrder != "" || k.Minimum != "" || k.Given() ||
		k.RowsOf != nil && (k.RowsOf.Query == nil || len(k.RowsOf.Query.Where) > 0)
}

// changes reports whether prices change by an amount: "дешевле на 10 %".
func (k *kept) changes() bool {
	return k.Percent != "" || k.Amount != "" || k.Margin != "" || k.Markup != ""
}

func (k *kept) ranked() bool {
	return k.RowsOf != nil && (k.RowsOf.Query == nil || len(k.RowsOf.Query.Order) > 0)
}

// meanings are what words of the file say, and how a draft keeps it.
var meanings = map[string]func(*kept, *sentence) bool{
	"except": func(k *kept, s *sentence) bool {
		return s.typeLeft || s.leftItems || k.Except != nil || k.RowsOf != nil ||
			len(k.Where) > 0 || k.PriceType != "" || k.Given()
	},
	"short": func(k *kept, s *sentence) bool {
		return k.compares() || k.Round != nil || k.Items == nil && s.bothShort()
	},
	"slow":   func(k *kept, _ *sentence) bool { return k.compares() || k.ranked() },
	"rank":   func(k *kept, _ *sentence) bool { return k.ranked() },
	"budget": func(k *kept, _ *sentence) bool { return k.Budget != "" },
	"forecast": func(k *kept, _ *sentence) bool {
		return k.Forecast
	},
	"round": func(k *kept, _ *sentence) bool { return k.Round != nil || k.Multiple != "" },
	"discount": func(k *kept, _ *sentence) bool {
		return strings.HasPrefix(k.Percent+k.Amount, "-") || k.Items != nil || k.Price != ""
	},
	"if":       func(k *kept, _ *sentence) bool { return k.compares() },
	"multiple": func(k *kept, s *sentence) bool { return k.Round != nil || k.Multiple != "" || s.inPacks },
	"sold":     func(k *kept, _ *sentence) bool { return k.RowsOf != nil && k.RowsOf.Column == "quantity" },
	"never":    func(*kept, *sentence) bool { return false },
}

// bothShort reports whether two kinds of shortages are said, which together are all.
func (s *sentence) bothShort() bool {
	seen := map[string]bool{}
	for i := range s.Words {
		for _, p := range request.Shortages {
			if p.Mode != "" && s.PhraseSaid(i, p.Words) > 0 {
				seen[p.Mode] = true
			}
		}
	}
	return len(seen) > 1
}

// phrase is words that a draft must keep.
type phrase struct {
	words, first string // first: what its first word begins with
	kept         func(*kept, *sentence) bool
}

var meaningful = func() (list []phrase) {
	for _, e := range request.Entries {
		if e.Section != "kept" {
			continue
		}
		has := meanings[e.Meaning]
		if has == nil {
			panic("proposal: no meaning " + e.Meaning + " in [kept]")
		}
		for _, p := range e.Phrases {
			first, _, _ := strings.Cut(p, " ")
			list = append(list, phrase{p, strings.TrimSuffix(first, "*"), has})
		}
	}
	return list
}()
