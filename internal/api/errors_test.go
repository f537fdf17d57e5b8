package api

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/problem"
)

// The table of rule R47.
var table = map[int][]stockhand.Code{
	401: {"AUTH_TOKEN_EXPIRED", "AUTH_SIGN_IN_REFUSED"},
	403: {"AUTH_PERMISSION_DENIED", "AUTH_STEP_UP_REQUIRED"},
	400: {"ORG_REQUIRED"},
	404: {"NOT_FOUND"},
	405: {"METHOD_NOT_ALLOWED"},
	409: {"CONFLICT", "DRAFT_CHANGED", "IDEMPOTENCY_MISMATCH", "ACCOUNT_REQUIRED", "QUOTA_EXCEEDED"},
	410: {"RESULT_EXPIRED"},
	413: {"BODY_TOO_LARGE"},
	415: {"UNSUPPORTED_MEDIA_TYPE"},
	422: {"VALIDATION_FAILED", "CONSOLIDATION_REFUSED", "EXTERNAL_TOKEN_REJECTED"},
	429: {"RATE_LIMITED"},
	500: {"INTERNAL"},
	502: {"EXTERNAL_UNAVAILABLE"},
	503: {"MODEL_UNAVAILABLE", "DATABASE_UNAVAILABLE", "SERVER_STOPPING"},
}

func TestEveryCodeHasTheStatusOfTheTable(t *testing.T) {
	seen := map[stockhand.Code]bool{}
	var routes []route
	for status, codes := range table {
		for _, code := range codes {
			seen[code] = true
			if problem.Kinds[code].Status != status {
				t.Errorf("%s has status %d, want %d", code, problem.Kinds[code].Status, status)
			}
			routes = append(routes, route{"GET /" + string(code), signedIn, string(code), "Fail",
				failing(stockhand.Errorf(code, "it failed"))})
		}
	}
	for _, code := range codesOfTheRootPackage(t) {
		if !seen[code] {
			t.Errorf("%s has no row in the table", code)
		}
		if problem.Kinds[code].Meaning == "" {
			t.Errorf("the OpenAPI document does not say what %s means", code)
		}
		if k := problem.Kinds[code]; k.Hint == "" || k.HintRU == "" {
			t.Errorf("%s has no hint of its own in both languages", code)
		}
	}
	k := newCore(t, Config{}, routes...)
	for status, codes := range table {
		for _, code := range codes {
			r := k.do("GET", "/api/v1/"+string(code), nil)
			if d := r.failure(t); r.status != status || d.Code != code {
				t.Errorf("%s: answered %d %s", code, r.status, r.body)
			}
		}
	}
}

// codesOfTheRootPackage reads the constants, so that a new code cannot be forgotten here.
func codesOfTheRootPackage(t *testing.T) (codes []stockhand.Code) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../../error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			return true
		}
		if name, ok := v.Type.(*ast.Ident); ok && name.Name == "Code" {
			code, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, stockhand.Code(code))
		}
		return true
	})
	if len(codes) < 18 {
		t.Fatalf("only %d codes found", len(codes))
	}
	return codes
}

func TestErrorsSayHowToRepairInTheCallersLanguage(t *testing.T) {
	wrong := &stockhand.Error{Code: stockhand.CodeConflict, Message: "taken", Hint: "choose another",
		RU: stockhand.Words{Message: "занято", Hint: "выберите другое"}}
	k := newCore(t, Config{}, route{"GET /wrong", signedIn, "wrong", "Fail", failing(wrong)})
	for header, want := range map[string]string{
		"": "taken choose another", "en-US,en;q=0.9": "taken choose another", "de": "taken choose another",
		"ru;q=0":             "taken choose another",
		"en;q=0.8, ru;q=0.9": "занято выберите другое", "ru-RU,ru;q=0.9,en-US;q=0.8": "занято выберите другое",
		";;;q=,,ru;q=x": "taken choose another",
	} {
		if d := k.do("GET", "/api/v1/wrong", nil, "Accept-Language", header).failure(t); d.Message+" "+d.Hint != want {
			t.Errorf("%q: %s %s", header, d.Message, d.Hint)
		}
	}
}

func TestAuthenticationFailuresCarryWWWAuthenticate(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	r := k.do("POST", "/api/v1/echo", "{}", "Authorization", "")
	if d := r.failure(t); r.status != 401 || d.Code != stockhand.CodeTokenExpired ||
		!strings.Contains(d.Hint, "new token") || !strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer") {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
}

func TestOnOpenAIPathsTheSameAnswerCarriesError(t *testing.T) {
	busy := &stockhand.Error{Code: stockhand.CodeModelUnavailable, Message: "the model sleeps",
		RetryAfter: 1500 * time.Millisecond}
	k := newCore(t, Config{}, route{"GET /v1/things", chat, "things", "Things", failing(busy)})
	for _, path := range []string{"/v1/things", "/api/v1/v1/things"} {
		r := k.do("GET", path, nil)
		if r.failure(t); r.status != 503 || !strings.Contains(r.body, `"error":{"message":"the model sleeps`) ||
			!strings.Contains(r.body, `"type":"server_error","code":"MODEL_UNAVAILABLE","param":null`) ||
			r.header.Get("Retry-After") != "2" {
			t.Errorf("%s: %d %v %s", path, r.status, r.header, r.body)
		}
		if r := k.do("GET", path, nil, "Authorization", "Bearer x"); !strings.Contains(r.body,
			`"type":"authentication_error"`) {
			t.Errorf("%s: %s", path, r.body)
		}
		if r := k.do("GET", path+"?x=1", nil); !strings.Contains(r.body, `"param":"x"`) {
			t.Errorf("%s: %s", path, r.body)
		}
	}
	if r := k.do("GET", "/api/v1/nothing", nil); strings.Contains(r.body, `"error":`) {
		t.Errorf("elsewhere too: %s", r.body)
	}
}

// Trap 1 of huma: NewError is given internal errors as they are.
func TestInternalErrorsAreLoggedAndNotShown(t *testing.T) {
	inner := errors.New("dial tcp 10.0.0.7:5432: password=hunter2")
	k := newCore(t, Config{},
		route{"GET /raw", signedIn, "raw", "Fail", failing(inner)},
		route{"GET /coded", signedIn, "coded", "Fail",
			failing(stockhand.Errorf(stockhand.CodeInternal, "read the sessions: %w", inner))},
		route{"GET /unknown", signedIn, "unknown", "Fail",
			failing(stockhand.Errorf("NO_SUCH_CODE", "secret words"))},
		route{"GET /plain", signedIn, "plain", "Fail",
			plain(func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("again: %w", inner) })},
		route{"GET /panic", signedIn, "panic", "Fail",
			plain(func(http.ResponseWriter, *http.Request) error { panic(inner) })},
	)
	for _, path := range []string{"/raw", "/coded", "/unknown", "/plain", "/panic"} {
		r := k.do("GET", "/api/v1"+path, nil)
		if d := r.failure(t); r.status != 500 || d.Code != stockhand.CodeInternal ||
			strings.Contains(r.body, "hunter2") || strings.Contains(r.body, "secret words") ||
			strings.Contains(r.body, "10.0.0.7") {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
		if !strings.Contains(k.log.String(), r.header.Get("X-Request-Id")) {
			t.Errorf("%s: the log does not name the request", path)
		}
	}
	if !strings.Contains(k.log.String(), "hunter2") {
		t.Error("the log has not the cause")
	}
}

// Trap 2 of huma: validation errors quote what was sent.
func TestAValidationErrorNeverQuotesTheValue(t *testing.T) {
	const token = "sk-org-AbCdEfGhIjLEAKEDLEAKEDLEAKED"
	k := newCore(t, Config{}, echoRoute,
		route{"GET /list", signedIn, "list", "List", typed(func(_ context.Context, in *struct {
			Page
			Kind string `query:"kind" enum:"a,b"`
		}) (*Answer[thing], error) {
			return answerOf(thing{})
		})})
	bodies := map[string]string{
		`{"name":"` + token + token + `"}`:            "name",
		`{"name":{"x":"` + token + `"}}`:              "name",
		`{"name":"x","days":"` + token + `"}`:         "days",
		`{"name":"x","days":1e99}`:                    "days",
		`{"name":"x","days":1.5}`:                     "days",
		`{"name":"x","link":"://` + token + `"}`:      "link",
		`{"name":"x","link":"http://[` + token + `"}`: "link",
		`{"name":"x","at":"` + token + `"}`:           "at",
		`{"name":"x","tags":["` + token + `",1]}`:     "tags[1]",
		`{"name":"x","password":"` + token + `"}`:     "password",
		`{"` + token + `":1,"name":"x"}`:              "sk-org-…",
		`["` + token + `"]`:                           "body",
		`"` + token + `"`:                             "body",
		`{"name":"` + token + `"`:                     "body",
		token:                                         "body",
		`{"days":1}`:                                  "name",
		`{"Name":"x"}`:                                "",
	}
	for body, field := range bodies {
		r := k.do("POST", "/api/v1/echo", body)
		d := r.failure(t)
		if r.status != 422 || d.Code != stockhand.CodeValidation || len(d.Errors) == 0 ||
			strings.Contains(r.body, "LEAKED") {
			t.Errorf("%s: %d %s", body, r.status, r.body)
			continue
		}
		if field != "" && d.Errors[0].Field != field {
			t.Errorf("%s: the field is %q, want %q", body, d.Errors[0].Field, field)
		}
	}
	for query, field := range map[string]string{"limit=" + token: "limit", "kind=" + token: "kind",
		token + "=1": "sk-org-…", "limit=0": "limit", "limit=201": "limit", "limit=1.5": "limit"} {
		r := k.do("GET", "/api/v1/list?"+query, nil)
		if d := r.failure(t); r.status != 422 || strings.Contains(r.body, "LEAKED") || len(d.Errors) != 1 ||
			d.Errors[0].Field != field {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}
	if log := k.log.String(); strings.Contains(log, "LEAKED") {
		t.Error("the log quotes it")
	}
}

// Trap 3: what ServeMux answers itself is plain text.
func TestUnknownRoutesReturnTheUsualErrorBody(t *testing.T) {
	k := newCore(t, Config{}, echoRoute,
		route{"GET /echo", readTools, "read", "Read", failing(errors.New("x"))})
	for path, status := range map[string]int{
		"/api/v1/nothing": 404, "/api/v2/echo": 404, "/api/v1": 404, "/api/v1/": 404, "/api/v1/echo/": 404,
		"/favicon.ico":  404,
		"/api/v1//echo": 404, "/api/v1/./echo": 404, "/api/v1/x/../echo": 404, "/api/v1/x/%2e%2e/echo": 404,
		"//echo": 404, "/api/v1/ECHO": 404,
	} {
		r := k.do("GET", path, nil, "Authorization", "")
		if d := r.failure(t); r.status != status || d.Code != stockhand.CodeNotFound {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	for _, method := range []string{"PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"} {
		r := k.do(method, "/api/v1/echo", nil)
		if d := r.failure(t); r.status != 405 || d.Code != stockhand.CodeMethodNotAllowed ||
			r.header.Get("Allow") != "GET, HEAD, POST" {
			t.Errorf("%s: %d %q %s", method, r.status, r.header.Get("Allow"), r.body)
		}
	}
	if r := k.do("POST", "/healthz", nil); r.status != 405 || r.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("%d %q", r.status, r.header.Get("Allow"))
	}
}

func TestAnUnavailableDatabaseIs503WithRetryAfter(t *testing.T) {
	away := stockhand.Errorf(stockhand.CodeDatabaseUnavailable, "the database is unavailable")
	k := newCore(t, Config{}, route{"GET /away", signedIn, "away", "Away", failing(away)})
	r := k.do("GET", "/api/v1/away", nil)
	if d := r.failure(t); r.status != 503 || d.Code != stockhand.CodeDatabaseUnavailable ||
		r.header.Get("Retry-After") != "1" {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
	if !strings.Contains(k.log.String(), "database unavailable") {
		t.Error("it is not logged")
	}
}

func TestAnInvalidFieldIsExplainedInRussianToo(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	for body, want := range map[string]string{
		`{"name":""}`:                           "name: длина не меньше 1",
		`{"name":"x","days":0}`:                 "days: число не меньше 1",
		`{"name":"x","other":1}`:                "other: неизвестное поле",
		`{}`:                                    "name: обязательное поле",
		`{"name":"x","at":"tomorrow"}`:          "at: ожидается дата и время",
		`{"name":"x","name":"y"}`:               "name: указано дважды",
		`{"name":"x","tags":["a","b","c","d"]}`: "tags: число элементов не больше 3",
	} {
		r := k.do("POST", "/api/v1/echo", body, "Accept-Language", "ru")
		if d := r.failure(t); !strings.HasSuffix(d.Message, want) || len(d.Errors) != 1 ||
			!strings.HasSuffix(want, d.Errors[0].Message) {
			t.Errorf("%s: %s", body, r.body)
		}
	}
}
