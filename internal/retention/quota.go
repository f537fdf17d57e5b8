package retention

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// Quota is how much an organization may store; 0 is no limit.
type Quota struct {
	Bytes    int64 // of results
	Sessions int64
}

// UsualQuota holds unless the operator sets another one.
var UsualQuota = Quota{Bytes: 10 << 30, Sessions: 1_000_000}

// ParseQuota reads a quota as "10240:1000000": MiB of results and a number of sessions. An empty text is [UsualQuota],
// "off" is none.
func ParseQuota(text string) (q Quota, ok bool) {
	switch text {
	case "":
		return UsualQuota, true
	case "off":
		return q, true
	}
	megabytes, sessions, _ := strings.Cut(text, ":")
	for _, x := range []struct {
		text string
		to   *int64
	}{{megabytes, &q.Bytes}, {sessions, &q.Sessions}} {
		n, err := strconv.ParseInt(x.text, 10, 64)
		if err != nil || n < 1 || n > 1<<40 {
			return q, false
		}
		*x.to = n
	}
	q.Bytes <<= 20
	return q, true
}

// Usage is what an organization stores, and what it may.
type Usage struct {
	Bytes       int64  `json:"result_bytes" doc:"Bytes of results as stored"`
	MaxBytes    *int64 `json:"max_result_bytes" doc:"Above this, new tasks are refused with 409 QUOTA_EXCEEDED; null for no limit"`
	Sessions    int64  `json:"sessions" doc:"Sessions, also those of direct calls"`
	MaxSessions *int64 `json:"max_sessions"`
}

// Usage returns what an organization stores, and what it may.
func (s *Service) Usage(ctx context.Context, org stockhand.OrgID) (Usage, error) {
	used, err := s.Store.Storage(ctx, org)
	u := Usage{Bytes: used.Bytes, Sessions: used.Sessions}
	if s.Quota.Bytes > 0 {
		u.MaxBytes = &s.Quota.Bytes
	}
	if s.Quota.Sessions > 0 {
		u.MaxSessions = &s.Quota.Sessions
	}
	return u, err
}

// measured is what an organization stored at a time.
type measured struct {
	stockhand.Storage
	at time.Time
}

// An organization far below its quota is measured once a minute, others with each task.
const (
	measureEvery = time.Minute
	far          = 0.8
)

// reaches reports whether a share of the quota is used.
func (q Quota) reaches(share float64, u stockhand.Storage) bool {
	return q.Bytes > 0 && float64(u.Bytes) >= share*float64(q.Bytes) ||
		q.Sessions > 0 && float64(u.Sessions) >= share*float64(q.Sessions)
}

// Admit returns QUOTA_EXCEEDED while an organization stores as much as it may, for new tasks only (rule R130). Tasks
// that began before may exceed the quota.
func (s *Service) Admit(ctx context.Context, org stockhand.OrgID) error {
	if s.Quota == (Quota{}) {
		return nil
	}
	s.mu.Lock()
	last, known := s.measured[org]
	fresh := known && time.Since(last.at) < measureEvery && !s.Quota.reaches(far, last.Storage)
	if fresh {
		last.Sessions++ // of this task
		s.measured[org] = last
	}
	s.mu.Unlock()
	if fresh {
		return nil
	}
	used, err := s.Store.Storage(ctx, org)
	if err != nil {
		return err
	}
	full := s.Quota.reaches(1, used)
	last = measured{used, time.Now()}
	if !full {
		last.Sessions++
	}
	s.mu.Lock()
	s.measured[org] = last
	s.mu.Unlock()
	if !full {
		return nil
	}
	const mib = 1 << 20
	return &stockhand.Error{Code: stockhand.CodeQuotaExceeded,
		Message: fmt.Sprintf("the organization stores %d MiB of results and %d sessions, which is all it may",
			used.Bytes/mib, used.Sessions),
		Hint: "Delete sessions, set a shorter retention time in the settings, or ask the operator for more. " +
			"Drafts can still be confirmed.",
		RU: stockhand.Words{Message: fmt.Sprintf(
			"место организации закончилось: %d МиБ таблиц и %d диалогов", used.Bytes/mib, used.Sessions),
			Hint: "Удалите ненужные диалоги, уменьшите срок хранения в настройках или попросите место у оператора. " +
				"Черновики можно подтверждать."}}
}
