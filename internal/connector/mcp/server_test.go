package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const token = "remote-secret"

// loopback is where the tests' servers are.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

// other is another party's MCP server: the official SDK's, over TCP.
type other struct {
	*httptest.Server

	mcp *sdk.Server

	mu    sync.Mutex
	calls map[string]int // of tools, by name
	seen  []json.RawMessage
	cut   bool // hang up in the middle of the next call
}

func (o *other) count(name string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.calls[name]
}

func object(properties map[string]*jsonschema.Schema, required ...string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: properties, Required: required}
}

var (
	yes      = true
	readOnly = &sdk.ToolAnnotations{ReadOnlyHint: true}
)

// serve starts a server with tools of every kind.
func serve(t *testing.T) *other {
	t.Helper()
	o := &other{mcp: sdk.NewServer(&sdk.Implementation{Name: "desk", Title: "Service desk", Version: "3"}, nil),
		calls: map[string]int{}}
	o.add("list_tickets", readOnly, object(
		map[string]*jsonschema.Schema{"state": {Type: "string", Enum: []any{"open", "closed"}}}),
		func() (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "two tickets"}},
				StructuredContent: json.RawMessage(
					`{"count": 2, "tickets": [{"id": 12345678901234567, "title": "Broken <b>scale</b>", "hours": 0.1, "urgent": true, "long": 12345678901234567890123},
			  {"id": 2, "title": "Paper", "hours": null, "urgent": false, "tags": ["a", "b"], "long": 1}]}`)}, nil
		})
	o.add("notes", readOnly, object(nil), func() (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "first"},
			&sdk.ImageContent{Data: []byte("x"), MIMEType: "image/png"}, &sdk.TextContent{Text: "second"}}}, nil
	})
	o.add("fails", readOnly, object(nil), func() (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{IsError: true,
				Content: []sdk.Content{&sdk.TextContent{Text: "no such desk\u202e " +
					strings.Repeat("very long ", 200)}}},
			nil
	})
	o.add("huge", readOnly, object(nil), func() (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: strings.Repeat("x", 5<<20)}}}, nil
	})
	o.add("create_ticket", nil, object(map[string]*jsonschema.Schema{"title": {Type: "string"},
		"amount": {Type: "number"}}, "title"), func() (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "ticket 77 was created"}}}, nil
	})
	o.add("refuses", &sdk.ToolAnnotations{}, object(nil), func() (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "the desk is closed"}}},
			nil
	})
	o.add("both", &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, object(nil), nil)
	o.add("endless", readOnly, &jsonschema.Schema{Type: "object",
		Properties: map[string]*jsonschema.Schema{"next": {Ref: "#/$defs/node"}}, Defs: map[string]*jsonschema.Schema{
			"node": {Type: "object", Properties: map[string]*jsonschema.Schema{"next": {Ref: "#/$defs/node"}}},
		}}, nil)
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return o.mcp }, nil)
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/elsewhere":
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
		case r.Header.Get("Authorization") != "Bearer "+token:
			http.Error(w, "who are you", http.StatusUnauthorized)
		default:
			handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(o.Server.CloseClientConnections)
	t.Cleanup(o.Server.Close)
	return o
}

// add gives the server a tool, in place of one of that name.
func (o *other) add(name string, hints *sdk.ToolAnnotations, input *jsonschema.Schema,
	do func() (*sdk.CallToolResult, error)) {
	o.mcp.AddTool(&sdk.Tool{Name: name, Description: "The desk's own words about " + name, InputSchema: input,
		Annotations: hints}, func(_ context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		o.mu.Lock()
		o.calls[name]++
		o.seen = append(o.seen, q.Params.Arguments)
		cut := o.cut
		o.cut = false
		o.mu.Unlock()
		if cut {
			o.Server.CloseClientConnections()
		}
		return do()
	})
}
