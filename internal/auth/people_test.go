package auth_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestBootstrapIsOnceHoweverManyStartAtOnce(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		const replicas = 4
		var wg sync.WaitGroup
		var mu sync.Mutex
		var made []auth.Bootstrapped
		for range replicas {
			db, err := store.Open(t.Context(), url, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			wg.Go(func() {
				s := auth.New(auth.Config{Store: db, System: db.System(), Pepper: pepper()})
				b, created, err := s.Bootstrap(t.Context(), "Shop", "Owner@example.com")
				if err != nil {
					t.Error(err)
				}
				if created {
					mu.Lock()
					defer mu.Unlock()
					made = append(made, b)
				}
			})
		}
		wg.Wait()
		if len(made) != 1 {
			t.Fatalf("%d owners were made", len(made))
		}
		db, err := store.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		s := auth.New(auth.Config{Store: db, System: db.System(), Pepper: pepper()})
		_, cookie, err := s.OpenSignIn(t.Context(), made[0].User.ID, stockhand.SignInLink, auth.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Authenticate(t.Context(), auth.Caller{Cookie: cookie})
		if err != nil || a.Org != made[0].Org.ID || a.Role != stockhand.RoleOwner || a.User != made[0].User.ID ||
			!a.Expires.IsZero() {
			t.Errorf("the owner calls as %+v, %v", a, err)
		}
		if orgs, err := db.System().Organizations(t.Context()); err != nil || len(orgs) != 1 || orgs[0].Name != "Shop" {
			t.Errorf("the organizations are %v, %v", orgs, err)
		}
		if users, err := s.Users(t.Context(), "", 0); err != nil || len(users) != 1 ||
			users[0].Email != "owner@example.com" {
			t.Errorf("the people are %v, %v", users, err)
		}
	})
}

func TestBootstrapTakesOverWhatTheCommandLineUsed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		s := auth.New(auth.Config{Store: db, System: db.System(), Pepper: pepper()})
		u, err := s.CreateUser(t.Context(), "owner@example.com", "Anna") // who is no member yet
		if err != nil {
			t.Fatal(err)
		}
		b, created, err := s.Bootstrap(t.Context(), "Shop", "owner@example.com")
		if err != nil || !created || b.Org.ID != org || b.User != u {
			t.Fatalf("got %+v, %+v, %v, %v", b.Org, b.User, created, err)
		}
		if again, created, err := s.Bootstrap(t.Context(), "Shop", "owner@example.com"); err != nil || created {
			t.Errorf("the second time: %+v, %v, %v", again.Org, created, err)
		}
		if m, err := db.Member(t.Context(), org, u.ID); err != nil || m.Role != stockhand.RoleOwner {
			t.Errorf("the owner is %+v, %v", m, err)
		}
	})
}

func TestMembersComeChangeAndGo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		m, err := w.AddMember(ctx, auth.Operator(w.org, "root"), "Anna@Example.com", stockhand.RoleViewer)
		if err != nil || m.User.Email != "anna@example.com" || m.Role != stockhand.RoleViewer || m.Org != w.org ||
			!stockhand.ValidID(string(m.User.ID), "usr") {
			t.Fatal(m, err)
		}
		_, err = w.AddMember(ctx, auth.Operator(w.org, "root"), "anna@example.com", stockhand.RoleMember)
		wantCode(t, "adding her twice", err, stockhand.CodeConflict)
		token := w.tokenOf(m.User.ID)
		if a := w.caller(token, ""); a.Role != stockhand.RoleViewer {
			t.Errorf("she calls as %+v", a)
		}
		if m, err = w.ChangeRole(ctx, w.owner, w.org, m.User.ID, stockhand.RoleMember); err != nil ||
			m.Role != stockhand.RoleMember {
			t.Fatal(m, err)
		}
		if _, err = w.ChangeRole(ctx, w.owner, w.org, m.User.ID, stockhand.RoleMember); err != nil {
			t.Errorf("the role she has: %v", err)
		}
		if a := w.caller(token, ""); a.Role != stockhand.RoleMember {
			t.Errorf("she calls as %+v", a)
		}
		all, err := w.Members(ctx, w.owner, w.org, "", 0)
		if err != nil || len(all) != 2 || all[0].Role != stockhand.RoleOwner || all[1].User != m.User {
			t.Errorf("the members are %+v, %v", all, err)
		}
		if page, err := w.Members(ctx, w.owner, w.org, all[0].User.ID, 1); err != nil || len(page) != 1 ||
			page[0].User != m.User {
			t.Errorf("the second page is %+v, %v", page, err)
		}
		if _, err = w.RemoveMember(ctx, w.owner, w.org, m.User.ID, false); err != nil {
			t.Fatal(err)
		}
		if a := w.caller(token, ""); a.Org != "" || len(a.Scopes) != 0 {
			t.Errorf("after she left she calls as %+v", a)
		}
		_, err = w.RemoveMember(ctx, w.owner, w.org, m.User.ID, false)
		wantCode(t, "removing her twice", err, stockhand.CodeNotFound)
		_, err = w.ChangeRole(ctx, w.owner, w.org, "usr_none", stockhand.RoleAdmin)
		wantCode(t, "somebody who is not there", err, stockhand.CodeNotFound)
		if _, err := w.RenameOrganization(ctx, w.owner, w.org, "Лавка"); err != nil {
			t.Fatal(err)
		}
		if orgs, err := w.Organizations(ctx, w.owner); err != nil || len(orgs) != 1 || orgs[0].Name != "Лавка" ||
			orgs[0].Role != stockhand.RoleOwner {
			t.Errorf("the owner's organizations are %+v, %v", orgs, err)
		}
		want := []string{"member.added by system", "member.added by cli:root", "member.changed", "member.removed",
			"organization.renamed"}
		log := slices.DeleteFunc(w.actions(), func(s string) bool { return strings.HasPrefix(s, "token.") })
		for i, action := range log {
			if i > 1 {
				want[i] += " by " + w.owner.Name
			}
			if action != want[i] {
				t.Errorf("entry %d of the log is %q, want %q", i, action, want[i])
			}
		}
	})
}

func TestBadMembersAreRefusedByField(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	for _, c := range []struct {
		email string
		role  stockhand.Role
		field string
	}{
		{"", "viewer", "email"}, {"anna", "viewer", "email"}, {"Anna <anna@example.com>", "viewer", "email"},
		{"a@b.c\r\nX: y", "viewer", "email"},
		{strings.Repeat("a", 250) + "@example.com", "viewer", "email"}, {"a@example.com", "", "role"},
		{"a@example.com", "root", "role"},
	} {
		_, err := w.AddMember(t.Context(), auth.Operator(w.org, "root"), c.email, c.role)
		if e := wantCode(t, c.email+" "+string(c.role), err, stockhand.CodeValidation); e.Fields[0].Field != c.field {
			t.Errorf("%s as %s: the field at fault is %s", c.email, c.role, e.Fields[0].Field)
		}
	}
}

func TestOnlyOwnersDecideAboutOwners(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	ctx := t.Context()
	admin := w.member("admin@example.com", stockhand.RoleAdmin)
	_, secret := w.key(stockhand.ScopeAdmin)
	key := w.caller(secret, "")
	for name, a := range map[string]stockhand.Actor{"an admin": admin, "a key": key} {
		_, _, err := w.Invite(ctx, a, "new@example.com", stockhand.RoleOwner)
		wantCode(t, name+" invites an owner", err, stockhand.CodePermissionDenied)
		_, err = w.AddMember(ctx, a, "new@example.com", stockhand.RoleViewer)
		wantCode(t, name+" adds a member", err, stockhand.CodePermissionDenied)
		_, err = w.ChangeRole(ctx, a, w.org, admin.User, stockhand.RoleOwner)
		wantCode(t, name+" makes an owner", err, stockhand.CodePermissionDenied)
		_, err = w.ChangeRole(ctx, a, w.org, w.owner.User, stockhand.RoleViewer)
		wantCode(t, name+" changes the owner", err, stockhand.CodePermissionDenied)
		_, err = w.RemoveMember(ctx, a, w.org, w.owner.User, false)
		wantCode(t, name+" removes the owner", err, stockhand.CodePermissionDenied)
		if _, _, err = w.Invite(ctx, a, a.Name[:3]+"@example.com", stockhand.RoleViewer); err != nil {
			t.Errorf("%s invites a viewer: %v", name, err)
		}
	}
	member := w.member("member@example.com", stockhand.RoleMember)
	_, err := w.ChangeRole(ctx, member, w.org, member.User, stockhand.RoleAdmin)
	wantCode(t, "a member makes themselves an admin", err, stockhand.CodePermissionDenied)
	_, err = w.RenameOrganization(ctx, member, w.org, "Mine")
	wantCode(t, "a member renames the organization", err, stockhand.CodePermissionDenied)
}

func TestTheLastOwnerStays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		_, err := w.RemoveMember(ctx, w.owner, w.org, w.owner.User, false)
		wantCode(t, "the last owner leaves", err, stockhand.CodeConflict)
		_, err = w.ChangeRole(ctx, w.owner, w.org, w.owner.User, stockhand.RoleAdmin)
		wantCode(t, "the last owner steps down", err, stockhand.CodeConflict)
		if w.caller(w.token, "").Role != stockhand.RoleOwner {
			t.Error("a refused change was made")
		}
		owners := []stockhand.Actor{w.owner}
		for _, email := range []string{"b@example.com", "c@example.com", "d@example.com"} {
			owners = append(owners, w.member(email, stockhand.RoleOwner))
		}
		var wg sync.WaitGroup
		for i, a := range owners { // all leave at once, each removed by the next
			wg.Go(func() {
				_, err := w.RemoveMember(ctx, owners[(i+1)%len(owners)], w.org, a.User, false)
				if err != nil && stockhand.CodeOf(err) != stockhand.CodeConflict {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		left, err := w.Members(ctx, auth.Operator(w.org, "root"), w.org, "", 0)
		if err != nil || len(left) != 1 || left[0].Role != stockhand.RoleOwner {
			t.Errorf("left are %+v, %v", left, err)
		}
	})
}

func TestOtherOrganizationsMembersCannotBeReached(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	ctx := t.Context()
	second, err := w.CreateOrganization(ctx, w.owner, "Second")
	if err != nil {
		t.Fatal(err)
	}
	// The owner of both acts in the first: what is meant must be said.
	_, err = w.Members(ctx, w.owner, second.ID, "", 0)
	wantCode(t, "list", err, stockhand.CodePermissionDenied)
	_, err = w.ChangeRole(ctx, w.owner, second.ID, w.owner.User, stockhand.RoleViewer)
	wantCode(t, "change", err, stockhand.CodePermissionDenied)
	_, err = w.RemoveMember(ctx, w.owner, second.ID, w.owner.User, false)
	wantCode(t, "remove", err, stockhand.CodePermissionDenied)
	_, err = w.RenameOrganization(ctx, w.owner, second.ID, "x")
	wantCode(t, "rename", err, stockhand.CodePermissionDenied)
}

func TestTokensOfAPersonAreTheirs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		ends := w.clock.at.Add(time.Hour)
		token, secret, err := w.CreateToken(ctx, w.owner, auth.NewToken{Name: "laptop", Expires: ends})
		if err != nil || !strings.HasPrefix(secret, "sk-usr-") || token.Prefix != secret[:17] ||
			!token.Expires.Equal(ends) {
			t.Fatal(token, err)
		}
		if a := w.caller(secret, ""); !a.Expires.Equal(ends) {
			t.Errorf("calls as %+v", a)
		}
		all, err := w.Tokens(ctx, w.owner, "", 0)
		if err != nil || len(all) != 2 || all[0] != token {
			t.Errorf("listed are %+v, %v", all, err)
		}
		other := w.member("other@example.com", stockhand.RoleOwner)
		_, err = w.RevokeToken(ctx, other, token.ID)
		wantCode(t, "revoking somebody else's", err, stockhand.CodeNotFound)
		if theirs, err := w.Tokens(ctx, other, "", 0); err != nil ||
			slices.ContainsFunc(theirs, func(x stockhand.UserToken) bool { return x.User != other.User }) {
			t.Errorf("the other's are %+v, %v", theirs, err)
		}
		for range 2 {
			if got, err := w.RevokeToken(ctx, w.owner, token.ID); err != nil || !got.Revoked.Equal(w.clock.at) {
				t.Errorf("revoked: %+v, %v", got, err)
			}
		}
		if code := w.refused(secret, ""); code != stockhand.CodeTokenExpired {
			t.Errorf("after it was revoked: %q", code)
		}
		_, short, err := w.CreateToken(ctx, w.owner, auth.NewToken{Name: "short", Expires: ends})
		if err != nil {
			t.Fatal(err)
		}
		w.clock.at = ends
		if code := w.refused(short, ""); code != stockhand.CodeTokenExpired {
			t.Errorf("at its end: %q", code)
		}
		_, _, err = w.CreateToken(ctx, w.owner, auth.NewToken{Name: "past", Expires: ends})
		wantCode(t, "one that has ended", err, stockhand.CodeValidation)
		_, keySecret := w.key(stockhand.ScopeAdmin)
		_, _, err = w.CreateToken(ctx, w.caller(keySecret, ""), auth.NewToken{Name: "x"})
		wantCode(t, "a key's", err, stockhand.CodePermissionDenied)
		for range 48 {
			w.tokenOf(w.owner.User)
		}
		if _, _, err = w.CreateToken(ctx, w.owner, auth.NewToken{Name: "x"}); err != nil {
			t.Errorf("the 50th that is good: %v", err)
		}
		_, _, err = w.CreateToken(ctx, w.owner, auth.NewToken{Name: "x"})
		wantCode(t, "one too many", err, stockhand.CodeConflict)
	})
}

func TestUsersHaveOneEmailEach(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		_, err := w.CreateUser(t.Context(), "OWNER@example.com", "")
		wantCode(t, "an email that is taken", err, stockhand.CodeConflict)
		u, err := w.UserByEmail(t.Context(), "Owner@Example.com")
		if err != nil || u.ID != w.owner.User {
			t.Errorf("found %+v, %v", u, err)
		}
		_, err = w.UserByEmail(t.Context(), "unknown@example.com")
		wantCode(t, "an unknown email", err, stockhand.CodeNotFound)
	})
}
