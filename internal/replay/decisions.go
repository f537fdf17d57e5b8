package replay

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/cassette"
)

// decide carries out what a task says about drafts, if code decided on them when it was recorded. It returns false
// where there is nothing to decide now.
func (s *stage) decide(ctx context.Context, d *cassette.Decision, t agent.Task, tape *cassette.Tape) (agent.Turn, bool,
	error) {
	if d == nil {
		return agent.Turn{}, false, nil
	}
	if err := s.allow(ctx, d); err != nil {
		return agent.Turn{}, false, err
	}
	t.Actor.Person, t.Actor.Scopes = d.Person, d.Scopes
	if d.Proven {
		t.Actor.SignIn, t.Actor.Proven = "recorded", s.now()
	}
	return s.ByWord().Do(cassette.With(ctx, tape), t)
}

// allow sets what the organization allows to what it was.
func (s *stage) allow(ctx context.Context, d *cassette.Decision) error {
	for name, value := range map[stockhand.Setting]string{stockhand.DraftRules: string(d.Rules),
		stockhand.KeysMayConfirm: d.Keys} {
		if s.settings[name] == value {
			continue
		}
		err := s.Store.ChangeSetting(ctx, s.Org, name, value, stockhand.AuditEntry{Actor: s.owner().Name,
			Action: "setting.changed", At: s.now()})
		if err != nil {
			return err
		}
		s.settings[name] = value
	}
	return nil
}
