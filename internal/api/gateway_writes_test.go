package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// Rule R65: only reads are allowed unless gateway_writes is on, which is off by default and audited.
func TestWritesThroughTheGatewayAreOffByDefaultAndSentOnce(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	gatewayKey := key(t, s, "connector:gateway")
	order := newOrder(t, s)
	writes := func() (n int) {
		for _, r := range s.Sandbox.Requests() {
			if r.Method != http.MethodGet {
				n++
			}
		}
		return n
	}
	for _, token := range []string{gatewayKey, s.AdminToken, key(t, s, "admin")} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
			f := wantFailure(t, method, s.Do(method, at(s, "entity/purchaseorder"), token, order), http.StatusForbidden,
				stockhand.CodePermissionDenied)
			if !strings.Contains(f.Detail.Hint, "gateway_writes") {
				t.Errorf("hint: %s", f.Detail.Hint)
			}
		}
	}
	tried := want[struct {
		DryRun bool `json:"dry_run"`
		Gates  []struct {
			Name   string
			Passed bool
		}
	}](t, "tried", s.Do(http.MethodPost, at(s, "entity/purchaseorder"), gatewayKey, order, "X-Dry-Run", "1"),
		http.StatusOK)
	if !tried.DryRun || len(tried.Gates) != 2 || !tried.Gates[0].Passed || tried.Gates[1].Passed {
		t.Errorf("tried: %+v", tried)
	}
	if n := writes(); n != 0 || count(audit(t, s), "gateway.write") != 0 {
		t.Fatalf("%d writes while they are off", n)
	}

	want[connected](t, "turn on", s.Do(http.MethodPatch, "/connections/"+string(s.Connections[0].ID), s.AdminToken,
		map[string]any{"gateway_writes": true}), http.StatusOK)
	made := want[struct{ ID string }](t, "create",
		s.Do(http.MethodPost, at(s, "entity/purchaseorder"), gatewayKey, order), http.StatusOK)
	if a := s.Do(http.MethodPut, at(s, "entity/purchaseorder/"+made.ID), gatewayKey,
		`{"description":"через шлюз"}`); a.Status != http.StatusOK || !strings.Contains(string(a.Body), "через шлюз") {
		t.Errorf("update: %d %s", a.Status, a.Body)
	}
	if a := s.Do(http.MethodDelete, at(s, "entity/purchaseorder/"+made.ID), gatewayKey,
		nil); a.Status != http.StatusOK {
		t.Errorf("delete: %d %s", a.Status, a.Body)
	}
	if n := writes(); n != 3 {
		t.Errorf("%d writes arrived of 3", n)
	}

	// The answer never arrives: the outcome is unknown, and nothing is sent again.
	for _, cut := range []sandbox.Fault{
		{Path: "entity/purchaseorder$", Method: http.MethodPost, Count: 1, Cut: sandbox.CutAfterWrite},
		{Path: "entity/purchaseorder$", Method: http.MethodPost, Count: 1, Cut: sandbox.CutBefore},
		{Path: "entity/purchaseorder$", Method: http.MethodPost, Count: 1, Status: http.StatusTooManyRequests,
			RetryAfterMS: 10}, {Path: "entity/purchaseorder$", Method: http.MethodPost, Count: 1,
			Status: http.StatusServiceUnavailable},
	} {
		if err := s.Sandbox.Fail(cut); err != nil {
			t.Fatal(err)
		}
		before := writes()
		a := s.Do(http.MethodPost, at(s, "entity/purchaseorder"), gatewayKey, order)
		switch {
		case cut.Cut != "":
			f := wantFailure(t, string(cut.Cut), a, http.StatusBadGateway, stockhand.CodeExternalUnavailable)
			if !strings.Contains(f.Detail.Message, "may or may not have been executed") {
				t.Errorf("%s: %s", cut.Cut, f.Detail.Message)
			}
		case a.Status != cut.Status:
			t.Errorf("%d came back as %d", cut.Status, a.Status)
		}
		if n := writes() - before; n != 1 {
			t.Errorf("%+v: sent %d times", cut, n)
		}
	}
	log := audit(t, s)
	if n := count(log, "gateway.write"); n != 7 {
		t.Errorf("%d writes in the audit log of 7", n)
	}
	for _, e := range log {
		if e.Action == "gateway.write" &&
			(!strings.HasPrefix(e.Actor, "key:") || !strings.Contains(string(e.Detail), `"method":"`) ||
				!strings.Contains(string(e.Detail), `"path":"entity/purchaseorder`)) {
			t.Errorf("entry %+v", e)
		}
		if strings.Contains(string(e.Detail), s.Sandbox.Accounts()[0].Tokens.Owner) {
			t.Error("the audit log has the token")
		}
	}
}

func TestAnInvalidGatewayWriteIsNeitherSentNorAudited(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	want[connected](t, "turn on", s.Do(http.MethodPatch, "/connections/"+string(s.Connections[0].ID), s.AdminToken,
		map[string]any{"gateway_writes": true}), http.StatusOK)
	before := len(s.Sandbox.Requests())
	large := `{"description":"` + strings.Repeat("x", 1<<20) + `"}`
	wantFailure(t, "a large body", s.Do(http.MethodPost, at(s, "entity/purchaseorder"), s.AdminToken, large),
		http.StatusRequestEntityTooLarge, stockhand.CodeBodyTooLarge)
	wantFailure(t, "a form", s.Do(http.MethodPost, at(s, "entity/purchaseorder"), s.AdminToken, "a=b", "Content-Type",
		"application/x-www-form-urlencoded"), http.StatusUnsupportedMediaType, stockhand.CodeUnsupportedMedia)
	wantFailure(t, "compressed", s.Do(http.MethodPost, at(s, "entity/purchaseorder"), s.AdminToken, "x",
		"Content-Encoding", "gzip"), http.StatusUnsupportedMediaType, stockhand.CodeUnsupportedMedia)
	wantFailure(t, "a token", s.Do(http.MethodPost, at(s, "security/token"), s.AdminToken, "{}"),
		http.StatusUnprocessableEntity, stockhand.CodeValidation)
	wantFailure(t, "PATCH", s.Do(http.MethodPatch, at(s, "entity/purchaseorder"), s.AdminToken, "{}"),
		http.StatusMethodNotAllowed, stockhand.CodeMethodNotAllowed)
	for _, path := range []string{"entity/%2e%2e/x", "entity%2F..%2Fb", "entity/a%5Cb"} {
		if status, body := sendRaw(t, s, http.MethodDelete, "/api/v1"+at(s, path), s.AdminToken); status < 400 ||
			status > 499 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	chunked := s.Request(http.MethodPost, at(s, "entity/purchaseorder"), s.AdminToken, nil, "Content-Type",
		"application/json")
	chunked.Body, chunked.ContentLength = io.NopCloser(strings.NewReader(large)), -1
	resp, err := http.DefaultClient.Do(chunked)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body of unknown length: %d", resp.StatusCode)
	}
	if n := len(s.Sandbox.Requests()) - before; n != 0 {
		t.Errorf("%d requests went out", n)
	}
	if n := count(audit(t, s), "gateway.write"); n != 0 {
		t.Errorf("%d writes in the audit log", n)
	}
}

// An Idempotency-Key makes a gateway write answer once as well.
func TestARepeatedGatewayWriteWithAKeyIsNotSentAgain(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	want[connected](t, "turn on", s.Do(http.MethodPatch, "/connections/"+string(s.Connections[0].ID), s.AdminToken,
		map[string]any{"gateway_writes": true}), http.StatusOK)
	order := newOrder(t, s)
	first := want[struct{ ID string }](t, "create",
		s.Do(http.MethodPost, at(s, "entity/purchaseorder"), s.AdminToken, order, "Idempotency-Key", "order-1"),
		http.StatusOK)
	again := want[struct{ ID string }](t, "again",
		s.Do(http.MethodPost, at(s, "entity/purchaseorder"), s.AdminToken, order, "Idempotency-Key", "order-1"),
		http.StatusOK)
	if first.ID != again.ID {
		t.Errorf("%s and %s", first.ID, again.ID)
	}
}

// newOrder is the body of a supplier order that the sandbox takes.
func newOrder(t *testing.T, s *apptest.Service) map[string]any {
	t.Helper()
	ref := func(kind string) map[string]any {
		_, _, body := direct(t, s, "entity/"+kind+"?limit=1")
		var list struct {
			Rows []struct{ Meta map[string]any }
		}
		if err := json.Unmarshal(body, &list); err != nil || len(list.Rows) == 0 {
			t.Fatalf("%s: %v", kind, err)
		}
		return map[string]any{"meta": list.Rows[0].Meta}
	}
	return map[string]any{"organization": ref("organization"), "agent": ref("counterparty"), "store": ref("store"),
		"positions": []any{map[string]any{"quantity": 2, "price": 1000, "assortment": ref("product")}}}
}
