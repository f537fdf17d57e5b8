package write_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/mcp"
	"github.com/stockhand/stockhand/internal/connector/mcp/write"
	"github.com/stockhand/stockhand/internal/tool"
)

// loopback is where the tests' servers are.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

// desk is a server by hand, which fails at calls as a test says.
type desk struct {
	*httptest.Server

	calls atomic.Int64
	call  func(w http.ResponseWriter, r *http.Request, id json.RawMessage)
}

func serve(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		answer := func(result string) {
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`))
		}
		switch m.Method {
		case "initialize":
			answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"desk","version":"1"}}`)
		case "tools/list":
			answer(`{"tools":[{"name":"order","inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			d.calls.Add(1)
			d.call(w, r, m.ID)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	t.Cleanup(d.Server.Close)
	t.Cleanup(d.Server.CloseClientConnections)
	return d
}

// writer verifies the server, as a connection does, and proposes one call.
func writer(t *testing.T, d *desk, most time.Duration) (*write.Writer, tool.Document) {
	t.Helper()
	config := connector.Config{BaseURL: d.URL, Private: loopback}
	who, err := mcp.Kind.Verify(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	account := mcp.Kind.Open(connector.Config{Saved: who.Save, Private: loopback}, who)
	p, err := account.Tools()[0].Propose(t.Context(), tool.Env{Language: stockhand.English},
		json.RawMessage(`{"text": "<a & b>", "n": 1.10}`))
	if err != nil {
		t.Fatal(err)
	}
	w, err := write.New(connector.Config{Saved: who.Save, Private: loopback}, who.Account, stockhand.English)
	if err != nil {
		t.Fatal(err)
	}
	if most > 0 {
		w = w.WithCallTime(most)
	}
	return w, p.Documents[0]
}

func TestHowACallEndsIsWhatIsSurelyKnown(t *testing.T) {
	t.Parallel()
	reply := func(body string) func(http.ResponseWriter, *http.Request, json.RawMessage) {
		return func(w http.ResponseWriter, _ *http.Request, id json.RawMessage) {
			_, _ = w.Write([]byte(strings.ReplaceAll(body, "ID", string(id))))
		}
	}
	status := func(code int) func(http.ResponseWriter, *http.Request, json.RawMessage) {
		return func(w http.ResponseWriter, _ *http.Request, _ json.RawMessage) { w.WriteHeader(code) }
	}
	for name, c := range map[string]struct {
		call func(http.ResponseWriter, *http.Request, json.RawMessage)
		want stockhand.DocumentState
	}{
		"an answer": {reply(
			`{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"ok"}]}}`), stockhand.DocumentApplied},
		"the tool's own error": {reply(`{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[]}}`),
			stockhand.DocumentFailed},
		"bad parameters": {reply(`{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"no"}}`),
			stockhand.DocumentFailed},
		"a fault inside": {reply(`{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no"}}`),
			stockhand.DocumentUnknown},
		"an answer to something else": {reply(`{"jsonrpc":"2.0","id":99,"result":{"content":[]}}`),
			stockhand.DocumentUnknown},
		"half an answer": {reply(`{"jsonrpc":"2.0","id":ID,"resu`), stockhand.DocumentUnknown},
		"no JSON":        {reply(`hello`), stockhand.DocumentUnknown},
		"an endless one": {reply(strings.Repeat(" ", 5<<20) +
			`{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`), stockhand.DocumentUnknown},
		"a refused token":     {status(http.StatusUnauthorized), stockhand.DocumentFailed},
		"a server that fails": {status(http.StatusBadGateway), stockhand.DocumentUnknown},
		"a redirect":          {status(http.StatusTemporaryRedirect), stockhand.DocumentUnknown},
		"nothing in time": {func(_ http.ResponseWriter, r *http.Request,
			_ json.RawMessage) {
			<-r.Context().Done()
		}, stockhand.DocumentUnknown},
		"a connection that is hung up": {func(http.ResponseWriter, *http.Request,
			json.RawMessage) {
			panic(http.ErrAbortHandler)
		}, stockhand.DocumentUnknown},
		"a stream that ends in between": {func(w http.ResponseWriter, _ *http.Request, _ json.RawMessage) {
			w.Header().Set("Content-Type", "text/event-stream")
		}, stockhand.DocumentUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := serve(t)
			d.call = c.call
			w, doc := writer(t, d, time.Second)
			out := w.Apply(t.Context(), []tool.Document{doc})
			if out[0].State != c.want || d.calls.Load() != 1 || out[0].State != stockhand.DocumentApplied &&
				out[0].Problem == "" {
				t.Errorf("%+v after %d calls, want %s after one", out[0], d.calls.Load(), c.want)
			}
		})
	}
}

func TestWhatNeverReachedTheServerHasFailed(t *testing.T) {
	t.Parallel()
	d := serve(t)
	w, doc := writer(t, d, time.Second)
	d.Server.Close()
	if out := w.Apply(t.Context(), []tool.Document{doc}); out[0].State != stockhand.DocumentFailed ||
		d.calls.Load() != 0 {
		t.Errorf("%+v", out[0])
	}
}

func TestWhatIsSentIsWhatIsConfirmedToTheByte(t *testing.T) {
	t.Parallel()
	d := serve(t)
	w, doc := writer(t, d, time.Second)
	stored, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var back tool.Document
	if err := json.Unmarshal(stored, &back); err != nil {
		t.Fatal(err)
	}
	first, err1 := w.Bodies(doc)
	second, err2 := w.Bodies(back)
	if err1 != nil || err2 != nil || string(first[0].Body) != string(second[0].Body) ||
		!strings.Contains(string(first[0].Body), "1.10") {
		t.Errorf("%s and %s, %v %v", first, second, err1, err2)
	}
	if found, err := w.Find(t.Context(), []tool.Document{doc}); err != nil ||
		found[0].State != stockhand.DocumentUnknown || !found[0].Settled || d.calls.Load() != 0 {
		t.Errorf("%+v %v", found, err)
	}
}
