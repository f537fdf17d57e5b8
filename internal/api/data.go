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

// OrgPath names the caller's organization.
type OrgPath struct {
	Org stockhand.OrgID `path:"org_id"`
}

// UsageReport is what an organization used in a span of days.
type UsageReport struct {
	From    string       `json:"from" example:"2026-11-01" doc:"The first day (UTC)"`
	To      string       `json:"to" example:"2026-11-30" doc:"The last day (UTC), included"`
	Data    []DayUsage   `json:"data" nullable:"false" doc:"By day and actor; days without use are left out"`
	ByActor []ActorUsage `json:"by_actor" nullable:"false" doc:"The same over all days, the one who used most first"`
	Total   Used         `json:"total"`
}

// DayUsage is what one actor used on one day.
type DayUsage struct {
	Day   string  `json:"day" example:"2026-11-21"`
	Actor *string `json:"actor" doc:"As in key:key_… or user:usr_…; null for the command line"`
	Used
}

// ActorUsage is what one actor used in the whole span.
type ActorUsage struct {
	Actor *string `json:"actor"`
	Used
}

// Used is what work has cost.
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

// mostDays is the longest span that usage is told of at once, and usualDays the one when the caller names none.
const (
	mostDays  = 366
	usualDays = 30
)

func (s *Server) listUsage(ctx context.Context, in *struct {
	OrgPath
	From string `query:"from" format:"date" doc:"The first day (UTC); left out, 29 days before the last"`
	To   string `query:"to" format:"date" doc:"The last day (UTC); left out, today"`
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

// span reads a span of days, both ends included.
func span(from, to string, now time.Time) (string, string, error) {
	read := func(field, given string, otherwise time.Time) (time.Time, error) {
		if given == "" {
			return otherwise, nil
		}
		day, err := time.Parse(time.DateOnly, given)
		if err != nil {
			return day, invalid(field, "is a day, as in 2026-11-21")
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
		return "", "", invalid("from", "is after to")
	case days > mostDays:
		return "", "", invalid("from", "names more than "+strconv.Itoa(mostDays)+" days")
	}
	return first.Format(time.DateOnly), last.Format(time.DateOnly), nil
}

// AuditEntry is one line of the audit log; each is bound to the one before it by its hash.
type AuditEntry struct {
	Seq        int64                 `json:"seq" doc:"From 1, without holes"`
	At         time.Time             `json:"at"`
	Actor      string                `json:"actor" doc:"Who, as in user:usr_…"`
	Action     string                `json:"action" example:"draft.confirmed"`
	DraftID    *stockhand.DraftID    `json:"draft_id"`
	DocumentID *stockhand.DocumentID `json:"document_id"`
	Version    *int64                `json:"version" doc:"Of the draft"`
	External   *string               `json:"external" doc:"The document in the external system: its type and id"`
	Detail     json.RawMessage       `json:"detail"`
	Previous   string                `json:"previous" doc:"The hash of the entry before; empty for the first"`
	Hash       string                `json:"hash"`
}

func (s *Server) listAudit(ctx context.Context, in *struct {
	OrgPath
	Page
	Action string            `query:"action" maxLength:"100" doc:"Only this action, as in draft.confirmed"`
	Draft  stockhand.DraftID `query:"draft_id" doc:"Only what concerns this draft"`
}) (*List[AuditEntry], error) {
	position, err := in.after()
	if err != nil {
		return nil, err
	}
	var before int64
	if position != "" {
		if before, err = strconv.ParseInt(position, 10, 64); err != nil || before < 1 {
			return nil, invalid("cursor", "is not a cursor that this list gave")
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

// Settings are what an organization has decided.
type Settings struct {
	KeysMayConfirm bool `json:"keys_may_confirm" doc:"Whether API keys may confirm drafts; only a person may turn it on"`
}

func (s *Server) settings(ctx context.Context, in *OrgPath) (*Answer[Settings], error) {
	may, err := s.Drafts.KeysMayConfirm(ctx, in.Org)
	return &Answer[Settings]{Settings{KeysMayConfirm: may}}, err
}

func (s *Server) changeSettings(ctx context.Context, in *struct {
	OrgPath
	Body struct {
		KeysMayConfirm *bool `json:"keys_may_confirm,omitempty" doc:"Turning it on takes a person; every change is in the audit log"`
	}
}) (*Answer[Settings], error) {
	now, err := s.settings(ctx, &in.OrgPath)
	if err != nil || in.Body.KeysMayConfirm == nil || now.Body.KeysMayConfirm == *in.Body.KeysMayConfirm {
		return now, err
	}
	if err := s.Drafts.SetKeysMayConfirm(ctx, stockhand.ActorOf(ctx), *in.Body.KeysMayConfirm); err != nil {
		return nil, err
	}
	return s.settings(ctx, &in.OrgPath)
}
