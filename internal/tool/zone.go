package tool

import (
	"cmp"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/timezone"
)

// Zone is the time zone in which an account counts its days. The connector sets it. The zero Zone is UTC.
type Zone struct {
	Name  string `json:"name" example:"Europe/Moscow"` // in the IANA database
	Label Text   `json:"label"`                        // for display, such as "Moscow time"
}

var locations sync.Map // *time.Location by IANA name

// Location returns the zone's rules, or UTC if the IANA database does not have its name.
func (z Zone) Location() *time.Location {
	if known, ok := locations.Load(z.Name); ok {
		return known.(*time.Location)
	}
	l, err := timezone.Load(z.Name)
	if err != nil {
		return time.UTC
	}
	locations.Store(z.Name, l)
	return l
}

// Title returns the display name of the zone that [Zone.Location] returns.
func (z Zone) Title(l stockhand.Language) string {
	if z.Location() == time.UTC {
		return "UTC"
	}
	return cmp.Or(z.Label.In(l), z.Name)
}
