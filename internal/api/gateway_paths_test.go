package api_test

import (
	"net/http"
	"testing"

	"github.com/stockhand/stockhand/internal/app/apptest"
)

// Generated clients escape the slashes of a path parameter.
func TestAGatewayPathMayEscapeItsSlashes(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	for _, path := range []string{"entity%2Fstore", "entity%2fstore", "report%2Fstock/all"} {
		if a := s.Do(http.MethodGet, at(s, path), s.AdminToken, nil); a.Status != http.StatusOK {
			t.Errorf("%s: %d %.200s", path, a.Status, a.Body)
		}
	}
}
