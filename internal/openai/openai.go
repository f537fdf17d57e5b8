// Package openai serves the OpenAI wire format: any OpenAI SDK pointed at Stockhand can ask the inventory agent or, if
// model providers are configured, use one of their models.
//
// The user's last message is the task; earlier messages are its history. A session_id continues a stored session. The
// model "stockhand", or the name of one of the organization's agents, is the agent; a "provider/model" that the
// operator lists is passed through to the provider byte for byte, and metered.
//
// The Responses API is the same with other words: an answer that was stored can be continued by its ID, an agent's in
// its session, a provider's as the chat that it was (decision 65). Package responses has the format.
//
// The surprising decision: the agent's answer is streamed only once it is complete. Its figures are checked against the
// run's results at the end (rule R13), and the format cannot take back a figure that was already streamed. Clients that
// want to see progress can ask for tool.progress events.
package openai

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/byword"
	"github.com/stockhand/stockhand/internal/llm"
)

// Store is what the package reads and writes; internal/store documents the methods.
type Store interface {
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
	Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
	Agents(ctx context.Context, org stockhand.OrgID) ([]stockhand.AgentProfile, error)
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	AddUsage(ctx context.Context, org stockhand.OrgID, u stockhand.Usage) error
}

// ResponseStore keeps responses; internal/store/responses documents the methods.
type ResponseStore interface {
	Response(ctx context.Context, org stockhand.OrgID, id stockhand.ResponseID) (stockhand.StoredResponse, error)
	PutResponse(ctx context.Context, org stockhand.OrgID, r stockhand.StoredResponse) error
	DeleteResponse(ctx context.Context, org stockhand.OrgID, id stockhand.ResponseID) error
}

// Config is what a Service needs.
type Config struct {
	Agent     *agent.Agent
	ByWord    *byword.Service // decides on drafts by a person's words; nil means nothing does
	Store     Store
	Budget    *llm.Budget                        // nil means no limit
	Providers *llm.Providers                     // nil means none
	DraftURL  func(id stockhand.DraftID) string  // the page where a person opens a draft
	ResultURL func(id stockhand.ResultID) string // the address of a result
	Observe   func(provider string, status int)  // called after each request passed through; may be nil
	Logger    *slog.Logger                       // nil means none

	Responses ResponseStore // answers that a later request may continue
	// returns why an organization may store no more; may be nil
	Admit func(ctx context.Context, org stockhand.OrgID) error
	// returns how long an organization keeps its sessions, 0 for good; may be nil
	Sessions func(ctx context.Context, org stockhand.OrgID) (time.Duration, error)
}

// Service serves the format. Its handlers return errors for the caller to write, unless they have started to write.
type Service struct {
	Config

	usage *usageBatcher
}

// Close stores the remaining usage of passed-through chats. Call it when no request is running.
func (s *Service) Close(ctx context.Context) { s.usage.write(ctx) }

// New returns a service.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Providers == nil {
		c.Providers, _ = llm.Load(llm.Config{}, nil) // none is no error
	}
	if c.Observe == nil {
		c.Observe = func(string, int) {}
	}
	return &Service{Config: c, usage: &usageBatcher{store: c.Store, log: c.Logger}}
}

// Chat serves POST /v1/chat/completions.
func (s *Service) Chat(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body) // the API limits its size
	if err != nil {
		return err
	}
	q, err := parse(body)
	if err != nil {
		return err
	}
	if p, model, ok := s.Providers.Passes(q.Model); ok {
		if err := stockhand.ActorOf(r.Context()).Binding.Model(); err != nil {
			return err
		}
		return s.pass(w, r, p, chatPath, model, body)
	}
	profile, err := s.profile(r.Context(), q.Model)
	if err != nil {
		return err
	}
	task, err := s.task(r, q, profile)
	if err != nil {
		return err
	}
	if q.Stream {
		return s.stream(w, r, q, task)
	}
	return s.answer(w, r, q, task)
}

// Embeddings serves POST /v1/embeddings: a provider's model answers, as agents have no embeddings.
func (s *Service) Embeddings(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if !gjson.ValidBytes(body) || !utf8.Valid(body) || !gjson.ParseBytes(body).IsObject() {
		return invalidAt("POST /v1/embeddings", "body", "is not a JSON object of the embeddings format")
	}
	name := gjson.GetBytes(body, "model").Str
	p, model, ok := s.Providers.Passes(name)
	switch {
	case name == "":
		return invalidAt("POST /v1/embeddings", "model", "is required: a provider's model (provider/model)")
	case !ok:
		return noModel(name)
	}
	if err := stockhand.ActorOf(r.Context()).Binding.Model(); err != nil {
		return err
	}
	return s.pass(w, r, p, embeddingsPath, model, body)
}

// model is an entry of the list of models. Chat programs show the name, or else the id, to people.
type model struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Object  string `json:"object"` // "model"
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// Models serves GET /v1/models and GET /v1/models/{model}: the agents that the caller may ask, then the models that are
// passed through. An agent is listed by its name, which is unique, and can be asked by its id, too (rule R442).
func (s *Service) Models(w http.ResponseWriter, r *http.Request) error {
	actor := stockhand.ActorOf(r.Context())
	profiles, err := s.Store.Agents(r.Context(), actor.Org)
	if err != nil {
		return err
	}
	all := []model{}
	profiles = append([]stockhand.AgentProfile{{ID: stockhand.SystemAgent, Created: released}}, profiles...)
	id := r.PathValue("model")
	for _, p := range actor.Binding.Offered(profiles) {
		m := model{ID: p.Name, Name: p.Name, Object: "model", Created: p.Created.Unix(), OwnedBy: "stockhand"}
		if p.ID == stockhand.SystemAgent {
			m.ID, m.Name = string(p.ID), "Stockhand"
		}
		if id == string(p.ID) {
			id = m.ID
		}
		all = append(all, m)
	}
	if actor.Binding.Model() == nil {
		for _, name := range s.Providers.PassThrough() {
			provider, short, _ := strings.Cut(name, "/")
			all = append(all, model{ID: name, Name: short + " (" + provider + ")", Object: "model",
				Created: released.Unix(), OwnedBy: provider})
		}
	}
	if id == "" {
		return writeJSON(w, map[string]any{"object": "list", "data": all})
	}
	i := slices.IndexFunc(all, func(m model) bool { return strings.EqualFold(m.ID, id) })
	if i < 0 {
		return noModel(id)
	}
	return writeJSON(w, all[i])
}

// released is the creation time of models, which the format requires.
var released = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// profile finds an agent by its id or name.
func (s *Service) profile(ctx context.Context, name string) (stockhand.AgentID, error) {
	if strings.EqualFold(name, string(stockhand.SystemAgent)) {
		return "", nil
	}
	actor := stockhand.ActorOf(ctx)
	profiles, err := s.Store.Agents(ctx, actor.Org)
	if err != nil {
		return "", err
	}
	for _, p := range actor.Binding.Offered(profiles) {
		if string(p.ID) == name || strings.EqualFold(p.Name, name) {
			return p.ID, nil
		}
	}
	return "", noModel(name)
}

func noModel(name string) error {
	return stockhand.Errorf(stockhand.CodeNotFound, "there is no model named %q here", clip(name)).
		WithHint(`"stockhand" is the inventory agent; GET /v1/models lists the others. The operator lets callers use a ` +
			`provider's model with STOCKHAND_LLM_PASS_THROUGH, or pass_through in STOCKHAND_LLM_FILE.`)
}

// clip shortens a caller's text for an error message.
func clip(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
