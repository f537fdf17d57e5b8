package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
)

// whichMeaning asks which of several names is meant (rule R302). The options are what the task means with each of them,
// and with all of them if they are goods; those that the task cannot be about are left out. A question about figures is
// not asked back if its words fit nothing but goods: it is about all of them.
func (r *reader) whichMeaning(out *Reading) {
	if out.Outside && out.Confidence == 0 && out.Refusal == "" ||
		out.Question != nil && (out.Skill == Reference || out.Skill == "") {
		r.togetherMeant(out)
	}
	if out.Skill == FindProducts && !r.evidence.has(conceptFind) { // "средняя цена чая"
		r.togetherMeant(out)
	}
	if out.Outside || !out.Skill.Calls() && out.Question == nil || out.Skill == FindProducts || out.Skill == Reference {
		return
	}
	k := slices.IndexFunc(r.mentions, func(m mention) bool { return !m.all && (m.weak || len(m.things()) > 1) })
	if k < 0 {
		r.widen(out)
		return
	}
	m := &r.mentions[k]
	things := m.things()
	var goods []connector.Name
	for _, n := range things {
		if n.Kind == connector.NameProduct {
			goods = append(goods, n)
		}
	}
	var options []Option
	var readings []Reading
	if len(goods) > 1 && len(goods) <= mostTogether {
		every, ok := r.meaning(k, goods, true)
		if ok && (!m.weak || headed(goods, m.words)) && m.goods() == len(goods) && every.Skill.Reads() &&
			(every.Input == nil || every.Skill == Forecast || every.Skill == Shortages || every.Skill == Documents) {
			*out = every
			return
		}
		if asks := every.Question; !ok && asks != nil && asks.Whole && len(asks.Options) > 0 &&
			len(every.Unknown) == 0 &&
			(!m.weak || headed(goods, m.words)) && m.goods() == len(goods) {
			*out = every // what it asks is the same whichever of the goods is meant
			return
		}
		if ok {
			options = append(options, every.option(fmt.Sprintf(r.language.Pick("%s: все подходящие товары (%d)",
				"%s: all matching products (%d)"), r.task, max(m.goods(), len(goods)))))
			readings = append(readings, every)
		}
	}
	most := len(options) + maxOptions
	for _, n := range things {
		if len(options) == most {
			break
		}
		twice := slices.ContainsFunc(things, func(o connector.Name) bool {
			return o.ID != n.ID && strings.EqualFold(o.Name, n.Name)
		})
		one, ok := r.meaning(k, m.of(n), twice)
		next := one.Skill.Proposes() && one.Question != nil && len(one.Unknown) == 0 &&
			(len(one.Question.Options) > 0 || r.otherDoubt(k))
		if !ok && !next || !ok && n.Kind != connector.NameProduct && r.otherDoubt(k) {
			continue
		}
		text := r.replaced(m, "«"+n.Name+"»")
		if twice {
			text += " (" + cmp.Or(strings.Join(n.Also[:min(1, len(n.Also))], ""), r.kindTitle(n.Kind)) + ")"
		} else if n.Kind != connector.NameProduct && (len(things) > 1 || m.weak) {
			text += " (" + r.kindTitle(n.Kind) + ")"
		}
		if ok {
			options = append(options, one.option(text))
		} else { // it is read again, and asks the next question
			options = append(options, Option{Text: text})
		}
		readings = append(readings, one)
	}
	switch {
	case len(options) == 0:
		r.whichMeanings(out)
		return
	case len(options) == 1 && !m.weak:
		*out = readings[0]
		return
	}
	text := r.language.Pick("«%s» подходит к нескольким названиям. Что выбрать?",
		"“%s” could mean several things. Which one?")
	if len(options) == 1 {
		text = r.language.Pick("Названия «%s» нет. Имеется в виду это?", "Nothing is called “%s”. Do you mean this?")
	}
	out.Question = &Question{Text: fmt.Sprintf(text, m.words), Options: options}
	out.Unknown = nil
}

// otherDoubt reports whether another name of a list with quantities fits several goods, too: it is asked about
// next.
func (r *reader) otherDoubt(k int) bool {
	return slices.ContainsFunc(r.named, func(t token.Token) bool { return t.Kind == token.Number }) &&
		slices.ContainsFunc(r.mentions, func(m mention) bool {
			return m.at[0] != r.mentions[k].at[0] && !m.all && len(m.things()) > 1
		})
}

// whichMeanings asks whether all goods are meant that the words fit, where several words of a request for a draft fit
// several goods each. Figures are shown of all of them (rule R1025).
func (r *reader) whichMeanings(out *Reading) {
	again := &reader{x: r.x, in: r.in, task: r.task, today: r.today, ts: slices.Clone(r.named),
		mentions: slices.Clone(r.mentions), named: r.named, lost: r.lost}
	var words []string
	for k := range again.mentions {
		m := &again.mentions[k]
		goods := slices.DeleteFunc(slices.Clone(m.meanings), func(n connector.Name) bool {
			return n.Kind != connector.NameProduct
		})
		if n := m.goods(); !m.all && len(m.things()) > 1 && n > 1 && n == len(goods) && n <= mostTogether &&
			(out.Skill.Reads() || len(goods) == len(m.meanings)) {
			m.meanings = goods
			m.all, m.exact, m.byID = true, true, true
			words = append(words, "«"+m.words+"»")
		}
	}
	every := Reading{Task: r.task}
	if again.read(&every); len(words) == 0 || every.Question != nil || !every.Skill.Calls() {
		return
	}
	if len(words) > 1 && out.Skill.Reads() && len(every.Unused)+len(every.Unknown) == 0 {
		*out = every
	}
	if !out.Skill.Proposes() || !every.Skill.Proposes() {
		return
	}
	list := strings.Join(words, ", ")
	out.Question = &Question{Text: fmt.Sprintf(r.language.Pick("%s — это все подходящие товары?",
		"Does %s mean all matching goods?"), list), Options: []Option{every.option(fmt.Sprintf(r.language.Pick(
		"%s: все подходящие товары", "%s: all matching products"), r.task))}}
	out.Unknown = nil
}

// mostTogether is how many goods are taken together.
const mostTogether = 50

// goods returns how many goods the words fit; 0 if they fit anything else, except groups of which they are a part only.
func (m *mention) goods() int {
	n := m.total
	for _, x := range m.meanings {
		switch {
		case x.Kind == connector.NameGroup && len(strings.Fields(x.Name)) > len(m.at):
			n--
		case x.Kind != connector.NameProduct:
			return 0
		}
	}
	return n
}

// of returns the meanings that are the same thing as a name.
func (m *mention) of(n connector.Name) []connector.Name {
	return slices.DeleteFunc(slices.Clone(m.meanings), func(o connector.Name) bool {
		return partner(o.Kind) != partner(n.Kind) || o.ID != n.ID
	})
}

// meaning reads the rest of the task with a mention of certain names. It reports whether the task can be about them.
func (r *reader) meaning(k int, of []connector.Name, byID bool) (Reading, bool) {
	again := &reader{x: r.x, in: r.in, task: r.task, today: r.today, ts: slices.Clone(r.named),
		mentions: slices.Clone(r.mentions), named: r.named, lost: r.lost}
	again.mentions[k] = mention{at: r.mentions[k].at, words: r.mentions[k].words, exact: true, meanings: of,
		all: len(of) > 1 && of[0].Kind == connector.NameProduct, byID: byID}
	out := Reading{Task: r.task}
	again.read(&out)
	ok := out.Skill.Calls() && out.Question == nil && !slices.ContainsFunc(out.Ignored, func(m Match) bool {
		return slices.ContainsFunc(of, func(n connector.Name) bool { return n.ID == m.ID })
	})
	return out, ok
}

func (r Reading) option(text string) Option {
	return Option{Text: text, Skill: r.Skill, Arguments: r.Arguments, Query: r.Query, Input: r.Input}
}

// replaced returns the task with other words for a mention.
func (r *reader) replaced(m *mention, with string) string {
	first, last := r.named[m.at[0]], r.named[m.at[len(m.at)-1]]
	start, end := first.Start, last.End
	return strings.TrimSpace(r.task[:start] + with + r.task[end:])
}

func (r *reader) kindTitle(k connector.NameKind) string {
	switch k {
	case connector.NameProduct:
		return r.language.Pick("товар", "product")
	case connector.NameGroup:
		return r.language.Pick("группа", "group")
	case connector.NameStore:
		return r.language.Pick("склад", "warehouse")
	case connector.NameSupplier, connector.NameCounterparty:
		return r.language.Pick("контрагент", "counterparty")
	case connector.NameEmployee:
		return r.language.Pick("сотрудник", "employee")
	case connector.NameSalesChannel:
		return r.language.Pick("канал продаж", "sales channel")
	case connector.NameOrganization:
		return r.language.Pick("юрлицо", "legal entity")
	case connector.NameProject:
		return r.language.Pick("проект", "project")
	case connector.NameState:
		return r.language.Pick("статус", "state")
	case connector.NameExpenseItem:
		return r.language.Pick("статья расходов", "expense item")
	case connector.NamePriceType:
		return r.language.Pick("тип цены", "price type")
	}
	return string(k)
}
