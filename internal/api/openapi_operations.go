package api

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// What the OpenAPI document says beside what the types say. Keys are the names of routes; a test knows them all.

// descriptions say more of an operation than its summary.
var descriptions = map[string]string{
	"me":                 "Use it to check a token: it tells the organization, the scopes and when the token expires.",
	"createToken":        "The answer carries the token once; it is never shown again.",
	"createOrganization": "A person does this; an API key belongs to one organization and cannot.",
	"createKey": "The answer carries `secret` once; it is never shown again. Without `scopes` the key has `write:tools`. " +
		"A key expires after `expires_in_days` (1–365, 90 unless given).",
	"listKeys":  "Secrets are never included: a key is known by its `prefix`.",
	"revokeKey": "The key fails on its next request. Revoking again answers the same.",
	"rotateKey": "Makes a new key with the same name, scopes and addresses. The old one goes on for the time of the overlap, so that nothing stops while you replace it.",
	"keyReport": "Scopes that a key has and does not use, and keys that expire soon.",
	"startTurn": "Answers 202 at once; follow the work with `GET /sessions/{session_id}/messages/{message_id}/stream`, or give `wait` to get the finished message in the answer (200). " +
		"Turns of one session are done one after another. With several accounts connected the task has to say which one is meant, or `connection_id` does.",
	"finishedMessage": "The whole of a turn: the answer, the tool calls, the results, the drafts.",
	"cancelTurn":      "What is being done for the message ends soon; what was finished stays.",
	"streamEvents": "`text/event-stream`: each event has an `id` and `data: {\"type\": …}`. It begins with the first entry of the log, or after `Last-Event-ID` (or `after`), and goes on live until the last one " +
		"(`complete`, `error` or `cancelled`). A lost connection loses nothing: connect again with the last id. A comment comes every 15 seconds. Ignore types that you do not know.",
	"confirmDraft": "The version has to be the one that was shown: 409 `DRAFT_CHANGED` otherwise. What the documents rest on is read again before anything is written; a document whose ground moved is not sent and says what moved. " +
		"Persons confirm; API keys only where the organization's setting `keys_may_confirm` is on.",
	"editDraft":        "Makes a new version. Nothing is sent to the external system.",
	"undoDraft":        "What was written is taken back by a new draft, which has to be confirmed like any other.",
	"result":           "JSON, CSV or XLSX, by `format` or by `Accept`. It never changes: use its ETag.",
	"executeTool":      "Runs the tool with the same limits, log and notices as in a conversation. A read tool answers its result; a propose tool makes a draft, which waits for a person.",
	"executeOperation": "The arguments are checked against the operation's schema before anything goes out. Read operations only; what would write becomes a draft.",
	"createConnection": "Only a token, never a login and password. It is verified by asking the external system for its organizations before anything is stored.",
	"gateway": "The external system's own API, with the stored credential, its limits, compression and retries added. Status, content type and body come back as they are. " +
		"Only GET passes unless `gateway_writes` is on for the connection.",
	"chat": "The agent as a model of the OpenAI API: `model` names an agent (`stockhand`), or `provider/model` for a configured provider. Point any OpenAI client at the service's address with `/v1`.",
}

// mayFail names the codes of an operation beside those that follow from its row.
var mayFail = map[string][]stockhand.Code{
	"startTurn":        {stockhand.CodeAccountRequired, stockhand.CodeConsolidation},
	"confirmDraft":     {stockhand.CodeDraftChanged, stockhand.CodeExternalUnavailable},
	"editDraft":        {stockhand.CodeDraftChanged},
	"executeTool":      {stockhand.CodeAccountRequired, stockhand.CodeExternalUnavailable},
	"executeOperation": {stockhand.CodeExternalUnavailable},
	"createConnection": {stockhand.CodeTokenRejected, stockhand.CodeExternalUnavailable},
	"changeConnection": {stockhand.CodeTokenRejected, stockhand.CodeExternalUnavailable},
	"verifyConnection": {stockhand.CodeTokenRejected, stockhand.CodeExternalUnavailable},
	"gateway":          {stockhand.CodeExternalUnavailable},
	"chat": {stockhand.CodeAccountRequired, stockhand.CodeModelUnavailable,
		stockhand.CodeExternalUnavailable},
}

// described documents what plain routes take and answer, and second answers of others. The query parameters of a plain
// route are also all that the guard lets pass.
var described = map[string]func(op *huma.Operation, schemas huma.Registry){
	"startTurn": func(op *huma.Operation, schemas huma.Registry) {
		op.Responses["200"] = &huma.Response{Description: "With wait: the finished message",
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: schemas.Schema(reflect.TypeFor[Turn](), true, "Turn")}}}
	},
	"streamEvents": func(op *huma.Operation, _ huma.Registry) {
		op.Parameters = append(op.Parameters,
			&huma.Param{Name: "after", In: "query", Description: "The id of the last event that you have",
				Schema: &huma.Schema{Type: huma.TypeString}, Example: "7"},
			&huma.Param{Name: "Last-Event-ID", In: "header", Description: "The same, as browsers send it",
				Schema: &huma.Schema{Type: huma.TypeString}})
		answers(op, "The events", "text/event-stream", &huma.Schema{Type: huma.TypeString},
			"retry: 2000\n\nid: 1\ndata: {\"type\":\"start\"}\n\nid: 2\ndata: {\"type\":\"tool_started\",\"tool_name\":\"stock\",\"label\":\"Остатки\",\"arguments\":{},\"iteration\":1}\n\n")
		op.Responses["204"] = &huma.Response{Description: "There was nothing after that event and there will be nothing: stop reconnecting"}
	},
	"result": func(op *huma.Operation, schemas huma.Registry) {
		op.Parameters = append(op.Parameters,
			&huma.Param{Name: "limit", In: "query",
				Description: "Of JSON: at most that many rows (1–1000); without it all rows come",
				Schema:      &huma.Schema{Type: huma.TypeInteger}},
			&huma.Param{Name: "cursor", In: "query", Description: "next_cursor of the rows before",
				Schema: &huma.Schema{Type: huma.TypeString}})
		answers(op, "The table", "application/json", schemas.Schema(reflect.TypeFor[shownResult](), true, "Result"),
			nil)
		files(op)
		op.Responses["304"] = &huma.Response{Description: "You have it already (If-None-Match)"}
	},
	"draft": func(op *huma.Operation, schemas huma.Registry) {
		answers(op, "The draft; as CSV or XLSX the lines of its documents", "application/json",
			schemas.Schema(reflect.TypeFor[tool.Draft](), true, "Draft"), nil)
		files(op)
	},
	"gateway": func(op *huma.Operation, _ huma.Registry) {
		answers(op, "What the external system answered, as it is; so are its own errors", "application/json",
			&huma.Schema{}, nil)
	},
	"chat": func(op *huma.Operation, _ huma.Registry) {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {
			Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true,
				Required: []string{"model", "messages"}, Properties: map[string]*huma.Schema{
					"model": {Type: huma.TypeString, Description: "An agent (`stockhand`) or `provider/model`"},
					"messages": {Type: huma.TypeArray,
						Items:       &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true},
						Description: "The last user message is the turn, earlier ones are history"},
					"stream":     {Type: huma.TypeBoolean},
					"session_id": {Type: huma.TypeString, Description: "Continue this conversation"},
				}},
			Example: map[string]any{"model": "stockhand",
				"messages": []any{map[string]any{"role": "user", "content": "что заканчивается на складах?"}}},
		}}}
		answers(op, "A chat completion; with `stream` its chunks as server-sent events", "application/json",
			&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}, nil)
		op.Responses["200"].Content["text/event-stream"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	},
	"listModels": func(op *huma.Operation, _ huma.Registry) {
		answers(op, "The models", "application/json", &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true},
			map[string]any{"object": "list",
				"data": []any{map[string]any{"id": "stockhand", "object": "model", "owned_by": "stockhand"}}})
	},
	"model": func(op *huma.Operation, _ huma.Registry) {
		answers(op, "The model", "application/json", &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true},
			nil)
	},
}

// files documents that tables can be had for spreadsheets.
func files(op *huma.Operation) {
	op.Parameters = append(op.Parameters,
		&huma.Param{Name: "format", In: "query", Description: "Instead of Accept",
			Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{"json", "csv", "xlsx"}}},
		&huma.Param{Name: "language", In: "query",
			Description: "Of CSV and XLSX: how numbers and dates are written; instead of Accept-Language",
			Schema:      &huma.Schema{Type: huma.TypeString, Enum: []any{"ru", "en"}}})
	file := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	op.Responses["200"].Content["text/csv"] = file
	op.Responses["200"].Content[mediaTypes[asXLSX]] = file
}

func answers(op *huma.Operation, what, media string, schema *huma.Schema, example any) {
	op.Responses["200"] = &huma.Response{Description: what,
		Content: map[string]*huma.MediaType{media: {Schema: schema, Example: example}}}
	op.DefaultStatus = http.StatusOK
}
