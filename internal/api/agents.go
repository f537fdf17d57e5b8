package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// AgentStore keeps agent profiles; internal/store says what each method promises.
type AgentStore interface {
	CreateAgent(ctx context.Context, org stockhand.OrgID, a stockhand.AgentProfile, entry stockhand.AuditEntry) (
		stockhand.AgentProfile, error)
	Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
	Agents(ctx context.Context, org stockhand.OrgID) ([]stockhand.AgentProfile, error)
	UpdateAgent(ctx context.Context, org stockhand.OrgID, a stockhand.AgentProfile, entry stockhand.AuditEntry) error
	DeleteAgent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID, entry stockhand.AuditEntry) error
}

// Agent is a profile as the API shows it.
type Agent struct {
	ID           stockhand.AgentID        `json:"id" doc:"Give it as agent_id, or as model on the OpenAI paths"`
	Name         string                   `json:"name"`
	Description  string                   `json:"description"`
	Instructions string                   `json:"instructions" doc:"Added to the system's own, never instead of them"`
	Tools        []string                 `json:"tools" nullable:"false" doc:"The tools it may call; empty means all"`
	Connections  []stockhand.ConnectionID `json:"connections" nullable:"false" doc:"The accounts it may ask; empty means all"`
	System       bool                     `json:"system" doc:"The system's own, which is always there and cannot be changed"`
	Created      *time.Time               `json:"created_at" doc:"null for the system's own"`
	Updated      *time.Time               `json:"updated_at" doc:"null for the system's own"`
}

func showAgent(a stockhand.AgentProfile) Agent {
	out := Agent{
		ID: a.ID, Name: a.Name, Description: a.Description, Instructions: a.Instructions, System: a.System,
		Tools:       slices.Concat([]string{}, a.Tools),
		Connections: slices.Concat([]stockhand.ConnectionID{}, a.Connections),
	}
	if !a.System {
		out.Created, out.Updated = &a.Created, &a.Updated
	}
	return out
}

// systemAgent is the agent that every organization has.
func systemAgent(l stockhand.Language) stockhand.AgentProfile {
	return stockhand.AgentProfile{
		ID: stockhand.SystemAgent, Name: "Stockhand", System: true, Description: l.Pick(
			"Отвечает на вопросы об учётной системе по её данным и готовит черновики документов",
			"Answers questions about the inventory account from its own data, and prepares drafts of documents"),
	}
}

// AgentFields are what a profile is made of.
type AgentFields struct {
	Name         string                   `json:"name" minLength:"1" maxLength:"100" example:"Purchasing" doc:"Unique in the organization"`
	Description  string                   `json:"description,omitempty" maxLength:"500"`
	Instructions string                   `json:"instructions,omitempty" maxLength:"8000" doc:"Added to the system's own, never instead of them"`
	Tools        []string                 `json:"tools,omitempty" maxItems:"100" doc:"Names of the tools it may call; empty or left out means all"`
	Connections  []stockhand.ConnectionID `json:"connections,omitempty" maxItems:"100" doc:"The accounts it may ask; empty or left out means all"`
}

// AgentChange is what may change of a profile; what is left out stays.
type AgentChange struct {
	Name         *string                   `json:"name,omitempty" minLength:"1" maxLength:"100"`
	Description  *string                   `json:"description,omitempty" maxLength:"500"`
	Instructions *string                   `json:"instructions,omitempty" maxLength:"8000"`
	Tools        *[]string                 `json:"tools,omitempty" maxItems:"100"`
	Connections  *[]stockhand.ConnectionID `json:"connections,omitempty" maxItems:"100"`
}

const mostAgents = 100 // of an organization

func (s *Server) listAgents(ctx context.Context, in *struct {
	Org stockhand.OrgID `path:"org_id"`
	Page
}) (*List[Agent], error) {
	return s.agentsPage(ctx, in.Page)
}

func (s *Server) listOwnAgents(ctx context.Context, in *struct{ Page }) (*List[Agent], error) {
	return s.agentsPage(ctx, in.Page)
}

// agentsPage lists the system's own agent first, and then the organization's, the oldest first.
func (s *Server) agentsPage(ctx context.Context, p Page) (*List[Agent], error) {
	after, err := p.after()
	if err != nil {
		return nil, err
	}
	own, err := s.Store.Agents(ctx, stockhand.ActorOf(ctx).Org)
	if err != nil {
		return nil, err
	}
	all := slices.Concat([]stockhand.AgentProfile{systemAgent(languageOf(ctx))}, own)
	if after != "" {
		all = slices.DeleteFunc(own, func(a stockhand.AgentProfile) bool {
			return after != string(stockhand.SystemAgent) && string(a.ID) <= after
		})
	}
	return listOf(all, p.Limit, func(a stockhand.AgentProfile) string { return string(a.ID) }, showAgent), nil
}

func (s *Server) createAgent(ctx context.Context, in *struct {
	Org  stockhand.OrgID `path:"org_id"`
	Body AgentFields
}) (*Answer[Agent], error) {
	actor := stockhand.ActorOf(ctx)
	known, err := s.Store.Agents(ctx, actor.Org)
	if err != nil {
		return nil, err
	}
	if len(known) >= mostAgents {
		return nil, stockhand.Errorf(stockhand.CodeConflict, "the organization has %d agents already",
			mostAgents).WithHint("delete one that is not used")
	}
	now := time.Now().UTC()
	a := stockhand.AgentProfile{
		Name: strings.TrimSpace(in.Body.Name), Description: in.Body.Description, Instructions: in.Body.Instructions,
		Tools: in.Body.Tools, Connections: in.Body.Connections, Created: now, Updated: now,
	}
	if err := s.checkAgent(ctx, a, known); err != nil {
		return nil, err
	}
	if a, err = s.Store.CreateAgent(ctx, actor.Org, a, agentEntry(actor, "agent.created", a)); err != nil {
		return nil, err
	}
	return answerOf(showAgent(a))
}

type AgentPath struct {
	Org stockhand.OrgID   `path:"org_id"`
	ID  stockhand.AgentID `path:"agent_id"`
}

func (s *Server) agentProfile(ctx context.Context, in *AgentPath) (*Answer[Agent], error) {
	if in.ID == stockhand.SystemAgent {
		return answerOf(showAgent(systemAgent(languageOf(ctx))))
	}
	a, err := s.Store.Agent(ctx, stockhand.ActorOf(ctx).Org, in.ID)
	if err != nil {
		return nil, err
	}
	return answerOf(showAgent(a))
}

func (s *Server) changeAgent(ctx context.Context, in *struct {
	AgentPath
	Body AgentChange
}) (*Answer[Agent], error) {
	actor := stockhand.ActorOf(ctx)
	if in.ID == stockhand.SystemAgent {
		return nil, errSystemAgent
	}
	a, err := s.Store.Agent(ctx, actor.Org, in.ID)
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
	if err := s.Store.UpdateAgent(ctx, actor.Org, a, agentEntry(actor, "agent.changed", a)); err != nil {
		return nil, err
	}
	return answerOf(showAgent(a))
}

func (s *Server) deleteAgent(ctx context.Context, in *AgentPath) (*Answer[Agent], error) {
	actor := stockhand.ActorOf(ctx)
	if in.ID == stockhand.SystemAgent {
		return nil, errSystemAgent
	}
	a, err := s.Store.Agent(ctx, actor.Org, in.ID)
	if err != nil {
		return nil, err
	}
	if err := s.Store.DeleteAgent(ctx, actor.Org, in.ID, agentEntry(actor, "agent.deleted", a)); err != nil {
		return nil, err
	}
	return answerOf(showAgent(a))
}

var errSystemAgent = &stockhand.Error{
	Code: stockhand.CodeConflict, Message: "the system's own agent cannot be changed",
	Hint: "create an agent of your own",
	RU:   stockhand.Words{Message: "системного агента изменить нельзя", Hint: "создайте своего"},
}

// replace puts a new value in the place of the old one, where there is one.
func replace[T any](old, with *T) {
	if with != nil {
		*old = *with
	}
}

// checkAgent refuses a profile whose name would be taken for another model's, and one that names tools or accounts that
// are not there: a misspelt name must not look like a narrower agent.
func (s *Server) checkAgent(ctx context.Context, a stockhand.AgentProfile, known []stockhand.AgentProfile) error {
	switch {
	case a.Name == "":
		return invalid("name", "is empty")
	case strings.EqualFold(a.Name, string(stockhand.SystemAgent)):
		return invalid("name", "is the system's own agent's")
	case strings.Contains(a.Name, "/"):
		return invalid("name", "has a slash, which names a provider's model on the OpenAI paths")
	}
	for _, k := range known {
		if k.ID != a.ID && strings.EqualFold(k.Name, a.Name) {
			return stockhand.Errorf(stockhand.CodeConflict, "the organization has an agent of that name").WithHint(
				"choose another name, or change %s", k.ID)
		}
	}
	for i, name := range a.Tools {
		if known, err := s.knowsTool(ctx, name); err != nil {
			return err
		} else if !known {
			return invalid(fmt.Sprintf("tools[%d]", i), "there is no such tool; GET /tools lists them")
		}
	}
	if len(a.Connections) == 0 {
		return nil
	}
	connected, err := s.Connections.Store.Connections(ctx, stockhand.ActorOf(ctx).Org)
	if err != nil {
		return err
	}
	for i, id := range a.Connections {
		if !slices.ContainsFunc(connected, func(c stockhand.Connection) bool { return c.ID == id }) {
			return invalid(fmt.Sprintf("connections[%d]", i),
				"there is no such connection; GET /connections lists them")
		}
	}
	return nil
}

// knowsTool looks among the tools of the connectors, and among those that the organization's connections give beside
// them.
func (s *Server) knowsTool(ctx context.Context, name string) (bool, error) {
	for _, k := range s.Connections.Kinds {
		for _, t := range k.Tools {
			if t.Name == name {
				return true, nil
			}
		}
	}
	if !strings.HasPrefix(name, connector.MCP+"_") {
		return false, nil
	}
	connected, err := s.Connections.Store.Connections(ctx, stockhand.ActorOf(ctx).Org)
	if err != nil {
		return false, err
	}
	for _, c := range connected {
		if c.Connector != connector.MCP {
			continue
		}
		account, err := s.Connections.Open(ctx, c)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(account.Tools(), func(t tool.Tool) bool { return t.Name == name }) {
			return true, nil
		}
	}
	return false, nil
}

// agentEntry tells the audit log of a profile: what it may do, and not its instructions, which may be long.
func agentEntry(actor stockhand.Actor, action string, a stockhand.AgentProfile) stockhand.AuditEntry {
	detail, err := json.Marshal(map[string]any{"agent": a.ID, "name": a.Name, "tools": a.Tools,
		"connections": a.Connections})
	if err != nil {
		detail = json.RawMessage("{}") // strings alone: it cannot fail
	}
	return stockhand.AuditEntry{At: a.Updated, Actor: actor.Name, Action: action, Detail: detail}
}
