package auth_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// user makes a person who belongs to no organization, and returns them as they call.
func (w *world) user(email string) stockhand.Actor {
	w.t.Helper()
	u, err := w.CreateUser(w.t.Context(), email, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return w.caller(w.tokenOf(u.ID), "")
}

func (w *world) invited(email string, role stockhand.Role) (stockhand.Invitation, string) {
	w.t.Helper()
	i, token, err := w.Invite(w.t.Context(), w.owner, email, role)
	if err != nil {
		w.t.Fatal(err)
	}
	return i, token
}

// Rule R90: an invitation is good once, for one email, until it expires or is revoked.
func TestAttackInvitationsAreReusedExpiredForwardedAndSentToOneself(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		anna, mallory := w.user("anna@example.com"), w.user("mallory@example.com")
		i, token := w.invited("Anna@Example.com", stockhand.RoleMember)

		_, err := w.Authenticate(ctx, auth.Caller{Bearer: token})
		wantCode(t, "calling with the invitation itself", err, stockhand.CodeTokenExpired)
		_, err = w.Accept(ctx, mallory, auth.Invited{Token: token})
		wantCode(t, "a forwarded one", err, stockhand.CodePermissionDenied)
		_, err = w.Accept(ctx, mallory, auth.Invited{ID: i.ID})
		wantCode(t, "somebody else's id", err, stockhand.CodeNotFound)
		_, err = w.Decline(ctx, mallory, auth.Invited{ID: i.ID})
		wantCode(t, "declining somebody else's", err, stockhand.CodeNotFound)
		_, err = w.Accept(ctx, anna, auth.Invited{Token: mistyped(token)})
		wantCode(t, "a mistyped one", err, stockhand.CodeValidation)
		_, err = w.Accept(ctx, anna, auth.Invited{Token: w.token})
		wantCode(t, "a user token in its place", err, stockhand.CodeValidation)
		_, secret := w.key(stockhand.ScopeAdmin)
		_, err = w.Accept(ctx, w.caller(secret, ""), auth.Invited{Token: token})
		wantCode(t, "a key accepts", err, stockhand.CodePermissionDenied)

		var wg sync.WaitGroup
		var mu sync.Mutex
		accepted := 0
		for range 8 { // at once
			wg.Go(func() {
				if _, err := w.Accept(ctx, anna, auth.Invited{Token: token}); err == nil {
					mu.Lock()
					accepted++
					mu.Unlock()
				} else if stockhand.CodeOf(err) != stockhand.CodeConflict {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if accepted != 1 {
			t.Errorf("accepted %d times", accepted)
		}
		_, err = w.Accept(ctx, anna, auth.Invited{Token: token})
		if e := wantCode(t, "a used one", err, stockhand.CodeConflict); !strings.Contains(e.Message, "accepted") ||
			e.RU.Message == "" {
			t.Errorf("a used one: %v", e)
		}
		if _, err := w.RemoveMember(ctx, w.owner, w.org, anna.User, false); err != nil {
			t.Fatal(err)
		}
		_, err = w.Accept(ctx, anna, auth.Invited{Token: token})
		wantCode(t, "a used one after they were removed", err, stockhand.CodeConflict)

		_, revoked := w.invited("anna@example.com", stockhand.RoleMember)
		all, err := w.Invitations(ctx, w.owner, "", 0)
		if err != nil || len(all) != 1 || all[0].Email != "anna@example.com" {
			t.Fatal(all, err)
		}
		for range 2 {
			if got, err := w.RevokeInvitation(ctx, w.owner, all[0].ID); err != nil ||
				got.State != stockhand.InvitationRevoked {
				t.Error(got, err)
			}
		}
		_, err = w.Accept(ctx, anna, auth.Invited{Token: revoked})
		wantCode(t, "a revoked one", err, stockhand.CodeConflict)

		_, late := w.invited("anna@example.com", stockhand.RoleMember)
		w.clock.at = w.clock.at.Add(auth.DefaultInvitationDays * day)
		_, err = w.Accept(ctx, anna, auth.Invited{Token: late})
		if e := wantCode(t, "an expired one", err, stockhand.CodeConflict); !strings.Contains(e.Message, "expired") {
			t.Errorf("an expired one: %v", e)
		}
		if own, err := w.OwnInvitations(ctx, anna, "", 0); err != nil || len(own) != 0 {
			t.Errorf("an expired one is listed: %+v, %v", own, err)
		}
		_, again := w.invited("anna@example.com", stockhand.RoleViewer) // the expired one is not in the way
		w.clock.at = w.clock.at.Add(-time.Hour)                         // another replica's clock is behind
		if m, err := w.Accept(ctx, anna, auth.Invited{Token: again}); err != nil || m.Role != stockhand.RoleViewer {
			t.Errorf("joined as %+v, %v", m, err)
		}
		_, _, err = w.Invite(ctx, w.owner, "owner@example.com", stockhand.RoleMember)
		wantCode(t, "inviting oneself", err, stockhand.CodeConflict)
	})
}

// Who has lost the right to invite has no invitations left to send people in with.
func TestAttackInvitationsOutliveTheirInviter(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		accomplice := w.user("accomplice@example.com")
		invite := func(a stockhand.Actor) string {
			_, token, err := w.Invite(ctx, a, "accomplice@example.com", stockhand.RoleViewer)
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		for name, end := range map[string]func(a stockhand.Actor) error{
			"demoted": func(a stockhand.Actor) error {
				_, err := w.ChangeRole(ctx, w.owner, w.org, a.User, stockhand.RoleMember)
				return err
			},
			"removed": func(a stockhand.Actor) error {
				_, err := w.RemoveMember(ctx, w.owner, w.org, a.User, false)
				return err
			},
			"left": func(a stockhand.Actor) error { _, err := w.Leave(ctx, a, w.org); return err },
		} {
			admin := w.member(name+"@example.com", stockhand.RoleAdmin)
			token := invite(admin)
			if err := end(admin); err != nil {
				t.Fatal(err)
			}
			_, err := w.Accept(ctx, accomplice, auth.Invited{Token: token})
			wantCode(t, "invited by somebody who was "+name, err, stockhand.CodeConflict)
		}
	})
}

// Rule R91: the limits hold however many come at once.
func TestAttackMembersInvitationsAndOrganizationsWithoutNumber(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		var wg sync.WaitGroup
		made := make(chan error, auth.MostPending+10)
		for n := range auth.MostPending + 10 {
			wg.Go(func() {
				_, _, err := w.Invite(ctx, w.owner, fmt.Sprintf("squat%d@victim.example", n), stockhand.RoleViewer)
				made <- err
			})
		}
		wg.Wait()
		close(made)
		refused := 0
		for err := range made {
			if err != nil {
				wantCode(t, "one too many", err, stockhand.CodeConflict)
				refused++
			}
		}
		if refused != 10 {
			t.Errorf("%d of 60 invitations were refused", refused)
		}
		if users, err := w.Users(ctx, "", 0); err != nil || len(users) != 1 {
			t.Errorf("invitations made users: %+v, %v", users, err)
		}
		if _, err := w.CreateUser(ctx, "squat7@victim.example", ""); err != nil {
			t.Errorf("the address was taken: %v", err)
		}

		person := w.user("everywhere@example.com")
		join := func(most stockhand.MemberLimits) error {
			org := storetest.Organization(t, db)
			_, err := db.AddMember(ctx, org, stockhand.Member{Role: stockhand.RoleViewer,
				User: stockhand.User{ID: person.User, Email: "everywhere@example.com"}}, most, stockhand.AuditEntry{})
			return err
		}
		for range auth.MostOrgs {
			if err := join(stockhand.MemberLimits{Members: 1, Organizations: auth.MostOrgs}); err != nil {
				t.Fatal(err)
			}
		}
		wantCode(t, "one organization too many", join(stockhand.MemberLimits{Members: 1,
			Organizations: auth.MostOrgs}), stockhand.CodeConflict)
		if a := w.caller(w.tokenOf(person.User), ""); a.Org == "" {
			t.Error("a person in 100 organizations has no home")
		}
		wantCode(t, "one member too many", join(stockhand.MemberLimits{Members: 0, Organizations: 1000}),
			stockhand.CodeConflict)
	})
}

// Rule R92: what was given to a program makes no person who may do what it may not.
func TestAttackAnAdminKeyMakesAPerson(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		_, secret := w.key(stockhand.ScopeAdmin)
		key := w.caller(secret, "")
		viewer, member := w.member("v@example.com", stockhand.RoleViewer), w.member("m@example.com",
			stockhand.RoleMember)
		for _, role := range stockhand.Roles() {
			_, _, err := w.Invite(ctx, key, string(role)+"@evil.example", role)
			if role == stockhand.RoleViewer {
				if err != nil {
					t.Errorf("a key invites a viewer: %v", err)
				}
				continue
			}
			wantCode(t, "a key invites: "+string(role), err, stockhand.CodePermissionDenied)
			_, err = w.ChangeRole(ctx, key, w.org, viewer.User, role)
			wantCode(t, "a key raises a viewer to "+string(role), err, stockhand.CodePermissionDenied)
		}
		_, err := w.RemoveMember(ctx, key, w.org, member.User, false)
		wantCode(t, "a key removes a member", err, stockhand.CodePermissionDenied)
		if _, err := w.RemoveMember(ctx, key, w.org, viewer.User, false); err != nil {
			t.Errorf("a key removes a viewer: %v", err)
		}
		_, err = w.AddMember(ctx, key, "x@evil.example", stockhand.RoleViewer)
		wantCode(t, "a key adds somebody who was not asked", err, stockhand.CodePermissionDenied)

		confined, _, err := w.CreateKey(ctx, w.owner, auth.NewKey{Name: "k",
			Scopes: []stockhand.Scope{stockhand.ScopeAdmin}, AllowedIPs: []string{"203.0.113.7"}})
		if err != nil {
			t.Fatal(err)
		}
		bound := stockhand.Actor{Org: w.org, Name: "key:" + string(confined.ID), Key: confined.ID,
			Scopes: confined.Scopes}
		_, _, err = w.Invite(ctx, bound, "v2@evil.example", stockhand.RoleViewer)
		wantCode(t, "a key with addresses invites", err, stockhand.CodePermissionDenied)
		pending, err := w.Invitations(ctx, w.owner, "", 0)
		if err != nil || len(pending) != 1 {
			t.Fatal(pending, err)
		}
		_, err = w.RevokeInvitation(ctx, bound, pending[0].ID)
		wantCode(t, "a key with addresses revokes an invitation", err, stockhand.CodePermissionDenied)
	})
}

// Rule R93: a token reaches no further than the one that made it.
func TestAttackATokenMakesAStrongerOne(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		second, err := w.CreateOrganization(ctx, w.owner, "Second")
		if err != nil {
			t.Fatal(err)
		}
		_, secret, err := w.CreateToken(ctx, w.owner, auth.NewToken{Name: "bound", Org: second.ID,
			Expires: w.clock.at.Add(day)})
		if err != nil {
			t.Fatal(err)
		}
		a := w.caller(secret, "")
		if a.Org != second.ID || a.Role != stockhand.RoleOwner {
			t.Errorf("a bound token calls as %+v", a)
		}
		if code := w.refused(secret, w.org); code != stockhand.CodePermissionDenied {
			t.Errorf("in another of the person's organizations: %q", code)
		}
		if orgs, err := w.Organizations(ctx, a); err != nil || len(orgs) != 1 || orgs[0].ID != second.ID {
			t.Errorf("it sees %+v, %v", orgs, err)
		}
		_, _, err = w.CreateToken(ctx, a, auth.NewToken{Name: "free", Org: w.org})
		wantCode(t, "it makes one for another organization", err, stockhand.CodePermissionDenied)
		child, _, err := w.CreateToken(ctx, a, auth.NewToken{Name: "child"})
		if err != nil || child.Org != second.ID || !child.Expires.Equal(a.Expires) {
			t.Errorf("what it makes is %+v, %v", child, err)
		}
		_, err = w.CreateOrganization(ctx, a, "Third")
		wantCode(t, "it creates an organization", err, stockhand.CodePermissionDenied)
		wantCode(t, "it moves the person's home", w.SetHome(ctx, a, w.org), stockhand.CodePermissionDenied)
		_, err = w.OwnInvitations(ctx, a, "", 0)
		wantCode(t, "it reads invitations", err, stockhand.CodePermissionDenied)
		_, _, err = w.CreateToken(ctx, w.owner, auth.NewToken{Name: "x", Org: storetest.Organization(t, db)})
		wantCode(t, "a token for a foreign organization", err, stockhand.CodeValidation)
	})
}
