package draft

import (
	"context"

	"github.com/stockhand/stockhand"
)

const on = "on"

// KeysMayConfirm reports whether the organization allows API keys to confirm drafts; the default is no.
func (s *Service) KeysMayConfirm(ctx context.Context, org stockhand.OrgID) (bool, error) {
	value, err := s.Store.Setting(ctx, org, stockhand.KeysMayConfirm)
	return value == on, err
}

// SetKeysMayConfirm changes the setting and audits it. Only a person may turn it on, or else a key could allow itself
// to confirm. The caller checks that the actor administers the organization.
func (s *Service) SetKeysMayConfirm(ctx context.Context, actor stockhand.Actor, may bool) error {
	if actor.Name == "" || (may && !actor.Person) {
		return stockhand.Errorf(stockhand.CodePermissionDenied, "only a person may turn %s on",
			stockhand.KeysMayConfirm).
			WithHint("let a person who administers the organization do it")
	}
	value := "off"
	if may {
		value = on
	}
	return s.Store.ChangeSetting(ctx, actor.Org, stockhand.KeysMayConfirm, value, stockhand.AuditEntry{
		At: s.Clock(), Actor: actor.Name, Action: "setting.changed",
		Detail: detail(map[string]any{"setting": stockhand.KeysMayConfirm, "value": value}),
	})
}
