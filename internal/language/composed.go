package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Analyze is the skill of a task that is read as a [Reading.Query].
const Analyze Skill = "analyze"

// compose reads the task as a query, and takes that for the reading if it explains every word and the skill's own
// arguments could not say the same. ts are the tokens before any was corrected or read as a number.
func (r *reader) compose(out *Reading, ts []token.Token) {
	if r.in.Catalogue == nil || out.Skill.Proposes() || out.Consolidate || r.evidence == nil ||
		r.evidence.signals[signalDraftOrder] || out.Outside && r.imperative(conceptOutOfScope) {
		return
	}
	q := compose.Read(r.composeInput(ts))
	switch {
	case q == nil:
		return
	case q.Complete() && (!q.FollowUp || out.FollowUp) && r.expresses(out, &q.Query):
		return
	case q.Complete() && out.Question != nil && bare(&q.Query): // one word may mean many things
		return
	case q.Complete():
		out.Unknown, out.Ignored, out.Matched = nil, nil, nil
	case r.in.loaded():
		return
	default: // the words may be names, which are not loaded
		if out.Unknown = r.phrases(ts, q.Unexplained); out.Skill.Calls() || out.Question != nil {
			return
		}
	}
	for _, m := range r.mentions {
		if len(m.meanings) == 1 {
			out.Matched = append(out.Matched, Match{Name: m.meanings[0], Words: m.words, Exact: m.exact})
		}
	}
	out.Skill, out.Query, out.Arguments, out.Question, out.Outside = Analyze, &q.Query, Arguments{}, nil, false
	out.FollowUp, out.Confidence = q.FollowUp, 1
}

// composeInput is the task for package compose.
func (r *reader) composeInput(ts []token.Token) compose.Input {
	in := compose.Input{Tokens: ts, Catalogue: r.in.Catalogue, Today: r.today, Rows: r.in.Rows}
	for _, m := range r.mentions {
		in.Names = append(in.Names, compose.Name{At: m.at, Meanings: m.meanings, All: m.all})
	}
	if p := r.in.Previous; p != nil {
		in.Previous = p.asQuery()
	}
	return in
}

// bare reports whether a query is a single measure and nothing else.
func bare(q *analysis.Query) bool {
	return len(q.Measures) == 1 && len(q.By) == 0 && len(q.Where) == 0 && q.From == "" && q.Compare == nil
}

// asQuery returns the query that says the same as the reading, so that the next task may change it; nil for none.
func (r Reading) asQuery() *analysis.Query {
	a := r.Arguments
	q := analysis.Query{From: tool.Day(a.From), To: tool.Day(a.To), Limit: a.Limit}
	switch r.Skill {
	case Analyze:
		return r.Query
	case SalesTrend:
		if q.Measures = []string{"revenue"}; a.Interval != "" {
			q.By = []string{a.Interval}
		}
		if a.Compare {
			q.Compare = &analysis.Comparison{With: analysis.Previous}
		}
	case Profitability:
		q.Measures = []string{"revenue", "profit", "margin"}
		q.By = []string{cmp.Or(a.By, "product")}
		if a.Order != "" {
			order := analysis.Order{Field: a.Order, Direction: analysis.Direction(cmp.Or(a.Direction, "desc"))}
			q.Order = []analysis.Order{order}
			if !slices.Contains(q.Measures, a.Order) {
				q.Measures = append(q.Measures, a.Order)
			}
		}
	case Stock, StockByStore:
		if a.At != "" || a.Only != "" {
			return nil
		}
		q.Measures, q.By = []string{"stock"}, []string{"product"}
		if a.Order == "value" {
			q.Measures = []string{"stock_cost"}
		}
		if r.Skill == StockByStore {
			q.By = []string{"store"}
		}
	case Receivables:
		q.Measures, q.By = []string{"owed_to_us"}, []string{"counterparty"}
		if a.Direction == "owed_by_us" {
			q.Measures = []string{"owed_by_us"}
		}
		if a.Direction == "both" || a.MinAmount != "" {
			return nil
		}
	default:
		return nil
	}
	for _, w := range []struct {
		field string
		names []string
	}{{"store", a.Stores}, {"group", a.Groups}, {"supplier", a.Suppliers}, {"product", a.Products},
		{"counterparty", a.Counterparties}} {
		if len(w.names) > 0 {
			c := analysis.Condition{Field: w.field, Op: analysis.In}
			for _, n := range w.names {
				c.Values = append(c.Values, analysis.Scalar(n))
			}
			q.Where = append(q.Where, c)
		}
	}
	return &q
}

// unused returns the words of a task that no part of the reading explains: the answer must name them, and no draft is
// made without asking about them (rule R265).
func (r *reader) unused(out *Reading, ts []token.Token) []string {
	if r.in.Catalogue == nil || !out.Skill.Calls() || out.Skill == FindProducts || out.Skill == Reference ||
		out.Skill == Analyze || out.Question != nil || r.evidence == nil {
		return nil
	}
	a := out.Arguments
	limited := a.MinAmount != "" || a.MinDays != 0 || a.Days != 0 // by the number behind "more than"
	known := make([]bool, len(ts))
	for _, f := range r.found {
		for _, i := range f.at {
			known[i] = known[i] || f.concept != conceptFiller
		}
	}
	var lost []string
	for _, at := range compose.Strange(compose.Input{Tokens: ts, Catalogue: r.in.Catalogue, Today: r.today}) {
		behind := at[len(at)-1] + 1
		bound := limited && behind < len(ts) && ts[behind].Kind == token.Number
		if !bound && !slices.ContainsFunc(at, func(i int) bool { return known[i] || r.uses(out, &r.ts[i]) }) {
			lost = append(lost, r.task[ts[at[0]].Start:ts[at[len(at)-1]].End])
		}
	}
	return lost
}

// NotUsed asks about words that a draft would not follow (rule R265): it might be larger than what was asked for.
func (r Reading) NotUsed() string {
	return fmt.Sprintf(r.Language.Pick(
		"Черновик не подготовлен: не понял, что значит «%s», и не хочу сделать лишнего. Скажите это другими словами или "+
			"попросите без этого условия.",
		"No draft was prepared: I do not understand “%s” here, and it might change more than you want. Say it in other "+
			"words, or ask without that condition."), strings.Join(r.Unused, r.Language.Pick("», «", "”, “")))
}

// uses reports whether a reading uses a word that no concept has: as a number, a name, or what stands beside one.
func (r *reader) uses(out *Reading, t *token.Token) bool {
	return t.Use != token.Unused || t.Kind == token.Quoted || t.Typo || isKindWord(t.Norm) ||
		words.IsLegalForm(t.Norm) || out.Skill == ProposeTransfers && surplus[t.Norm] ||
		slices.ContainsFunc(out.Unknown, func(p Phrase) bool { return strings.Contains(p.Words, t.Raw) })
}

// surplus are words for what a transfer between warehouses takes.
var surplus = words.Set("излишки излишек излишков лишнее лишний surplus excess")

// phrases returns the runs of tokens as possible names.
func (r *reader) phrases(ts []token.Token, at []int) []Phrase {
	var out []Phrase
	for i := 0; i < len(at); i++ {
		first, last := at[i], at[i]
		for i+1 < len(at) && at[i+1] == last+1 {
			i++
			last = at[i]
		}
		out = append(out, Phrase{Words: r.task[ts[first].Start:ts[last].End], Kinds: slices.Clone(composedNames)})
	}
	return out
}

// composedNames are the kinds of names that queries have conditions on.
var composedNames = []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameCounterparty,
	connector.NameStore, connector.NameEmployee, connector.NameSalesChannel, connector.NameOrganization}

// expressible says which queries the arguments of a skill can say, so that its own tool answers them.
type expressible struct {
	measures, by []string
	where        []string // dimensions that may be named
	compare      bool
}

var salesOf = []string{"store", "group", "supplier", "product"}

var expressibles = map[Skill]expressible{
	Profitability: {measures: []string{"revenue", "profit", "margin", "cost", "quantity"}, where: salesOf,
		by: []string{"product", "variant", "employee", "counterparty", "sales_channel"}},
	SalesTrend: {measures: []string{"revenue"}, where: []string{"store"},
		by: []string{"day", "week", "month", "hour"}, compare: true},
	Stock: {measures: []string{"stock", "free", "available", "stock_cost"}, where: salesOf,
		by: []string{"product"}},
	StockByStore: {measures: []string{"stock"}, where: salesOf, by: []string{"store"}},
	Money: {measures: []string{"balance", "money_in", "money_out", "net_flow"},
		by: []string{"day", "month", "account"}},
	Receivables: {measures: []string{"owed_to_us", "owed_by_us"}, where: []string{"counterparty"},
		by: []string{"counterparty"}},
	Turnover: {measures: []string{"income", "outcome", "revenue"}, where: salesOf, by: []string{"product"}},
}

// expresses reports whether the reading's skill has arguments for everything in the query, and has lost no name.
func (r *reader) expresses(out *Reading, q *analysis.Query) bool {
	if out.Outside || out.Question != nil || !out.Skill.Calls() || len(out.Ignored) > 0 || len(out.Unknown) > 0 {
		return false
	}
	a, e := out.Arguments, expressibles[out.Skill]
	if e.measures == nil { // a list or a rule of its own
		return out.Skill != FindProducts && out.Skill != Reference && out.Skill != AccountOverview
	}
	if a.At != "" {
		e.measures = append(slices.Clip(e.measures), "stock_at_end")
	}
	outside := func(of []string) func(string) bool {
		return func(s string) bool { return !slices.Contains(of, s) }
	}
	return !slices.ContainsFunc(q.Measures, outside(e.measures)) && !slices.ContainsFunc(q.By, outside(e.by)) &&
		len(q.By) <= 1 && !q.Share && !q.Explain && (q.Compare == nil || e.compare) &&
		!slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
			if _, ofRows := r.in.Catalogue.Measure(w.Field); ofRows {
				return a.Only == "" && a.MinAmount == ""
			}
			return w.Op != analysis.In || !slices.Contains(e.where, w.Field)
		})
}
