// Package find is the console's command palette: one search for pages, goods, customers, documents, drafts, reports and
// earlier questions, and commands. Without scripts it is a page like any other (rule R398).
package find

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/reports"
	"github.com/stockhand/stockhand/internal/tool"
)

// Names finds names of an account; package agent documents the method.
type Names interface {
	Typed(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, kind connector.NameKind, words string,
		most int) ([]connector.Name, int, error)
}

// Store reads conversations and connections; internal/store documents the methods.
type Store interface {
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	Sessions(ctx context.Context, org stockhand.OrgID, kind stockhand.SessionKind, by string,
		before stockhand.SessionID, limit int) ([]stockhand.Session, error)
}

// Reports lists what is kept on the start page; package reports documents the method.
type Reports interface {
	List(ctx context.Context, a stockhand.Actor) ([]reports.Report, error)
}

// Handlers serve the search.
type Handlers struct {
	Frames  page.Frames
	Names   Names
	Store   Store
	Drafts  func(ctx context.Context, org stockhand.OrgID, limit int) ([]stockhand.Draft, error) // newest first
	Reports Reports
	Kinds   []connector.Kind
}

// Group is what was found of a kind.
type Group struct {
	Title string
	Icon  string
	Found []Found
}

// Found is a place to go to, or a command.
type Found struct {
	Title, Also, Path, Icon string

	// Press is the ID of a control of the page that a command presses, or sets to Value. Without scripts there are no
	// commands.
	Press, Value string
}

// icon is that of a place, or else of what was found.
func (f Found) icon(of Group) string {
	if f.Icon != "" {
		return f.Icon
	}
	return of.Icon
}

const (
	mostOfKind   = 6
	mostSearched = 200             // conversations
	mostDrafts   = 100             // that are searched
	leastNumber  = 2               // characters of the number of a document
	patience     = 4 * time.Second // for names that are not read yet
)

// Show serves what is found: alone for the palette, else on a page.
func (h Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	typed := strings.TrimSpace(r.URL.Query().Get("q"))
	all, err := h.find(ctx, a, typed, page.Part(r))
	if err != nil {
		return err
	}
	if page.Part(r) {
		return page.Write(w, r, http.StatusOK, options(typed, all))
	}
	title := text.FindAnything.In(ctx)
	return h.Frames.Show(w, r, page.Page{Title: title, Narrow: true, Content: findPage(a.Org, typed, all)})
}

// find returns what was found, and the commands of the palette.
func (h Handlers) find(ctx context.Context, a stockhand.Actor, typed string, palette bool) (all []Group, err error) {
	add := func(title text.T, icon string, found []Found) {
		if len(found) > 0 {
			all = append(all, Group{title.In(ctx), icon, found})
		}
	}
	add(text.FoundPages, "right", pages(ctx, a, typed))
	if palette {
		add(text.FoundCommands, "gear", commands(ctx, typed))
	}
	if typed != "" && a.May(stockhand.ScopeWriteTools) {
		goods, customers, err := h.named(ctx, a, typed)
		if err != nil {
			return nil, err
		}
		add(text.Goods, "goods", goods)
		add(text.Partners, "customers", customers)
		add(text.DocumentsTitle, "documents", documents(ctx, a, typed))
	}
	if typed != "" {
		drafts, err := h.drafts(ctx, a, typed)
		if err != nil {
			return nil, err
		}
		add(text.Drafts, "drafts", drafts)
		kept, err := h.reports(ctx, a, typed)
		if err != nil {
			return nil, err
		}
		add(text.Reports, "pin", kept)
	}
	questions, err := h.questions(ctx, a, typed)
	if err != nil {
		return nil, err
	}
	add(text.History, "ask", questions)
	if typed != "" && a.May(stockhand.ScopeWriteTools) {
		add(text.Ask, "ask", []Found{{Title: text.AskThis.With(ctx, typed),
			Path: page.Path(a.Org, page.Ask) + "?" + url.Values{"message": {typed}}.Encode()}})
	}
	return all, nil
}

// pages returns the sections with the words in their title, and of what is within them, too, if there are words.
func pages(ctx context.Context, a stockhand.Actor, typed string) (all []Found) {
	links := page.Links(a)
	if typed != "" {
		links = append(links, page.Places(a)...)
	}
	for _, l := range links {
		if has(l.Title.RU+" "+l.Title.EN, typed) {
			all = append(all, Found{Title: l.Title.In(ctx), Path: l.Path, Icon: l.Icon})
		}
	}
	return all
}

// documents leads to the documents with a number, if what was typed may be one.
func documents(ctx context.Context, a stockhand.Actor, typed string) []Found {
	if len(typed) < leastNumber || strings.ContainsAny(typed, " \t") || !strings.ContainsAny(typed, "0123456789") {
		return nil
	}
	return []Found{{Title: text.Numbered.With(ctx, typed),
		Path: page.Path(a.Org, page.Documents) + "?" + url.Values{"number": {typed}}.Encode()}}
}

// drafts returns the newest drafts with the words in their titles or those of their documents.
func (h Handlers) drafts(ctx context.Context, a stockhand.Actor, typed string) (all []Found, err error) {
	found, err := h.Drafts(ctx, a.Org, mostDrafts)
	if err != nil {
		return nil, err
	}
	drafts, err := tool.ReadDrafts(found)
	for _, d := range drafts {
		title, states := d.Title, ""
		for _, doc := range d.Documents {
			title += " " + doc.Title
			states = text.DocumentStates[doc.State].In(ctx)
		}
		if has(title, typed) && len(all) < mostOfKind {
			all = append(all, Found{Title: d.Title, Also: states, Path: page.Path(a.Org, page.Drafts, string(d.ID))})
		}
	}
	return all, err
}

// reports returns the questions on the start page with the words in their title.
func (h Handlers) reports(ctx context.Context, a stockhand.Actor, typed string) (all []Found, err error) {
	kept, err := h.Reports.List(ctx, a)
	for _, r := range kept {
		if has(r.Title, typed) && len(all) < mostOfKind {
			all = append(all, Found{Title: r.Title, Path: page.Path(a.Org, page.Ask) + "#tile-" + string(r.ID)})
		}
	}
	return all, err
}

// commands returns what can be done on any page, and has the words.
func commands(ctx context.Context, typed string) (all []Found) {
	if typed == "" {
		return nil
	}
	for _, c := range []struct {
		title, also text.T
		press       string
		value       string
	}{
		{text.ThemeLight, text.Theme, "theme", "light"}, {text.ThemeDark, text.Theme, "theme", "dark"},
		{text.ThemeAuto, text.Theme, "theme", "auto"},
		{text.InRussian, text.LanguageTitle, "language", "ru"}, {text.InEnglish, text.LanguageTitle, "language", "en"},
		{text.Print, text.FoundCommands, "print-page", ""}, {text.SignOut, text.Account, "sign-out", ""},
	} {
		if has(c.title.RU+" "+c.title.EN+" "+c.also.RU+" "+c.also.EN, typed) {
			all = append(all, Found{Title: c.title.In(ctx), Also: c.also.In(ctx), Press: c.press, Value: c.value})
		}
	}
	return all
}

// questions returns the person's last conversations with the words in their title.
func (h Handlers) questions(ctx context.Context, a stockhand.Actor, typed string) (all []Found, err error) {
	list, err := h.Store.Sessions(ctx, a.Org, stockhand.SessionChat, a.Name, "", mostSearched)
	for _, s := range list {
		if has(s.Title, typed) && len(all) < mostOfKind {
			all = append(all, Found{Title: s.Title, Path: page.Path(a.Org, page.Ask, string(s.ID))})
		}
	}
	return all, err
}

// named returns the goods and the customers of all accounts with the name. What cannot be read is left out: the pages
// of goods and customers say why.
func (h Handlers) named(ctx context.Context, a stockhand.Actor, typed string) (goods, customers []Found, err error) {
	all, err := h.Store.Connections(ctx, a.Org)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	all = slices.DeleteFunc(all, func(c stockhand.Connection) bool {
		return !slices.ContainsFunc(h.Kinds, func(k connector.Kind) bool {
			return k.Name == c.Connector && k.Browse != nil
		})
	})
	for _, c := range all {
		of := func(kind connector.NameKind, section connector.Section) (found []Found) {
			names, _, err := h.Names.Typed(ctx, a.Org, c.ID, kind, typed, mostOfKind)
			if err != nil {
				return nil
			}
			for _, n := range names {
				f := Found{Title: n.Name, Path: page.Path(a.Org, string(section), n.ID) + "?" +
					url.Values{"connection": {string(c.ID)}}.Encode()}
				if len(all) > 1 {
					f.Also = c.Label
				}
				found = append(found, f)
			}
			return found
		}
		goods = append(goods, of(connector.NameProduct, connector.SectionGoods)...)
		customers = append(customers, of(connector.NameCounterparty, connector.SectionPartners)...)
	}
	return goods, customers, nil
}

// has reports whether a title has all the words.
func has(title, words string) bool {
	title = strings.ToLower(title)
	for w := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(title, w) {
			return false
		}
	}
	return true
}
