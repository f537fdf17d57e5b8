package sandbox

import (
	"net/url"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// moscow is the zone of all times in the API, which have no explicit zone (fact M35).
var moscow = company.Moscow

const momentLayout = "2006-01-02 15:04:05.000"

// firstMoment is the earliest date the API accepts: the Unix epoch in Moscow.
var firstMoment = time.Unix(0, 0)

// parseMoment parses a time in a request. Milliseconds, seconds and the time of day are optional; a date alone means
// midnight (fact M37).
func parseMoment(s string) (time.Time, bool) {
	for _, layout := range []string{momentLayout, time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, moscow); err == nil {
			return t, !t.Before(firstMoment)
		}
	}
	return time.Time{}, false
}

// splitHref returns the type and id of an object from its href. The id is the last element of the path; a query may
// follow (fact M40).
func splitHref(href string) (typ, id string, ok bool) {
	u, err := url.Parse(href)
	if err != nil {
		return "", "", false
	}
	_, rest, found := strings.Cut(u.Path, apiRoot+"/")
	if !found {
		return "", "", false
	}
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	switch {
	case len(parts) == 3 && parts[0] == "entity":
		return parts[1], parts[2], true
	case len(parts) == 5 && parts[2] == "metadata" && parts[3] == "states":
		return "state", parts[4], true
	case len(parts) == 5 && parts[2] == "metadata" && parts[3] == "attributes":
		return "attributemetadata", parts[4], true
	case len(parts) == 5 && parts[0] == "entity": // a child: …/organization/<id>/accounts/<id>
		return parts[3], parts[4], true
	default:
		return "", "", false
	}
}
