package signin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"net/url"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// The purposes of a challenge, which is a one-time secret: it works for its purpose and, if it was made for a person,
// for that person.
const (
	forPasskey      = "passkey"
	forNewPasskey   = "new passkey"
	forPasskeyProof = "passkey proof"
)

const (
	passkeyLife     = 5 * time.Minute // to answer a challenge
	mostPasskeys    = 20              // of a person
	mostPasskey     = 16 << 10        // bytes of a browser's answer
	mostPasskeyName = 100
)

// relyingParty returns what verifies the passkeys of a server at that address. It is nil where browsers have none: they
// require HTTPS, except on localhost, and a host name.
func relyingParty(address string) *webauthn.WebAuthn {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Hostname() != "localhost") ||
		protocol.ValidateRPID(u.Hostname()) != nil {
		return nil
	}
	required := true
	party, err := webauthn.New(&webauthn.Config{RPID: u.Hostname(), RPDisplayName: "Stockhand",
		RPOrigins: []string{u.Scheme + "://" + u.Host}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{RequireResidentKey: &required,
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore})
	if err != nil {
		return nil
	}
	return party
}

// HasPasskeys reports whether people can use passkeys at the server's address.
func (s *Service) HasPasskeys() bool { return s.party != nil }

func (s *Service) needPasskeys() error {
	if s.HasPasskeys() {
		return nil
	}
	return stockhand.Errorf(stockhand.CodeNotFound, "browsers offer no passkeys at this server's address").
		WithHint("the operator sets STOCKHAND_PUBLIC_URL to an https address with a host name")
}

// holder is a person with their passkeys, as the library sees them.
type holder struct {
	handle   []byte // opaque to the device, and the same for all of the person's passkeys
	name     string
	passkeys []stockhand.Passkey
}

// holder returns a person. The handle is computed: it tells nothing about the person, and no one else can compute it.
func (s *Service) holder(of stockhand.UserID, name string, all ...stockhand.Passkey) holder {
	return holder{s.Auth.Derive("passkey", string(of)), name, all}
}

func (h holder) WebAuthnID() []byte          { return h.handle }
func (h holder) WebAuthnName() string        { return h.name }
func (h holder) WebAuthnDisplayName() string { return h.name }

func (h holder) WebAuthnCredentials() []webauthn.Credential {
	all := make([]webauthn.Credential, len(h.passkeys))
	for i, p := range h.passkeys {
		all[i] = webauthn.Credential{ID: p.Credential, PublicKey: p.PublicKey,
			Flags:         webauthn.CredentialFlags{BackupEligible: p.Synced},
			Authenticator: webauthn.Authenticator{SignCount: p.Uses}}
	}
	return all
}

func (h holder) descriptors() []protocol.CredentialDescriptor {
	all := make([]protocol.CredentialDescriptor, len(h.passkeys))
	for i, c := range h.WebAuthnCredentials() {
		all[i] = c.Descriptor()
	}
	return all
}

// ceremony is what the library compares an answer with.
func (h holder) ceremony(challenge string) webauthn.SessionData {
	return webauthn.SessionData{Challenge: challenge, UserID: h.handle, UserVerification: protocol.VerificationRequired,
		CredParams: webauthn.CredentialParametersRecommendedL3()}
}

// challenge stores a new challenge; of is empty if the person is not known yet.
func (s *Service) challenge(ctx context.Context, purpose string, of stockhand.UserID) ([]byte, error) {
	secret, hash := s.Auth.NewOneTime()
	now := s.now()
	return []byte(secret), s.System.PutOneTime(ctx,
		stockhand.OneTime{Purpose: purpose, User: of, Created: now, Expires: now.Add(passkeyLife)}, hash,
		stockhand.AuditEntry{})
}

// answered uses up the challenge that a device has signed. NOT_FOUND if it was used, has expired or is not ours.
func (s *Service) answered(ctx context.Context, purpose string, c protocol.CollectedClientData) (stockhand.OneTime,
	error) {
	secret, err := base64.RawURLEncoding.DecodeString(c.Challenge)
	if err != nil {
		return stockhand.OneTime{}, stockhand.Errorf(stockhand.CodeNotFound, "not a challenge")
	}
	return s.take(ctx, purpose, string(secret))
}

// BeginPasskey starts a sign-in with a passkey. The options are for navigator.credentials.get of the browser.
func (s *Service) BeginPasskey(ctx context.Context, from auth.Origin) (options json.RawMessage, err error) {
	if err := s.needPasskeys(); err != nil {
		return nil, err
	}
	if err := s.attemptFrom(ctx, from.IP); err != nil {
		return nil, err
	}
	return s.ask(ctx, forPasskey, holder{}, "")
}

// ask returns the options of a question for a passkey: any, or one of the holder's.
func (s *Service) ask(ctx context.Context, purpose string, h holder, of stockhand.UserID) (json.RawMessage, error) {
	challenge, err := s.challenge(ctx, purpose, of)
	if err != nil {
		return nil, err
	}
	ask, _, err := s.party.BeginDiscoverableLogin(webauthn.WithChallenge(challenge),
		webauthn.WithAllowedCredentials(h.descriptors()))
	if err != nil {
		return nil, err
	}
	return json.Marshal(ask.Response)
}

// ByPasskey signs a person in with the browser's answer. The device verified the person, so there is no second factor.
func (s *Service) ByPasskey(ctx context.Context, answer []byte, from auth.Origin) (Outcome, error) {
	if err := s.needPasskeys(); err != nil {
		return Outcome{}, err
	}
	if err := s.attemptFrom(ctx, from.IP); err != nil {
		return Outcome{}, err
	}
	of, ok, err := s.hasPasskey(ctx, forPasskey, "", answer)
	if err != nil {
		return Outcome{}, err
	}
	if !ok {
		_ = s.refuse(ctx, of, stockhand.SignInPasskey, from)
		return Outcome{}, errPasskey
	}
	return s.open(ctx, of, stockhand.SignInPasskey, from)
}

// hasPasskey reports whether an answer is right, of the person by, unless that is empty. of is whose passkey it is,
// also if it is refused.
func (s *Service) hasPasskey(ctx context.Context, purpose string, by stockhand.UserID, answer []byte) (
	of stockhand.UserID, ok bool, err error) {
	if len(answer) > mostPasskey {
		return "", false, nil
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return "", false, nil //nolint:nilerr // what cannot be read is refused
	}
	p, err := s.System.PasskeyByCredential(ctx, parsed.RawID)
	if err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound {
		return "", false, err
	}
	of = p.User
	// also for an unknown passkey: it counts once
	o, err := s.answered(ctx, purpose, parsed.Response.CollectedClientData)
	switch {
	case stockhand.CodeOf(err) == stockhand.CodeNotFound || of == "":
		return of, false, nil
	case err != nil:
		return "", false, err
	case o.User != by || (by != "" && by != of) || (by == "" && len(parsed.Response.UserHandle) == 0):
		return of, false, nil
	}
	h := s.holder(of, "", p)
	c, err := s.party.ValidateLogin(h, h.ceremony(parsed.Response.CollectedClientData.Challenge), parsed)
	if err != nil || c.Authenticator.CloneWarning {
		s.Logger.WarnContext(ctx, "a passkey was refused", "user", of, "passkey", p.ID, "copied", err == nil, "err",
			err)
		return of, false, nil
	}
	p.Uses, p.LastUsed = c.Authenticator.SignCount, s.now()
	ok, err = s.System.UsePasskey(ctx, p)
	return of, ok, err
}

// BeginNewPasskey starts a passkey of the person a.User. The options are for navigator.credentials.create of the
// browser.
func (s *Service) BeginNewPasskey(ctx context.Context, a stockhand.Actor) (options json.RawMessage, err error) {
	h, err := s.changing(ctx, a)
	if err != nil {
		return nil, err
	}
	challenge, err := s.challenge(ctx, forNewPasskey, a.User)
	if err != nil {
		return nil, err
	}
	ask, _, err := s.party.BeginRegistration(h, webauthn.WithExclusions(h.descriptors()),
		webauthn.WithCredentialParameters(webauthn.CredentialParametersRecommendedL3()),
		func(o *protocol.PublicKeyCredentialCreationOptions) error { o.Challenge = challenge; return nil })
	if err != nil {
		return nil, err
	}
	return json.Marshal(ask.Response)
}

// changing returns the person a.User, who proved lately who they are.
func (s *Service) changing(ctx context.Context, a stockhand.Actor) (holder, error) {
	if err := s.needPasskeys(); err != nil {
		return holder{}, err
	}
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return holder{}, err
	}
	u, err := s.System.User(ctx, a.User)
	if err != nil {
		return holder{}, err
	}
	all, err := s.System.Passkeys(ctx, a.User)
	return s.holder(a.User, u.Email, all...), err
}

// AddPasskey adds the passkey of the browser's answer to the person a.User. CONFLICT if it was added before, or they
// have 20.
func (s *Service) AddPasskey(ctx context.Context, a stockhand.Actor, name string, answer []byte) (stockhand.Passkey,
	error) {
	h, err := s.changing(ctx, a)
	if err != nil {
		return stockhand.Passkey{}, err
	}
	if n := utf8.RuneCountInString(name); n == 0 || n > mostPasskeyName {
		return stockhand.Passkey{}, wrong("name", "must have 1 to 100 characters")
	}
	refused := wrong("credential", "was not accepted: start again with POST /api/v1/me/passkeys/challenge")
	if len(answer) > mostPasskey {
		return stockhand.Passkey{}, refused
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return stockhand.Passkey{}, refused //nolint:nilerr // what is wrong with it is the program's concern
	}
	o, err := s.answered(ctx, forNewPasskey, parsed.Response.CollectedClientData)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound || (err == nil && o.User != a.User) {
		return stockhand.Passkey{}, refused
	}
	if err != nil {
		return stockhand.Passkey{}, err
	}
	made, err := s.party.CreateCredential(h, h.ceremony(parsed.Response.CollectedClientData.Challenge), parsed)
	if err != nil {
		s.Logger.WarnContext(ctx, "a new passkey was refused", "user", a.User, "err", err)
		return stockhand.Passkey{}, refused
	}
	p := stockhand.Passkey{ID: stockhand.NewID[stockhand.PasskeyID]("pky"), User: a.User, Name: name,
		Credential: made.ID, PublicKey: made.PublicKey, Uses: made.Authenticator.SignCount,
		Synced: made.Flags.BackupEligible, Created: s.now()}
	return p, s.System.AddPasskey(ctx, p, mostPasskeys,
		s.Auth.Entry(a.User, "person.passkey_added", "passkey_id", string(p.ID)))
}

// Passkeys returns the passkeys of the person a.User, newest first.
func (s *Service) Passkeys(ctx context.Context, a stockhand.Actor) ([]stockhand.Passkey, error) {
	if err := auth.NeedPerson(a); err != nil {
		return nil, err
	}
	return s.System.Passkeys(ctx, a.User)
}

// RemovePasskey removes a passkey of the person a.User. CONFLICT if it is their last way to sign in.
func (s *Service) RemovePasskey(ctx context.Context, a stockhand.Actor, id stockhand.PasskeyID) error {
	if err := s.Auth.Proven(a, auth.ProvenFor); err != nil {
		return err
	}
	return s.System.RemovePasskey(ctx, a.User, id, s.ways(),
		s.Auth.Entry(a.User, "person.passkey_removed", "passkey_id", string(id)))
}

// RemovePasskeys removes all passkeys of a person who has lost a device. Only the operator, whom by names, does that.
// NOT_FOUND if the person has none.
func (s *Service) RemovePasskeys(ctx context.Context, by stockhand.Actor, of stockhand.UserID) error {
	all, err := s.System.Passkeys(ctx, of)
	if err == nil && len(all) == 0 {
		err = stockhand.Errorf(stockhand.CodeNotFound, "this person has no passkey")
	}
	if err != nil {
		return err
	}
	for _, p := range all {
		entry := s.Auth.Entry(of, "person.passkey_removed", "user_id", string(of), "passkey_id", string(p.ID))
		entry.Actor = by.Name
		err := s.System.RemovePasskey(ctx, of, p.ID, nil, entry)
		if err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound { // the person may remove it at the same time
			return err
		}
	}
	return nil
}

// BeginPasskeyProof asks the person a.User for one of their passkeys, as [Service.BeginPasskey] does.
func (s *Service) BeginPasskeyProof(ctx context.Context, a stockhand.Actor) (options json.RawMessage, err error) {
	if err := s.needPasskeys(); err != nil {
		return nil, err
	}
	if a.SignIn == "" {
		return nil, s.Auth.Proven(a, 0)
	}
	all, err := s.System.Passkeys(ctx, a.User)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, stockhand.Errorf(stockhand.CodeConflict, "you have no passkey").
			WithHint("POST /api/v1/me/step-up with your password or a one-time code")
	}
	return s.ask(ctx, forPasskeyProof, s.holder(a.User, "", all...), a.User)
}

// StepUpByPasskey is StepUp with a passkey.
func (s *Service) StepUpByPasskey(ctx context.Context, a stockhand.Actor, answer []byte) error {
	if err := s.needPasskeys(); err != nil {
		return err
	}
	if a.SignIn == "" {
		return s.Auth.Proven(a, 0)
	}
	undo, err := s.attempt(ctx, ofProof+string(a.User), netip.Addr{})
	if err != nil {
		return err
	}
	_, ok, err := s.hasPasskey(ctx, forPasskeyProof, a.User, answer)
	if err != nil {
		return err
	}
	if !ok {
		return s.refuseProof(ctx, a, "passkey", wrong("passkey", "is not one of yours, or was asked for too long ago"))
	}
	undo()
	return s.Auth.ProveSignIn(ctx, a, "passkey")
}

var errPasskey = &stockhand.Error{Code: stockhand.CodeSignInRefused,
	Message: "the sign-in was refused: the passkey was removed, or the answer came too late",
	Hint:    "start again, or sign in another way",
	RU: stockhand.Words{Message: "войти не удалось: ключ входа удалён или ответ пришёл слишком поздно",
		Hint: "попробуйте ещё раз или войдите другим способом"}}
