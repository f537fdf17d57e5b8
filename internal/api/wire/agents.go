package wire

import (
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
)

// SystemAgent is the agent that every organization has.
func SystemAgent(l stockhand.Language) stockhand.AgentProfile {
	return stockhand.AgentProfile{
		ID: stockhand.SystemAgent, Name: "Stockhand", System: true, Description: l.Pick(
			"Отвечает на вопросы об учётной системе по её данным и готовит черновики документов",
			"Answers questions about the inventory account from its own data, and prepares drafts of documents"),
	}
}

// AgentEntry is the audit entry of a changed agent, without its instructions, which may be long.
func AgentEntry(actor stockhand.Actor, action string, a stockhand.AgentProfile) stockhand.AuditEntry {
	detail, err := json.Marshal(map[string]any{"agent": a.ID, "name": a.Name, "tools": a.Tools,
		"connections": a.Connections})
	if err != nil {
		detail = json.RawMessage("{}") // only strings: it cannot fail
	}
	return stockhand.AuditEntry{At: a.Updated, Actor: actor.Name, Action: action, Detail: detail}
}

// Agent is a profile as the API shows it.
type Agent struct {
	ID           stockhand.AgentID        `json:"id" doc:"Send it as agent_id, or as model on OpenAI paths"`
	Name         string                   `json:"name"`
	Description  string                   `json:"description"`
	Instructions string                   `json:"instructions" doc:"Added to the built-in instructions; they never replace them"`
	Tools        []string                 `json:"tools" doc:"The tools it may call; empty for all"`
	Connections  []stockhand.ConnectionID `json:"connections" doc:"The connections it may use; empty for all accounts and no MCP server"`
	System       bool                     `json:"system" doc:"True for the built-in agent, which cannot be changed"`
	Created      *time.Time               `json:"created_at" doc:"Null for the built-in agent"`
	Updated      *time.Time               `json:"updated_at" doc:"Null for the built-in agent"`
}

// AgentOf converts an agent profile.
func AgentOf(a stockhand.AgentProfile) Agent {
	out := Agent{
		ID: a.ID, Name: a.Name, Description: a.Description, Instructions: a.Instructions, System: a.System,
		Tools:       OrEmpty(a.Tools),
		Connections: OrEmpty(a.Connections),
	}
	if !a.System {
		out.Created, out.Updated = &a.Created, &a.Updated
	}
	return out
}

// AgentFields are the fields of a new agent.
type AgentFields struct {
	Name         string                   `json:"name" minLength:"1" maxLength:"100" example:"Purchasing" doc:"Unique in the organization"`
	Description  string                   `json:"description,omitempty" maxLength:"500"`
	Instructions string                   `json:"instructions,omitempty" maxLength:"8000" doc:"Added to the built-in instructions; they never replace them"`
	Tools        []string                 `json:"tools,omitempty" maxItems:"100" doc:"Names of the tools it may call; all if empty or omitted"`
	Connections  []stockhand.ConnectionID `json:"connections,omitempty" maxItems:"100" doc:"The connections it may use: all accounts, and no MCP server, if empty or omitted"`
}

// AgentChange are the fields of an agent that can change; omitted ones keep their value.
type AgentChange struct {
	Name         *string                   `json:"name,omitempty" minLength:"1" maxLength:"100"`
	Description  *string                   `json:"description,omitempty" maxLength:"500"`
	Instructions *string                   `json:"instructions,omitempty" maxLength:"8000"`
	Tools        *[]string                 `json:"tools,omitempty" maxItems:"100"`
	Connections  *[]stockhand.ConnectionID `json:"connections,omitempty" maxItems:"100"`
}
