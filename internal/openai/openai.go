// Package openai serves the OpenAI wire format: any OpenAI SDK pointed at Stockhand can ask the inventory agent, or,
// when providers of models are configured, talk to one of their models through it.
//
// The last message of the person is the turn; earlier ones are the conversation. A session_id goes on with a
// conversation that Stockhand itself remembers. A model that is called "stockhand", or like one of the organization's
// agents, is the agent; "provider/model" goes straight through, byte for byte, metered.
//
// The surprising decision: the agent's answer is streamed only once it is whole. Figures are checked against the run's
// results when the answer is there, and the format has no way to take back a figure that was streamed; a client that
// wants to see work in progress asks for tool.progress events.
package openai

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
)

// Store is what the package reads and writes itself; internal/store says what each method promises.
type Store interface {
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
	Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
	Agents(ctx context.Context, org stockhand.OrgID) ([]stockhand.AgentProfile, error)
	AddUsage(ctx context.Context, org stockhand.OrgID, u stockhand.Usage) error
}

// Config is what a Service needs.
type Config struct {
	Agent     *agent.Agent
	Store     Store
	Budget    *llm.Budget                        // nil bounds nothing
	Providers *llm.Providers                     // nil means none
	DraftURL  func(id stockhand.DraftID) string  // where a person opens a draft
	ResultURL func(id stockhand.ResultID) string // where a result is read
	Observe   func(provider string, status int)  // hears of each request passed through; may be nil
	Logger    *slog.Logger                       // nil means none
}

// Service serves the format. Its handlers return errors for the caller to write; what they have begun to write they
// finish.
type Service struct {
	Config

	books *books
}

// Close writes down what passed-through chats have used. Call it once no request is on its way.
func (s *Service) Close(ctx context.Context) { s.books.write(ctx) }

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
	return &Service{Config: c, books: &books{store: c.Store, log: c.Logger}}
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
	if p, model, ok := s.Providers.Find(q.Model); ok {
		if !p.Passes(model) {
			return noModel(q.Model)
		}
		return s.pass(w, r, p, model, body)
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

// model is an entry of the list of models.
type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"` // "model"
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// Models serves GET /v1/models and GET /v1/models/{model}: the organization's agents, then the providers' models.
func (s *Service) Models(w http.ResponseWriter, r *http.Request) error {
	profiles, err := s.Store.Agents(r.Context(), stockhand.ActorOf(r.Context()).Org)
	if err != nil {
		return err
	}
	all := []model{{ID: string(stockhand.SystemAgent), Object: "model", Created: released.Unix(), OwnedBy: "stockhand"}}
	for _, p := range profiles {
		all = append(all, model{ID: string(p.ID), Object: "model", Created: p.Created.Unix(), OwnedBy: "stockhand"})
	}
	for _, name := range s.Providers.Names() {
		p, _, _ := s.Providers.Find(name + "/any")
		for _, m := range p.Models {
			all = append(all, model{ID: name + "/" + m.Name, Object: "model", Created: released.Unix(), OwnedBy: name})
		}
	}
	id := r.PathValue("model")
	if id == "" {
		return writeJSON(w, map[string]any{"object": "list", "data": all})
	}
	i := slices.IndexFunc(all, func(m model) bool { return m.ID == id })
	if i < 0 {
		return noModel(id)
	}
	return writeJSON(w, all[i])
}

// released is what the format wants as the time when a model was made; ours are as old as the format's version here.
var released = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// profile finds the agent that a model's name means: by its id, or by its own name.
func (s *Service) profile(ctx context.Context, name string) (stockhand.AgentID, error) {
	if strings.EqualFold(name, string(stockhand.SystemAgent)) {
		return "", nil
	}
	profiles, err := s.Store.Agents(ctx, stockhand.ActorOf(ctx).Org)
	if err != nil {
		return "", err
	}
	for _, p := range profiles {
		if string(p.ID) == name || strings.EqualFold(p.Name, name) {
			return p.ID, nil
		}
	}
	return "", noModel(name)
}

func noModel(name string) error {
	return stockhand.Errorf(stockhand.CodeNotFound, "there is no model named %q here", clip(name)).
		WithHint(`"stockhand" is the inventory agent; GET /v1/models lists the others`)
}

// clip keeps what a caller sent short enough to be said back.
func clip(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
