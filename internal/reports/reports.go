// Package reports manages the questions that an organization keeps on its start page: calls of read tools whose period
// moves with the calendar.
package reports

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// Store keeps reports; internal/store/reports documents the methods.
type Store interface {
	Reports(ctx context.Context, org stockhand.OrgID) ([]stockhand.StoredReport, error)
	Report(ctx context.Context, org stockhand.OrgID, id stockhand.ReportID) (stockhand.StoredReport, error)
	AddReport(ctx context.Context, org stockhand.OrgID, r stockhand.StoredReport, most int,
		entry stockhand.AuditEntry) error
	PutReport(ctx context.Context, org stockhand.OrgID, id stockhand.ReportID, body []byte,
		entry stockhand.AuditEntry) error
	DeleteReport(ctx context.Context, org stockhand.OrgID, id stockhand.ReportID, entry stockhand.AuditEntry) error
}

// Connections reads connections; internal/store documents the method.
type Connections interface {
	Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection, error)
}

// Service manages the reports of all organizations. It is safe for concurrent use.
type Service struct {
	Store       Store
	Connections Connections
	Kinds       []connector.Kind
	Clock       func() time.Time // nil: time.Now
}

// Most is how many reports an organization may have, and MostTitle how many characters a title.
const (
	Most      = 50
	MostTitle = 100
)

// Report is a saved call of a read tool.
type Report struct {
	Definition

	ID      stockhand.ReportID
	By      string // the actor who saved it
	Created time.Time
}

// Definition is what a report asks.
type Definition struct {
	Title      string                 `json:"title"`
	Connection stockhand.ConnectionID `json:"-"`
	Tool       string                 `json:"tool"`
	Arguments  json.RawMessage        `json:"arguments"`
	Period     Period                 `json:"period,omitzero"`
}

// List returns the organization's reports that the caller may use, the oldest first.
func (s *Service) List(ctx context.Context, a stockhand.Actor) ([]Report, error) {
	stored, err := s.Store.Reports(ctx, a.Org)
	if err != nil {
		return nil, err
	}
	all := make([]Report, 0, len(stored))
	for _, r := range stored {
		if !a.Binding.Sees(r.Connection) {
			continue
		}
		read, err := reportOf(r)
		if err != nil {
			return nil, err
		}
		all = append(all, read)
	}
	return all, nil
}

// Get returns a report.
func (s *Service) Get(ctx context.Context, a stockhand.Actor, id stockhand.ReportID) (Report, error) {
	stored, err := s.Store.Report(ctx, a.Org, id)
	if err == nil {
		err = a.Binding.Connection(stored.Connection)
	}
	if err != nil {
		return Report{}, err
	}
	return reportOf(stored)
}

func reportOf(stored stockhand.StoredReport) (Report, error) {
	r := Report{ID: stored.ID, By: stored.By, Created: stored.Created}
	err := json.Unmarshal(stored.Body, &r.Definition)
	r.Connection = stored.Connection
	return r, err
}

// Save stores a new report. If moves is set and its period is one that moves with the calendar, such as the last 30
// days or this month, the report is always about that period. It returns VALIDATION_FAILED for a call that cannot be
// made or proposes something, and CONFLICT if the organization has [Most] reports.
func (s *Service) Save(ctx context.Context, a stockhand.Actor, d Definition, moves bool) (Report, error) {
	kind, err := s.check(ctx, a, &d)
	if err != nil {
		return Report{}, err
	}
	now := s.now()
	if d.Period = (Period{}); moves {
		d.Period = Moving(d.Arguments, tool.DayOf(now.In(kind.Zone.Location())))
	}
	r := Report{Definition: d, ID: stockhand.NewID[stockhand.ReportID]("rep"), By: a.Name, Created: now}
	body, err := json.Marshal(d)
	if err != nil {
		return Report{}, err
	}
	return r, s.Store.AddReport(ctx, a.Org, stockhand.StoredReport{ID: r.ID, Connection: d.Connection, Body: body,
		By: r.By, Created: now}, Most, s.entry(a, "report.saved", r))
}

// check brings a definition into its stored form.
func (s *Service) check(ctx context.Context, a stockhand.Actor, d *Definition) (connector.Kind, error) {
	var none connector.Kind
	title, err := titleOf(d.Title)
	if err == nil {
		err = cmp.Or(a.Binding.Tool(d.Tool), a.Binding.Connection(d.Connection))
	}
	if err != nil {
		return none, err
	}
	d.Title = title
	c, err := s.Connections.Connection(ctx, a.Org, d.Connection)
	if err != nil {
		return none, err
	}
	for _, k := range s.Kinds {
		i := slices.IndexFunc(k.Tools, func(t tool.Tool) bool { return t.Name == d.Tool })
		if k.Name != c.Connector || i < 0 {
			continue
		}
		if k.Tools[i].Proposes() {
			return none, errProposes
		}
		d.Arguments, err = k.Tools[i].Input.Check(d.Arguments)
		return k, err
	}
	return none, stockhand.Errorf(stockhand.CodeNotFound, "the connection has no such tool").
		WithHint("GET /tools lists what it can do.")
}

var errProposes = &stockhand.Error{Code: stockhand.CodeValidation,
	Message: "a report only reads, and this tool proposes documents", Hint: "Save a question that is answered with " +
		"figures.",
	RU: stockhand.Words{Message: "отчёт только читает, а этот инструмент готовит документы",
		Hint: "Сохраните вопрос, на который отвечают цифрами."}}

func titleOf(typed string) (string, error) {
	title := strings.Join(strings.Fields(typed), " ")
	if n := len([]rune(title)); n == 0 || n > MostTitle {
		return "", &stockhand.Error{Code: stockhand.CodeValidation,
			Message: "a title has 1 to 100 characters", Hint: "Say in a few words what the report shows.",
			RU: stockhand.Words{Message: "в названии должно быть от 1 до 100 знаков",
				Hint: "Скажите в нескольких словах, что показывает отчёт."}}
	}
	return title, nil
}

// Rename changes the title of a report.
func (s *Service) Rename(ctx context.Context, a stockhand.Actor, id stockhand.ReportID, title string) (Report, error) {
	r, err := s.changeable(ctx, a, id)
	if err != nil {
		return Report{}, err
	}
	if r.Title, err = titleOf(title); err != nil {
		return Report{}, err
	}
	body, err := json.Marshal(r.Definition)
	if err != nil {
		return Report{}, err
	}
	return r, s.Store.PutReport(ctx, a.Org, id, body, s.entry(a, "report.renamed", r))
}

// Delete deletes a report.
func (s *Service) Delete(ctx context.Context, a stockhand.Actor, id stockhand.ReportID) error {
	r, err := s.changeable(ctx, a, id)
	if err != nil {
		return err
	}
	return s.Store.DeleteReport(ctx, a.Org, id, s.entry(a, "report.deleted", r))
}

// changeable reads a report that the caller may change: their own, or any if they may ask (rule R450).
func (s *Service) changeable(ctx context.Context, a stockhand.Actor, id stockhand.ReportID) (Report, error) {
	r, err := s.Get(ctx, a, id)
	if err == nil && r.By != a.Name && !a.May(stockhand.ScopeWriteTools) {
		err = errOthers
	}
	return r, err
}

var errOthers = &stockhand.Error{Code: stockhand.CodePermissionDenied, Message: "this is another person's report",
	Hint: "Changing it needs the scope write:tools.",
	RU:   stockhand.Words{Message: "это чужой отчёт", Hint: "Чтобы менять его, нужно право write:tools."}}

func (s *Service) entry(a stockhand.Actor, action string, r Report) stockhand.AuditEntry {
	detail, err := json.Marshal(map[string]any{"report_id": r.ID, "tool": r.Tool})
	if err != nil {
		detail = nil // an ID and a name always encode
	}
	return stockhand.AuditEntry{At: s.now(), Actor: a.Name, Action: action, Detail: detail}
}

func (s *Service) now() time.Time {
	if s.Clock == nil {
		return time.Now().UTC()
	}
	return s.Clock().UTC()
}
