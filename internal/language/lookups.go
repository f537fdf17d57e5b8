package language

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/token"
)

// lookUp reads the task as a look-up and takes that if it explains every word (rule R310). Words that are left may be
// names that are not loaded; else it asks about them, unless another reading explains the task. ts are the tokens
// before any was corrected or read as a number.
func (r *reader) lookUp(out *Reading, ts []token.Token) {
	if r.in.Catalogue == nil || out.Consolidate || r.evidence == nil {
		return
	}
	l := lookup.Read(r.task, r.composeInput(ts))
	figures := out.Skill == Analyze && out.Question == nil && len(out.Unknown) == 0
	switch {
	case l == nil || l.Plain && figures || out.Skill.Proposes() && !l.OneDocument():
	case l.Complete():
		r.takeLookUp(out, l)
	case out.Skill.Proposes() || figures:
	case !r.in.loaded():
		if out.Outside {
			out.Outside, out.Skill = false, Skill(l.Skill())
		}
		for _, p := range r.phrases(ts, l.Unexplained) {
			p.Kinds = lookup.Names
			out.Unknown = append(out.Unknown, p)
		}
	case out.Outside || out.Question != nil && out.Skill != Analyze || len(r.unused(out, ts)) > 0:
		left := lookup.Without(r.task, ts, l.Unexplained)
		var words []string
		for _, p := range r.phrases(ts, l.Unexplained) {
			words = append(words, p.Words)
		}
		r.takeLookUp(out, l)
		if out.Question == nil {
			out.Question = &Question{Text: fmt.Sprintf(r.language.Pick("Не понял «%s». Показать без этого?",
				"I do not understand “%s”. Show it without that?"), strings.Join(words, r.language.Pick("», «", "”, “"))),
				Options: []Option{lookedUp(lookup.Option{Text: left, Call: l.Call})}}
		}
	}
}

// takeLookUp takes a look-up for the reading.
func (r *reader) takeLookUp(out *Reading, l *lookup.Reading) {
	o := lookedUp(lookup.Option{Call: l.Call})
	out.Skill, out.Query, out.Input, out.Arguments = o.Skill, o.Query, o.Input, Arguments{}
	out.Question, out.Outside, out.FollowUp, out.Confidence = nil, false, false, 1
	out.Ignored, out.Unknown = nil, nil
	if l.PriceTypes {
		out.Unknown = []Phrase{{Words: r.task, Kinds: []connector.NameKind{connector.NamePriceType}}}
	}
	r.matchAll(out)
	if l.Ask != lookup.Nothing {
		out.Question = &Question{Text: l.Ask.Text(r.language)}
		for _, o := range l.Options {
			out.Question.Options = append(out.Question.Options, lookedUp(o))
		}
	}
}

func lookedUp(o lookup.Option) Option {
	return Option{Text: o.Text, Skill: Skill(o.Skill()), Query: o.Query, Input: o.Input}
}
