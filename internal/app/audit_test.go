package app

import (
	"strings"
	"testing"
)

func TestSinksOfTheAuditLogAreChecked(t *testing.T) {
	t.Parallel()
	i := &Instance{Service: &Service{}, metrics: newMetrics()}
	secret := "whsec_" + strings.Repeat("QUJD", 8)
	for c, want := range map[*Config]string{
		{}: "", {AuditSyslog: "tls://logs.example.org:6514"}: "", {AuditSyslog: "tcp://127.0.0.1:514"}: "",
		{AuditSyslog: "unix:///dev/log"}: "", {AuditSyslog: "tcp://logs.example.org:514", TrustedNetwork: true}: "",
		{AuditWebhook: "https://siem.example.org/x", AuditWebhookSecret: secret}: "",
		{AuditSyslog: "tcp://logs.example.org:514"}:                              envSyslog,
		{AuditSyslog: "udp://127.0.0.1:514"}:                                     envSyslog,
		{AuditSyslog: "tls://logs.example.org"}:                                  envSyslog,
		{AuditWebhook: "siem.example.org", AuditWebhookSecret: secret}:           envWebhook,
		{AuditWebhook: "https://siem.example.org/x"}:                             envWebhookKey,
		{AuditWebhook: "https://siem.example.org/x", AuditWebhookSecret: "x"}:    envWebhookKey,
	} {
		_, err := i.streams(*c)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s %s: %v, want %q", c.AuditSyslog, c.AuditWebhook, err, want)
		}
	}
}
