package replay_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/replay"
	"github.com/stockhand/stockhand/internal/traffic"
)

// live is a server with a scripted model that keeps the traffic of runs.
func live(t *testing.T, limits traffic.Limits, script llmtest.Script) *apptest.Service {
	t.Helper()
	m := llmtest.New(t, script)
	return apptest.Start(t, apptest.Options{Accounts: 2, SQLite: true, Configure: func(c *app.Config) {
		c.LLM, c.Traffic = m.Config(), limits
	}})
}

// turn is a finished message.
type turn struct {
	Session stockhand.SessionID `json:"session_id"`
	Message stockhand.MessageID `json:"message_id"`
	Answer  string              `json:"final_response"`
	Drafts  []struct{ ID string }
}

func tell(t *testing.T, s *apptest.Service, in stockhand.SessionID, text string) (m turn) {
	t.Helper()
	body := map[string]any{"message": text, "connection_id": s.Connections[0].ID}
	if in != "" {
		body["session_id"] = in
	}
	s.Do("POST", "/sessions/stream?wait=60", s.AdminToken, body).Decode(t, &m)
	return m
}

func (m turn) cassette() string {
	return fmt.Sprintf("/sessions/%s/messages/%s/cassette", m.Session, m.Message)
}

// same plays an exported cassette: everything is as recorded, and written again it is the same file.
func same(t *testing.T, export []byte) *cassette.Cassette {
	t.Helper()
	c, err := cassette.Read(bytes.NewReader(export))
	if err != nil {
		t.Fatal(err)
	}
	played, err := replay.Run(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range played {
		if len(p.Differences)+len(p.Missing) > 0 {
			t.Errorf("turn %d: %v, missing %v", i+1, p.Differences, p.Missing)
		}
	}
	var again bytes.Buffer
	if err := c.Write(&again, cassette.Secrets{}); err != nil || again.String() != string(export) {
		t.Errorf("written again it differs, %v", err)
	}
	return c
}

// R551
func TestRule551_ARunOfALiveServerIsExportedAndReplayed(t *testing.T) {
	t.Parallel()
	s := live(t, traffic.Limits{Age: time.Hour, Size: 64 << 20}, steps(
		say(llmtest.CallTool("analyze", `{"measures":["revenue","profit"],"by":["group"],`+october+`}`)),
		func(t table) llmtest.Answer {
			return llmtest.Say("По группам:\n\n" + t.markdown() + "\n\n[[table r1]]")
		},
		say(llmtest.CallTool("propose_supplier_orders", `{}`)),
		say(llmtest.Say("Черновик готов."))))
	if answer := s.Do("PATCH", "/organizations/"+string(s.OrgID)+"/settings", s.AdminToken,
		map[string]any{"notes": "Мы не заказываем по пятницам."}); answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	first := tell(t, s, "", "Выручка и прибыль по группам за октябрь")
	second := tell(t, s, first.Session, "Закажи у поставщиков всё, что ниже минимума")
	if first.Answer == "" || len(second.Drafts) != 1 || !strings.Contains(second.Answer, s.URL) {
		t.Fatalf("%+v %+v", first, second)
	}
	export := s.Do("GET", second.cassette(), s.AdminToken, nil)
	if export.Status != http.StatusOK {
		t.Fatalf("%d %s", export.Status, export.Body)
	}
	for _, a := range s.Sandbox.Accounts() {
		if bytes.Contains(export.Body, []byte(a.Tokens.Owner)) {
			t.Error("the account's token is in the cassette")
		}
	}
	for _, secret := range []string{s.AdminToken, s.URL, s.SandboxURL} {
		if strings.Contains(string(export.Body), secret) {
			t.Errorf("%s is in the cassette", secret)
		}
	}
	if c := same(t, export.Body); len(c.Turns) != 2 {
		t.Fatalf("%d turns", len(c.Turns))
	}
	if other := s.Do("GET", first.cassette(), s.AdminToken, nil); other.Status != http.StatusOK {
		t.Errorf("the first turn: %d %s", other.Status, other.Body)
	}
	for _, scope := range []stockhand.Scope{stockhand.ScopeReadData, stockhand.ScopeWriteTools} {
		if got := s.Do("GET", second.cassette(), s.Key(scope), nil); got.Status != http.StatusForbidden {
			t.Errorf("%s: %d", scope, got.Status)
		}
	}
	if more, err := s.Store.System().Traffic().Forget(t.Context(), time.Now().Add(time.Minute)); more || err != nil {
		t.Error(more, err)
	}
	if got := s.Do("GET", second.cassette(), s.AdminToken, nil); got.Status != http.StatusNotFound {
		t.Errorf("after its time: %d", got.Status)
	}
}

// R551
func TestRule551_NothingIsKeptUnlessAsked(t *testing.T) {
	t.Parallel()
	s := live(t, traffic.Limits{}, steps(say(llmtest.Say("Здравствуйте."))))
	m := tell(t, s, "", "Сколько выручки за октябрь?")
	got := s.Do("GET", m.cassette(), s.AdminToken, nil)
	if got.Status != http.StatusNotFound || !strings.Contains(string(got.Body), "STOCKHAND_TRAFFIC") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}
