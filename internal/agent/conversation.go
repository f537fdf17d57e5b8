package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/llm"
)

// HistoryMessage is an earlier message of a conversation that the caller keeps instead of a session, as the OpenAI
// format sends the whole conversation each time. It helps to understand the task but is not trusted: its figures do not
// count as read from the account, and it cannot confirm a draft.
type HistoryMessage struct {
	Author stockhand.Author `json:"author"`
	Text   string           `json:"text"`
}

// maxHistory is how much of a conversation is kept, in bytes of text.
const maxHistory = 32 << 10

// recent returns the last messages that fit, each complete.
func recent(all []HistoryMessage) []HistoryMessage {
	size := 0
	for i := len(all) - 1; i >= 0; i-- {
		if size += len(all[i].Text); size > maxHistory {
			return all[i+1:]
		}
	}
	return all
}

// How much of the earlier conversation a model gets: the last turns, shortened.
const (
	pastTurns  = 6
	pastTask   = 600  // characters of a user's message
	pastAnswer = 1000 // characters of an answer
	pastCall   = 120  // characters of the arguments of a call
	pastTokens = 3000 // estimated tokens in total; the oldest messages are dropped first
)

// conversation returns what was said before this turn in the session and, before it, in the caller's history. Answers
// name the results that they are based on, so that query_result can refer to them.
func (t *turn) conversation(ctx context.Context, account stockhand.AccountID) ([]llm.Message, error) {
	var all []llm.Message
	for _, p := range t.start.History {
		all = append(all, pastMessage(p.Author, p.Text))
	}
	var runs []stockhand.Run // latest first
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
	lines := strings.Split(render.Clip(text, pastAnswer), "\n") // an answer quotes the account
	for i := range lines {
		lines[i] = render.Escape(lines[i])
	}
	return llm.Message{Role: llm.Assistant, Content: "<data>" + strings.Join(lines, "\n") + "</data>"}
}

// exchanged returns an earlier turn: the task, and the answer with its results, as data. It returns nothing for a turn
// without an answer or about another account by its results or its draft, because figures of two accounts must not
// appear in one answer (rule R4). Of a turn that may be about any of several accounts it returns only the task.
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
	said := []llm.Message{pastMessage(stockhand.FromPerson, task.Text)}
	abouts, err := t.accountsIn(ctx, r, calls)
	if err != nil || slices.ContainsFunc(abouts, func(a stockhand.AccountID) bool { return a != account }) {
		return nil, err
	}
	if len(abouts) == 0 { // the answer may still quote the names of an account
		if all, err := t.connections(ctx); err != nil || len(accountsOf(all)) > 1 {
			return said, err
		}
	}
	var results []string
	for _, c := range calls {
		if c.Result != "" {
			name := toolbox.TableName(slices.Index(t.numbered, c.Result))
			results = append(results, name+" = "+toolbox.Bare(c.Tool)+" "+render.Escape(render.Clip(string(c.Arguments),
				pastCall))+" "+string(c.Result))
		}
	}
	if len(results) > 0 {
		answer.Content += "\n(results: <data>" + strings.Join(results, "; ") + "</data>)"
	}
	return append(said, answer), nil
}

// accountsIn are the accounts that a run's results and drafts are about, without those of other servers' tools.
func (t *turn) accountsIn(ctx context.Context, r stockhand.Run, calls []stockhand.ToolCall) ([]stockhand.AccountID,
	error) {
	var all []stockhand.AccountID
	for _, c := range calls {
		if c.Result == "" {
			continue
		}
		kept, err := t.store.Result(ctx, t.org, c.Result)
		if err != nil {
			return nil, err
		}
		about, err := accountOf(kept)
		if err != nil {
			return nil, err
		}
		all = append(all, about)
	}
	events, err := t.log(ctx, t.org, r.ID)
	if err != nil {
		return nil, err
	}
	drafts, err := t.draftsIn(ctx, t.org, events)
	if err != nil {
		return nil, err
	}
	for _, d := range drafts {
		all = append(all, d.Account)
	}
	connections, err := t.store.Connections(ctx, t.org)
	return slices.DeleteFunc(all, func(a stockhand.AccountID) bool {
		return slices.ContainsFunc(connections, func(c stockhand.Connection) bool {
			return c.Account == a && t.kind(c).ToolsOnly
		})
	}), err
}

// accountOf returns the account of a stored result.
func accountOf(r stockhand.StoredResult) (stockhand.AccountID, error) {
	var head struct {
		Provenance struct {
			Account stockhand.AccountID `json:"account_id"`
		} `json:"provenance"`
	}
	err := json.Unmarshal(r.Head, &head)
	return head.Provenance.Account, err
}
