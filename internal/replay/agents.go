package replay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/cassette"
)

// owner is who sets up what the organization of a cassette had.
func (s *stage) owner() stockhand.Actor {
	return stockhand.Actor{Org: s.Org, Name: "replay", Person: true, Role: stockhand.RoleOwner,
		Scopes: []stockhand.Scope{stockhand.ScopeAdmin}}
}

// agent returns the agent of a turn, which it stores.
func (s *stage) agent(ctx context.Context, a *cassette.Agent) (stockhand.AgentID, error) {
	if a == nil {
		return stockhand.SystemAgent, nil
	}
	p := stockhand.AgentProfile{ID: stockhand.NewID[stockhand.AgentID]("agt"), Instructions: a.Instructions,
		Tools: a.Tools, Created: time.Now(), Updated: time.Now()}
	p.Name = string(p.ID)
	if err := s.connectAll(ctx, a.Servers); err != nil {
		return "", err
	}
	names := a.Connections
	for _, c := range a.Servers {
		names = append(slices.Clip(names), c.Name)
	}
	for _, name := range names {
		c, ok := s.connected[name]
		if !ok {
			return "", stockhand.Errorf(stockhand.CodeValidation, "the cassette has no connection %s", name)
		}
		p.Connections = append(p.Connections, c.id)
	}
	p, err := s.Store.CreateAgent(ctx, s.Org, p, stockhand.AuditEntry{Actor: s.owner().Name, Action: "agent.created",
		At: time.Now()})
	return p.ID, err
}

// define makes the organization's measures those of a turn.
func (s *stage) define(ctx context.Context, all []json.RawMessage) error {
	if slices.EqualFunc(all, s.measures, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return nil
	}
	err := each(s.measures, func(m analysis.OwnMeasure) error {
		_, err := s.Measures.Delete(ctx, s.owner(), m.Name)
		return err
	})
	if err != nil {
		return err
	}
	err = each(all, func(m analysis.OwnMeasure) error {
		_, err := s.Measures.Put(ctx, s.owner(), m)
		return err
	})
	if err != nil {
		return err
	}
	s.measures = all
	return nil
}

// each does something with every measure. One that cannot be done yet, because others use it or it uses others, is
// tried again after them.
func each(all []json.RawMessage, do func(analysis.OwnMeasure) error) error {
	for left := slices.Clone(all); len(left) > 0; {
		before, failed := len(left), error(nil)
		left = slices.DeleteFunc(left, func(one json.RawMessage) bool {
			var m analysis.OwnMeasure
			err := json.Unmarshal(one, &m)
			if err == nil {
				err = do(m)
			}
			failed = cmp.Or(failed, err)
			return err == nil
		})
		if len(left) == before {
			return failed
		}
	}
	return nil
}
