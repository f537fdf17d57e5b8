package eval

import (
	"regexp"
	"slices"
	"strings"
)

// belowMinimumAt judges "below minimum at Витрина".
func (s *seen) belowMinimumAt(store string) holds { return min(s.belowMinimum(), s.toStore(store)) }

// shortagesOf judges "only shortages of Витрина": a transfer there without a list of goods.
func (s *seen) shortagesOf(store string) holds {
	listed := slices.ContainsFunc(s.facts, func(f fact) bool { return f.kind == "line" })
	return min(ifTrue(!listed), s.toStore(store))
}

var draftTools = map[string]string{"price change": "price_change", "supplier order": "supplier_orders",
	"supplier orders": "supplier_orders", "transfer": "transfers", "minimum stock": "minimum_stock",
	"minimum stocks": "minimum_stock"}

func (s *seen) draftOf(kind string) holds {
	name, known := draftTools[kind]
	if !known {
		return unsure
	}
	if s.find(func(f fact) bool { return f.kind == "draft" && f.field == name }) == yes {
		return yes
	}
	return ifTrue(slices.ContainsFunc(s.answer.Drafts, func(d draft) bool {
		return strings.HasSuffix(d.Tool, "propose_"+name)
	}))
}

func (s *seen) goal(name, v string) holds {
	value := strings.TrimSpace(strings.TrimSuffix(v, "%"))
	return s.find(func(f fact) bool {
		return f.kind == "goal" && f.field == name && number(f.value) == number(value)
	})
}

// percent judges "percent +10" and "percent +10 on products matching …".
func (s *seen) percent(v string) holds {
	value, rest, on := strings.Cut(v, " on ")
	found := s.goal("percent", value)
	if !on || found != yes {
		return found
	}
	return s.one(rest)
}

func (s *seen) priceSet(value string) holds {
	found := s.goal("price", value)
	lines, wrong := s.find(func(f fact) bool { return f.kind == "line" && number(f.value) == value }), false
	for _, d := range s.answer.Drafts {
		for _, l := range d.lines() {
			wrong = wrong || l.Price == nil || number(l.Price.Amount) != value
		}
	}
	return ifTrue((found == yes || lines == yes || len(s.answer.Drafts) > 0) && !wrong)
}

// raised judges a change of prices by an amount.
func (s *seen) raised(by string) holds {
	s.goal("amount", by)
	ok := len(s.answer.Drafts) > 0
	for _, d := range s.answer.Drafts {
		for _, l := range d.lines() {
			ok = ok && l.Price != nil && l.OldPrice != nil && difference(l.OldPrice.Amount, l.Price.Amount) == by
		}
	}
	return ifTrue(ok)
}

func (s *seen) roundTo(v string) holds {
	return s.find(func(f fact) bool { return f.kind == "round" && strings.Contains(f.value, v) })
}

func (s *seen) line(v string) holds {
	m := lineHint.FindStringSubmatch("line " + v)
	if m == nil {
		return unsure
	}
	s.wanted = append(s.wanted, demoShop().goods(m[1])...)
	for _, d := range s.answer.Drafts {
		for _, l := range d.lines() {
			if sameName(l.Product.Name, m[1]) && number(l.Quantity) == number(m[2]) {
				s.find(func(f fact) bool { return f.kind == "line" && sameName(f.field, m[1]) })
				return yes
			}
		}
	}
	return s.find(func(f fact) bool {
		return f.kind == "line" && slices.Contains(demoShop().goods(f.field), m[1]) && number(f.op) == number(m[2])
	})
}

func (s *seen) removed(name string) holds {
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(g string) bool { return sameName(g, name) })
	}
	return ifTrue(len(s.answer.Drafts) > 0 && !has(s.answer.goods()) && has(s.lastDraft().goods()))
}

func (s *seen) edited() holds {
	last := s.lastDraft()
	return ifTrue(len(s.answer.Drafts) > 0 && last != nil && s.answer.Drafts[0].ID == last.Drafts[0].ID &&
		s.answer.Drafts[0].Version > last.Drafts[0].Version)
}

func (s *seen) othersKept() holds {
	last := s.lastDraft()
	if last == nil || len(s.answer.Drafts) == 0 {
		return no
	}
	missing := 0
	for _, g := range last.goods() {
		if !slices.Contains(s.answer.goods(), g) {
			missing++
		}
	}
	return ifTrue(missing <= 1)
}

// lastDraft returns the latest earlier answer of the conversation with a draft.
func (s *seen) lastDraft() *answered {
	for b := s.before; b != nil; b = b.before {
		if len(b.answer.Drafts) > 0 {
			return &b.answer
		}
	}
	return nil
}

func (s *seen) became(states ...string) holds {
	last := s.lastDraft()
	if last == nil || len(s.answer.Drafts) > 0 && s.answer.Drafts[0].ID != last.Drafts[0].ID {
		return no
	}
	return ifTrue(slices.Contains(states, s.state(last.Drafts[0].ID)))
}

func (s *seen) undid() holds {
	return ifTrue(len(s.answer.Drafts) > 0 && s.answer.Drafts[0].Undoes != "" || s.became("rejected") == yes)
}

var aboutDrafts = regexp.MustCompile(`(?i)черновик|draft|ждут подтвержд|await`)

func (s *seen) draftList() holds {
	return ifTrue(!s.answer.refuses() && len(s.answer.Drafts) == 0 && aboutDrafts.MatchString(s.answer.FinalResponse))
}

func (s *seen) toStore(name string) holds { return s.storeOf(name, "store", false) }

func (s *seen) fromStore(name string) holds { return s.storeOf(name, "from store", true) }

func (s *seen) storeOf(name, field string, from bool) holds {
	found := s.find(func(f fact) bool { return f.kind == "where" && f.field == field && sameName(f.value, name) })
	for _, d := range s.answer.Drafts {
		for _, doc := range d.Documents {
			x := doc.Store
			if !from && doc.Target.Name != "" {
				x = doc.Target
			}
			if nested := doc.Target.Name == "" && demoShop().inside[x.Name] == name; nested {
				continue // an order for a warehouse covers those in it
			}
			if x.Name != "" && !sameName(x.Name, name) {
				return no
			}
			if x.Name != "" {
				found = yes
			}
		}
	}
	return found
}

func (s *seen) noOtherGoods() holds {
	goods := s.answer.goods()
	return ifTrue(len(goods) > 0 && !slices.ContainsFunc(goods, func(g string) bool { return !s.within(g) }))
}

// goodsBefore holds if the call is about the rows of the answer before: by reference, by its names, or by its
// conditions.
func (s *seen) goodsBefore() holds {
	if s.find(func(f fact) bool { return f.kind == "rows" }) == yes {
		return yes
	}
	if s.before == nil || len(s.tools) == 0 {
		return no
	}
	rows := s.before.answer.rows()
	if rows != nil {
		if goods := s.answer.goods(); len(goods) > 0 && within(goods, rows) {
			s.find(func(f fact) bool { return f.kind == "line" || f.field == "product" })
			return yes
		}
		var named []string
		for _, f := range s.facts {
			if f.kind == "where" && f.field == "product" {
				named = append(named, f.value)
			}
		}
		if len(named) > 0 && within(named, rows) {
			s.find(func(f fact) bool { return f.kind == "where" && f.field == "product" })
			return yes
		}
	}
	restricting := 0
	for _, f := range s.before.facts {
		if f.kind != "where" && f.kind != "mode" || f.field == "price_type" {
			continue
		}
		restricting++
		if s.find(func(g fact) bool {
			return g.kind == f.kind && alikeField(g.field, f.field) && g.value == f.value && (f.kind == "mode" ||
				alike(g.op, f.op))
		}) == no {
			return no
		}
	}
	return ifTrue(restricting > 0)
}

func alikeField(x, y string) bool {
	return x == y || slices.ContainsFunc([][]string{{"stock", "free", "available"}, {"days_since_sale",
		"days_without_sale"}, {"sale_price", "price"}, {"debt", "owed_to_us", "owed_by_us"}}, func(of []string) bool {
		return slices.Contains(of, x) && slices.Contains(of, y)
	})
}

func within(list, of []string) bool {
	return !slices.ContainsFunc(list, func(x string) bool {
		return !slices.ContainsFunc(of, func(y string) bool { return sameName(x, y) })
	})
}

func (s *seen) firstBefore() holds {
	for b := s.before; b != nil; b = b.before {
		if rows := b.answer.rows(); len(rows) > 0 {
			return s.named(rows[0])
		}
	}
	return unsure
}

func (s *seen) optionProduct(i int) holds {
	for b := s.before; b != nil; b = b.before {
		if q := b.answer.Question; q != nil && i < len(q.Options) {
			want := readCalls([]call{{q.Options[i].Tool, q.Options[i].Arguments}})
			for _, f := range want.facts {
				if f.kind == "line" {
					return s.named(f.field)
				}
				if f.kind == "where" && f.field == "product" {
					return s.named(f.value)
				}
			}
			return unsure
		}
	}
	return no
}

// chose judges "option 2 of the question".
func (s *seen) chose(v string) holds {
	b := s.before
	for b != nil && b.answer.Question == nil {
		b = b.before
	}
	if b == nil || len(v) == 0 {
		return no
	}
	i, q := int(v[0]-'1'), b.answer.Question
	if i < 0 || i >= len(q.Options) || len(s.tools) != 1 || q.Options[i].Tool == "" {
		return no
	}
	want := readCalls([]call{{q.Options[i].Tool, q.Options[i].Arguments}})
	ok := s.tools[0] == want.tools[0] && slices.Equal(s.facts, want.facts)
	if ok {
		s.find(func(fact) bool { return true })
	}
	return ifTrue(ok)
}

func (s *seen) goalOf(name string) holds {
	return s.find(func(f fact) bool { return f.kind == "goal" && f.field == name })
}
