package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/token"
)

// followUp reads a task such as "а за прошлый месяц?" as a change of the previous one, and reports whether it did. The
// skill stays, and so do the arguments that the new words do not change.
func (r *reader) followUp(out *Reading, best scored) bool {
	p := r.in.Previous
	if p == nil || !p.Skill.Reads() || len(r.ts) == 0 || r.words() > 9 {
		return false
	}
	if _, ours := skills[p.Skill]; !ours { // package talk reads it
		return false
	}
	marked := r.evidence.has(conceptFollowUp) && r.followsFirst()
	changes := len(r.Periods) > 0 || len(r.mentions) > 0 ||
		r.evidence.has(conceptByEmployee, conceptByCustomer, conceptByChannel, conceptByVariant, conceptByProduct,
			conceptByDay, conceptByMonth, conceptByHour, conceptByWeek, conceptByQuantity, conceptByRevenue,
			conceptByProfit, conceptCompare) ||
		r.Quantities.Limit > 0 || len(r.Durations) > 0 || len(out.Unknown) > 0 && marked
	strong := best.score >= followUpScore
	switch {
	case strong && best.skill != p.Skill && marked && best.skill.Reads():
		// A new question about the same thing: "а прибыль?". The period and the names stay.
		r.fillSkill(out, best.skill)
		out.FollowUp = true
		out.Arguments = carry(p.Arguments, out.Arguments, best.skill)
		return true
	case strong && best.skill != p.Skill && !r.onlyModifies(best), !changes:
		return false
	case strong && best.skill == p.Skill && !marked:
		return false
	}
	r.fillSkill(out, p.Skill)
	out.FollowUp, out.Confidence = true, followUpConfident
	out.Arguments = merge(p.Arguments, out.Arguments, p.Skill, r)
	return true
}

// onlyModifies reports whether the only evidence for the skill is a dimension that the previous skill may have, too.
func (r *reader) onlyModifies(best scored) bool {
	return best.score < modifierScore &&
		r.evidence.has(conceptByEmployee, conceptByCustomer, conceptByChannel, conceptByVariant, conceptByDay,
			conceptByMonth, conceptByHour, conceptByWeek, conceptCompare) &&
		!r.evidence.has(conceptSales, conceptRevenue, conceptProfit, conceptStock)
}

func (r *reader) words() int {
	n := 0
	for _, t := range r.ts {
		if t.Kind != token.Mark {
			n++
		}
	}
	return n
}

// followsFirst reports whether the task begins with a word such as "а" or "and what about".
func (r *reader) followsFirst() bool {
	return slices.ContainsFunc(r.found, func(f phrase.Found) bool {
		return f.Meaning == conceptFollowUp && f.At[0] <= 1
	})
}

// carry gives a new skill the period and the names of the previous task, if it takes them and has none.
func carry(old, a Arguments, s Skill) Arguments {
	if skills[s].period && a.From == "" && a.To == "" {
		a.From, a.To = old.From, old.To
	}
	if len(a.Stores)+len(a.Groups)+len(a.Suppliers)+len(a.Products)+len(a.Counterparties) > 0 {
		return a
	}
	for _, n := range []struct {
		kind     connector.NameKind
		to, from *[]string
	}{{connector.NameStore, &a.Stores, &old.Stores}, {connector.NameGroup, &a.Groups, &old.Groups},
		{connector.NameSupplier, &a.Suppliers, &old.Suppliers}, {connector.NameProduct, &a.Products, &old.Products},
		{connector.NameCounterparty, &a.Counterparties, &old.Counterparties}} {
		if slices.Contains(skills[s].names, n.kind) {
			*n.to = *n.from
		}
	}
	return a
}

// merge changes the previous arguments as the new words say.
func merge(old, a Arguments, s Skill, r *reader) Arguments {
	out := old
	if a.From != "" || a.To != "" {
		out.From, out.To = a.From, a.To
	}
	if a.At != "" {
		out.At = a.At
	}
	for _, names := range []struct{ to, from *[]string }{
		{&out.Stores, &a.Stores}, {&out.Groups, &a.Groups}, {&out.Suppliers, &a.Suppliers},
		{&out.Products, &a.Products}, {&out.Counterparties, &a.Counterparties},
	} {
		if len(*names.from) > 0 {
			*names.to = *names.from
		}
	}
	e := r.evidence
	if e.has(conceptByEmployee, conceptByCustomer, conceptByChannel, conceptByVariant, conceptByProduct) &&
		s == Profitability {
		out.By = a.By
	}
	if e.has(conceptByQuantity, conceptByRevenue, conceptByProfit) && s == ABCXYZ && a.By != "" {
		out.By = a.By
	}
	for _, f := range []struct{ to, from *string }{
		{&out.Only, &a.Only}, {&out.Mode, &a.Mode}, {&out.Interval, &a.Interval}, {&out.MinAmount, &a.MinAmount},
		{&out.Kind, &a.Kind}, {&out.Place, &a.Place}, {&out.Currency, &a.Currency},
	} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	if e.has(conceptBest, conceptWorst, conceptLoss) && a.Direction != "" {
		out.Direction = a.Direction
	}
	if e.has(conceptByQuantity, conceptByRevenue, conceptByProfit, conceptMargin) && a.Order != "" {
		out.Order = a.Order
	}
	if s == Receivables && e.has(conceptPayable, conceptBothWays) {
		out.Direction = a.Direction
	}
	if s == Money && (a.What == "flow" || a.From != "") {
		out.What = a.What
	}
	if out.What == "flow" {
		out.Place, out.Currency = "", ""
	}
	out.Compare = out.Compare || a.Compare
	for _, f := range []struct{ to, from *int }{{&out.Days, &a.Days}, {&out.MinDays, &a.MinDays},
		{&out.Limit, &a.Limit}} {
		if *f.from != 0 {
			*f.to = *f.from
		}
	}
	return out
}
