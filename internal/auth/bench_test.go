package auth_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// BenchmarkAuthenticate is what an authenticated request costs beside the same handler alone; the goal of issue 4 is
// less than 5 µs. Cold is the look-up of who is not remembered.
func BenchmarkAuthenticate(b *testing.B) {
	w := newWorld(b, storetest.New(b))
	_, secret := w.key(stockhand.ScopeReadData)
	mistyped := secret[:30] + "-" + secret[31:]
	cold, _ := w.replica() // nothing runs: it remembers no caller
	warm, system := w.replica()
	running(b, warm)
	for system.looks.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	guarded := func(s *auth.Service) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			a, err := s.Authenticate(r.Context(),
				auth.Caller{Bearer: token, Org: stockhand.OrgID(r.Header.Get("X-Org-Id"))})
			if err == nil {
				err = s.Allow(a, stockhand.ScopeReadData)
			}
			if err != nil {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			bare(w, r.WithContext(stockhand.WithActor(r.Context(), a)))
		})
	}
	for _, c := range []struct {
		name, token string
		handler     http.Handler
		status      int
	}{
		{"bare handler", secret, bare, http.StatusNoContent},
		{"key", secret, guarded(warm), http.StatusNoContent},
		{"user token", w.token, guarded(warm), http.StatusNoContent},
		{"mistyped", mistyped, guarded(warm), http.StatusUnauthorized},
		{"key, cold", secret, guarded(cold), http.StatusNoContent},
	} {
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.Header.Set("Authorization", "Bearer "+c.token)
		b.Run(c.name, func(b *testing.B) {
			before := system.lookups.Load()
			b.ReportAllocs()
			for b.Loop() {
				answer := discard{header: http.Header{}}
				c.handler.ServeHTTP(&answer, request)
				if answer.status != c.status {
					b.Fatal(answer.status)
				}
			}
			b.ReportMetric(float64(system.lookups.Load()-before)/float64(b.N), "queries/op")
		})
	}
	b.Run("key, parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				a, err := warm.Authenticate(b.Context(), auth.Caller{Bearer: secret})
				if err == nil {
					err = warm.Allow(a, stockhand.ScopeReadData)
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// discard is an answer that is not read.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }
