package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
)

// onlyUnderstood checks a message with a word such as "них" once more (rule R1047): no answer and no option may leave
// that word out. The message is read without it as a change of the answer before, or the change that was understood is
// offered, or nothing.
func onlyUnderstood(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || !done.Skill.Reads() || r.Skill.Proposes() || r.Skill == language.SmallTalk || r.Refusal != "" ||
		r.Consolidate {
		return
	}
	ts := token.Split(task)
	if !slices.ContainsFunc(ts, standsForShown) || !loaded(in) && len(r.Unknown) > 0 || !leavesShownOut(r, in) {
		return
	}
	if x := ofSubject(task, in); x != nil {
		*r = *x
		return
	}
	if x := withoutPronoun(task, ts, in); x != nil {
		*r = *x
		return
	}
	own := *r
	if own.Skill == "" || r.Question == nil {
		own.Skill, own.Query, own.Input, own.Arguments = done.Skill, nil, nil, language.Arguments{}
	}
	own.Outside, own.Unused, own.Ignored = false, nil, nil
	x := withoutOptions(notSure(own, task, done))
	x.Language = languageOf(task, in)
	if o := understood(task, in); o != nil {
		x.Question.Text = x.Language.Pick("Не всё понял. Показать так?", "I did not understand all of it. Shall "+
			"I show this?")
		x.Question.Options = []language.Option{*o}
		x.Skill, x.Query, x.Input, x.Arguments = o.Skill, o.Query, o.Input, o.Arguments
	}
	*r = x
}

func standsForShown(x token.Token) bool {
	one := x.Norm == "one" || x.Norm == "ones"
	return x.Kind == token.Word && x.Norm != "it" && (one || refer.IsHe(x.Norm) || refer.IsThey(x.Norm) ||
		x.Norm == "они" || x.Norm == "they")
}

// leavesShownOut reports whether a reading leaves out the word for what was shown, or asks with options of which none
// is about that.
func leavesShownOut(r *language.Reading, in language.Input) bool {
	said := func(words string) bool { return slices.ContainsFunc(token.Split(words), standsForShown) }
	if r.Question == nil {
		return r.Skill.Reads() && (slices.ContainsFunc(r.Unused, said) ||
			slices.ContainsFunc(r.Unknown, func(p language.Phrase) bool { return said(p.Words) })) ||
			r.Outside
	}
	if len(r.Question.Options) == 0 {
		return false
	}
	if len(r.Question.Options) > 1 && asksOneOfSeveral(r, in) {
		return true
	}
	return !slices.ContainsFunc(r.Question.Options, func(o language.Option) bool {
		x := language.Reading{Skill: o.Skill, Query: o.Query, Input: o.Input, Arguments: o.Arguments}
		return !o.Skill.Reads() || o.Skill == language.Document || aboutShown(&x, in)
	})
}

// asksOneOfSeveral reports whether a question asks which row a word such as "им" means: it means all of them.
func asksOneOfSeveral(r *language.Reading, in language.Input) bool {
	several := slices.ContainsFunc(token.Split(r.Task), func(x token.Token) bool {
		return refer.IsThey(x.Norm) && !refer.IsHe(x.Norm)
	})
	return several && in.Rows != nil && !slices.ContainsFunc(r.Question.Options, func(o language.Option) bool {
		return !slices.ContainsFunc(in.Rows.Names, func(name string) bool {
			return name != "" && strings.Contains(o.Text, "«"+name+"»")
		})
	})
}

// loaded reports whether the account's names are known.
func loaded(in language.Input) bool { return len(in.Names) > 0 || len(in.Known) > 0 && !in.Unsearched }

// aboutShown reports whether a reading is limited to rows that were shown, or to all that the answer before was
// limited to.
func aboutShown(r *language.Reading, in language.Input) bool {
	before, now := conditionsOf(in.Previous), conditionsOf(r)
	for _, w := range now {
		if in.Rows != nil && slices.ContainsFunc(w.Values, func(v analysis.Scalar) bool {
			return slices.Contains(in.Rows.IDs, string(v)) || slices.Contains(in.Rows.Names, string(v))
		}) {
			return true
		}
	}
	if len(before) == 0 {
		return samePeriod(r, in.Previous) && r.FollowUp
	}
	for _, w := range before {
		if !slices.ContainsFunc(now, func(o analysis.Condition) bool { return o.Field == w.Field }) {
			return false
		}
	}
	return true
}

func samePeriod(a, b *language.Reading) bool {
	from, to := periodOf(a)
	from2, to2 := periodOf(b)
	return from == from2 && to == to2
}

// withoutPronoun reads "а прибыль с них" as "а прибыль".
func withoutPronoun(task string, ts []token.Token, in language.Input) *language.Reading {
	return withoutWords(task, ts, in, func(i int) bool {
		next := i+1 < len(ts) && standsForShown(ts[i+1])
		return standsForShown(ts[i]) || next && (ofHim[ts[i].Norm] || from[ts[i].Norm])
	})
}

// withoutWords reads a short message without the words that stand for what was shown, if that changes the answer before
// and keeps its period and all that it was limited to. It returns nil for any other message.
func withoutWords(task string, ts []token.Token, in language.Input, stand func(i int) bool) *language.Reading {
	var rest []string
	for i, x := range ts {
		if !stand(i) && !x.Punctuation() && !(i == 0 && conjunctions[x.Norm]) {
			rest = append(rest, x.Raw)
		}
	}
	const most = 4
	if len(rest) == 0 || len(rest) > most {
		return nil
	}
	in.Rows = nil
	x := Read(pick(task, "а ", "and ")+strings.Join(rest, " "), in)
	if !complete(&x) || !x.FollowUp || same(&x, in.Previous) || !keepsAll(&x, in.Previous) {
		return nil
	}
	x.Task = task
	return &x
}

// keepsAll reports whether a change of an answer keeps its period and all that it was limited to.
func keepsAll(x, done *language.Reading) bool {
	now := conditionsOf(x)
	return samePeriod(x, done) && !slices.ContainsFunc(conditionsOf(done), func(w analysis.Condition) bool {
		return !slices.ContainsFunc(now, func(o analysis.Condition) bool {
			return o.Field == w.Field && slices.Equal(o.Values, w.Values)
		})
	})
}

// understood returns the change of the answer before that the typed parts of a message make; nil if they make none.
func understood(task string, in language.Input) *language.Option {
	alone := in
	alone.Previous, alone.Rows, alone.Earlier = nil, nil, nil
	s := (&talk{in: alone}).parts(task, true)
	var said []string
	for _, p := range s.parts {
		switch p.slots[0] {
		case "unknown", "other name", "flag", "wish", "counting":
		default:
			said = append(said, s.words(p.from, p.to))
		}
	}
	if len(said) == 0 {
		return nil
	}
	in.Rows = nil
	x := language.Read(pick(task, "а ", "and ")+strings.Join(said, " "), in)
	if !complete(&x) || !x.FollowUp || !x.Skill.Reads() || same(&x, in.Previous) ||
		len(conditionsOf(&x)) < len(conditionsOf(in.Previous)) {
		return nil
	}
	text := x.Said
	if text == "" {
		text = x.Skill.Title(x.Language)
	}
	if text == "" || s.has(slot(typed.SpanPeriod)) && x.Said == "" {
		return nil
	}
	return &language.Option{Text: text, Skill: x.Skill, Arguments: x.Arguments, Query: x.Query, Input: x.Input}
}
