package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
)

// Review M8: a NATS or Postgres server on another host that anybody can talk to, or listen to, is refused.
func TestAttackServersOnOtherHostsNeedALoginAndTLS(t *testing.T) {
	const database, nats = "STOCKHAND_DATABASE_URL", "STOCKHAND_NATS_URL"
	for _, c := range []struct {
		variable, value string
		safe            bool
	}{
		{nats, "nats://nats:4222", false},
		{nats, "nats://user:hunter2@nats.example.org:4222", false},
		{nats, "tls://nats.example.org:4222", false},
		{nats, "ws://user:hunter2@nats.example.org:443", false},
		{nats, "tls://u:hunter2@n1.example.org:4222,nats://u:hunter2@n2.example.org:4222", false},
		{nats, "nats://127.0.0.1:4222,nats://10.0.0.7:4222", false},
		{nats, "nats://127.0.0.1.example.org:4222", false},
		{nats, "tls://u:hunter2@n1.example.org:4222,wss://token@n2.example.org:443", true},
		{nats, "nats://127.0.0.1:4222,nats://localhost:4222,nats://[::1]:4222", true},
		{database, "postgres://u:hunter2@db:5432/stockhand", false},
		{database, "postgres://u:hunter2@db:5432/stockhand?sslmode=prefer", false},
		{database, "postgres://u:hunter2@db:5432/stockhand?sslmode=disable", false},
		{database, "postgres://u@db:5432/stockhand?sslmode=require", false},
		{database, "postgres://u:hunter2@127.0.0.1,db/stockhand", false},
		{database, "postgres://u:hunter2@db:5432/stockhand?sslmode=require", true},
		{database, "postgresql://u:hunter2@db:5432/stockhand?sslmode=verify-full", true},
		{database, "postgres://u@127.0.0.1:5432/stockhand", true},
		{database, "postgres:///stockhand?host=/run/postgresql", true},
	} {
		environment := map[string]string{c.variable: c.value}
		_, err := app.ReadConfig(func(name string) string { return environment[name] })
		if (err == nil) != c.safe {
			t.Errorf("%s: %v", c.value, err)
		}
		if err == nil {
			continue
		}
		var own *stockhand.Error
		if !errors.As(err, &own) || !strings.Contains(own.Hint, "STOCKHAND_TRUSTED_NETWORK") ||
			!strings.Contains(own.Message, c.variable) || strings.Contains(own.Message+own.Hint, "hunter2") {
			t.Errorf("%s: %v", c.value, err)
		}
		environment["STOCKHAND_TRUSTED_NETWORK"] = "1"
		if _, err = app.ReadConfig(func(name string) string { return environment[name] }); err != nil {
			t.Errorf("%s in a trusted network: %v", c.value, err)
		}
	}
}
