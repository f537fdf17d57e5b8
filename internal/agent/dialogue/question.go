// Package dialogue recalls what a conversation has said before a turn: the questions that were asked, and what the rows
// of the last table are about.
package dialogue

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
)

// Question asks the user to choose. The next message answers it with an option's text or number.
type Question struct {
	Text    string         `json:"text"`
	Code    stockhand.Code `json:"code,omitempty"` // ACCOUNT_REQUIRED if an account must be chosen
	Options []Option       `json:"options"`
}

// Option is an answer to a question, with everything needed to act on it.
type Option struct {
	Text       string                 `json:"text"`
	Tool       string                 `json:"tool,omitempty"`
	Arguments  json.RawMessage        `json:"arguments,omitempty"`
	Connection stockhand.ConnectionID `json:"connection_id,omitempty"`
	Account    stockhand.AccountID    `json:"account_id,omitempty"`
	Message    string                 `json:"message,omitempty"` // that says the same, if the text does not
}

// Chosen returns the option that a message picks by its number, its text, or the account's label or ID.
func (q *Question) Chosen(message string) *Option {
	plain := func(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".)!") }
	message = plain(message)
	if n, err := strconv.Atoi(message); err == nil && n >= 1 && n <= len(q.Options) {
		return &q.Options[n-1]
	}
	var named []int // the accounts with that label
	for i, o := range q.Options {
		if strings.EqualFold(plain(o.Text), message) ||
			(o.Account != "" && strings.EqualFold(string(o.Account), message)) ||
			(o.Connection != "" && strings.EqualFold(string(o.Connection), message)) {
			return &q.Options[i]
		}
		label := plain(strings.TrimSuffix(o.Text, " ("+string(o.Account)+")"))
		if o.Account != "" && strings.EqualFold(label, message) {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return &q.Options[named[0]]
	}
	return nil
}

// Message returns the question as the run's answer.
func (q *Question) Message() render.Markdown {
	text := render.Plain(q.Text)
	for i, o := range q.Options {
		text += "\n" + render.Markdown(strconv.Itoa(i+1)) + ". " + render.Plain(o.Text)
	}
	return text
}
