package caller

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestTheCookieOfASignInIsForThisHostAndNoScript(t *testing.T) {
	expires := time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)
	for secure, want := range map[bool]string{
		true:  "__Host-stockhand=x; Path=/; Expires=Sun, 29 Nov 2026 09:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
		false: "stockhand=x; Path=/; Expires=Sun, 29 Nov 2026 09:00:00 GMT; HttpOnly; SameSite=Lax",
	} {
		w := httptest.NewRecorder()
		Cookies{secure}.Set(w, "x", expires)
		if got := w.Header().Get("Set-Cookie"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	// over HTTPS, a cookie that another host of the domain or an HTTP page may have set is ignored
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Cookie", "stockhand=planted")
	if got := (Cookies{true}).SignIn(r); got != "" {
		t.Errorf("%q is taken", got)
	}
}
