// Package wire contains the types of the API's requests and responses, with their OpenAPI descriptions in tags, and
// conversions from the domain types. The logic is in the handlers of internal/api.
package wire

import "time"

// OrEmpty makes a nil slice encode as [] instead of null.
func OrEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// OrNull returns nil for a zero value.
func OrNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// TimeOrNull returns nil for a zero time.
func TimeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
