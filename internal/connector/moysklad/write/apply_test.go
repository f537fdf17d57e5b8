package write

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

const (
	applied = stockhand.DocumentApplied
	failed  = stockhand.DocumentFailed
	unknown = stockhand.DocumentUnknown
)

func TestReceiptsNameTheDocumentAndLinkToIt(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": creates("purchaseorder")})
	o := apply(t, s.writer(), order())[0]
	if o.State != applied || o.External == nil ||
		*o.External != (tool.Ref{Type: "purchaseorder", ID: madeID, Name: "00001"}) || o.Link != "https://ui/#"+madeID {
		t.Errorf("outcome %+v, external %+v", o, o.External)
	}
}

func TestTheRequestsSentAreThoseOfBodies(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"POST entity/purchaseorder": creates("purchaseorder"), "POST entity/product": creates("product"),
		"POST entity/variant": creates("variant"),
	})
	w := s.writer()
	second := order()
	second.ID = "doc_order_2"
	apply(t, w, order())
	apply(t, w, order(), second)
	apply(t, w, prices())
	one, _ := w.Bodies(order())
	two, _ := w.Bodies(second)
	price, _ := w.Bodies(prices())
	want := []string{
		string(one[0].Body), "[" + string(one[0].Body) + "," + string(two[0].Body) + "]", string(price[0].Body),
		string(price[1].Body),
	}
	for i, r := range s.requests() {
		if r.body != want[i] {
			t.Errorf("request %d:\n%s\nwant\n%s", i, r.body, want[i])
		}
	}
}

func TestDocumentsOfOneKindAreSentTogether(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": creates("purchaseorder"),
		"POST entity/move": creates("move")})
	var docs []tool.Document
	for i := range 120 {
		doc := order()
		if i%4 == 0 {
			doc = move()
		}
		doc.ID = stockhand.DocumentID(fmt.Sprintf("doc_%d", i))
		docs = append(docs, doc)
	}
	for i, o := range apply(t, s.writer(), docs...) {
		want := "purchaseorder"
		if i%4 == 0 {
			want = "move"
		}
		if o.State != applied || o.External.Type != want {
			t.Errorf("document %d: %+v", i, o)
		}
	}
	if n := s.sent("POST"); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestBatchResponsesAreReadElementByElement(t *testing.T) {
	a, b, c := order(), order(), order()
	a.ID, b.ID, c.ID = "doc_a", "doc_b", "doc_c"
	for _, status := range []int{200, 400, 412} {
		s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": respond(status, "["+
			createdJSON("purchaseorder", string(SyncID("doc_a")), 1)+","+errorBody(17009, "moment")+","+
			createdJSON("purchaseorder", string(SyncID("doc_c")), 3)+"]")})
		outcomes := apply(t, s.writer(), a, b, c)
		wantStates(t, outcomes, applied, failed, applied)
		if outcomes[2].External.Name != "00003" || !strings.Contains(outcomes[1].Problem, "период закрыт") {
			t.Errorf("outcomes %+v", outcomes)
		}
		if n := s.sent("POST"); n != 1 {
			t.Errorf("%d requests: the batch was resent", n)
		}
	}
}

func TestOutcomesOfOneDocument(t *testing.T) {
	good := createdJSON("purchaseorder", string(SyncID("doc_order")), 1)
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		want    stockhand.DocumentState
		problem string
	}{
		"created":                 {respond(200, good), applied, ""},
		"the first one again":     {respond(200, strings.Replace(good, "00001", "00007", 1)), applied, ""},
		"one in an array":         {respond(200, "["+good+"]"), applied, ""},
		"cut before the answer":   {dropConnection, unknown, "ответа нет"},
		"500":                     {respond(500, errorBody(1999, "")), unknown, "HTTP 500"},
		"502 of a gateway":        {respond(502, "<html>"), unknown, "HTTP 502"},
		"half an answer":          {respond(200, good[:40]), unknown, "ответа нет"},
		"an empty answer":         {respond(200, ""), unknown, "ответа нет"},
		"a page instead":          {respond(200, "<html>"), unknown, ""},
		"an object without an id": {respond(200, "{}"), unknown, "не о том"},
		"another document": {respond(200, createdJSON("purchaseorder", string(SyncID("doc_other")), 1)), unknown,
			"не о том"},
		"too many elements":  {respond(200, "["+good+","+good+"]"), unknown, ""},
		"400 without JSON":   {respond(400, "bad"), unknown, ""},
		"errors with 200":    {respond(200, errorBody(3000, "x")), unknown, ""},
		"took too long":      {respond(400, errorBody(1088, "")), unknown, ""},
		"unknown error":      {respond(400, errorBody(1999, "")), unknown, ""},
		"syncId is taken":    {respond(412, errorBody(3006, "syncId")), unknown, ""},
		"code is taken":      {respond(412, errorBody(3006, "code")), failed, "сказано сервером"},
		"required field":     {respond(412, errorBody(3000, "agent")), failed, "сказано сервером"},
		"no right to create": {respond(403, errorBody(1045, "")), failed, "«Заказы поставщикам: создавать»"},
		"no right to post":   {respond(403, errorBody(1092, "")), failed, "«Заказы поставщикам: проводить»"},
		"no right to edit":   {respond(403, errorBody(1017, "")), failed, "«Заказы поставщикам: редактировать»"},
		"refused in an array": {respond(400, "["+errorBody(1045, "")+"]"), failed,
			"«Заказы поставщикам: создавать»"},
		"wrong token":             {respond(401, errorBody(1056, "")), failed, "токен"},
		"wrong token, no body":    {respond(401, ""), failed, "токен"},
		"no API":                  {respond(403, errorBody(1061, "")), failed, "API"},
		"tariff":                  {respond(403, errorBody(1070, "")), failed, "тариф"},
		"deleted supplier":        {respond(412, errorBody(1021, "agent")), failed, "удалено"},
		"bundle":                  {respond(412, errorBody(17016, "")), failed, "комплект не добавить"},
		"too large for a gateway": {respond(413, "<html>"), failed, "HTTP 413"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, failed, "HTTP 307"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": c.answer})
			o := apply(t, s.writer(), order())[0]
			if o.State != c.want || !strings.Contains(o.Problem, c.problem) {
				t.Errorf("%s (%s), want %s (%s)", o.State, o.Problem, c.want, c.problem)
			}
			if n := len(s.requests()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

func TestProblemsAreInTheWritersLanguage(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"POST entity/move": respond(403, errorBody(1045, ""))})
	o := apply(t, s.writer(func(c *Config) { c.Language = stockhand.English }), move())[0]
	if want := "the employee lacks the right “Transfers (Перемещения): create (создавать)” in MoySklad"; o.Problem != want {
		t.Errorf("problem %q, want %q", o.Problem, want)
	}
}

func TestTheTokenIsNeverInAProblem(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": respond(412, `{"errors":[{"error":"bad `+
		token+
		`","code":3000}]}`)})
	apply(t, s.writer(), order()) // checks every outcome for the token
}

func TestARejectedBatchIsSplitInHalves(t *testing.T) {
	bad := order()
	bad.ID = "doc_bad"
	first, second := order(), order()
	first.ID, second.ID = "doc_1", "doc_2"
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": func(w http.ResponseWriter,
		r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), string(SyncID("doc_bad"))) {
			respond(400, errorBody(2016, "positions"))(w, r)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		creates("purchaseorder")(w, r)
	}})
	wantStates(t, apply(t, s.writer(), first, bad, second), applied, failed, applied)
}

// The vendor blocks clients that repeat the same failing request (fact M13).
func TestARefusalUnrelatedToTheContentIsNotRetried(t *testing.T) {
	for _, answer := range []http.HandlerFunc{respond(415, ""), respond(405, errorBody(1039, "")),
		respond(400, errorBody(1062, "")),
		respond(404, "<html>")} {
		s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": answer})
		var docs []tool.Document
		for i := range 150 {
			doc := order()
			doc.ID = stockhand.DocumentID(fmt.Sprintf("doc_%d", i))
			docs = append(docs, doc)
		}
		for i, o := range apply(t, s.writer(), docs...) {
			if o.State != failed || o.Problem == "" {
				t.Fatalf("document %d: %+v", i, o)
			}
		}
		if n := s.sent("POST"); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	}
}

func TestARejectedTokenOrMissingRightStopsTheRest(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"POST entity/purchaseorder": respond(403, errorBody(1045, "")), "POST entity/move": creates("move"),
	})
	var docs []tool.Document
	for i := range 150 { // two batches
		doc := order()
		doc.ID = stockhand.DocumentID(fmt.Sprint("doc_", i))
		docs = append(docs, doc)
	}
	outcomes := apply(t, s.writer(), append(docs, move())...)
	if outcomes[149].State != failed || outcomes[150].State != applied || s.sent("POST") != 2 {
		t.Errorf("last order %s, transfer %s, %d requests", outcomes[149].State, outcomes[150].State, s.sent("POST"))
	}
	s = serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": respond(401, errorBody(1056, ""))})
	wantStates(t, apply(t, s.writer(), order(), move(), prices(), removal()), failed, failed, failed, failed)
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests with a rejected token", n)
	}
}

func TestAnUnprocessedRequestIsRetriedAfterTheRequestedDelay(t *testing.T) {
	for name, refusal := range map[string]http.HandlerFunc{
		"too many requests": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Lognex-Retry-After", "5")
			respond(429, errorBody(1049, ""))(w, r)
		},
		"too many concurrent requests": respond(429, errorBody(1073, "")),
		"maintenance":                  respond(503, errorBody(1074, "")),
		"try later":                    respond(400, errorBody(1095, "")),
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int32
			s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": func(w http.ResponseWriter,
				r *http.Request) {
				if n.Add(1) == 1 {
					refusal(w, r)
					return
				}
				creates("purchaseorder")(w, r)
			}})
			l := &recordingLimiter{}
			o := apply(t, s.writer(func(c *Config) { c.Limiter = l }), order())[0]
			want := applied
			if name == "maintenance" {
				want = unknown // after a 5xx the outcome is uncertain, whatever the body
			}
			if o.State != want {
				t.Errorf("%s (%s), want %s", o.State, o.Problem, want)
			}
			if len(l.requests) != int(n.Load()) || len(l.reported) != len(l.requests) {
				t.Errorf("%d requests, %d acquired from the limiter, %d reported to it", n.Load(), len(l.requests),
					len(l.reported))
			}
			if name == "too many requests" && l.reported[0].Pause != 5*time.Millisecond {
				t.Errorf("feedback %+v", l.reported[0])
			}
		})
	}
}

func TestPersistentRateLimitsLeaveTheOutcomeUnknown(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": respond(429, "")})
	o := apply(t, s.writer(), order())[0]
	if o.State != unknown || !strings.Contains(o.Problem, "не отправлено") || s.sent("POST") != 2 {
		t.Errorf("%s (%s) after %d requests", o.State, o.Problem, s.sent("POST"))
	}
}

func TestWithoutAConnectionNothingWasSent(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	w := Open(Config{BaseURL: "http://" + l.Addr().String(), Token: token, Attempts: 2})
	began := time.Now()
	outcomes := apply(t, w, order(), move(), prices())
	wantStates(t, outcomes, unknown, unknown, unknown)
	if !strings.Contains(outcomes[0].Problem, "не отправлено") || time.Since(began) > 10*time.Second {
		t.Errorf("%s after %s", outcomes[0].Problem, time.Since(began))
	}
}

// The server reads the whole request, then closes a kept-alive connection.
func TestABrokenConnectionNeverSendsAWriteTwice(t *testing.T) {
	for name, doc := range map[string]tool.Document{"POST": order(), "DELETE": removal()} {
		t.Run(name, func(t *testing.T) {
			first := true
			answer := func(w http.ResponseWriter, r *http.Request) {
				if first { // succeed first, so that there is a connection to reuse
					first = false
					creates("purchaseorder")(w, r)
					return
				}
				dropConnection(w, r)
			}
			s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": answer,
				"DELETE entity/purchaseorder/" + madeID: answer})
			w := s.writer(func(c *Config) {
				tr := newTransport()
				tr.DisableKeepAlives = false // even with keep-alive
				c.Transport = tr
			})
			wantStates(t, apply(t, w, doc), applied)
			wantStates(t, apply(t, w, doc), unknown)
			if n := len(s.requests()); n != 2 {
				t.Errorf("%d requests, want 2", n)
			}
		})
	}
}

func TestEveryWriteUsesANewConnection(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": creates("purchaseorder")})
	w := s.writer()
	apply(t, w, order())
	apply(t, w, order())
	if r := s.requests(); len(r) != 2 || r[0].from == r[1].from || r[0].header.Get("Accept-Encoding") != "gzip" ||
		r[0].header.Get("Accept") != "application/json;charset=utf-8" {
		t.Errorf("requests %+v", r)
	}
}

func TestAWriteInFlightContinuesWhenTheContextEnds(t *testing.T) {
	received, release := make(chan struct{}), make(chan struct{})
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": func(w http.ResponseWriter,
		r *http.Request) {
		close(received)
		<-release
		creates("purchaseorder")(w, r)
	}})
	ctx, giveUp := context.WithCancel(t.Context())
	go func() { <-received; giveUp(); close(release) }()
	outcomes := s.writer().Apply(ctx, []tool.Document{order(), move()})
	wantStates(t, outcomes, applied, unknown) // no further request is sent
	if n := s.sent("POST"); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestTheOutcomeOfATimeoutIsUnknown(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, map[string]http.HandlerFunc{"POST entity/purchaseorder": func(http.ResponseWriter,
		*http.Request) {
		<-release
	}})
	defer close(release)
	wantStates(t, apply(t, s.writer(func(c *Config) { c.Timeout = 50 * time.Millisecond }), order()), unknown)
	if n := s.sent("POST"); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestPricesAreWrittenLineByLine(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"POST entity/product": creates("product"), "POST entity/variant": respond(400, "["+errorBody(1021, "")+"]"),
	})
	o := apply(t, s.writer(), prices())[0]
	if o.State != failed || o.Lines[0] != (tool.LineOutcome{Line: "1", State: applied}) || o.Lines[1].State != failed ||
		!strings.HasPrefix(o.Problem, "изменено цен: 1 из 2;") {
		t.Errorf("outcome %+v", o)
	}
	s = serve(t, map[string]http.HandlerFunc{"POST entity/product": dropConnection,
		"POST entity/variant": creates("variant")})
	o = apply(t, s.writer(), prices())[0]
	if o.State != unknown || o.Lines[0].State != unknown || o.Lines[1].State != applied {
		t.Errorf("outcome %+v", o)
	}
}

func TestDeletingAMissingDocumentIsApplied(t *testing.T) {
	path := "DELETE entity/purchaseorder/" + madeID
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   stockhand.DocumentState
	}{
		"deleted":       {respond(200, ""), applied},
		"gone":          {respond(404, errorBody(1021, "")), applied},
		"gateway's 404": {respond(404, "<html>"), failed},
		"in use":        {respond(409, errorBody(1028, "")), failed},
		"no right":      {respond(403, errorBody(1018, "")), failed},
		"cut":           {dropConnection, unknown},
		"503":           {respond(503, ""), unknown},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string]http.HandlerFunc{path: c.answer})
			wantStates(t, apply(t, s.writer(), removal()), c.want)
		})
	}
}

func TestAtMostNinetyChangesOfOneKindAreSentPerMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, began := &changeRate{}, time.Now()
		var at []time.Duration
		for range 200 {
			if err := p.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Since(began))
			time.Sleep(100 * time.Millisecond)
		}
		for i := paceLimit; i < len(at); i++ {
			if at[i]-at[i-paceLimit] < time.Minute {
				t.Fatalf("change %d after %s, change %d after %s", i-paceLimit, at[i-paceLimit], i, at[i])
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for p.wait(ctx) == nil { //nolint:revive // until the minute is full
		}
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Error("the wait returned before the context ended")
		}
	})
}

func TestAnInvalidConfigurationFailsEveryCall(t *testing.T) {
	for _, c := range []Config{{Token: ""}, {Token: "a b"}, {Token: token, BaseURL: "ftp://x"}} {
		w := Open(c)
		if _, err := w.Bodies(order()); err == nil {
			t.Errorf("Bodies accepts %+v", c.BaseURL)
		}
		if _, err := w.Check(t.Context(), stockhand.Russian, []tool.Document{order()}); err == nil {
			t.Error("Check accepts it")
		}
		if _, err := w.Find(t.Context(), []tool.Document{order()}); err == nil {
			t.Error("Find accepts it")
		}
		wantStates(t, w.Apply(t.Context(), []tool.Document{order()}), failed)
	}
}

func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{"", "[]", "{}", "[{}]", errorBody(1045, ""), "[" + errorBody(1045, "") + "]",
		createdJSON("move", "", 1), "[null]", `{"errors":null}`, `[1]`, "\v[{}]"} {
		f.Add(200, []byte(seed), 1)
		f.Add(400, []byte(seed), 2)
	}
	f.Fuzz(func(t *testing.T, status int, body []byte, n int) {
		if n < 1 || n > 100 {
			return
		}
		parsed, ok := reply{status: status, body: body}.read(n)
		if !ok {
			return
		}
		if parsed.whole == nil && len(parsed.each) != n {
			t.Errorf("%d elements for %d sent", len(parsed.each), n)
		}
		if parsed.whole == nil && !json.Valid(body) {
			t.Error("invalid JSON was parsed")
		}
	})
}
