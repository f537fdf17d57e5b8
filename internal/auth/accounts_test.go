package auth_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestATokenLivesAYearAtMost(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	for _, asked := range []time.Time{{}, w.clock.now().AddDate(3, 0, 0)} {
		made, _, err := w.CreateToken(t.Context(), w.owner, auth.NewToken{Name: "x", Expires: asked})
		if err != nil || !made.Expires.Equal(w.clock.now().Add(365*24*time.Hour)) {
			t.Errorf("it expires at %s, %v", made.Expires, err)
		}
	}
}

func TestAdministratorsSeeAndEndTheTokensThatActInTheirOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		anna := w.member("anna@example.com", stockhand.RoleMember) // with a token of all her organizations
		admin := w.member("admin@example.com", stockhand.RoleAdmin)
		other, err := w.CreateOrganization(ctx, anna, "Hers")
		if err != nil {
			t.Fatal(err)
		}
		free := w.tokenOf(anna.User)
		_, hers, err := w.CreateToken(ctx, anna, auth.NewToken{Name: "hers", Org: other.ID})
		if err != nil {
			t.Fatal(err)
		}
		_, bound, err := w.CreateToken(ctx, anna, auth.NewToken{Name: "bound", Org: w.org})
		if err != nil {
			t.Fatal(err)
		}
		list, err := w.MemberTokens(ctx, admin, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		var ofOwner stockhand.TokenID
		for _, x := range list {
			if x.Name == "hers" {
				t.Error("the list has a token of another organization")
			}
			if x.Role == stockhand.RoleOwner {
				ofOwner = x.ID
				continue
			}
			if x.User != anna.User {
				continue
			}
			if _, err := w.ExcludeToken(ctx, admin, x.ID); err != nil {
				t.Fatal(err)
			}
		}
		if w.refused(free, w.org) != stockhand.CodePermissionDenied || w.refused(free, other.ID) != "" {
			t.Error("the free token was to end here and go on there")
		}
		if w.refused(bound, "") != stockhand.CodeTokenExpired || w.refused(hers, "") != "" {
			t.Error("the bound token was to end, and hers to go on")
		}
		_, err = w.ExcludeToken(ctx, admin, ofOwner)
		wantCode(t, "an owner's token by an admin", err, stockhand.CodePermissionDenied)
		_, err = w.ExcludeToken(ctx, anna, ofOwner)
		wantCode(t, "by a member", err, stockhand.CodePermissionDenied)
		annas := anna
		annas.Org, annas.Role, annas.Scopes = other.ID, stockhand.RoleOwner, stockhand.RoleOwner.Scopes()
		_, err = w.ExcludeToken(ctx, annas, ofOwner)
		wantCode(t, "from another organization", err, stockhand.CodeNotFound)
		if again, err := w.MemberTokens(ctx, admin, "", 0); err != nil || len(again) >= len(list) {
			t.Error(len(again), err)
		}
	})
}

func TestAttackATokenThatWasEndedCreatesAnother(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		anna := w.member("anna@example.com", stockhand.RoleMember)
		other, err := w.CreateOrganization(ctx, anna, "Hers")
		if err != nil {
			t.Fatal(err)
		}
		stolen := w.tokenOf(anna.User)
		thief := w.caller(stolen, other.ID)
		if _, err := w.ExcludeToken(ctx, w.owner, thief.Token); err != nil {
			t.Fatal(err)
		}
		for range 2 { // also with a token that the first one created
			_, next, err := w.CreateToken(ctx, thief, auth.NewToken{Name: "next"})
			if err != nil {
				t.Fatal(err)
			}
			if w.refused(next, w.org) != stockhand.CodePermissionDenied || w.refused(next, other.ID) != "" {
				t.Error("it acts where the token that created it was ended")
			}
			_, _, err = w.CreateToken(ctx, thief, auth.NewToken{Name: "bound", Org: w.org})
			wantCode(t, "a bound one", err, stockhand.CodeConflict)
			thief = w.caller(next, other.ID)
		}
	})
}

func TestADisabledAccountIsRefusedUntilItIsEnabled(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		anna := w.member("anna@example.com", stockhand.RoleMember)
		token := w.tokenOf(anna.User)
		_, cookie, err := w.OpenSignIn(ctx, anna.User, stockhand.SignInLink, auth.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		wantCode(t, "by a person", w.DisableUser(ctx, w.owner, anna.User), stockhand.CodePermissionDenied)
		if err := w.DisableUser(ctx, auth.Operator("", "root"), anna.User); err != nil {
			t.Fatal(err)
		}
		if w.refused(token, w.org) != stockhand.CodeTokenExpired {
			t.Error("the token works")
		}
		_, err = w.Authenticate(ctx, auth.Caller{Cookie: cookie})
		wantCode(t, "the sign-in", err, stockhand.CodeTokenExpired)
		_, _, err = w.OpenSignIn(ctx, anna.User, stockhand.SignInLink, auth.Origin{})
		wantCode(t, "another sign-in", err, stockhand.CodeNotFound)
		if err := w.EnableUser(ctx, auth.Operator("", "root"), anna.User); err != nil ||
			w.refused(token, w.org) != "" {
			t.Error("the account is enabled again", err)
		}
	})
}

func TestAnErasedPersonLeavesOnlyAPseudonym(t *testing.T) {
	path := storetest.SQLite(t)
	db, err := store.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	w := newWorld(t, db)
	ctx := t.Context()
	if _, err := w.CreateUser(ctx, "anna.petrova@example.com", "Anna Petrova"); err != nil {
		t.Fatal(err)
	}
	anna := w.member("anna.petrova@example.com", stockhand.RoleAdmin)
	if _, _, err := w.CreateKey(ctx, anna, auth.NewKey{Name: "hers"}); err != nil {
		t.Fatal(err)
	}
	other, err := w.CreateOrganization(ctx, w.owner, "Other")
	if err != nil {
		t.Fatal(err)
	}
	there := w.owner
	there.Org = other.ID
	if _, _, err := w.Invite(ctx, there, "anna.petrova@example.com", stockhand.RoleViewer); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "with a token", w.EraseSelf(ctx, anna), stockhand.CodeStepUpRequired)
	_, cookie, err := w.OpenSignIn(ctx, anna.User, stockhand.SignInPassword, auth.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	signedIn, err := w.Authenticate(ctx, auth.Caller{Cookie: cookie})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.EraseSelf(ctx, signedIn); err != nil {
		t.Fatal(err)
	}
	all := everything(t, path)
	for _, word := range []string{"anna", "Anna", "Petrova", "petrova"} {
		if i := strings.Index(all, word); i >= 0 {
			t.Errorf("%q is left: %.200s", word, all[max(0, i-100):])
		}
	}
	if !strings.Contains(all, "user:"+string(anna.User)) || !strings.Contains(all, "person.erased") {
		t.Error("the audit log has lost the pseudonym")
	}
	if _, err := w.Authenticate(ctx, auth.Caller{Cookie: cookie}); stockhand.CodeOf(err) != stockhand.CodeTokenExpired {
		t.Error("the sign-in goes on", err)
	}
}

func TestErasingAPersonWithoutOrganizationsIsAudited(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		u, err := w.CreateUser(t.Context(), "new@example.com", "")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.EraseUser(t.Context(), auth.Operator("", "root"), u.ID); err != nil {
			t.Fatal(err)
		}
		entries, err := db.AuditEntries(t.Context(), stockhand.Installation, 0, 10)
		if err != nil || len(entries) != 1 || entries[0].Action != "person.erased" || entries[0].Actor != "cli:root" {
			t.Errorf("the installation's log has %+v, %v", entries, err)
		}
	})
}

// everything is the text of all tables.
func everything(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	texts := func(query string) (all []string) {
		rows, err := db.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var s sql.NullString
			if err := rows.Scan(&s); err != nil {
				t.Fatal(err)
			}
			all = append(all, s.String)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	var out strings.Builder
	for _, table := range texts("SELECT name FROM sqlite_master WHERE type = 'table'") {
		for _, column := range texts("SELECT name FROM pragma_table_info('" + table + "')") {
			fmt.Fprintln(&out, texts(`SELECT CAST("`+column+`" AS TEXT) FROM "`+table+`"`))
		}
	}
	return out.String()
}

func TestTheLastOwnerIsNotErased(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		e := wantCode(t, "the last owner", w.EraseUser(ctx, auth.Operator("", "root"), w.owner.User),
			stockhand.CodeConflict)
		if !strings.Contains(e.Message, string(w.org)) || !strings.Contains(e.RU.Message, string(w.org)) {
			t.Errorf("it does not name the organization: %v", e)
		}
		if w.refused(w.token, "") != "" {
			t.Error("the owner was removed all the same")
		}
		w.member("second@example.com", stockhand.RoleOwner)
		if err := w.EraseUser(ctx, auth.Operator("", "root"), w.owner.User); err != nil {
			t.Error(err)
		}
		if w.refused(w.token, "") != stockhand.CodeTokenExpired {
			t.Error("the token works")
		}
	})
}
