// Package browse is the console's pages of goods, of customers and suppliers, and of documents: lists with a forgiving
// search, and cards. What they show are results of read tools, so their figures are those of answers (rule R397).
package browse

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/calls"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/results"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// Names finds names of an account; package agent documents the method.
type Names interface {
	Typed(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, kind connector.NameKind, words string,
		most int) ([]connector.Name, int, error)
}

// Store reads results and connections; internal/store documents the methods.
type Store interface {
	Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
}

// Handlers serve the pages.
type Handlers struct {
	Frames  page.Frames
	Calls   *calls.Reader
	Names   Names
	Store   Store
	Results results.Handlers
	Kinds   []connector.Kind
	Clock   func() time.Time
}

// Place is where a page looks: an account.
type Place struct {
	Org        stockhand.OrgID
	Section    connector.Section
	Browse     *connector.Browse
	Site       string // the external system's web application
	Connection stockhand.Connection
	Accounts   []stockhand.Connection // that can be looked at
	Today      tool.Day
	Query      url.Values // of the address
}

// path is the address of a page of the section, in the same account.
func (p Place) path(id string, more url.Values) string {
	q := url.Values{}
	if len(p.Accounts) > 1 {
		q.Set("connection", string(p.Connection.ID))
	}
	for name, values := range more {
		q[name] = values
	}
	path := page.Path(p.Org, string(p.Section))
	if id != "" {
		path = page.Path(p.Org, string(p.Section), id)
	}
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return path
}

// in returns the place with another section.
func (p Place) in(s connector.Section) Place {
	p.Section = s
	return p
}

// choices are the accounts to choose from. Two may have the same label.
func (p Place) choices() (all []ui.Option) {
	for _, c := range p.Accounts {
		title := c.Label
		if slices.ContainsFunc(p.Accounts, func(x stockhand.Connection) bool {
			return x.ID != c.ID && x.Label == c.Label
		}) {
			title += " · " + c.Employee + " · " + string(c.Account)
		}
		all = append(all, ui.Option{Value: string(c.ID), Title: title})
	}
	return all
}

// place reads which account a page is about: the one of the address, or the first.
func (h Handlers) place(r *http.Request, s connector.Section) (Place, error) {
	ctx := r.Context()
	p := Place{Org: stockhand.ActorOf(ctx).Org, Section: s, Query: r.URL.Query()}
	all, err := h.Store.Connections(ctx, p.Org)
	if err != nil {
		return p, err
	}
	for _, c := range all {
		i := slices.IndexFunc(h.Kinds, func(k connector.Kind) bool { return k.Name == c.Connector && k.Browse != nil })
		if i < 0 {
			continue
		}
		p.Accounts = append(p.Accounts, c)
		wanted := stockhand.ConnectionID(p.Query.Get("connection"))
		if p.Connection.ID == "" && (wanted == "" || wanted == c.ID) {
			p.Connection, p.Browse, p.Site = c, h.Kinds[i].Browse, h.Kinds[i].Site
			p.Today = tool.DayOf(h.Clock().In(h.Kinds[i].Zone.Location()))
		}
	}
	if len(p.Accounts) > 0 && p.Browse == nil {
		return p, stockhand.Errorf(stockhand.CodeNotFound, "no such connection")
	}
	return p, nil
}

var titles = map[connector.Section]text.T{connector.SectionGoods: text.Goods, connector.SectionPartners: text.Partners,
	connector.SectionDocuments: text.DocumentsTitle}

func (p Place) shelf() connector.Shelf {
	if p.Section == connector.SectionGoods {
		return p.Browse.Goods
	}
	return p.Browse.Partners
}

// show writes a page of a section. Without an account there is nothing to look at.
func (h Handlers) show(w http.ResponseWriter, r *http.Request, p Place, title string, content templ.Component) error {
	if p.Browse == nil {
		title = titles[p.Section].In(r.Context())
		content = nothing(p, title, stockhand.ActorOf(r.Context()).May(stockhand.ScopeAdmin))
	}
	return h.Frames.Show(w, r, page.Page{Title: title, Section: string(p.Section), Content: content})
}

// answers makes what is shown of a finished call.
func (h Handlers) answers(ctx context.Context, f *agent.Finished) (answer.Answer, error) {
	b := answer.Builder{Store: h.Store, Views: h.Results}
	a, err := b.Of(ctx, stockhand.ActorOf(ctx).Org, f)
	a.Question = nil // its answer would be a turn of a conversation
	return a, err
}

// read calls a tool. What the person may read about an error is returned as words.
func (h Handlers) read(ctx context.Context, p Place, c connector.Call) (*agent.Finished, *stockhand.Words, error) {
	f, err := h.Calls.Read(ctx, p.Org, p.Connection.ID, c)
	if err == nil {
		return f, nil, nil
	}
	said, ok := page.Said(ctx, err)
	if !ok {
		return nil, nil, err
	}
	return nil, &said, nil
}

// Reading is a part of a page that is read from the account.
type Reading struct {
	Path   string // where it is read
	Target string // the ID of its element
	Failed *stockhand.Words
}
