package moysklad

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// noon is the fake clock's time, when the sandbox's history ends.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, msapi.Moscow)

// shop is a sandbox served over HTTP.
type shop struct {
	*sandbox.Server
	url     string
	info    sandbox.AccountInfo
	company *company.Company
	stop    func()
}

func openShop(t *testing.T, o sandbox.Options) *shop {
	t.Helper()
	s := startShop(o)
	t.Cleanup(s.stop)
	return s
}

func startShop(o sandbox.Options) *shop {
	o.NoLimits = true
	o.Now = func() time.Time { return noon }
	if o.Company.Products == 0 {
		o.Company.Products, o.Company.Days, o.Company.Seed = 120, 60, 7
	}
	o.Accounts = max(1, o.Accounts)
	s := sandbox.New(o)
	server := httptest.NewServer(s)
	info := s.Accounts()[0]
	return &shop{Server: s, url: server.URL + sandbox.APIPath, info: info, company: s.Company(info.AccountID),
		stop: server.Close}
}

// open verifies a token and opens its account, as for a real connection.
func (s *shop) open(token string) (opened, error) {
	config := connector.Config{BaseURL: s.url, Token: token}
	who, err := Kind.Verify(context.Background(), config)
	if err != nil {
		return opened{}, err
	}
	return Kind.Open(config, who).(opened), nil //nolint:forcetypeassert // always this type
}

func (s *shop) as(t *testing.T, token string) opened {
	t.Helper()
	a, err := s.open(token)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (s *shop) owner(t *testing.T) opened { t.Helper(); return s.as(t, s.info.Tokens.Owner) }

// serve opens an account backed by a hand-written handler.
func serve(t *testing.T, handler http.Handler, rights ...string) opened {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return Kind.Open(connector.Config{BaseURL: server.URL, Token: "t"},
		connector.Identity{Account: "a", Employee: "e", Rights: rights}).(opened) //nolint:forcetypeassert // opened
}

// callTool runs a tool that must succeed.
func callTool(t *testing.T, a opened, name, arguments string) *tool.Result {
	t.Helper()
	r, err := tryTool(a, name, arguments, tool.Env{Now: noon})
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return r
}

func tryTool(a opened, name, arguments string, env tool.Env) (*tool.Result, error) {
	for _, tl := range a.Tools() {
		if tl.Name == name {
			return tl.Call(context.Background(), env, json.RawMessage(arguments))
		}
	}
	panic("no tool " + name)
}
