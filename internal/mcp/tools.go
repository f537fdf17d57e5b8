package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/tool"
)

// commonArguments are those that every tool takes besides its own.
var commonArguments = map[string]*jsonschema.Schema{
	"connection_id": {Type: "string", Description: "The account, if several are connected: con_…"},
	"language":      {Type: "string", Enum: []any{"ru", "en"}, Description: "The language of the answer"},
}

var no = false

// askTool gives the agent a task.
var askTool = &sdk.Tool{
	Name: "ask", Title: "Ask the inventory agent",
	Description: "Answers a question about the account in plain Russian or English from the account's own data, or prepares a draft " +
		"(supplier orders, transfers, prices) for a person to confirm. Pass the session_id of an earlier answer to continue it.",
	InputSchema: askSchema,
	Annotations: &sdk.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no},
}

var askSchema = &jsonschema.Schema{
	Type: "object", Required: []string{"task"}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	Properties: with(commonArguments, map[string]*jsonschema.Schema{
		"task":       {Type: "string", Description: "The question, in the person's own words"},
		"session_id": {Type: "string", Description: "A conversation to continue: ses_…"},
		"agent_id": {Type: "string",
			Description: "One of the organization's agents (resource stockhand://agents); by default the built-in one"},
	}),
}

// describe converts a tool to the protocol's.
func describe(t tool.Tool) *sdk.Tool {
	schema := *t.Input.Schema
	schema.Properties = with(commonArguments, schema.Properties)
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

// ask starts a turn and waits for its answer.
func (c caller) ask(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct {
		Task       string                 `json:"task"`
		Session    stockhand.SessionID    `json:"session_id"`
		Connection stockhand.ConnectionID `json:"connection_id"`
		Language   stockhand.Language     `json:"language"`
		Agent      stockhand.AgentID      `json:"agent_id"`
	}
	if err := decodeArguments(q.Params.Arguments, askSchema, &in); err != nil {
		return c.failed(err), nil
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
		turn, err := c.Agent.Start(ctx, c.actor.Org,
			agent.Task{Text: in.Task, Session: in.Session, Connection: in.Connection, Language: in.Language,
				Agent: in.Agent, Actor: c.actor})
		return turn, renameField(err, "message", "task")
	})
}

// tool calls one tool and waits for what it returns.
func (c caller) tool(name string) sdk.ToolHandler {
	return func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in struct {
			Connection stockhand.ConnectionID `json:"connection_id"`
			Language   stockhand.Language     `json:"language"`
		}
		if err := decodeArguments(q.Params.Arguments, nil, &in); err != nil {
			return c.failed(err), nil
		}
		own := map[string]json.RawMessage{}
		_ = json.Unmarshal(q.Params.Arguments, &own) // decodeArguments has checked it
		for name := range commonArguments {
			delete(own, name)
		}
		arguments, err := json.Marshal(own)
		if err != nil {
			return nil, err
		}
		language := cmp.Or(in.Language, c.language)
		return c.run(ctx, q, language, func() (agent.Turn, error) {
			return c.Agent.Execute(ctx, c.actor.Org,
				agent.Execution{Tool: name, Connection: in.Connection, Arguments: arguments, Language: language,
					Actor: c.actor})
		})
	}
}

// run starts a run, reports its progress, and returns its outcome. A failure is a result that the model can read. A
// client that cancels or disconnects cancels the run.
func (c caller) run(ctx context.Context, q *sdk.CallToolRequest, l stockhand.Language,
	begin func() (agent.Turn, error)) (*sdk.CallToolResult, error) {
	if err := c.Allow(c.actor, stockhand.ScopeWriteTools); err != nil {
		return c.failed(err), nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-c.gone:
			stop()
		case <-ctx.Done():
		}
	}()
	if l != "" && l != stockhand.Russian && l != stockhand.English {
		return c.failed(stockhand.Errorf(stockhand.CodeValidation, `language must be "ru" or "en"`)), nil
	}
	turn, err := begin()
	if err != nil {
		return c.failed(err), nil
	}
	progress := progressOf(q)
	for e, err := range c.Agent.Follow(ctx, c.actor.Org, turn.Run, 0) {
		if err != nil {
			if ctx.Err() == nil && !errors.Is(err, agent.ErrLeaving) {
				c.Logger.ErrorContext(ctx, "wait for a run", "run", turn.Run, "err", err)
			}
			return c.failed(c.Agent.GiveUp(ctx, c.actor.Org, turn, err)), nil
		}
		progress.report(ctx, e)
	}
	f, err := c.Agent.Finished(ctx, c.actor.Org, turn.Run)
	if err != nil {
		return c.failed(err), nil
	}
	switch {
	case f.Failure != nil:
		return c.failed(&stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint}), nil
	case f.Cancelled:
		return c.failed(stockhand.Errorf(stockhand.CodeConflict, "the work was cancelled")), nil
	}
	return c.result(f)
}

// failed describes an error to the model. Errors that are not ours are only logged.
func (c caller) failed(err error) *sdk.CallToolResult {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code == stockhand.CodeInternal {
		e = &stockhand.Error{Code: stockhand.CodeInternal, Message: "an internal error occurred",
			Hint: "Try again. The server's log has the details."}
	}
	words := e.In(c.language)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Code, words.Message)
	for _, f := range e.Fields {
		fmt.Fprintf(&b, "\n- %s: %s", f.Field, f.Message)
	}
	if words.Hint != "" {
		fmt.Fprintf(&b, "\n%s", words.Hint)
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: b.String()}}}
}

// decodeArguments decodes a call's arguments. Without a schema it accepts unknown ones. Errors name the argument.
func decodeArguments(arguments json.RawMessage, schema *jsonschema.Schema, into any) error {
	given := map[string]json.RawMessage{}
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	if err := json.Unmarshal(arguments, &given); err != nil {
		return stockhand.Errorf(stockhand.CodeValidation, "the arguments must be a JSON object")
	}
	if schema != nil {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			if schema.Properties[name] == nil {
				return invalid(name, "unknown argument")
			}
		}
		for _, name := range schema.Required {
			if given[name] == nil {
				return invalid(name, "is required")
			}
		}
	}
	err := json.Unmarshal(arguments, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return invalid(wrong.Field, "must be a string")
	}
	return err
}

// invalid is the error of one argument.
func invalid(name, message string) error {
	e := stockhand.Errorf(stockhand.CodeValidation, "the arguments are not valid").WithHint(
		"See the tool's input schema.")
	e.Fields = []stockhand.FieldError{{Field: name, Message: message}}
	return e
}

// renameField renames a field in a validation error.
func renameField(err error, from, to string) error {
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok {
		return err
	}
	renamed := *e
	renamed.Fields = slices.Clone(e.Fields)
	for i := range renamed.Fields {
		if renamed.Fields[i].Field == from {
			renamed.Fields[i].Field = to
		}
	}
	return &renamed
}
