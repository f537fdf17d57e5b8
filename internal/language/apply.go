package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/words"
)

// applyNames puts the names of the task into the arguments. A name with several meanings that the skill takes becomes
// a question.
func (r *reader) applyNames(out *Reading, s Skill) {
	if s == FindProducts || s == Reference {
		return
	}
	var doubtful *mention
	for i := range r.mentions {
		m := &r.mentions[i]
		ns := accepted(m.meanings, s)
		if len(ns) > 0 && out.Question == nil && r.excludes(m) {
			out.Question = r.withoutOrOnly(s, ns[0])
			continue
		}
		if k, ok := names.KindBeside(r.ts, m.at[0], m.at[len(m.at)-1]); ok {
			if same := slices.DeleteFunc(slices.Clone(ns), func(n connector.Name) bool { return n.Kind != k }); len(
				same) > 0 {
				ns = same
			}
		}
		switch {
		case len(ns) == 0:
			out.Ignored = append(out.Ignored, Match{Name: m.meanings[0], Words: m.words, Exact: m.exact})
		case m.all:
			for _, n := range ns {
				out.Matched = append(out.Matched, Match{Name: n, Words: m.words, Exact: m.exact})
				out.Arguments.add(n, n.Kind == connector.NameProduct || n.Kind == connector.NameCounterparty)
			}
		case len(ns) == 1:
			out.Matched = append(out.Matched, Match{Name: ns[0], Words: m.words, Exact: m.exact})
			out.Arguments.add(ns[0], m.byID)
		default:
			if doubtful == nil {
				doubtful = m
				m.meanings = ns
			}
		}
	}
	if doubtful != nil && out.Question == nil {
		out.Question = r.whichName(s, out.Arguments, doubtful)
	}
}

// accepted returns the meanings that the skill has an argument for. The same thing in two kinds counts once.
func accepted(ns []connector.Name, s Skill) []connector.Name {
	var out []connector.Name
	for _, n := range ns {
		if n.Kind == connector.NameSupplier && slices.Contains(skills[s].names, connector.NameCounterparty) {
			n.Kind = connector.NameCounterparty // suppliers are counterparties
		}
		if !slices.Contains(skills[s].names, n.Kind) {
			continue
		}
		if !slices.ContainsFunc(out, func(o connector.Name) bool { return o.ID == n.ID && o.Kind == n.Kind }) {
			out = append(out, n)
		}
	}
	return out
}

// add puts a name into the argument of its kind, by ID when another thing has the same name.
func (a *Arguments) add(n connector.Name, byID bool) {
	v := n.Name
	if byID && n.ID != "" {
		v = n.ID
	}
	var to *[]string
	switch n.Kind {
	case connector.NameStore:
		to = &a.Stores
	case connector.NameSupplier:
		to = &a.Suppliers
	case connector.NameGroup:
		to = &a.Groups
	case connector.NameProduct:
		to = &a.Products
	case connector.NameCounterparty:
		to = &a.Counterparties
	default:
		return
	}
	if !slices.Contains(*to, v) {
		*to = append(slices.Clone(*to), v)
	}
}

// excludes reports whether the task excludes a name: "всё, кроме посуды".
func (r *reader) excludes(m *mention) bool {
	for j := m.at[0] - 1; j >= 0 && j >= m.at[0]-3; j-- {
		if w := r.ts[j].Norm; exceptWords[w] {
			return true
		} else if !isKindWord(w) && w != "for" && w != "the" {
			return false
		}
	}
	return false
}

var exceptWords = words.Set("кроме исключая except excluding besides")
