package lookup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Fields is the input of the tool that lists fields as the account has them.
type Fields struct {
	Entity string   `json:"entity"`
	Filter []Filter `json:"filter,omitempty"`
}

// Filter is a condition on a field.
type Filter struct {
	Field string `json:"field"`
	Op    string `json:"op,omitempty"`
	Value string `json:"value"`
}

const fieldsTool = "lookup"

// movedTo reads "перемещения на Витрину": the list of documents knows the warehouse that goods left, and the fields
// know where they came (rule R603). Nil if the task does not say so, or has further conditions.
func (d *papers) movedTo() *Reading {
	if !slices.Equal(d.in.Kinds, []string{"move"}) || len(d.in.Stores) == 0 || d.others != len(d.in.Stores) ||
		d.in.Number != "" || d.in.Limit > 0 || len(d.in.States) > 0 || d.in.Posted != nil {
		return nil
	}
	in := Fields{Entity: "move"}
	to := 0
	for _, it := range d.items {
		if it.meaning != name || len(meanings(it.name, connector.NameStore)) != 1 {
			continue
		}
		field := "from_store"
		if d.toward(it) {
			field = "to_store"
			to++
		}
		in.Filter = append(in.Filter, Filter{Field: field, Value: meanings(it.name, connector.NameStore)[0].Name})
	}
	if to == 0 || to > 1 || len(in.Filter) != len(d.in.Stores) {
		return nil
	}
	for _, bound := range []struct {
		op  string
		day tool.Day
	}{{">=", d.in.From}, {"<=", d.in.To}} {
		if bound.day != "" {
			in.Filter = append(in.Filter, Filter{Field: "date", Op: bound.op, Value: string(bound.day)})
		}
	}
	return &Reading{Call: Call{Tool: fieldsTool, Input: in}, Listing: true}
}

// goodsTo asks whether to show the transfers where a task asks for the goods that came to a warehouse with them:
// figures of goods know only where transfers came from.
func (s *sentence) goodsTo(v *item) *Reading {
	if v.id != "move" || strings.HasSuffix(s.ts[v.at].Norm, "ть") {
		return nil
	}
	in := Fields{Entity: "move"}
	target, source := "", ""
	for _, it := range s.items {
		if it.meaning != name || len(meanings(it.name, connector.NameStore)) != 1 {
			continue
		}
		store := meanings(it.name, connector.NameStore)[0].Name
		field, of := "from_store", &source
		if s.toward(it) {
			field, of = "to_store", &target
		}
		if *of != "" {
			return nil
		}
		*of = store
		in.Filter = append(in.Filter, Filter{Field: field, Value: store})
	}
	if target == "" {
		return nil
	}
	from, to := s.span()
	l := s.language()
	text := fmt.Sprintf(l.Pick("перемещения на склад «%s»", "transfers to “%s”"), target)
	if source != "" {
		text = fmt.Sprintf(l.Pick("перемещения со склада «%s» на склад «%s»", "transfers from “%s” to “%s”"),
			source, target)
	}
	if from != "" {
		in.Filter = append(in.Filter, Filter{Field: "date", Op: ">=", Value: string(from)},
			Filter{Field: "date", Op: "<=", Value: string(to)})
		text += " " + dotted(from) + "–" + dotted(to)
	}
	for _, it := range s.items {
		it.used = true
	}
	return &Reading{Ask: NoGoodsTo, Options: []Option{{Call{Tool: fieldsTool, Input: in}, text}}}
}

func dotted(d tool.Day) string { return d.Time().Format("02.01.2006") }

// toward reports whether a preposition of direction stands in front of a name, perhaps with the word for a warehouse
// between: "на Витрину", "на склад Лесная", "into Vitrina".
func (s *sentence) toward(it *item) bool {
	at := it.at - 1
	for at > 0 && storeNouns[s.ts[at].Norm] {
		at--
	}
	return at >= 0 && directions[s.ts[at].Norm]
}

var (
	directions = words.Set("на в во к to into onto")
	storeNouns = words.Set("склад складе магазин магазине точку точка store warehouse shop the")
)

var inStockWords = token.Stems("остаток остатки остатком остатками остатке наличии")

// archive reads "архивные товары", "товары в архиве" (rule R604).
func (s *sentence) archive() *Reading {
	if !s.has(archived) || s.has(name) || s.has(document) {
		return nil
	}
	entity := "product"
	for _, it := range s.items {
		switch it.meaning {
		case function, period:
		case archived, goods, asking, every, counting:
			it.used = true
		case available, unexplained:
			if !inStockWords[s.ts[it.at].Stem] {
				return nil
			} // asked about: the fields know no stock
		case customers, kindOf, agent:
			if it.meaning == kindOf && it.id != "counterparties" && it.id != "suppliers" {
				return nil
			}
			entity, it.used = "counterparty", true
		case service:
			entity, it.used = it.id, true
		default:
			return nil // "delete the archived products"
		}
	}
	return &Reading{Call: Call{Tool: fieldsTool, Input: Fields{Entity: entity,
		Filter: []Filter{{Field: "archived", Value: "true"}}}}, Listing: true}
}
