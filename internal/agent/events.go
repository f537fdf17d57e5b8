package agent

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// The data of log entries, as clients read them (rules R51 and R52).
type (
	startData struct {
		MessageID  stockhand.MessageID    `json:"message_id"`
		Connection stockhand.ConnectionID `json:"connection_id,omitempty"` // the account requested by the caller
		Language   stockhand.Language     `json:"language,omitempty"`      // the language requested by the caller
		Agent      stockhand.AgentID      `json:"agent_id,omitempty"`      // the profile requested by the caller
		Call       bool                   `json:"call,omitempty"`          // the run is the stored call
		Binding    stockhand.Binding      `json:"binding,omitzero"`        // of the caller's key
		// trace context of the request that started the run
		Trace string `json:"traceparent,omitempty"`
		// the conversation so far, if the caller keeps it
		History []HistoryMessage `json:"history,omitempty"`
	}
	toolStartedData struct {
		Tool      string          `json:"tool_name"`
		Label     string          `json:"label"`
		Arguments json.RawMessage `json:"arguments"`
		Iteration int             `json:"iteration"`
	}
	progressData struct {
		Done  int    `json:"done"`
		Total int    `json:"total"`
		Label string `json:"label"`
	}
	toolCompletedData struct {
		Tool       string             `json:"tool_name"`
		Success    bool               `json:"success"`
		Message    string             `json:"message"`
		DurationMS int64              `json:"duration_ms"`
		ResultID   stockhand.ResultID `json:"result_id,omitempty"`
	}
	draftCreatedData struct {
		DraftID   stockhand.DraftID `json:"draft_id"`
		Version   int64             `json:"version"` // the version that was shown
		Title     string            `json:"title"`
		Documents []draftedDocument `json:"documents"`
	}
	draftedDocument struct {
		ID    stockhand.DocumentID `json:"id"`
		Kind  tool.DocumentKind    `json:"kind"`
		Title string               `json:"title"`
		Lines int                  `json:"lines"`
		Total *tool.Amount         `json:"total"`
	}
	completeData struct {
		FinalResponse    string               `json:"final_response"`
		Blocks           []blocks.Block       `json:"blocks"`
		ResultIDs        []stockhand.ResultID `json:"result_ids"`
		DraftIDs         []stockhand.DraftID  `json:"draft_ids"`
		InputTokens      int                  `json:"total_input_tokens"`
		OutputTokens     int                  `json:"total_output_tokens"`
		CachedTokens     int                  `json:"total_cached_tokens"`
		Cost             *llm.Charge          `json:"cost"`
		ExternalRequests int                  `json:"external_requests"`
	}
	errorData struct {
		Code    stockhand.Code `json:"code"`
		Message string         `json:"message"`
		Hint    string         `json:"hint"`
	}
)

// entry returns a log entry.
func entry(kind stockhand.EventType, data any) stockhand.Event {
	return stockhand.Event{Type: kind, Data: encode(data)}
}

// encode encodes the data of an event, which cannot fail for its types.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("event data: " + err.Error())
	}
	return b
}
