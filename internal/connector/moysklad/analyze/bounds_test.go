package analyze

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// A query that would read too much is an error with a way out, and reads no further.
func TestAQueryIsBounded(t *testing.T) { // rule R202
	s := sandbox.New(sandbox.Options{NoLimits: true, Accounts: 1,
		Company: company.Options{Products: 50, Days: 40, Seed: 7}})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	a := account.New(connector.Config{BaseURL: server.URL + sandbox.APIPath, Token: s.Accounts()[0].Tokens.Owner},
		connector.Identity{Account: "a", Rights: []string{account.RightAdmin}})
	for _, c := range []struct {
		most       bounds
		query, way string
	}{
		{bounds{lines: 20, readings: 400}, `{"measures":["revenue"],"by":["hour"]}`, "shorter"},
		{bounds{lines: 20, readings: 400}, `{"measures":["discount"],"by":["product"]}`, "conditions"},
		{bounds{lines: 100_000, readings: 50}, `{"measures":["profit"],"by":["day","store"]}`, "longer step"},
		{bounds{lines: 100, readings: 400}, `{"measures":["stock_at_end"],"by":["day"]}`, "longer step"},
		{bounds{lines: 300_000, readings: 20}, `{"measures":["stock_at_end"],"by":["day"]}`, "longer step"},
	} {
		for most, wanted := range map[bounds]stockhand.Code{c.most: stockhand.CodeValidation,
			{lines: 300_000, readings: 400}: ""} {
			_, err := tools(a, most)[0].Call(t.Context(), tool.Env{Language: stockhand.English},
				json.RawMessage(c.query))
			if wanted == "" && err != nil || wanted != "" && (stockhand.CodeOf(err) != wanted ||
				!strings.Contains(err.Error(), c.way)) {
				t.Errorf("%s within %+v: %v", c.query, most, err)
			}
		}
	}
}
