package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// chatRequest is the body of POST /chat/completions, with tools in the current form or functions in the older one.
type chatRequest struct {
	Model               string         `json:"model"`
	Messages            any            `json:"messages"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	Tools               []toolParam    `json:"tools,omitempty"`
	ToolChoice          string         `json:"tool_choice,omitempty"`
	Functions           []functionSpec `json:"functions,omitempty"`
	FunctionCall        string         `json:"function_call,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type toolParam struct {
	Type     string       `json:"type"`
	Function functionSpec `json:"function"`
}

type functionSpec struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"`
}

// chunk is an event of a streamed reply.
type chunk struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			ToolCalls []struct {
				Index    int64  `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
			FunctionCall *functionCall `json:"function_call"`
			State        string        `json:"functions_state_id"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
		PromptDetails    struct {
			CachedTokens int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// maxLine is the maximum size of a stream event in bytes.
const maxLine = 4 << 20

// errReported is an error that the provider reports within the stream.
var errReported = errors.New("the provider reported an error")

// stream sends the request and yields each chunk of the reply, and finally that it is complete. The status is 0 if
// there was no response; after is the provider's Retry-After delay.
func (t target) stream(ctx context.Context, r Request, yield func(c chunk, last bool) error) (status int,
	after time.Duration, err error) {
	body, err := json.Marshal(t.body(r))
	if err != nil {
		return 0, 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost,
		strings.TrimRight(t.BaseURL, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return 0, 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if err := t.Authorize(req); err != nil {
		return 0, 0, err
	}
	answer, err := t.Client.Do(req)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = answer.Body.Close() }() // the reply was read
	after = retryAfter(answer.Header)
	if answer.StatusCode != http.StatusOK {
		if tooLong(answer.StatusCode, answer.Body) {
			return answer.StatusCode, after, errTooLongInput
		}
		return answer.StatusCode, after, &refused{status: answer.StatusCode, doing: "ask the model"}
	}
	return answer.StatusCode, after, chunks(answer.Body, yield)
}

// chunks reads a stream: each event is one line of data, and the line [DONE] ends it.
func chunks(body io.Reader, yield func(c chunk, last bool) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || len(data) == 0 {
			continue
		}
		if string(data) == "[DONE]" {
			return yield(chunk{}, true)
		}
		var c chunk
		err := json.Unmarshal(data, &c)
		if _, other := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !other { // the rest is decoded
			return err
		}
		if len(c.Error) > 0 && string(c.Error) != "null" {
			return errReported
		}
		if err := yield(c, false); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the stream: %w", err)
	}
	return nil
}

// body returns the request in the provider's form.
func (t target) body(r Request) chatRequest {
	b := chatRequest{Model: t.model.Name, Messages: r.Messages, Stream: true}
	most := t.most(r)
	if strings.HasPrefix(t.BaseURL, "https://api.openai.com/") {
		b.MaxCompletionTokens = most // newer models reject max_tokens, which is all that most servers support
	} else {
		b.MaxTokens = most
	}
	var specs []functionSpec
	for _, f := range r.Tools {
		specs = append(specs, functionSpec{f.Name, f.Description, f.Parameters})
	}
	choice := ""
	if r.Answer && len(specs) > 0 {
		choice = "none"
	}
	if t.config.functions() {
		b.Messages, b.Functions, b.FunctionCall = functionMessages(r.Messages), specs, choice
		if len(specs) > 0 && choice == "" {
			b.FunctionCall = "auto"
		}
		return b
	}
	b.StreamOptions, b.ToolChoice = &streamOptions{IncludeUsage: true}, choice
	for _, f := range specs {
		b.Tools = append(b.Tools, toolParam{"function", f})
	}
	return b
}
