package app_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

func TestNoSecretOfAWholeSessionIsInTheLog(t *testing.T) {
	t.Parallel()
	var log apptest.Buffer
	s := apptest.Start(t, apptest.Options{Log: &log})
	tokens := s.Sandbox.Accounts()[0].Tokens
	key := s.Key(stockhand.ScopeAdmin)
	wrong := key[:len(key)-1] + "~"
	secrets := []string{s.AdminToken, key, wrong, tokens.Owner, tokens.Sales, tokens.Revoked, "hunter2-password",
		"hunter2-query", strings.Repeat("5eed", 16)}

	var made struct{ Secret string }
	s.Do("POST", "/organizations/"+string(s.OrgID)+"/api-keys", s.AdminToken, map[string]any{"name": "x"}).Decode(t,
		&made)
	secrets = append(secrets, made.Secret)
	connection := string(s.Connections[0].ID)
	for _, r := range []struct {
		method, path, token string
		body                any
	}{
		{"GET", "/me", key, nil},
		{"GET", "/me", wrong, nil},
		{"GET", "/me?token=hunter2-query", key, nil},
		{"GET", "/me", "hunter2-password", nil},
		{"POST", "/connections", key, map[string]any{"connector": "moysklad", "token": tokens.Sales}},
		{"POST", "/connections", key, map[string]any{"connector": "moysklad", "token": tokens.Revoked}},
		{"POST", "/connections", key, map[string]any{"connector": "moysklad", "login": "admin@shop",
			"password": "hunter2-password"}},
		{"POST", "/connections", key, `{"connector": "moysklad", "token": "` + tokens.Owner},
		{"POST", "/connections/" + connection + "/verify", key, nil},
		{"GET", "/connections/" + connection + "/gateway/entity/store", key, nil},
		{"POST", "/sessions/stream?wait=60", key,
			map[string]any{"message": "сколько денег на счетах?", "connection_id": connection}},
		{"POST", "/sessions/stream?wait=60", key, map[string]any{"message": tokens.Owner, "connection_id": connection}},
		{"POST", "/tools/moysklad_money/execute", key,
			map[string]any{"connection_id": connection, "arguments": map[string]any{}}},
		{"POST", "/v1/chat/completions", key,
			map[string]any{"model": "stockhand",
				"messages": []any{map[string]any{"role": "user", "content": "остатки"}}}},
		{"POST", "/mcp", key, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}},
	} {
		s.Do(r.method, r.path, r.token, r.body)
	}
	s.Close()
	if len(log.String()) == 0 {
		t.Fatal("the log is empty")
	}
	for line := range strings.Lines(log.String()) {
		for i, secret := range secrets {
			if strings.Contains(line, secret) {
				t.Errorf("secret %d is in the log: %s", i, line)
			}
		}
	}
}

func TestSecretsAreRemovedFromEverythingLogged(t *testing.T) {
	for name, write := range map[string]func(l *slog.Logger){
		"a message": func(l *slog.Logger) { l.Info("got sk-org-AbCdEfGhIjhunter2hunter2hunter2hunter2hunter2") },
		"an error": func(l *slog.Logger) {
			l.Info("x", "err", errors.New("dial postgres://u:hunter2@db/stockhand: refused"))
		},
		"a header":           func(l *slog.Logger) { l.Info("x", "header", "Authorization: Bearer hunter2") },
		"an attribute":       func(l *slog.Logger) { l.Info("x", "password", "hunter2") },
		"an attribute's key": func(l *slog.Logger) { l.Info("x", "Authorization", "hunter2") },
		"a group":            func(l *slog.Logger) { l.Info("x", slog.Group("g", slog.String("token", "hunter2"))) },
		"attributes before": func(l *slog.Logger) {
			l.With("secret", "hunter2").WithGroup("g").Info("x", "y",
				"token=hunter2")
		},
		"a struct":          func(l *slog.Logger) { l.Info("x", "v", struct{ Password string }{"hunter2"}) },
		"JSON":              func(l *slog.Logger) { l.Info(`body {"password": "hunter2"}`) },
		"an employee token": func(l *slog.Logger) { l.Info("sent " + strings.Repeat("hunter2"[:0]+"5d", 20)) },
		// review L12: letters before a token hid it
		"a glued token": func(l *slog.Logger) {
			l.Info("x", "request_id", "abcsk-usr-AbCdEfGhIjhunter2hunter2hunter2hunter2hunter2")
		},
		"a glued key":            func(l *slog.Logger) { l.Info("x", "id", "xsk-hunter2hunter2hunter2") },
		"a glued employee token": func(l *slog.Logger) { l.Info("x", "id", "id"+strings.Repeat("5d", 20)+"z") },
	} {
		for _, format := range []string{"text", "json"} {
			var b bytes.Buffer
			l, err := app.NewLogger(&b, format, "debug")
			if err != nil {
				t.Fatal(err)
			}
			write(l)
			if strings.Contains(b.String(), "hunter2") || strings.Contains(b.String(), "5d5d5d5d") ||
				!strings.Contains(b.String(), "[redacted]") {
				t.Errorf("%s, %s: %s", name, format, b.String())
			}
		}
	}
}

func TestTheConfigurationIsPrintedWithoutItsSecrets(t *testing.T) {
	c := app.Config{Database: "postgres://u:hunter2@db:5432/stockhand?password=hunter2",
		NATS: "nats://u:hunter2@n1:4222,nats://u:hunter2@n2:4222", SecretKey: "hunter2"}
	var b bytes.Buffer
	l, err := app.NewLogger(&b, "json", "info")
	if err != nil {
		t.Fatal(err)
	}
	l.Info("starting", "config", c)
	all := b.String() + c.String()
	if strings.Contains(all, "hunter2") || !strings.Contains(all, "postgres://db:5432/stockhand") ||
		!strings.Contains(all, "nats://n2:4222") {
		t.Error(all)
	}
}
