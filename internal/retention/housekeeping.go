package retention

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stockhand/stockhand"
)

const (
	lease     = "housekeeping"
	leaseTime = 2 * time.Minute // renewed at half time; a batch takes milliseconds
	every     = time.Hour
	first     = time.Minute // after the start
	mostPause = time.Second
)

// Run removes what is too old, a minute after the start and then every hour, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	for next := time.After(first); ; next = time.After(every) {
		select {
		case <-ctx.Done():
			return
		case <-next:
		}
		_, err := s.Housekeep(ctx)
		switch {
		case err == nil, ctx.Err() != nil:
		case errors.Is(err, ErrHeld):
			s.Logger.DebugContext(ctx, "another process removes what is past its retention time")
		default:
			s.Logger.ErrorContext(ctx, "remove what is past its retention time", "err", err)
		}
	}
}

// ErrHeld is returned while another process removes what is too old.
var ErrHeld = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "another process is already removing what is past its retention time",
	Hint:    "Wait until it has finished; it needs no help.",
	RU: stockhand.Words{Message: "другой процесс уже удаляет то, у чего истёк срок хранения",
		Hint: "Подождите, пока он закончит: помогать ему не нужно."}}

// Housekeep removes what is too old, one batch of each organization after the other, and returns what it removed. One
// process does it at a time: the others get [ErrHeld]. It may be interrupted at any time; the next call continues. It
// rests between batches as long as they take, so that other writes get their turn.
func (s *Service) Housekeep(ctx context.Context) (all stockhand.Removed, err error) {
	began, holder := time.Now(), stockhand.NewID[string]("rep")
	var until time.Time
	hold := func() error {
		if time.Until(until) > leaseTime/2 {
			return nil
		}
		until = time.Now().Add(leaseTime)
		held, err := s.System.Hold(ctx, lease, holder, until)
		if err == nil && !held {
			err = ErrHeld
		}
		return err
	}
	if err := hold(); err != nil {
		return all, err
	}
	defer func() {
		err = errors.Join(err, s.System.Release(context.WithoutCancel(ctx), lease, holder))
	}()
	organizations, err := s.System.Organizations(ctx)
	if err != nil {
		return all, err
	}
	organizations = append(organizations, stockhand.Organization{ID: stockhand.Installation}) // it has an audit log
	var failed error
	for len(organizations) > 0 {
		var left []stockhand.Organization
		for _, o := range organizations {
			if err := hold(); err != nil {
				return all, err
			}
			start := time.Now()
			done, more, err := s.batch(ctx, o.ID)
			all.Add(done)
			s.Removed(done)
			if ctx.Err() != nil {
				return all, ctx.Err()
			}
			if err != nil { // the others must not wait for this one
				failed = errors.Join(failed, fmt.Errorf("organization %s: %w", o.ID, err))
				continue
			}
			if more {
				left = append(left, o)
				rest(ctx, time.Since(start))
			}
		}
		organizations = left
	}
	if err := s.shrink(ctx, hold); err != nil {
		return all, errors.Join(failed, err)
	}
	if all != (stockhand.Removed{}) {
		s.Logger.InfoContext(ctx, "removed what is past its retention time", "sessions", all.Sessions,
			"results", all.Results, "bytes", all.Bytes, "audit_entries", all.Entries,
			"took", time.Since(began).Round(time.Millisecond))
	}
	if failed == nil {
		s.Finished(s.Clock())
	}
	return all, failed
}

// batch removes one batch of an organization.
func (s *Service) batch(ctx context.Context, org stockhand.OrgID) (stockhand.Removed, bool, error) {
	now := s.Clock()
	if org == stockhand.Installation { // answers and attempts also belong to people outside any organization
		if more, err := s.System.ForgetExpired(ctx, now); err != nil || more {
			return stockhand.Removed{}, more, err
		}
	}
	d, err := s.Days(ctx, org)
	if err != nil {
		return stockhand.Removed{}, false, err
	}
	done, more, err := s.Store.RemoveOld(ctx, org, d.cutoffs(now), now,
		stockhand.AuditEntry{At: now, Actor: "system", Action: "session.deleted"})
	if err != nil || more || d.Audit == nil {
		return done, more, err
	}
	// Days end at midnight (UTC), so that the log gets one entry about its trimming a day and not one an hour.
	done.Entries, err = s.Store.TrimAudit(ctx, org, before(now.UTC().Truncate(24*time.Hour), d.Audit),
		stockhand.AuditEntry{At: now, Actor: "system"}, s.Sinks...)
	return done, done.Entries > 0, err
}

// shrink returns unused space of a SQLite file to the file system.
func (s *Service) shrink(ctx context.Context, hold func() error) error {
	for more := true; more; {
		start := time.Now()
		var err error
		if err = hold(); err == nil {
			more, err = s.System.Shrink(ctx)
		}
		if err != nil {
			return err
		}
		rest(ctx, time.Since(start))
	}
	return ctx.Err()
}

// rest lets other writers go ahead for as long as the last batch took.
func rest(ctx context.Context, took time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(min(took, mostPause)):
	}
}

// Due is what housekeeping would remove of an organization.
type Due struct {
	Org stockhand.OrgID `json:"org_id"`
	stockhand.Removed
}

// Plan returns what [Service.Housekeep] would remove now, besides audit entries, of each organization with something.
func (s *Service) Plan(ctx context.Context) ([]Due, error) {
	organizations, err := s.System.Organizations(ctx)
	if err != nil {
		return nil, err
	}
	var all []Due
	for _, o := range organizations {
		now := s.Clock()
		d, err := s.Days(ctx, o.ID)
		if err != nil {
			return nil, err
		}
		due, err := s.Store.CountOld(ctx, o.ID, d.cutoffs(now), now)
		if err != nil {
			return nil, err
		}
		if due != (stockhand.Removed{}) {
			all = append(all, Due{o.ID, due})
		}
	}
	return all, nil
}
