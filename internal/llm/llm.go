// Package llm is the contract of a language model, and the client of servers that speak the OpenAI chat format: OpenAI
// itself, vLLM, Ollama, llama.cpp, OpenRouter, YandexGPT, GigaChat. Which servers, with which keys and prices, is
// configuration (see [Load]); nothing here knows a server by name except for how GigaChat gives out its tokens.
//
// It promises that [Model.Complete] ends: each wait is bounded, to the first chunk, between chunks and as a whole. What
// fails before anything was said is tried again with the provider's own delay, and then with the next provider; an
// answer that was cut in the middle is asked for once more as a whole. What fails for good is MODEL_UNAVAILABLE with a
// hint. Keys are in requests alone: never in an error, a log or a printed configuration, and TLS is always verified (a
// private authority is added by ca_file; there is no switch that turns verification off).
//
// The surprising decision: tokens are counted before a request by an estimate that errs to the high side (see
// [Estimate]), so that a reservation made with it is not overshot; what the provider reports afterwards is what is paid
// for.
package llm

import (
	"context"
	"encoding/json"
	"unicode/utf8"
)

// Model answers a conversation, or asks for tools to be called.
type Model interface {
	// Name is what messages and records call the model: "provider/model" of its first choice.
	Name() string

	// Complete asks for the next message. The text is passed to onText (nil for none) as it comes, with the character
	// at which each piece begins: an offset below what was passed before means that the answer began again, and what is
	// shown from there on is replaced. Errors are MODEL_UNAVAILABLE, or the context's own. Usage and cost are set even
	// then: what was begun is paid for.
	Complete(ctx context.Context, r Request, onText func(offset int, text string)) (Reply, error)

	// Cost is the most that so many tokens may cost, in millionths of the currency of the prices.
	Cost(u Usage) int64
}

// Request is a conversation to go on with.
type Request struct {
	Messages  []Message
	Tools     []Tool // what the model may ask for
	Answer    bool   // it is to answer and not to ask for tools; a model may ignore that
	MaxTokens int    // of the reply; 0 means the provider's own bound
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
	Calls   []Call `json:"tool_calls,omitempty"`   // of an assistant's message: the tools it wants called
	CallID  string `json:"tool_call_id,omitempty"` // of a tool's message: the call it answers
}

// Call is a model's wish to call a tool. Nothing about it can be trusted: the name may be of no tool, and the arguments
// may be no JSON.
type Call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"` // "function"
	Function Function `json:"function"`
}

// Function is what is called, with its arguments as the model wrote them.
type Function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Tool is a function that a model may ask for.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema
}

// Usage is counted in tokens.
type Usage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
}

// Total is both together.
func (u Usage) Total() int { return u.Input + u.Output }

// Plus adds what was used otherwise.
func (u Usage) Plus(v Usage) Usage { return Usage{u.Input + v.Input, u.Output + v.Output} }

// Reply is what a model said.
type Reply struct {
	Message Message
	Model   string // which one it was: "provider/model"
	Usage   Usage  // with what attempts that were cut have used
	Cost    int64  // millionths of the currency of the prices
	Cut     bool   // it ran into the bound of its tokens: the text is not complete
}

// Estimate is how many tokens a text is at most: two characters of ASCII make one, and any other character does.
// Byte-pair vocabularies of today need half of that for prose in either language; identifiers and figures come close to
// it.
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
