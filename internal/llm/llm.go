// Package llm defines a language model, and implements the client for servers that speak the OpenAI chat format:
// OpenAI, vLLM, Ollama, llama.cpp, OpenRouter, YandexGPT, GigaChat. Servers, keys and prices are configuration (see
// [Load]); only GigaChat's token exchange is specific to a vendor.
//
// [Model.Complete] always returns: the time to the first chunk, between chunks and in total is limited. A request that
// fails before any output is retried after the provider's Retry-After delay, and then with the next provider; a reply
// that was interrupted is requested once more as a whole. If that fails too, the error is MODEL_UNAVAILABLE with a
// hint. Keys appear only in requests, never in an error, a log or a printed configuration. TLS is always verified;
// ca_file adds a private authority.
//
// Before a request, tokens are estimated on the high side (see [Estimate]), so that the actual usage does not exceed a
// reservation. What the provider reports afterwards is what is charged.
package llm

import (
	"context"
	"encoding/json"
	"time"
	"unicode/utf8"
)

// Model answers a conversation or requests tool calls.
type Model interface {
	// Name identifies the model in messages and stored data: "provider/model" of the first choice.
	Name() string

	// Complete requests the next message. It passes the text to onText (which may be nil) as it arrives, with the
	// character offset of each piece. An offset before the end of the text so far means that the reply starts again:
	// replace the text from there. The error is MODEL_UNAVAILABLE or the context's error. Usage and cost are set even
	// on errors, because providers charge for interrupted replies. See also [IsTooLong].
	Complete(ctx context.Context, r Request, onText func(offset int, text string)) (Reply, error)

	// Cost returns the maximum cost of the tokens, in millionths of the prices' currency.
	Cost(u Usage) int64
}

// Request is a conversation to continue.
type Request struct {
	Messages  []Message
	Tools     []Tool // the tools that the model may call
	Answer    bool   // the model should answer and not call tools; it may ignore that
	Small     bool   // a small model may reply, if there is one; see [Routing]
	MaxTokens int    // of the reply; 0 means the provider's maximum
	// Patience is how long providers that fail for the moment are waited for, after the first attempts; 0 not at all.
	Patience time.Duration
	Waiting  func() // called before each wait for them; may be nil
}

// The roles of messages.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// Message is one message of a conversation, in the OpenAI format.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Calls   []Call `json:"tool_calls,omitempty"`   // of an assistant's message: the tool calls it requests
	CallID  string `json:"tool_call_id,omitempty"` // of a tool's message: the call it answers
}

// Call is a tool call requested by a model. Do not trust it: the tool may not exist, and the arguments may not be JSON.
type Call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"` // "function"
	Function Function `json:"function"`
}

// Function is the called function with its arguments as the model wrote them.
type Function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Tool is a function that a model may call.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema
}

// Usage is counted in tokens.
type Usage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	Cached int `json:"cached_tokens,omitempty"` // of the input: read from the provider's cache
}

// NewUsage returns what a provider reported. It does not believe in more cached tokens than input.
func NewUsage(input, output, cached int) Usage {
	return Usage{Input: input, Output: output, Cached: min(max(cached, 0), max(input, 0))}
}

func (u Usage) Total() int { return u.Input + u.Output }

// Plus returns the sum of u and v.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.Cached + v.Cached}
}

// Reply is a model's reply.
type Reply struct {
	Message Message
	Model   string // the model that replied: "provider/model"
	Usage   Usage  // including interrupted attempts
	Cost    int64  // millionths of the currency of the prices
	Cut     bool   // the reply reached the token limit and is incomplete
}

// Estimate returns an upper estimate of the tokens of a text: one per two ASCII characters, and one per other
// character. Current byte-pair vocabularies need half of that for prose in Russian or English; identifiers and figures
// come close to it.
func Estimate(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+1)/2 + other
}

// Tokens estimates a request's input; see [Estimate].
func (r Request) Tokens() int {
	n := 16
	for _, m := range r.Messages {
		n += 8 + Estimate(m.Content)
		for _, c := range m.Calls {
			n += 16 + Estimate(c.Function.Name) + Estimate(c.Function.Arguments)
		}
	}
	for _, t := range r.Tools {
		n += 16 + Estimate(t.Name) + Estimate(t.Description) + Estimate(string(t.Parameters))
	}
	return n
}
