package ask

import (
	"context"
	"net/http"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/chart"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// Tile is a query of the start page with its result.
type Tile struct {
	connector.Tile
	Org        stockhand.OrgID
	Connection stockhand.ConnectionID
	Report     stockhand.ReportID // of a saved one
	Account    string             // its name, if there are several
	Period     string             // that the figures are of
	Figures    []Figure
	Spark      *chart.Chart
	Lines      []Figure // the first rows
	Rows       int
	Answer     string // in words, if there is nothing to show otherwise
	Problem    string
}

// Figure is a number with its name, and how it has changed.
type Figure struct {
	Title, Value, Change, Was string
	Down                      bool
}

func (t Tile) path(fresh bool) string {
	path := page.Path(t.Org, "tiles", t.Name)
	if fresh {
		path += "?fresh=1"
	}
	return path
}

// does is the address of something that is done with a saved report.
func (t Tile) does(what string) string { return page.Path(t.Org, "reports", string(t.Report), what) }

// values are sent with the request that reads the tile.
func (t Tile) values() string { return `{"connection":"` + string(t.Connection) + `"}` }

// tilesOf returns the tiles of an account before they are read.
func (h Handlers) tilesOf(org stockhand.OrgID, c stockhand.Connection) (all []Tile) {
	for _, k := range h.Kinds {
		if k.Name != c.Connector || k.Overview == nil {
			continue
		}
		for _, t := range k.Overview(tool.DayOf(h.Clock().In(k.Zone.Location()))) {
			all = append(all, Tile{Tile: t, Org: org, Connection: c.ID})
		}
	}
	return all
}

// ReadTile serves a tile. It calls the tool unless somebody has looked at the same a short time ago.
func (h Handlers) ReadTile(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	accounts, err := h.accounts(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(accounts, func(c stockhand.Connection) bool {
		return string(c.ID) == form.Get("connection")
	})
	if at < 0 {
		return stockhand.Errorf(stockhand.CodeNotFound, "no such connection")
	}
	t, err := h.tile(ctx, accounts[at], r.PathValue("tile"))
	if err != nil {
		return err
	}
	f := h.Calls.Kept(ctx, a.Org, t.Connection, t.Call)
	if f == nil || r.URL.Query().Get("fresh") == "1" {
		f, err = h.Calls.Read(ctx, a.Org, t.Connection, t.Call)
	}
	said, ok := page.Said(ctx, err)
	switch {
	case err != nil && !ok:
		return err
	case err != nil:
		t.Problem = said.Message
	case len(f.Results) == 0:
		t.Answer = f.FinalResponse
	default:
		t.fill(f.Results[0], text.Language(ctx))
	}
	return page.Write(w, r, http.StatusOK, tileRead(t))
}

// tile returns a tile of an account: one that every account has, or a saved report.
func (h Handlers) tile(ctx context.Context, c stockhand.Connection, name string) (Tile, error) {
	a := stockhand.ActorOf(ctx)
	for _, t := range h.tilesOf(a.Org, c) {
		if t.Name == name {
			return t, nil
		}
	}
	saved, err := h.Reports.Get(ctx, a, stockhand.ReportID(name))
	if err == nil && saved.Connection != c.ID {
		err = stockhand.Errorf(stockhand.CodeNotFound, "there is no such tile")
	}
	if err != nil {
		return Tile{}, err
	}
	t := h.savedTile(a.Org, saved)
	if all, err := h.accounts(ctx); err == nil && len(all) > 1 {
		t.Account = Composer{Accounts: all}.name(c)
	}
	return t, nil
}

// fill shows a result in few figures: its totals or its only row, a line over time, or its first rows.
func (t *Tile) fill(r agent.ResultPreview, l stockhand.Language) {
	if t.Rows = r.Count; r.Provenance.Period != nil {
		t.Period = answer.Span(*r.Provenance.Period, l)
	}
	totals := r.Totals
	if r.Count == 1 && len(r.Rows) == 1 && totals == nil {
		totals = r.Rows[0]
	}
	value := func(row tool.Row, column string) tool.Value {
		i := slices.IndexFunc(r.Columns, func(c tool.Column) bool { return c.Name == column && !c.Hidden })
		if i < 0 || row == nil {
			return tool.Empty
		}
		return row[i]
	}
	names, first, also := -1, -1, -1 // the name of a row, its figure, and what else tells it apart
	for i, c := range r.Columns {
		switch {
		case c.Hidden || c.Detail:
		case c.Unit == tool.UnitText || c.Unit == tool.UnitDate:
			if names < 0 {
				names = i
			} else if also < 0 && c.Unit == tool.UnitText {
				also = i
			}
		default:
			if first < 0 || c.Unit == tool.UnitMoney && r.Columns[first].Unit != tool.UnitMoney {
				first = i
			}
			derived := endsWith(c.Name, "_before", "_change", "_change_percent")
			known := totals != nil && (!totals[i].IsEmpty() || !value(totals, c.Name+"_before").IsEmpty())
			if len(t.Figures) < 2 && !derived && known {
				t.Figures = append(t.Figures, figureOf(c, totals[i], value(totals, c.Name+"_before"),
					value(totals, c.Name+"_change_percent"), l))
			}
		}
	}
	if names < 0 || first < 0 {
		if len(t.Figures) == 0 {
			t.Answer = r.Answer
		}
		return
	}
	if c, ok := chart.Of(&r.Result, chart.Spec{Kind: chart.Line, X: r.Columns[names].Name,
		Y: []string{r.Columns[first].Name}}, l); ok && r.Columns[names].Name == "day" {
		t.Spark = &c
		return
	}
	for _, row := range r.Rows[:min(3, len(r.Rows))] {
		title := row[names].Format(r.Columns[names].Unit, l)
		if also >= 0 && !row[also].IsEmpty() {
			title += " · " + row[also].Text()
		}
		t.Lines = append(t.Lines, Figure{Title: title, Value: row[first].Format(r.Columns[first].Unit, l)})
	}
	if len(r.Rows) == 0 {
		t.Answer = r.Answer
	}
}

func figureOf(c tool.Column, v, before, percent tool.Value, l stockhand.Language) Figure {
	f := Figure{Title: c.Label, Value: v.Format(c.Unit, l)}
	if !before.IsEmpty() {
		f.Was = before.Format(c.Unit, l)
	}
	if n, ok := percent.Decimal(); ok {
		f.Change, f.Down = percent.Format(tool.UnitPercent, l), n.Sign() < 0
		if n.Sign() > 0 {
			f.Change = "+" + f.Change
		}
	}
	return f
}

func endsWith(s string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return len(s) > len(e) && s[len(s)-len(e):] == e })
}
