package sandbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

func header(name string, values ...string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Del(name)
		for _, v := range values {
			r.Header.Add(name, v)
		}
	}
}

func TestCompressionIsRequired(t *testing.T) {
	s := shared()
	for _, coding := range []string{"", "deflate", "br, deflate", "gzip;q=0", "identity"} {
		a := request(t, s, owner(s), "entity/store", header("Accept-Encoding", coding))
		if a.status != http.StatusUnsupportedMediaType || len(a.body) != 0 {
			t.Errorf("Accept-Encoding %q: %d %q, want 415 with an empty body", coding, a.status, a.body)
		}
	}
	for _, coding := range []string{"gzip", "deflate, gzip", "br,gzip;q=0.5"} {
		a := request(t, s, owner(s), "entity/store", header("Accept-Encoding", coding))
		if a.status != http.StatusOK || a.header.Get("Content-Encoding") != "gzip" {
			t.Errorf("Accept-Encoding %q: %d %v", coding, a.status, a.header)
		}
	}
}

func TestAcceptOfPlainJSONIsRefused(t *testing.T) {
	s := shared()
	wantError(t, request(t, s, owner(s), "entity/store", header("Accept", "application/json")), 400, 1062)
	for _, accept := range []string{"*/*", contentType} {
		if a := request(t, s, owner(s), "entity/store", header("Accept", accept)); a.status != http.StatusOK {
			t.Errorf("Accept %q: %d", accept, a.status)
		}
	}
	if a := request(t, s, owner(s), "entity/store", header("Accept")); a.status != http.StatusOK {
		t.Errorf("no Accept: %d", a.status)
	}
}

func TestBadCredentialsAre401With1056(t *testing.T) {
	s := shared()
	wantError(t, request(t, s, s.Accounts()[0].Tokens.Revoked, "entity/organization"), 401, 1056)
	wantError(t, request(t, s, "nonsense", "entity/organization"), 401, 1056)
	wantError(t, request(t, s, "", "entity/organization", header("Authorization")), 401, 1056)
	wantError(t, request(t, s, "", "entity/organization", header("Authorization", "Basic YTpi")), 401, 1056)
}

func TestTokensAreDerivedFromTheSeed(t *testing.T) {
	a, b := newServer(t).Accounts()[0], newServer(t).Accounts()[0]
	if a != b {
		t.Errorf("two servers with the same seed: %+v and %+v", a, b)
	}
	for _, token := range []string{a.Tokens.Owner, a.Tokens.Storekeeper, a.Tokens.Sales, a.Tokens.Revoked} {
		if len(token) != 40 || strings.Trim(token, "0123456789abcdef") != "" {
			t.Errorf("token %q is not 40 hexadecimal characters", token)
		}
	}
}

func TestTwoAccountsShareOnlyAName(t *testing.T) {
	s := shared()
	infos := s.Accounts()
	if len(infos) != 2 || infos[0].AccountID == infos[1].AccountID || infos[0].Tokens.Owner == infos[1].Tokens.Owner {
		t.Fatalf("accounts %+v", infos)
	}
	first := rows(t, s, infos[0].Tokens.Owner, "entity/organization")
	second := rows(t, s, infos[1].Tokens.Owner, "entity/organization")
	if first[0]["name"] != second[0]["name"] {
		t.Errorf("legal entities %q and %q, want the same name", first[0]["name"], second[0]["name"])
	}
	if first[0]["id"] == second[0]["id"] || first[0]["accountId"] != infos[0].AccountID ||
		second[0]["accountId"] != infos[1].AccountID {
		t.Error("two accounts share an object")
	}
	wantError(t, request(t, s, infos[1].Tokens.Owner, "entity/organization/"+first[0]["id"].(string)), 404, 1021)
}

func TestUnknownTypeAndPath(t *testing.T) {
	s := shared()
	wantError(t, request(t, s, owner(s), "entity/product2"), 412, 1005)
	wantError(t, request(t, s, owner(s), "entity/Product"), 412, 1005)
	if got := size(t, s, owner(s), "entity/commissionreportin?filter="+escape("applicable=true")); got != 0 {
		t.Errorf("a known type without objects: %d rows", got)
	}
	for _, path := range []string{"report/unheard", "nothing", "context/missing"} {
		wantError(t, request(t, s, owner(s), path), 404, 1002)
	}
}

func TestReadOnlyPathsRefuseOtherMethods(t *testing.T) {
	s := shared()
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		wantError(t, request(t, s, owner(s), "report/stock/all", func(r *http.Request) { r.Method = method }), 405,
			1039)
		wantError(t, request(t, s, owner(s), "entity/store", func(r *http.Request) { r.Method = method }), 405, 1039)
	}
}

func TestHrefsUseTheHostOfTheRequest(t *testing.T) {
	s := shared()
	m := object(t, s, owner(s), "entity/store?limit=1")
	for _, href := range []any{
		dig(m, "meta", "href"), dig(m, "meta", "nextHref"), dig(m, "context", "employee", "meta", "href"),
		dig(m["rows"].([]any)[0], "meta", "href"),
	} {
		if !strings.HasPrefix(href.(string), "http://sandbox.test/api/remap/1.2/") {
			t.Errorf("href %v", href)
		}
	}
}

func TestHrefsUseTheSchemeOfTheRequest(t *testing.T) {
	s := shared()
	a := request(t, s, owner(s), "entity/store?limit=1", func(r *http.Request) {
		r.Header.Set("X-Forwarded-Proto", "https")
	})
	if href := dig(decode[any](t, a), "meta", "href").(string); !strings.HasPrefix(href, "https://sandbox.test/") {
		t.Errorf("href %s", href)
	}
}

func TestARepeatedExpandIsOneList(t *testing.T) {
	s := shared()
	m := rows(t, s, owner(s), "entity/demand?limit=1&expand=agent&expand=store")[0]
	if dig(m, "agent", "name") == nil || dig(m, "store", "name") == nil {
		t.Errorf("not expanded: %v, %v", m["agent"], m["store"])
	}
}

func TestAnAsyncReportIsFetchedFromItsTask(t *testing.T) {
	s := newServer(t)
	a := request(t, s, owner(s), "report/stock/all?async=true&filter="+escape("stockMode=all"))
	status, result := relativePath(t, a.header.Get("Content-Location")), relativePath(t, a.header.Get("Location"))
	if a.status != http.StatusAccepted {
		t.Fatalf("status %d", a.status)
	}
	wantError(t, request(t, s, owner(s), result), 400, 61006)
	task := object(t, s, owner(s), status)
	if task["state"] != "DONE" || relativePath(t, task["resultUrl"].(string)) != result || task["deletionDate"] == nil {
		t.Errorf("task %v", task)
	}
	moved := request(t, s, owner(s), result)
	if moved.status != http.StatusFound {
		t.Fatalf("status %d", moved.status)
	}
	got := size(t, s, owner(s), relativePath(t, moved.header.Get("Location")))
	if want := size(t, s, owner(s), "report/stock/all?filter="+escape("stockMode=all")); got != want || got == 0 {
		t.Errorf("%d rows, want %d", got, want)
	}
	wantError(t, request(t, s, owner(s), "report/stock/all?async=true&limit=10"), 400, 61001)

	a = request(t, s, owner(s), "report/sales/plotseries?async=true")
	_ = request(t, s, owner(s), relativePath(t, a.header.Get("Content-Location")))
	failed := object(t, s, owner(s), relativePath(t, a.header.Get("Content-Location")))
	if failed["state"] != "API_ERROR" || dig(failed["errors"].([]any)[0], "code") != 39000.0 {
		t.Errorf("task %v", failed)
	}
	for range maxQueued {
		a = request(t, s, owner(s), "report/dashboard/day?async=true")
	}
	wantError(t, request(t, s, owner(s), "report/dashboard/day?async=true"), 429, 61002)
	cancel := relativePath(t, a.header.Get("Content-Location")) + "/cancel"
	put := request(t, s, owner(s), cancel, func(r *http.Request) { r.Method = http.MethodPut })
	if put.status != http.StatusNoContent || size(t, s, owner(s), "async") != 2+maxQueued {
		t.Errorf("cancel: status %d", put.status)
	}
}

// relativePath returns the path of an href relative to the API root.
func relativePath(t *testing.T, href string) string {
	t.Helper()
	_, relativePath, ok := strings.Cut(href, apiRoot+"/")
	if !ok {
		t.Fatalf("%q is not an API address", href)
	}
	return relativePath
}

func TestTheSandboxServesTLS(t *testing.T) {
	certificate, authority, err := SelfSigned()
	if err != nil {
		t.Fatal(err)
	}
	s := shared()
	url, err := ListenTLS(t.Context(), "127.0.0.1:0", s, certificate)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+APIPath+"/entity/store", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+owner(s))
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var body map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	if href := dig(body, "meta", "href").(string); !strings.HasPrefix(href, url+APIPath) {
		t.Errorf("href %s", href)
	}
}

func TestInterfaceIDIsRedirectedToTheAPIID(t *testing.T) {
	s := shared()
	row := rows(t, s, owner(s), "entity/product?limit=1")[0]
	_, webID, _ := strings.Cut(dig(row, "meta", "uuidHref").(string), "id=")
	if webID == row["id"] {
		t.Fatal("the interface id equals the API id")
	}
	a := request(t, s, owner(s), "entity/product/"+webID+"?expand=supplier")
	want := dig(row, "meta", "href").(string) + "?expand=supplier"
	if a.status != http.StatusPermanentRedirect || a.header.Get("Location") != want {
		t.Errorf("%d to %q, want 308 to %q", a.status, a.header.Get("Location"), want)
	}
}

func TestIdentifiersAreNotRFCUUIDs(t *testing.T) {
	s := shared()
	for _, r := range rows(t, s, owner(s), "entity/product?limit=20") {
		id := r["id"].(string)
		if !isID(id) || strings.ContainsRune("89ab", rune(id[19])) {
			t.Errorf("id %s has the RFC 4122 variant", id)
		}
	}
	wantError(t, request(t, s, owner(s), "entity/product/not-an-id"), 412, 1052)
	wantError(t, request(t, s, owner(s), "entity/product/00000000-0000-0000-0000-000000000000"), 404, 1021)
}

func TestTimesAreMoscowTimesWithoutZone(t *testing.T) {
	s := shared()
	for _, r := range rows(t, s, owner(s), "entity/demand?limit=5") {
		at, err := time.ParseInLocation(momentLayout, r["moment"].(string), moscow)
		if err != nil || at.Second() != 0 || at.Nanosecond() != 0 {
			t.Errorf("moment %v: %v, want whole minutes", r["moment"], err)
		}
	}
}

func TestPrettyPrintIndents(t *testing.T) {
	s := shared()
	a := request(t, s, owner(s), "entity/store?limit=1", header("Lognex-Pretty-Print-JSON", "true"))
	if !strings.HasPrefix(string(a.body), "{\n  \"context\"") {
		t.Errorf("body starts with %.40q", a.body)
	}
}

func TestListenServesLoopbackOnly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := Listen(ctx, "0.0.0.0:0", newServer(t)); err == nil {
		t.Error("a listener on all interfaces was accepted")
	}
	url, err := Listen(ctx, "127.0.0.1:0", newServer(t))
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, url+APIPath+"/entity/store", nil)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		t.Errorf("status %d", res.StatusCode)
	}
}
