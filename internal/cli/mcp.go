package cli

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/client"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/mcp"
)

type mcpCmd struct {
	server

	Demo bool `help:"Serve a generated shop instead of a real account."`
}

// Help adds to stockhand mcp --help.
func (mcpCmd) Help() string {
	return "Speaks the Model Context Protocol on the standard input and output, for desktop assistants and editors that start it themselves:\n\n" +
		"    {\"mcpServers\": {\"stockhand\": {\"command\": \"stockhand\", \"args\": [\"mcp\"],\n" +
		"      \"env\": {\"STOCKHAND_MOYSKLAD_TOKEN\": \"…\"}}}}\n\n" +
		"With STOCKHAND_URL and STOCKHAND_API_KEY it passes everything on to a running server, about the accounts that are connected there; the server's own " +
		"address for clients that speak HTTP is its URL with /mcp.\n\n" +
		"There is no tool that confirms: a draft is confirmed with stockhand drafts confirm, or on the server."
}

func (c *mcpCmd) Run(ctx context.Context, e *env) error {
	here := mcp.Stdio(e.streams.In, e.streams.Out)
	if to := c.fromEnvironment(e); to.URL != "" && !c.Demo {
		return passOn(ctx, to, here)
	}
	var s *local
	var err error
	if c.Demo {
		s, err = openDemo(ctx, demoOptions{accounts: 1})
	} else {
		s, err = openReal(ctx, e)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	return ended(ctx, s.mcp().Server(s.person()).Run(ctx, here))
}

// mcp serves the local user, who may do everything that MCP offers.
func (s *local) mcp() *mcp.Service {
	return mcp.New(mcp.Config{
		Agent: s.Agent, Drafts: s.Drafts, Store: s.Store, Kinds: s.Connections.Kinds, Audit: s.Audit,
		Version:  app.Version(),
		Allow:    func(stockhand.Actor, stockhand.Scope) error { return nil },
		DraftURL: func(id stockhand.DraftID) string { return "stockhand://drafts/" + string(id) },
		Recent: func(ctx context.Context, org stockhand.OrgID, _ string) ([]stockhand.Draft, error) {
			return s.Drafts.Find(ctx, org, draft.Filter{}, "", 50)
		},
	})
}

// ended returns nil if the client disconnected, which is how a session ends, and the error otherwise.
func ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		return nil
	}
	return err
}

// passOn serves the tools and resources of a running server, calling them with the key.
func passOn(ctx context.Context, to server, here sdk.Transport) error {
	api, err := to.client()
	if err != nil {
		return err
	}
	if err := api.Me(ctx); err != nil { // reports a wrong key or address immediately, with our message
		return err
	}
	there := &sdk.StreamableClientTransport{
		Endpoint:             strings.TrimSuffix(strings.TrimRight(to.URL, "/"), "/api/v1") + "/mcp",
		HTTPClient:           &http.Client{Transport: signed(to), CheckRedirect: client.NoRedirects},
		DisableStandaloneSSE: true,
	}
	heard := &listeners{by: map[string]func(*sdk.ProgressNotificationParams){}}
	identity := &sdk.Implementation{Name: "stockhand", Title: "Stockhand", Version: app.Version()}
	session, err := sdk.NewClient(identity, &sdk.ClientOptions{ProgressNotificationHandler: heard.pass}).Connect(ctx,
		there, nil)
	if err != nil {
		return stockhand.Errorf(stockhand.CodeExternalUnavailable, "the server does not serve MCP: %w",
			err).WithHint("it may be of another version: compare stockhand version on both sides")
	}
	defer func() { _ = session.Close() }()
	near := sdk.NewServer(identity, &sdk.ServerOptions{Instructions: session.InitializeResult().Instructions})
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		near.AddTool(t, func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return heard.call(ctx, session, q)
		})
	}
	read := func(ctx context.Context, q *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return session.ReadResource(ctx, &sdk.ReadResourceParams{URI: q.Params.URI})
	}
	for r, err := range session.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		near.AddResource(r, read)
	}
	for t, err := range session.ResourceTemplates(ctx, nil) {
		if err != nil {
			return err
		}
		near.AddResourceTemplate(t, read)
	}
	return ended(ctx, near.Run(ctx, here))
}

// listeners forward progress of the server's calls to the client's calls.
type listeners struct {
	mu   sync.Mutex
	next int
	by   map[string]func(*sdk.ProgressNotificationParams)
}

func (l *listeners) pass(_ context.Context, q *sdk.ProgressNotificationClientRequest) {
	token, _ := q.Params.ProgressToken.(string)
	l.mu.Lock()
	f := l.by[token]
	l.mu.Unlock()
	if f != nil {
		f(q.Params)
	}
}

// call calls a tool on the server.
func (l *listeners) call(ctx context.Context, session *sdk.ClientSession, q *sdk.CallToolRequest) (*sdk.CallToolResult,
	error) {
	there := &sdk.CallToolParams{Name: q.Params.Name, Arguments: q.Params.Arguments}
	if mine := q.Params.GetProgressToken(); mine != nil {
		l.mu.Lock()
		l.next++
		token := "p" + strconv.Itoa(l.next)
		l.by[token] = func(p *sdk.ProgressNotificationParams) {
			note := *p
			note.ProgressToken = mine
			_ = q.Session.NotifyProgress(ctx, &note) // lost progress does no harm
		}
		l.mu.Unlock()
		defer func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.by, token)
		}()
		there.SetProgressToken(token)
	}
	return session.CallTool(ctx, there)
}

// signed adds the key, and the organization if set, to every request.
type signed server

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.Key)
	if s.Org != "" {
		r.Header.Set("X-Org-Id", s.Org)
	}
	return http.DefaultTransport.RoundTrip(r)
}
