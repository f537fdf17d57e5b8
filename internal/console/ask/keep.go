package ask

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/reports"
	"github.com/stockhand/stockhand/internal/tool"
)

// everyone stands for all who may read the organization's data.
const everyone = ""

// Pin puts a conversation at the top of the person's list, or takes it away.
func (h Handlers) Pin(w http.ResponseWriter, r *http.Request) error {
	return h.pin(w, r, stockhand.ActorOf(r.Context()).Name)
}

// Share shows a conversation to everyone in the organization, or no longer.
func (h Handlers) Share(w http.ResponseWriter, r *http.Request) error { return h.pin(w, r, everyone) }

func (h Handlers) pin(w http.ResponseWriter, r *http.Request, whose string) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	s, err := h.session(r)
	if err != nil {
		return err
	}
	off := form.Get("off") == "1"
	var entries []stockhand.AuditEntry
	if whose == everyone {
		detail, err := json.Marshal(map[string]any{"session_id": s.ID, "shared": !off})
		if err != nil {
			return err
		}
		entries = append(entries, stockhand.AuditEntry{At: h.Clock(), Actor: stockhand.ActorOf(r.Context()).Name,
			Action: "session.shared", Detail: detail})
	}
	if off {
		err = h.Pins.Unpin(r.Context(), s.Org, s.ID, whose, entries...)
	} else {
		err = h.Pins.Pin(r.Context(), s.Org, s.ID, whose, h.Clock(), entries...)
	}
	if err != nil {
		return err
	}
	return page.Go(w, r, page.Path(s.Org, page.Ask, string(s.ID)))
}

// savable returns what a form offers that keeps a finished turn on the start page.
func (h Handlers) savable(ctx context.Context, f *agent.Finished) *answer.Save {
	m, err := h.Store.Message(ctx, stockhand.ActorOf(ctx).Org, f.Message)
	if err != nil {
		return nil // the answer is shown without
	}
	title := []rune(m.Text)
	return &answer.Save{Title: string(title[:min(len(title), reports.MostTitle)]),
		Moves: reports.Moving(f.ToolCalls[0].Arguments, h.today()).Kind != ""}
}

func (h Handlers) today() tool.Day {
	k, _ := h.analyst()
	return tool.DayOf(h.Clock().In(k.Zone.Location()))
}

// SaveReport keeps the call of a turn on the start page.
func (h Handlers) SaveReport(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	t, err := h.turn(r)
	if err != nil {
		return err
	}
	s, err := h.session(r)
	if err != nil {
		return err
	}
	f, err := h.Agent.Finished(ctx, t.Org, t.Run.ID)
	if err == nil && len(f.ToolCalls) != 1 {
		err = stockhand.Errorf(stockhand.CodeConflict, "the answer has no single call")
	}
	if err == nil {
		_, err = h.Reports.Save(ctx, a, reports.Definition{Title: form.Get("title"), Connection: s.Connection,
			Tool: f.ToolCalls[0].Name, Arguments: f.ToolCalls[0].Arguments}, form.Get("moves") == "1")
	}
	said, known := page.Said(ctx, err)
	switch {
	case err != nil && (!known || !page.Part(r)):
		return err
	case page.Part(r):
		return page.Write(w, r, http.StatusOK, answer.Saved(t.Org, page.Sentence(said.Message)))
	}
	return page.Go(w, r, page.Path(t.Org, page.Ask))
}

func (h Handlers) report(r *http.Request) (reports.Report, error) {
	return h.Reports.Get(r.Context(), stockhand.ActorOf(r.Context()), stockhand.ReportID(r.PathValue("report_id")))
}

// RenameReport changes the title of a saved report.
func (h Handlers) RenameReport(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	_, err = h.Reports.Rename(r.Context(), a, stockhand.ReportID(r.PathValue("report_id")), form.Get("title"))
	if err != nil {
		return err
	}
	return page.Go(w, r, page.Path(a.Org, page.Ask))
}

// DeleteReport takes a saved report away from the start page.
func (h Handlers) DeleteReport(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	if err := h.Reports.Delete(r.Context(), a, stockhand.ReportID(r.PathValue("report_id"))); err != nil {
		return err
	}
	return page.Go(w, r, page.Path(a.Org, page.Ask))
}

// OpenReport asks a saved report as the first turn of a new conversation.
func (h Handlers) OpenReport(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	saved, err := h.report(r)
	if err != nil {
		return err
	}
	s, err := h.Store.CreateSession(ctx, a.Org, stockhand.Session{Title: saved.Title, Connection: saved.Connection,
		Kind: stockhand.SessionChat, By: a.Name, Created: h.Clock().UTC()})
	if err != nil {
		return err
	}
	turn, err := h.Agent.Execute(ctx, a.Org, agent.Execution{Tool: saved.Tool, Arguments: saved.On(h.today()),
		Connection: saved.Connection, Language: text.Language(ctx), Actor: a, Session: s.ID, Message: saved.Title})
	if err != nil {
		return err
	}
	return page.Go(w, r, page.Path(a.Org, page.Ask, string(turn.Session)))
}

// savedTiles returns the tiles of the saved reports before they are read.
func (h Handlers) savedTiles(ctx context.Context, c Composer) (all []Tile, err error) {
	list, err := h.Reports.List(ctx, stockhand.ActorOf(ctx))
	for _, r := range list {
		at := slices.IndexFunc(c.Accounts, func(x stockhand.Connection) bool { return x.ID == r.Connection })
		if at < 0 {
			continue // of a connection that only adds tools
		}
		t := h.savedTile(c.Org, r)
		if len(c.Accounts) > 1 {
			t.Account = c.name(c.Accounts[at])
		}
		all = append(all, t)
	}
	return all, err
}

func (h Handlers) savedTile(org stockhand.OrgID, r reports.Report) Tile {
	title := tool.Text{RU: r.Title, EN: r.Title}
	return Tile{Org: org, Connection: r.Connection, Report: r.ID, Tile: connector.Tile{Name: string(r.ID), Title: title,
		Question: title, Call: connector.Call{Tool: r.Tool, Arguments: r.On(h.today()), Title: title}}}
}
