package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/llm"
)

// HistoryMessage is an earlier message of a conversation that the caller keeps instead of a session: the OpenAI format
// sends the whole conversation each time. It helps to read the task, and it is not trusted: no figure in it counts as
// found in the data, and no draft in it can be confirmed.
type HistoryMessage struct {
	Author stockhand.Author `json:"author"`
	Text   string           `json:"text"`
}

// maxHistory bounds what is kept of a conversation, in bytes of text.
const maxHistory = 32 << 10

// recent keeps the end of a conversation, whole messages of it.
func recent(all []HistoryMessage) []HistoryMessage {
	size := 0
	for i := len(all) - 1; i >= 0; i-- {
		if size += len(all[i].Text); size > maxHistory {
			return all[i+1:]
		}
	}
	return all
}

// What a model reads of the conversation before: its end, each turn shortened.
const (
	pastTurns  = 6
	pastTask   = 600  // characters of a person's message
	pastAnswer = 1000 // characters of an answer
	pastTokens = 3000 // of all, estimated; the oldest go first
)

// conversation is what was said before this turn, by the session and before it by the caller's own word. Answers name
// the results they rest on, so that query_result can be asked about them.
func (t *turn) conversation(ctx context.Context, account stockhand.AccountID) ([]llm.Message, error) {
	var all []llm.Message
	for _, p := range t.start.History {
		all = append(all, pastMessage(p.Author, p.Text))
	}
	var runs []stockhand.Run // the latest first
	for of := t.message.ID; len(runs) < pastTurns; {
		r, err := t.store.RunBefore(ctx, t.org, of)
		if stockhand.CodeOf(err) == stockhand.CodeNotFound {
			break
		}
		if err != nil {
			return nil, err
		}
		runs, of = append(runs, r), r.Message
	}
	for _, r := range slices.Backward(runs) {
		said, err := t.exchanged(ctx, r, account)
		if err != nil {
			return nil, err
		}
		all = append(all, said...)
	}
	for len(all) > 0 && (llm.Request{Messages: all}).Tokens() > pastTokens {
		all = all[1:]
	}
	return all, nil
}

func pastMessage(by stockhand.Author, text string) llm.Message {
	if by == stockhand.FromPerson {
		return llm.Message{Role: llm.User, Content: render.Clip(text, pastTask)}
	}
	return llm.Message{Role: llm.Assistant, Content: render.Clip(text, pastAnswer)}
}

// exchanged is an earlier turn: the task, and the answer with the results it rests on. A turn without an answer is left
// out, and so is one about another account: figures of two accounts do not meet in one answer (rule R4).
func (t *turn) exchanged(ctx context.Context, r stockhand.Run, account stockhand.AccountID) ([]llm.Message, error) {
	task, err := t.store.Message(ctx, t.org, r.Message)
	if err != nil {
		return nil, err
	}
	answers, err := t.store.Messages(ctx, t.org, t.session.ID, r.Message, 2)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(answers, func(m stockhand.Message) bool {
		return m.Author == stockhand.FromAgent &&
			m.Run == r.ID
	})
	if i < 0 {
		return nil, nil
	}
	answer := pastMessage(stockhand.FromAgent, answers[i].Text)
	calls, err := t.store.ToolCalls(ctx, t.org, r.ID)
	if err != nil {
		return nil, err
	}
	var results []string
	for _, c := range calls {
		if c.Result != "" {
			if len(results) == 0 {
				if about, err := t.accountOf(ctx, c.Result); err != nil || about != account {
					return nil, err
				}
			}
			results = append(results, bare(c.Tool)+" "+string(c.Result))
		}
	}
	if len(results) > 0 {
		t.remembers = true
		answer.Content += "\n(results: " + strings.Join(results, ", ") + ")"
	}
	return []llm.Message{pastMessage(stockhand.FromPerson, task.Text), answer}, nil
}

// accountOf is the account that a stored result is about.
func (t *turn) accountOf(ctx context.Context, id stockhand.ResultID) (stockhand.AccountID, error) {
	kept, err := t.store.Result(ctx, t.org, id)
	if err != nil {
		return "", err
	}
	var r struct {
		Provenance struct {
			Account stockhand.AccountID `json:"account_id"`
		} `json:"provenance"`
	}
	err = json.Unmarshal(kept.Body, &r)
	return r.Provenance.Account, err
}
