// Package timezone loads time zones of the IANA database: the machine's, and on a machine without one the zones of the
// connectors, which are part of the binary. The whole database would add 450 KB to it.
package timezone

import (
	"embed"
	"fmt"
	"time"
)

// zones are files of lib/time/zoneinfo.zip of the Go distribution, unchanged.
//
//go:embed Europe/Moscow
var zones embed.FS

// Load returns the zone of an IANA name.
func Load(name string) (*time.Location, error) {
	l, err := time.LoadLocation(name)
	if err == nil {
		return l, nil
	}
	return embedded(name, err)
}

// embedded returns a zone that is part of the binary, or an error that wraps the one of the machine's database.
func embedded(name string, missing error) (*time.Location, error) {
	data, err := zones.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("load the time zone: %w", missing)
	}
	return time.LoadLocationFromTZData(name, data)
}
