package app

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/mcp"
)

type mcpCmd struct {
	remote

	Demo bool `help:"Serve a generated shop instead of a real account."`
}

// Help is what stockhand mcp --help adds.
func (mcpCmd) Help() string {
	return "Speaks the Model Context Protocol on the standard input and output, for desktop assistants and editors that start it themselves:\n\n" +
		"    {\"mcpServers\": {\"stockhand\": {\"command\": \"stockhand\", \"args\": [\"mcp\"], \"env\": {\"STOCKHAND_MOYSKLAD_TOKEN\": \"…\"}}}}\n\n" +
		"With STOCKHAND_URL and STOCKHAND_API_KEY it passes everything on to a running server, about the accounts that are connected there; the server's own " +
		"address for clients that speak HTTP is its URL with /mcp.\n\n" +
		"There is no tool that confirms: a draft is confirmed with stockhand drafts confirm, or on the server."
}

func (c *mcpCmd) Run(ctx context.Context, e *env) error {
	here := &sdk.IOTransport{Reader: io.NopCloser(e.streams.In), Writer: unclosed{e.streams.Out}}
	if server := c.fromEnvironment(e); server.URL != "" && !c.Demo {
		return passOn(ctx, server, here)
	}
	var s *service
	var err error
	if c.Demo {
		s, err = openDemo(ctx, e, demoOptions{accounts: 1})
	} else {
		s, err = openReal(ctx, e)
	}
	if err != nil {
		return err
	}
	defer s.close()
	return ended(ctx, s.mcp().Server(s.person()).Run(ctx, here))
}

// mcp serves the one who sits at this machine, who may everything that can be done over MCP.
func (s *service) mcp() *mcp.Service {
	return mcp.New(mcp.Config{
		Agent: s.agent, Drafts: s.drafts, Store: s.db, Kinds: connectors, Version: versionText(),
		Allow:    func(stockhand.Actor, stockhand.Scope) error { return nil },
		DraftURL: func(id stockhand.DraftID) string { return "stockhand://drafts/" + string(id) },
		Recent: func(ctx context.Context, org stockhand.OrgID, _ string) ([]stockhand.Draft, error) {
			return s.drafts.Find(ctx, org, draft.Which{}, "", 50)
		},
	})
}

// unclosed keeps the protocol's end from closing the program's own output.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// ended tells a client that hung up, which is how a session ends, from a failure.
func ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		return nil
	}
	return err
}

// passOn passes messages between a client on this side and a server, as they are.
func passOn(ctx context.Context, server remote, here sdk.Transport) error {
	api, err := server.client()
	if err != nil {
		return err
	}
	if err := api.Ping(ctx); err != nil { // a wrong key or address is told before the client waits for it
		return err
	}
	address := strings.TrimSuffix(strings.TrimRight(server.URL, "/"), "/api/v1") + "/mcp"
	there := &sdk.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: withKey(server.Key)}, DisableStandaloneSSE: true}
	near, err := here.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = near.Close() }()
	far, err := there.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = far.Close() }()
	ctx, stop := context.WithCancelCause(ctx)
	go func() { stop(messages(ctx, near, far)) }()
	go func() { stop(messages(ctx, far, near)) }()
	<-ctx.Done()
	return ended(ctx, nil)
}

// messages passes on what comes from one side until it ends.
func messages(ctx context.Context, from, to sdk.Connection) error {
	for {
		m, err := from.Read(ctx)
		if err != nil {
			return err
		}
		if err := to.Write(ctx, m); err != nil {
			return err
		}
	}
}

// withKey puts a key into every request.
type withKey string

func (k withKey) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(k))
	return http.DefaultTransport.RoundTrip(r)
}
