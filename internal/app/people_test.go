package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/app"
)

func TestSettingsOfAnOpenIDProvider(t *testing.T) {
	read := func(settings map[string]string) (app.Config, error) {
		return app.ReadConfig(func(name string) string { return settings[name] })
	}
	c, err := read(map[string]string{"STOCKHAND_OIDC_ISSUER": "https://id.example.org", "STOCKHAND_OIDC_CLIENT_ID": "x",
		"STOCKHAND_OIDC_CLIENT_SECRET": "s", "STOCKHAND_OIDC_DOMAINS": "Example.org, example.com"})
	if err != nil || c.Provider == nil || c.Provider.Issuer != "https://id.example.org" || c.Provider.ClientID != "x" ||
		c.Provider.Secret != "s" || !slices.Equal(c.Provider.Domains, []string{"example.org", "example.com"}) {
		t.Errorf("%+v %v", c.Provider, err)
	}
	if c, err := read(nil); err != nil || c.Provider != nil {
		t.Errorf("without settings: %+v %v", c.Provider, err)
	}
	for issuer, named := range map[string]string{"http://id.example.org": "ISSUER", "id.example.org": "ISSUER",
		"ftp://127.0.0.1": "ISSUER", "https://id.example.org": "CLIENT_ID"} {
		if _, err := read(map[string]string{"STOCKHAND_OIDC_ISSUER": issuer}); err == nil ||
			!strings.Contains(err.Error(), "STOCKHAND_OIDC_"+named) {
			t.Errorf("%s: %v, want an error about %s", issuer, err, named)
		}
	}
}
