package draft

import (
	"context"
	"encoding/json"

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
	return s.set(ctx, actor, stockhand.KeysMayConfirm, value, value)
}

// Rules returns what the organization requires of a confirmation.
func (s *Service) Rules(ctx context.Context, org stockhand.OrgID) (Rules, error) {
	value, err := s.Store.Setting(ctx, org, stockhand.DraftRules)
	if err != nil {
		return Rules{}, err
	}
	return readRules(value)
}

// SetRules replaces the rules and audits that. Only an owner or admin in person may. VALIDATION_FAILED names the
// invalid fields.
func (s *Service) SetRules(ctx context.Context, actor stockhand.Actor, r Rules) error {
	if err := actor.AdministersInPerson("the rules for drafts", "правила для черновиков"); err != nil {
		return err
	}
	if wrong := r.check(); len(wrong) > 0 {
		return &stockhand.Error{Code: stockhand.CodeValidation, Fields: wrong, Message: "these rules are invalid",
			RU: stockhand.Words{Message: "такие правила задать нельзя"}}
	}
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return s.set(ctx, actor, stockhand.DraftRules, string(value), r)
}

func (s *Service) set(ctx context.Context, actor stockhand.Actor, name stockhand.Setting, value string,
	shown any) error {
	return s.Store.ChangeSetting(ctx, actor.Org, name, value, stockhand.AuditEntry{
		At: s.Clock(), Actor: actor.Name, Action: "setting.changed",
		Detail: detail(map[string]any{"setting": name, "value": shown}),
	})
}

// WriteStop returns who stopped the writes of the organization or of the whole installation.
func (s *Service) WriteStop(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error) {
	return s.Store.WriteStop(ctx, org)
}

// StopWrites stops all writes of the organization, or allows them again, and audits that. Only an owner or admin in
// person may. It holds at once, on every replica. A document that is being sent is finished; one that is only confirmed
// returns to the person.
func (s *Service) StopWrites(ctx context.Context, actor stockhand.Actor, stop bool) error {
	if err := actor.AdministersInPerson("writes_stopped", "writes_stopped"); err != nil {
		return err
	}
	action := "writes.allowed"
	if stop {
		action = "writes.stopped"
	}
	return s.Store.ChangeWriteStop(ctx, actor.Org, stop,
		stockhand.AuditEntry{At: s.Clock(), Actor: actor.Name, Action: action})
}
