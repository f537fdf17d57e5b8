package store_test

import (
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// storedKey stores a key that ends in an hour.
func storedKey(t testing.TB, db *store.DB, org stockhand.OrgID, hash string, most int) (stockhand.Key, error) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Microsecond)
	k := stockhand.Key{
		ID: stockhand.NewID[stockhand.KeyID]("key"), Org: org, Name: "x", Prefix: "sk-org-0123456789",
		Scopes: []stockhand.Scope{stockhand.ScopeChat},
		By:     "cli:test", Created: now, Expires: now.Add(time.Hour),
	}
	return k, db.CreateKey(t.Context(), org, k, []byte(hash), most,
		stockhand.AuditEntry{Actor: "cli:test", Action: "key.created"})
}

func TestAnotherOrganizationsKeysAndMembersAreNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		org, other := storetest.Organization(t, db), storetest.Organization(t, db)
		k, err := storedKey(t, db, org, "hash", 10)
		if err != nil {
			t.Fatal(err)
		}
		m, err := db.AddMember(ctx, org, stockhand.Member{Role: stockhand.RoleOwner, User: stockhand.User{
			ID: stockhand.NewID[stockhand.UserID]("usr"), Email: "a@example.com", EmailProven: time.Unix(1, 0)}},
			stockhand.MemberLimits{Members: 5, Organizations: 5}, stockhand.AuditEntry{})
		if err != nil {
			t.Fatal(err)
		}

		refused := map[string]error{}
		_, refused["Key"] = db.Key(ctx, other, k.ID)
		_, refused["RevokeKey"] = db.RevokeKey(ctx, other, k.ID, true, stockhand.AuditEntry{})
		refused["ReplaceKey"] = db.ReplaceKey(ctx, other, time.Now(), stockhand.Key{ID: "key_2", Replaces: k.ID},
			[]byte("2"), 10, stockhand.AuditEntry{})
		_, refused["Member"] = db.Member(ctx, other, m.User.ID)
		_, refused["RenameOrganization"] = db.RenameOrganization(ctx, "org_none", "x", stockhand.AuditEntry{})
		for method, err := range refused {
			wantCode(t, method, err, stockhand.CodeNotFound)
		}
		wantCode(t, "ChangeMember", db.ChangeMember(ctx, other, m.User.ID, m.Role, stockhand.RoleViewer,
			stockhand.AuditEntry{}), stockhand.CodeConflict)
		_, err = db.RemoveMember(ctx, other, m.User.ID, m.Role, "", stockhand.AuditEntry{})
		wantCode(t, "RemoveMember", err, stockhand.CodeConflict)
		wantCode(t, "CreateKey of another", db.CreateKey(ctx, other, k, []byte("3"), 10, stockhand.AuditEntry{}),
			stockhand.CodeInternal)
		if err := db.NoteKeyUses(ctx, other, []stockhand.Key{{ID: k.ID, LastUsed: time.Now()}}); err != nil {
			t.Errorf("NoteKeyUses: %v", err)
		}
		keys, err := db.Keys(ctx, other, "", 0)
		if err != nil || len(keys) != 0 {
			t.Errorf("Keys: %v, %v", keys, err)
		}
		live, err := db.LiveKeys(ctx, other, time.Now())
		if err != nil || len(live) != 0 {
			t.Errorf("LiveKeys: %v, %v", live, err)
		}
		members, err := db.Members(ctx, other, "", 0)
		if err != nil || len(members) != 0 {
			t.Errorf("Members: %v, %v", members, err)
		}
		if entries, err := db.AuditEntries(ctx, other, 0, 0); err != nil || len(entries) != 0 {
			t.Errorf("what was refused is in the log: %v, %v", entries, err)
		}
		if got, err := db.Key(ctx, org, k.ID); err != nil || !got.Revoked.IsZero() || !got.LastUsed.IsZero() ||
			!got.Expires.Equal(k.Expires) {
			t.Errorf("the key is %+v, %v", got, err)
		}
		if got, err := db.Member(ctx, org, m.User.ID); err != nil || got.Role != stockhand.RoleOwner {
			t.Errorf("the member is %+v, %v", got, err)
		}
	})
}

// A change of who may call, its line in the log and its number are one transaction: all of it, or nothing.
func TestAChangeOfPermissionsIsAtomic(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		org := storetest.Organization(t, db)
		seen := func() (entries int, version int64) {
			t.Helper()
			all, err := db.AuditEntries(ctx, org, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			if version, err = db.System().AuthVersion(ctx); err != nil {
				t.Fatal(err)
			}
			return len(all), version
		}
		k, err := storedKey(t, db, org, "hash", 1)
		if err != nil {
			t.Fatal(err)
		}
		entries, version := seen()
		if _, err := storedKey(t, db, org, "hash 2", 1); stockhand.CodeOf(err) != stockhand.CodeConflict {
			t.Errorf("one too many: %v", err)
		}
		next := stockhand.Key{ID: "key_2", Replaces: k.ID, Created: k.Created, Expires: k.Expires}
		if err := db.ReplaceKey(ctx, org, k.Created, next, []byte("hash"), 10,
			stockhand.AuditEntry{}); stockhand.CodeOf(err) != stockhand.CodeConflict {
			t.Errorf("a hash that is there already: %v", err)
		}
		if got, err := db.Key(ctx, org, k.ID); err != nil || !got.Expires.Equal(k.Expires) {
			t.Errorf("a replacement that failed ended the key: %+v, %v", got, err)
		}
		if n, v := seen(); n != entries || v != version {
			t.Errorf("what was refused left %d entries and version %d, want %d and %d", n, v, entries, version)
		}
		if _, err := db.RevokeKey(ctx, org, k.ID, true,
			stockhand.AuditEntry{Action: "key.revoked", At: time.Now()}); err != nil {
			t.Fatal(err)
		}
		if n, v := seen(); n != entries+1 || v <= version {
			t.Errorf("after the revocation there are %d entries and version %d", n, v)
		}
		entries, version = seen()
		if _, err := db.RevokeKey(ctx, org, k.ID, true,
			stockhand.AuditEntry{Action: "key.revoked", At: time.Now()}); err != nil {
			t.Fatal(err)
		}
		if n, v := seen(); n != entries || v != version {
			t.Errorf("revoking it again left %d entries and version %d, want %d and %d", n, v, entries, version)
		}
	})
}

func TestCredentialsAreFoundByTheirHashOnly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		org := storetest.Organization(t, db)
		k, err := storedKey(t, db, org, "hash \x00\xff", 10)
		if err != nil {
			t.Fatal(err)
		}
		c, err := db.System().KeyCredential(ctx, []byte("hash \x00\xff"))
		if err != nil || c.Key == nil || c.Key.ID != k.ID || c.Key.Org != org || string(c.Hash) != "hash \x00\xff" ||
			c.Version == 0 || c.Token != nil {
			t.Errorf("found %+v, %v", c, err)
		}
		for _, hash := range []string{"", "hash", k.Prefix, string(k.ID)} {
			_, err := db.System().KeyCredential(ctx, []byte(hash))
			wantCode(t, hash, err, stockhand.CodeNotFound)
		}
		_, err = db.System().TokenCredential(ctx, []byte("hash \x00\xff"))
		wantCode(t, "a key's hash among tokens", err, stockhand.CodeNotFound)
	})
}
