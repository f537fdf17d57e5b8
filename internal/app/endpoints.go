package app

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/byword"
	"github.com/stockhand/stockhand/internal/console"
	"github.com/stockhand/stockhand/internal/console/ask"
	"github.com/stockhand/stockhand/internal/console/operations"
	orgsettings "github.com/stockhand/stockhand/internal/console/settings"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/mcp"
	"github.com/stockhand/stockhand/internal/openai"
	"github.com/stockhand/stockhand/internal/timezone/orgzone"
)

// chat returns the OpenAI-compatible service.
func (i *Instance) chat() *openai.Service {
	return openai.New(openai.Config{
		Agent: i.Agent, ByWord: i.ByWord(), Store: i.Store, Providers: i.models, Budget: i.budget, DraftURL: i.draftURL,
		ResultURL: i.resultURL, Logger: i.log, Responses: i.Store.System().Responses(), Admit: i.Retention.Admit,
		Sessions: i.keepSessions,
		Observe: func(provider string, status int) {
			i.metrics.models.WithLabelValues(provider, strconv.Itoa(status)).Inc()
		},
	})
}

// keepSessions returns how long an organization keeps sessions; 0 is for good.
func (i *Instance) keepSessions(ctx context.Context, org stockhand.OrgID) (time.Duration, error) {
	d, err := i.Retention.Days(ctx, org)
	if err != nil || d.Sessions == nil {
		return 0, err
	}
	return time.Duration(*d.Sessions) * 24 * time.Hour, nil
}

// ByWord returns the service that decides on drafts by a person's words.
func (s *Service) ByWord() *byword.Service {
	return &byword.Service{Agent: s.Agent, Drafts: s.Drafts, Store: s.Store, Logger: s.logger,
		Tape: s.decided}
}

// mcp returns the service for MCP clients.
func (i *Instance) mcp() http.Handler {
	return mcp.New(mcp.Config{
		Agent: i.Agent, Drafts: i.Drafts, Store: i.Store, Kinds: i.Connections.Kinds, Allow: i.Auth.Allow,
		DraftURL: i.draftURL,
		Audit:    i.Audit,
		Version:  Version(), Logger: i.log,
		Recent: func(ctx context.Context, org stockhand.OrgID, by string) ([]stockhand.Draft, error) {
			return i.Drafts.Find(ctx, org, draft.Filter{By: by}, "", 50)
		},
	}).Handler()
}

// console returns what people see in a browser.
func (i *Instance) console(c Config, cookies caller.Cookies) *console.Console {
	return console.New(console.Config{People: i.Auth, SignIn: i.SignIn, Drafts: i.Drafts, Settle: i.ByWord().Settle,
		Store: i.Store, Connections: i.Connections, Inbox: i.Store.System().Inbox(), Cookies: cookies, Clock: c.Clock,
		Address: i.URL, Requests: i.Requests, Zones: i.zones(c),
		AnyoneCreates: i.Auth.AnyoneCreates,
		Settings: orgsettings.Handlers{Drafts: i.Drafts, Auth: i.Auth, Retention: i.Retention,
			Notes: i.Notes, Models: i.models.Setup()},
		Operations: operations.Handlers{Store: i.Store, Activity: i.Store.System().Activity(),
			Kinds: i.Connections.Kinds, Month: i.budget.Month, Currency: i.models.Setup().Currency,
			Storage: i.Retention.Usage, Verify: i.verifyAudit, Connections: i.Connections, Replicas: i.replicas,
			Ready: i.Ready},
		Ask: ask.Handlers{Agent: i.Agent, ByWord: i.ByWord(), Store: i.Store, Kinds: i.Connections.Kinds,
			Freed: i.Retention.Freed, Logger: i.log, Pins: i.Store.System().Pins(), Reports: i.Reports}})
}

// zones returns the service of organizations' time zones.
func (i *Instance) zones(c Config) orgzone.Service {
	return orgzone.Service{Store: i.Store, Clock: c.Clock}
}

// verifyAudit verifies the audit log of an organization.
func (i *Instance) verifyAudit(ctx context.Context, org stockhand.OrgID) (audit.Verification, error) {
	key, err := audit.Key(i.pepper)
	if err != nil {
		return audit.Verification{}, err
	}
	return audit.Verify(ctx, i.Store, key, org, nil)
}

// draftURL returns where a user opens a draft.
func (i *Instance) draftURL(id stockhand.DraftID) string {
	return i.URL + "/drafts/" + string(id)
}

func (i *Instance) resultURL(id stockhand.ResultID) string {
	return i.URL + api.Base + "/results/" + string(id)
}
