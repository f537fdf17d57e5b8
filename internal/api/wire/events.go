package wire

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

// The events of a turn for the OpenAPI document. The agent writes events without these types; tests validate every
// streamed event against them.
type (
	// StartEvent is the first event of a turn.
	StartEvent struct {
		Type       string                 `json:"type" enum:"start"`
		MessageID  stockhand.MessageID    `json:"message_id"`
		Connection stockhand.ConnectionID `json:"connection_id,omitempty" doc:"The account that the request named"`
		Language   stockhand.Language     `json:"language,omitempty" doc:"The language that the request asked for"`
	}
	// PlanEvent says what a turn of several parts is going to do.
	PlanEvent struct {
		Type  string   `json:"type" enum:"plan"`
		Steps []string `json:"steps" doc:"Plain text, for people"`
	}
	// ThinkingEvent says that a language model is asked, when that begins and every few seconds until it writes. It has
	// no id.
	ThinkingEvent struct {
		Type      string `json:"type" enum:"thinking"`
		Iteration int    `json:"iteration"`
		Label     string `json:"label" doc:"What the model does, for people"`
		Seconds   int    `json:"seconds" doc:"Since it was asked"`
	}
	// DeltaEvent is a part of the answer's text. It has no id and is not repeated when a stream is resumed.
	DeltaEvent struct {
		Type    string `json:"type" enum:"delta"`
		Content string `json:"content"`
		Offset  int    `json:"offset" doc:"Where the content begins, in characters; replaces everything from there on"`
	}
	// ToolStartedEvent says that a tool call began.
	ToolStartedEvent struct {
		Type      string         `json:"type" enum:"tool_started"`
		Tool      string         `json:"tool_name"`
		Label     string         `json:"label" doc:"What the tool is doing, for people"`
		Arguments map[string]any `json:"arguments" doc:"Empty if they are larger than 4 KiB; the message has them"`
		Iteration int            `json:"iteration"`
	}
	// ToolProgressEvent says how far the running tool call is. It has no id.
	ToolProgressEvent struct {
		Type  string `json:"type" enum:"tool_progress"`
		Done  int    `json:"done"`
		Total int    `json:"total"`
		Label string `json:"label"`
	}
	// ToolCompletedEvent says how a tool call ended.
	ToolCompletedEvent struct {
		Type       string              `json:"type" enum:"tool_completed"`
		Tool       string              `json:"tool_name"`
		Success    bool                `json:"success"`
		Message    string              `json:"message"`
		DurationMS int64               `json:"duration_ms"`
		ResultID   *stockhand.ResultID `json:"result_id" doc:"Null if the call returned no result"`
	}
	// NoticeEvent is a notice that the user must see.
	NoticeEvent struct {
		Type string `json:"type" enum:"notice"`
		tool.Notice
	}
	// DraftCreatedEvent says that the turn produced a draft.
	DraftCreatedEvent struct {
		Type      string            `json:"type" enum:"draft_created"`
		DraftID   stockhand.DraftID `json:"draft_id"`
		Version   int64             `json:"version" doc:"The version to confirm"`
		Title     string            `json:"title"`
		Documents []DraftedDocument `json:"documents"`
	}
	// DraftedDocument is one document of a new draft.
	DraftedDocument struct {
		ID    stockhand.DocumentID `json:"id"`
		Kind  tool.DocumentKind    `json:"kind"`
		Title string               `json:"title"`
		Lines int                  `json:"lines" doc:"The number of lines"`
		Total *tool.Amount         `json:"total" doc:"Null if the document has no total"`
	}
	// QuestionEvent asks the user to choose.
	QuestionEvent struct {
		Type    string         `json:"type" enum:"question"`
		Text    string         `json:"text"`
		Code    stockhand.Code `json:"code,omitempty"`
		Options []agent.Option `json:"options"`
	}
	// CompleteEvent is the last event of a turn that was answered.
	CompleteEvent struct {
		Type             string               `json:"type" enum:"complete"`
		FinalResponse    string               `json:"final_response"`
		Blocks           []blocks.Block       `json:"blocks" doc:"The parts of the answer, to draw it"`
		ResultIDs        []stockhand.ResultID `json:"result_ids"`
		DraftIDs         []stockhand.DraftID  `json:"draft_ids"`
		InputTokens      int                  `json:"total_input_tokens"`
		OutputTokens     int                  `json:"total_output_tokens"`
		CachedTokens     int                  `json:"total_cached_tokens" doc:"Of the input tokens: read from a provider's cache"`
		Cost             *llm.Charge          `json:"cost" doc:"Of models; null if none has a price"`
		ExternalRequests int                  `json:"external_requests"`
	}
	// ErrorEvent is the last event of a turn that failed.
	ErrorEvent struct {
		Type    string         `json:"type" enum:"error"`
		Code    stockhand.Code `json:"code"`
		Message string         `json:"message"`
		Hint    string         `json:"hint"`
	}
	// CancelledEvent is the last event of a cancelled turn.
	CancelledEvent struct {
		Type string `json:"type" enum:"cancelled"`
	}
)

// TransformSchema implements huma.SchemaTransformer.
func (CompleteEvent) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "cost")
}

// TransformSchema implements huma.SchemaTransformer.
func (DraftedDocument) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "total")
}

// EventSchema is the union of all events, distinguished by their type.
func EventSchema(schemas huma.Registry) *huma.Schema {
	return union(schemas, "Event", "An event of a turn; `type` says which",
		reflect.TypeFor[StartEvent](), reflect.TypeFor[PlanEvent](), reflect.TypeFor[ThinkingEvent](),
		reflect.TypeFor[DeltaEvent](), reflect.TypeFor[ToolStartedEvent](),
		reflect.TypeFor[ToolProgressEvent](), reflect.TypeFor[ToolCompletedEvent](), reflect.TypeFor[NoticeEvent](),
		reflect.TypeFor[DraftCreatedEvent](), reflect.TypeFor[QuestionEvent](), reflect.TypeFor[CompleteEvent](),
		reflect.TypeFor[ErrorEvent](), reflect.TypeFor[CancelledEvent]())
}
