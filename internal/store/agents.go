package store

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateAgent stores an agent profile and its audit entry. It generates an empty ID. It returns CONFLICT when the
// organization already has an agent with that name.
func (db *DB) CreateAgent(ctx context.Context, org stockhand.OrgID, a stockhand.AgentProfile,
	entry stockhand.AuditEntry) (stockhand.AgentProfile, error) {
	if err := belongs(org, a.Org); err != nil {
		return stockhand.AgentProfile{}, err
	}
	a.ID, a.Org = orNew(a.ID, "agt"), org
	row, err := agentRow(a)
	if err != nil {
		return stockhand.AgentProfile{}, err
	}
	err = db.write(ctx, "store the agent", func(q *sqlc.Queries) error {
		if err := q.InsertAgent(ctx, sqlc.InsertAgentParams(row)); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
	return agentProfile(row), err
}

// Agent returns an agent profile.
func (db *DB) Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error) {
	row, err := db.read.Agent(ctx, sqlc.AgentParams{OrgID: string(org), ID: string(id)})
	return one(db, "agent", row, err, agentProfile)
}

// Agents returns the organization's agent profiles, oldest first.
func (db *DB) Agents(ctx context.Context, org stockhand.OrgID) ([]stockhand.AgentProfile, error) {
	rows, err := db.read.Agents(ctx, string(org))
	return many(db, "agents", rows, err, agentProfile)
}

// UpdateAgent replaces the contents of a profile and stores the audit entry. It returns CONFLICT when another agent of
// the organization has that name.
func (db *DB) UpdateAgent(ctx context.Context, org stockhand.OrgID, a stockhand.AgentProfile,
	entry stockhand.AuditEntry) error {
	row, err := agentRow(a)
	if err != nil {
		return err
	}
	return db.write(ctx, "update the agent", func(q *sqlc.Queries) error {
		rows, err := q.UpdateAgent(ctx, sqlc.UpdateAgentParams{
			OrgID: string(org), ID: row.ID, Name: row.Name, Description: row.Description,
			Instructions: row.Instructions,
			Tools:        row.Tools, Connections: row.Connections, UpdatedAt: micros(time.Now()),
		})
		if err := touched("agent", rows, err); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
}

// DeleteAgent deletes a profile. Its sessions remain and continue with the built-in agent.
func (db *DB) DeleteAgent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID,
	entry stockhand.AuditEntry) error {
	return db.write(ctx, "delete the agent", func(q *sqlc.Queries) error {
		rows, err := q.DeleteAgent(ctx, sqlc.DeleteAgentParams{OrgID: string(org), ID: string(id)})
		if err := touched("agent", rows, err); err != nil {
			return err
		}
		return db.appendAudit(ctx, q, org, entry)
	})
}

func agentRow(a stockhand.AgentProfile) (sqlc.Agent, error) {
	tools, err := listText(a.Tools)
	if err != nil {
		return sqlc.Agent{}, err
	}
	ids := make([]string, len(a.Connections))
	for i, id := range a.Connections {
		ids[i] = string(id)
	}
	connections, err := listText(ids)
	created := micros(a.Created)
	return sqlc.Agent{
		OrgID: string(a.Org), ID: string(a.ID), Name: text(a.Name), Description: text(a.Description),
		Instructions: text(a.Instructions),
		Tools:        tools, Connections: connections, CreatedAt: created, UpdatedAt: created,
	}, err
}

func agentProfile(row sqlc.Agent) stockhand.AgentProfile {
	a := stockhand.AgentProfile{
		ID: stockhand.AgentID(row.ID), Org: stockhand.OrgID(row.OrgID), Name: row.Name, Description: row.Description,
		Instructions: row.Instructions,
		Tools:        list(row.Tools), Created: moment(row.CreatedAt), Updated: moment(row.UpdatedAt),
	}
	for _, id := range list(row.Connections) {
		a.Connections = append(a.Connections, stockhand.ConnectionID(id))
	}
	return a
}
