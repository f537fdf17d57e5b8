package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
)

// Past is something said earlier in a conversation that the caller remembers, and not a session: the OpenAI format
// sends the whole conversation each time. It helps to read the task. It is the caller's word and nothing more: no
// figure in it counts as found, and no draft in it can be confirmed.
type Past struct {
	Author stockhand.Author `json:"author"`
	Text   string           `json:"text"`
}

// maxHistory bounds what is kept of a conversation, in bytes of text.
const maxHistory = 32 << 10

// recent keeps the end of a conversation, whole messages of it.
func recent(all []Past) []Past {
	size := 0
	for i := len(all) - 1; i >= 0; i-- {
		if size += len(all[i].Text); size > maxHistory {
			return all[i+1:]
		}
	}
	return all
}

// remembered is the turn before the session's first, as the caller tells it: enough to understand "and last month?",
// and "the second" after the question which account is meant. That question counts only word for word as it would be
// asked now: its numbers then mean the accounts that they meant.
func (t *turn) remembered(ctx context.Context) (earlier, error) {
	var out earlier
	for _, p := range slices.Backward(t.start.History) {
		if p.Author != stockhand.FromPerson || strings.TrimSpace(p.Text) == "" {
			continue
		}
		out.task = p.Text
		r := language.Read(p.Text, language.Input{Now: t.now()})
		if r.Skill.Calls() && r.Question == nil && len(r.Unknown) == 0 {
			out.reading = &r
		}
		break
	}
	if out.task == "" {
		return out, nil
	}
	last := t.start.History[len(t.start.History)-1]
	if last.Author != stockhand.FromAgent {
		return out, nil
	}
	connections, err := t.connections(ctx)
	if err != nil || len(connections) == 0 {
		return out, err
	}
	for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
		_, q, err := t.choose(l, connections, language.Reading{}, nil)
		if err != nil {
			return out, err
		}
		if q != nil && strings.TrimSpace(last.Text) == questionText(*q) {
			out.question = q
		}
	}
	return out, nil
}
