package moysklad

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/tool"
)

// Fewest returns the minimum number of requests that could have read a result's data: every list in full pages, every
// plain array and series at once, nothing twice. Benchmarks compare it with the actual requests. Cached lists of names
// count in neither number.
func Fewest(r *tool.Result) int {
	n := 0
	for _, s := range r.Provenance.Sources {
		if strings.HasSuffix(s.Path, "/current") { // one request per number: stock, reserve, in transit
			n += min(s.Requests, len(account.LevelTypes))
			continue
		}
		n += account.Pages(s.Rows, pageOf(r.Tool, s.Path))
	}
	return n
}

// FewestAgain returns the minimum number of requests that could have read a result's data again, if its documents and
// goods were kept: one for each type of documents, one for all goods, and full pages of the reports and lists that are
// not kept, because their figures change without a trace (decision 52).
func FewestAgain(r *tool.Result) int {
	again := *r
	again.Provenance.Sources = nil
	seen := map[string]bool{}
	for _, s := range r.Provenance.Sources {
		if kept := account.KeptAs(s.Path); kept == "" || !seen[kept] {
			seen[kept] = true
			if kept != "" {
				s.Rows = min(s.Rows, 1)
			}
			again.Provenance.Sources = append(again.Provenance.Sources, s)
		}
	}
	return Fewest(&again)
}

// pageOf returns the maximum number of rows per request of a list.
func pageOf(toolName, path string) int {
	const whole, page, expanded = 1 << 30, 1000, 100
	switch {
	case strings.HasSuffix(path, "/plotseries"), strings.HasSuffix(path, "/byaccount"),
		strings.HasSuffix(path, "/metadata"), strings.HasPrefix(path, "context/"):
		return whole
	case toolName == "moysklad_product" && (path == "entity/purchaseorder" || path == "entity/bundle" ||
		path == "entity/product" || path == "entity/variant"):
		return expanded // with positions, components or minimum stocks
	case toolName != "moysklad_analyze" && toolName != "moysklad_documents" &&
		(strings.HasSuffix(path, "demand") || strings.HasSuffix(path, "return")):
		return expanded // with positions (fact M18)
	case toolName == "moysklad_forecast" && path == "entity/bundle":
		return expanded // with components
	case (toolName == "moysklad_shortages" || toolName == "moysklad_analyze") &&
		(path == "entity/product" || path == "entity/variant"):
		return expanded // with minimum stocks (fact M21)
	}
	return page
}
