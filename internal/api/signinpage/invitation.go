package signinpage

import (
	"net/http"
	"net/url"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
)

// invitationView is what the page of an invitation shows.
type invitationView struct {
	Lang       stockhand.Language
	Theme      caller.Theme
	Problem    string
	Token      string // empty if the invitation is not good
	Org        string // the organization's name, which it chose itself
	Role       string
	Email      string
	Name       string // typed before
	SignedIn   bool   // the browser is signed in as the invited person
	SignUp     bool   // invited people may create an account
	NoPassword bool   // a passkey can follow instead
	Words      invitationWords
}

type invitationWords struct {
	Title, Invites, As, Accept, New, Name, Password, Optional, Create, Have, SignIn, Operator string
}

var invitationTexts = map[stockhand.Language]invitationWords{
	stockhand.English: {"Invitation to Stockhand", "Organization that invites you:", "Your address and role:",
		"Accept the invitation", "Create your account", "Your name (optional)", "Password, 10 to 200 characters",
		"You may leave the password empty and add a passkey on the next page.", "Create the account and accept",
		"If you have an account, sign in and open this link again.", "Sign in",
		"Only the operator of this installation creates accounts."},
	stockhand.Russian: {"Приглашение в Stockhand", "Вас приглашает организация:", "Ваш адрес и роль:",
		"Принять приглашение", "Создайте учётную запись", "Ваше имя (не обязательно)", "Пароль, от 10 до 200 знаков",
		"Пароль можно не задавать и на следующей странице добавить ключ входа (passkey).",
		"Создать учётную запись и принять приглашение",
		"Если учётная запись у вас уже есть, войдите и откройте эту ссылку ещё раз.", "Войти",
		"Учётные записи создаёт только оператор этой установки."},
}

var roleNames = map[stockhand.Role]string{stockhand.RoleOwner: "владелец", stockhand.RoleAdmin: "администратор",
	stockhand.RoleMember: "участник", stockhand.RoleViewer: "наблюдатель"}

// showInvitation serves the page of an invitation. Looking at it accepts nothing.
func (c Config) showInvitation(w http.ResponseWriter, r *http.Request) {
	query, _ := url.ParseQuery(r.URL.RawQuery) // what cannot be read is no token
	c.writeInvitation(w, r, http.StatusOK, input{Token: query.Get("token")}, nil)
}

// signUp creates an account for the person who has an invitation's token.
func (c *Config) signUp(r *http.Request, in input) (signin.Outcome, error) {
	return c.SignIn.ByInvitation(r.Context(), in.Token, signin.NewPerson{Name: in.Name, Password: in.Password},
		c.origin(r))
}

// acceptInvitation lets the person of this browser's sign-in accept, from the page.
func (c Config) acceptInvitation(w http.ResponseWriter, r *http.Request) {
	in, _, err := read(w, r)
	if err == nil {
		err = caller.SameOrigin(r)
	}
	if err == nil {
		_, err = c.SignIn.Invitation(r.Context(), in.Token, c.origin(r)) // before a cookie is looked up
	}
	if err == nil {
		var a stockhand.Actor
		if a, err = c.person(r); err == nil {
			_, err = c.SignIn.Auth.Accept(r.Context(), a, auth.Invited{Token: in.Token})
		}
	}
	if err != nil {
		c.writeInvitation(w, r, http.StatusUnprocessableEntity, in, err)
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// person returns the person who is signed in with this browser.
func (c Config) person(r *http.Request) (stockhand.Actor, error) {
	a, err := c.SignIn.Auth.Authenticate(r.Context(),
		auth.Caller{Cookie: c.Cookies.SignIn(r), IP: c.Proxies.Address(r)})
	if a.Person && stockhand.CodeOf(err) == stockhand.CodeOrgRequired {
		err = nil // accepting needs no organization
	}
	return a, err
}

// writeInvitation shows the invitation with that token, and what went wrong.
func (c Config) writeInvitation(w http.ResponseWriter, r *http.Request, status int, in input, failed error) {
	i, err := c.SignIn.Invitation(r.Context(), in.Token, c.origin(r))
	if failed == nil && err != nil {
		failed, status = err, http.StatusUnprocessableEntity
	}
	problem, ok := c.problem(r, failed)
	if !ok {
		c.WriteError(w, r, failed)
		return
	}
	lang := c.Language(r)
	p := invitationView{Lang: lang, Theme: caller.ThemeOf(r), Words: invitationTexts[lang], Problem: problem,
		Name: in.Name, SignUp: c.SignIn.Auth.InvitedSignUp, NoPassword: c.SignIn.HasPasskeys()}
	if err == nil {
		p.Token, p.Org, p.Email, p.Role = in.Token, i.OrgName, i.Email, string(i.Role)
		if lang == stockhand.Russian {
			p.Role = roleNames[i.Role]
		}
		if a, err := c.person(r); err == nil && a.User != "" {
			u, err := c.SignIn.Auth.User(r.Context(), a.User)
			p.SignedIn = err == nil && u.Email == i.Email
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
	_ = invitationPage(p).Render(r.Context(), w) // the caller may have disconnected
}
