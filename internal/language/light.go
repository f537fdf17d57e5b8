package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/courtesy"
	"github.com/stockhand/stockhand/internal/language/token"
)

// withoutLight reads a question again without the words that change no figure, if the reading r does not know what to
// make of one of them: "изучи", "примерно", "картина" (rule R1020). It returns nil unless that understands more.
func (r *reader) withoutLight(task string, first *Reading) *Reading {
	if !r.in.loaded() || first.Skill.Proposes() || first.FollowUp || len(r.named) == 0 {
		return nil
	}
	at, makes := courtesy.Light(r.named)
	if !slices.ContainsFunc(at, func(i int) bool { return first.unclear(&r.named[i]) }) {
		return nil
	}
	again := &reader{x: r.x, in: r.in, today: r.today, light: true}
	out := again.readTask(task)
	asks := out.Question != nil || len(out.Unknown) > 0
	if !out.Skill.Reads() || makes && out.asQuery() == nil ||
		asks && first.Question == nil && len(first.Unknown) == 0 && !first.Outside {
		return nil
	}
	return &out
}

// unclear reports whether the reading does not know what to make of a word: it asks about it, does not use it, or
// understands nothing at all.
func (r *Reading) unclear(t *token.Token) bool {
	holds := func(text string) bool {
		return strings.Contains(strings.ToLower(text), strings.ToLower(t.Raw))
	}
	return r.Refusal == "" && (r.Outside || r.Skill == "" || slices.ContainsFunc(r.Unused, holds) ||
		slices.ContainsFunc(r.Unknown, func(p Phrase) bool { return holds(p.Words) }) ||
		r.Question != nil && holds(r.Question.Text))
}
