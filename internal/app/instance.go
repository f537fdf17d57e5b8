// Package app wires the packages together: it reads the configuration once and opens the service, as a server ([Open])
// or for the command line ([OpenLocal]). It is the only package that imports all others, and the only one that creates
// clients that can write.
package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/work"
)

// Instance is one replica of the service, running in this process. Replicas that share a Postgres and a NATS server
// form one service.
type Instance struct {
	*Service

	URL        string // base address, e.g. "http://127.0.0.1:8080", without a path
	MetricsURL string // of /metrics; empty when they are not served
	Auth       *auth.Service
	SignIn     *signin.Service
	Owner      stockhand.User // created by this start; otherwise empty

	engine   *work.Engine
	metrics  *metrics
	tracing  *tracing
	log      *slog.Logger
	began    time.Time
	api      *api.Server
	server   *http.Server
	figures  *http.Server // of /metrics; nil for none
	ready    atomic.Bool
	stop     context.CancelFunc // stops the background work
	working  sync.WaitGroup
	failed   chan error
	closing  sync.Once
	whenOver error
}

// Open starts the service and returns when it answers. The context only limits the start; [Instance.Close] stops the
// service.
func Open(ctx context.Context, c Config) (_ *Instance, err error) {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	i := &Instance{log: c.Logger, began: time.Now(), failed: make(chan error, 2)}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	i.stop = stop
	defer func() {
		if err != nil {
			i.release(ctx)
		}
	}()
	listener, err := listen(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = listener.Close()
		}
	}()
	ring, err := c.KeyRing(ctx)
	if err != nil {
		return nil, err
	}
	if i.engine, err = work.Open(ctx, work.Config{URL: c.NATS, Logger: c.Logger, Ring: ring,
		MaxStarted: c.MaxStarted}); err != nil {
		return nil, err
	}
	if c.Traces != nil {
		if i.tracing, err = newTracing(ctx, c.Traces, c.Logger); err != nil {
			return nil, stockhand.Errorf(stockhand.CodeValidation, "cannot send traces: %w",
				err).WithHint("check the variables OTEL_…, or set OTEL_SDK_DISABLED=true")
		}
	}
	if c.onPostgres() && c.NATS == "" {
		c.Logger.WarnContext(ctx, "no shared NATS server: other replicas on this database see runs with a "+
			"delay", "set", envNATS)
	}
	i.metrics = newMetrics()
	if i.Service, err = newService(ctx, c, ring, c.Logger, &served{i.engine, i.metrics, i.tracing,
		i.resultURL, i.draftURL, func() string { return i.URL }}); err != nil {
		return nil, err
	}
	if err := i.authenticate(ctx, c); err != nil {
		return nil, err
	}
	i.URL = urlOf(c, listener.Addr())
	i.SignIn = signin.New(signin.Config{Auth: i.Auth, System: i.Store.System(), URL: i.URL, Logger: c.Logger,
		Provider: c.Provider, Audit: i.Audit})
	i.closers = append(i.closers, func() error { i.SignIn.Wait(); return nil })
	i.server = api.HTTPServer(i.handler(ctx, c), c.Logger)
	if err := i.serveMetrics(ctx, c); err != nil {
		return nil, err
	}
	if err := i.streamAudit(running, c); err != nil {
		return nil, err
	}
	i.background(running, c)
	i.working.Go(func() {
		if c.TLSCertFile != "" {
			i.served(i.server.ServeTLS(listener, c.TLSCertFile, c.TLSKeyFile))
		} else {
			i.served(i.server.Serve(listener))
		}
	})
	i.ready.Store(true)
	return i, nil
}

// served reports why a server ended, unless it was closed.
func (i *Instance) served(err error) {
	if !errors.Is(err, http.ErrServerClosed) {
		i.failed <- fmt.Errorf("serve: %w", err)
	}
}

// serveMetrics serves /metrics at an address of its own, because it needs no token.
func (i *Instance) serveMetrics(ctx context.Context, c Config) error {
	if c.MetricsAddr == "" {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.MetricsAddr)
	if err != nil {
		return stockhand.Errorf(stockhand.CodeValidation, "cannot listen on %s: %w", c.MetricsAddr, err).
			WithHint("%s takes HOST:PORT, as in 127.0.0.1:9090", envMetrics)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", i.metrics.handler())
	i.figures = api.HTTPServer(mux, c.Logger)
	i.MetricsURL = "http://" + listener.Addr().String() + "/metrics"
	i.working.Go(func() { i.served(i.figures.Serve(listener)) })
	return nil
}

// authenticate creates the authentication service and, in an empty database, the first organization with its owner.
func (i *Instance) authenticate(ctx context.Context, c Config) error {
	i.Auth = auth.New(auth.Config{Store: i.Store, System: i.Store.System(), Pepper: i.pepper, Logger: c.Logger,
		InvitationDays: c.InvitationDays, AnyoneCreates: c.AnyoneCreates, InvitedSignUp: c.InvitedSignUp,
		SignInIdle: c.SignInIdle,
		SignInLife: c.SignInLife})
	name, owner := c.Organization, c.OwnerEmail
	if name == "" {
		name = "Stockhand"
	}
	if owner == "" {
		owner = "owner@localhost"
	}
	made, created, err := i.Auth.Bootstrap(ctx, name, owner)
	if own, ok := errors.AsType[*stockhand.Error](err); ok && own.Code == stockhand.CodeValidation {
		return stockhand.Errorf(stockhand.CodeValidation, "the first organization cannot be created: %s", own.Message).
			WithHint("set %s to 1 to 100 characters, and %s to an email address such as "+
				"name@example.com", envOrg, envOwner)
	}
	if err != nil {
		return err
	}
	if created {
		i.Org, i.Owner = made.Org.ID, made.User
		return nil
	}
	i.Org, err = onlyOrganization(ctx, i.Store)
	return err
}

// OwnerToken creates a token of the owner that this start created, for a demo and for tests. It is empty if the owner
// existed before.
func (i *Instance) OwnerToken(ctx context.Context) (string, error) {
	if i.Owner.ID == "" {
		return "", nil
	}
	_, token, err := i.Auth.CreateToken(ctx, stockhand.Actor{Name: "system", Person: true, User: i.Owner.ID},
		auth.NewToken{Name: "first owner"})
	return token, err
}

// handler returns the handler for everything that is served.
func (i *Instance) handler(ctx context.Context, c Config) http.Handler {
	chat := i.chat()
	i.closers = append(i.closers, func() error { chat.Close(context.WithoutCancel(ctx)); return nil })
	cookies := caller.Cookies{Secure: strings.HasPrefix(i.URL, "https://")}
	i.api = api.New(api.Config{
		Auth: i.Auth, Agent: i.Agent, Drafts: i.Drafts, ByWord: i.ByWord(), Connections: i.Connections,
		Store:     i.Store,
		Measures:  i.Measures,
		Reports:   i.Reports,
		Retention: i.Retention, Traffic: i.Traffic, Notes: i.Notes, Zones: i.zones(c),
		Gateway:  &connection.Forwarder{Connections: i.Connections, Gateways: i.writers, Audit: i.Audit},
		Requests: i.Requests,
		Audit:    i.Audit, Secrets: i.Ring, Version: Version(), Currency: i.models.Currency(),
		Logger: c.Logger,
		OpenAI: chat, MCP: i.mcp(),
		Ready: i.Ready, Observe: i.metrics.observe,
		Rate: c.Rate, Streams: c.Streams, OrgRate: c.OrgRate, FailureRate: c.FailureRate, TrustedProxies: c.Proxies,
		Origins: c.Origins,
		SignIn:  i.SignIn, Cookies: cookies, Console: i.console(c, cookies),
	})
	return i.tracing.handler(i.metrics.countStreams(i.api))
}

// background starts the background work, which runs until the instance is closed.
func (i *Instance) background(ctx context.Context, c Config) {
	i.working.Go(func() {
		if err := i.Auth.Run(ctx); err != nil && ctx.Err() == nil {
			i.failed <- err
		}
	})
	i.working.Go(func() { i.Agent.Run(ctx) })
	i.working.Go(func() { i.Retention.Run(ctx) })
	i.working.Go(func() { i.giveSigns(ctx) })
	if c.NATS != "" {
		i.working.Go(func() { i.api.ShareLimits(ctx, i.engine) })
	}
	i.working.Go(func() {
		if !c.onPostgres() {
			i.resumeOwn(ctx)
		}
		i.resumeDrafts(ctx)
	})
}

// Ready returns why the service cannot answer now, for /readyz, or nil. A missing work engine is not a reason: each
// replica then works on its own runs (decision 12), and if all replicas were unready, none would answer.
func (i *Instance) Ready(ctx context.Context) error {
	if !i.ready.Load() {
		return errors.New("it is shutting down")
	}
	if err := i.Store.Ping(ctx); err != nil {
		return err
	}
	return i.Store.System().Writable(ctx)
}

// Failed receives the reason if the service stops by itself.
func (i *Instance) Failed() <-chan error { return i.failed }

// Close stops the service without losing work: it reports not ready, lets runs finish that end soon and releases the
// others, ends streams, which clients resume elsewhere, lets requests end, and closes. If ctx ends first, the rest is
// aborted; runs and confirmed documents are then resumed later.
func (i *Instance) Close(ctx context.Context) error {
	i.closing.Do(func() {
		i.ready.Store(false)
		handOver, cancel := context.WithTimeout(ctx, finishTime)
		defer cancel()
		i.Agent.Drain(handOver)
		err := i.server.Shutdown(ctx)
		if err != nil {
			err = errors.Join(err, i.server.Close())
		}
		i.Drafts.Wait(ctx) // confirmed documents are being written, even if the caller no longer waits
		i.whenOver = err
		i.release(ctx)
	})
	return i.whenOver
}

// finishTime is how long a run may continue when the instance is closed, before it is released.
const finishTime = 5 * time.Second

// release stops the background work, which saves its last data, and releases all resources.
func (i *Instance) release(ctx context.Context) {
	i.stop()
	if i.figures != nil {
		_ = i.figures.Close() // a cut-off answer does no harm
	}
	i.working.Wait()
	if i.engine != nil {
		i.engine.Close()
	}
	if i.Service != nil {
		i.Service.Close()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	i.tracing.close(ctx, i.log)
}

// listen opens the listening socket.
func listen(ctx context.Context, c Config) (net.Listener, error) {
	if c.TLSCertFile != "" {
		if _, err := tls.LoadX509KeyPair(c.TLSCertFile, c.TLSKeyFile); err != nil {
			return nil, stockhand.Errorf(stockhand.CodeValidation, "invalid certificate: %w", err).
				WithHint("set %s to the certificate chain in PEM, and %s to its key", envCert, envCertKey)
		}
	}
	addr := c.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, stockhand.Errorf(stockhand.CodeConflict, "%s is in use by another program", addr).
			WithHint("choose another with --addr, for example --addr 127.0.0.1:0 for any free port")
	case errors.Is(err, syscall.EACCES):
		return nil, stockhand.Errorf(stockhand.CodeValidation, "this user may not listen on %s",
			addr).WithHint("ports below 1024 require privileges; choose another with --addr")
	case err != nil:
		return nil, stockhand.Errorf(stockhand.CodeValidation, "cannot listen on %s: %w", addr,
			err).WithHint("set --addr to HOST:PORT, for example 127.0.0.1:8080")
	}
	return l, nil
}

// urlOf returns the configured public address or the listen address. An address for all interfaces becomes the loopback
// address.
func urlOf(c Config, at net.Addr) string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	scheme, place := "http", at.String()
	if c.TLSCertFile != "" {
		scheme = "https"
	}
	if ap, err := netip.ParseAddrPort(place); err == nil && ap.Addr().IsUnspecified() {
		place = fmt.Sprintf("127.0.0.1:%d", ap.Port())
	}
	return scheme + "://" + place
}

// How often to look for confirmed documents left by an interruption, and how old they must be, because another process
// may be sending newer ones: longer than a write can take.
const (
	resumeEvery = 30 * time.Second
	writeGrace  = 6 * time.Minute
)

// resumeOwn immediately resumes what was confirmed before this process started, if no other process can be sending it:
// on a single machine.
func (i *Instance) resumeOwn(ctx context.Context) {
	c := i.Drafts.Config
	c.Grace = time.Since(i.began)
	if err := draft.New(c).Resume(ctx); err != nil && ctx.Err() == nil {
		i.log.ErrorContext(ctx, "resume confirmed documents", "err", err)
	}
}

// resumeDrafts regularly resumes confirmed documents left by an interruption.
func (i *Instance) resumeDrafts(ctx context.Context) {
	tick := time.NewTicker(resumeEvery)
	defer tick.Stop()
	for {
		if err := i.Drafts.Resume(ctx); err != nil && ctx.Err() == nil {
			i.log.ErrorContext(ctx, "resume confirmed documents", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// shutdownTime limits a graceful shutdown; what remains is aborted, and resumed after the restart.
const shutdownTime = 20 * time.Second

// settleTime is how long a server runs before it returns the memory that only the start needed.
const settleTime = 2 * time.Second

// Wait serves until ctx ends, when a user or the service manager stops it, or until the service fails.
func (i *Instance) Wait(ctx context.Context) error {
	releasing := time.AfterFunc(settleTime, releaseMemory)
	defer releasing.Stop()
	select {
	case err := <-i.Failed():
		return err
	case <-ctx.Done():
		i.log.Info("shutting down: releasing runs and ending streams; interrupt again to stop immediately")
		return nil
	}
}

// End closes the instance gracefully and returns why it stopped; nil means on request.
func (i *Instance) End(ctx context.Context, why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	err := i.Close(ctx)
	switch {
	case why != nil:
		return why
	case err != nil:
		i.log.Warn("not everything stopped in time", "err", err)
	default:
		i.log.Info("stopped")
	}
	return nil
}
