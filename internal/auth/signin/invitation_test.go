package signin_test

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// invite invites a person as the owner of the world's organization.
func (w *world) invite(email string, role stockhand.Role) (stockhand.Invitation, string) {
	w.t.Helper()
	i, token, err := w.auth.Invite(w.t.Context(), w.boss(), email, role)
	if err != nil {
		w.t.Fatal(err)
	}
	return i, token
}

// boss is the owner, as they act in the organization.
func (w *world) boss() stockhand.Actor {
	return stockhand.Actor{Org: w.org, Name: "user:" + string(w.owner.ID), Person: true, User: w.owner.ID,
		Role: stockhand.RoleOwner, Scopes: stockhand.RoleOwner.Scopes()}
}

// Rule R175.
func TestAnInvitedPersonCreatesTheirAccount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		ctx := t.Context()
		_, token := w.invite("Anna@example.com", stockhand.RoleMember)
		for range 2 { // looking accepts nothing
			i, err := w.Invitation(ctx, token, home)
			if err != nil || i.OrgName != "Shop" || i.Email != "anna@example.com" || i.Role != stockhand.RoleMember {
				t.Fatalf("%+v %v", i, err)
			}
		}
		out, err := w.ByInvitation(ctx, token, signin.NewPerson{Name: "Anna", Password: good}, home)
		if err != nil {
			t.Fatal(err)
		}
		a := w.caller(out.Cookie)
		if a.Org != w.org || a.Role != stockhand.RoleMember || !a.ProvenWithin(auth.ProvenFor, w.at) {
			t.Errorf("they act as %+v", a)
		}
		again, err := w.ByPassword(ctx, "anna@example.com", good, home)
		if err != nil || again.SignIn.User != a.User {
			t.Errorf("with the password: %+v %v", again, err)
		}
		if got := w.actions(); !slices.Contains(got, "member.joined") || got[len(got)-1] != "person.signed_in" {
			t.Errorf("the audit log has %v", got)
		}
		of, err := db.AuditBefore(ctx, stockhand.Installation, "user.created", "", 0, 10)
		if err != nil || len(of) != 1 || of[0].Actor != "user:"+string(a.User) {
			t.Errorf("the installation's log has %+v %v", of, err)
		}

		_, token = w.invite("boris@example.com", stockhand.RoleViewer)
		if out, err = w.ByInvitation(ctx, token, signin.NewPerson{}, home); err != nil {
			t.Fatalf("without a password: %v", err)
		}
		if err := w.SetPassword(ctx, w.caller(out.Cookie), "", good); err != nil {
			t.Errorf("a password afterwards: %v", err)
		}
		_, err = w.auth.CreateOrganization(ctx, w.caller(out.Cookie), "Mine")
		wantCode(t, "creating an organization", err, stockhand.CodePermissionDenied)
	})
}

func TestAttackAnInvitationCreatesMoreThanOneAccount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		ctx := t.Context()
		refused := func(what, token string) {
			t.Helper()
			_, err := w.ByInvitation(ctx, token, signin.NewPerson{}, home)
			if e := wantCode(t, what, err, stockhand.CodeSignInRefused); e.RU.Message == "" {
				t.Errorf("%s: %v", what, e)
			}
		}
		_, token := w.invite("anna@example.com", stockhand.RoleMember)
		other := w.replica()
		var wg sync.WaitGroup
		var entered atomic.Int32
		for i := range 8 { // at once, at two replicas
			wg.Go(func() {
				s := []*signin.Service{w.Service, other}[i%2]
				if _, err := s.ByInvitation(ctx, token, signin.NewPerson{}, home); err == nil {
					entered.Add(1)
				} else if stockhand.CodeOf(err) != stockhand.CodeSignInRefused {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if entered.Load() != 1 {
			t.Errorf("one invitation signed %d people up", entered.Load())
		}
		refused("a used one", token)
		i, token := w.invite("boris@example.com", stockhand.RoleMember)
		if _, err := w.auth.RevokeInvitation(ctx, w.boss(), i.ID); err != nil {
			t.Fatal(err)
		}
		refused("a revoked one", token)
		_, token = w.invite("boris@example.com", stockhand.RoleMember)
		refused("a mistyped one", token[:len(token)-1]+"!")
		refused("none", "")
		w.at = w.at.Add(auth.DefaultInvitationDays * 24 * time.Hour)
		refused("an expired one", token)
		if _, err := db.System().UserByEmail(ctx, "boris@example.com"); stockhand.CodeOf(
			err) != stockhand.CodeNotFound {
			t.Errorf("a refused sign-up left a user: %v", err)
		}
	})
}

// Nothing that an inviter sees, and no answer short of using the invitation up, depends on whether there is an account.
func TestAttackAnInvitationTellsWhoHasAnAccount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		ctx := t.Context()
		victim, err := w.auth.CreateUser(ctx, "known@example.com", "")
		if err != nil {
			t.Fatal(err)
		}
		_, known := w.invite("known@example.com", stockhand.RoleViewer)
		_, unknown := w.invite("unknown@example.com", stockhand.RoleViewer)
		for _, token := range []string{known, unknown} {
			i, err := w.Invitation(ctx, token, home)
			if err != nil || i.State != stockhand.InvitationPending {
				t.Errorf("%+v %v", i, err)
			}
			for field, p := range map[string]signin.NewPerson{"password": {Password: "short"},
				"name": {Name: strings.Repeat("x", 101)}} {
				_, err := w.ByInvitation(ctx, token, p, home)
				if e := wantCode(t, field, err, stockhand.CodeValidation); e.Fields[0].Field != field {
					t.Errorf("%+v", e.Fields)
				}
			}
		}
		_, err = w.ByInvitation(ctx, known, signin.NewPerson{Password: good}, home)
		taken := wantCode(t, "an address that has an account", err, stockhand.CodeSignInRefused)
		_, err = w.ByInvitation(ctx, "sk-inv-x", signin.NewPerson{Password: good}, home)
		if unknown := wantCode(t, "an unknown token", err,
			stockhand.CodeSignInRefused); unknown.Error() != taken.Error() {
			t.Errorf("%v differs from %v", taken, unknown)
		}
		w.Wait()
		of, err := db.AuditBefore(ctx, stockhand.Installation, "person.sign_in_refused", "", 0, 10)
		if err != nil || len(of) != 1 || of[0].Actor != "user:"+string(victim.ID) {
			t.Errorf("the person's log has %+v %v", of, err)
		}
		_, err = w.ByPassword(ctx, "known@example.com", good, home)
		wantCode(t, "the password that the stranger chose", err, stockhand.CodeSignInRefused)
		all, err := w.auth.Invitations(ctx, w.boss(), "", 0)
		if err != nil || len(all) != 2 {
			t.Errorf("the inviter sees %+v %v", all, err)
		}
	})
}

// Rule R176: somebody invites an address of somebody else, accepts themselves, and waits for its owner.
func TestAttackAnAddressIsTakenBeforeItsOwnerComes(t *testing.T) {
	for name, come := range map[string]func(t *testing.T, w *world, p *provider, of stockhand.UserID) signin.Outcome{
		"through the provider": func(t *testing.T, _ *world, p *provider, _ stockhand.UserID) signin.Outcome {
			out, err := p.signIn(map[string]any{"sub": "anna", "email": "anna@example.com"})
			if err != nil {
				t.Fatal(err)
			}
			return out
		},
		"with a link": func(t *testing.T, w *world, _ *provider, of stockhand.UserID) signin.Outcome {
			l, err := w.CreateLink(t.Context(), auth.Operator("", "root"), of)
			if err != nil {
				t.Fatal(err)
			}
			out, err := w.ByLink(t.Context(), l.Token, home)
			if err != nil {
				t.Fatal(err)
			}
			return out
		},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) { attackAnAddress(t, db, come) })
		})
	}
}

func attackAnAddress(t *testing.T, db *store.DB,
	come func(t *testing.T, w *world, p *provider, of stockhand.UserID) signin.Outcome) {
	w, p := newProvider(t, db)
	ctx := t.Context()
	_, token := w.invite("anna@example.com", stockhand.RoleViewer) // by the attacker, in an organization of theirs
	out, err := w.ByInvitation(ctx, token, signin.NewPerson{Password: good}, home)
	if err != nil {
		t.Fatal(err)
	}
	squatter := w.caller(out.Cookie)
	_, bearer, err := w.auth.CreateToken(ctx, squatter, auth.NewToken{Name: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	w.enrol(squatter)

	operator := auth.Operator("", "root")
	other, err := w.auth.CreateOrganizationFor(ctx, operator, w.owner.ID, "Victims")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.auth.CreateOrganizationFor(ctx, operator, squatter.User, "Hers")
	wantCode(t, "an organization for them", err, stockhand.CodeConflict)
	_, err = w.auth.AddMember(ctx, auth.Operator(other.ID, "root"), "anna@example.com", stockhand.RoleOwner)
	wantCode(t, "a membership for them", err, stockhand.CodeConflict)
	boss := w.boss()
	boss.Org = other.ID
	i, theirs, err := w.auth.Invite(ctx, boss, "anna@example.com", stockhand.RoleAdmin)
	if err != nil {
		t.Fatal(err)
	}
	if own, err := w.auth.OwnInvitations(ctx, squatter, "", 0); err != nil || len(own) != 0 {
		t.Errorf("they see invitations to the owner of the address: %+v %v", own, err)
	}
	_, err = w.auth.Accept(ctx, squatter, auth.Invited{ID: i.ID})
	wantCode(t, "accepting without the token", err, stockhand.CodeNotFound)

	a := w.caller(come(t, w, p, squatter.User).Cookie)
	if a.User != squatter.User {
		t.Fatalf("the owner of the address is %s", a.User)
	}
	if !w.ended(out.Cookie) {
		t.Error("the sign-in from before still works")
	}
	if _, err := w.auth.Authenticate(ctx, auth.Caller{Bearer: bearer}); err == nil {
		t.Error("the token from before still works")
	}
	_, err = w.ByPassword(ctx, "anna@example.com", good, home)
	wantCode(t, "the password from before", err, stockhand.CodeSignInRefused)
	if m, err := w.Methods(ctx, a); err != nil || m.Password || !m.SecondFactor.Confirmed.IsZero() {
		t.Errorf("left from before: %+v %v", m, err)
	}
	_, bearer, err = w.auth.CreateToken(ctx, a, auth.NewToken{Name: "own"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.auth.Authenticate(ctx, auth.Caller{Bearer: bearer}); stockhand.CodeOf(err) !=
		stockhand.CodeOrgRequired {
		t.Errorf("their calls go where the attacker chose: %v", err)
	}
	if _, err := w.auth.Accept(ctx, a, auth.Invited{Token: theirs}); err != nil {
		t.Errorf("the owner of the address accepts: %v", err)
	}
	if got := w.actions(); !slices.Contains(got, "person.email_proven") {
		t.Errorf("the audit log has %v", got)
	}
	w.caller(come(t, w, p, a.User).Cookie) // again: nothing ends
	if _, err := w.auth.AddMember(ctx, auth.Operator(other.ID, "root"), "anna@example.com",
		stockhand.RoleViewer); stockhand.CodeOf(err) != stockhand.CodeConflict ||
		!strings.Contains(err.Error(), "member") {
		t.Errorf("they are a member: %v", err)
	}
}

func TestOnlyTheOperatorCreatesAccountsWhereTheInstallationSaysSo(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	w.auth.InvitedSignUp = false
	_, token := w.invite("petr@elsewhere.example.org", stockhand.RoleViewer)
	_, err := w.ByInvitation(t.Context(), token, signin.NewPerson{}, home)
	if e := wantCode(t, "with the token", err, stockhand.CodePermissionDenied); !strings.Contains(e.Hint,
		"users create") {
		t.Error(e)
	}
	_, err = p.signIn(map[string]any{"sub": "9", "email": "petr@elsewhere.example.org"})
	wantCode(t, "at the provider", err, stockhand.CodeSignInRefused)
	if _, err := w.auth.CreateUser(t.Context(), "petr@elsewhere.example.org", ""); err != nil {
		t.Fatal(err)
	}
	if _, err = p.signIn(map[string]any{"sub": "9", "email": "petr@elsewhere.example.org"}); err != nil {
		t.Errorf("with an account, at the provider: %v", err)
	}
}
