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
	if hours, ok := fixed[name]; ok {
		return time.FixedZone(name, hours*60*60), nil
	}
	return embedded(name, err)
}

// fixed are zones without summer time, in hours east of Greenwich since 2024, for machines without the IANA database.
var fixed = map[string]int{
	"Europe/Kaliningrad": 2, "Europe/Minsk": 3, "Europe/Samara": 4, "Asia/Baku": 4, "Asia/Tbilisi": 4,
	"Asia/Yerevan": 4,
	"Asia/Almaty":  5, "Asia/Tashkent": 5, "Asia/Yekaterinburg": 5, "Asia/Bishkek": 6, "Asia/Omsk": 6,
	"Asia/Krasnoyarsk": 7, "Asia/Novosibirsk": 7, "Asia/Irkutsk": 8, "Asia/Yakutsk": 9, "Asia/Vladivostok": 10,
	"Asia/Magadan": 11, "Asia/Kamchatka": 12, "UTC": 0,
}

// embedded returns a zone that is part of the binary, or an error that wraps the one of the machine's database.
func embedded(name string, missing error) (*time.Location, error) {
	data, err := zones.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("load the time zone: %w", missing)
	}
	return time.LoadLocationFromTZData(name, data)
}
