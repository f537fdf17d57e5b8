package e2e

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" // as RFC 6238 has it
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// onLocalhost gives the service an address at which browsers use passkeys; they do not at a numeric one.
func onLocalhost(t *testing.T) func(*app.Config) {
	return func(c *app.Config) {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		c.Addr, c.InvitedSignUp = l.Addr().String(), true
		_, port, _ := net.SplitHostPort(c.Addr)
		c.PublicURL = "http://localhost:" + port
	}
}

// device gives the tab a device with a fingerprint reader that always recognizes the person.
func (b *tab) device() {
	b.t.Helper()
	b.do("give the tab a device", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
			Options: &webauthn.VirtualAuthenticatorOptions{Protocol: webauthn.AuthenticatorProtocolCtap2,
				Transport: webauthn.AuthenticatorTransportInternal, HasResidentKey: true, HasUserVerification: true,
				IsUserVerified: true, AutomaticPresenceSimulation: true}})
		return err
	}))
}

// codeNow is what an app with the key shows (RFC 6238).
func codeNow(t *testing.T, key string) string {
	t.Helper()
	secret, err := base32.StdEncoding.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, time.Now().Unix()/30)
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 15
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at:])&0x7fffffff)%1000000)
}

// A person adds a passkey, sets a password, signs in with the passkey, turns on one-time codes and ends other sign-ins,
// all on the page of their account (rule R590).
func TestAPersonChangesHowTheySignIn(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Unconnected: true, Configure: onLocalhost(t)})
	b := open(t, s, s.Owner, stockhand.English, "light", desk)
	b.device()
	b.visit("/account")
	b.sees("this browser")
	b.fill("#passkey-name", "Laptop")
	b.press("Add a passkey")
	b.sees("The passkey was added")
	b.sees("never used")
	b.press("Set a password")
	b.fill("#password", "three lines of Onegin")
	b.click("#password-change .primary")
	b.sees("The password was saved")

	b.press("Sign out")
	b.sees("Sign in to Stockhand")
	b.press("Sign in with a passkey")
	b.when(`location.pathname.startsWith("/o/")`, "the console")
	b.visit("/account")
	b.sees("with a passkey")

	b.press("Turn on")
	b.sees("Add the key to your app")
	b.fill("#code", "000000")
	b.click(`form[aria-labelledby="enrol"] .primary`)
	b.sees("is not the code that your app shows now")
	b.press("Turn on")
	b.sees("Add the key to your app")
	b.fill("#code", codeNow(t, b.value(`document.querySelector("#enrol-secret").value`)))
	b.click(`form[aria-labelledby="enrol"] .primary`)
	b.sees("Recovery codes")
	if codes := strings.Fields(b.value(`document.querySelector("#codes").textContent`)); len(codes) != 10 {
		t.Errorf("recovery codes: %q", codes)
	}
	b.press("Turn off")
	b.sees("One-time codes are off")

	other := open(t, s, s.Owner, stockhand.English, "light", phone)
	other.visit("/account")
	b.visit("/account")
	b.press("Sign out everywhere else")
	b.sees("The sign-in was ended")
	other.visit("/account")
	other.sees("Sign in to Stockhand")

	b.press("Delete")
	b.sees("The passkey was removed")
}

// Somebody who belongs to an organization already sees an invitation to another one, and accepts it (rule R591).
func TestAnInvitationIsAcceptedInTheConsole(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	invite(t, s, "Другой магазин")
	b := open(t, s, s.Owner, stockhand.Russian, "light", phone)
	b.visit("/o/" + string(s.OrgID) + "/drafts")
	b.click(".organizations > summary")
	b.click(`.organizations a[href="/invitations"]`)
	b.sees("Вас приглашают")
	b.press("Принять")
	b.when(`document.querySelector(".organizations summary")?.innerText.includes("Другой магазин")`, "the organization")
	b.visit("/account")
	b.press("Сделать основной")
	b.sees("Основная организация выбрана")
	b.visit("/account")
	b.press("Покинуть")
	b.click(`dialog[open] input[name="sure"]`)
	b.click("dialog[open] .danger")
	b.when(`document.querySelectorAll(".organizations a").length === 1`, "the organization is left")
}

// invite invites the owner to a second organization, and returns the link.
func invite(t *testing.T, s *apptest.Service, name string) (link string) {
	t.Helper()
	_, token := s.Organization(name)
	var all struct{ Data []struct{ ID string } }
	s.Do("GET", "/organizations", token, nil).Decode(t, &all)
	var i struct{ URL string }
	s.Do("POST", "/organizations/"+all.Data[0].ID+"/invitations", token,
		map[string]any{"email": s.Owner.Email, "role": "admin"}).Decode(t, &i)
	return i.URL
}

// Signing in, and a person's own account: as [TestEveryPageIsAccessible].
func TestEveryPageOfSigningInIsAccessible(t *testing.T) {
	t.Parallel()
	needChromium(t)
	s := apptest.Start(t, apptest.Options{Unconnected: true, Configure: onLocalhost(t)})
	invite(t, s, "Другой магазин")
	newcomer, token, err := s.Auth.Invite(t.Context(), stockhand.Actor{Org: s.OrgID, User: s.Owner.ID, Person: true,
		Role: stockhand.RoleOwner, Scopes: stockhand.RoleOwner.Scopes(), Name: "user:" + string(s.Owner.ID)},
		"newcomer@example.com", stockhand.RoleMember)
	if err != nil {
		t.Fatal(newcomer, err)
	}
	own := "/o/" + string(s.OrgID) + "/account"
	walk(t, s, []stop{
		{"sign-in", "/sign-in", nil},
		{"sign-in-wrong", "/sign-in", func(b *tab) {
			b.fill("#email", "vera@example.com")
			b.fill("#password", "wrong password")
			b.click("main .primary")
			b.when(`!!document.querySelector(".notice.bad")`, "the password is refused")
		}},
		{"sign-in-link", "/sign-in?token=sk-one-x", nil},
		{"sign-in-link-used", "/sign-in?token=sk-one-x", func(b *tab) {
			b.click("main .primary")
			b.when(`!!document.querySelector(".notice.bad")`, "the link is refused")
		}},
		{"invitation", "/sign-in/invitation?token=" + token, nil},
		{"invitation-bad", "/sign-in/invitation?token=sk-inv-x", nil},
		{"account-own", own, nil},
		{"account-password", own, func(b *tab) { b.click(`[data-open="password-change"]`) }},
		{"account-codes", own, func(b *tab) {
			b.click(`form[action$="/codes"] button`)
			b.when(`!!document.querySelector("#enrol-secret")`, "the key")
		}},
		{"account-leave", own, func(b *tab) { b.click(`[data-open="leave"]`) }},
	})
}
