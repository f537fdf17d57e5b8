package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/talk"
)

// assume reads a message that does not answer the open question. A task of its own is left as it is. Anything else is
// taken as a change of what the question offered, likeliest first, or else of the last answer (rule R520). It returns a
// question if the message fits neither.
func (t *turn) assume(s *subject) *Question {
	q := s.last.Question
	if q != nil && s.asking && s.chosen == nil {
		if len(q.Options) > 1 && act.Read(s.task).Kind == act.Agree {
			return q.WhichOne(t.language)
		}
		if t.named(s, len(q.Options) == 0) || len(q.Options) == 0 {
			return nil
		}
	}
	if q == nil || !s.asking || s.chosen != nil || len(q.Options) == 0 || s.task == s.asked {
		return nil
	}
	if losesRows(q, &s.reading) || dialogue.OnlyPicks(s.task) {
		return q.NotAnswered(s.task, t.language)
	}
	if talk.Alone(s.task, s.input, &s.reading) {
		return nil
	}
	if r := &s.reading; r.FollowUp && r.Skill.Proposes() && r.Question == nil &&
		len(r.Unused)+len(r.Unknown) == 0 && !slices.ContainsFunc(q.Options, func(o Option) bool {
		return !s.offers(o, r.Skill)
	}) {
		return nil // the draft that is asked about, changed: "кроме гирлянд"
	}
	all := q.AfterAll(s.task) != "" // "both, by week" is about the options, whatever the rest means alone
	if r := s.reading.Question; r != nil && !all && (len(q.Options) > 1 || s.reading.Skill.Proposes()) &&
		changedOptions(q, r) &&
		(s.reading.FollowUp || !talk.Continues(s.task)) {
		return nil // the same question, about the task as the message changes it
	}
	offered := t.offered(*s, q)
	if s.each = t.eachChanged(*s, q, offered); s.each != nil {
		return nil
	}
	before := s.reading.FollowUp && s.reading.Skill.Reads() && s.reading.Question == nil
	if before && !alike(offered) {
		return nil // no option is likelier than the last answer
	}
	for i, o := range offered {
		if o == nil {
			continue
		}
		if in, r := changedOffer(s.task, *s, q.Options[i].Text, o); r != nil {
			s.input, s.reading, s.assumed = in, *r, t.assumption(q, i)
			return nil
		}
	}
	if before {
		return nil
	}
	if fewer := q.Narrowed(s.task); fewer != nil {
		return fewer
	}
	return q.NotAnswered(s.task, t.language)
}

// offers reports whether an option is a draft of a kind, or a request for one that leaves a question open.
func (s *subject) offers(o Option, kind language.Skill) bool {
	if o.Tool != "" || o.Connection != "" {
		return strings.HasSuffix(o.Tool, "_"+string(kind))
	}
	in := s.input
	in.Previous, in.Rows, in.Earlier = nil, nil, nil
	return talk.Read(o.Text, in).Skill == kind
}

// losesRows reports whether a follow-up of a question about a draft of a table's rows is of no rows any more: it would
// be of more goods than were shown.
func losesRows(q *Question, r *language.Reading) bool {
	rows := func(arguments []byte) bool { return bytes.Contains(arguments, []byte(`"rows_of"`)) }
	if !r.FollowUp || !slices.ContainsFunc(q.Options, func(o Option) bool { return rows(o.Arguments) }) {
		return false
	}
	if r.Question == nil {
		return r.Skill.Proposes() && !rows(encode(r.ToolInput()))
	}
	return len(r.Question.Options) == 0 || !slices.ContainsFunc(r.Question.Options, func(o language.Option) bool {
		return !o.Skill.Proposes() || rows(encode(o.ToolInput()))
	})
}

// named reads a name after a question about one that the account does not have, and reports whether it did. With
// certain, the words must have been a name; otherwise the message takes their place, too, if it is nothing but a
// name.
func (t *turn) named(s *subject, certain bool) bool {
	in := s.input
	in.Previous, in.Rows, in.Earlier = nil, nil, nil
	asked := talk.Read(s.asked, in)
	if !certain && (!asked.Skill.Calls() || asked.Question != nil || len(asked.Unknown) != 1 ||
		talk.Continues(s.asked)) {
		return false
	}
	for _, p := range asked.Unknown {
		if r := talk.InPlaceOf(p, s.asked, s.task, s.input); (p.Named || !certain) && r != nil {
			s.reading = *r
			return true
		}
	}
	return false
}

// changedOffer reads a message as a change of what an option stands for; nil if it is none.
func changedOffer(task string, s subject, option string, o *language.Reading) (language.Input, *language.Reading) {
	in := s.input
	in.Previous, in.Rows, in.Earlier = o, nil, []string{option}
	r := talk.Read(task, in)
	if !r.FollowUp || !r.Skill.Reads() || r.Outside || r.Question != nil || talk.Same(&r, o) {
		return in, nil
	}
	return in, &r
}

// eachChanged reads a message such as "both, by week": all options, each with the same change. It returns nil for any
// other message.
func (t *turn) eachChanged(s subject, q *Question, offered []*language.Reading) (list []question) {
	change := q.AfterAll(s.task)
	if change == "" || slices.Contains(offered, nil) {
		return nil
	}
	for i, o := range offered {
		_, r := changedOffer(change, s, q.Options[i].Text, o)
		if r == nil || len(r.Unused)+len(r.Unknown)+len(r.Ignored) > 0 {
			return nil
		}
		list = append(list, question{q.Options[i].Text + ", " + change, s.connection.Connector + "_" + string(r.Skill),
			encode(r.ToolInput())})
	}
	return list
}

// offered returns the readings of the options of a question; nil for one that is no question about figures.
func (t *turn) offered(s subject, q *Question) []*language.Reading {
	list := make([]*language.Reading, len(q.Options))
	for i, o := range q.Options {
		switch {
		case o.Connection != "":
		case o.Tool != "":
			list[i] = dialogue.ReadingOf(o.Text, stockhand.ToolCall{Tool: o.Tool, Arguments: o.Arguments})
		default:
			in := s.input
			in.Previous, in.Rows, in.Earlier = nil, nil, nil
			if r := talk.Read(o.Text, in); r.Question == nil && !r.Outside && len(r.Unknown) == 0 {
				list[i] = &r
			}
		}
		if list[i] != nil && !list[i].Skill.Reads() {
			list[i] = nil
		}
	}
	return list
}

// alike reports whether all options are of one kind, as if one thing was left open: which name, or whether to leave
// out a word. Options of several kinds are guesses.
func alike(offered []*language.Reading) bool {
	return !slices.ContainsFunc(offered, func(r *language.Reading) bool {
		return r == nil || offered[0] == nil || r.Skill != offered[0].Skill
	})
}

// changedOptions reports whether a question has other options than an earlier one, or is about another word.
func changedOptions(before *Question, now *language.Question) bool {
	if len(now.Options) > 1 && !strings.HasSuffix(before.Text, now.Text) {
		return true
	}
	return len(now.Options) > 0 && !slices.ContainsFunc(now.Options, func(o language.Option) bool {
		return slices.ContainsFunc(before.Options, func(b Option) bool { return b.Text == o.Text })
	})
}

// assumption says in the first line of an answer what an unanswered question was taken to mean.
func (t *turn) assumption(q *Question, i int) string {
	l := t.language
	for _, leave := range [][2]string{{" Показать без этого?", "показываю без этого"},
		{" Показать без него?", "показываю без него"}, {" Shall I leave it out?", "it is left out"},
		{" Shall I leave that out?", "that is left out"}} {
		if unclear, ok := strings.CutSuffix(q.Text, leave[0]); ok {
			return strings.TrimRight(unclear, ".") + "; " + leave[1] + "."
		}
	}
	option := strings.Trim(q.Options[i].Text, " ?.!")
	return fmt.Sprintf(l.Pick("Исхожу из варианта «%s».", "I went on with “%s”."), option)
}
