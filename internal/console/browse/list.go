package browse

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/results"
	"github.com/stockhand/stockhand/internal/tool"
)

// mostFound is how many names a search shows, on one page of the table.
const mostFound = 50

// List is a list of goods, of customers and suppliers, or of documents.
type List struct {
	Place
	Reading
	Find   string           // names that are searched for
	Found  int              // names that fit
	Others []connector.Name // those that have no row in the table
	View   *results.View    // nil: not read yet
	Answer answer.Answer
}

// kindOfList is what differs between the lists.
type kindOfList struct {
	section connector.Section
	call    func(p Place) connector.Call
	choose  func(h Handlers, ctx context.Context, l *List, c *results.Choice) error
	page    func(l List) templ.Component
}

func things(s connector.Section) kindOfList {
	return kindOfList{s, func(p Place) connector.Call { return p.shelf().List(p.Today) }, Handlers.search, listPage}
}

// Goods serves the list of goods. As with the other lists, a GET shows what was read a short time ago, and a POST
// reads.
func (h Handlers) Goods(w http.ResponseWriter, r *http.Request) error {
	return h.list(w, r, things(connector.SectionGoods))
}

// Customers serves the list of customers and suppliers.
func (h Handlers) Customers(w http.ResponseWriter, r *http.Request) error {
	return h.list(w, r, things(connector.SectionPartners))
}

// Documents serves the list of documents.
func (h Handlers) Documents(w http.ResponseWriter, r *http.Request) error {
	return h.list(w, r, kindOfList{connector.SectionDocuments,
		func(p Place) connector.Call { return p.Browse.Documents(p.Query) }, Handlers.narrow, documentsPage})
}

func (h Handlers) list(w http.ResponseWriter, r *http.Request, k kindOfList) error {
	ctx := r.Context()
	p, err := h.place(r, k.section)
	if err != nil {
		return err
	}
	if p.Browse == nil {
		return h.show(w, r, p, "", nil)
	}
	l := List{Place: p, Reading: Reading{Path: p.path("", p.Query), Target: "list"}}
	var f *agent.Finished
	if r.Method != http.MethodGet {
		f, l.Failed, err = h.read(ctx, p, k.call(p))
	} else {
		f = h.Calls.Kept(ctx, p.Org, p.Connection.ID, k.call(p))
	}
	if err == nil && f != nil {
		err = h.fill(ctx, &l, f, k)
	}
	switch {
	case err != nil:
		return err
	case page.Part(r):
		return page.Write(w, r, http.StatusOK, listed(l))
	case r.Method != http.MethodGet && l.Failed == nil:
		return page.Go(w, r, l.Path)
	}
	return h.show(w, r, p, titles[k.section].In(ctx), k.page(l))
}

// fill adds the table.
func (h Handlers) fill(ctx context.Context, l *List, f *agent.Finished, k kindOfList) (err error) {
	if l.Answer, err = h.answers(ctx, f); err != nil || len(f.Results) == 0 {
		return err
	}
	kept, err := h.Store.Result(ctx, l.Org, f.Results[0].ID)
	if err != nil {
		return err
	}
	c := results.ChoiceOf(l.Query)
	c.Few, c.Page, c.Extra, c.Target = false, page.Path(l.Org, string(l.Section)), url.Values{}, l.Target
	if len(l.Accounts) > 1 {
		c.Extra.Set("connection", string(l.Connection.ID))
	}
	if err := k.choose(h, ctx, l, &c); err != nil {
		return err
	}
	v, err := h.Results.View(ctx, kept, c)
	if err != nil {
		return err
	}
	l.View = &v
	id := slices.IndexFunc(v.Table.Columns, func(x tool.Column) bool { return x.Name == c.Key })
	l.Others = slices.DeleteFunc(l.Others, func(n connector.Name) bool {
		return id >= 0 && slices.ContainsFunc(v.Rows, func(row results.Row) bool {
			return row.Cells[id].Text() == n.ID
		})
	})
	return nil
}

// search chooses the rows of the names that somebody types.
func (h Handlers) search(ctx context.Context, l *List, c *results.Choice) error {
	if l.Find = strings.TrimSpace(l.Query.Get("find")); l.Find == "" {
		return nil
	}
	names, total, err := h.Names.Typed(ctx, l.Org, l.Connection.ID, l.shelf().Names, l.Find, mostFound)
	if err != nil {
		return err
	}
	c.Key, c.Only, c.Find, l.Found, l.Others = l.shelf().ID, []string{}, l.Find, total, names
	for _, n := range names {
		c.Only = append(c.Only, n.ID)
	}
	return nil
}

// rowChoices are the fields of an address that choose what is shown of a table, and no documents.
var rowChoices = []string{"sort", "down", "column", "part", "few", "find", "skip", "where", "filter", "op",
	"value", "paper"}

// narrow keeps the conditions on documents in the addresses of the table.
func (h Handlers) narrow(_ context.Context, l *List, c *results.Choice) error {
	for name, values := range l.Query {
		if !slices.Contains(rowChoices, name) {
			c.Extra[name] = values
		}
	}
	c.Find = ""
	return nil
}

// kind is the type of documents that is shown, if it is one.
func (l List) kind() string {
	if all := l.Query["kinds"]; len(all) == 1 {
		return all[0]
	}
	return ""
}

// others are the conditions that the form of documents does not show, to be kept by it.
func (l List) others() url.Values {
	q := url.Values{}
	for _, name := range []string{"counterparties", "products", "stores", "employees", "projects",
		"legal_entities", "text", "connection"} {
		if l.Query.Has(name) {
			q[name] = l.Query[name]
		}
	}
	if l.kind() == "" && l.Query.Has("kinds") {
		q["kinds"] = l.Query["kinds"]
	}
	return q
}

// narrowed reports whether there are such conditions.
func (l List) narrowed() bool {
	q := l.others()
	q.Del("connection")
	return len(q) > 0
}
