package responses

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"
)

// completion is an answer of the chat format, or a piece of one.
type completion struct {
	Choices []struct {
		Message *delta `json:"message"` // of a whole answer
		Delta   *delta `json:"delta"`   // of a piece
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt        int `json:"prompt_tokens"`
		Completion    int `json:"completion_tokens"`
		Total         int `json:"total_tokens"`
		PromptDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type delta struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
	Calls   []struct {
		Index    *int     `json:"index"`
		ID       string   `json:"id"`
		Function function `json:"function"`
	} `json:"tool_calls"`
}

// Provider translates a provider's answer, whole or in pieces, to the output of a stream.
type Provider struct {
	*Stream

	finish string
	failed bool
}

// ErrReported is an error that the provider reports within its answer.
var ErrReported = errors.New("the provider reported an error")

// Read adds an answer or a piece of one.
func (p *Provider) Read(body []byte) error {
	if string(body) == "[DONE]" {
		p.finish = cmp.Or(p.finish, "stop")
		return nil
	}
	var c completion
	err := json.Unmarshal(body, &c)
	if _, other := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !other { // the rest is decoded
		return err
	}
	if !absent(c.Error) {
		p.failed = true
		return ErrReported
	}
	if u := c.Usage; u != nil {
		p.Usage = NewUsage(u.Prompt, u.Completion)
		p.Usage.InputDetails.Cached = u.PromptDetails.Cached
		p.Usage.OutDetails.Reasoning = u.CompletionDetails.Reasoning
		if u.Total > 0 {
			p.Usage.Total = u.Total
		}
	}
	if len(c.Choices) == 0 {
		return nil
	}
	choice := c.Choices[0]
	for _, d := range []*delta{choice.Message, choice.Delta} {
		if d == nil {
			continue
		}
		p.Text(d.Content)
		p.Refuse(d.Refusal)
		for i, call := range d.Calls {
			if call.Index != nil {
				i = *call.Index
			}
			p.Call(i, call.ID, call.Function.Name, call.Function.Arguments)
		}
	}
	if choice.Finish != "" {
		p.finish = choice.Finish
	}
	return nil
}

// Done finishes the output as the provider did. It reports false for an answer that broke off.
func (p *Provider) Done(at time.Time) bool {
	switch {
	case p.failed || p.finish == "":
		return false
	case p.finish == "length":
		p.Incomplete = &Incomplete{"max_output_tokens"}
	case p.finish == "content_filter":
		p.Incomplete = &Incomplete{"content_filter"}
	}
	if p.Incomplete != nil {
		p.Finish(Stopped, at)
	} else {
		p.Finish(Completed, at)
	}
	return true
}
