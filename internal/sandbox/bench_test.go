package sandbox

import (
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

var large = sync.OnceValue(func() *Server {
	return New(Options{Company: company.Options{Seed: 1, Products: 100_000}, Accounts: 1, NoLimits: true})
})

// BenchmarkPage serves a full page of 1,000 rows, gzip included, from an account of 100,000 products.
func BenchmarkPage(b *testing.B) {
	for _, path := range []string{
		"entity/product?offset=50000", "entity/product?offset=50000&order=name", "entity/assortment",
		"report/stock/all?offset=50000", "report/stock/bystore?offset=50000", "report/profit/byproduct",
		"report/turnover/all", "entity/demand",
	} {
		b.Run(path, func(b *testing.B) {
			s := large()
			for b.Loop() {
				r := httptest.NewRequest("GET", apiRoot+"/"+path, nil)
				r.Header.Set("Accept-Encoding", "gzip")
				r.Header.Set("Authorization", "Bearer "+owner(s))
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				if w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
