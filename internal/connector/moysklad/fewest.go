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
	case (toolName == "moysklad_shortages" || toolName == "moysklad_analyze") &&
		(path == "entity/product" || path == "entity/variant"):
		return expanded // with minimum stocks (fact M21)
	}
	return page
}
