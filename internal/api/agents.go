package api

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
)

// AgentStore stores agent profiles; internal/store documents the methods.
type AgentStore interface {
	CreateAgent(ctx context.Context, org stockhand.OrgID, a stockhand.AgentProfile, entry stockhand.AuditEntry) (
		stockhand.AgentProfile, error)
	Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
	Agents(ctx context.Context, org stockhand.OrgID) ([]stockhand.AgentProfile, error)
	UpdateAgent(ctx context.Context, org stockhand.OrgID, a stockhand.AgentProfile, entry stockhand.AuditEntry) error
	DeleteAgent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID, entry stockhand.AuditEntry) error
}

const mostAgents = 100 // per organization

func (s *Server) listOrganizationAgents(ctx context.Context, in *struct {
	Org stockhand.OrgID `path:"org_id"`
	Page
}) (*List[wire.Agent], error) {
	return s.agentsPage(ctx, in.Page)
}

func (s *Server) listAgents(ctx context.Context, in *struct{ Page }) (*List[wire.Agent], error) {
	return s.agentsPage(ctx, in.Page)
}

// agentsPage lists the agents that the caller may ask: the built-in one, then the organization's, oldest first.
func (s *Server) agentsPage(ctx context.Context, p Page) (*List[wire.Agent], error) {
	actor := stockhand.ActorOf(ctx)
	return pageOf(p, func(a stockhand.AgentProfile) stockhand.AgentID { return a.ID }, wire.AgentOf,
		func(after stockhand.AgentID, _ int) ([]stockhand.AgentProfile, error) {
			all, err := s.Store.Agents(ctx, actor.Org)
			if after == "" {
				all = slices.Concat([]stockhand.AgentProfile{wire.SystemAgent(languageOf(ctx))}, all)
			}
			return slices.DeleteFunc(actor.Binding.Offered(all), func(a stockhand.AgentProfile) bool {
				return after != "" && after != stockhand.SystemAgent && a.ID <= after
			}), err
		})
}

func (s *Server) createAgent(ctx context.Context, in *struct {
	Org  stockhand.OrgID `path:"org_id"`
	Body wire.AgentFields
}) (*Answer[wire.Agent], error) {
	actor := stockhand.ActorOf(ctx)
	known, err := s.Store.Agents(ctx, actor.Org)
	if err != nil {
		return nil, err
	}
	if len(known) >= mostAgents {
		return nil, stockhand.Errorf(stockhand.CodeConflict, "the organization already has %d agents, the maximum",
			mostAgents).WithHint("Delete one that you do not use.")
	}
	now := time.Now().UTC()
	a := stockhand.AgentProfile{
		Name: strings.TrimSpace(in.Body.Name), Description: in.Body.Description, Instructions: in.Body.Instructions,
		Tools: in.Body.Tools, Connections: in.Body.Connections, Created: now, Updated: now,
	}
	if err := s.checkAgent(ctx, a, known); err != nil {
		return nil, err
	}
	entry := wire.AgentEntry(actor, "agent.created", a)
	return answerAs(wire.AgentOf)(s.Store.CreateAgent(ctx, actor.Org, a, entry))
}

type AgentPath struct {
	Org stockhand.OrgID   `path:"org_id"`
	ID  stockhand.AgentID `path:"agent_id"`
}

func (s *Server) getAgent(ctx context.Context, in *AgentPath) (*Answer[wire.Agent], error) {
	actor := stockhand.ActorOf(ctx)
	a, err := wire.SystemAgent(languageOf(ctx)), error(nil)
	if in.ID != stockhand.SystemAgent {
		a, err = s.Store.Agent(ctx, actor.Org, in.ID)
	}
	if err != nil {
		return nil, err
	}
	return answerAs(wire.AgentOf)(actor.Binding.Narrow(a))
}

// ownAgent reads an agent that the caller may change: the organization's, not the built-in one.
func (s *Server) ownAgent(ctx context.Context, id stockhand.AgentID) (stockhand.Actor, stockhand.AgentProfile, error) {
	actor := stockhand.ActorOf(ctx)
	if id == stockhand.SystemAgent {
		return actor, stockhand.AgentProfile{}, errSystemAgent
	}
	a, err := s.Store.Agent(ctx, actor.Org, id)
	return actor, a, err
}

func (s *Server) updateAgent(ctx context.Context, in *struct {
	AgentPath
	Body wire.AgentChange
}) (*Answer[wire.Agent], error) {
	actor, a, err := s.ownAgent(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	replace(&a.Name, in.Body.Name)
	replace(&a.Description, in.Body.Description)
	replace(&a.Instructions, in.Body.Instructions)
	replace(&a.Tools, in.Body.Tools)
	replace(&a.Connections, in.Body.Connections)
	a.Name, a.Updated = strings.TrimSpace(a.Name), time.Now().UTC()
	known, err := s.Store.Agents(ctx, actor.Org)
	if err != nil {
		return nil, err
	}
	if err := s.checkAgent(ctx, a, known); err != nil {
		return nil, err
	}
	entry := wire.AgentEntry(actor, "agent.changed", a)
	return answerAs(wire.AgentOf)(a, s.Store.UpdateAgent(ctx, actor.Org, a, entry))
}

func (s *Server) deleteAgent(ctx context.Context, in *AgentPath) (*Answer[wire.Agent], error) {
	actor, a, err := s.ownAgent(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	entry := wire.AgentEntry(actor, "agent.deleted", a)
	return answerAs(wire.AgentOf)(a, s.Store.DeleteAgent(ctx, actor.Org, in.ID, entry))
}

var errSystemAgent = &stockhand.Error{
	Code: stockhand.CodeConflict, Message: "the built-in agent cannot be changed",
	Hint: "Create your own agent.",
	RU:   stockhand.Words{Message: "встроенного агента нельзя изменить", Hint: "Создайте своего."},
}

// replace sets *old to *with, unless with is nil.
func replace[T any](old, with *T) {
	if with != nil {
		*old = *with
	}
}

// checkAgent rejects a name that would be ambiguous as a model's name, and tools or connections that do not exist: a
// misspelt tool must not look like a restriction.
func (s *Server) checkAgent(ctx context.Context, a stockhand.AgentProfile, known []stockhand.AgentProfile) error {
	switch {
	case a.Name == "":
		return invalid("name", "must not be blank")
	case strings.EqualFold(a.Name, string(stockhand.SystemAgent)):
		return invalid("name", "is reserved for the built-in agent")
	case strings.Contains(a.Name, "/"):
		return invalid("name", "must not contain a slash: on OpenAI paths it separates a provider from its model")
	}
	for _, k := range known {
		if k.ID != a.ID && strings.EqualFold(k.Name, a.Name) {
			return stockhand.Errorf(stockhand.CodeConflict, "another agent has this name").WithHint(
				"Choose another name, or update %s.", k.ID)
		}
	}
	return s.checkBinding(ctx, stockhand.Binding{Tools: a.Tools, Connections: a.Connections})
}

// checkBinding rejects connections, agents and tools that do not exist.
func (s *Server) checkBinding(ctx context.Context, b stockhand.Binding) error {
	wrong, err := s.Connections.CheckBinding(ctx, stockhand.ActorOf(ctx).Org, b)
	if err != nil || wrong == nil {
		return err
	}
	return invalid(wrong.Field, wrong.Message)
}
