package openapi

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/spreadsheet"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/chart"
	"github.com/stockhand/stockhand/internal/tool"
)

// What the OpenAPI document says beyond the Go types. Keys are operation IDs; a test checks that each exists.

// Described returns the operation IDs that the tables below name.
func Described() []string {
	return slices.Concat(slices.Collect(maps.Keys(descriptions)), slices.Collect(maps.Keys(extraFailures)),
		slices.Collect(maps.Keys(details)))
}

// descriptions supplement the operations' summaries.
var descriptions = map[string]string{
	"getMe":       "Use it to check a token: the response has the organization, the scopes and the expiry.",
	"createToken": "The response contains the secret. It is shown only once.",
	"revokeSignIns": "Ends all your sign-ins, also that of this request unless `others` is set. It takes effect " +
		"within a second.",
	"deleteMe": "Removes your name and email everywhere, your memberships, keys and everything by which you sign in. " +
		"Records keep your id. Not for the last owner of an organization. Requires a recent proof of who you are.",
	"listMemberTokens": "Tokens of members that act in this organization. Secrets are never included.",
	"revokeMemberToken": "The token no longer acts in this organization; one that acts in others goes on there. Only " +
		"owners end the tokens of owners.",
	"confirmIdentity": "For what needs a recent proof: changing how you sign in, creating tokens, and confirming drafts " +
		"above the organization's threshold. Requires a sign-in, not a token.",
	"startPasskey": "Your browser's `navigator.credentials.create` makes the passkey from the response; send what it " +
		"returns to createPasskey within 5 minutes. Requires a sign-in whose person proved lately who they are.",
	"createPasskey": "From now on the device signs you in without a password or code. You have at most 20 passkeys.",
	"startPasskeyProof": "Your browser's `navigator.credentials.get` asks your device; send what it returns to " +
		"confirmIdentity as `passkey` within 5 minutes.",
	"startSecondFactor": "The response contains the secret. It holds after confirmSecondFactor.",
	"confirmSecondFactor": "From now on, signing in with a password or a link asks for a code. The response contains " +
		"recovery codes, each of which works once.",
	"updatePassword": "Ends your other sign-ins and unused sign-in links. Requires a sign-in whose person proved who " +
		"they are within the last 15 minutes.",
	"createOrganization": "You become its owner. Requires a user token: an API key belongs to one organization and " +
		"cannot create others. Allowed only if the installation lets everyone create organizations.",
	"deleteOrganizationData": "Destroys the key that encrypts the organization's messages, results and drafts, so nothing can " +
		"read them again; unfinished tasks are cancelled. Members, keys, settings and the audit log remain. Only for " +
		"owners, with a recent proof of who you are, and only where the installation encrypts stored data.",
	"updateMe": "Requests that name no organization in X-Org-Id go to your home organization. It is the first one " +
		"that you joined until you choose another. Requires a user token that is not bound to an organization.",
	"createReport": "Everyone in the organization sees it on the start page of the console. Call the tool with the " +
		"arguments to have its figures. A report whose period moves with the calendar is always about, say, the last " +
		"30 days.",
	"updateReport": "Your own; those of others need `write:tools`.",
	"deleteReport": "Your own; those of others need `write:tools`.",
	"createInvitation": "The response contains the token as `secret`, once: give it to the person, who accepts with " +
		"`POST /invitations/accept` and their own user token. It can be used once, by the user who has that email. " +
		"The response does not depend on whether there is such a user.",
	"acceptInvitation": "You become a member with the role that the invitation offers. Your other memberships and " +
		"your home organization stay as they are. Requires a user token; the invitation must be for your email.",
	"leaveOrganization": "Ends your own membership and revokes the keys that you created. The last owner cannot leave.",
	"createKey": "The response contains `secret`. It is shown only once. Without `scopes` the key gets `write:tools`. " +
		"A key expires after `expires_in_days` (1–365, default 90). A key that is created by another expires no " +
		"later than that one.",
	"listKeys": "Secrets are never included; a key is identified by its `prefix`.",
	"revokeKey": "The next request with the key fails, and its unfinished runs are cancelled. Keys that it created " +
		"are revoked with it unless `tree` is false.",
	"removeMember": "The response lists the keys that the person created. They are revoked, or transferred to you " +
		"with `keys=transfer`.",
	"rotateKey": "Creates a new key with the same name, scopes and allowed addresses. The old key keeps working for " +
		"the overlap, so you can replace it without downtime. The secret is shown only once.",
	"startTurn": "Returns 202 at once. Follow the turn with " +
		"`GET /sessions/{session_id}/messages/{message_id}/stream`, or pass `wait` to get the finished message in " +
		"this response (200). Turns of one session run one after another. If several accounts are connected, name " +
		"one in the task or in `connection_id`.",
	"getMessage": "Returns the answer with its tool calls, results and drafts. While the turn is still running, only " +
		"its state and URLs are returned.",
	"cancelTurn": "The turn stops soon. Steps that already finished are kept.",
	"streamEvents": "Server-sent events. Each event's `data` is one JSON object of the schema `Event`. The stream " +
		"starts with the first event of the turn, or after `Last-Event-ID` (or `after`), and ends after " +
		"`complete`, `error` or `cancelled`. If the connection is lost, reconnect with the last id: no event is " +
		"missed. A comment is sent every 15 seconds. Ignore event types that you do not know.",
	"confirmDraft": "Pass the version that the person saw; if the draft has changed since, the request fails with 409 " +
		"`DRAFT_CHANGED`. The underlying data is read again before anything is written. If it changed, the document " +
		"is not sent and the response lists the changes. Only people can confirm, unless the organization turned on " +
		"`keys_may_confirm`.",
	"editDraft": "Creates a new version. Nothing is sent to the external system.",
	"undoDraft": "Creates a draft that reverses what was written. It needs a confirmation like any other draft.",
	"getCassette": "What the turns asked accounts and models, and what they answered, without credentials, as " +
		"`stockhand replay` plays it; see docs/replay.md. Only while the operator keeps the traffic of runs " +
		"(`STOCKHAND_TRAFFIC`); otherwise 404, whose hint says what is kept. It holds raw data of the account.",
	"exportAuditLog": "Oldest entry first, one JSON object a line. " +
		"Continue with `after`, the `seq` of the last entry that you have.",
	"getResult": "Choose JSON, CSV or XLSX with `format` or `Accept`, or a chart of it with " +
		"`format=svg`: `files` in the blocks of an answer are such paths. A result never changes, so its ETag stays valid.",
	"executeTool": "Runs one tool with the same limits, log and notices as in a conversation. A read tool returns its " +
		"result. A propose tool creates a draft that waits for a person.",
	"executeQuery": "Measures by dimensions, filtered, compared, ordered and cut; see the catalogue. The answer is that " +
		"of the connector's analysis tool: a table with totals, and a sentence that names what was applied.",
	"getCatalogue": "What can be asked of the connected accounts, and what each measure may be broken down by. " +
		"With a connection also the additional fields that its account's users added; otherwise what all accounts have. " +
		"The organization's own measures are marked `own`.",
	"listMeasures": "Formulas over the measures of the catalogue, which every query of the organization may use.",
	"defineMeasure": "The measure may use other own ones. It is checked against the catalogue. An organization has at most " +
		"50 (409).",
	"deleteMeasure": "A measure that others use is not deleted (409); the message names them.",
	"executeOperation": "The arguments are validated against the operation's schema before any request is sent. " +
		"Operations only read; anything that would write becomes a draft.",
	"createConnection": "Takes a token, never a login and password. The token is verified with a request for the " +
		"external system's organizations before anything is stored.",
	"updateConnection": "Renames a connection, replaces its token, or turns gateway writes on or off.",
	"deleteConnection": "Deletes the stored credential too.",
	"gateway": "Passes a request to the external system's own API. Stockhand adds the stored credential, request " +
		"limits, compression and retries. Status, content type and body are returned unchanged. Only GET is allowed " +
		"unless `gateway_writes` is on for the connection. Slashes in `path` may be escaped as `%2F`.",
	"createChatCompletion": "The OpenAI chat format. `model` is an agent (`stockhand`), or `provider/model` for a " +
		"configured provider. Point any OpenAI client at this server's address followed by `/v1`. The body is at " +
		"most 20 MiB.",
	"createResponse": "The OpenAI Responses format, for the same models as createChatCompletion. A response that was " +
		"stored can be continued with `previous_response_id`: an agent's in its session. A provider's model is asked in " +
		"the chat format, with functions as its only tools.",
	"getResponse":      "Responses are kept for 30 days, or as long as sessions if that is shorter, unless `store` is false.",
	"deleteResponse":   "It can no longer be continued. The session of an agent's answer stays.",
	"createEmbeddings": "The OpenAI embeddings format, passed through to a provider's model (`provider/model`).",
}

// extraFailures are error codes of operations, besides those implied by their method and path. What reads contents is a
// CONFLICT once they were erased (rule R164).
var extraFailures = map[string][]stockhand.Code{
	"updatePassword":      {stockhand.CodeStepUpRequired},
	"confirmIdentity":     {stockhand.CodeStepUpRequired, stockhand.CodeNotFound},
	"startPasskey":        {stockhand.CodeStepUpRequired, stockhand.CodeNotFound},
	"createPasskey":       {stockhand.CodeStepUpRequired, stockhand.CodeNotFound, stockhand.CodeConflict},
	"removePasskey":       {stockhand.CodeStepUpRequired},
	"startPasskeyProof":   {stockhand.CodeStepUpRequired, stockhand.CodeNotFound, stockhand.CodeConflict},
	"startSecondFactor":   {stockhand.CodeStepUpRequired},
	"confirmSecondFactor": {stockhand.CodeStepUpRequired},
	"createRecoveryCodes": {stockhand.CodeStepUpRequired},
	"deleteMe":            {stockhand.CodeStepUpRequired},
	"removeSecondFactor":  {stockhand.CodeStepUpRequired},
	"createToken":         {stockhand.CodeStepUpRequired},
	"listReports":         {stockhand.CodeConflict},
	"createReport":        {stockhand.CodeNotFound, stockhand.CodeConflict},
	"getReport":           {stockhand.CodeConflict},
	"updateReport":        {stockhand.CodeConflict},
	"deleteReport":        {stockhand.CodeConflict},
	"listSessions":        {stockhand.CodeConflict},
	"getSession":          {stockhand.CodeConflict},
	"listMessages":        {stockhand.CodeConflict},
	"getMessage":          {stockhand.CodeConflict},
	"streamEvents":        {stockhand.CodeConflict},
	"listDrafts":          {stockhand.CodeConflict},
	"getCassette":         {stockhand.CodeConflict},
	"getDraft":            {stockhand.CodeConflict},
	"getResult":           {stockhand.CodeResultExpired, stockhand.CodeConflict},
	"startTurn": {stockhand.CodeQuotaExceeded, stockhand.CodeAccountRequired, stockhand.CodeConsolidation,
		stockhand.CodeNotFound},
	"confirmDraft": {stockhand.CodeDraftChanged, stockhand.CodeExternalUnavailable},
	"editDraft":    {stockhand.CodeDraftChanged},
	"rejectDraft":  {stockhand.CodeDraftChanged},
	"listTools":    {stockhand.CodeNotFound, stockhand.CodeExternalUnavailable},
	"getTool":      {stockhand.CodeExternalUnavailable},
	"executeTool": {stockhand.CodeQuotaExceeded, stockhand.CodeAccountRequired,
		stockhand.CodeExternalUnavailable},
	"executeQuery": {stockhand.CodeQuotaExceeded, stockhand.CodeAccountRequired, stockhand.CodeNotFound,
		stockhand.CodeExternalUnavailable},
	"getCatalogue": {stockhand.CodeNotFound, stockhand.CodeExternalUnavailable},
	"executeOperation": {stockhand.CodeQuotaExceeded, stockhand.CodeAccountRequired,
		stockhand.CodeExternalUnavailable},
	"createConnection": {stockhand.CodeTokenRejected, stockhand.CodeExternalUnavailable},
	"updateConnection": {stockhand.CodeTokenRejected, stockhand.CodeExternalUnavailable},
	"verifyConnection": {stockhand.CodeTokenRejected, stockhand.CodeExternalUnavailable},
	"gateway":          {stockhand.CodeExternalUnavailable},
	"acceptInvitation": {stockhand.CodeNotFound}, "declineInvitation": {stockhand.CodeNotFound},
	"createChatCompletion": {stockhand.CodeQuotaExceeded, stockhand.CodeAccountRequired, stockhand.CodeModelUnavailable,
		stockhand.CodeServerStopping, stockhand.CodeExternalUnavailable, stockhand.CodeNotFound},
	"createResponse": {stockhand.CodeQuotaExceeded, stockhand.CodeAccountRequired, stockhand.CodeModelUnavailable,
		stockhand.CodeServerStopping, stockhand.CodeExternalUnavailable, stockhand.CodeNotFound},
	"getResponse": {stockhand.CodeConflict}, "deleteResponse": {stockhand.CodeConflict},
	"createEmbeddings":       {stockhand.CodeModelUnavailable, stockhand.CodeNotFound},
	"deleteOrganizationData": {stockhand.CodeStepUpRequired},
}

// details documents the parameters and responses of plain routes, and further responses of typed ones. The guard
// accepts the documented query parameters of a plain route.
var details = map[string]func(op *huma.Operation, schemas huma.Registry){
	"startTurn": func(op *huma.Operation, schemas huma.Registry) {
		alsoReturns(op, "200", "The finished message, if it was ready within `wait`", schemas)
	},
	"getMessage": func(op *huma.Operation, schemas huma.Registry) {
		alsoReturns(op, "202", "The turn is still running", schemas)
	},
	"cancelTurn": func(op *huma.Operation, schemas huma.Registry) {
		alsoReturns(op, "202", "The turn is still stopping", schemas)
	},
	"executeTool": func(op *huma.Operation, schemas huma.Registry) {
		alsoReturns(op, "202", "The call is still running", schemas)
	},
	"executeQuery": func(op *huma.Operation, schemas huma.Registry) {
		schema := &huma.Schema{OneOf: []*huma.Schema{schemas.Schema(reflect.TypeFor[wire.Turn](), true, ""),
			schemas.Schema(reflect.TypeFor[tool.Plan](), true, "Plan")}}
		returns(op, "200", "The finished message; with X-Dry-Run: what would be read", "application/json", schema)
		alsoReturns(op, "202", "The query is still running", schemas)
	},
	"executeOperation": func(op *huma.Operation, schemas huma.Registry) {
		schema := &huma.Schema{OneOf: []*huma.Schema{
			schemas.Schema(reflect.TypeFor[wire.OperationResult](), true, ""),
			schemas.Schema(reflect.TypeFor[wire.Turn](), true, "")}}
		returns(op, "200", "The answer of a raw operation, or the finished message of a tool", "application/json",
			schema)
		alsoReturns(op, "202", "The call is still running", schemas)
	},
	"confirmDraft": func(op *huma.Operation, schemas huma.Registry) {
		returns(op, "202", "Some documents are still being written", "application/json",
			schemas.Schema(reflect.TypeFor[wire.ConfirmedDraft](), true, ""))
	},
	"undoDraft": func(op *huma.Operation, schemas huma.Registry) {
		returns(op, "200", "With X-Dry-Run: the draft that would be created", "application/json",
			schemas.Schema(reflect.TypeFor[tool.Draft](), true, "Draft"))
	},
	"deleteSession": func(op *huma.Operation, schemas huma.Registry) {
		returns(op, "200", "With X-Dry-Run: the session that would be deleted", "application/json",
			schemas.Schema(reflect.TypeFor[wire.Session](), true, ""))
	},
	"streamEvents": func(op *huma.Operation, schemas huma.Registry) {
		op.Parameters = append(op.Parameters,
			&huma.Param{Name: "after", In: "query", Description: "The id of the last event that you have",
				Schema: &huma.Schema{Type: huma.TypeString}, Example: "7"},
			&huma.Param{Name: "Last-Event-ID", In: "header", Description: "The same, as browsers send it",
				Schema: &huma.Schema{Type: huma.TypeString}})
		returns(op, "200", "The events. The schema is that of the `data` of each event", "text/event-stream",
			wire.EventSchema(schemas))
		op.Responses["204"] = &huma.Response{Description: "There is nothing after that event: stop reconnecting"}
	},
	"getCassette": func(op *huma.Operation, _ huma.Registry) {
		returns(op, "200", "The cassette, one JSON object a line", "application/x-ndjson",
			&huma.Schema{Type: huma.TypeString})
	},
	"exportAuditLog": func(op *huma.Operation, _ huma.Registry) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: "after", In: "query",
			Description: "Only entries after that number",
			Schema:      &huma.Schema{Type: huma.TypeInteger, Minimum: ptr(0.0)}})
		returns(op, "200", "The entries, one JSON object a line", "application/x-ndjson",
			&huma.Schema{Type: huma.TypeString})
	},
	"getResult": func(op *huma.Operation, schemas huma.Registry) {
		op.Parameters = append(op.Parameters,
			&huma.Param{Name: "limit", In: "query",
				Description: "JSON: the maximum number of rows; SVG: how many are drawn. All rows if omitted",
				Schema:      &huma.Schema{Type: huma.TypeInteger, Minimum: ptr(1.0), Maximum: ptr(float64(MostRows))}},
			&huma.Param{Name: "cursor", In: "query", Description: "next_cursor of the previous page of rows",
				Schema: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(MostCursor)}},
			&huma.Param{Name: "part", In: "query", Description: "CSV, XLSX and SVG: only this part of the result",
				Schema: &huma.Schema{Type: huma.TypeInteger, Minimum: ptr(0.0), Maximum: ptr(float64(LastPart))}})
		charts(op)
		returns(op, "200", "The table", "application/json",
			schemas.Schema(reflect.TypeFor[wire.ShownResult](), true, "Result"))
		spreadsheets(op)
		for _, p := range op.Parameters {
			if p.Name == "format" {
				p.Schema.Enum = append(p.Schema.Enum, string(spreadsheet.SVG))
			}
		}
		op.Responses["200"].Content[spreadsheet.MediaTypes[spreadsheet.SVG]] = &huma.MediaType{
			Schema: &huma.Schema{Type: huma.TypeString}}
		op.Responses["304"] = &huma.Response{Description: "Not modified (If-None-Match)"}
	},
	"getDraft": func(op *huma.Operation, schemas huma.Registry) {
		returns(op, "200", "The draft; in CSV and XLSX the lines of its documents", "application/json",
			schemas.Schema(reflect.TypeFor[tool.Draft](), true, "Draft"))
		spreadsheets(op)
	},
	"gateway": func(op *huma.Operation, _ huma.Registry) {
		// the external system may return any status and body; Stockhand's errors are an ErrorBody
		op.Responses = map[string]*huma.Response{}
		returns(op, "200", "The external system's response, unchanged", "*/*", &huma.Schema{})
		for _, status := range []string{"4XX", "default"} {
			returns(op, status, "The external system's response, unchanged, or an error of Stockhand (ErrorBody)",
				"*/*",
				&huma.Schema{})
		}
	},
	"createChatCompletion": func(op *huma.Operation, _ huma.Registry) {
		takes(op, map[string]*huma.Schema{
			"model": {Type: huma.TypeString, Description: "An agent (`stockhand`) or `provider/model`"},
			"messages": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true},
				Description: "The last user message is the task; earlier messages are its history"},
			"stream":     {Type: huma.TypeBoolean},
			"session_id": {Type: huma.TypeString, Description: "Continue this session"},
		}, map[string]any{"model": "stockhand",
			"messages": []any{map[string]any{"role": "user", "content": "что заканчивается на складах?"}}}, "model", "messages")
		returns(op, "200", "A chat completion, or with `stream` its chunks as server-sent events", "application/json",
			&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true})
		op.Responses["200"].Content["text/event-stream"] = &huma.MediaType{
			Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}
		returns(op, "default", "Any other status of the model's provider, with its own body", "application/json",
			&huma.Schema{})
	},
	"createResponse": func(op *huma.Operation, _ huma.Registry) {
		free := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
		takes(op, map[string]*huma.Schema{
			"model": {Type: huma.TypeString, Description: "An agent (`stockhand`) or `provider/model`"},
			"input": {OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeArray, Items: free}},
				Description: "The task, or a list of items of the conversation"},
			"previous_response_id": {Type: huma.TypeString, Description: "Continue the conversation of this response"},
			"stream":               {Type: huma.TypeBoolean},
			"store":                {Type: huma.TypeBoolean, Default: true},
			"session_id":           {Type: huma.TypeString, Description: "Continue this session"},
		}, map[string]any{"model": "stockhand", "input": "что заканчивается на складах?"}, "model")
		returns(op, "200", "The response, or with `stream` its events as server-sent events", "application/json", free)
		op.Responses["200"].Content["text/event-stream"] = &huma.MediaType{Schema: free}
		returns(op, "default", "Any other status of the model's provider, with its own body", "application/json",
			&huma.Schema{})
	},
	"getResponse": func(op *huma.Operation, _ huma.Registry) {
		returns(op, "200", "The response", "application/json",
			&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true})
	},
	"deleteResponse": func(op *huma.Operation, _ huma.Registry) {
		returns(op, "200", "The response is deleted", "application/json",
			&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true})
	},
	"createEmbeddings": func(op *huma.Operation, _ huma.Registry) {
		takes(op, map[string]*huma.Schema{
			"model": {Type: huma.TypeString, Description: "`provider/model`"},
			"input": {OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeArray, Items: &huma.Schema{}}}},
		}, map[string]any{"model": "default/embedding", "input": "остатки"}, "model", "input")
		returns(op, "200", "The provider's answer", "application/json",
			&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true})
		returns(op, "default", "Any other status of the model's provider, with its own body", "application/json",
			&huma.Schema{})
	},
	"listModels": func(op *huma.Operation, _ huma.Registry) {
		returns(op, "200", "The models", "application/json",
			&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true})
		op.Responses["200"].Content["application/json"].Example = map[string]any{"object": "list",
			"data": []any{map[string]any{"id": "stockhand", "object": "model", "owned_by": "stockhand"}}}
	},
	"getModel": func(op *huma.Operation, _ huma.Registry) {
		returns(op, "200", "The model", "application/json",
			&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true})
	},
}

// The bounds of parameters that plain handlers read themselves.
const (
	MostRows   = 1000 // rows of a result in one page
	LastPart   = 99   // the number of a part of a result
	MostCursor = 300  // characters
)

// takes documents a body with fields and others.
func takes(op *huma.Operation, fields map[string]*huma.Schema, example map[string]any, required ...string) {
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {
		Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Required: required,
			Properties: fields},
		Example: example,
	}}}
}

// returns documents a response with one media type.
func returns(op *huma.Operation, status, what, media string, schema *huma.Schema) {
	op.Responses[status] = &huma.Response{Description: what,
		Content: map[string]*huma.MediaType{media: {Schema: schema}}}
	if status == "200" && op.DefaultStatus == 0 {
		op.DefaultStatus = http.StatusOK
	}
}

// Success documents the successful response of an operation, and returns whether it has a body. The type has no other
// field than Body.
func Success(op *huma.Operation, schemas huma.Registry, response reflect.Type) (body bool) {
	if response.NumField() == 0 {
		op.DefaultStatus = cmp.Or(op.DefaultStatus, http.StatusNoContent)
		return false
	}
	field := response.Field(0)
	if field.Name != "Body" || response.NumField() > 1 {
		panic(op.OperationID + " responds with more than a body")
	}
	status := strconv.Itoa(cmp.Or(op.DefaultStatus, http.StatusOK))
	schema := huma.SchemaFromField(schemas, field, response.Name()+field.Name)
	op.Responses[status] = &huma.Response{Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	return true
}

// alsoReturns documents a second successful status of an operation that returns a turn.
func alsoReturns(op *huma.Operation, status, what string, schemas huma.Registry) {
	returns(op, status, what, "application/json", schemas.Schema(reflect.TypeFor[wire.Turn](), true, ""))
}

// charts adds the parameters of a chart.
func charts(op *huma.Operation) {
	name := func() *huma.Schema { return &huma.Schema{Type: huma.TypeString, MaxLength: ptr(200)} }
	kind := &huma.Schema{Type: huma.TypeString}
	for _, w := range chart.Wishes {
		kind.Enum = append(kind.Enum, w)
	}
	op.Parameters = append(op.Parameters,
		&huma.Param{Name: "chart", In: "query", Description: "SVG: what to draw, as in a block", Schema: kind},
		&huma.Param{Name: "x", In: "query", Description: "SVG: the column along the axis", Schema: name()},
		&huma.Param{Name: "y", In: "query", Description: "SVG: the columns of the values, with commas between them",
			Explode: ptr(false), Schema: &huma.Schema{Type: huma.TypeArray, Items: name(), MaxItems: ptr(4)}},
		&huma.Param{Name: "series", In: "query", Schema: name(),
			Description: "SVG: the column whose values are lines or bars of their own"})
}

// spreadsheets documents that a table is also available as CSV and XLSX.
func spreadsheets(op *huma.Operation) {
	op.Parameters = append(op.Parameters,
		&huma.Param{Name: "format", In: "query", Description: "Takes precedence over Accept",
			Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{"json", "csv", "xlsx"}}},
		&huma.Param{Name: "language", In: "query",
			Description: "CSV and XLSX: the format of numbers and dates. Takes precedence over Accept-Language",
			Schema:      &huma.Schema{Type: huma.TypeString, Enum: []any{"ru", "en"}}})
	file := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	op.Responses["200"].Content["text/csv"] = file
	op.Responses["200"].Content[spreadsheet.MediaTypes[spreadsheet.XLSX]] = file
}
