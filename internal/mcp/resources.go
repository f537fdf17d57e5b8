package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

const (
	agentsURI      = "stockhand://agents"
	connectionsURI = "stockhand://connections"
	draftsURI      = "stockhand://drafts"
	resultsURI     = "stockhand://results"
)

func draftURI(id stockhand.DraftID) string   { return draftsURI + "/" + string(id) }
func resultURI(id stockhand.ResultID) string { return resultsURI + "/" + string(id) }

// read reads a resource; id is the last part of its URI.
type read func(c caller, ctx context.Context, id string) (any, error)

var resources = []struct {
	resource *sdk.Resource
	read     read
}{
	{&sdk.Resource{URI: connectionsURI, Name: "connections", Title: "Connected accounts", MIMEType: "application/json",
		Description: "The connected accounts with their connection_id"}, caller.connections},
	{&sdk.Resource{URI: agentsURI, Name: "agents", Title: "Agents", MIMEType: "application/json",
		Description: "The organization's own agents, with their agent_id for the tool ask"}, caller.agents},
	{&sdk.Resource{URI: draftsURI, Name: "drafts", Title: "Drafts", MIMEType: "application/json",
		Description: "The newest drafts and the states of their documents"}, caller.drafts},
}

var templates = []struct {
	template *sdk.ResourceTemplate
	read     read
}{
	{&sdk.ResourceTemplate{URITemplate: draftsURI + "/{id}", Name: "draft", Title: "Draft",
		MIMEType:    "application/json",
		Description: "A draft: its documents with their lines, totals and states"}, caller.draft},
	{&sdk.ResourceTemplate{URITemplate: resultsURI + "/{id}{?from}", Name: "result", Title: "Result",
		MIMEType:    "application/json",
		Description: "The table that a tool returned, or its first rows and in next the resource with more"},
		caller.storedResult},
}

// reads returns a handler. Resources that the caller may not see are reported as missing (rule R37).
func (c caller) reads(f read) sdk.ResourceHandler {
	return func(ctx context.Context, q *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		id := q.Params.URI[strings.LastIndexByte(q.Params.URI, '/')+1:]
		v, err := f(c, ctx, id)
		if err != nil {
			if refusal, ok := errors.AsType[*jsonrpc.Error](err); ok {
				return nil, refusal
			}
			if stockhand.CodeOf(err) == stockhand.CodeResultExpired {
				return nil, errors.New(stockhand.ErrResultExpired.Message)
			}
			if stockhand.CodeOf(err) != stockhand.CodeNotFound {
				c.Logger.ErrorContext(ctx, "read a resource", "uri", q.Params.URI, "err", err)
				return nil, errors.New("an internal error occurred; try again")
			}
			return nil, sdk.ResourceNotFoundError(q.Params.URI)
		}
		b, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: q.Params.URI,
			MIMEType: "application/json", Text: string(b)}}}, nil
	}
}

func (c caller) connections(ctx context.Context, _ string) (any, error) {
	if err := c.mayList(stockhand.ScopeReadData); err != nil {
		return nil, err
	}
	type account struct {
		ID        stockhand.ConnectionID `json:"connection_id"`
		Connector string                 `json:"connector"`
		Account   stockhand.AccountID    `json:"account_id"`
		Label     string                 `json:"label"`
	}
	list, err := c.Store.Connections(ctx, c.actor.Org)
	all := []account{}
	for _, one := range list {
		if c.actor.Binding.Sees(one.ID) {
			all = append(all, account{one.ID, one.Connector, one.Account, one.Label})
		}
	}
	return all, err
}

func (c caller) agents(ctx context.Context, _ string) (any, error) {
	if err := c.mayList(stockhand.ScopeReadTools); err != nil {
		return nil, err
	}
	type profile struct {
		ID          stockhand.AgentID `json:"agent_id"`
		Name        string            `json:"name"`
		Description string            `json:"description"`
	}
	list, err := c.Store.Agents(ctx, c.actor.Org)
	all := []profile{}
	for _, p := range c.actor.Binding.Offered(list) {
		all = append(all, profile{p.ID, p.Name, p.Description})
	}
	return all, err
}

func (c caller) drafts(ctx context.Context, _ string) (any, error) {
	by := ""
	if !c.actor.May(stockhand.ScopeReadData) {
		by = c.actor.Name
	}
	list, err := c.Recent(ctx, c.actor.Org, by)
	if err != nil {
		return nil, err
	}
	return tool.ReadDrafts(list)
}

func (c caller) draft(ctx context.Context, id string) (any, error) {
	d, err := c.Drafts.Draft(ctx, c.actor.Org, stockhand.DraftID(id))
	if err != nil {
		return nil, err
	}
	if !c.actor.MaySee(d.By) {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "no such draft in this organization")
	}
	return tool.ReadDraft(d)
}

// maxResource bounds the rows of a resource in bytes: a client gives them to its model.
const maxResource = 256 << 10

func (c caller) storedResult(ctx context.Context, id string) (any, error) {
	id, position, more := strings.Cut(id, "?from=")
	from, err := strconv.Atoi(cmp.Or(position, "0"))
	if err != nil || from < 0 || more && position == "" {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "no such result in this organization")
	}
	kept, err := c.Store.Result(ctx, c.actor.Org, stockhand.ResultID(id))
	if err != nil {
		return nil, err
	}
	r, err := c.Store.Run(ctx, c.actor.Org, kept.Run)
	if err != nil {
		return nil, err
	}
	if !c.actor.MaySee(r.By) {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "no such result in this organization")
	}
	if kept.Expired {
		return nil, stockhand.ErrResultExpired
	}
	var pages []stockhand.RowPage
	size, to := 0, from
	for p, err := range c.Store.ResultRows(ctx, c.actor.Org, kept.ID, from, kept.Rows) {
		if err != nil {
			return nil, err
		}
		if size += len(p.Rows); size > maxResource && len(pages) > 0 {
			break
		}
		pages, to = append(pages, p), to+p.Count
	}
	head := struct {
		ID    stockhand.ResultID `json:"id"`
		Count int                `json:"row_count"`
		Next  string             `json:"next,omitempty"`
	}{ID: kept.ID, Count: kept.Rows}
	if to < kept.Rows {
		head.Next = resultURI(kept.ID) + "?from=" + strconv.Itoa(to)
	}
	var b bytes.Buffer
	err = tool.WriteStored(&b, head, kept, func(yield func(stockhand.RowPage, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
	})
	return json.RawMessage(b.Bytes()), err
}
