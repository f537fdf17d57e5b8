package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// askOfIgnored turns the answer to a first question into a question of its own, where the words that it would ignore
// say which figures are meant: a period, a number, a comparison, a name or a condition (rule R504). Other words are
// named beside the answer.
func (r *reader) askOfIgnored(out *Reading) {
	if out.FollowUp || out.Input != nil || out.Question != nil || !out.Skill.Calls() || out.Skill.Proposes() ||
		len(out.Unused) == 0 || len(out.Unknown) > 0 || !r.in.loaded() {
		return
	}
	ignored := r.meaningful(out.Unused, material)
	for _, w := range out.Unused {
		if !slices.Contains(ignored, w) && slices.ContainsFunc(strings.Fields(words.Fold(w)), func(t string) bool {
			return ofOtherFigures[t]
		}) {
			ignored = append(ignored, w)
		}
	}
	if len(ignored) == 0 {
		return
	}
	o := Option{Text: out.Said, Skill: out.Skill, Arguments: out.Arguments, Query: out.Query}
	if out.Query == nil {
		o = r.option(out.Skill, out.Arguments)
	}
	out.Question = &Question{Text: fmt.Sprintf(r.language.Pick("«%s» здесь учесть не могу. Показать без этого?",
		"I cannot apply “%s” here. Shall I leave it out?"), strings.Join(ignored, r.language.Pick("», «", "”, “"))),
		Options: []Option{o}}
}

// ofOtherFigures are words without which the figures of goods or of a default period would be shown.
var ofOtherFigures = words.Set("клиенты клиентов покупатели покупателей сотрудники продавцы продавцов customers " +
	"employees праздники праздник праздникам праздниках holidays holiday каникулы каникулах сезон same")

// meaningful returns those of some phrases of the task that hold a typed part which counts.
func (r *reader) meaningful(phrases []string, counts func(*typed.Part) bool) (list []string) {
	for _, p := range typed.Parts(r.composeInput(slices.Clone(r.named))) {
		if !counts(&p) {
			continue
		}
		said := r.task[r.named[p.At[0]].Start:r.named[p.At[len(p.At)-1]].End]
		for _, w := range phrases {
			if strings.Contains(w, said) && !slices.Contains(list, w) {
				list = append(list, w)
			}
		}
	}
	return list
}

// material reports whether an answer without a part of the task is the answer to another question.
func material(p *typed.Part) bool {
	switch p.Kind {
	case typed.PartPeriod, typed.PartNumber, typed.PartCompare, typed.PartName, typed.PartShare, typed.PartWeekday,
		typed.PartHour, typed.PartEach, typed.PartBy:
		return true
	case typed.PartCondition:
		return p.Of == typed.Except || p.Of == typed.Absent || p.Of == typed.Losing || p.Of == typed.Negative ||
			p.Of == typed.Nonzero || p.Of == typed.BelowCost || p.Of == typed.Cash
	}
	return false
}
