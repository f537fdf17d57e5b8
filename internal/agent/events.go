package agent

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// The data of the log's entries, as clients read them (rules R51 and R52).
type (
	startData struct {
		MessageID  stockhand.MessageID    `json:"message_id"`
		Connection stockhand.ConnectionID `json:"connection_id,omitempty"` // the account the caller named
		Language   stockhand.Language     `json:"language,omitempty"`      // the language the caller asked for
		Agent      stockhand.AgentID      `json:"agent_id,omitempty"`      // the profile the caller asked for
		Trace      string                 `json:"traceparent,omitempty"`   // of the request that started the run
		// the conversation so far, as the caller has it
		History []HistoryMessage `json:"history,omitempty"`
	}
	directData struct { // of a run that is one call and no reading
		startData
		Tool      string          `json:"tool_name,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}
	toolStartedData struct {
		Tool      string          `json:"tool_name"`
		Label     string          `json:"label"`
		Arguments json.RawMessage `json:"arguments"`
		Iteration int             `json:"iteration"`
	}
	deltaData struct { // passed on live and not stored
		Content string `json:"content"`
		// the character of the text at which it begins: what was shown from there on is replaced
		Offset int `json:"offset"`
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
		Version   int64             `json:"version"` // the one that was shown
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
		ResultIDs        []stockhand.ResultID `json:"result_ids"`
		DraftIDs         []stockhand.DraftID  `json:"draft_ids"`
		InputTokens      int                  `json:"total_input_tokens"`
		OutputTokens     int                  `json:"total_output_tokens"`
		ExternalRequests int                  `json:"external_requests"`
	}
	errorData struct {
		Code    stockhand.Code `json:"code"`
		Message string         `json:"message"`
		Hint    string         `json:"hint"`
	}
)

// entry makes an entry of the log.
func entry(kind stockhand.EventType, data any) stockhand.Event {
	return stockhand.Event{Type: kind, Data: encode(data)}
}

// encode writes the data of an event. Its types hold nothing that cannot be written.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("event data: " + err.Error())
	}
	return b
}
