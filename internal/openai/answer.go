package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/tool"
)

// The types of the format.
type (
	completion struct {
		ID      string              `json:"id"`
		Object  string              `json:"object"` // "chat.completion"
		Created int64               `json:"created"`
		Model   string              `json:"model"`
		Choices []choice            `json:"choices"`
		Usage   usage               `json:"usage"`
		Session stockhand.SessionID `json:"session_id"`
		Ours    *extension          `json:"stockhand"`
	}
	choice struct {
		Index        int      `json:"index"`
		Message      reply    `json:"message"`
		Logprobs     *float64 `json:"logprobs"` // always null
		FinishReason string   `json:"finish_reason"`
	}
	reply struct {
		Role    string  `json:"role"`
		Content string  `json:"content"`
		Refusal *string `json:"refusal"` // always null
	}
	usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`

		Details promptDetails `json:"prompt_tokens_details"`
	}
	promptDetails struct {
		Cached int `json:"cached_tokens"`
	}
)

// extension is what the format has no place for, such as links to the results and drafts of an answer.
type extension struct {
	Session  stockhand.SessionID `json:"session_id"`
	Message  stockhand.MessageID `json:"message_id"`
	Drafts   []draftLink         `json:"drafts"`
	Results  []resultLink        `json:"results"`
	Notices  []tool.Notice       `json:"notices"`
	Question *agent.Question     `json:"question"`
	Requests int                 `json:"external_requests"`
}

type draftLink struct {
	ID        stockhand.DraftID `json:"id"`
	Version   int64             `json:"version"`
	Title     string            `json:"title"`
	Documents int               `json:"documents"`
	URL       string            `json:"url"`
}

type resultLink struct {
	ID    stockhand.ResultID `json:"id"`
	Tool  string             `json:"tool"`
	Title string             `json:"title"`
	Rows  int                `json:"rows"`
	URL   string             `json:"url"`
}

// answer sends the whole answer at once. A client that disconnects cancels the run.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, q request, t agent.Task) error {
	org := t.Actor.Org
	turn, err := s.start(r.Context(), t)
	if err != nil {
		return err
	}
	f, err := s.await(r.Context(), org, turn)
	if err != nil {
		return err
	}
	w.Header().Set("X-Session-Id", string(turn.Session))
	return writeJSON(w, completion{
		ID: completionID(turn), Object: "chat.completion", Created: time.Now().Unix(), Model: q.Model,
		Choices: []choice{{Message: reply{Role: "assistant", Content: s.text(f)}, FinishReason: "stop"}},
		Usage:   used(f), Session: turn.Session, Ours: s.extension(f),
	})
}

// await waits until a turn has ended. A client that disconnects cancels it.
func (s *Service) await(ctx context.Context, org stockhand.OrgID, turn agent.Turn) (*agent.Finished, error) {
	for _, err := range s.Agent.Follow(ctx, org, turn.Run, 0) {
		if err != nil {
			return nil, s.Agent.GiveUp(ctx, org, turn, err)
		}
	}
	return s.finished(ctx, org, turn)
}

// start starts a turn, unless the message decides on a draft of the conversation.
func (s *Service) start(ctx context.Context, t agent.Task) (agent.Turn, error) {
	if s.ByWord != nil {
		if turn, done, err := s.ByWord.Do(ctx, t); done || err != nil {
			return turn, err
		}
	}
	return s.Agent.Start(ctx, t.Actor.Org, t)
}

// finished returns the outcome of a turn; for a failed run, its error.
func (s *Service) finished(ctx context.Context, org stockhand.OrgID, turn agent.Turn) (*agent.Finished, error) {
	f, err := s.Agent.Finished(ctx, org, turn.Run)
	switch {
	case err != nil:
		return nil, err
	case f.Failure != nil:
		return nil, &stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint}
	case f.Cancelled:
		return nil, stockhand.Errorf(stockhand.CodeConflict, "the work was cancelled").WithHint("ask again")
	}
	return f, nil
}

// text is the answer with a link to each draft.
func (s *Service) text(f *agent.Finished) string {
	var b strings.Builder
	b.WriteString(f.FinalResponse)
	for _, d := range f.Drafts {
		b.WriteString("\n\n[" + d.Language.Pick("Открыть черновик", "Open the draft") + "](" + s.DraftURL(d.ID) + ")")
	}
	return b.String()
}

func (s *Service) extension(f *agent.Finished) *extension {
	x := &extension{
		Session: f.Session, Message: f.Message, Drafts: []draftLink{}, Results: []resultLink{}, Notices: f.Notices,
		Question: f.Question, Requests: f.ExternalRequests,
	}
	for _, d := range f.Drafts {
		x.Drafts = append(x.Drafts, draftLink{ID: d.ID, Version: d.Version, Title: d.Title, Documents: len(d.Documents),
			URL: s.DraftURL(d.ID)})
	}
	for _, k := range f.Results {
		x.Results = append(x.Results, resultLink{ID: k.ID, Tool: k.Tool, Title: k.Title, Rows: k.Count,
			URL: s.ResultURL(k.ID)})
	}
	return x
}

func completionID(turn agent.Turn) string {
	return "chatcmpl-" + strings.TrimPrefix(string(turn.Message), "msg_")
}

func writeJSON(w http.ResponseWriter, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(b, '\n')) // the client may have disconnected
	return nil
}

func used(f *agent.Finished) usage {
	return usage{Prompt: f.InputTokens, Completion: f.OutputTokens, Total: f.InputTokens + f.OutputTokens,
		Details: promptDetails{f.CachedTokens}}
}
