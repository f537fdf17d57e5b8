package signin_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// app is a person's app with the secret of a second factor, as RFC 6238 describes it.
type app []byte

func (a app) code(at time.Time) string {
	var step [8]byte
	binary.BigEndian.PutUint64(step[:], uint64(at.Unix()/30))
	mac := hmac.New(sha1.New, a)
	mac.Write(step[:])
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
}

// enrol adds a second factor to a person.
func (w *world) enrol(a stockhand.Actor) (phone app, recovery []string) {
	w.t.Helper()
	e, err := w.EnrolSecondFactor(w.t.Context(), a)
	if err != nil {
		w.t.Fatal(err)
	}
	if !strings.HasPrefix(e.URL, "otpauth://totp/Stockhand:") ||
		!strings.Contains(e.URL, "@example.com?issuer=Stockhand&secret="+e.Secret) {
		w.t.Errorf("the URL is %s", e.URL)
	}
	if phone, err = base32.StdEncoding.DecodeString(e.Secret); err != nil {
		w.t.Fatal(err)
	}
	code := phone.code(w.at)
	recovery, err = w.ConfirmSecondFactor(w.t.Context(), a, code[:3]+" "+code[3:])
	if err != nil || len(recovery) != 10 {
		w.t.Fatal(recovery, err)
	}
	w.at = w.at.Add(30 * time.Second)
	return phone, recovery
}

// challenge is that of a sign-in with the owner's password.
func (w *world) challenge() string {
	w.t.Helper()
	out, err := w.ByPassword(w.t.Context(), "owner@example.com", good, home)
	if err != nil || out.Challenge == "" || out.Cookie != "" {
		w.t.Fatalf("%+v %v", out, err)
	}
	return out.Challenge
}

func TestTheCodesAreThoseOfTheStandard(t *testing.T) {
	// RFC 6238, appendix B, with six digits
	secret := []byte("12345678901234567890")
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 1234567890: "005924",
		20000000000: "353130"} {
		if got := signin.CodeAt(secret, at/30); got != want || app(secret).code(time.Unix(at, 0)) != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

func TestASecondFactorIsAskedForAfterThePassword(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		a, _ := w.enter()
		if err := w.SetPassword(t.Context(), a, "", good); err != nil {
			t.Fatal(err)
		}
		e, err := w.EnrolSecondFactor(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := w.ByPassword(t.Context(), "owner@example.com", good, home); err != nil || out.Cookie == "" {
			t.Error("one that is not confirmed must not keep the person out", err)
		}
		_, err = w.ConfirmSecondFactor(t.Context(), a, "000000")
		wantCode(t, "a wrong first code", err, stockhand.CodeValidation)
		_ = e
		phone, recovery := w.enrol(a)
		_, err = w.EnrolSecondFactor(t.Context(), a)
		wantCode(t, "a second one", err, stockhand.CodeConflict)

		out, err := w.ByCode(t.Context(), w.challenge(), phone.code(w.at), home)
		if err != nil || out.SignIn.Method != stockhand.SignInPassword || w.caller(out.Cookie).User != w.owner.ID {
			t.Fatal(err)
		}
		if out, err = w.ByCode(t.Context(), w.challenge(), recovery[3], home); err != nil || out.Cookie == "" {
			t.Fatal(err)
		}
		l, err := w.CreateLink(t.Context(), auth.Operator("", "root"), w.owner.ID)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := w.ByLink(t.Context(), l.Token, home); err != nil || out.Challenge == "" {
			t.Error("a link passes the second factor", err)
		}
		if m, err := w.Methods(t.Context(), a); err != nil || !m.Password || m.SecondFactor.RecoveryCodes != 9 {
			t.Error(m, err)
		}
		if err := w.RemoveSecondFactor(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if out, err := w.ByPassword(t.Context(), "owner@example.com", good, home); err != nil || out.Cookie == "" {
			t.Error(err)
		}
		for _, action := range []string{"person.second_factor_added", "person.recovery_code_used",
			"person.second_factor_removed"} {
			if got := w.actions(); !slices.Contains(got, action) {
				t.Errorf("the audit log has no %s", action)
			}
		}
	})
}

func TestAttackRepeatingACodeOrUsingAnOldOne(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	if err := w.SetPassword(t.Context(), a, "", good); err != nil {
		t.Fatal(err)
	}
	phone, recovery := w.enrol(a)
	refused := func(what, challenge, code string) {
		t.Helper()
		_, err := w.ByCode(t.Context(), challenge, code, home)
		wantCode(t, what, err, stockhand.CodeSignInRefused)
	}
	code := phone.code(w.at)
	used := w.challenge()
	if _, err := w.ByCode(t.Context(), used, code, home); err != nil {
		t.Fatal(err)
	}
	refused("the same code", w.challenge(), code)
	refused("the same challenge", used, phone.code(w.at.Add(30*time.Second)))
	refused("an earlier code", w.challenge(), phone.code(w.at.Add(-30*time.Second)))
	refused("a code of two minutes ago", w.challenge(), phone.code(w.at.Add(-2*time.Minute)))
	refused("a code of two minutes ahead", w.challenge(), phone.code(w.at.Add(2*time.Minute)))
	// a phone whose clock is half a minute ahead
	if _, err := w.ByCode(t.Context(), w.challenge(), phone.code(w.at.Add(30*time.Second)), home); err != nil {
		t.Error(err)
	}
	if _, err := w.ByCode(t.Context(), w.challenge(), strings.ToUpper(recovery[0]), home); err != nil {
		t.Error(err)
	}
	refused("a recovery code again", w.challenge(), recovery[0])
	late := w.challenge()
	w.at = w.at.Add(5 * time.Minute)
	refused("a late code", late, phone.code(w.at))
}

func TestASecondFactorThatWasReplacedMeanwhileIsNotConfirmed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		system, of := db.System(), w.owner.ID
		for _, nonce := range []string{"first", "second"} { // as from two windows of a browser
			if err := system.PutSecondFactor(t.Context(), of, nonce); err != nil {
				t.Fatal(err)
			}
		}
		err := system.ConfirmSecondFactor(t.Context(), of, "first", w.at, nil, w.auth.Entry(of, "x"))
		wantCode(t, "the first", err, stockhand.CodeConflict)
		if err := system.ConfirmSecondFactor(t.Context(), of, "second", w.at, nil, w.auth.Entry(of, "x")); err != nil {
			t.Error(err)
		}
	})
}

func TestAttackGuessingACode(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	if err := w.SetPassword(t.Context(), a, "", good); err != nil {
		t.Fatal(err)
	}
	phone, _ := w.enrol(a)
	one := w.challenge()
	for range 5 {
		_, err := w.ByCode(t.Context(), one, "000000", home)
		wantCode(t, "a guess", err, stockhand.CodeSignInRefused)
	}
	_, err := w.ByCode(t.Context(), one, phone.code(w.at), home)
	wantCode(t, "the right code after five wrong ones", err, stockhand.CodeSignInRefused)
	var codes []stockhand.Code
	for range 20 {
		_, err := w.ByCode(t.Context(), w.challenge(), "000000", home)
		codes = append(codes, stockhand.CodeOf(err))
	}
	if codes[14] != stockhand.CodeSignInRefused || codes[15] != stockhand.CodeRateLimited {
		t.Errorf("the guesses got %v", codes)
	}
	late := w.challenge()
	out, err := w.ByCode(t.Context(), late, phone.code(w.at), home)
	wantCode(t, "too many", err, stockhand.CodeRateLimited)
	if w.at = w.at.Add(time.Minute); out.Challenge != late {
		t.Error("the person is not asked again")
	}
	if _, err := w.ByCode(t.Context(), late, phone.code(w.at), home); err != nil {
		t.Errorf("the same challenge when the wait is over: %v", err)
	}
}

func TestAPersonProvesAgainWhoTheyAre(t *testing.T) {
	w := newWorld(t)
	a, cookie := w.enter()
	wantCode(t, "without a password", w.StepUp(t.Context(), a, "", ""), stockhand.CodeValidation)
	if err := w.SetPassword(t.Context(), a, "", good); err != nil {
		t.Fatal(err)
	}
	w.at = w.at.Add(time.Hour)
	if w.caller(cookie).ProvenWithin(auth.ProvenFor, w.at) {
		t.Error("an hour later the proof holds")
	}
	wantCode(t, "a wrong password", w.StepUp(t.Context(), a, good+"!", ""), stockhand.CodeValidation)
	if err := w.StepUp(t.Context(), a, good, ""); err != nil {
		t.Fatal(err)
	}
	if a = w.caller(cookie); !a.ProvenWithin(auth.ProvenFor, w.at) {
		t.Error("it was proved now")
	}
	phone, _ := w.enrol(a)
	wantCode(t, "the password alone", w.StepUp(t.Context(), a, good, ""), stockhand.CodeValidation)
	if err := w.StepUp(t.Context(), a, "", phone.code(w.at)); err != nil {
		t.Error(err)
	}
	wantCode(t, "a token", w.StepUp(t.Context(), stockhand.Actor{Person: true, User: a.User}, good, ""),
		stockhand.CodeStepUpRequired)
}
