package language

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/omitted"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
)

// Analyze is the skill of a task that is read as a [Reading.Query].
const Analyze Skill = "analyze"

// compose reads the task as a query. That is the reading, unless the arguments of the skill say exactly the same, whose
// own tool then answers (rule R270). ts are the tokens before any was corrected or read as a number.
func (r *reader) compose(out *Reading, ts []token.Token) {
	if out.Skill.Proposes() || out.Input != nil || out.Consolidate ||
		r.evidence.signals[signalDraftOrder] || out.Outside && r.imperative(conceptOutOfScope) {
		return
	}
	q := compose.Read(r.composeInput(ts))
	switch {
	case q == nil:
		return
	case q.Complete() && (q.Impossible || len(q.Choices) > 0):
		out.Unknown, out.Ignored, out.Matched = nil, nil, nil
		r.choose(out, q)
		return
	case r.explainsAll(q) && r.asReport(out, q):
		return
	case q.Complete() && r.expresses(out, &q.Query):
		out.FollowUp, r.explained = out.FollowUp || q.FollowUp, true
		return
	case q.Complete():
		out.Unknown, out.Ignored, out.Matched = nil, nil, nil
	case len(q.Named()) == 0 && !q.Impossible && r.in.loaded() && len(out.Unknown) > 0:
		out.Unknown = nil
		for _, p := range r.phrases(ts, q.Aside) {
			r.aside = append(r.aside, p.Words)
		}
	case q.Impossible, r.in.loaded() && out.Skill.Calls() && (!r.lists(out, q) || r.knowsUnexplained(q)) &&
		!r.explainsMore(out, q, ts) && (!q.Risky || len(out.Unknown) == 0):
		return
	case r.in.loaded() && r.asksAbout(out, q, ts): // nothing explains all words
		return
	default: // the words may be names, which are not loaded
		if out.Unknown = r.unexplained(ts, q.Unexplained, q); r.in.loaded() {
			out.Unknown = r.unexplained(ts, q.Named(), q)
			for _, p := range r.phrases(ts, q.Aside) {
				r.aside = append(r.aside, p.Words)
			}
		}
		if !r.in.loaded() && (out.Skill.Calls() || out.Question != nil) {
			return
		}
	}
	r.matchAll(out)
	onlyShort(&q.Query)
	r.answerBy(out, &q.Query)
	out.Question, out.Outside = nil, false
	out.FollowUp, out.Confidence = q.FollowUp, 1
}

// answerBy makes a query the answer of a reading.
func (r *reader) answerBy(out *Reading, q *analysis.Query) {
	out.Skill, out.Query, out.Input, out.Arguments, out.Said = Analyze, q, nil, Arguments{}, r.say(q)
}

// say puts a query into words in the language of the task.
func (r *reader) say(q *analysis.Query) string {
	return query.Say(r.in.Catalogue, *q, r.language, r.nameOf)
}

// onlyShort leaves out the goods that lack nothing, where a query shows by goods how much they are below their minimum.
func onlyShort(q *analysis.Query) {
	bounded := slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == "shortage" })
	if bounded ||
		!slices.Equal(q.Measures, []string{"shortage"}) || !slices.Contains(q.By, "product") {
		return
	}
	q.Where = append(slices.Clone(q.Where), analysis.Condition{Field: "shortage", Op: analysis.Greater,
		Values: []analysis.Scalar{"0"}})
}

// turnoverBy answers turnover by anything but goods with a query of the same figures: its tool shows goods only.
func (r *reader) turnoverBy(out *Reading) {
	if out.Skill != Turnover || out.Question != nil || out.Input != nil {
		return
	}
	q := out.asQuery()
	q.By = nil
	for _, p := range typed.Parts(r.composeInput(slices.Clone(r.named))) {
		switch {
		case p.Kind == typed.PartCondition || p.Kind == typed.PartNumber:
			return // the answer of its tool names what it does not apply
		case p.Kind == typed.PartBy && p.ID != "product" && !slices.Contains(q.By, p.ID):
			q.By = append(q.By, p.ID)
		}
	}
	if len(q.By) == 0 || !query.Possible(r.in.Catalogue, *q) {
		return
	}
	r.matchAll(out)
	r.answerBy(out, q)
	r.converted = true
}

// whichStore answers "Мира и Лесная, кто больше продал" by warehouse: who sells is one of those that are named, and no
// employee (rule R1152).
func (r *reader) whichStore(out *Reading) {
	const several = 2
	who := slices.ContainsFunc(r.ts, func(t token.Token) bool { return t.Norm == "кто" || t.Norm == "who" })
	if out.Skill != Profitability || out.Question != nil || out.Arguments.By != "employee" ||
		len(out.Arguments.Stores) < several || !who || slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return sellerStems[t.Stem]
	}) {
		return
	}
	q := out.asQuery()
	q.By = []string{"store"}
	if !query.Possible(r.in.Catalogue, *q) {
		return
	}
	r.matchAll(out)
	r.answerBy(out, q)
	r.explained = true
}

var sellerStems = token.Stems("продавец продавцов менеджер сотрудник кассир employee seller manager cashier")

// PlaceOf returns the conditions that limit money to bank accounts or to cash desks (the places of package typed).
func PlaceOf(place string) []analysis.Condition { return compose.PlaceOf(place, "") }

// flowOf answers money in and out of accounts or of cash desks with a query: the report of money shows all of them.
func (r *reader) flowOf(out *Reading) {
	if out.Skill != Money || out.Arguments.What != "flow" || out.Question != nil || out.Input != nil {
		return
	}
	p := typed.PlaceOfMoney(r.named)
	q := out.asQuery()
	foreign := ""
	if p.Currency != "RUB" {
		foreign = p.Currency
	}
	q.Where = append(q.Where, compose.PlaceOf(p.Place, foreign)...)
	if p.Place == "" && foreign == "" || !query.Possible(r.in.Catalogue, *q) {
		return
	}
	r.matchAll(out)
	r.answerBy(out, q)
}

// unexplained returns the words that a query leaves unexplained, as possible names.
func (r *reader) unexplained(ts []token.Token, at []int, q *compose.Reading) []Phrase {
	list := r.phrases(ts, at)
	if slices.Contains(q.Query.Measures, "money_out") || slices.Contains(q.Query.Measures, "money_in") {
		for i := range list {
			list[i].Kinds = moneyNames
		}
	}
	if slices.Contains(q.Query.Measures, "sale_price") {
		for i := range list {
			list[i].Kinds = append([]connector.NameKind{connector.NamePriceType}, list[i].Kinds...)
		}
	}
	return list
}

// matchAll lists the names of the task that mean one thing.
func (r *reader) matchAll(out *Reading) {
	out.Matched = nil
	for _, m := range r.mentions {
		if len(m.meanings) == 1 {
			out.Matched = append(out.Matched, Match{Name: m.meanings[0], Words: m.words, Exact: m.exact})
		}
	}
}

// lists reports whether the skill is a list or a search in place of the figures that the task asks for.
func (r *reader) lists(out *Reading, q *compose.Reading) bool {
	return len(out.Unknown) == 0 && slices.ContainsFunc(q.Query.Measures, func(m string) bool {
		return !slices.Contains(shows[out.Skill], m)
	})
}

// moneyNames are the kinds of names that payments are of.
var moneyNames = []connector.NameKind{connector.NameExpenseItem, connector.NameCounterparty, connector.NameOrganization,
	connector.NameSupplier}

// queryOption offers a query.
func (r *reader) queryOption(q analysis.Query) Option {
	return Option{Text: r.say(&q), Skill: Analyze, Query: &q}
}

// choose asks which of several queries is meant, or which of them to show in place of one that cannot be answered
// (rule R272).
func (r *reader) choose(out *Reading, q *compose.Reading) {
	text := r.language.Pick("Что показать?", "Which of these do you mean?")
	if q.Ask != [2]string{} {
		text = r.language.Pick(q.Ask[0], q.Ask[1])
	}
	if q.Impossible {
		asked := r.say(&q.Query)
		text = fmt.Sprintf(r.language.Pick("Вместе это посчитать нельзя: %s. Что показать?",
			"This cannot be combined: %s. What shall I show?"), asked)
	}
	out.Question = &Question{Text: text, Whole: q.Ask != [2]string{} || q.Either}
	for _, c := range q.Choices {
		out.Question.Options = append(out.Question.Options, r.queryOption(c))
	}
	out.then = q.Then != nil
	r.unpaidThen(out, q)
	out.Skill, out.Query, out.Arguments, out.Outside = Analyze, &q.Choices[0], Arguments{}, false
	out.FollowUp = q.FollowUp
}

// asksAbout asks about words that nothing explains, where they may change what is asked for (rule R270): a number, or
// what stands behind "кроме" or "only", or a strange word. It reports whether the query is no reading, or only with
// that question.
func (r *reader) asksAbout(out *Reading, q *compose.Reading, ts []token.Token) bool {
	phrases := r.unexplained(ts, q.Named(), q)
	if len(q.Named())*2 > r.words() || len(phrases) > 3 || out.Question != nil && !out.Skill.Calls() && !q.FollowUp {
		return true
	}
	if len(phrases) == 0 {
		return false
	}
	if (q.Risky || len(q.Named()) > 2) && out.Skill.Calls() && len(r.unused(out, ts)) == 0 && len(out.Unknown) == 0 {
		return true
	}
	var words []string
	for _, p := range phrases {
		words = append(words, p.Words)
	}
	r.matchAll(out)
	out.Unknown, out.Outside, out.Skill, out.Query = phrases, false, Analyze, &q.Query
	out.Arguments, out.FollowUp, out.Confidence = Arguments{}, q.FollowUp, 1
	out.Question = &Question{Text: fmt.Sprintf(r.language.Pick("Не понял «%s». Показать без этого?",
		"I do not understand “%s”. Shall I leave it out?"), strings.Join(words, r.language.Pick("», «", "”, “"))),
		Options: []Option{r.queryOption(q.Query)}}
	return true
}

// knowsUnexplained reports whether the lexicon knows a word that the query leaves unexplained: prices are no answer to
// "что заканчивается, сначала самое дорогое".
func (r *reader) knowsUnexplained(q *compose.Reading) bool {
	return slices.ContainsFunc(q.Unexplained, func(i int) bool { return r.x.explains(&r.ts[i]) })
}

// explainsMore reports whether the query leaves fewer words unused than the skill does.
func (r *reader) explainsMore(out *Reading, q *compose.Reading, ts []token.Token) bool {
	lost := 0
	for _, w := range r.unused(out, ts) {
		lost += len(strings.Fields(w))
	}
	return out.asQuery() != nil && len(q.Unexplained) < lost
}

// ofFigures reports whether a query is about figures that a list of documents does not answer: sales, purchases, what
// is expected, or why something changed.
func ofFigures(out *Reading) bool {
	return out.Query != nil && (out.Query.Explain || len(out.Query.By) > 0 && slices.Contains(out.Query.By,
		"product") ||
		slices.ContainsFunc(out.Query.Measures, func(m string) bool {
			return m == "revenue" || m == "receipts" || m == "purchases" || m == "open_orders"
		}))
}

// nameOf returns the name of an ID in the task; empty if it is none.
func (r *reader) nameOf(id string) string {
	for _, m := range r.mentions {
		for _, n := range m.meanings {
			if n.ID == id {
				return n.Name
			}
		}
	}
	if name := r.in.NameOf(id); name != "" {
		return name
	}
	if r.in.Rows != nil {
		if i := slices.Index(r.in.Rows.IDs, id); i >= 0 {
			return r.in.Rows.Names[i]
		}
	}
	return ""
}

// composeInput is the task for package compose.
func (r *reader) composeInput(ts []token.Token) typed.Input {
	in := typed.Input{Tokens: ts, Catalogue: r.in.Catalogue, Today: r.today, Now: r.in.Now, Rows: r.in.Rows}
	for _, m := range r.mentions {
		in.Names = append(in.Names, typed.Name{At: m.at, Meanings: m.meanings, All: m.all, ByID: m.byID})
	}
	in.Prices, in.Stores = r.in.NamesOf(connector.NamePriceType), r.in.NamesOf(connector.NameStore)
	if p := r.in.Previous; p != nil {
		if in.Previous = p.asQuery(); p.Skill == StockByStore { // which shows the goods, too
			in.Previous.By = []string{"product", "store"}
		}
	}
	return in
}

// Typed returns a task, in the right keyboard layout, and its tokens with the names marked, as package compose takes
// them.
func Typed(task string, in Input) (string, typed.Input) {
	in.Catalogue = cmp.Or(in.Catalogue, NoMeasures)
	r := &reader{x: load(), in: in, today: quantity.Day(in.Now)}
	r.task = r.x.inLayout(task)
	r.ts = token.Split(r.task)
	r.ts = spellSizes(spellPacks(spellOut(r.ts)))
	r.correct()
	r.readNames()
	typedIn := r.composeInput(r.ts)
	typedIn.Prices = nil // a follow-up replaces the words for a type of prices
	return r.task, typedIn
}

// unused returns the words of a task that no part of the reading explains: the answer must name them, and no draft is
// made without asking about them (rule R265).
func (r *reader) unused(out *Reading, ts []token.Token) []string {
	if !out.Skill.Calls() || out.Question != nil || r.usual {
		return nil
	}
	var lost []string
	if out.Input == nil && out.Skill != Analyze {
		if lost = r.leftOver(out); r.explained {
			lost = r.meaningful(lost, func(p *typed.Part) bool { return !figures[p.Kind] })
		}
	}
	for _, w := range r.notShown(out, ts) {
		if !slices.ContainsFunc(lost, func(l string) bool { return strings.Contains(l, w) }) {
			lost = append(lost, w)
		}
	}
	return lost
}

// figures are the parts that a query which explains every word has.
var figures = map[typed.PartKind]bool{typed.PartNumber: true, typed.PartPeriod: true, typed.PartCompare: true,
	typed.PartName: true}

// notShown returns the words of a task that mean something in questions and that the call does not represent, also
// those that seemed to stand beside the question.
func (r *reader) notShown(out *Reading, ts []token.Token) (lost []string) {
	c := r.call(out)
	said := r.respell(ts)
	for _, i := range r.remarks {
		said[i].Use = token.Unused
	}
	parts := typed.Parts(r.composeInput(said))
	parts = slices.DeleteFunc(parts, func(p typed.Part) bool {
		return out.FollowUp && p.Kind == typed.PartMeasure && len(p.At) == 1 &&
			compose.SaysMoney(ts[p.At[0]].Norm, out.Query)
	})
	missing := omitted.Parts(parts, c)
	if c.Free = c.Free || r.explained; r.explained {
		missing = slices.Concat(missing, omitted.Parts(slices.DeleteFunc(slices.Clone(parts), func(p typed.Part) bool {
			return p.Kind != typed.PartEach && !figures[p.Kind]
		}), c))
	}
	for _, p := range parts {
		if p.Kind == typed.PartPeriod && !(r.explained && !r.converted) && !r.inPeriod(out, p.Period) {
			missing = append(missing, p)
		}
	}
	for _, p := range missing {
		if w := r.task[ts[p.At[0]].Start:ts[p.At[len(p.At)-1]].End]; !slices.Contains(lost, w) {
			lost = append(lost, w)
		}
	}
	return lost
}

// call is what the reading executes.
func (r *reader) call(out *Reading) omitted.Call {
	c := omitted.Call{Tool: string(out.Skill), Query: out.asQuery(), Shows: shows[out.Skill],
		Free: out.Skill == Analyze && !r.converted, Catalogue: r.in.Catalogue}
	if out.Skill == Receivables && c.Query != nil { // one side of the debts, or both
		c.Shows = c.Query.Measures
	}
	if out.Skill == Reference {
		c.List = listsOf(out.ToolInput())
	}
	return c
}

// inPeriod reports whether the call has a period of the task, or is of now and so is the period.
func (r *reader) inPeriod(out *Reading, p *quantity.Period) bool {
	if r.converted {
		return string(out.Query.From) == iso(p.From) || string(out.Query.To) == iso(p.To)
	}
	return out.Skill == Analyze || out.Input != nil || p.From.IsZero() || r.covers(&out.Arguments, p)
}

// listsOf returns the dimension whose values a list of the account shows.
func listsOf(input any) string {
	var in struct{ Kind connector.NameKind }
	if b, err := json.Marshal(input); err != nil || json.Unmarshal(b, &in) != nil {
		return ""
	}
	return typed.DimensionOf(in.Kind)
}

// NotUsed asks about words that a draft would not follow (rule R265): it might be larger than what was asked for.
func (r Reading) NotUsed() string {
	return fmt.Sprintf(r.Language.Pick(
		"Черновик не подготовлен: не понял, что значит «%s», и не хочу сделать лишнего. Скажите это другими словами или "+
			"попросите без этого условия.",
		"No draft was prepared: I do not understand “%s” here, and it might change more than you want. Say it in other "+
			"words, or ask without that condition."), strings.Join(r.Unused, r.Language.Pick("», «", "”, “")))
}

// phrases returns the runs of tokens as possible names.
func (r *reader) phrases(ts []token.Token, at []int) []Phrase {
	var out []Phrase
	kinds := composedNames
	if r.evidence.has(conceptMoney, conceptMoneyFlow) {
		kinds = append([]connector.NameKind{connector.NameExpenseItem}, kinds...)
	}
	for i := 0; i < len(at); i++ {
		first, last := at[i], at[i]
		for i+1 < len(at) && at[i+1] == last+1 {
			i++
			last = at[i]
		}
		likely := partyOf(r.normAt(first - 1))
		if last-first < 2 && names.IsChannel(&ts[last]) { // "сайт", "на сайте"
			likely = []connector.NameKind{connector.NameSalesChannel}
		}
		if k, ok := names.KindBeside(ts, first, last); ok { // "по проекту Ярмарка" (rule R1281)
			likely = []connector.NameKind{k}
		}
		out = append(out, Phrase{Words: r.task[ts[first].Start:ts[last].End], Kinds: slices.Concat(likely, kinds)})
	}
	return out
}

// composedNames are the kinds of names that queries have conditions on.
var composedNames = []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameCounterparty,
	connector.NameStore, connector.NameEmployee, connector.NameSalesChannel, connector.NameOrganization}
