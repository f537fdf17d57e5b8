package retention

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// Quota is how much an organization may store; 0 is no limit.
type Quota stockhand.Storage

// UsualQuota holds unless the operator sets another one.
var UsualQuota = Quota{Bytes: 10 << 30, Sessions: 1_000_000, Messages: 5_000_000, Drafts: 1_000_000}

const mib = 1 << 20

// kind is something that a quota limits.
type kind struct {
	name     string // in settings
	en, ru   string // of many
	unit     int64
	of       func(*stockhand.Storage) *int64
	advice   string
	adviceRU string
}

const (
	deleteSessions = "Delete sessions, set a shorter retention time in the settings, or ask the operator for more. " +
		"Drafts can still be confirmed."
	deleteSessionsRU = "Удалите ненужные диалоги, уменьшите срок хранения в настройках или попросите место у " +
		"оператора. Черновики можно подтверждать."
)

var kinds = []kind{
	{"results", "MiB of results", "МиБ таблиц", mib, func(s *stockhand.Storage) *int64 { return &s.Bytes },
		deleteSessions, deleteSessionsRU},
	{"sessions", "sessions", "диалогов", 1, func(s *stockhand.Storage) *int64 { return &s.Sessions },
		deleteSessions, deleteSessionsRU},
	{"messages", "messages", "сообщений", 1, func(s *stockhand.Storage) *int64 { return &s.Messages },
		deleteSessions, deleteSessionsRU},
	{"drafts", "drafts", "черновиков", 1, func(s *stockhand.Storage) *int64 { return &s.Drafts },
		"Drafts are kept: ask the operator for more. Those that wait can still be confirmed.",
		"Черновики не удаляются: попросите место у оператора. Ожидающие можно подтверждать."},
}

// in returns the limit of a kind; 0 is no limit.
func (k kind) in(q Quota) int64 { return *k.of((*stockhand.Storage)(&q)) }

// ParseQuota reads a quota as "results=10240,sessions=1000000": MiB of results and numbers of the others, each "off"
// for no limit. What the text does not name is that of [UsualQuota]; "off" alone is no limit at all.
func ParseQuota(text string) (Quota, bool) {
	if text == "off" {
		return Quota{}, true
	}
	own, ok := OwnQuota{}.Change(text)
	return own.over(UsualQuota), ok
}

// OwnQuota is what the operator set for one organization, by kind; 0 is no limit. For what is not in it the quota of
// the installation holds.
type OwnQuota map[string]int64

// Change returns the quota with the changes of a text as for [ParseQuota]; "none" is the installation's.
func (own OwnQuota) Change(text string) (OwnQuota, bool) {
	changed, given := OwnQuota{}, map[string]bool{}
	maps.Copy(changed, own)
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, value, _ := strings.Cut(part, "=")
		k, known := kindOf(name)
		if !known || given[name] {
			return nil, false
		}
		given[name] = true
		switch value {
		case "none":
			delete(changed, name)
			continue
		case "off":
			changed[name] = 0
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 || n > 1<<40 {
			return nil, false
		}
		changed[name] = n * k.unit
	}
	return changed, len(given) > 0 || text == ""
}

func kindOf(name string) (kind, bool) {
	for _, k := range kinds {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

// over returns the quota that holds for an organization.
func (own OwnQuota) over(q Quota) Quota {
	for _, k := range kinds {
		if n, set := own[k.name]; set {
			*k.of((*stockhand.Storage)(&q)) = n
		}
	}
	return q
}

// OwnQuota returns what the operator set for an organization.
func (s *Service) OwnQuota(ctx context.Context, org stockhand.OrgID) (own OwnQuota, err error) {
	value, err := s.Store.Setting(ctx, org, stockhand.Quota)
	if err == nil && value != "" {
		err = json.Unmarshal([]byte(value), &own)
	}
	return own, err
}

// SetQuota replaces what is set for an organization and audits that. Only for the operator. Servers notice it within a
// minute.
func (s *Service) SetQuota(ctx context.Context, a stockhand.Actor, own OwnQuota) error {
	value, err := json.Marshal(own)
	if err != nil {
		return err
	}
	detail, err := json.Marshal(map[string]any{"setting": stockhand.Quota, "value": own})
	if err != nil {
		return err
	}
	return s.Store.ChangeSetting(ctx, a.Org, stockhand.Quota, string(value),
		stockhand.AuditEntry{At: s.Clock(), Actor: a.Name, Action: "setting.changed", Detail: detail})
}

// Usage is what an organization stores, and what it may.
type Usage struct {
	Bytes       int64  `json:"result_bytes" doc:"Bytes of results as stored"`
	MaxBytes    *int64 `json:"max_result_bytes" doc:"Above this, new tasks are refused with 409 QUOTA_EXCEEDED; null for no limit"`
	Sessions    int64  `json:"sessions" doc:"Sessions, also those of direct calls"`
	MaxSessions *int64 `json:"max_sessions"`
	Messages    int64  `json:"messages" doc:"Messages of all sessions"`
	MaxMessages *int64 `json:"max_messages"`
	Drafts      int64  `json:"drafts" doc:"Drafts, also those that are applied, rejected or expired"`
	MaxDrafts   *int64 `json:"max_drafts"`
}

// Usage returns what an organization stores, and what it may.
func (s *Service) Usage(ctx context.Context, org stockhand.OrgID) (Usage, error) {
	m, err := s.measure(ctx, org)
	orNull := func(n int64) *int64 {
		if n == 0 {
			return nil
		}
		return &n
	}
	return Usage{m.Bytes, orNull(m.quota.Bytes), m.Sessions, orNull(m.quota.Sessions), m.Messages,
		orNull(m.quota.Messages), m.Drafts, orNull(m.quota.Drafts)}, err
}

// measured is what an organization stored at a time, and what it might.
type measured struct {
	stockhand.Storage
	quota     Quota
	at        time.Time
	took      time.Duration
	estimated bool // tasks that began since are added
}

// measure reads what an organization stores and may store.
func (s *Service) measure(ctx context.Context, org stockhand.OrgID) (m measured, err error) {
	began := s.Clock()
	own, err := s.OwnQuota(ctx, org)
	if err != nil {
		return m, err
	}
	m.quota = own.over(s.Quota)
	m.Storage, err = s.Store.Storage(ctx, org)
	m.at = s.Clock()
	m.took = m.at.Sub(began)
	return m, err
}

// An organization far below its quota is measured once a minute, others with each task, or after 20 times as long as
// measuring took where that is not a moment.
const (
	measureEvery = time.Minute
	far          = 0.8
	moment       = 20 * time.Millisecond
	rests        = 20
)

// lasts returns how long the measurement counts.
func (m measured) lasts() time.Duration {
	switch {
	case len(m.reaches(far)) == 0:
		return measureEvery
	case m.took < moment:
		return 0
	}
	return min(rests*m.took, measureEvery)
}

// reaches returns the kinds of which a share of the quota is used.
func (m measured) reaches(share float64) (all []kind) {
	for _, k := range kinds {
		if most := k.in(m.quota); most > 0 && float64(k.in(Quota(m.Storage))) >= share*float64(most) {
			all = append(all, k)
		}
	}
	return all
}

// Freed says that something of an organization was deleted, so that its next task is not refused by what was measured
// before.
func (s *Service) Freed(org stockhand.OrgID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.measured, org)
}

// Admit returns QUOTA_EXCEEDED while an organization stores as much as it may, for new tasks only (rule R130). Tasks
// that began before may exceed the quota.
func (s *Service) Admit(ctx context.Context, org stockhand.OrgID) error {
	s.mu.Lock()
	m, known := s.measured[org]
	s.mu.Unlock()
	if !known || s.Clock().Sub(m.at) >= m.lasts() || m.estimated && len(m.reaches(1)) > 0 {
		var err error
		if m, err = s.measure(ctx, org); err != nil {
			return err
		}
	}
	full := m.reaches(1)
	if len(full) == 0 {
		m = m.withTask()
	}
	s.mu.Lock()
	s.measured[org] = m
	s.mu.Unlock()
	if len(full) == 0 {
		return nil
	}
	k := full[0]
	n := k.in(Quota(m.Storage)) / k.unit
	return &stockhand.Error{Code: stockhand.CodeQuotaExceeded, Hint: k.advice,
		Message: fmt.Sprintf("the organization stores %d %s, which is all it may", n, k.en),
		RU: stockhand.Words{Message: fmt.Sprintf("место организации закончилось: %d %s", n, k.ru),
			Hint: k.adviceRU}}
}

// withTask adds what a task stores at most, besides its results.
func (m measured) withTask() measured {
	m.Sessions++
	m.Messages += 2
	m.Drafts++
	m.estimated = true
	return m
}
