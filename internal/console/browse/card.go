package browse

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/results"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// Card is the page of one good, customer, supplier or document.
type Card struct {
	Place
	ID        string
	Title     string
	Questions []tool.Text // that people ask about it
	Documents string      // the address of its documents; empty for none
	Parts     []Part
}

// Part is a piece of the card that is read by itself.
type Part struct {
	Reading
	Name   string
	Title  string
	Answer *answer.Answer // nil: not read yet
	Pieces []Piece        // of the first part, the card itself
}

// Piece is a table of the card; only one of the last fields is set.
type Piece struct {
	Title   string
	Figures []ui.Figure // the figures of an only row
	Facts   []Fact
	View    *results.View
}

// Fact is a name with a value.
type Fact struct {
	Name, Value string
	Link        bool // the value is an address in the external system
}

// manyColumns is how many columns are too many for half a page.
const manyColumns = 4

func (p Piece) wide() bool { return p.View != nil && len(p.View.Shown) > manyColumns }

// Good serves the card of a good, Customer that of a customer or supplier, and Document that of a document.
func (h Handlers) Good(w http.ResponseWriter, r *http.Request) error {
	return h.card(w, r, connector.SectionGoods)
}

// Customer serves the card of a customer or supplier.
func (h Handlers) Customer(w http.ResponseWriter, r *http.Request) error {
	return h.card(w, r, connector.SectionPartners)
}

// Document serves a document.
func (h Handlers) Document(w http.ResponseWriter, r *http.Request) error {
	return h.card(w, r, connector.SectionDocuments)
}

// kind is the field of a document's address with its type, which saves looking for it among all.
const kind = "kind"

// path is the address of the card with more conditions.
func (c Card) path(more url.Values) string {
	if k := c.Query.Get(kind); k != "" {
		more.Set(kind, k)
	}
	return c.Place.path(c.ID, more)
}

// parts are what the card consists of.
func (p Place) parts(id string) []connector.Tile {
	if p.Section == connector.SectionDocuments {
		return []connector.Tile{{Name: "card", Title: tool.Text{RU: text.Document.RU, EN: text.Document.EN},
			Call: p.Browse.Document(id, p.Query.Get(kind))}}
	}
	return p.shelf().Parts(id, p.Today)
}

func (h Handlers) card(w http.ResponseWriter, r *http.Request, s connector.Section) error {
	ctx := r.Context()
	p, err := h.place(r, s)
	if err != nil {
		return err
	}
	if p.Browse == nil {
		return h.show(w, r, p, "", nil)
	}
	c := Card{Place: p, ID: r.PathValue("thing_id")}
	wanted := p.Query.Get("part")
	for i, t := range p.parts(c.ID) {
		part := Part{Name: t.Name, Title: t.Title.In(text.Language(ctx)), Reading: Reading{Target: "part-" + t.Name,
			Path: c.path(url.Values{"part": {t.Name}})}}
		var f *agent.Finished
		if r.Method != http.MethodGet && wanted == t.Name {
			f, part.Failed, err = h.read(ctx, p, t.Call)
		} else {
			f = h.Calls.Kept(ctx, p.Org, p.Connection.ID, t.Call)
		}
		if err == nil && f != nil {
			err = h.add(ctx, &c, &part, f, i == 0)
		}
		if err != nil {
			return err
		}
		c.Parts = append(c.Parts, part)
		if page.Part(r) && wanted == t.Name && i > 0 {
			return page.Write(w, r, http.StatusOK, partOf(part))
		}
	}
	if c.Title == "" {
		c.Title = c.Parts[0].Title
	}
	switch {
	case page.Part(r):
		return page.Write(w, r, http.StatusOK, cardBody(c))
	case r.Method != http.MethodGet:
		return page.Go(w, r, c.path(url.Values{}))
	}
	return h.show(w, r, p, c.Title, cardPage(c))
}

// add adds what was read to a part. The first part tells what the card is about.
func (h Handlers) add(ctx context.Context, c *Card, part *Part, f *agent.Finished, first bool) error {
	a, err := h.answers(ctx, f)
	if err != nil {
		return err
	}
	part.Answer = &a
	if len(f.Results) == 0 {
		return nil
	}
	r := f.Results[0]
	if !first {
		if r.Count > 0 { // the title of the part says what its table is
			a.Parts = slices.DeleteFunc(a.Parts, func(p answer.Part) bool { return p.Text != "" })
		}
		return nil
	}
	if c.Title = r.Title; c.Section != connector.SectionDocuments {
		name := c.shelf().Called(&r.Result)
		c.Title, c.Questions = name, c.shelf().Questions(name)
		field := map[connector.Section]string{connector.SectionGoods: "products",
			connector.SectionPartners: "counterparties"}[c.Section]
		c.Documents = c.in(connector.SectionDocuments).path("", url.Values{field: {c.ID}})
	}
	return h.pieces(ctx, part, r, c.Site)
}

// mostFacts is how many rows with names and values a card shows.
const mostFacts = 200

// pieces splits the result of a card into its tables.
func (h Handlers) pieces(ctx context.Context, part *Part, r agent.ResultPreview, site string) error {
	kept, err := h.Store.Result(ctx, stockhand.ActorOf(ctx).Org, r.ID)
	if err != nil {
		return err
	}
	l := text.Language(ctx)
	for i, p := range r.Parts {
		table, err := h.Results.Rows(ctx, kept, i, mostFacts)
		if err != nil {
			return err
		}
		piece := Piece{Title: p.Title}
		switch {
		case len(table.Columns) == 2 && table.Columns[0].Name == "name" && table.Columns[1].Name == "value":
			for _, row := range table.Rows {
				f := Fact{Name: row[0].Text(), Value: row[1].Format(table.Columns[1].Unit, l)}
				f.Link = site != "" && strings.HasPrefix(f.Value, site+"/")
				piece.Facts = append(piece.Facts, f)
			}
		case len(table.Rows) == 1 && !named(table):
			for k, c := range table.Columns {
				if !c.Hidden && !table.Rows[0][k].IsEmpty() {
					piece.Figures = append(piece.Figures,
						ui.Figure{Title: c.Label, Value: table.Rows[0][k].Format(c.Unit, l)})
				}
			}
		default:
			v, err := h.Results.View(ctx, kept, results.Choice{Few: true, Part: i})
			if err != nil {
				return err
			}
			piece.View = &v
		}
		part.Pieces = append(part.Pieces, piece)
	}
	return nil
}

// named reports whether the rows of a table have names: then even an only one is one of several.
func named(r *tool.Result) bool {
	for _, c := range r.Columns {
		if c.Unit == tool.UnitText && !c.Hidden {
			return true
		}
	}
	return false
}
