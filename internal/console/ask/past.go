package ask

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// Past is the list of conversations, as far as it is shown.
type Past struct {
	Org  stockhand.OrgID
	Find string
	Open stockhand.SessionID
	List []stockhand.Session // the person's own, but those that they pinned

	Before stockhand.SessionID // List has those older than this one; empty: from the latest
	Older  stockhand.SessionID // there are more before this one; empty: none

	Pinned []stockhand.Session // by the person
	Shared []stockhand.Session // by anyone, with the organization
}

// mostPast is how many conversations are listed at a time, and mostSearched how many are searched for them.
const (
	mostPast     = 30
	mostSearched = 1000
	mostPinned   = 30
)

// past reads the conversations that a request asks for: those whose title has the words of ?find=, and that are
// older than ?before= (rule R691).
func (h Handlers) past(r *http.Request) (Past, error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	q := r.URL.Query()
	p := Past{Org: a.Org, Find: strings.TrimSpace(q.Get("find")),
		Open: stockhand.SessionID(r.PathValue("session_id")), Before: stockhand.SessionID(q.Get("before"))}
	words := strings.Fields(strings.ToLower(p.Find))
	fits := func(s stockhand.Session) bool {
		title := strings.ToLower(s.Title)
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(title, w) })
	}
	var err error
	if p.Pinned, err = h.Pins.Pinned(ctx, a.Org, a.Name, mostPinned); err == nil {
		p.Shared, err = h.Pins.Pinned(ctx, a.Org, "", mostPinned)
	}
	if err != nil {
		return p, err
	}
	unfit := func(s stockhand.Session) bool { return !fits(s) }
	pinned := p.Pinned
	p.Pinned, p.Shared = slices.DeleteFunc(slices.Clone(p.Pinned), unfit), slices.DeleteFunc(p.Shared, unfit)
	last := p.Before // the oldest that was looked at
	for read := 0; ; {
		const page = 100
		found, err := h.Store.Sessions(ctx, a.Org, stockhand.SessionChat, a.Name, last, page)
		if err != nil {
			return p, err
		}
		for _, s := range found {
			if !fits(s) || slices.ContainsFunc(pinned, func(x stockhand.Session) bool { return x.ID == s.ID }) {
				last = s.ID
				continue
			}
			if len(p.List) == mostPast {
				p.Older = last
				return p, nil
			}
			p.List, last = append(p.List, s), s.ID
		}
		if read += len(found); len(found) < page {
			return p, nil
		}
		if read >= mostSearched {
			p.Older = last
			return p, nil
		}
	}
}

// older is the address of the conversations before those that are listed.
func (p Past) older() string {
	q := url.Values{"before": {string(p.Older)}}
	if p.Find != "" {
		q.Set("find", p.Find)
	}
	return page.Path(p.Org, "ask") + "?" + q.Encode()
}

// Composer is where a question is written.
type Composer struct {
	Org       stockhand.OrgID
	Session   stockhand.SessionID // empty: a new conversation
	Accounts  []stockhand.Connection
	Account   stockhand.ConnectionID // of the conversation; empty if it is not known yet
	May       bool                   // the person may ask
	Admin     bool                   // the person may connect accounts
	Tiles     []Tile                 // of the account that is looked at
	Reports   []Tile                 // those that people saved, of all accounts
	Suggested []tool.Text            // questions that fit the account
	Text      string                 // of a question that was begun elsewhere
	Look      stockhand.Connection   // the account that the start page shows; empty if none is connected
}

func (h Handlers) composer(ctx context.Context, s stockhand.Session) (Composer, error) {
	a := stockhand.ActorOf(ctx)
	all, err := h.accounts(ctx)
	c := Composer{Org: a.Org, Session: s.ID, Accounts: all, Account: s.Connection,
		May: a.May(stockhand.ScopeWriteTools), Admin: a.May(stockhand.ScopeAdmin)}
	if len(all) == 1 && c.Account == "" {
		c.Account = all[0].ID
	}
	return c, err
}

// name returns what an account is called. Two accounts may have the same label, so then it has the account's ID.
func (c Composer) name(of stockhand.Connection) string {
	same := 0
	for _, x := range c.Accounts {
		if x.Label == of.Label {
			same++
		}
	}
	if same > 1 {
		return of.Label + " · " + of.Employee + " · " + string(of.Account)
	}
	return of.Label
}

// current returns the account of the conversation.
func (c Composer) current() (stockhand.Connection, bool) {
	i := slices.IndexFunc(c.Accounts, func(x stockhand.Connection) bool { return x.ID == c.Account })
	if i < 0 {
		return stockhand.Connection{}, false
	}
	return c.Accounts[i], true
}

// olderTalks is the ID of the link to older conversations, which they take the place of.
const olderTalks = "older"

// Home serves the start page: where to ask, tiles, suggestions and earlier conversations. For htmx it serves the list
// of conversations alone.
func (h Handlers) Home(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	past, err := h.past(r)
	if err != nil {
		return err
	}
	if page.Part(r) {
		switch r.Header.Get("HX-Target") {
		case "talks":
			return page.Write(w, r, http.StatusOK, talks(past))
		case olderTalks:
			return page.Write(w, r, http.StatusOK, talksBefore(past))
		}
	}
	c, err := h.composer(ctx, stockhand.Session{})
	if err != nil {
		return err
	}
	c.Text = r.URL.Query().Get("message")
	if len(c.Accounts) > 0 && c.May {
		wanted := stockhand.ConnectionID(r.URL.Query().Get("connection"))
		at := slices.IndexFunc(c.Accounts, func(x stockhand.Connection) bool { return x.ID == wanted })
		c.Look = c.Accounts[max(at, 0)]
		c.Tiles, c.Suggested = h.tilesOf(c.Org, c.Look), h.questions(c.Look, nil)
		if c.Reports, err = h.savedTiles(ctx, c); err != nil {
			return err
		}
	}
	return h.Frames.Show(w, r, page.Page{Title: text.Ask.In(ctx), Section: page.Ask, Content: homePage(c, past)})
}
