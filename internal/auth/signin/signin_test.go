package signin_test

import (
	"context"
	"database/sql"
	"net/netip"
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

func TestALinkSignsInOnceAndActsAsThePerson(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		l, err := w.CreateLink(t.Context(), auth.Operator("", "root"), w.owner.ID)
		if err != nil || !strings.HasPrefix(l.URL, url+"/sign-in?token=sk-one-") {
			t.Fatal(l.URL, err)
		}
		out, err := w.ByLink(t.Context(), l.Token, home)
		if err != nil {
			t.Fatal(err)
		}
		a := w.caller(out.Cookie)
		if a.User != w.owner.ID || a.Org != w.org || a.Role != stockhand.RoleOwner || !a.Person ||
			a.SignIn != out.SignIn.ID || !a.Proven.Equal(w.at) || !a.May(stockhand.ScopeAdmin) {
			t.Errorf("the sign-in calls as %+v", a)
		}
		if got := w.actions(); !slices.Contains(got, "person.link_created") ||
			!slices.Contains(got, "person.signed_in") {
			t.Errorf("the audit log has %v", got)
		}
	})
}

func TestAttackUsingALinkTwiceLateOrAfterANewerOne(t *testing.T) {
	w := newWorld(t)
	link := func() string {
		l, err := w.CreateLink(t.Context(), auth.Operator("", "root"), w.owner.ID)
		if err != nil {
			t.Fatal(err)
		}
		return l.Token
	}
	used, replaced := link(), link()
	latest := link()
	var mu sync.Mutex
	var opened int
	var all sync.WaitGroup
	for range 8 { // at the same time
		all.Go(func() {
			if _, err := w.ByLink(t.Context(), latest, home); err == nil {
				mu.Lock()
				defer mu.Unlock()
				opened++
			}
		})
	}
	all.Wait()
	if opened != 1 {
		t.Errorf("one link signed in %d times", opened)
	}
	late := link()
	w.at = w.at.Add(24 * time.Hour)
	for what, token := range map[string]string{"replaced": used, "replaced by the last": replaced, "used": latest,
		"expired": late, "not a link": "x", "empty": "", "a user token": "sk-usr-" + late[7:]} {
		_, err := w.ByLink(t.Context(), token, home)
		wantCode(t, what, err, stockhand.CodeSignInRefused)
	}
}

func TestAttackASignInIsNotAToken(t *testing.T) {
	w := newWorld(t)
	_, cookie := w.enter()
	_, err := w.auth.Authenticate(t.Context(), auth.Caller{Bearer: cookie})
	wantCode(t, "a cookie as a token", err, stockhand.CodeTokenExpired)
	a := w.caller(cookie)
	_, token, err := w.auth.CreateToken(t.Context(), a, auth.NewToken{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.auth.Authenticate(t.Context(), auth.Caller{Cookie: token})
	wantCode(t, "a token as a cookie", err, stockhand.CodeTokenExpired)
}

func TestASignInEndsWhenItIsNotUsedOrTooOld(t *testing.T) {
	w := newWorld(t)
	_, cookie := w.enter()
	for range 20 { // it is used every eight hours
		w.at = w.at.Add(8 * time.Hour)
		if w.ended(cookie) {
			t.Fatalf("it ended at %s", w.at)
		}
		if err := w.db.System().NoteSignInUses(t.Context(), []stockhand.SignIn{{ID: w.caller(cookie).SignIn,
			User: w.owner.ID, LastUsed: w.at}}); err != nil {
			t.Fatal(err)
		}
	}
	w.at = w.at.Add(8 * time.Hour) // the end of the week
	if !w.ended(cookie) {
		t.Error("it goes on after a week")
	}
	_, idle := w.enter()
	w.at = w.at.Add(12 * time.Hour)
	if !w.ended(idle) {
		t.Error("it goes on although it was not used")
	}
}

func TestSignInsAreListedAndEnded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		a, first := w.enter()
		b, second := w.enter()
		_, third := w.enter()
		list, err := w.auth.SignIns(t.Context(), a, "", 0)
		if err != nil || len(list) != 3 || list[0].Address != "192.0.2.7" || list[0].Browser != "Browser/1" {
			t.Fatal(list, err)
		}
		if err := w.auth.EndSignIn(t.Context(), a, b.SignIn); err != nil || !w.ended(second) || w.ended(first) {
			t.Error("one was to end:", err)
		}
		wantCode(t, "again", w.auth.EndSignIn(t.Context(), a, b.SignIn), stockhand.CodeNotFound)
		if n, err := w.auth.EndSignIns(t.Context(), a, a.SignIn); err != nil || n != 1 || !w.ended(third) ||
			w.ended(first) {
			t.Error("the others were to end:", n, err)
		}
		if n, err := w.auth.EndSignIns(t.Context(), a, ""); err != nil || n != 1 || !w.ended(first) {
			t.Error("all were to end:", n, err)
		}
	})
}

func TestAPersonHasABoundedNumberOfSignIns(t *testing.T) {
	w := newWorld(t)
	_, oldest := w.enter()
	for range 50 {
		w.enter()
	}
	a, last := w.enter()
	if list, err := w.auth.SignIns(t.Context(), a, "", 200); err != nil || len(list) != 50 {
		t.Error(len(list), err)
	}
	if !w.ended(oldest) || w.ended(last) {
		t.Error("the oldest was to end")
	}
}

func TestAPasswordIsSetChangedAndSignsIn(t *testing.T) {
	signin.HashAsUsual(t)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		a, first := w.enter()
		_, second := w.enter()
		if err := w.SetPassword(t.Context(), a, "", good); err != nil {
			t.Fatal(err)
		}
		if w.ended(first) || !w.ended(second) {
			t.Error("the other sign-in was to end, and this one to go on")
		}
		out, err := w.ByPassword(t.Context(), "Owner@Example.com", good, home)
		if err != nil || w.caller(out.Cookie).User != w.owner.ID {
			t.Fatal(err)
		}
		a = w.caller(out.Cookie)
		wantCode(t, "without the current one", w.SetPassword(t.Context(), a, "", good+"!"), stockhand.CodeValidation)
		wantCode(t, "with a wrong one", w.SetPassword(t.Context(), a, good+"?", good+"!"), stockhand.CodeValidation)
		if err := w.SetPassword(t.Context(), a, good, good+"!"); err != nil {
			t.Fatal(err)
		}
		_, err = w.ByPassword(t.Context(), "owner@example.com", good, home)
		wantCode(t, "the old one", err, stockhand.CodeSignInRefused)
		if stored, err := db.System().Password(t.Context(), w.owner.ID); err != nil ||
			!strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Error(stored, err)
		}
		if got := w.actions(); !slices.Contains(got, "person.password_set") ||
			!slices.Contains(got, "person.sign_in_refused") {
			t.Errorf("the audit log has %v", got)
		}
	})
}

func TestWeakPasswordsAreRefused(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	for _, weak := range []string{"", "short", "ninechars", "aaaaaaaaaaaa", "ababababab12", "Password123", "1234567890",
		"QwertyUIOP", "йцукенгшщз", "Пароль2026!", "owner@example.com", "my-owner-12", strings.Repeat("long", 51),
		"not\xffutf-8 text"} {
		wantCode(t, weak, w.SetPassword(t.Context(), a, "", weak), stockhand.CodeValidation)
	}
	if err := w.SetPassword(t.Context(), a, "", "пять слов по-русски"); err != nil {
		t.Error(err)
	}
}

func TestAttackAnOldSignInOrATokenChangesHowAPersonSignsIn(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	_, secret, err := w.auth.CreateToken(t.Context(), a, auth.NewToken{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	byToken, err := w.auth.Authenticate(t.Context(), auth.Caller{Bearer: secret})
	if err != nil {
		t.Fatal(err)
	}
	w.at = w.at.Add(auth.ProvenFor + time.Second)
	for what, caller := range map[string]stockhand.Actor{"a token": byToken, "an old sign-in": a} {
		wantCode(t, what, w.SetPassword(t.Context(), caller, "", good), stockhand.CodeStepUpRequired)
	}
	_, _, err = w.auth.CreateToken(t.Context(), a, auth.NewToken{Name: "y"})
	wantCode(t, "a token from an old sign-in", err, stockhand.CodeStepUpRequired)
}

func TestAttackTellingWhoHasAnAccount(t *testing.T) {
	signin.HashAsUsual(t)
	w := newWorld(t)
	a, _ := w.enter()
	if err := w.SetPassword(t.Context(), a, "", good); err != nil {
		t.Fatal(err)
	}
	if _, err := w.auth.CreateUser(t.Context(), "new@example.com", ""); err != nil { // who has no password
		t.Fatal(err)
	}
	var answers []string
	var took []time.Duration
	for _, email := range []string{"owner@example.com", "new@example.com", "unknown@example.com"} {
		began := time.Now()
		_, err := w.ByPassword(t.Context(), email, "wrong password", home)
		took = append(took, time.Since(began))
		e := wantCode(t, email, err, stockhand.CodeSignInRefused)
		answers = append(answers, e.Message+e.Hint+e.RU.Message)
	}
	if answers[0] != answers[1] || answers[0] != answers[2] {
		t.Errorf("the answers differ: %q", answers)
	}
	if slices.Min(took) < 5*time.Millisecond { // one of them hashed nothing
		t.Errorf("the answers took %v", took)
	}
}

// slowAudit is a database whose audit log of persons stands still until released.
type slowAudit struct {
	signin.System
	released chan struct{}
}

func (s slowAudit) AuditPerson(ctx context.Context, of stockhand.UserID, entry stockhand.AuditEntry) error {
	<-s.released
	return s.System.AuditPerson(ctx, of, entry)
}

func TestAttackTellingFromTheTimeWhoHasAnAccount(t *testing.T) {
	released := make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	w := newWorld(t, func(c *signin.Config) { c.System = slowAudit{c.System, released} })
	t.Cleanup(release)
	a, _ := w.enter()
	if err := w.SetPassword(t.Context(), a, "", good); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		_, err := w.ByPassword(t.Context(), "owner@example.com", "wrong password", home)
		answered <- err
	}()
	select {
	case err := <-answered:
		wantCode(t, "a wrong password", err, stockhand.CodeSignInRefused)
	case <-time.After(time.Minute):
		t.Error("the answer waits for the audit log, which has no entry for an unknown email")
	}
	release()
	if got := w.actions(); !slices.Contains(got, "person.sign_in_refused") {
		t.Errorf("the audit log has %v", got)
	}
}

func TestAttackGuessingAPassword(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	if err := w.SetPassword(t.Context(), a, "", good); err != nil {
		t.Fatal(err)
	}
	guess := func(email, password, from string) stockhand.Code {
		_, err := w.ByPassword(t.Context(), email, password, auth.Origin{IP: netip.MustParseAddr(from)})
		if err == nil {
			return ""
		}
		return stockhand.CodeOf(err)
	}
	for i := range 20 { // each from another address
		if got := guess("owner@example.com", "wrong password", "192.0.2."+string(rune('1'+i%9))); got !=
			stockhand.CodeSignInRefused {
			t.Fatalf("guess %d: %s", i, got)
		}
	}
	if got := guess("owner@example.com", good, "198.51.100.1"); got != stockhand.CodeRateLimited {
		t.Errorf("the 21st guess: %q", got)
	}
	w.at = w.at.Add(time.Minute)
	for range 3 { // what succeeds does not count
		if got := guess("owner@example.com", good, "198.51.100.1"); got != "" {
			t.Errorf("after a minute: %s", got)
		}
	}
}

func TestAttackKeepingAPersonFromProvingWhoTheyAre(t *testing.T) {
	w := newWorld(t)
	a, _ := w.enter()
	if err := w.SetPassword(t.Context(), a, "", good); err != nil {
		t.Fatal(err)
	}
	var err error
	for n := 0; n < 30 && stockhand.CodeOf(err) != stockhand.CodeRateLimited; n++ {
		_, err = w.ByPassword(t.Context(), "owner@example.com", "wrong password", home)
	}
	wantCode(t, "a stranger", err, stockhand.CodeRateLimited)
	if err := w.StepUp(t.Context(), a, good, ""); err != nil {
		t.Errorf("the person: %v", err)
	}
	if err := w.SetPassword(t.Context(), a, good, good+"!"); err != nil {
		t.Errorf("the person: %v", err)
	}
	for n := 0; n < 30 && stockhand.CodeOf(err) != ""; n++ {
		if err = w.StepUp(t.Context(), a, "wrong password", ""); stockhand.CodeOf(err) == stockhand.CodeRateLimited {
			return
		}
	}
	t.Errorf("guesses with a stolen cookie are not limited: %v", err)
}

// Each replica had limits of its own, so two allowed twice as many guesses.
func TestAttackGuessingAtSeveralReplicas(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorldOn(t, db)
		replicas := []*signin.Service{w.Service, w.replica()}
		guess := func(n int, email string, from netip.Addr) stockhand.Code {
			_, err := replicas[n%2].ByPassword(t.Context(), email, "wrong password", auth.Origin{IP: from})
			return stockhand.CodeOf(err)
		}
		for n := range 20 {
			from := netip.AddrFrom4([4]byte{192, 0, 2, byte(n)})
			if got := guess(n, "owner@example.com", from); got != stockhand.CodeSignInRefused {
				t.Fatalf("guess %d: %s", n, got)
			}
		}
		for n := range 4 {
			if got := guess(n, "owner@example.com", home.IP); got != stockhand.CodeRateLimited {
				t.Errorf("one more guess: %s", got)
			}
		}
		w.at = w.at.Add(time.Minute)
		if one, more := guess(0, "owner@example.com", home.IP), guess(1, "owner@example.com", home.IP); one !=
			stockhand.CodeSignInRefused || more != stockhand.CodeRateLimited {
			t.Errorf("after a minute: %s, then %s", one, more)
		}

		var passed atomic.Int32
		var wg sync.WaitGroup
		for n := range 130 { // from one address, at once
			wg.Go(func() {
				_, err := replicas[n%2].ByLink(t.Context(), "x", auth.Origin{IP: netip.MustParseAddr("198.51.100.1")})
				if stockhand.CodeOf(err) == stockhand.CodeSignInRefused {
					passed.Add(1)
				}
			})
		}
		wg.Wait()
		if passed.Load() != 100 {
			t.Errorf("%d attempts passed from one address, want 100", passed.Load())
		}
	})
}

func TestAttackFillingTheDatabaseWithGuesses(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db, err := store.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		w := newWorldOn(t, db)
		guess := func(email string, want stockhand.Code) {
			t.Helper()
			_, err := w.ByPassword(t.Context(), email, "wrong password", home)
			wantCode(t, "a guess", err, want)
		}
		for i := range 3 {
			guess(string(rune('a'+i))+"@example.com", stockhand.CodeSignInRefused)
		}
		for range 100 {
			_, err = w.ByLink(t.Context(), "x", home)
		}
		wantCode(t, "many from one address", err, stockhand.CodeRateLimited)
		w.at = w.at.Add(30 * time.Minute)
		guess("last@example.com", stockhand.CodeSignInRefused)
		driver := "sqlite"
		if strings.HasPrefix(url, "postgres") {
			driver = "pgx"
		}
		raw, err := sql.Open(driver, url)
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		var rows int
		if err := raw.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM attempts").Scan(&rows); err != nil ||
			rows != 2 {
			t.Errorf("%d counts are left after half an hour, want those of the last guess: %v", rows, err)
		}
		if n := signin.Remembered(w.Service); n != 0 {
			t.Errorf("%d full counts are remembered", n)
		}
	})
}

func TestAttackTryingManyAccountsFromOneNetwork(t *testing.T) {
	w := newWorld(t)
	refused := 0
	for i := range 110 {
		_, err := w.ByLink(t.Context(), "x", auth.Origin{IP: netip.MustParseAddr("2001:db8::" + string(rune('1'+i%9)))})
		if stockhand.CodeOf(err) == stockhand.CodeRateLimited {
			refused++
		}
	}
	if refused != 10 {
		t.Errorf("%d of 110 were refused, want 10", refused)
	}
}

// A sign-in is as fast for a person in the most organizations; each has it in its audit log.
func TestAPersonInAHundredOrganizationsSignsIn(t *testing.T) {
	w := newWorld(t)
	for range 99 {
		if _, err := w.auth.CreateOrganizationFor(t.Context(), auth.Operator("", "root"), w.owner.ID,
			"Shop"); err != nil {
			t.Fatal(err)
		}
	}
	a, cookie := w.enter()
	if a.Org != w.org {
		t.Errorf("without X-Org-Id they act in %s, not at home", a.Org)
	}
	all, err := w.auth.Organizations(t.Context(), a)
	if err != nil || len(all) != 100 {
		t.Fatal(len(all), err)
	}
	for _, m := range all {
		in, err := w.auth.Authenticate(t.Context(), auth.Caller{Cookie: cookie, Org: m.ID})
		if err != nil || in.Org != m.ID || in.SignIn == "" || in.Proven.IsZero() {
			t.Fatalf("in %s: %+v, %v", m.ID, in, err)
		}
	}
	entries, err := w.db.AuditBefore(t.Context(), all[99].ID, "person.signed_in", "", 0, 10)
	if err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
}

// BenchmarkPassword is the cost of one sign-in with a password.
func BenchmarkPassword(b *testing.B) {
	signin.HashAsUsual(b)
	w := newWorld(b)
	a, _ := w.enter()
	if err := w.SetPassword(b.Context(), a, "", good); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		if _, err := w.ByPassword(b.Context(), "owner@example.com", good, home); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sign-ins/s")
}

// A replica's clock is a minute behind another's: what one began holds at the other, and nothing holds longer than by
// that minute.
func TestSignInsHoldWhereTheClocksOfReplicasDiffer(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	behind := func() time.Time { return w.at.Add(-time.Minute) }
	other := w.replica(func(c *signin.Config) { c.Clock, c.Auth.Clock = behind, behind })
	l, err := w.CreateLink(ctx, auth.Operator("", "root"), w.owner.ID)
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.ByLink(ctx, l.Token, home)
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.ByLink(ctx, l.Token, home)
	wantCode(t, "a used link", err, stockhand.CodeSignInRefused)
	a, err := other.Auth.Authenticate(ctx, auth.Caller{Cookie: out.Cookie, IP: home.IP})
	if err != nil || a.User != w.owner.ID || other.Auth.Proven(a, auth.ProvenFor) != nil {
		t.Errorf("a sign-in of a minute ahead: %+v %v", a, err)
	}
	late, err := w.CreateLink(ctx, auth.Operator("", "root"), w.owner.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.at = w.at.Add(signin.LinkLife + time.Minute)
	_, err = other.ByLink(ctx, late.Token, home)
	wantCode(t, "a link that has expired by both clocks", err, stockhand.CodeSignInRefused)
	if _, err := other.Auth.Authenticate(ctx, auth.Caller{Cookie: out.Cookie, IP: home.IP}); err == nil {
		t.Error("a sign-in that was not used for a day still holds")
	}
}
