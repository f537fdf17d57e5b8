package signin_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/auth/signin/passkeytest"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

const site = "stockhand.example.org"

// device is one with a passkey of the person.
func (w *world) device(a stockhand.Actor) (*passkeytest.Device, stockhand.Passkey) {
	w.t.Helper()
	d := passkeytest.New(w.t, url, site)
	ask, err := w.BeginNewPasskey(w.t.Context(), a)
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := w.AddPasskey(w.t.Context(), a, "laptop", d.Create(ask))
	if err != nil {
		w.t.Fatal(err)
	}
	return d, p
}

// asked are the options of a sign-in with a passkey.
func (w *world) asked() json.RawMessage {
	w.t.Helper()
	ask, err := w.BeginPasskey(w.t.Context(), home)
	if err != nil {
		w.t.Fatal(err)
	}
	return ask
}

func (w *world) byPasskey(answer json.RawMessage) error {
	_, err := w.ByPasskey(w.t.Context(), answer, home)
	return err
}

// newcomer is another person, signed in.
func (w *world) newcomer() stockhand.Actor {
	w.t.Helper()
	u, err := w.auth.CreateUser(w.t.Context(), "anna@example.com", "")
	if err != nil {
		w.t.Fatal(err)
	}
	_, cookie, err := w.auth.OpenSignIn(w.t.Context(), u.ID, stockhand.SignInLink, home)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.caller(cookie)
}

func TestAPasskeySignsInWithoutAPasswordOrCode(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		a, _ := w.enter()
		if err := w.SetPassword(t.Context(), a, "", good); err != nil { // another way to sign in
			t.Fatal(err)
		}
		w.enrol(a) // a passkey counts as two factors
		d, p := w.device(a)
		if strings.Contains(string(d.Handle), string(a.User)) || len(d.Handle) != 32 {
			t.Errorf("the device learns %q", d.Handle)
		}
		w.at = w.at.Add(time.Hour)
		out, err := w.ByPasskey(t.Context(), d.Get(w.asked()), home)
		if err != nil || out.Challenge != "" {
			t.Fatal(out, err)
		}
		if in := w.caller(out.Cookie); in.User != a.User || out.SignIn.Method != stockhand.SignInPasskey {
			t.Errorf("signed in is %+v", out.SignIn)
		}
		all, err := w.Passkeys(t.Context(), a)
		if err != nil || len(all) != 1 || all[0].ID != p.ID || all[0].Name != "laptop" || !all[0].LastUsed.Equal(w.at) {
			t.Errorf("listed are %+v, %v", all, err)
		}
		if err := w.RemovePasskey(t.Context(), w.caller(out.Cookie), p.ID); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "a removed one", w.byPasskey(d.Get(w.asked())), stockhand.CodeSignInRefused)
		got := w.actions()
		for _, want := range []string{"person.passkey_added", "person.signed_in", "person.passkey_removed"} {
			if !slices.Contains(got, want) {
				t.Errorf("the audit log has %v, not %s", got, want)
			}
		}
	})
}

func TestAttackPasskeysThatAreRefused(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	d, _ := w.device(a)
	tried := 0
	refused := func(what string, answer json.RawMessage) {
		t.Helper()
		tried++
		wantCode(t, what, w.byPasskey(answer), stockhand.CodeSignInRefused)
	}
	used := d.Get(w.asked())
	if err := w.byPasskey(used); err != nil {
		t.Fatal(err)
	}
	refused("a replayed answer", used)
	late := d.Get(w.asked())
	w.at = w.at.Add(6 * time.Minute)
	refused("a late answer", late)
	change := func(what string, change func(*passkeytest.Device)) {
		t.Helper()
		changed := *d
		change(&changed)
		refused(what, changed.Get(w.asked()))
	}
	change("an answer of another origin", func(d *passkeytest.Device) { d.Origin = "https://stockhand.example.com" })
	change("an answer over HTTP", func(d *passkeytest.Device) { d.Origin = "http://" + site })
	change("an answer for another site", func(d *passkeytest.Device) { d.Site = "example.org" })
	change("one without verification of the person", func(d *passkeytest.Device) { d.Unverified = true })
	change("another person's handle", func(d *passkeytest.Device) { d.Handle = []byte("another") })
	change("no handle", func(d *passkeytest.Device) { d.Handle = nil })
	forged := passkeytest.New(t, url, site)
	forged.ID, forged.Handle = d.ID, d.Handle
	refused("another key's signature", forged.Get(w.asked()))
	w.at = w.at.Add(time.Minute)
	proof, err := w.BeginPasskeyProof(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	refused("the challenge of a proof", d.Get(proof))
	unknown := passkeytest.New(t, url, site)
	unknown.Handle = d.Handle
	wantCode(t, "an unknown passkey", w.byPasskey(unknown.Get(w.asked())), stockhand.CodeSignInRefused)
	wantCode(t, "no JSON", w.byPasskey(json.RawMessage("{")), stockhand.CodeSignInRefused)
	if got := w.actions(); tried != len(slices.DeleteFunc(got, func(a string) bool {
		return a != "person.sign_in_refused"
	})) {
		t.Errorf("the audit log has %v of %d refusals", got, tried)
	}
}

func TestAttackACopiedPasskey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		a, _ := w.enter()
		d, _ := w.device(a)
		d.Counts, d.Uses = true, 7
		stolen := *d
		if err := w.byPasskey(d.Get(w.asked())); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "the copy", w.byPasskey(stolen.Get(w.asked())), stockhand.CodeSignInRefused)
		d.Counts, d.Uses = false, 0
		wantCode(t, "one that no longer counts", w.byPasskey(d.Get(w.asked())), stockhand.CodeSignInRefused)
	})
}

func TestAttackAddingAPasskeyToAnotherPerson(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	d, p := w.device(a)
	anna := w.newcomer()
	ask, err := w.BeginNewPasskey(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	add := func(what string, by stockhand.Actor, answer json.RawMessage, code stockhand.Code) {
		t.Helper()
		_, err := w.AddPasskey(t.Context(), by, "theirs", answer)
		wantCode(t, what, err, code)
	}
	add("with another person's challenge", anna, passkeytest.New(t, url, site).Create(ask), stockhand.CodeValidation)
	begin := func() json.RawMessage {
		ask, err := w.BeginNewPasskey(t.Context(), anna)
		if err != nil {
			t.Fatal(err)
		}
		return ask
	}
	add("another person's passkey", anna, d.Create(begin()), stockhand.CodeConflict)
	add("on another origin", anna, passkeytest.New(t, "https://example.com", site).Create(begin()),
		stockhand.CodeValidation)
	add("for another site", anna, passkeytest.New(t, url, "example.com").Create(begin()), stockhand.CodeValidation)
	careless := passkeytest.New(t, url, site)
	careless.Unverified = true
	add("without verification", anna, careless.Create(begin()), stockhand.CodeValidation)
	own := passkeytest.New(t, url, site)
	answer := own.Create(begin())
	if _, err := w.AddPasskey(t.Context(), anna, "hers", answer); err != nil {
		t.Fatal(err)
	}
	add("a second time", anna, answer, stockhand.CodeValidation)
	wantCode(t, "removing another person's", w.RemovePasskey(t.Context(), anna, p.ID), stockhand.CodeNotFound)
	w.at = w.at.Add(auth.ProvenFor + time.Minute)
	add("without a recent proof", anna, answer, stockhand.CodeStepUpRequired)
	wantCode(t, "removing without a proof", w.RemovePasskey(t.Context(), a, p.ID), stockhand.CodeStepUpRequired)
	_, err = w.BeginNewPasskey(t.Context(), stockhand.Actor{Person: true, User: a.User})
	wantCode(t, "with a token", err, stockhand.CodeStepUpRequired)
}

func TestAPasskeyProvesAgainWhoThePersonIs(t *testing.T) {
	w := newWorld(t)
	a, cookie := w.enter()
	d, _ := w.device(a)
	anna := w.newcomer()
	hers, _ := w.device(anna)
	w.at = w.at.Add(time.Hour)
	begin := func() json.RawMessage {
		ask, err := w.BeginPasskeyProof(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		return ask
	}
	wantCode(t, "another person's", w.StepUpByPasskey(t.Context(), a, hers.Get(begin())), stockhand.CodeValidation)
	wantCode(t, "the challenge of a sign-in", w.StepUpByPasskey(t.Context(), a, d.Get(w.asked())),
		stockhand.CodeValidation)
	theirs := d.Get(begin())
	wantCode(t, "by another person", w.StepUpByPasskey(t.Context(), anna, theirs), stockhand.CodeValidation)
	wantCode(t, "another person's challenge with one's own passkey",
		w.StepUpByPasskey(t.Context(), anna, hers.Get(begin())), stockhand.CodeValidation)
	wantCode(t, "too old", w.auth.Proven(w.caller(cookie), auth.ProvenFor), stockhand.CodeStepUpRequired)
	d.Handle = nil // as of a security key that is asked for one of its passkeys
	if err := w.StepUpByPasskey(t.Context(), a, d.Get(begin())); err != nil {
		t.Fatal(err)
	}
	if err := w.auth.Proven(w.caller(cookie), auth.ProvenFor); err != nil {
		t.Error(err)
	}
	if got := w.actions(); !slices.Contains(got, "person.proof_refused") || !slices.Contains(got, "person.proved") {
		t.Errorf("the audit log has %v", got)
	}
}

func TestTheOperatorRemovesAPersonsPasskeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		a, _ := w.enter()
		first, _ := w.device(a)
		second, _ := w.device(a)
		hers, _ := w.device(w.newcomer())
		operator := auth.Operator("", "root")
		if err := w.RemovePasskeys(t.Context(), operator, a.User); err != nil {
			t.Fatal(err)
		}
		for _, d := range []*passkeytest.Device{first, second} {
			wantCode(t, "a removed one", w.byPasskey(d.Get(w.asked())), stockhand.CodeSignInRefused)
		}
		if err := w.byPasskey(hers.Get(w.asked())); err != nil {
			t.Errorf("another person's: %v", err)
		}
		wantCode(t, "again", w.RemovePasskeys(t.Context(), operator, a.User), stockhand.CodeNotFound)
		entries, err := db.AuditEntries(t.Context(), w.org, 0, 200)
		removed := 0
		for _, e := range entries {
			if e.Action == "person.passkey_removed" && e.Actor == operator.Name &&
				strings.Contains(string(e.Detail), string(a.User)) {
				removed++
			}
		}
		if err != nil || removed != 2 {
			t.Errorf("%d removals are audited, %v", removed, err)
		}
	})
}

func TestAPasskeyOfADisabledOrErasedPersonIsRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		anna := w.newcomer()
		d, _ := w.device(anna)
		operator := auth.Operator("", "root")
		if err := w.auth.DisableUser(t.Context(), operator, anna.User); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "disabled", w.byPasskey(d.Get(w.asked())), stockhand.CodeSignInRefused)
		if err := w.auth.EnableUser(t.Context(), operator, anna.User); err != nil {
			t.Fatal(err)
		}
		if err := w.byPasskey(d.Get(w.asked())); err != nil {
			t.Fatal(err)
		}
		if err := w.auth.EraseUser(t.Context(), operator, anna.User); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "erased", w.byPasskey(d.Get(w.asked())), stockhand.CodeSignInRefused)
		if all, err := db.System().Passkeys(t.Context(), anna.User); err != nil || len(all) != 0 {
			t.Errorf("left are %+v, %v", all, err)
		}
	})
}

func TestAPersonHasAtMost20Passkeys(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	for range 20 {
		w.device(a)
	}
	ask, err := w.BeginNewPasskey(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.AddPasskey(t.Context(), a, "one more", passkeytest.New(t, url, site).Create(ask))
	wantCode(t, "the 21st", err, stockhand.CodeConflict)
}

func TestAttackAskingForPasskeysWithoutEnd(t *testing.T) {
	w := newWorld(t)
	var err error
	for n := 0; n < 200 && err == nil; n++ {
		_, err = w.BeginPasskey(t.Context(), home)
	}
	wantCode(t, "too many", err, stockhand.CodeRateLimited)
}

func TestThereAreNoPasskeysWhereBrowsersHaveNone(t *testing.T) {
	for address, want := range map[string]bool{"https://shop.example.org": true, "https://shop.example.org:8443": true,
		"http://localhost:8080": true, "http://shop.example.org": false, "https://192.0.2.1": false,
		"https://[2001:db8::1]": false, "http://127.0.0.1:8080": false} {
		w := newWorld(t, func(c *signin.Config) { c.URL = address })
		_, err := w.BeginPasskey(t.Context(), home)
		if got := stockhand.CodeOf(err) != stockhand.CodeNotFound; got != want || w.HasPasskeys() != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}
