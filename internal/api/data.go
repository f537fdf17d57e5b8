package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/retention"
)

// OrgPath is the path of the caller's organization.
type OrgPath struct {
	Org stockhand.OrgID `path:"org_id"`
}

// mostDays is the maximum period of a usage report, usualDays the default.
const (
	mostDays  = 366
	usualDays = 30
)

func (s *Server) getUsage(ctx context.Context, in *struct {
	OrgPath
	From string `query:"from" format:"date" doc:"The first day (UTC); by default 29 days before the last"`
	To   string `query:"to" format:"date" doc:"The last day (UTC); by default today"`
}) (*Answer[wire.UsageReport], error) {
	from, to, err := span(in.From, in.To, time.Now().UTC())
	if err != nil {
		return nil, err
	}
	rows, err := s.Store.Usage(ctx, in.Org, from, to)
	if err != nil {
		return nil, err
	}
	stored, err := s.Retention.Usage(ctx, in.Org)
	if err != nil {
		return nil, err
	}
	out := wire.UsageReport{From: from, To: to, Data: []wire.DayUsage{}, ByActor: []wire.ActorUsage{}, Storage: stored}
	out.Total.Add(stockhand.Usage{}, s.Currency)
	actors := map[string]*wire.ActorUsage{}
	for _, u := range rows {
		day := wire.DayUsage{Day: u.Day, Actor: wire.OrNull(u.By)}
		day.Add(u, s.Currency)
		out.Data = append(out.Data, day)
		if actors[u.By] == nil {
			actors[u.By] = &wire.ActorUsage{Actor: wire.OrNull(u.By)}
		}
		actors[u.By].Add(u, s.Currency)
		out.Total.Add(u, s.Currency)
	}
	for _, a := range actors {
		out.ByActor = append(out.ByActor, *a)
	}
	slices.SortFunc(out.ByActor, func(a, b wire.ActorUsage) int {
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

func (s *Server) listRequests(ctx context.Context, in *struct {
	OrgPath
	Page
	Failed bool            `query:"failed" doc:"Only those with an error"`
	Key    stockhand.KeyID `query:"key_id" doc:"Only those of this key"`
}) (*List[wire.Request], error) {
	f := stockhand.RequestFilter{Failed: in.Failed}
	if in.Key != "" {
		f.By = "key:" + string(in.Key)
	}
	return pageOf(in.Page, func(r stockhand.APIRequest) stockhand.APIRequestID { return r.ID }, wire.RequestOf,
		func(before stockhand.APIRequestID, most int) ([]stockhand.APIRequest, error) {
			return s.Requests.Latest(ctx, in.Org, f, before, most)
		})
}

func (s *Server) listAuditLog(ctx context.Context, in *struct {
	OrgPath
	Page
	Action string            `query:"action" maxLength:"100" doc:"Only this action, such as draft.confirmed"`
	Draft  stockhand.DraftID `query:"draft_id" doc:"Only entries about this draft"`
}) (*List[wire.AuditEntry], error) {
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
		func(e stockhand.AuditEntry) wire.AuditEntry {
			return wire.AuditEntry{
				Seq: e.Seq, At: e.At.UTC(), Actor: e.Actor, Action: e.Action, DraftID: wire.OrNull(e.Draft),
				DocumentID: wire.OrNull(e.Document), Version: wire.OrNull(e.Version),
				External: wire.OrNull(e.External), Detail: e.Detail, Previous: e.Previous, Hash: e.Hash,
			}
		}), nil
}

// exportAuditLog streams the audit log, oldest entry first, as JSON lines.
func (s *Server) exportAuditLog(w http.ResponseWriter, r *http.Request) error {
	org, after := stockhand.ActorOf(r.Context()).Org, int64(0)
	if from := r.URL.Query().Get("after"); from != "" {
		var err error
		if after, err = strconv.ParseInt(from, 10, 64); err != nil || after < 0 {
			return invalid("after", "must be the number of an entry")
		}
	}
	for begun := false; ; begun = true {
		entries, err := s.Store.AuditEntries(r.Context(), org, after, 200)
		if err != nil {
			return err
		}
		if !begun {
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.WriteHeader(http.StatusOK)
		}
		if len(entries) == 0 {
			return nil
		}
		for _, e := range entries {
			line, err := audit.Line(e)
			if err != nil {
				return err
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
			after = e.Seq
		}
	}
}

func (s *Server) getSettings(ctx context.Context, in *OrgPath) (*Answer[wire.Settings], error) {
	may, err := s.Drafts.KeysMayConfirm(ctx, in.Org)
	if err != nil {
		return nil, err
	}
	p, err := s.Auth.Policy(ctx, stockhand.ActorOf(ctx))
	if err != nil {
		return nil, err
	}
	keep, err := s.Retention.Days(ctx, in.Org)
	if err != nil {
		return nil, err
	}
	rules, err := s.rulesOf(ctx, in.Org)
	return &Answer[wire.Settings]{wire.SettingsOf(may, p, keep, rules)}, err
}

func (s *Server) updateSettings(ctx context.Context, in *struct {
	OrgPath
	Body struct {
		KeysMayConfirm *bool `json:"keys_may_confirm,omitempty" doc:"Only a person can turn this on. Every change is in the audit log"`

		MaxKeyDays        *int  `json:"max_key_days,omitempty" minimum:"0" maximum:"365" doc:"How many days after its creation an API key works at most, also one that exists; 0 for no limit. Only a person can change it"`
		MaxTokenDays      *int  `json:"max_token_days,omitempty" minimum:"0" maximum:"365" doc:"The same for user tokens in this organization, yours included"`
		KeysNeedAddresses *bool `json:"keys_need_addresses,omitempty" doc:"Whether API keys work only if they have allowed_ips. Only a person can change it"`

		Retention *retention.Days `json:"retention,omitempty" doc:"All retention times, in place of the present ones; null is the installation's, or for good. Only a person can change them"`

		RuleChange
	}
}) (*Answer[wire.Settings], error) {
	if err := s.changeRules(ctx, in.Body.RuleChange); err != nil {
		return nil, err
	}
	if in.Body.Retention != nil {
		if err := s.Retention.SetDays(ctx, stockhand.ActorOf(ctx), *in.Body.Retention); err != nil {
			return nil, err
		}
	}
	_, err := s.Auth.ChangePolicy(ctx, stockhand.ActorOf(ctx), auth.PolicyChange{MaxKeyDays: in.Body.MaxKeyDays,
		MaxTokenDays: in.Body.MaxTokenDays, KeysNeedAddresses: in.Body.KeysNeedAddresses})
	if err != nil {
		return nil, err
	}
	now, err := s.getSettings(ctx, &in.OrgPath)
	if err != nil || in.Body.KeysMayConfirm == nil || now.Body.KeysMayConfirm == *in.Body.KeysMayConfirm {
		return now, err
	}
	if err := s.Drafts.SetKeysMayConfirm(ctx, stockhand.ActorOf(ctx), *in.Body.KeysMayConfirm); err != nil {
		return nil, err
	}
	return s.getSettings(ctx, &in.OrgPath)
}
