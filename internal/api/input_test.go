package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand/internal/api/ratelimit"

	"github.com/stockhand/stockhand"
)

func TestABodyThatIsTooLargeNamesTheLimitOfItsEndpoint(t *testing.T) {
	k := newCore(t, Config{}, echoRoute, route{"POST /v1/chat", chat, "chatting", "Chat",
		plain(func(http.ResponseWriter, *http.Request) error { return nil }).takes(maxChat)})
	for path, limit := range map[string]int{"/api/v1/echo": 1, "/v1/chat": 20} {
		body := strings.Repeat(" ", limit<<20+1)
		r := k.do("POST", path, body)
		want := fmt.Sprintf("%d MiB", limit)
		if d := r.failure(t); r.status != 413 || !strings.Contains(d.Message, want) || !strings.Contains(d.Hint, want) {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
		if r := k.do("POST", path, body, "Accept-Language", "ru"); !strings.Contains(r.body,
			fmt.Sprintf("%d МиБ", limit)) {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

func TestABodyOverOneMebibyteIs413(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	big := `{"name":"x","deep":"` + strings.Repeat("a", 1<<20) + `"}`
	fits := `{"name":"x","deep":"` + strings.Repeat("a", 1<<20-len(`{"name":"x","deep":""}`)) + `"}`
	for name, body := range map[string]io.Reader{"said": strings.NewReader(big),
		"chunked": io.MultiReader(strings.NewReader(big))} {
		r := k.do("POST", "/api/v1/echo", body)
		if d := r.failure(t); r.status != 413 || d.Code != stockhand.CodeBodyTooLarge {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	if r := k.do("POST", "/api/v1/echo", fits); r.status != 200 {
		t.Errorf("exactly one MiB: %d %.200s", r.status, r.body)
	}
}

func TestACompressedBodyIsRefusedUnread(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write(bytes.Repeat([]byte(" "), 64<<20))
	_ = z.Close()
	k := newCore(t, Config{}, echoRoute,
		route{"POST /plain", writeTools, "plain", "Plain",
			plain(func(http.ResponseWriter, *http.Request) error { return nil })})
	for _, path := range []string{"/echo", "/plain"} {
		for _, encoding := range []string{"gzip", "deflate", "br", "gzip, gzip", "x"} {
			r := k.do("POST", "/api/v1"+path, bytes.NewReader(bomb.Bytes()), "Content-Encoding", encoding)
			if d := r.failure(t); r.status != 415 || d.Code != stockhand.CodeUnsupportedMedia {
				t.Errorf("%s %s: %d %s", path, encoding, r.status, r.body)
			}
		}
	}
}

// net/http discards the rest of a body only on a connection that stays open. On one that the client wants closed, the
// client would still be writing when it is reset.
func TestTheRestOfARefusedBodyIsDiscardedWhenTheConnectionCloses(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	for name, header := range map[string]http.Header{
		"compressed": {"Authorization": {"Bearer " + k.token}, "Content-Encoding": {"gzip"}},
		"no key":     {},
	} {
		body := strings.NewReader(strings.Repeat("x", 100_000))
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/echo", body)
		r.Header, r.Close = header, true
		w := httptest.NewRecorder()
		if k.server.ServeHTTP(w, r); w.Code < 400 || body.Len() != 0 {
			t.Errorf("%s: status %d with %d bytes of the body unread", name, w.Code, body.Len())
		}
	}
}

func TestABodyThatIsNotJSONIs415(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
		"application/xml", "application/json; charset=windows-1251", "application/", "json", ";",
		"application/json, text/plain"} {
		r := k.do("POST", "/api/v1/echo", `{"name":"x"}`, "Content-Type", media)
		if d := r.failure(t); r.status != 415 || d.Code != stockhand.CodeUnsupportedMedia {
			t.Errorf("%s: %d %s", media, r.status, r.body)
		}
	}
	for _, media := range []string{"", "application/json", "Application/JSON; charset=UTF-8"} {
		if r := k.do("POST", "/api/v1/echo", `{"name":"x"}`, "Content-Type", media); r.status != 200 {
			t.Errorf("%s: %d %s", media, r.status, r.body)
		}
	}
}

func TestJSONThatIsNotStrictIs422(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	deep := func(n int) string {
		return `{"name":"x","deep":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	for body, field := range map[string]string{
		``:                                      "body",
		` `:                                     "body",
		`null`:                                  "body",
		`{"name":"x"} {"name":"y"}`:             "body",
		`{"name":"x"}]`:                         "body",
		`{"name":"x",}`:                         "body",
		`{'name':'x'}`:                          "body",
		"\ufeff{\"name\":\"x\"}":                "body",
		"{\"name\":\"\xff\"}":                   "body",
		"{\"name\":\"\xed\xa0\x80\"}":           "body",
		`{"name":"x\u0000"}`:                    "name",
		`{"name":"x","\u0000":1}`:               "body",
		`{"name":"x","name":"y"}`:               "name",
		`{"name":"x","n\u0061me":"y"}`:          "name",
		`{"name":"x","deep":{"a":1,"a":2}}`:     "deep.a",
		`{"name":"x","deep":[1,{"b":1,"b":2}]}`: "deep[1].b",
		`{"name":"x","deep":1e400}`:             "deep",
		`{"name":"x","deep":[-1e999]}`:          "deep[0]",
		`{"name":null}`:                         "name",
		`{"name":"x","days":9999999999999999999999}`: "days",
		deep(64):     "body",
		deep(100000): "body",
	} {
		r := k.do("POST", "/api/v1/echo", body)
		d := r.failure(t)
		if r.status != 422 || d.Code != stockhand.CodeValidation || len(d.Errors) == 0 || d.Errors[0].Field != field {
			t.Errorf("%.60s: %d %s", body, r.status, r.body)
		}
	}
	for _, body := range []string{deep(63), `{"name":"x","deep":1e-400}`, ` {"name" : "\ud83d\ude00 \ud800" }` + "\n"} {
		if r := k.do("POST", "/api/v1/echo", body); r.status != 200 {
			t.Errorf("%.60s: %d %s", body, r.status, r.body)
		}
	}
}

func TestARouteWithoutABodyRejectsOne(t *testing.T) {
	k := newCore(t, Config{}, route{"POST /cancel", writeTools, "cancel", "Cancel",
		failing(stockhand.Errorf(stockhand.CodeConflict, "reached"))},
		route{"GET /read", writeTools, "read", "Read",
			failing(stockhand.Errorf(stockhand.CodeConflict, "reached"))})
	for body, status := range map[string]int{"": 409, "{}": 409, " { } ": 409, `{"a":1}`: 422, "[]": 422, "x": 422,
		`{"a":`: 422} {
		if r := k.do("POST", "/api/v1/cancel", body); r.status != status {
			t.Errorf("%q: %d %s", body, r.status, r.body)
		}
	}
	if r := k.do("GET", "/api/v1/read", strings.NewReader("what is this")); r.status != 409 {
		t.Errorf("a body of a GET means nothing: %d %s", r.status, r.body)
	}
}

func TestAnUnknownQueryParameterIs422(t *testing.T) {
	k := newCore(t, Config{}, route{"GET /list", signedIn, "list", "List",
		typed(func(_ context.Context, in *struct{ Page }) (*List[string], error) {
			after, err := in.after()
			if err != nil {
				return nil, err
			}
			return listOf([]string{after, fmt.Sprint(in.Limit)}, 5, func(s string) string { return s },
				func(s string) string { return s }), nil
		})}, route{"GET /plain", signedIn, "plain", "Plain",
		plain(func(w http.ResponseWriter, _ *http.Request) error { _, err := io.WriteString(w, "ok"); return err })})
	for query, field := range map[string]string{
		"limitt=1": "limitt", "limit=1&limit=2": "limit", "limit=%zz": "query", "limit=1;x=2": "query",
		"cursor=%ff": "cursor", "cursor=%00": "cursor",
		"cursor=!!!": "cursor", "%ff=1": "query", "limit=x": "limit", "limit=99999999999999999999": "limit", "cursor=" +
			strings.Repeat("a", 17<<10): "query",
	} {
		r := k.do("GET", "/api/v1/list?"+query, nil)
		if d := r.failure(t); r.status != 422 || len(d.Errors) != 1 || d.Errors[0].Field != field {
			t.Errorf("%.50s: %d %s", query, r.status, r.body)
		}
	}
	if r := k.do("GET", "/api/v1/plain?x=1", nil); r.status != 422 {
		t.Errorf("a plain route: %d %s", r.status, r.body)
	}
	if r := k.do("GET", "/api/v1/list", nil); r.body != `{"data":["","50"],"next_cursor":null}`+"\n" {
		t.Errorf("the defaults: %s", r.body)
	}
}

func TestOddHeadersAreRefusedOrIgnored(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	for name, value := range map[string]string{"X-Org-Id": "\xff\xfe", "X-Dry-Run": "maybe",
		"Idempotency-Key": "кириллица", "X-Long": strings.Repeat("a", 70<<10)} {
		r := k.do("POST", "/api/v1/echo", `{"name":"x"}`, name, value)
		if r.failure(t); r.status < 400 || r.status >= 500 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	for name, value := range map[string]string{"Accept": "image/png", "Accept-Language": "\xff",
		"X-Forwarded-For": "x,,;", "If-None-Match": "\"", "Accept-Encoding": "zz;q=9,,", "Cookie": "=;="} {
		if r := k.do("POST", "/api/v1/echo", `{"name":"x"}`, name, value); r.status != 200 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
}

func TestAListReturnsACursorForTheNextPage(t *testing.T) {
	show := func(s string) string { return s }
	page := listOf([]string{"a", "b", "c"}, 2, show, show)
	if len(page.Body.Data) != 2 || page.Body.NextCursor == nil {
		t.Fatalf("%+v", page.Body)
	}
	if after, err := (Page{Cursor: *page.Body.NextCursor}).after(); err != nil || after != "b" {
		t.Errorf("after %q, %v", after, err)
	}
	last := listOf([]string{"a", "b"}, 2, show, show)
	raw, _ := json.Marshal(listOf(nil, 2, show, show).Body)
	if last.Body.NextCursor != nil || string(raw) != `{"data":[],"next_cursor":null}` {
		t.Errorf("%+v, %s", last.Body, raw)
	}
}

// Large bodies are held whole: there is room for so many bytes of them, and who finds none comes back.
func TestLargeBodiesWaitForMemoryOrGet429(t *testing.T) {
	in, out := make(chan struct{}), make(chan struct{})
	k := newCore(t, Config{}, route{"POST /large", chat, "large", "Large",
		plain(func(_ http.ResponseWriter, r *http.Request) error {
			if r.URL.Query().Has("hold") {
				in <- struct{}{}
				<-out
			}
			return nil
		}).takes(maxChat).passesQuery()})
	k.server.large = ratelimit.NewPool(3<<20, ratelimit.Share{OfActor: 3 << 20, OfOrg: 3 << 20})
	body := strings.Repeat("x", 2<<20)
	first := make(chan reply, 1)
	go func() { first <- k.do("POST", "/api/v1/large?hold", body) }()
	<-in
	if r := k.do("POST", "/api/v1/large", body); r.status != 429 || r.header.Get("Retry-After") == "" {
		t.Errorf("a second one: %d %s", r.status, r.body)
	}
	if r := k.do("POST", "/api/v1/large", body[:maxBody]); r.status != 200 {
		t.Errorf("a small one: %d %s", r.status, r.body)
	}
	close(out)
	if r := <-first; r.status != 200 {
		t.Errorf("the first: %d %s", r.status, r.body)
	}
	if r := k.do("POST", "/api/v1/large", body); r.status != 200 {
		t.Errorf("the next: %d %s", r.status, r.body)
	}
}

// Finding L5: a caller that sends large bodies slowly holds only the memory of what it has sent.
func TestAttackSlowLargeBodiesHoldLittle(t *testing.T) {
	k := newCore(t, Config{}, route{"POST /large", chat, "large", "Large",
		plain(func(http.ResponseWriter, *http.Request) error { return nil }).takes(maxChat)})
	slow := k.key(stockhand.ScopeChat)
	var all sync.WaitGroup
	t.Cleanup(all.Wait)
	for range 40 {
		in, out := io.Pipe()
		all.Go(func() { k.do("POST", "/api/v1/large", in, "Authorization", "Bearer "+slow) })
		if _, err := out.Write([]byte("x")); err != nil { // now the server is reading it
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = out.Close() })
	}
	body := io.MultiReader(strings.NewReader(strings.Repeat("x", 10<<20))) // of unknown length
	if r := k.do("POST", "/api/v1/large", body); r.status != 200 {
		t.Errorf("another caller: %d %s", r.status, r.body)
	}
}

func TestACallerHasAShareOfTheMemoryForLargeBodies(t *testing.T) {
	k := newCore(t, Config{}, route{"POST /large", chat, "large", "Large",
		plain(func(http.ResponseWriter, *http.Request) error { return nil }).takes(maxChat)})
	k.server.large = ratelimit.NewPool(30<<20, ratelimit.Share{OfActor: 10 << 20, OfOrg: 20 << 20})
	body := strings.Repeat("x", 15<<20)
	if r := k.do("POST", "/api/v1/large", body); r.status != 429 || r.header.Get("Retry-After") == "" {
		t.Errorf("more than its share: %d %s", r.status, r.body)
	}
	if r := k.do("POST", "/api/v1/large", body[:9<<20]); r.status != 200 {
		t.Errorf("less than its share: %d %s", r.status, r.body)
	}
}

// Finding L9.
func TestAttackOpeningStreamsWithoutEnd(t *testing.T) {
	in, out := make(chan struct{}), make(chan struct{})
	k := newCore(t, Config{Streams: ratelimit.Share{OfActor: 2, OfOrg: 3}}, route{"GET /stream", readTools, "stream",
		"Stream",
		plain(func(http.ResponseWriter, *http.Request) error { in <- struct{}{}; <-out; return nil }).streams()})
	one := k.key(stockhand.ScopeReadTools)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { k.do("GET", "/api/v1/stream", nil, "Authorization", "Bearer "+one) })
		<-in
	}
	if r := k.do("GET", "/api/v1/stream", nil, "Authorization", "Bearer "+one); r.status != 429 ||
		!strings.Contains(r.failure(t).Message, "too many streams") || r.header.Get("Retry-After") == "" {
		t.Errorf("a third stream: %d %s", r.status, r.body)
	}
	all.Go(func() {
		if r := k.do("GET", "/api/v1/stream", nil); r.status != 200 {
			t.Errorf("another actor: %d %s", r.status, r.body)
		}
	})
	<-in
	third := k.key(stockhand.ScopeReadTools)
	if r := k.do("GET", "/api/v1/stream", nil, "Authorization", "Bearer "+third); r.status != 429 {
		t.Errorf("a fourth stream of the organization: %d %s", r.status, r.body)
	}
	close(out)
	all.Wait()
	go func() { <-in }()
	if r := k.do("GET", "/api/v1/stream", nil, "Authorization", "Bearer "+one); r.status != 200 {
		t.Errorf("after the others ended: %d %s", r.status, r.body)
	}
}
