// Package cassette records what the turns of a conversation ask accounts and models, and plays it without a network.
//
// A cassette is one conversation: a header, and for each turn the task, the requests to accounts with their responses,
// the requests to the model with its replies, and the outcome. What a turn asks goes through its [Tape], which is in
// the context that the turn works in. A recording tape passes requests on and keeps the responses; a playing tape
// answers with what was kept, and notes what was asked differently.
//
// What a cassette must not contain cannot get into it: the model is recorded above its HTTP client, which alone knows
// the key; of requests to accounts only the address is kept, of responses only the headers in [keptHeaders]; and the
// token, the employee's name and login and the server's address are replaced in every text ([Secrets]). Random IDs are
// numbered in the order in which they appear, so two recordings of the same turns are equal.
//
// The format is documented in docs/replay.md.
package cassette

import (
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// Version is the version of the format.
const Version = 1

// Cassette is a recorded conversation.
type Cassette struct {
	Header Header
	Turns  []Turn
}

// Header describes what the turns of a conversation share.
type Header struct {
	Version     int          `json:"cassette"`
	Title       string       `json:"title,omitempty"`
	Model       string       `json:"model,omitempty"` // "provider/model"; empty if the reader answered alone
	Settings    Settings     `json:"settings"`
	Connections []Connection `json:"connections"`
}

// Settings are what a model's answer depends on besides the conversation.
type Settings struct {
	Reader        llm.Reader `json:"reader,omitempty"`
	MaxIterations int        `json:"max_iterations,omitempty"`
	RunTokens     int        `json:"run_tokens,omitempty"`
	Context       int        `json:"context,omitempty"` // of the model, in tokens; 0 means the usual one
	Notes         string     `json:"notes,omitempty"`   // of the organization
	Links         bool       `json:"links,omitempty"`   // results and drafts have addresses on [Server]
}

// Connection is an account that the conversation could ask about. It does not name the employee.
type Connection struct {
	Name         string              `json:"name"` // in this cassette
	Connector    string              `json:"connector"`
	Account      stockhand.AccountID `json:"account"`
	Label        string              `json:"label"`
	Organization string              `json:"organization,omitempty"`
	Rights       []string            `json:"rights,omitempty"`
	Path         string              `json:"path,omitempty"`  // of the API on its server
	Saved        string              `json:"saved,omitempty"` // what is known of its server, without address and token
}

// Site stands in a cassette for the address of an account's server.
const Site = "https://account.invalid"

// Server stands in a cassette for the address of the Stockhand server on which the conversation was.
const Server = "https://stockhand.invalid"

// Turn is a task with everything that was asked to answer it.
type Turn struct {
	Task       string             `json:"task"`
	At         time.Time          `json:"at"` // what the turn takes for now
	Language   stockhand.Language `json:"language,omitempty"`
	Connection string             `json:"connection,omitempty"` // its name, if the person chose one
	History    json.RawMessage    `json:"history,omitempty"`    // the conversation before, if the caller kept it
	Agent      *Agent             `json:"agent,omitempty"`      // who answered; nil: the built-in agent
	Measures   []json.RawMessage  `json:"measures,omitempty"`   // of the organization, as it defined them
	By         string             `json:"by,omitempty"`         // who wrote the task: an ID, or "cli"
	Decision   *Decision          `json:"decision,omitempty"`   // code decided on drafts by the words of the task

	Exchanges []Exchange      `json:"-"`
	Steps     []Step          `json:"-"`
	Outcome   json.RawMessage `json:"-"` // see package outcome
}

// Agent is what an organization's agent adds to the built-in one, within what the caller's key allowed.
type Agent struct {
	Instructions string   `json:"instructions,omitempty"`
	Tools        []string `json:"tools,omitempty"`       // that it may call; empty: all
	Connections  []string `json:"connections,omitempty"` // by name; empty: all

	Servers []Connection `json:"servers,omitempty"` // MCP servers whose tools the model may call
}

// Decision is what a decision on drafts depends on besides the conversation.
type Decision struct {
	Person bool              `json:"person,omitempty"` // and not a program
	Proven bool              `json:"proven,omitempty"` // the person had proved just before who they are
	Scopes []stockhand.Scope `json:"scopes"`
	Keys   string            `json:"keys_may_confirm,omitempty"` // the organization's setting
	Rules  json.RawMessage   `json:"rules,omitempty"`            // of the organization, for drafts
}

// Exchange is a request to an account with its response.
type Exchange struct {
	Connection string            `json:"connection"`
	Request    string            `json:"request"`          // method, path below the API's root, and unescaped query
	Sent       json.RawMessage   `json:"sent,omitempty"`   // the body of the request
	Lost       bool              `json:"lost,omitempty"`   // there was no response, though the server may have got it
	Status     int               `json:"status,omitempty"` // 0 if there was no response
	Headers    map[string]string `json:"headers,omitempty"`
	Body       json.RawMessage   `json:"body,omitempty"`
	Text       string            `json:"text,omitempty"` // the body, if it is not JSON
}

// keptHeaders are the headers of responses that a cassette keeps. Others may contain secrets.
var keptHeaders = []string{"Content-Type", "Location"}

// Step is a request to the model with its reply.
type Step struct {
	Messages  []llm.Message
	Tools     []Tool
	Answer    bool
	MaxTokens int
	Reply     Reply
	Failure   *Failure // instead of a reply
}

// Tool is a tool that the model could call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// Reply is what the model replied.
type Reply struct {
	Message llm.Message `json:"message"`
	Model   string      `json:"model"`
	Usage   llm.Usage   `json:"usage"`
	Cost    int64       `json:"cost,omitempty"`
	Cut     bool        `json:"cut,omitempty"`
}

// Failure is an error for people instead of a reply.
type Failure struct {
	Code    stockhand.Code `json:"code"`
	Message string         `json:"message"`
	Hint    string         `json:"hint,omitempty"`
	RU      string         `json:"message_ru,omitempty"`
	RUHint  string         `json:"hint_ru,omitempty"`
	TooLong bool           `json:"too_long,omitempty"` // the model has no room for the request
}

func toolsOf(all []llm.Tool) (out []Tool) {
	for _, t := range all {
		out = append(out, Tool{t.Name, t.Description, compact(t.Parameters)})
	}
	return out
}
