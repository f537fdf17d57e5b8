package eval

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

func (s *seen) all(field string) holds {
	return ifTrue(len(s.tools) > 0 && !slices.ContainsFunc(s.facts, func(f fact) bool {
		return f.kind == "where" && f.field == field
	}))
}

func (s *seen) allGoods() holds {
	for _, field := range []string{"group", "supplier", "product", "price", "margin", "stock"} {
		if s.all(field) == no {
			return no
		}
	}
	return ifTrue(len(s.tools) > 0 && !slices.ContainsFunc(s.facts, func(f fact) bool { return f.kind == "line" }))
}

func (s *seen) noFigures() holds { return ifTrue(len(s.tools) == 0 && len(s.answer.Drafts) == 0) }

func (s *seen) shortReply() holds {
	offers := s.answer.Question != nil && len(s.answer.Question.Options) > 0
	return ifTrue(len(s.tools) == 0 && !offers && !s.answer.helps() && !puzzled.MatchString(s.answer.FinalResponse) &&
		len([]rune(s.answer.FinalResponse)) < 300)
}

func (s *seen) overview() holds {
	n := 0
	for _, f := range s.facts {
		if f.kind == "measure" && slices.Contains([]string{"revenue", "profit", "receipts", "sales", "balance"},
			f.field) {
			n++
		}
	}
	return ifTrue(n > 1 || slices.ContainsFunc(s.facts, func(f fact) bool { return f.field == "overview" }))
}

func (s *seen) flagged(name string) holds {
	return s.find(func(f fact) bool {
		return f.kind == "flag" && f.field == name || f.kind == "measure" && strings.HasPrefix(f.field, name)
	})
}

func (s *seen) belowMinimum() holds {
	return s.find(func(f fact) bool {
		return f.kind == "mode" && f.field == "below_minimum" || f.kind == "where" && f.field == "shortage" ||
			f.kind == "measure" && f.field == "shortage" && !slices.Contains(s.tools, "shortages")
	})
}

func (s *seen) belowPurchase() holds {
	return s.find(func(f fact) bool {
		fields := []string{"price_minus_cost", "markup", "price_markup", "margin", "profit", "price_margin"}
		return f.kind == "where" && slices.Contains(fields, f.field) && f.op[0] == '<' && number(f.value) == "0"
	})
}

var daysStated = regexp.MustCompile(`\d+ (?:дн|days)`)

func (s *seen) threshold() holds {
	if s.find(func(f fact) bool { return f.field == "days_in_stock" || f.field == "days_since_sale" }) == yes {
		return yes
	}
	return ifTrue(daysStated.MatchString(s.answer.firstLine()))
}

// without judges an exception: "exclude group Посуда".
func (s *seen) without(v string) holds {
	if words, ok := strings.CutPrefix(v, "products "); ok {
		left := slices.ContainsFunc(s.answer.goods(), func(g string) bool { return matches(g, words) })
		return min(ifTrue(!left), s.find(func(f fact) bool {
			return f.kind == "where" && f.field == "product" && f.op == "!=" && matches(f.value, words)
		}))
	}
	for _, words := range dimensionWords {
		for _, w := range words.said {
			if name, ok := strings.CutPrefix(v, w+" "); ok {
				return s.nameIs(w, "!=", name)
			}
		}
	}
	return unsure
}

// allMatching holds if the answer is about all products with the words in their names, and about no other.
func (s *seen) allMatching(words string) holds {
	want := demoShop().matching(words)
	s.wanted = append(s.wanted, want...)
	covered := func(list []string) bool {
		return len(list) > 0 && (s.partly || !slices.ContainsFunc(want, func(w string) bool {
			return !slices.Contains(list, w) && !isVariantOfOthers(w, want)
		})) && !slices.ContainsFunc(list, func(x string) bool { return !matches(x, words) })
	}
	var goods []string
	for _, f := range s.facts {
		switch {
		case f.kind == "where" && f.field == "product" && f.op == "contains":
			goods = append(goods, demoShop().matching(f.value)...)
		case f.kind == "where" && f.field == "product" && f.op != "!=", f.kind == "search":
			goods = append(goods, demoShop().goods(f.value)...)
		case f.kind == "line":
			goods = append(goods, demoShop().goods(f.field)...)
		}
	}
	if covered(goods) || covered(s.answer.goods()) {
		s.find(func(f fact) bool {
			return f.kind == "line" || f.kind == "search" || f.kind == "where" && f.field == "product"
		})
		return yes
	}
	return no
}

// isVariantOfOthers reports whether a name is that of a variant whose product is in the list.
func isVariantOfOthers(name string, list []string) bool {
	return slices.ContainsFunc(list, func(x string) bool {
		return x != name &&
			demoShop().aliases[fold(x)][fold(name)]
	})
}

func (s *seen) named(name string) holds {
	if want := demoShop().goods(name); len(want) > 0 {
		s.wanted = append(s.wanted, want...)
	}
	found := s.find(func(f fact) bool {
		value := f.value
		switch {
		case f.kind == "line":
			value = f.field
		case f.kind == "search", f.kind == "where" && f.field == "product" && f.op != "!=":
		default:
			return false
		}
		goods := demoShop().goods(value)
		if f.kind == "search" {
			goods = demoShop().matching(value)
		}
		return slices.ContainsFunc(goods, func(g string) bool { return sameName(g, name) }) ||
			demoShop().covers(goods, name)
	})
	if found == no && slices.ContainsFunc(s.answer.goods(), func(g string) bool { return sameName(g, name) }) {
		return yes
	}
	return found
}

func (s *seen) numbered(v string) holds {
	return s.find(func(f fact) bool {
		return f.kind == "number" && strings.TrimLeft(f.value, "0") == strings.TrimLeft(v, "0")
	})
}

func (s *seen) searched(v string) holds {
	found := s.find(func(f fact) bool {
		return f.kind == "search" && sameName(f.value, v) || f.kind == "where" && f.field == "product" &&
			sameName(f.value, v)
	})
	if found == no {
		good := demoShop().products[fold(v)] // by its article or code
		found = s.named(cmp.Or(good, v))
	}
	if want := demoShop().matching(v); found == no && len(want) > 0 {
		found = s.find(func(f fact) bool {
			return f.kind == "search" && slices.Equal(demoShop().matching(f.value), want)
		})
	}
	return found
}

var listKinds = map[string][]string{"employees": {"employees"}, "groups": {"groups"}, "stores": {"stores"},
	"warehouses": {"stores"}, "legal entities": {"organizations"}, "price types": {"price_types"},
	"sales channels": {"sales_channels"}, "suppliers": {"suppliers"}, "counterparties": {"counterparties"},
	"customers": {"counterparties", "customers"}, "expense items": {"expense_items"}, "projects": {"projects"}}

func (s *seen) listed(v string) holds {
	switch v {
	case "drafts":
		return s.draftList()
	case "products", "goods":
		return s.split("product")
	case "services":
		if s.split("product") != yes {
			return no
		}
		return plainHints["only services"](s)
	}
	kinds, known := listKinds[v]
	if !known {
		kinds = []string{strings.ReplaceAll(v, " ", "_")}
	}
	return s.find(func(f fact) bool { return f.kind == "list" && slices.Contains(kinds, f.field) })
}

func (s *seen) horizon(v string) holds {
	days := strings.TrimSuffix(v, " days")
	if m := spanHint.FindStringSubmatch(v); m != nil {
		v = m[2]
	}
	return s.find(func(f fact) bool {
		if f.kind != "horizon" {
			return false
		}
		n := toInt(f.value)
		if f.field == "weeks" {
			n *= 7
		}
		until := tool.Day(v)
		if until.Time().IsZero() {
			return n == toInt(days)
		}
		apart := tool.Period{From: unseenDay, To: until}.Days()
		return n == apart || n == apart-1
	})
}

// wordings are what an answer says, by the hint that asks for it.
var wordings = map[string]*regexp.Regexp{
	"nothing to confirm":                    regexp.MustCompile(`(?i)нечего|нет чернов|no draft|nothing|not? .*draft`),
	"nothing to cancel":                     regexp.MustCompile(`(?i)нечего|нет чернов|no draft|nothing|ничего`),
	"nothing to undo":                       regexp.MustCompile(`(?i)нечего|нет чернов|no draft|nothing|ничего`),
	"nothing to continue":                   regexp.MustCompile(`(?i)нечего|nothing|ничего|no earlier`),
	"nothing to choose":                     regexp.MustCompile(`(?i)нечего|nothing|ничего|не спрашив`),
	"how to confirm":                        regexp.MustCompile(`(?i)подтверди|confirm`),
	"already confirmed":                     regexp.MustCompile(`(?i)уже|already`),
	"already rejected":                      regexp.MustCompile(`(?i)уже|already|нечего|nothing`),
	"no such date":                          regexp.MustCompile(`(?i)нет такой даты|даты «[^»]+» нет|такого дня|такого числа|такой даты|не бывает|no such|не существует|does not exist|doesn.t exist|there is no`),
	"prices do not depend on the store":     regexp.MustCompile(`(?i)не зависят|на всех складах|do not depend|same in all|не по складам|by warehouse`),
	"seasonality is not taken into account": regexp.MustCompile(`(?i)сезон|season`),
	"expenses not included":                 regexp.MustCompile(`(?i)расход|expenses`),
	"cause unknown":                         regexp.MustCompile(`(?i)причин|cause|why`),
}

func (s *seen) says(v string) holds {
	if strings.HasPrefix(v, "cannot") {
		return ifTrue(len(s.tools) == 0 && len(s.answer.Drafts) == 0 && !s.answer.asks() &&
			s.answer.FinalResponse != "")
	}
	w, known := wordings[v]
	if !known && (s.kind == "offtopic" || s.kind == "talk" || s.kind == "unsupported") {
		return min(s.noFigures(), ifTrue(!s.answer.asks()))
	}
	if !known {
		return unsure
	}
	return ifTrue(w.MatchString(s.answer.FinalResponse) && !s.answer.helps())
}

// none judges hints that begin with "no".
func (s *seen) none(v string) holds {
	switch {
	case strings.HasPrefix(v, "draft of a "):
		return ifTrue(s.draftOf(strings.TrimPrefix(v, "draft of a ")) != yes)
	case strings.HasPrefix(v, "figures"), v == "call":
		return s.noFigures()
	case strings.HasPrefix(v, "percent on products matching "):
		words := strings.TrimPrefix(v, "percent on products matching ")
		return ifTrue(!slices.ContainsFunc(s.answer.goods(), func(g string) bool { return matches(g, words) }) ||
			s.goalOf("percent") == no)
	}
	return unsure
}

// quantity judges "quantity 12" and "quantity 20 each": the lines of a draft have it.
func (s *seen) quantity(v string) holds {
	v, _, _ = strings.Cut(v, " ")
	found := s.find(func(f fact) bool {
		return f.kind == "line" && number(f.op) == number(v) || f.field == "minimum" && number(f.value) == number(v)
	})
	for _, d := range s.answer.Drafts {
		for _, l := range d.lines() {
			if found == no && number(l.Quantity) == number(v) {
				found = yes
			}
		}
	}
	return found
}

// documents judges "documents customerorder": a list of documents of that type.
func (s *seen) documents(v string) holds {
	v, _, _ = strings.Cut(v, ",")
	return s.find(func(f fact) bool { return f.kind == "where" && f.field == "document kind" && sameName(f.value, v) })
}

// document judges "document customerorder 00335": that document, opened.
func (s *seen) document(v string) holds {
	of := strings.Fields(v)
	return s.numbered(of[len(of)-1])
}
