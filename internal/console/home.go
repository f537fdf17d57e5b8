package console

import (
	"net/http"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// start leads to the person's home organization, or else to the first of theirs.
func (c *Console) start(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	if back := c.Cookies.Returned(w, r); back != "" {
		return page.Go(w, r, back)
	}
	if a.Org != "" {
		return page.Go(w, r, page.Path(a.Org))
	}
	all, err := c.People.Organizations(r.Context(), a)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		return page.Go(w, r, page.Path(all[0].ID))
	}
	return c.nowhere(w, r)
}

// nowhere is the page of a person who belongs to no organization, with the invitations to them.
func (c *Console) nowhere(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	all, err := c.People.OwnInvitations(ctx, stockhand.ActorOf(ctx), "", mostInvitations)
	if err != nil {
		return err
	}
	title := text.NoOrganization.In(ctx)
	return page.Write(w, r, http.StatusOK, nowherePage(title, string(caller.ThemeOf(r)), all))
}

const mostInvitations = 50

// account leads to the page of the person's account, which is within an organization.
func (c *Console) account(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	if a.Org == "" {
		all, err := c.People.Organizations(r.Context(), a)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return c.nowhere(w, r)
		}
		a.Org = all[0].ID
	}
	return page.Go(w, r, page.Path(a.Org, page.Account))
}

// section leads to the first section of an organization that the person may see.
func (c *Console) section(w http.ResponseWriter, r *http.Request) error {
	return page.Go(w, r, page.Start(stockhand.ActorOf(r.Context())))
}

// findDraft leads from a link in a message to the draft, in whichever of the person's organizations it is.
func (c *Console) findDraft(w http.ResponseWriter, r *http.Request) error {
	ctx, id := r.Context(), stockhand.DraftID(r.PathValue("draft_id"))
	all, err := c.People.Organizations(ctx, stockhand.ActorOf(ctx))
	if err != nil {
		return err
	}
	for _, m := range all {
		_, err := c.Drafts.Draft(ctx, m.ID, id)
		if err == nil {
			return page.Go(w, r, page.Path(m.ID, page.Drafts, string(id)))
		}
		if stockhand.CodeOf(err) != stockhand.CodeNotFound {
			return err
		}
	}
	return &stockhand.Error{Code: stockhand.CodeNotFound,
		Message: "no such draft in your organizations",
		Hint:    "You may be signed in as someone else than the person whom the link was sent to.",
		RU: stockhand.Words{Message: "такого черновика нет в ваших организациях",
			Hint: "Возможно, вы вошли не под той учётной записью, которой прислали ссылку."}}
}

// prefer keeps the language and the theme in this browser.
func (c *Console) prefer(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	c.Cookies.PreferLanguage(w, stockhand.Language(form.Get("language")))
	c.Cookies.PreferTheme(w, caller.Theme(form.Get("theme")))
	back := form.Get("back")
	if !caller.OwnPath(back) {
		back = "/"
	}
	return page.Go(w, r, back)
}

// waiting tells an open page how many drafts wait now, for its navigation and the badge of the installed app.
func (c *Console) waiting(w http.ResponseWriter, r *http.Request) error {
	n, err := c.frames.Waiting(r.Context(), stockhand.ActorOf(r.Context()).Org)
	if err != nil {
		return err
	}
	return page.Write(w, r, http.StatusOK, ui.Waiting(n, true))
}

// signOut ends the sign-in of this browser.
func (c *Console) signOut(w http.ResponseWriter, r *http.Request) error {
	a := stockhand.ActorOf(r.Context())
	if err := c.People.EndSignIn(r.Context(), a, a.SignIn); err != nil {
		return err
	}
	c.Cookies.Set(w, "", time.Time{})
	http.Redirect(w, r, caller.SignInPath, http.StatusSeeOther)
	return nil
}
