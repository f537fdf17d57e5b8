package signin

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238: the codes that all apps know; HMAC needs no collision resistance
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// One-time codes of an app, as RFC 6238 describes them with its defaults (rule R116).
const (
	codePeriod = 30 * time.Second
	codeSkew   = 1 // codes of one period before and after are accepted, for clocks that differ
	secretSize = 20

	recoveryCodes = 10
)

// Enrolment is a second factor that the person adds to an app.
type Enrolment struct {
	Secret string // in base 32, for typing
	URL    string // otpauth://, for a QR code
}

// EnrolSecondFactor starts a second factor for the person a.User. It holds after [Service.ConfirmSecondFactor].
// CONFLICT if they have one.
func (s *Service) EnrolSecondFactor(ctx context.Context, a stockhand.Actor) (Enrolment, error) {
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return Enrolment{}, err
	}
	u, err := s.System.User(ctx, a.User)
	if err != nil {
		return Enrolment{}, err
	}
	nonce := rand.Text()
	if err := s.System.PutSecondFactor(ctx, a.User, nonce); err != nil {
		return Enrolment{}, err
	}
	secret := base32.StdEncoding.EncodeToString(s.secretOf(nonce))
	return Enrolment{Secret: secret, URL: (&url.URL{Scheme: "otpauth", Host: "totp", Path: "/Stockhand:" + u.Email,
		RawQuery: url.Values{"secret": {secret}, "issuer": {"Stockhand"}}.Encode()}).String()}, nil
}

// ConfirmSecondFactor makes the second factor hold, if the code is right, and returns recovery codes, which cannot be
// shown again.
func (s *Service) ConfirmSecondFactor(ctx context.Context, a stockhand.Actor, code string) ([]string, error) {
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return nil, err
	}
	f, err := s.System.SecondFactor(ctx, a.User)
	if err != nil {
		return nil, err
	}
	if f.Confirmed.IsZero() && f.Nonce != "" {
		ok, err := s.checkCode(ctx, a.User, f, typed(code))
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errCode()
		}
	}
	codes, hashes := s.newRecoveryCodes()
	return codes, s.System.ConfirmSecondFactor(ctx, a.User, f.Nonce, s.now(), hashes,
		s.Auth.Entry(a.User, "person.second_factor_added"))
}

// RenewRecoveryCodes replaces the recovery codes of the person a.User.
func (s *Service) RenewRecoveryCodes(ctx context.Context, a stockhand.Actor) ([]string, error) {
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return nil, err
	}
	if f, err := s.System.SecondFactor(ctx, a.User); err != nil || f.Confirmed.IsZero() {
		if err == nil {
			err = stockhand.Errorf(stockhand.CodeConflict, "you have no second factor").
				WithHint("start with POST /api/v1/me/second-factor")
		}
		return nil, err
	}
	codes, hashes := s.newRecoveryCodes()
	return codes, s.System.PutRecoveryCodes(ctx, a.User, hashes,
		s.Auth.Entry(a.User, "person.recovery_codes_renewed"))
}

// RemoveSecondFactor removes the second factor of the person a.User.
func (s *Service) RemoveSecondFactor(ctx context.Context, a stockhand.Actor) error {
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return err
	}
	return s.ResetSecondFactor(ctx, a, a.User)
}

// ResetSecondFactor removes a person's second factor. Only the operator, whom by names, does
// that for a person who has lost it.
func (s *Service) ResetSecondFactor(ctx context.Context, by stockhand.Actor, of stockhand.UserID) error {
	entry := s.Auth.Entry(of, "person.second_factor_removed", "user_id", string(of))
	entry.Actor = by.Name
	return s.System.RemoveSecondFactor(ctx, of, entry)
}

func (s *Service) secretOf(nonce string) []byte { return s.Auth.Derive("totp", nonce)[:secretSize] }

func (s *Service) newRecoveryCodes() (codes []string, hashes [][]byte) {
	for range recoveryCodes {
		text := strings.ToLower(rand.Text()[:10])
		codes = append(codes, text[:5]+"-"+text[5:])
		hashes = append(hashes, s.Auth.Derive("recovery", text))
	}
	return codes, hashes
}

// typed removes what people type into a code for readability.
func typed(code string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

// check reports whether the code is right: one of the app that was not used before, or a recovery code.
func (s *Service) check(ctx context.Context, of stockhand.UserID, f stockhand.SecondFactor, code string) (bool, error) {
	code = typed(code)
	if len(code) == 10 {
		return s.System.UseRecoveryCode(ctx, of, s.Auth.Derive("recovery", code),
			s.Auth.Entry(of, "person.recovery_code_used"))
	}
	return s.checkCode(ctx, of, f, code)
}

func (s *Service) checkCode(ctx context.Context, of stockhand.UserID, f stockhand.SecondFactor, code string) (bool,
	error) {
	now := s.Clock().Unix() / int64(codePeriod/time.Second)
	for step := now - codeSkew; step <= now+codeSkew; step++ {
		if subtle.ConstantTimeCompare([]byte(codeAt(s.secretOf(f.Nonce), step)), []byte(code)) == 1 {
			return s.System.UseSecondFactor(ctx, of, f.Nonce, step)
		}
	}
	return false, nil
}

// codeAt returns the code of a time step: RFC 4226, section 5.3, with six digits.
func codeAt(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, step) // never fails
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[at:])&0x7fffffff%1_000_000)
}

func errCode() error {
	return wrong("code", "is not the code that your app shows now")
}

// Methods is how a person can prove who they are.
type Methods struct {
	Password     bool
	SecondFactor stockhand.SecondFactor
	Passkeys     int
	Identities   int
}

// Methods returns how the person a.User can prove who they are.
func (s *Service) Methods(ctx context.Context, a stockhand.Actor) (m Methods, err error) {
	if err := auth.NeedPerson(a); err != nil {
		return m, err
	}
	phc, err := s.System.Password(ctx, a.User)
	if err != nil {
		return m, err
	}
	m.Password = phc != ""
	if m.SecondFactor, err = s.System.SecondFactor(ctx, a.User); err != nil {
		return m, err
	}
	all, err := s.System.Passkeys(ctx, a.User)
	if err != nil {
		return m, err
	}
	linked, err := s.System.Identities(ctx, a.User)
	m.Passkeys, m.Identities = len(all), len(linked)
	return m, err
}

// StepUp records that the person of the sign-in a.SignIn proved again who they are: with a code if they have a second
// factor, and with their password otherwise.
func (s *Service) StepUp(ctx context.Context, a stockhand.Actor, password, code string) error {
	if a.SignIn == "" {
		return s.Auth.Proven(a, 0)
	}
	undo, err := s.attempt(ctx, ofProof+string(a.User), netip.Addr{})
	if err != nil {
		return err
	}
	f, err := s.System.SecondFactor(ctx, a.User)
	if err != nil {
		return err
	}
	var ok bool
	method := "code"
	if !f.Confirmed.IsZero() {
		ok, err = s.check(ctx, a.User, f, code)
	} else {
		method = "password"
		ok, err = s.hasPassword(ctx, a.User, password)
	}
	switch {
	case err != nil:
		return err
	case !ok && method == "code":
		return s.refuseProof(ctx, a, method, errCode())
	case !ok:
		return s.refuseProof(ctx, a, method, wrong("password", "is not your password"))
	}
	undo()
	return s.Auth.ProveSignIn(ctx, a, method)
}

// refuseProof records a refused proof and returns the error that says why.
func (s *Service) refuseProof(ctx context.Context, a stockhand.Actor, method string, why error) error {
	if err := s.System.AuditPerson(ctx, a.User,
		s.Auth.Entry(a.User, "person.proof_refused", "method", method)); err != nil {
		return err
	}
	return why
}
