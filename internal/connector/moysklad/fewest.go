package moysklad

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/tool"
)

// Fewest is the least number of requests that could have read what a result was made of: every list in full pages,
// every bare array and series at once, nothing twice. Benchmarks compare it with the requests that were made. Lists of
// names that were remembered from before are in neither number.
func Fewest(r *tool.Result) int {
	n := 0
	for _, s := range r.Provenance.Sources {
		if strings.HasSuffix(s.Path, "/current") { // a request for each number: stock, reserve, on the way
			n += min(s.Requests, len(account.LevelTypes))
			continue
		}
		n += account.Pages(s.Rows, pageOf(r.Tool, s.Path))
	}
	return n
}

// pageOf is how many rows one request of a list can bring.
func pageOf(toolName, path string) int {
	const whole, page, expanded = 1 << 30, 1000, 100
	switch {
	case strings.HasSuffix(path, "/plotseries"), strings.HasSuffix(path, "/byaccount"),
		strings.HasSuffix(path, "/metadata"), strings.HasPrefix(path, "context/"):
		return whole
	case strings.HasSuffix(path, "demand"), strings.HasSuffix(path, "return"):
		return expanded // with their positions (fact M18)
	case toolName == "moysklad_shortages" && (path == "entity/product" || path == "entity/variant"):
		return expanded // with their minimum stocks (fact M21)
	}
	return page
}
