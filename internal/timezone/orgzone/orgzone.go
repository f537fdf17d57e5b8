// Package orgzone is the time zone that an organization's people are shown times in (rule R448). Days of figures are
// those of the accounts, whatever this zone is.
package orgzone

import (
	"context"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/timezone"
)

// Store holds settings. *store.DB implements it.
type Store interface {
	Setting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting) (string, error)
	ChangeSetting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting, value string,
		entry stockhand.AuditEntry) error
}

// Service reads and changes the setting.
type Service struct {
	Store Store
	Clock func() time.Time // nil means time.Now
}

// Name returns the IANA name of the organization's zone; empty if it has none of its own.
func (s Service) Name(ctx context.Context, org stockhand.OrgID) (string, error) {
	return s.Store.Setting(ctx, org, stockhand.TimeZone)
}

// Of returns the zone of an organization; nil if it has none of its own, or if this machine does not know it.
func (s Service) Of(ctx context.Context, org stockhand.OrgID) (*time.Location, error) {
	name, err := s.Name(ctx, org)
	if err != nil || name == "" {
		return nil, err
	}
	l, err := timezone.Load(name)
	if err != nil {
		return nil, nil //nolint:nilerr // times are then those of the accounts
	}
	return l, nil
}

// Set changes the zone and audits that; an empty name means that of the accounts. The caller checks that the actor
// administers the organization. VALIDATION_FAILED names an unknown zone.
func (s Service) Set(ctx context.Context, a stockhand.Actor, name string) error {
	if _, err := timezone.Load(name); err != nil || name == "Local" {
		return &stockhand.Error{Code: stockhand.CodeValidation, Message: "there is no such time zone",
			Hint: "use an IANA name such as Asia/Vladivostok, or empty for the accounts' zone",
			RU: stockhand.Words{Message: "нет такого часового пояса",
				Hint: "возьмите имя IANA, например Asia/Vladivostok"},
			Fields: []stockhand.FieldError{{Field: string(stockhand.TimeZone), Message: "must be an IANA name"}}}
	}
	now := time.Now
	if s.Clock != nil {
		now = s.Clock
	}
	detail, err := json.Marshal(map[string]any{"setting": stockhand.TimeZone, "value": name})
	if err != nil {
		return err
	}
	return s.Store.ChangeSetting(ctx, a.Org, stockhand.TimeZone, name, stockhand.AuditEntry{At: now(), Actor: a.Name,
		Action: "setting.changed", Detail: detail})
}
