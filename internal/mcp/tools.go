package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/tool"
)

// about are the arguments that every tool takes beside its own.
var about = map[string]*jsonschema.Schema{
	"connection_id": {Type: "string", Description: "The account to ask, where several are connected: con_…"},
	"language":      {Type: "string", Enum: []any{"ru", "en"}, Description: "The language of the answer"},
}

var no = false

// askTool gives the agent a task in a person's words.
var askTool = &sdk.Tool{
	Name: "ask", Title: "Ask the inventory agent",
	Description: "Answers a question about the account in plain Russian or English from the account's own data, or prepares a draft " +
		"(supplier orders, transfers, prices) for a person to confirm. Name the session_id of an earlier answer to go on with it.",
	InputSchema: &jsonschema.Schema{
		Type: "object", Required: []string{"task"}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		Properties: with(about, map[string]*jsonschema.Schema{
			"task":       {Type: "string", Description: "The question, in the person's own words"},
			"session_id": {Type: "string", Description: "A conversation to go on with: ses_…"},
			"agent_id": {Type: "string",
				Description: "One of the organization's agents (resource stockhand://agents); the system's own where none is named"},
		}),
	},
	Annotations: &sdk.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no},
}

// describe is a tool of ours as one of the protocol's.
func describe(t tool.Tool) *sdk.Tool {
	schema := *t.Input.Schema
	schema.Properties = with(about, schema.Properties)
	schema.PropertyOrder = nil
	return &sdk.Tool{
		Name: t.Name, Title: t.Title.EN, Description: t.About.EN, InputSchema: &schema,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !t.Proposes(), DestructiveHint: &no,
			IdempotentHint: !t.Proposes(), OpenWorldHint: &no},
	}
}

func with(more, own map[string]*jsonschema.Schema) map[string]*jsonschema.Schema {
	all := maps.Clone(more)
	maps.Copy(all, own)
	return all
}

// ask begins a turn of a conversation and waits for its answer.
func (c caller) ask(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct {
		Task       string                 `json:"task"`
		Session    stockhand.SessionID    `json:"session_id"`
		Connection stockhand.ConnectionID `json:"connection_id"`
		Language   stockhand.Language     `json:"language"`
		Agent      stockhand.AgentID      `json:"agent_id"`
	}
	if err := strict(q.Params.Arguments, &in); err != nil {
		return failed(err), nil
	}
	return c.run(ctx, q, in.Language, func() (agent.Turn, error) {
		if in.Agent != "" && in.Agent != stockhand.SystemAgent {
			if _, err := c.Store.Agent(ctx, c.actor.Org, in.Agent); err != nil {
				return agent.Turn{}, err
			}
		}
		if in.Session != "" {
			known, err := c.Store.Session(ctx, c.actor.Org, in.Session)
			if err == nil && !c.actor.MaySee(known.By) {
				err = stockhand.Errorf(stockhand.CodeNotFound, "no such session in this organization")
			}
			if err != nil {
				return agent.Turn{}, err
			}
		}
		return c.Agent.Start(ctx, c.actor.Org,
			agent.Task{Text: in.Task, Session: in.Session, Connection: in.Connection, Language: in.Language,
				Agent: in.Agent, Actor: c.actor})
	})
}

// tool calls one tool and waits for what it returns.
func (c caller) tool(name string) sdk.ToolHandler {
	return func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		arguments := map[string]json.RawMessage{}
		if len(q.Params.Arguments) > 0 {
			if err := json.Unmarshal(q.Params.Arguments, &arguments); err != nil {
				return failed(stockhand.Errorf(stockhand.CodeValidation, "the arguments are not a JSON object")), nil
			}
		}
		var in struct {
			Connection stockhand.ConnectionID `json:"connection_id"`
			Language   stockhand.Language     `json:"language"`
		}
		if err := json.Unmarshal(q.Params.Arguments, &in); err != nil && len(q.Params.Arguments) > 0 {
			return failed(stockhand.Errorf(stockhand.CodeValidation, "connection_id and language are strings")), nil
		}
		for name := range about {
			delete(arguments, name)
		}
		own, err := json.Marshal(arguments)
		if err != nil {
			return nil, err
		}
		return c.run(ctx, q, in.Language, func() (agent.Turn, error) {
			return c.Agent.Execute(ctx, c.actor.Org,
				agent.Execution{Tool: name, Connection: in.Connection, Arguments: own, Language: in.Language,
					Actor: c.actor})
		})
	}
}

// run begins a run, tells the client how it goes, and gives what came of it. A tool's failure is a result that the
// model at the other end can read; a client that goes away or cancels ends the run.
func (c caller) run(ctx context.Context, q *sdk.CallToolRequest, l stockhand.Language,
	begin func() (agent.Turn, error)) (*sdk.CallToolResult, error) {
	if err := c.Allow(c.actor, stockhand.ScopeWriteTools); err != nil {
		return failed(err), nil
	}
	if l != "" && l != stockhand.Russian && l != stockhand.English {
		return failed(stockhand.Errorf(stockhand.CodeValidation, `language is "ru" or "en"`)), nil
	}
	turn, err := begin()
	if err != nil {
		return failed(err), nil
	}
	progress := progressOf(q)
	for e, err := range c.Agent.Follow(ctx, c.actor.Org, turn.Run, 0) {
		if err != nil {
			c.abandon(ctx, turn)
			return c.broken(ctx, turn, err), nil
		}
		progress.tell(ctx, e)
	}
	f, err := c.Agent.Finished(ctx, c.actor.Org, turn.Run)
	if err != nil {
		return c.broken(ctx, turn, err), nil
	}
	switch {
	case f.Failure != nil:
		return failed(&stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint}), nil
	case f.Cancelled:
		return failed(stockhand.Errorf(stockhand.CodeConflict, "the work was cancelled")), nil
	}
	return c.result(f), nil
}

// broken is what a client reads of a run that could not be waited for. On a replica that stops it has to be asked
// again.
func (c caller) broken(ctx context.Context, turn agent.Turn, err error) *sdk.CallToolResult {
	if errors.Is(err, agent.ErrLeaving) {
		return failed(stockhand.Errorf(stockhand.CodeModelUnavailable, "this server is about to stop").WithHint(
			"call again; nothing was changed"))
	}
	if ctx.Err() == nil {
		c.Logger.ErrorContext(ctx, "wait for a run", "run", turn.Run, "err", err)
	}
	return failed(err)
}

func (c caller) abandon(ctx context.Context, turn agent.Turn) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer stop()
	if err := c.Agent.Cancel(ctx, c.actor.Org, turn.Run); err != nil &&
		stockhand.CodeOf(err) != stockhand.CodeConflict {
		c.Logger.WarnContext(ctx, "cancel an abandoned run", "run", turn.Run, "err", err)
	}
}

// failed is a tool's failure as the model reads it: what happened and what can be done. What is not ours stays inside.
func failed(err error) *sdk.CallToolResult {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code == stockhand.CodeInternal {
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "something went wrong inside Stockhand",
			Hint: "try again; the server's log has the details"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Code, e.Message)
	for _, f := range e.Fields {
		fmt.Fprintf(&b, "\n- %s: %s", f.Field, f.Message)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "\n%s", e.Hint)
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: b.String()}}}
}

// strict reads arguments and refuses unknown ones.
func strict(arguments json.RawMessage, into any) error {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	d := json.NewDecoder(strings.NewReader(string(arguments)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return stockhand.Errorf(stockhand.CodeValidation, "the arguments do not fit the tool's schema").WithHint(
			"see the tool's input schema")
	}
	return nil
}
