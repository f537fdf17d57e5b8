package api

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/stockhand/stockhand"
)

// OrgPath is the path of the caller's organization.
type OrgPath struct {
	Org stockhand.OrgID `path:"org_id"`
}

// UsageReport is an organization's usage over a period of days.
type UsageReport struct {
	From    string       `json:"from" example:"2026-11-01" doc:"The first day (UTC)"`
	To      string       `json:"to" example:"2026-11-30" doc:"The last day (UTC), included"`
	Data    []DayUsage   `json:"data" doc:"By day and actor; days without usage are omitted"`
	ByActor []ActorUsage `json:"by_actor" doc:"Totals per actor, highest usage first"`
	Total   Used         `json:"total"`
}

// DayUsage is one actor's usage on one day.
type DayUsage struct {
	Day   string  `json:"day" example:"2026-11-21"`
	Actor *string `json:"actor" doc:"key:key_… or user:usr_…; null for the command line"`
	Used
}

// ActorUsage is one actor's usage over the whole period.
type ActorUsage struct {
	Actor *string `json:"actor"`
	Used
}

// Used counts work.
type Used struct {
	Runs             int `json:"runs"`
	ExternalRequests int `json:"external_requests"`
	InputTokens      int `json:"input_tokens"`
	OutputTokens     int `json:"output_tokens"`
}

func (u *Used) add(v stockhand.Usage) {
	u.Runs += v.Runs
	u.ExternalRequests += v.Requests
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
}

// mostDays is the longest period of a usage report, usualDays the default.
const (
	mostDays  = 366
	usualDays = 30
)

func (s *Server) getUsage(ctx context.Context, in *struct {
	OrgPath
	From string `query:"from" format:"date" doc:"The first day (UTC); by default 29 days before the last"`
	To   string `query:"to" format:"date" doc:"The last day (UTC); by default today"`
}) (*Answer[UsageReport], error) {
	from, to, err := span(in.From, in.To, time.Now().UTC())
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.Usage(ctx, in.Org, from, to)
	if err != nil {
		return nil, err
	}
	out := UsageReport{From: from, To: to, Data: []DayUsage{}, ByActor: []ActorUsage{}}
	actors := map[string]*ActorUsage{}
	for _, u := range rows {
		day := DayUsage{Day: u.Day, Actor: orNull(u.By)}
		day.add(u)
		out.Data = append(out.Data, day)
		if actors[u.By] == nil {
			actors[u.By] = &ActorUsage{Actor: orNull(u.By)}
		}
		actors[u.By].add(u)
		out.Total.add(u)
	}
	for _, a := range actors {
		out.ByActor = append(out.ByActor, *a)
	}
	slices.SortFunc(out.ByActor, func(a, b ActorUsage) int {
		return cmp.Or(cmp.Compare(b.ExternalRequests, a.ExternalRequests), cmp.Compare(b.Runs, a.Runs),
			cmp.Compare(name(a.Actor), name(b.Actor)))
	})
	return answerOf(out)
}

func name(actor *string) string {
	if actor == nil {
		return ""
	}
	return *actor
}

// span parses a period of days; both ends are included.
func span(from, to string, now time.Time) (string, string, error) {
	read := func(field, given string, otherwise time.Time) (time.Time, error) {
		if given == "" {
			return otherwise, nil
		}
		day, err := time.Parse(time.DateOnly, given)
		if err != nil {
			return day, invalid(field, "must be a date such as 2026-11-21")
		}
		return day, nil
	}
	last, err := read("to", to, now.Truncate(24*time.Hour))
	if err != nil {
		return "", "", err
	}
	first, err := read("from", from, last.AddDate(0, 0, 1-usualDays))
	if err != nil {
		return "", "", err
	}
	switch days := int(last.Sub(first).Hours()/24) + 1; {
	case days < 1:
		return "", "", invalid("from", "must not be after to")
	case days > mostDays:
		return "", "", invalid("from", "the period is longer than "+strconv.Itoa(mostDays)+" days")
	}
	return first.Format(time.DateOnly), last.Format(time.DateOnly), nil
}

// AuditEntry is an entry of the audit log. Its hash covers the previous entry's hash.
type AuditEntry struct {
	Seq        int64                 `json:"seq" doc:"Counts from 1 without gaps"`
	At         time.Time             `json:"at"`
	Actor      string                `json:"actor" doc:"user:usr_… or key:key_…"`
	Action     string                `json:"action" example:"draft.confirmed"`
	DraftID    *stockhand.DraftID    `json:"draft_id"`
	DocumentID *stockhand.DocumentID `json:"document_id"`
	Version    *int64                `json:"version" doc:"The draft's version"`
	External   *string               `json:"external" doc:"The document in the external system: its type and ID"`
	Detail     json.RawMessage       `json:"detail"`
	Previous   string                `json:"previous" doc:"The previous entry's hash; empty for the first"`
	Hash       string                `json:"hash"`
}

func (s *Server) listAuditLog(ctx context.Context, in *struct {
	OrgPath
	Page
	Action string            `query:"action" maxLength:"100" doc:"Only this action, such as draft.confirmed"`
	Draft  stockhand.DraftID `query:"draft_id" doc:"Only entries about this draft"`
}) (*List[AuditEntry], error) {
	position, err := in.after()
	if err != nil {
		return nil, err
	}
	var before int64
	if position != "" {
		if before, err = strconv.ParseInt(position, 10, 64); err != nil || before < 1 {
			return nil, invalid("cursor", "is not a cursor of this list")
		}
	}
	all, err := s.Store.AuditBefore(ctx, in.Org, in.Action, in.Draft, before, in.Limit+1)
	if err != nil {
		return nil, err
	}
	return listOf(all, in.Limit, func(e stockhand.AuditEntry) string { return strconv.FormatInt(e.Seq, 10) },
		func(e stockhand.AuditEntry) AuditEntry {
			return AuditEntry{
				Seq: e.Seq, At: e.At.UTC(), Actor: e.Actor, Action: e.Action, DraftID: orNull(e.Draft),
				DocumentID: orNull(e.Document), Version: orNull(e.Version),
				External: orNull(e.External), Detail: e.Detail, Previous: e.Previous, Hash: e.Hash,
			}
		}), nil
}

// Settings are an organization's settings.
type Settings struct {
	KeysMayConfirm bool `json:"keys_may_confirm" doc:"Whether API keys may confirm drafts; only a person can turn this on"`
}

func (s *Server) getSettings(ctx context.Context, in *OrgPath) (*Answer[Settings], error) {
	may, err := s.Drafts.KeysMayConfirm(ctx, in.Org)
	return &Answer[Settings]{Settings{KeysMayConfirm: may}}, err
}

func (s *Server) updateSettings(ctx context.Context, in *struct {
	OrgPath
	Body struct {
		KeysMayConfirm *bool `json:"keys_may_confirm,omitempty" doc:"Only a person can turn this on. Every change is in the audit log"`
	}
}) (*Answer[Settings], error) {
	now, err := s.getSettings(ctx, &in.OrgPath)
	if err != nil || in.Body.KeysMayConfirm == nil || now.Body.KeysMayConfirm == *in.Body.KeysMayConfirm {
		return now, err
	}
	if err := s.Drafts.SetKeysMayConfirm(ctx, stockhand.ActorOf(ctx), *in.Body.KeysMayConfirm); err != nil {
		return nil, err
	}
	return s.getSettings(ctx, &in.OrgPath)
}
