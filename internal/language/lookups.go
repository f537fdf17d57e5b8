package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// lookUp reads the task as a look-up and takes that if it explains every word (rule R310). Words that are left may be
// names that are not loaded; else it asks about them, unless another reading explains the task. ts are the tokens
// before any was corrected or read as a number.
func (r *reader) lookUp(out *Reading, ts []token.Token) {
	if out.Consolidate {
		return
	}
	if r.in.loaded() {
		ts = slices.Clone(ts)
		lookup.Repair(r.in.Catalogue, ts)
	}
	l := lookup.Read(r.task, r.composeInput(ts))
	figures := out.Skill == Analyze && (out.Question == nil || out.then) && len(out.Unknown) == 0
	switch {
	case l != nil && figures && l.Complete() && l.Skill() == string(Documents) &&
		(l.Sure || leftToDo(out.Query) || ofTwoTypes(out.Query) || r.listsOrders(out.Query)):
		r.takeLookUp(out, l)
	case l == nil || figures && (l.Plain || l.Ask == lookup.NoSuchPart || // "продажи с сайта" (rule R1280)
		l.Skill() == string(Stock) && slices.Contains(out.Query.Measures, "stock_cost") ||
		l.Skill() == string(Documents) && !l.OneDocument() && !(l.Rows && !ofGoods(out)) && ofFigures(out)),
		out.Skill.Proposes() && !l.OneDocument() && !l.Listing:
	case l.Refusal != [2]string{}:
		if l.Complete() && (!figures || l.Ahead) {
			out.Outside, out.Skill, out.Question, out.Unknown = true, "", nil, nil
			out.Refusal = r.language.Pick(l.Refusal[0], l.Refusal[1])
		}
	case l.Complete():
		r.takeLookUp(out, l)
	case out.Skill.Proposes() && !l.Listing || figures:
	case r.in.loaded() && r.unknownCard(out, l, ts):
	case !r.in.loaded():
		if out.Outside {
			out.Outside, out.Skill = false, Skill(l.Skill())
		}
		r.mayBeNames(out, l, ts, l.Names())
	case out.Outside || out.Question != nil && out.Skill != Analyze || len(r.unused(out, ts)) > 0:
		phrases := r.phrases(ts, l.Unexplained)
		var said []string
		for _, p := range phrases {
			said = append(said, p.Words)
		}
		r.takeLookUp(out, l)
		out.Unknown = phrases
		if out.Question == nil {
			out.Question = &Question{Text: fmt.Sprintf(r.language.Pick("Не понял «%s». Показать без этого?",
				"I do not understand “%s”. Show it without that?"),
				strings.Join(said, r.language.Pick("», «", "”, “"))),
				Options: []Option{lookedUp(lookup.Option{Text: r.sayLookUp(l), Call: l.Call})}}
			if out.Question.Options[0].Text == "" {
				out.Question = notUnderstood(r.language, said)
			}
		}
	case !r.in.has(connector.NameProduct): // goods are not searched yet
		r.mayBeNames(out, l, ts, []connector.NameKind{connector.NameProduct})
	}
}

// leftToDo reports whether a query is about nothing but what is left to do with orders, whose list has their number
// and their sum: "сколько заказов не отгружено и на какую сумму".
func leftToDo(q *analysis.Query) bool {
	if q == nil || len(q.Where) > 0 || q.From != "" || q.Share || len(q.Order) > 0 || q.Compare != nil ||
		slices.ContainsFunc(q.By, func(by string) bool { return by != "document" && by != "counterparty" }) {
		return false
	}
	left := false
	for _, m := range q.Measures {
		if left = left || m == "unshipped" || m == "unpaid" || m == "not_received"; !ofOrders[m] {
			return false
		}
	}
	return left && (len(q.By) == 0 || slices.Contains(q.By, "document"))
}

// listsOrders reports whether a task names orders and a query sums up what is to come of them: "открытые заказы
// поставщикам" is a list of documents (rule R887).
func (r *reader) listsOrders(q *analysis.Query) bool {
	says := func(set map[string]bool) bool {
		return slices.ContainsFunc(r.named, func(t token.Token) bool { return set[t.Norm] })
	}
	return q != nil && len(q.Where) == 0 && slices.Equal(q.Measures, []string{"open_orders", "expected_on"}) &&
		says(orderWords) && !says(whenWords)
}

var (
	orderWords = words.Set("заказы orders")
	whenWords  = words.Set("когда when")
)

// ofTwoTypes reports whether a query has what is left to do with orders beside figures of other documents:
// "неоплаченные приёмки" are receipts of goods, and no figure says which of them are paid (rule R825).
func ofTwoTypes(q *analysis.Query) bool {
	if q == nil || len(q.By) > 0 {
		return false
	}
	left, other := false, false
	for _, m := range q.Measures {
		left = left || m == "unshipped" || m == "unpaid" || m == "not_received"
		other = other || !ofOrders[m]
	}
	return left && other
}

// ofOrders are the figures of orders that their list has.
var ofOrders = words.Set("orders orders_sum unshipped unpaid not_received purchase_orders ordered")

// looksUp reports whether a task that might order something asks to see it: "инвентаризации за полгода покажи".
func (r *reader) looksUp(ts []token.Token, with Skill) bool {
	l := lookup.Read(r.task, r.composeInput(ts))
	return l != nil && l.Complete() && l.Listing && l.Skill() == string(with)
}

// namesOrders reports whether a task is nothing but a list of orders that were made: "purchase orders from Alfa". One
// that is to be made has a verb, or is one.
func (r *reader) namesOrders(ts []token.Token) bool {
	if r.in.Catalogue == nil || len(ts) < 2 || !ofSuppliers[ts[0].Norm] || ts[1].Norm != "orders" {
		return false
	}
	l := lookup.Read(r.task, r.composeInput(ts))
	return l != nil && l.Complete() && l.Skill() == string(Documents)
}

var ofSuppliers = words.Set("purchase supplier vendor")

// opensOne reports whether a task is nothing but the number of a document: "order 00012".
func (r *reader) opensOne(ts []token.Token) bool {
	if len(ts) > 4 {
		return false
	}
	l := lookup.Read(r.task, r.composeInput(ts))
	return l != nil && l.Complete() && l.OneDocument()
}

// unknownCard reports whether the card of something is asked for that the account does not have, and says so.
func (r *reader) unknownCard(out *Reading, l *lookup.Reading, ts []token.Token) bool {
	kind := connector.NameProduct
	switch in := l.Input.(type) {
	case lookup.Counterparty:
		if kind = connector.NameCounterparty; in.Counterparty != "" {
			return false
		}
	case lookup.Product:
		if in.Product != "" {
			return false
		}
	default:
		return false
	}
	phrases := r.phrases(ts, l.Unexplained)
	if out.Skill.Calls() || len(phrases) != 1 {
		return true
	}
	phrases[0].Kinds, phrases[0].Named = []connector.NameKind{kind}, true
	out.Unknown, out.Outside = phrases, false
	return true
}

// ofGoods reports whether a query is about goods, or why something changed.
func ofGoods(out *Reading) bool {
	return out.Query.Explain || slices.Contains(out.Query.By, "product")
}

// maxKinds is how many lists of names a phrase is looked up in: each may cost a request (rule R75).
const maxKinds = 5

// mayBeNames adds the words that are left to those that may be names.
func (r *reader) mayBeNames(out *Reading, l *lookup.Reading, ts []token.Token, kinds []connector.NameKind) {
	for _, p := range r.phrases(ts, l.Unexplained) {
		k := slices.IndexFunc(out.Unknown, func(o Phrase) bool {
			return strings.Contains(o.Words, p.Words) || strings.Contains(p.Words, o.Words)
		})
		if k < 0 {
			k = len(out.Unknown)
			out.Unknown = append(out.Unknown, Phrase{Words: p.Words})
		}
		all := slices.Clone(kinds)
		if slices.Index(p.Kinds, connector.NameSalesChannel) == 0 { // "на сайте", before names are known (rule R1281)
			all = slices.Insert(all, 0, connector.NameSalesChannel)
		}
		for _, kind := range out.Unknown[k].Kinds {
			if !slices.Contains(all, kind) {
				all = append(all, kind)
			}
		}
		out.Unknown[k].Kinds = all[:min(len(all), max(len(kinds), maxKinds))]
	}
}

// takeLookUp takes a look-up for the reading.
func (r *reader) takeLookUp(out *Reading, l *lookup.Reading) {
	o := lookedUp(lookup.Option{Call: l.Call})
	out.Skill, out.Query, out.Input, out.Arguments = o.Skill, o.Query, o.Input, Arguments{}
	out.Question, out.Outside, out.FollowUp, out.Confidence = nil, false, false, 1
	out.Ignored, out.Unknown = nil, nil
	if l.PriceTypes {
		out.Unknown = []Phrase{{Words: l.PriceType, Kinds: []connector.NameKind{connector.NamePriceType}}}
	}
	r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool { return !slices.Contains(l.Named, m.at[0]) })
	for i := range r.mentions {
		r.mentions[i].all = r.mentions[i].all || l.All && !r.mentions[i].weak
	}
	r.matchAll(out)
	if l.Ask != lookup.Nothing {
		out.Question = &Question{Text: l.Question(r.language)}
		for _, o := range l.Options {
			out.Question.Options = append(out.Question.Options, lookedUp(o))
		}
	}
}

// sayLookUp puts a look-up into words: those of the task with some left out may mean nothing (rule R1041). It returns
// "" if there are none.
func (r *reader) sayLookUp(l *lookup.Reading) string {
	card := func(ru, en, name string) string {
		if name = cmp.Or(r.nameOf(name), name); name == "" {
			return ""
		}
		return r.language.Pick(ru, en) + " «" + name + "»"
	}
	switch in := l.Input.(type) {
	case lookup.Documents:
		return in.Say(r.language, r.nameOf)
	case lookup.Product:
		return card("Карточка товара", "Card of product", in.Product)
	case lookup.Counterparty:
		return card("Карточка контрагента", "Card of counterparty", in.Counterparty)
	}
	return Skill(l.Skill()).Title(r.language)
}

// notUnderstood asks about words, and offers nothing.
func notUnderstood(l stockhand.Language, said []string) *Question {
	return &Question{Text: fmt.Sprintf(l.Pick("Не понял «%s». Скажите другими словами.",
		"I do not understand “%s”. Please say it in other words."), strings.Join(said, l.Pick("», «", "”, “")))}
}

func lookedUp(o lookup.Option) Option {
	return Option{Text: o.Text, Skill: Skill(o.Skill()), Query: o.Query, Input: o.Input}
}

// impossible asks about a date that no calendar has (rule R317), with the last day of that month and the day after it.
func (r *reader) impossible(out *Reading) {
	at, end, ok := quantity.Impossible(r.named)
	if !ok || out.Outside || !out.Skill.Calls() && out.Question == nil {
		return
	}
	first, last := r.named[at].Start, r.named[end-1].End
	out.Question = &Question{Text: fmt.Sprintf(r.language.Pick("Даты «%s» нет. Какой день взять?",
		"There is no date “%s”. Which day do you mean?"), r.task[first:last])}
	for _, day := range quantity.Nearest(r.named, at, r.today) {
		text := r.task[:first] + day.Format("02.01.2006") + r.task[last:]
		one := Read(text, r.in)
		if one.Skill.Calls() && one.Question == nil {
			out.Question.Options = append(out.Question.Options, one.option(text))
		}
	}
}
