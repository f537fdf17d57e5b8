package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// turn is what POST /sessions/stream answers, and a finished message, as a client reads them.
type turn struct {
	SessionID     string `json:"session_id"`
	MessageID     string `json:"message_id"`
	Kind          string `json:"kind"`
	State         string `json:"state"`
	StreamURL     string `json:"stream_url"`
	MessageURL    string `json:"message_url"`
	FinalResponse string `json:"final_response"`
	ToolCalls     []struct {
		Name string `json:"name"`
	} `json:"tool_calls"`
	Results []struct {
		ID      string           `json:"id"`
		Columns []map[string]any `json:"columns"`
		Rows    []map[string]any `json:"rows"`
	} `json:"results"`
	Blocks   []map[string]any `json:"blocks"`
	Drafts   []draftShown     `json:"drafts"`
	Question *struct {
		Text    string `json:"text"`
		Options []any  `json:"options"`
	} `json:"question"`
	Cancelled bool `json:"cancelled"`
	Failure   *struct {
		Code string `json:"code"`
	} `json:"error"`
}

func (v turn) path() string { return "/sessions/" + v.SessionID + "/messages/" + v.MessageID }

// about names the first account for a task, as a service with several needs it.
func about(s *apptest.Service, message string) map[string]any {
	return map[string]any{"message": message, "connection_id": s.Connections[0].ID}
}

// ask gives a task and waits for its finished message.
func ask(t testing.TB, s *apptest.Service, token string, body any) turn {
	t.Helper()
	return read[turn](t, "ask", s.Do("POST", "/sessions/stream?wait=60", token, body), 200)
}

// begin gives a task and does not wait.
func begin(t testing.TB, s *apptest.Service, token string, body any) turn {
	t.Helper()
	v := read[turn](t, "begin", s.Do("POST", "/sessions/stream", token, body), 202)
	if v.Kind != "new_turn" || !stockhand.ValidID(v.SessionID, "ses") || !stockhand.ValidID(v.MessageID, "msg") {
		t.Fatalf("a new turn is %+v", v)
	}
	return v
}

// sse is an event as it came over the wire.
type sse struct {
	id   string
	data map[string]any
}

func (e sse) kind() string { return fmt.Sprint(e.data["type"]) }

// stream is an open event stream.
type stream struct {
	t      testing.TB
	answer *http.Response
	lines  *bufio.Scanner
}

func open(t testing.TB, s *apptest.Service, path, token string, headers ...string) *stream {
	t.Helper()
	answer, err := http.DefaultClient.Do(s.Request("GET", path, token, nil, headers...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	return &stream{t: t, answer: answer, lines: lines}
}

// next reads one event; false when the stream has ended.
func (s *stream) next() (e sse, ok bool) {
	s.t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		switch {
		case strings.HasPrefix(line, "id: "):
			e.id = line[4:]
		case strings.HasPrefix(line, "data: "):
			if err := json.Unmarshal([]byte(line[6:]), &e.data); err != nil {
				s.t.Fatalf("%v in %q", err, line)
			}
		case line == "" && e.data != nil:
			return e, true
		}
	}
	return e, false
}

// rest reads to the end, stored events only.
func (s *stream) rest() (all []sse) {
	for {
		e, ok := s.next()
		if !ok {
			return all
		}
		if e.id != "" {
			all = append(all, e)
		}
	}
}

func kinds(events []sse) (all []string) {
	for _, e := range events {
		all = append(all, e.kind())
	}
	return all
}

// slow makes the sandbox's next answers late, so that a run is in the middle of its work for a while.
func slow(t testing.TB, s *apptest.Service, count int, late time.Duration) {
	t.Helper()
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "/report/|/entity/", Count: count,
		DelayMS: int(late.Milliseconds())}); err != nil {
		t.Fatal(err)
	}
}

const task = "что заканчивается на складах?"

func TestATurnIsStartedAndItsEventsAreStreamedToTheEnd(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	key := s.Key(stockhand.ScopeWriteTools)
	v := begin(t, s, key, about(s, task))
	st := open(t, s, v.path()+"/stream", key)
	h := st.answer.Header
	if st.answer.StatusCode != 200 || h.Get("Content-Type") != "text/event-stream" ||
		h.Get("X-Accel-Buffering") != "no" || !strings.Contains(h.Get("Cache-Control"), "no-store") {
		t.Fatalf("the stream is %d %v", st.answer.StatusCode, h)
	}
	events := st.rest()
	for i, e := range events {
		if e.id != fmt.Sprint(i+1) {
			t.Errorf("event %d has the id %s: %v", i+1, e.id, kinds(events))
		}
	}
	if k := kinds(events); k[0] != "start" || k[len(k)-1] != "complete" || !slices.Contains(k, "tool_started") ||
		!slices.Contains(k, "tool_completed") {
		t.Fatalf("events: %v", k)
	}
	fields := map[string][]string{
		"tool_started":   {"tool_name", "label", "arguments", "iteration"},
		"tool_completed": {"tool_name", "success", "message", "duration_ms", "result_id"},
		"complete": {"final_response", "result_ids", "draft_ids", "total_input_tokens", "total_output_tokens",
			"external_requests"},
	}
	for _, e := range events {
		for _, field := range fields[e.kind()] {
			if _, ok := e.data[field]; !ok {
				t.Errorf("%s has no %s: %v", e.kind(), field, e.data)
			}
		}
	}
}

func TestALostConnectionLosesNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	key := s.Key(stockhand.ScopeWriteTools)
	slow(t, s, 3, 300*time.Millisecond)
	v := begin(t, s, key, about(s, task))
	var seen []sse
	for cuts := 0; ; cuts++ { // the connection is cut after every stored event
		var headers []string
		if len(seen) > 0 {
			headers = []string{"Last-Event-ID", seen[len(seen)-1].id}
		}
		st := open(t, s, v.path()+"/stream", key, headers...)
		if st.answer.StatusCode == http.StatusNoContent {
			break
		}
		for {
			e, ok := st.next()
			if !ok {
				break
			}
			if e.id != "" {
				seen = append(seen, e)
				_ = st.answer.Body.Close()
				break
			}
		}
		if cuts > 100 {
			t.Fatal("the stream never ends")
		}
	}
	whole := open(t, s, v.path()+"/stream", key).rest()
	if got, want := fmt.Sprint(seen), fmt.Sprint(whole); got != want {
		t.Errorf("in pieces: %s\nat once: %s", got, want)
	}
	after := open(t, s, v.path()+"/stream?after=1", key).rest()
	if fmt.Sprint(after) != fmt.Sprint(whole[1:]) {
		t.Errorf("after the first: %v", kinds(after))
	}
}

func TestSeveralReadersFollowAndADisconnectedOneDelaysNothing(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	key := s.Key(stockhand.ScopeWriteTools)
	slow(t, s, 2, 300*time.Millisecond)
	v := begin(t, s, key, about(s, task))
	gone := open(t, s, v.path()+"/stream", key)
	gone.next()
	_ = gone.answer.Body.Close()
	var readers sync.WaitGroup
	got := make([]string, 5)
	for i := range got {
		st := open(t, s, v.path()+"/stream", key)
		readers.Go(func() { got[i] = fmt.Sprint(st.rest()) })
	}
	readers.Wait()
	if !strings.Contains(got[0], "complete") {
		t.Errorf("the first reader saw %s", got[0])
	}
	for _, g := range got[1:] {
		if g != got[0] {
			t.Errorf("two readers saw different things: %s\n%s", got[0], g)
		}
	}
}

func TestAnInvalidResumePositionIsRejected(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeWriteTools)
	v := ask(t, s, key, about(s, task))
	for _, bad := range []string{"x", "-1", "1.5", "99999999999999999999", "0x1"} {
		wantError(t, "Last-Event-ID "+bad, s.Do("GET", v.path()+"/stream", key, nil, "Last-Event-ID", bad), 422,
			stockhand.CodeValidation)
		wantError(t, "after "+bad, s.Do("GET", v.path()+"/stream?after="+bad, key, nil), 422, stockhand.CodeValidation)
	}
	if a := s.Do("GET", v.path()+"/stream?after=1000", key, nil); a.Status != 200 || len(a.Body) != 0 {
		t.Errorf("after the end: %d %s", a.Status, a.Body)
	}
}

func TestWaitAnswersWithTheFinishedMessage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	key := s.Key(stockhand.ScopeWriteTools)
	v := ask(t, s, key, about(s, task))
	if v.State != "done" || v.FinalResponse == "" || len(v.Results) != 1 || len(v.ToolCalls) != 1 || v.Drafts == nil {
		t.Errorf("the finished message is %+v", v)
	}
	again := read[turn](t, "message", s.Do("GET", v.path(), key, nil), 200)
	if again.FinalResponse != v.FinalResponse || again.MessageID != v.MessageID {
		t.Errorf("read again it is %+v", again)
	}
	slow(t, s, 1, 3*time.Second)
	a := s.Do("POST", "/sessions/stream?wait=1", key, about(s, "остатки по складам"))
	late := read[turn](t, "wait=1", a, 202)
	if late.Kind != "new_turn" || late.StreamURL != "/api/v1"+late.path()+"/stream" ||
		a.Header.Get("Location") != late.MessageURL {
		t.Errorf("not finished in time: %+v %v", late, a.Header)
	}
	if end := read[turn](t, "later", s.Do("GET", late.path()+"?wait=60", key, nil), 200); end.State != "done" {
		t.Errorf("in the end: %+v", end)
	}
	for _, bad := range []string{"61", "-1", "x"} {
		wantError(t, "wait="+bad, s.Do("POST", "/sessions/stream?wait="+bad, key, about(s, task)), 422,
			stockhand.CodeValidation)
	}
}

func TestTheAccountIsAskedForIfThereAreSeveral(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	v := ask(t, s, s.Key(stockhand.ScopeWriteTools), map[string]any{"message": task})
	if v.Question == nil || len(v.Question.Options) != 2 {
		t.Errorf("the question is %+v", v.Question)
	}
}

func TestCancelEndsTheWorkOnAMessage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	key := s.Key(stockhand.ScopeWriteTools)
	slow(t, s, 50, 2*time.Second)
	v := begin(t, s, key, about(s, task))
	st := open(t, s, v.path()+"/stream", key)
	st.next()
	if tried := read[turn](t, "try", s.Do("POST", v.path()+"/cancel", key, nil, "X-Dry-Run", "1"),
		202); tried.State == "cancelled" {
		t.Errorf("tried: %+v", tried)
	}
	c := read[turn](t, "cancel", s.Do("POST", v.path()+"/cancel", key, nil), 200)
	if c.State != "cancelled" || !c.Cancelled {
		t.Errorf("cancelled: %+v", c)
	}
	if k := kinds(st.rest()); len(k) == 0 || k[len(k)-1] != "cancelled" {
		t.Errorf("the stream ends with %v", k)
	}
	if a := s.Do("POST", v.path()+"/cancel", key, nil); a.Status != 200 {
		t.Errorf("cancelled again: %d %s", a.Status, a.Body)
	}
	done := ask(t, s, key, map[string]any{"message": "что ты умеешь?"})
	wantError(t, "cancel what is done", s.Do("POST", done.path()+"/cancel", key, nil), 409, stockhand.CodeConflict)
}

func TestTurnsOfOneSessionAreDoneInTheirOrder(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	key := s.Key(stockhand.ScopeWriteTools)
	slow(t, s, 2, 300*time.Millisecond)
	first := begin(t, s, key, about(s, task))
	var turns []turn
	for _, text := range []string{"остатки по складам", "что ты умеешь?"} {
		turns = append(turns, begin(t, s, key, map[string]any{"message": text, "session_id": first.SessionID}))
	}
	for _, v := range turns {
		if end := read[turn](t, "end", s.Do("GET", v.path()+"?wait=60", key, nil), 200); end.State != "done" {
			t.Errorf("a turn is %+v", end)
		}
	}
	list := read[struct {
		Data []struct{ Role, Content, State, Answers string }
	}](t, "messages", s.Do("GET", "/sessions/"+first.SessionID+"/messages", key, nil), 200)
	var answered []string
	for _, m := range list.Data {
		if m.Role == "assistant" {
			answered = append(answered, m.Answers)
		}
	}
	if want := []string{first.MessageID, turns[0].MessageID, turns[1].MessageID}; !slices.Equal(answered, want) {
		t.Errorf("answered in the order %v, want %v", answered, want)
	}
}

func TestSessionsAreListedPageByPageRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadData)
	var want []string
	for i := range 5 {
		v := ask(t, s, key, map[string]any{"message": fmt.Sprintf("что ты умеешь? %d", i)})
		want = append([]string{v.SessionID}, want...)
	}
	type page struct {
		Data []struct {
			ID, Title, Kind, AgentID string
			CreatedBy                *string `json:"created_by"`
			CreatedAt                string  `json:"created_at"`
		}
		NextCursor *string `json:"next_cursor"`
	}
	var got []string
	cursor := ""
	for range 10 {
		p := read[page](t, "list", s.Do("GET", "/sessions?limit=2"+cursor, key, nil), 200)
		for _, v := range p.Data {
			got = append(got, v.ID)
			if v.Kind != "chat" || v.CreatedBy == nil || !strings.HasPrefix(*v.CreatedBy, "key:key_") ||
				!strings.HasSuffix(v.CreatedAt, "Z") {
				t.Errorf("a session is %+v", v)
			}
		}
		if p.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *p.NextCursor
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	for _, bad := range []string{"limit=0", "limit=201", "limit=x", "cursor=!", "kind=other", "unknown=1"} {
		wantError(t, bad, s.Do("GET", "/sessions?"+bad, key, nil), 422, stockhand.CodeValidation)
	}
	at := "/sessions/" + want[0]
	if a := s.Do("PATCH", at, key, map[string]any{"title": "  Новое   имя "}); a.Status != 200 ||
		!strings.Contains(string(a.Body), `"title":"Новое имя"`) {
		t.Errorf("renamed: %d %s", a.Status, a.Body)
	}
	for _, bad := range []any{map[string]any{"title": ""}, map[string]any{"title": " "},
		map[string]any{"title": strings.Repeat("я", 201)}, map[string]any{"name": "x"}, map[string]any{}} {
		wantError(t, fmt.Sprint(bad), s.Do("PATCH", at, key, bad), 422, stockhand.CodeValidation)
	}
	if a := s.Do("DELETE", at, key, nil, "X-Dry-Run", "1"); a.Status != 204 {
		t.Errorf("tried to delete: %d %s", a.Status, a.Body)
	}
	if a := s.Do("DELETE", at, key, nil); a.Status != 204 {
		t.Errorf("deleted: %d %s", a.Status, a.Body)
	}
	wantError(t, "deleted again", s.Do("DELETE", at, key, nil), 404, stockhand.CodeNotFound)
	wantError(t, "read", s.Do("GET", at, key, nil), 404, stockhand.CodeNotFound)
}

func TestAKeyWithoutReadDataReadsWhatItStartedItself(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	mine, other, reader := s.Key(), s.Key(), s.Key(stockhand.ScopeReadData)
	v := ask(t, s, mine, about(s, task))
	ask(t, s, other, about(s, task))
	paths := []string{"/sessions/" + v.SessionID, "/sessions/" + v.SessionID + "/messages", v.path(), v.path() +
		"/stream", "/results/" + v.Results[0].ID}
	for _, path := range paths {
		for who, token := range map[string]string{"the one who started it": mine, "read:data": reader,
			"an admin": s.AdminToken} {
			if a := s.Do("GET", path, token, nil); a.Status != 200 {
				t.Errorf("%s reads %s: %d %s", who, path, a.Status, a.Body)
			}
		}
		if e := wantError(t, "another key reads "+path, s.Do("GET", path, other, nil), 403,
			stockhand.CodePermissionDenied); !strings.Contains(e.Detail.Hint, "read:data") {
			t.Errorf("the hint does not name the scope: %s", e.Detail.Hint)
		}
	}
	for method, path := range map[string]string{"DELETE": "/sessions/" + v.SessionID, "PATCH": "/sessions/" +
		v.SessionID, "POST": v.path() + "/cancel"} {
		var body any
		if method == "PATCH" {
			body = map[string]any{"title": "x"}
		}
		wantError(t, method, s.Do(method, path, other, body), 403, stockhand.CodePermissionDenied)
	}
	wantError(t, "going on with it", s.Do("POST", "/sessions/stream", other,
		map[string]any{"message": "x", "session_id": v.SessionID}), 403, stockhand.CodePermissionDenied)
	wantError(t, "a key that can start nothing", s.Do("GET", "/sessions", s.Key(stockhand.ScopeReadTools), nil), 403,
		stockhand.CodePermissionDenied)
	for token, want := range map[string]int{mine: 1, other: 1, reader: 2} {
		list := read[struct{ Data []any }](t, "list", s.Do("GET", "/sessions", token, nil), 200)
		if len(list.Data) != want {
			t.Errorf("%d sessions are listed, want %d", len(list.Data), want)
		}
	}
}

func TestAnotherOrganizationsSessionsAreNotFound(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	v := ask(t, s, s.AdminToken, about(s, task))
	_, stranger := s.Organization("Other")
	for _, r := range [][3]string{
		{"GET", "/sessions/" + v.SessionID}, {"PATCH", "/sessions/" + v.SessionID, `{"title":"x"}`},
		{"DELETE", "/sessions/" + v.SessionID},
		{"GET", "/sessions/" + v.SessionID + "/messages"}, {"GET", v.path()}, {"GET", v.path() + "/stream"},
		{"POST", v.path() + "/cancel"},
		{"POST", "/sessions/stream", `{"message":"x","session_id":"` + v.SessionID + `"}`},
		{"POST", "/sessions/stream", `{"message":"x","connection_id":"` + string(s.Connections[0].ID) + `"}`},
		{"GET", "/results/" + v.Results[0].ID}, {"GET", "/results/" + v.Results[0].ID + "?format=xlsx"},
	} {
		var body any
		if r[2] != "" {
			body = r[2]
		}
		wantError(t, r[0]+" "+r[1], s.Do(r[0], r[1], stranger, body), 404, stockhand.CodeNotFound)
	}
	again := ask(t, s, s.AdminToken, about(s, task))
	mixed := "/sessions/" + v.SessionID + "/messages/" + again.MessageID
	wantError(t, "a message of another session", s.Do("GET", mixed, s.AdminToken, nil), 404, stockhand.CodeNotFound)
}

func TestAnInvalidTaskIsRejected(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true, Accounts: 1})
	key := s.Key()
	for name, body := range map[string]string{
		"empty": `{"message":""}`, "blank": `{"message":"  "}`, "none": `{}`, "a number": `{"message":1}`,
		"too long":         `{"message":"` + strings.Repeat("я", 5000) + `"}`,
		"an unknown field": `{"message":"x","stream":true}`, "an unknown language": `{"message":"x","language":"de"}`,
		"null": `null`, "a list": `[]`,
	} {
		wantError(t, name, s.Do("POST", "/sessions/stream", key, body), 422, stockhand.CodeValidation)
	}
	wantError(t, "no such session", s.Do("POST", "/sessions/stream", key, `{"message":"x","session_id":"ses_x"}`), 404,
		stockhand.CodeNotFound)
	wantError(t, "without write:tools", s.Do("POST", "/sessions/stream", s.Key(stockhand.ScopeReadData),
		`{"message":"x"}`), 403, stockhand.CodePermissionDenied)
}

func TestAStreamEndsWhenItsReaderDisconnects(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key()
	slow(t, s, 50, 10*time.Second)
	v := begin(t, s, key, about(s, task))
	for range 20 {
		st := open(t, s, v.path()+"/stream", key)
		st.next()
		_ = st.answer.Body.Close()
	}
	if c := read[turn](t, "cancel", s.Do("POST", v.path()+"/cancel", key, nil), 200); c.State != "cancelled" {
		t.Errorf("%+v", c)
	}
	s.Close() // waits for every request that is still there
}

// Review L14: a key that may read and write deleted a person's conversation, and no log said so.
func TestAttackAKeyDeletesOnlyItsOwnSessionsAndTheAuditLogSaysSo(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadTools, stockhand.ScopeReadData)
	begin := func(token string) string {
		var v struct {
			SessionID string `json:"session_id"`
		}
		s.Do("POST", "/sessions/stream?wait=60", token, map[string]any{"message": "сколько денег на счетах?"}).Decode(t,
			&v)
		return v.SessionID
	}
	mine, theirs := begin(s.AdminToken), begin(key)
	for _, header := range [][]string{nil, {"X-Dry-Run", "1"}} {
		wantError(t, "a person's session", s.Do("DELETE", "/sessions/"+mine, key, nil, header...), 403,
			stockhand.CodePermissionDenied)
	}
	for id, token := range map[string]string{theirs: key, mine: s.AdminToken} {
		if a := s.Do("DELETE", "/sessions/"+id, token, nil); a.Status != 204 {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		audit := string(s.Do("GET", "/organizations/"+string(s.OrgID)+"/audit-log?limit=200", s.AdminToken, nil).Body)
		if !strings.Contains(audit, "session.deleted") || !strings.Contains(audit, id) {
			t.Errorf("the audit log does not say so: %s", audit)
		}
	}
}
