package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/memory"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/tool"
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

// The earlier turns that are read. What a model gets of them is decided by its context; see [memory.Of].
const (
	pastTurns = 200
	pastCall  = 120 // characters of the arguments of a call
)

// pastShare is the part of a model's context that earlier turns may take.
const pastShare = 3

// conversation returns what was said before this turn in the session and, before it, in the caller's history. Answers
// name the results that they are based on, so that compute and query_result can refer to them.
func (t *turn) conversation(ctx context.Context, account stockhand.AccountID) (memory.Memory, error) {
	turns := turnsOf(t.start.History)
	var runs []stockhand.Run // latest first
	for of := t.message.ID; len(runs) < pastTurns; {
		r, err := t.store.RunBefore(ctx, t.org, of)
		if stockhand.CodeOf(err) == stockhand.CodeNotFound {
			break
		}
		if err != nil {
			return memory.Memory{}, err
		}
		runs, of = append(runs, r), r.Message
	}
	for _, r := range slices.Backward(runs) {
		said, err := t.exchanged(ctx, r, account)
		if err != nil {
			return memory.Memory{}, err
		}
		if said != nil {
			turns = append(turns, *said)
		}
	}
	return memory.Of(turns, t.model.Room()/pastShare, t.model.Gauge.Tokens), nil
}

// turnsOf divides a history into turns.
func turnsOf(history []HistoryMessage) []memory.Turn {
	var turns []memory.Turn
	for _, m := range history {
		switch {
		case m.Author == stockhand.FromPerson:
			turns = append(turns, memory.Turn{Person: m.Text})
		case len(turns) > 0 && turns[len(turns)-1].Answer == "":
			turns[len(turns)-1].Answer = m.Text
		default:
			turns = append(turns, memory.Turn{Answer: m.Text})
		}
	}
	return turns
}

// exchanged returns an earlier turn: the task, and the answer with its results and drafts, as data, or why there is
// none. It returns nil for a turn about another account by its results or its draft, because figures of two accounts
// must not appear in one answer (rule R4). Of a turn that may be about any of several accounts it returns only the
// task.
func (t *turn) exchanged(ctx context.Context, r stockhand.Run, account stockhand.AccountID) (*memory.Turn, error) {
	task, err := t.store.Message(ctx, t.org, r.Message)
	if err != nil {
		return nil, err
	}
	calls, err := t.store.ToolCalls(ctx, t.org, r.ID)
	if err != nil {
		return nil, err
	}
	events, err := t.log(ctx, t.org, r.ID)
	if err != nil {
		return nil, err
	}
	drafts, err := t.draftsIn(ctx, t.org, events)
	if err != nil {
		return nil, err
	}
	abouts, err := t.accountsIn(ctx, calls, drafts)
	if err != nil || slices.ContainsFunc(abouts, func(a stockhand.AccountID) bool { return a != account }) {
		return nil, err
	}
	said := &memory.Turn{Person: task.Text}
	if len(abouts) == 0 { // the answer may still quote the names of an account
		if all, err := t.connections(ctx); err != nil || len(accountsOf(all)) > 1 {
			return said, err
		}
	}
	answers, err := t.store.Messages(ctx, t.org, t.session.ID, r.Message, 2)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(answers, func(m stockhand.Message) bool {
		return m.Author == stockhand.FromAgent && m.Run == r.ID
	})
	if i >= 0 {
		said.Answer = answers[i].Text
	} else if said.Ended, err = endOf(r, events); err != nil {
		return nil, err
	}
	for _, c := range calls {
		if c.Result == "" {
			continue
		}
		if at := slices.Index(t.numbered, c.Result); at >= 0 {
			said.Captions = append(said.Captions, toolbox.TableName(at)+" = "+toolbox.Bare(c.Tool)+" "+
				render.Clip(string(c.Arguments), pastCall)+" "+string(c.Result))
		}
	}
	for _, d := range drafts {
		said.Captions = append(said.Captions, fmt.Sprintf("draft %s, version %d, %s", d.ID, d.Version, standing(d)))
	}
	return said, nil
}

// endOf says why a run has no answer.
func endOf(r stockhand.Run, events []stockhand.Event) (string, error) {
	if r.State == stockhand.RunCancelled {
		return "the person cancelled this turn", nil
	}
	for _, e := range slices.Backward(events) {
		if e.Type != stockhand.EventError {
			continue
		}
		var f Failure
		if err := json.Unmarshal(e.Data, &f); err != nil {
			return "", err
		}
		return fmt.Sprintf("the turn failed: %s, %s", f.Code, f.Message), nil
	}
	return "the turn ended without one", nil
}

// standing says in a word how far a draft is.
func standing(d tool.Draft) string {
	if d.Pending() {
		return "waits for a person"
	}
	if len(d.Documents) == 0 {
		return "empty"
	}
	return tool.StateWords[d.Documents[0].State].EN
}

// accountsIn are the accounts that results of calls and drafts are about, without those of other servers' tools.
func (t *turn) accountsIn(ctx context.Context, calls []stockhand.ToolCall, drafts []tool.Draft) (
	[]stockhand.AccountID, error) {
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
	for _, d := range drafts {
		all = append(all, d.Account)
	}
	if len(all) == 0 {
		return nil, nil
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
