package agent

import (
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language"
)

// Past is something said earlier in a conversation that the caller remembers, and not a session: the OpenAI format sends
// the whole conversation each time. It helps to read the task. It is the caller's word and nothing more: no figure in it
// counts as found, and no draft in it can be confirmed.
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

// remembered is the turn before the session's first, as the caller tells it: enough to understand "and last month?".
func (t *turn) remembered() earlier {
	for i := len(t.start.History) - 1; i >= 0; i-- {
		p := t.start.History[i]
		if p.Author != stockhand.FromPerson || strings.TrimSpace(p.Text) == "" {
			continue
		}
		r := language.Read(p.Text, language.Input{Now: t.now()})
		if r.Skill.Calls() && r.Question == nil && len(r.Unknown) == 0 {
			return earlier{task: p.Text, reading: &r}
		}
		return earlier{task: p.Text}
	}
	return earlier{}
}
