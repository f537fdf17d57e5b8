package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/measure"
	"github.com/stockhand/stockhand/internal/reports"
	"github.com/stockhand/stockhand/internal/tool"
)

// analyst returns the connector that answers queries: that of a connection, or the first one that does.
func (s *Server) analyst(ctx context.Context, id stockhand.ConnectionID) (connector.Kind, stockhand.Connection, error) {
	var c stockhand.Connection
	if id == "" {
		for _, k := range s.Connections.Kinds {
			if k.Catalogue != nil {
				return k, c, nil
			}
		}
	} else {
		actor := stockhand.ActorOf(ctx)
		err := actor.Binding.Connection(id)
		if err == nil {
			c, err = s.Connections.Store.Connection(ctx, actor.Org, id)
		}
		if err != nil {
			return connector.Kind{}, c, err
		}
		if k, err := s.Connections.Kind(c.Connector); err != nil || k.Catalogue != nil {
			return k, c, err
		}
	}
	return connector.Kind{}, c, stockhand.Errorf(stockhand.CodeNotFound, "the connection answers no queries").
		WithHint("GET /tools lists what it can do.")
}

func (s *Server) getCatalogue(ctx context.Context, in *struct {
	OfConnection
	Measure string `query:"measure" maxLength:"100" doc:"Only this measure and the dimensions that it allows"`
}) (*Answer[wire.Catalogue], error) {
	k, c, err := s.analyst(ctx, in.Connection)
	actor := stockhand.ActorOf(ctx)
	if err == nil && c.ID != "" {
		err = actor.Binding.Tool(k.Analyze)
	}
	if err != nil {
		return nil, err
	}
	all, err := s.Connections.Catalogue(ctx, k, c, actor)
	if err != nil {
		return nil, err
	}
	catalogue, err := wire.CatalogueOf(all, in.Measure)
	if err != nil {
		return nil, err
	}
	return answerOf(catalogue)
}

func (s *Server) listMeasures(ctx context.Context, in *struct {
	Org stockhand.OrgID `path:"org_id"`
	Page
}) (*List[wire.OwnMeasure], error) {
	return pageOf(in.Page, func(m measure.Measure) string { return m.Name }, wire.OwnMeasureOf,
		func(after string, _ int) ([]measure.Measure, error) { return s.Measures.After(ctx, in.Org, after) })
}

func (s *Server) listReports(ctx context.Context, in *struct{ Page }) (*List[wire.Report], error) {
	return pageOf(in.Page, func(r reports.Report) stockhand.ReportID { return r.ID }, wire.ReportOf,
		func(after stockhand.ReportID, _ int) ([]reports.Report, error) {
			all, err := s.Reports.List(ctx, stockhand.ActorOf(ctx))
			return slices.DeleteFunc(all, func(r reports.Report) bool { return r.ID <= after }), err
		})
}

func (s *Server) executeQuery(ctx context.Context, in *struct {
	ExecuteWait
	Body struct {
		wire.Query
		ConnectionID stockhand.ConnectionID `json:"connection_id,omitempty" doc:"The account; optional if only one is connected"`
		Language     stockhand.Language     `json:"language,omitempty" enum:"ru,en" doc:"The answer's language; by default that of Accept-Language"`
	}
}) (*operationAnswer, error) {
	k, _, err := s.analyst(ctx, in.Body.ConnectionID)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(in.Body.Query)
	if err != nil {
		return nil, err
	}
	if dryRun(ctx) {
		plan, err := s.planQuery(ctx, k, in.Body.ConnectionID, raw, cmp.Or(in.Body.Language, languageOf(ctx)))
		return &operationAnswer{Status: http.StatusOK, Body: plan}, err
	}
	turn, err := s.execute(ctx, toolCall{wait: in.Wait, tool: k.Analyze, connection: in.Body.ConnectionID,
		arguments: raw, language: in.Body.Language})
	if err != nil {
		return nil, err
	}
	return turn.asOperation(), nil
}

// planTime is how long the reading of names and sizes for a plan may take.
const planTime = 2 * time.Minute

// planQuery returns what a query would read. It sends requests, so it is admitted like a call and may not take longer
// than planTime.
func (s *Server) planQuery(ctx context.Context, k connector.Kind, id stockhand.ConnectionID, query json.RawMessage,
	l stockhand.Language) (plan *tool.Plan, err error) {
	actor := stockhand.ActorOf(ctx)
	id, err = actor.Binding.Means(id)
	if err = cmp.Or(err, actor.Binding.Tool(k.Analyze)); err != nil {
		return nil, err
	}
	c, err := s.Connections.Choose(ctx, actor.Org, id, k.Name)
	if err != nil {
		return nil, err
	}
	if err := s.Agent.Admit(ctx, actor.Org, actor.Name); err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, planTime)
	defer stop()
	_, err = s.Connections.With(ctx, c, actor, func(ctx context.Context, a connector.Account) (err error) {
		plan, err = connector.Plan(ctx, a, k.Analyze, tool.Env{Language: l}, query)
		return err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = stockhand.Errorf(stockhand.CodeExternalUnavailable, "the external system took too long to answer")
	}
	return plan, err
}
