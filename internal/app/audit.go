package app

import (
	"context"
	"net/url"
	"slices"

	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/outbound"
)

// streams returns what streams the audit logs to the operator's systems; none by default.
func (i *Instance) streams(c Config) (all []*audit.Stream, err error) {
	add := func(name string, sink audit.Sink) {
		waiting := i.metrics.auditLag.WithLabelValues(name)
		all = append(all, &audit.Stream{Name: name, Sink: sink, Store: i.Store, System: i.Store.System(),
			Logger: c.Logger, Lag: func(entries int64) { waiting.Set(float64(entries)) }})
	}
	if c.AuditSyslog != "" {
		u, err := url.Parse(c.AuditSyslog)
		if err != nil || !slices.Contains([]string{"tcp", "tls", "unix"}, u.Scheme) ||
			u.Scheme == "unix" && u.Path == "" || u.Scheme != "unix" && u.Port() == "" {
			return nil, badValue(envSyslog, "tls://syslog.example.org:6514, tcp://127.0.0.1:514 or unix:///dev/log")
		}
		if u.Scheme == "tcp" && !c.TrustedNetwork && !loopback(u.Hostname()) {
			return nil, unsafe(envSyslog, "is not encrypted", "tls://syslog.example.org:6514")
		}
		sink, err := audit.NewSyslog(c.AuditSyslog)
		if err != nil {
			return nil, badValue(envSyslog, "tls://syslog.example.org:6514")
		}
		add(syslogSink, sink)
	}
	if c.AuditWebhook != "" {
		to, err := url.Parse(c.AuditWebhook)
		if err != nil || to.Scheme != "https" && to.Scheme != "http" || to.Host == "" {
			return nil, badValue(envWebhook, "https://siem.example.org/stockhand")
		}
		dial := outbound.Dialer(to.Scheme == "https", c.MCPPrivate)
		sink, err := audit.NewWebhook(c.AuditWebhook, c.AuditWebhookSecret, dial.DialContext)
		if err != nil {
			return nil, badValue(envWebhookKey, "whsec_ and at least 24 random bytes in base64")
		}
		add(webhookSink, sink)
	}
	return all, nil
}

// AuditSinks are the names of what [Instance.streams] returns.
func (c Config) AuditSinks() (all []string) {
	if c.AuditSyslog != "" {
		all = append(all, syslogSink)
	}
	if c.AuditWebhook != "" {
		all = append(all, webhookSink)
	}
	return all
}

// The sinks of the audit logs.
const (
	syslogSink  = "syslog"
	webhookSink = "webhook"
)

// streamAudit streams the audit logs until ctx ends.
func (i *Instance) streamAudit(ctx context.Context, c Config) error {
	all, err := i.streams(c)
	for _, s := range all {
		i.working.Go(func() { s.Run(ctx) })
	}
	return err
}
