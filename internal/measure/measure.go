// Package measure manages the measures that organizations define: formulas over the measures of the catalogue, which
// every query of the organization may use. Package analysis checks and computes them.
package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
)

// Store keeps definitions; internal/store/measures documents the methods.
type Store interface {
	Measures(ctx context.Context, org stockhand.OrgID) ([]stockhand.StoredMeasure, error)
	PutMeasure(ctx context.Context, org stockhand.OrgID, m stockhand.StoredMeasure,
		check func(all []stockhand.StoredMeasure) error, entry stockhand.AuditEntry) error
	DeleteMeasure(ctx context.Context, org stockhand.OrgID, name string,
		check func(all []stockhand.StoredMeasure) error, entry stockhand.AuditEntry) error
}

// Service manages the measures of all organizations. It is safe for concurrent use.
type Service struct {
	Store     Store
	Catalogue *analysis.Catalogue // that formulas may use, without the own measures
	Clock     func() time.Time    // nil: time.Now
}

// Measure is a measure of an organization.
type Measure struct {
	analysis.OwnMeasure
	By      string // the actor who changed it last
	Updated time.Time
	LeftOut string // why it does not fit the catalogue any more; empty if it does
}

// List returns the organization's measures by name.
func (s *Service) List(ctx context.Context, org stockhand.OrgID) ([]Measure, error) {
	stored, err := s.Store.Measures(ctx, org)
	if err != nil {
		return nil, err
	}
	own := definitions(stored)
	with := s.Catalogue.Extend(own)
	all := make([]Measure, len(own))
	for i, m := range own {
		all[i] = Measure{OwnMeasure: m, By: stored[i].By, Updated: stored[i].Updated}
		for _, l := range with.LeftOut {
			if l.Name == m.Name {
				all[i].LeftOut = l.Reason
			}
		}
	}
	return all, nil
}

// After returns those whose names come after a name.
func (s *Service) After(ctx context.Context, org stockhand.OrgID, name string) ([]Measure, error) {
	all, err := s.List(ctx, org)
	return slices.DeleteFunc(all, func(m Measure) bool { return m.Name <= name }), err
}

// Get returns one of the organization's measures.
func (s *Service) Get(ctx context.Context, org stockhand.OrgID, name string) (Measure, error) {
	all, err := s.List(ctx, org)
	if err != nil {
		return Measure{}, err
	}
	i := slices.IndexFunc(all, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, errMissing
	}
	return all[i], nil
}

var errMissing = &stockhand.Error{Code: stockhand.CodeNotFound, Message: "the organization has no measure of that name",
	Hint: "GET /organizations/{org_id}/measures lists its measures",
	RU: stockhand.Words{Message: "у организации нет показателя с таким именем",
		Hint: "GET /organizations/{org_id}/measures перечисляет её показатели"}}

// Put stores a measure, in place of one with that name. It returns VALIDATION_FAILED if the measure cannot be computed,
// or another one not any more, and CONFLICT if the organization has as many as it may.
func (s *Service) Put(ctx context.Context, actor stockhand.Actor, m analysis.OwnMeasure) (Measure, error) {
	saved := Measure{OwnMeasure: m, By: actor.Name, Updated: s.now()}
	definition, err := json.Marshal(m)
	if err != nil {
		return Measure{}, err
	}
	check := func(stored []stockhand.StoredMeasure) error {
		all := definitions(stored)
		if len(all) >= analysis.MaxOwn &&
			!slices.ContainsFunc(all, func(o analysis.OwnMeasure) bool { return o.Name == m.Name }) {
			return errFull
		}
		return s.Catalogue.CheckOwn(m, all)
	}
	return saved, s.Store.PutMeasure(ctx, actor.Org,
		stockhand.StoredMeasure{Name: m.Name, Definition: definition, By: saved.By, Updated: saved.Updated}, check,
		entry(saved, "measure.changed"))
}

var errFull = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: fmt.Sprintf("the organization has %d measures, which is the most it may", analysis.MaxOwn),
	Hint:    "delete one that is not used",
	RU: stockhand.Words{Message: fmt.Sprintf("у организации уже %d показателей, больше нельзя", analysis.MaxOwn),
		Hint: "удалите тот, которым никто не пользуется"}}

// Delete deletes a measure and returns it. It returns CONFLICT if others use it.
func (s *Service) Delete(ctx context.Context, actor stockhand.Actor, name string) (Measure, error) {
	deleted, err := s.Get(ctx, actor.Org, name)
	if err != nil {
		return Measure{}, err
	}
	check := func(stored []stockhand.StoredMeasure) error {
		all := definitions(stored)
		if !slices.ContainsFunc(all, func(o analysis.OwnMeasure) bool { return o.Name == name }) {
			return errMissing
		}
		if users := strings.Join(analysis.UsersOf(name, all), ", "); users != "" {
			return &stockhand.Error{Code: stockhand.CodeConflict, Message: name + " is used by " + users,
				Hint: "delete or change these measures first",
				RU: stockhand.Words{Message: name + " используют показатели: " + users,
					Hint: "сначала удалите или измените их"}}
		}
		return nil
	}
	by := deleted
	by.By, by.Updated = actor.Name, s.now()
	return deleted, s.Store.DeleteMeasure(ctx, actor.Org, name, check, entry(by, "measure.deleted"))
}

// Extend returns a catalogue with the organization's measures. Those that do not fit are in its LeftOut.
func (s *Service) Extend(ctx context.Context, org stockhand.OrgID, c *analysis.Catalogue) (*analysis.Catalogue, error) {
	stored, err := s.Store.Measures(ctx, org)
	if err != nil {
		return nil, err
	}
	return c.Extend(definitions(stored)), nil
}

// All returns the catalogue of every account with the organization's measures.
func (s *Service) All(ctx context.Context, org stockhand.OrgID) (*analysis.Catalogue, error) {
	return s.Extend(ctx, org, s.Catalogue)
}

func (s *Service) now() time.Time {
	if s.Clock == nil {
		return time.Now().UTC()
	}
	return s.Clock().UTC()
}

func definitions(stored []stockhand.StoredMeasure) []analysis.OwnMeasure {
	all := make([]analysis.OwnMeasure, len(stored))
	for i, m := range stored {
		_ = json.Unmarshal(m.Definition, &all[i]) // nothing else is ever stored
		all[i].Name = m.Name
	}
	return all
}

// entry is the audit entry of a change by the measure's By.
func entry(m Measure, action string) stockhand.AuditEntry {
	detail, err := json.Marshal(map[string]any{"measure": m.Name, "formula": m.Formula, "unit": m.Unit})
	if err != nil {
		detail = json.RawMessage("{}") // only strings: it cannot fail
	}
	return stockhand.AuditEntry{At: m.Updated, Actor: m.By, Action: action, Detail: detail}
}
