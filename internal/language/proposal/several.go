package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readGoals reads a request with several goals, such as "посуду подними на 5 %, игрушки снизь на 3 %": a draft has
// one, so it asks which comes first (rule R286). It reports whether there are several.
func (s *sentence) readGoals(of Kind) *Reading {
	parts, bare := s.parts(of)
	if !bare {
		of = None
	}
	if len(parts) < 2 {
		return nil
	}
	out := &Reading{}
	complete := true
	for i := range parts {
		r := s.readPart(parts, i, of)
		if r == nil || r.Cannot != "" {
			return nil
		}
		out.Unknown = append(out.Unknown, r.Unknown...)
		out.Together, out.Ignored = append(out.Together, r.Together...), append(out.Ignored, r.Ignored...)
		if out.Kind == None {
			out.Kind = r.Kind
		}
		if r.Question != "" || len(r.Unknown) > 0 {
			complete = false
			continue
		}
		out.Options = append(out.Options, Option{Text: draft.Text(r.Kind, r.Draft, s.Language), Kind: r.Kind,
			Draft: r.Draft})
	}
	if !complete {
		var said []string
		for _, p := range parts {
			said = append(said, "«"+strings.Trim(s.Text(p.from, p.to), " ,.;")+"»")
		}
		list := strings.Join(said, ", ")
		out.Options = nil
		out.Question = s.Language.Pick("В запросе несколько разных изменений, а черновик делает одно. Попросите "+
			"их по одному: "+
			list+".",
			"There are several different changes in this task, and a draft makes one. Ask for them one by one: "+
				list+".")
		return out
	}
	out.Question = s.Language.Pick("В запросе несколько разных изменений, а черновик делает одно. С какого начать?",
		"There are several different changes in this task, and a draft makes one. Which one first?")
	return out
}

// part is a clause with a goal of its own: tokens [from, to).
type part struct{ from, to int }

// parts cuts the task between its goals; none if there is one goal. bare says that figures without units are the goals.
func (s *sentence) parts(of Kind) (out []part, bare bool) {
	heads := s.shares()
	if len(heads) < 2 {
		heads = s.differentVerbs()
	}
	if len(heads) < 2 {
		heads, bare = s.bareFigures(of), true
	}
	if len(heads) < 2 {
		return nil, false
	}
	from := 0
	for k := range heads[1:] {
		cut := s.cut(heads[k], heads[k+1])
		if cut < 0 {
			cut = s.cutAtName(heads, k)
		}
		if cut < 0 {
			return nil, false
		}
		out = append(out, part{from, cut})
		from = cut
	}
	return append(out, part{from, len(s.Words)}), bare
}

// shares returns the percentages that say by how much prices change.
func (s *sentence) shares() (out []int) {
	for i := range s.Words {
		if s.Words[i].Use != token.Unused || s.Words[i].Kind != token.Number && request.Numeral(s.Words[i].Norm) == 0 ||
			i > 0 && request.Numeral(s.Word(i-1)) > 0 {
			continue
		}
		u, _ := words.UnitOf(s.Word(i + 1))
		if s.Word(i+1) != "%" && u.Kind != words.Percent {
			continue
		}
		n := &number{at: i, end: i + 2}
		if op, _ := s.comparison(i); op == "" && !s.spans(n) && !s.inBound(i) {
			out = append(out, i)
		}
	}
	return out
}

// spans reports whether a number is an end of "от 10 до 20".
func (s *sentence) spans(n *number) bool {
	w := s.Preceding(n.at)
	return w == "от" || w == "from" || w == "between" || w == "до" && s.Anywhere("от") && s.Word(n.at-1) == "до"
}

// inBound reports whether a limit of new prices begins within eight tokens before a number.
func (s *sentence) inBound(i int) bool {
	for j := max(0, i-8); j < i; j++ {
		if end := s.bound(j); end > i {
			return true
		}
	}
	return false
}

// differentVerbs returns the verbs of a task, if they order different things.
func (s *sentence) differentVerbs() (out []int) {
	class := func(w string) int {
		switch {
		case request.Raises[w] && !strongly(w):
			return 1
		case request.Lowers[w]:
			return 2
		case request.Buys[w]:
			return 3
		case request.Moves[w]:
			return 4
		}
		return 0
	}
	last := 0
	for _, v := range s.Verbs() {
		if c := class(s.Word(v)); c > 0 && c != last {
			out, last = append(out, v), c
		}
	}
	return out
}

// bareFigures returns the numbers of a request that says several minimums, markups or margins without a percent sign,
// each of other goods (rule R761).
func (s *sentence) bareFigures(of Kind) (out []int) {
	share := s.Find(request.MarkupNouns) >= 0 || s.Find(request.MarginNouns) >= 0
	if of != Minimums && !(of == Prices && share) || len(s.Names) < 2 {
		return nil
	}
	for i := range s.Words {
		n := s.numberAt(i)
		if n == nil || n.at != i || n.measure || n.sign != "" ||
			n.unit != words.NoUnit && (n.unit != words.Quantity || of != Minimums) {
			continue
		}
		if op, _ := s.comparison(i); op != "" || s.rankOf(n) || s.inBound(i) {
			return nil
		}
		out = append(out, i)
	}
	if len(out) != len(s.Names) {
		return nil
	}
	return out
}

// cutAtName returns where one of two goals ends that no word separates: at the name between them. −1 for none.
func (s *sentence) cutAtName(heads []int, k int) int {
	a, b := heads[k], heads[k+1]
	between := slices.IndexFunc(s.Names, func(n request.Name) bool { return n.At[0] > a && n.At[0] < b })
	if between < 0 {
		return -1
	}
	if s.Names[0].At[0] < heads[0] { // each figure is behind its name
		n := s.numberAt(a)
		if n == nil {
			return -1
		}
		return n.end
	}
	return s.preposition(b)
}

// strongly reports whether a verb of raising may add something else: "добавь чай и подними цены".
func strongly(w string) bool { return request.Begins(w, []string{"добав", "прибав"}) }

// cut returns where one of two goals ends and the other begins, or −1.
func (s *sentence) cut(a, b int) int {
	var strong, weak []int
	for i := a + 1; i < b; i++ {
		switch s.Norm(i) {
		case ",", ";", ".", "а", "но", "then", "while":
			strong = append(strong, i)
		case "+", "плюс":
			if i+1 < len(s.Words) && s.Words[i+1].Kind != token.Number { // "+5 %" is a sign
				weak = append(weak, i)
			}
		case "и", "and", "затем", "потом":
			weak = append(weak, i)
		}
	}
	seps := strong
	if len(seps) == 0 {
		seps = weak
	}
	if len(seps) == 0 {
		return -1
	}
	if last := seps[len(seps)-1]; b-last <= 2 { // "5 % на посуду и чай, 8 % на игрушки"
		return last
	}
	return seps[0]
}

// sharedByGoals reports whether a word of the first goal is said for the others, too.
func sharedByGoals(w string) bool {
	return request.AllVerbs[w] || w == "мин" || request.Begins(w, []string{"остат"}) ||
		request.Begins(w, request.PriceNouns) || request.Begins(w, request.MinimumNouns) ||
		request.Begins(w, request.MarkupNouns) || request.Begins(w, request.MarginNouns)
}

// readPart reads one part with the verb that it shares with others.
func (s *sentence) readPart(parts []part, k int, of Kind) *Reading {
	p := parts[k]
	in := s.Input
	in.Tokens, in.Names, in.onePart, in.whole = slices.Clone(s.Words), nil, true, of
	own := slices.ContainsFunc(s.Verbs(), func(v int) bool { return v >= p.from && v < p.to })
	for i := range in.Tokens {
		t := &in.Tokens[i]
		if i >= p.from && i < p.to || t.Use == token.AsName {
			continue
		}
		shared := !own && i < parts[0].to && sharedByGoals(t.Norm)
		if t.Use == token.Unused && !shared {
			t.Use = token.AsAccount
		}
	}
	for i := range in.Tokens {
		if t := &in.Tokens[i]; t.Use == token.AsName && (i < p.from || i >= p.to) {
			t.Use = token.AsAccount
		}
	}
	var places []int // in the whole task
	for i, n := range s.Names {
		if n.At[0] >= p.from && n.At[0] < p.to {
			in.Names = append(in.Names, n)
			places = append(places, i)
		}
	}
	r := Read(in)
	if r != nil {
		for _, list := range [][]int{r.Together, r.Ignored} {
			for i := range list {
				list[i] = places[list[i]]
			}
		}
	}
	return r
}
