package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// onlyNames reads "только Продукты" after what runs out or will be sold as the same limited to those names (rule
// R1044): the horizon and every other condition stay. It returns nil for any other message.
func (t *talk) onlyNames(m *message) *language.Reading {
	if t.done == nil || t.done.Skill != language.Shortages && t.done.Skill != language.Forecast {
		return nil
	}
	s := t.parts(m.task, false)
	named := slices.ContainsFunc(s.parts, isName)
	if !named || len(s.rest) > 0 || s.adds() || slices.ContainsFunc(s.ts, func(x token.Token) bool {
		return excludes[x.Norm] || removeWords[x.Norm] || insteadWords[x.Norm] || theOthers[x.Norm]
	}) {
		return nil
	}
	x := language.Reading{Task: m.task, Language: languageOf(m.task, m.in), Skill: t.done.Skill, FollowUp: true,
		Confidence: 1}
	if t.done.Skill == language.Shortages {
		x.Arguments = argumentsOf(t.done)
	} else if !decode(t.done.Input, &x.Arguments) {
		return nil
	}
	a := &x.Arguments
	lists := map[connector.NameKind]*[]string{connector.NameGroup: &a.Groups, connector.NameProduct: &a.Products,
		connector.NameStore: &a.Stores}
	if t.done.Skill == language.Shortages {
		lists[connector.NameSupplier] = &a.Suppliers
	}
	set := map[*[]string]bool{}
	for _, p := range s.parts {
		if kindNouns[p.id] && p.slots[0] == slot(typed.SpanDimension) { // "только группа Продукты"
			continue
		}
		kind := kindOfAll(p.names)
		list := lists[kind]
		if list == nil || p.excludes || kind == connector.NameProduct && len(a.Groups) > 0 {
			return nil
		}
		if !set[list] {
			*list, set[list] = nil, true
		}
		for _, n := range p.names {
			if name := n.Name; n.Kind == kind && !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
	}
	if set[&a.Groups] {
		a.Products = nil // of rows that were shown before
	}
	return &x
}

// kindNouns are the dimensions whose words may stand before a name.
var kindNouns = words.Set("product group store supplier")

// kindOfAll returns what all names that fit some words are; a group before the goods in it.
func kindOfAll(names []connector.Name) (kind connector.NameKind) {
	for _, n := range names {
		switch {
		case n.Kind == connector.NameGroup:
			return n.Kind
		case n.Kind == connector.NameCounterparty: // a supplier is one, too
		case kind == "":
			kind = n.Kind
		case kind != n.Kind:
			return ""
		}
	}
	return kind
}

// adds reports whether a message adds to what was asked: "и Посуда тоже".
func (s *sentence) adds() bool {
	return slices.ContainsFunc(s.ts, func(x token.Token) bool {
		return addingWords[x.Norm] && x.Use == token.Unused && x.Norm != "и" && x.Norm != "and"
	})
}

// emptyOfShort reads "just the ones that are already at zero" after what to order as those of the goods that are not in
// stock (rule R1046): goods below their minimum are only some of them. It returns nil for any other message.
func (t *talk) emptyOfShort(m *message) *language.Reading {
	rows := m.shown
	if t.done == nil || t.done.Skill != language.Shortages || rows == nil || rows.Earlier || rows.More ||
		rows.Dimension != "product" || !wording(aroundEmpty, emptyWords).Is(token.Split(m.task), aroundRows) {
		return nil
	}
	var ids []string
	for _, id := range rows.IDs {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	q := analysis.Query{Measures: []string{"stock", "free"}, By: []string{"product"}, Where: []analysis.Condition{
		oneOf("product", ids), {Field: "stock", Op: analysis.LessEqual, Values: []analysis.Scalar{"0"}}}}
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

var (
	emptyWords = words.Set("закончились закончился закончилось закончилась кончились кончился кончилось кончилась " +
		"нет нету ноль нулю нулям нуля ноле нулевой нулевым нулевые нулевых пустые пусто zero out gone none empty")
	aroundEmpty = words.Set("только лишь уже вообще совсем полностью остаток остатком остатки которые которых те " +
		"что где стоят в по с на складе складах наличии just only ones that already completely stock entirely now " +
		"with who")
)
