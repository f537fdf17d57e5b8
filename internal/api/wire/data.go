package wire

import (
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/retention"
)

// UsageReport is an organization's usage over a period of days.
type UsageReport struct {
	From    string       `json:"from" example:"2026-11-01" doc:"The first day (UTC)"`
	To      string       `json:"to" example:"2026-11-30" doc:"The last day (UTC), included"`
	Data    []DayUsage   `json:"data" doc:"By day and actor; days without usage are omitted"`
	ByActor []ActorUsage `json:"by_actor" doc:"Totals per actor, highest usage first"`
	Total   Used         `json:"total"`

	Storage retention.Usage `json:"storage" doc:"What the organization stores now"`
}

// DayUsage is one actor's usage on one day.
type DayUsage struct {
	Day   string  `json:"day" example:"2026-11-21"`
	Actor *string `json:"actor" doc:"key:key_… or user:usr_…; null for the command line"`
	Used
}

// ActorUsage is one actor's usage over the whole period.
type ActorUsage struct {
	Actor *string `json:"actor"`
	Used
}

// Used is the usage of work.
type Used struct {
	Runs             int `json:"runs"`
	ExternalRequests int `json:"external_requests"`
	InputTokens      int `json:"input_tokens"`
	OutputTokens     int `json:"output_tokens"`
	CachedTokens     int `json:"cached_tokens" doc:"Of the input tokens: read from a provider's cache"`

	Cost *llm.Charge `json:"cost" doc:"Of models, at the prices that are set; null if none has a price"`
	paid int64
}

// TransformSchema implements huma.SchemaTransformer.
func (Used) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "cost")
}

// TransformSchema implements huma.SchemaTransformer.
func (DayUsage) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "cost")
}

// TransformSchema implements huma.SchemaTransformer.
func (ActorUsage) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "cost")
}

// Add adds stored usage. The currency is that of models' prices, empty if none has a price.
func (u *Used) Add(v stockhand.Usage, currency string) {
	u.Runs += v.Runs
	u.ExternalRequests += v.Requests
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
	u.CachedTokens += v.CachedTokens
	u.paid += v.Cost
	u.Cost = llm.NewCharge(u.paid, currency)
}

// Request is a request to the API as the request log has it: no body, no query, and the pattern instead of the path.
type Request struct {
	ID         stockhand.APIRequestID `json:"id"`
	At         time.Time              `json:"at"`
	Method     string                 `json:"method" example:"POST"`
	Route      string                 `json:"route" example:"/api/v1/tools/{name}/execute"`
	Status     int                    `json:"status" example:"200"`
	DurationMS float64                `json:"duration_ms" example:"12.5"`
	Actor      string                 `json:"actor" doc:"The key or the person" example:"key:key_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Code       *stockhand.Code        `json:"code" doc:"Of an error"`
	RequestID  string                 `json:"request_id"`
}

// RequestOf converts a request.
func RequestOf(r stockhand.APIRequest) Request {
	const micro = 1000
	return Request{ID: r.ID, At: r.At, Method: r.Method, Route: r.Route, Status: r.Status,
		DurationMS: float64(r.Took.Microseconds()) / micro, Actor: r.By, Code: OrNull(r.Code), RequestID: r.Request}
}

// AuditEntry is an entry of the audit log. Its hash covers the previous entry's hash.
type AuditEntry struct {
	Seq        int64                 `json:"seq" doc:"Counts from 1 without gaps"`
	At         time.Time             `json:"at"`
	Actor      string                `json:"actor" doc:"user:usr_… or key:key_…"`
	Action     string                `json:"action" example:"draft.confirmed"`
	DraftID    *stockhand.DraftID    `json:"draft_id"`
	DocumentID *stockhand.DocumentID `json:"document_id"`
	Version    *int64                `json:"version" doc:"The draft's version"`
	External   *string               `json:"external" doc:"The document in the external system: its type and ID"`
	Detail     json.RawMessage       `json:"detail"`
	Previous   string                `json:"previous" doc:"The previous entry's hash; empty for the first"`
	Hash       string                `json:"hash"`
}

// Settings are an organization's settings.
type Settings struct {
	KeysMayConfirm bool `json:"keys_may_confirm" doc:"Whether API keys may confirm drafts; only a person can turn this on"`

	MaxKeyDays        int  `json:"max_key_days" doc:"How many days after its creation an API key works at most; 0 for no limit"`
	MaxTokenDays      int  `json:"max_token_days" doc:"The same for user tokens in this organization"`
	KeysNeedAddresses bool `json:"keys_need_addresses" doc:"Whether API keys work only if they have allowed_ips"`

	Retention retention.Days `json:"retention" doc:"How long the organization keeps what it stores; null is for good"`

	RuleSettings
}

// TransformSchema implements huma.SchemaTransformer.
func (Settings) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	return RuleSettings{}.TransformSchema(r, s)
}

// SettingsOf puts an organization's settings together.
func SettingsOf(keysMayConfirm bool, p stockhand.Policy, d retention.Days, r RuleSettings) Settings {
	return Settings{KeysMayConfirm: keysMayConfirm, MaxKeyDays: p.MaxKeyDays, MaxTokenDays: p.MaxTokenDays,
		KeysNeedAddresses: p.KeysNeedAddresses, Retention: d, RuleSettings: r}
}
