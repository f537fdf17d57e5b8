package wire

import (
	"cmp"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
)

// Session is a conversation.
type Session struct {
	ID           stockhand.SessionID     `json:"id" example:"ses_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Title        string                  `json:"title"`
	Kind         stockhand.SessionKind   `json:"kind" enum:"chat,direct" doc:"direct: a single tool call"`
	ConnectionID *stockhand.ConnectionID `json:"connection_id" doc:"The account it is about; null until known"`
	AgentID      stockhand.AgentID       `json:"agent_id"`
	CreatedBy    *string                 `json:"created_by" doc:"key:key_… or user:usr_…; null for the command line"`
	CreatedAt    time.Time               `json:"created_at"`
	UpdatedAt    time.Time               `json:"updated_at"`
}

// SessionOf converts a session.
func SessionOf(v stockhand.Session) Session {
	return Session{
		ID: v.ID, Title: v.Title, Kind: v.Kind, ConnectionID: OrNull(v.Connection),
		AgentID:   cmp.Or(v.Agent, stockhand.SystemAgent),
		CreatedBy: OrNull(v.By), CreatedAt: v.Created.UTC(), UpdatedAt: v.Updated.UTC(),
	}
}

// Message is one turn of a session: a task, or the agent's answer to one.
type Message struct {
	ID        stockhand.MessageID `json:"id"`
	SessionID stockhand.SessionID `json:"session_id"`
	Role      stockhand.Author    `json:"role" enum:"user,assistant"`
	Content   string              `json:"content"`
	State     stockhand.RunState  `json:"state" enum:"queued,running,done,failed,cancelled" doc:"Where the work on the turn stands"`
	Answers   stockhand.MessageID `json:"answers,omitempty" doc:"Of the agent's answer: the message that it answers"`
	CreatedBy *string             `json:"created_by" doc:"Who wrote it; null for the agent"`
	CreatedAt time.Time           `json:"created_at"`
}

// Turn is a turn of a session: where its answer will be, and once it is finished, the message, with the same fields as
// the command line prints (rule R55).
type Turn struct {
	SessionID  stockhand.SessionID `json:"session_id"`
	MessageID  stockhand.MessageID `json:"message_id"`
	Kind       string              `json:"kind,omitempty" enum:"new_turn" doc:"Only in the response that started the turn"`
	State      stockhand.RunState  `json:"state" enum:"queued,running,done,failed,cancelled"`
	StreamURL  string              `json:"stream_url,omitempty" doc:"Until the turn is finished: its event stream"`
	MessageURL string              `json:"message_url,omitempty" doc:"Until the turn is finished: where its message will be"`
	*agent.Finished
}
