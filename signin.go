package stockhand

import (
	"encoding/json"
	"time"
)

// SignIn is the session of a person's browser. It acts as the person where a user token does (rule R113).
type SignIn struct {
	ID       SignInID
	User     UserID
	Method   SignInMethod
	Address  string // the IP address that it began from
	Browser  string // the User-Agent header of the request that began it
	Created  time.Time
	Proven   time.Time // when the person last proved who they are
	LastUsed time.Time // to the minute
	Expires  time.Time
}

// SignInMethod is how a person proved who they are.
type SignInMethod string

// The ways to sign in.
const (
	SignInLink     SignInMethod = "link"
	SignInPassword SignInMethod = "password"
	SignInPasskey  SignInMethod = "passkey"
	SignInOIDC     SignInMethod = "oidc"
)

// SignUp is an account that a person creates by accepting an invitation, with the sign-in that it begins with.
type SignUp struct {
	Invitation Invitation
	User       User
	Password   string // its hash; empty for none
	SignIn     SignIn
	Cookie     []byte // the keyed hash of the sign-in's cookie
}

// OneTime is a secret that can be used once, without the secret itself: a link, or the state of a sign-in that takes
// several requests. The database has a keyed hash of it.
type OneTime struct {
	Purpose string // a secret works for its purpose only
	User    UserID // empty if the person is not known yet
	Data    json.RawMessage
	Created time.Time
	Expires time.Time
}

// Attempts is what is counted of the attempts to sign in: those on an account, or from an address. Burst of them may
// come at once, and one more after each Every.
type Attempts struct {
	Name  []byte // a keyed hash of the account or the address
	Every time.Duration
	Burst int
}

// Passkey is a key pair of a person's device (WebAuthn), which signs them in without a password (rule R151).
type Passkey struct {
	ID         PasskeyID
	User       UserID
	Name       string
	Credential []byte // the device's ID of it
	PublicKey  []byte // in COSE format
	Uses       uint32 // the device's count of its signatures; 0 if it does not count
	Synced     bool   // the device may copy it to the person's other devices
	Created    time.Time
	LastUsed   time.Time // zero if it was never used
}

// Identity is a person's account at an OpenID provider, which signs them in (rule R121).
type Identity struct {
	ID      IdentityID
	User    UserID
	Issuer  string // the provider's address
	Subject string // the provider's ID of the person
	Created time.Time
}

// SignInWays is what an installation accepts at sign-in, besides passwords and links.
type SignInWays struct {
	Issuer   string // of the OpenID provider; empty for none
	Passkeys bool
}

// SecondFactor is an app's one-time codes (TOTP, RFC 6238), which a person gives besides a password or link. The shared
// secret is derived from the nonce and the installation's pepper; neither is of use without the other.
type SecondFactor struct {
	Nonce         string
	Confirmed     time.Time // zero until the person gave a code
	RecoveryCodes int       // how many are left
}
