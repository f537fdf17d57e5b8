// Package retention removes what organizations no longer keep: old sessions, the rows of old results, audit entries and
// the answers to requests with an Idempotency-Key. What something unfinished needs stays: a run, a draft that waits for
// a person, a write whose outcome is unknown.
package retention

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// MostDays is the longest retention time, besides for good.
const MostDays = 3650

// The retention time of answers to requests with an Idempotency-Key is never for good.
const (
	usualAnswerDays = 1
	MostAnswerDays  = 7
)

// Days is how long an organization keeps what it stores, in days of 24 hours. Nil means the installation's time, or for
// good if that has none; for answers one day.
type Days struct {
	Sessions *int `json:"sessions_days" minimum:"1" maximum:"3650" doc:"How many days after its last message a session is deleted"`
	Results  *int `json:"results_days" minimum:"1" maximum:"3650" doc:"After how many days the rows of a result are deleted. The message keeps the answer and the totals"`
	Audit    *int `json:"audit_days" minimum:"1" maximum:"3650" doc:"After how many days entries of the audit log are removed, except those that a stream has not sent"`
	Answers  *int `json:"answers_days" minimum:"1" maximum:"7" doc:"How many days a request with an Idempotency-Key gets its first response again; 1 by default"`
}

// field is a part of a Days.
type field struct {
	name  string // in JSON, without _days
	days  **int
	usual int // 0 is for good
	most  int
}

func (d *Days) fields() []field {
	return []field{{"sessions", &d.Sessions, 0, MostDays}, {"results", &d.Results, 0, MostDays},
		{"audit", &d.Audit, 0, MostDays}, {"answers", &d.Answers, usualAnswerDays, MostAnswerDays}}
}

// Installation is what holds for all organizations.
type Installation struct {
	Usual Days // where an organization sets nothing
	Most  Days // what an organization may set
}

// Parse reads the times of an installation: for each kind the usual days and, after a colon, the most that an
// organization may set, as in "sessions=365,results=30:90". What it does not name is kept for good, answers to
// repeated requests for one day.
func Parse(text string) (i Installation, ok bool) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, value, _ := strings.Cut(part, "=")
		usual, most, limited := strings.Cut(value, ":")
		found := false
		for k, f := range i.Usual.fields() {
			if f.name != name || *f.days != nil {
				continue
			}
			*f.days = number(usual, f.most)
			if limited {
				to := i.Most.fields()[k].days
				if *to = number(most, f.most); *to == nil || *f.days == nil || **to < **f.days {
					return i, false
				}
			}
			found = *f.days != nil
		}
		if !found {
			return i, false
		}
	}
	return i, true
}

func number(text string, most int) *int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return nil
	}
	return &n
}

// of returns what holds for an organization that set these days.
func (i Installation) of(d Days) Days {
	for k, f := range d.fields() {
		usual, most := *i.Usual.fields()[k].days, *i.Most.fields()[k].days
		if *f.days == nil {
			*f.days = usual
		}
		if *f.days == nil && f.usual > 0 {
			*f.days = &f.usual
		}
		if most != nil && (*f.days == nil || **f.days > *most) {
			*f.days = most
		}
	}
	return d
}

// Store has what belongs to one organization; *store.DB implements it.
type Store interface {
	Setting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting) (string, error)
	ChangeSetting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting, value string,
		entry stockhand.AuditEntry) error
	RemoveOld(ctx context.Context, org stockhand.OrgID, c stockhand.Cutoffs, now time.Time,
		entry stockhand.AuditEntry) (done stockhand.Removed, more bool, err error)
	TrimAudit(ctx context.Context, org stockhand.OrgID, before time.Time, entry stockhand.AuditEntry,
		sinks ...string) (removed int64, err error)
	Storage(ctx context.Context, org stockhand.OrgID) (stockhand.Storage, error)
	CountOld(ctx context.Context, org stockhand.OrgID, c stockhand.Cutoffs, now time.Time) (stockhand.Removed, error)
}

// System has what concerns all organizations; store.System implements it.
type System interface {
	Organizations(ctx context.Context) ([]stockhand.Organization, error)
	Hold(ctx context.Context, work, holder string, until time.Time) (bool, error)
	Release(ctx context.Context, work, holder string) error
	Shrink(ctx context.Context) (more bool, err error)
	ForgetExpired(ctx context.Context, now time.Time) (more bool, err error)
}

// Config configures a Service.
type Config struct {
	Store        Store
	System       System
	Installation Installation
	Quota        Quota
	Sinks        []string                // what streams the audit logs; what they do not have yet stays
	Clock        func() time.Time        // nil means time.Now
	Logger       *slog.Logger            // nil discards
	Removed      func(stockhand.Removed) // called after each transaction; may be nil
	Finished     func(at time.Time)      // called after each complete round; may be nil
}

// Service changes retention times, and removes what is older.
type Service struct {
	Config

	mu       sync.Mutex
	measured map[stockhand.OrgID]measured
}

// New returns a service.
func New(c Config) *Service {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Removed == nil {
		c.Removed = func(stockhand.Removed) {}
	}
	if c.Finished == nil {
		c.Finished = func(time.Time) {}
	}
	return &Service{Config: c, measured: map[stockhand.OrgID]measured{}}
}

// Days returns what holds for an organization; nil is for good.
func (s *Service) Days(ctx context.Context, org stockhand.OrgID) (Days, error) {
	d, err := s.OwnDays(ctx, org)
	return s.Installation.of(d), err
}

// KeepAnswers returns how long an organization keeps the answers to requests with an Idempotency-Key (rule R43).
func (s *Service) KeepAnswers(ctx context.Context, org stockhand.OrgID) (time.Duration, error) {
	d, err := s.Days(ctx, org)
	return time.Duration(*d.Answers) * 24 * time.Hour, err
}

// OwnDays returns what an organization has set itself.
func (s *Service) OwnDays(ctx context.Context, org stockhand.OrgID) (d Days, err error) {
	value, err := s.Store.Setting(ctx, org, stockhand.Retention)
	if err == nil && value != "" {
		err = json.Unmarshal([]byte(value), &d)
	}
	return d, err
}

// SetDays replaces an organization's retention times and audits that. Only an owner or admin in person may.
// VALIDATION_FAILED names the invalid fields.
func (s *Service) SetDays(ctx context.Context, a stockhand.Actor, d Days) error {
	if err := a.AdministersInPerson("retention times", "сроки хранения"); err != nil {
		return err
	}
	var wrong []stockhand.FieldError
	for k, f := range d.fields() {
		most := f.most
		if own := *s.Installation.Most.fields()[k].days; own != nil {
			most = *own
		}
		if *f.days != nil && (**f.days < 1 || **f.days > most) {
			wrong = append(wrong, stockhand.FieldError{Field: "retention." + f.name + "_days",
				Message: fmt.Sprintf("must be a whole number from 1 to %d", most)})
		}
	}
	if len(wrong) > 0 {
		return &stockhand.Error{Code: stockhand.CodeValidation, Fields: wrong,
			Message: "these retention times are invalid",
			RU:      stockhand.Words{Message: "такие сроки хранения задать нельзя"}}
	}
	value, err := json.Marshal(d)
	if err != nil {
		return err
	}
	detail, err := json.Marshal(map[string]any{"setting": stockhand.Retention, "value": d})
	if err != nil {
		return err
	}
	return s.Store.ChangeSetting(ctx, a.Org, stockhand.Retention, string(value),
		stockhand.AuditEntry{At: s.Clock(), Actor: a.Name, Action: "setting.changed", Detail: detail})
}

// cutoffs returns the times before which an organization keeps nothing, at a time.
func (d Days) cutoffs(now time.Time) stockhand.Cutoffs {
	return stockhand.Cutoffs{Sessions: before(now, d.Sessions), Results: before(now, d.Results)}
}

func before(now time.Time, days *int) time.Time {
	if days == nil {
		return time.Time{}
	}
	return now.Add(-time.Duration(*days) * 24 * time.Hour)
}
