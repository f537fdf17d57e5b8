package operations

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// auditView is a page of the audit log.
type auditView struct {
	Org    stockhand.OrgID
	Tabs   []ui.Tab
	Rows   []auditRow
	Action string
	Draft  string
	Next   string // the address of the next page; empty on the last
	Paged  bool   // not the first page
	Proof  *audit.Verification
}

// auditRow is an entry with what it is about.
type auditRow struct {
	stockhand.AuditEntry
	By, About string
	More      string // its detail as people read JSON; empty for none
}

// filtered reports whether not all entries are listed.
func (v auditView) filtered() bool { return v.Action != "" || v.Draft != "" }

// Audit serves the audit log, newest entry first.
func (h Handlers) Audit(w http.ResponseWriter, r *http.Request) error {
	return h.audit(w, r, auditView{})
}

// VerifyAudit verifies the chain of the log, and shows what it found.
func (h Handlers) VerifyAudit(w http.ResponseWriter, r *http.Request) error {
	found, err := h.Verify(r.Context(), stockhand.ActorOf(r.Context()).Org)
	if err != nil {
		return err
	}
	return h.audit(w, r, auditView{Proof: &found})
}

func (h Handlers) audit(w http.ResponseWriter, r *http.Request, v auditView) error {
	ctx, query := r.Context(), r.URL.Query()
	v.Org = stockhand.ActorOf(ctx).Org
	v.Tabs = tabs(ctx, v.Org, auditLog)
	v.Action, v.Draft = strings.TrimSpace(query.Get("action")), strings.TrimSpace(query.Get("draft"))
	var before int64
	if given := query.Get("before"); given != "" {
		var err error
		if before, err = strconv.ParseInt(given, 10, 64); err != nil || before < 1 {
			return stockhand.Errorf(stockhand.CodeValidation, "before must be the number of an entry")
		}
		v.Paged = true
	}
	entries, err := h.Store.AuditBefore(ctx, v.Org, v.Action, stockhand.DraftID(v.Draft), before, mostListed+1)
	if err != nil {
		return err
	}
	if len(entries) > mostListed {
		entries = entries[:mostListed]
		next := url.Values{"before": {strconv.FormatInt(entries[mostListed-1].Seq, 10)}}
		for name, value := range map[string]string{"action": v.Action, "draft": v.Draft} {
			if value != "" {
				next.Set(name, value)
			}
		}
		v.Next = page.Path(v.Org, auditLog) + "?" + next.Encode()
	}
	actors := make([]string, 0, len(entries))
	for _, e := range entries {
		actors = append(actors, e.Actor)
	}
	names, err := h.names(ctx, actors...)
	if err != nil {
		return err
	}
	for _, e := range entries {
		row := auditRow{AuditEntry: e, About: about(ctx, e)}
		if e.Actor != "" {
			row.By = names.Of(ctx, e.Actor)
		}
		if body := strings.TrimSpace(string(e.Detail)); body != "" && body != "{}" {
			row.More = pretty(e.Detail)
		}
		v.Rows = append(v.Rows, row)
	}
	return h.show(w, r, text.AuditLog, auditPage(v))
}

// actions are the choices of an action, in words. One that is not known and was asked for is among them.
func (v auditView) actions(ctx context.Context) []ui.Option {
	var all []ui.Option
	for action, title := range text.AuditActions {
		all = append(all, ui.Option{Value: action, Title: title.In(ctx)})
	}
	if _, known := text.AuditActions[v.Action]; !known && v.Action != "" {
		all = append(all, ui.Option{Value: v.Action, Title: v.Action})
	}
	slices.SortFunc(all, func(a, b ui.Option) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.Value, b.Value))
	})
	return append([]ui.Option{{Title: text.AuditAny.In(ctx)}}, all...)
}

// about says in a few words what an entry is about: the external document, or what its detail names.
func about(ctx context.Context, e stockhand.AuditEntry) string {
	var d map[string]any
	if json.Unmarshal(e.Detail, &d) != nil {
		return e.External
	}
	all := []string{e.External}
	for _, name := range []string{"what", "name", "label", "setting", "tool", "role"} {
		s, ok := d[name].(string)
		switch name {
		case "role":
			s = cmp.Or(text.RoleNames[stockhand.Role(s)].In(ctx), s)
		case "setting":
			s = cmp.Or(text.SettingNames[stockhand.Setting(s)].In(ctx), s)
		}
		s = strings.Replace(s, strings.TrimSuffix(page.Path(e.Org), "/"), "", 1) // the pages of this organization
		if ok && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if code, ok := d["code"].(string); ok {
		all = append(all, text.AuditRefused.With(ctx, code))
	}
	if again, ok := d["repeated"].(float64); ok {
		all = append(all, text.AuditRepeated.With(ctx, strconv.Itoa(int(again))))
	}
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " · ")
}

// exported is the address of the whole log as the API returns it.
func (v auditView) exported() string {
	return "/api/v1/organizations/" + url.PathEscape(string(v.Org)) + "/audit-log/export"
}
