package wire

import (
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
)

// SignIn is the session of a person's browser.
type SignIn struct {
	ID         stockhand.SignInID     `json:"id" example:"sig_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Current    bool                   `json:"current" doc:"It is the sign-in of this request"`
	Method     stockhand.SignInMethod `json:"method" enum:"link,password,passkey,oidc"`
	Address    string                 `json:"address" doc:"The IP address that it began from"`
	Browser    string                 `json:"browser" doc:"The User-Agent header of the request that began it"`
	CreatedAt  time.Time              `json:"created_at"`
	ProvenAt   time.Time              `json:"proven_at" doc:"When you last proved who you are"`
	LastUsedAt time.Time              `json:"last_used_at" doc:"To the minute"`
	ExpiresAt  time.Time              `json:"expires_at" doc:"Earlier if it is not used"`
}

// SignInOf converts a sign-in for the caller.
func SignInOf(a stockhand.Actor) func(stockhand.SignIn) SignIn {
	return func(i stockhand.SignIn) SignIn {
		return SignIn{ID: i.ID, Current: i.ID == a.SignIn, Method: i.Method, Address: i.Address, Browser: i.Browser,
			CreatedAt: i.Created, ProvenAt: i.Proven, LastUsedAt: i.LastUsed, ExpiresAt: i.Expires}
	}
}

// EndedSignIns is how many sign-ins ended.
type EndedSignIns struct {
	Ended int `json:"ended"`
}

// SignInMethods is how a person can prove who they are, besides a link.
type SignInMethods struct {
	Password      bool `json:"password"`
	SecondFactor  bool `json:"second_factor" doc:"One-time codes of an app"`
	RecoveryCodes int  `json:"recovery_codes" doc:"How many are left"`
	Passkeys      int  `json:"passkeys" doc:"How many you have"`
	Identities    int  `json:"identities" doc:"How many accounts at OpenID providers are linked to you"`
}

// Identity is a person's account at an OpenID provider, which signs them in.
type Identity struct {
	ID        stockhand.IdentityID `json:"id" example:"idn_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Issuer    string               `json:"issuer" doc:"The provider's address" example:"https://id.example.org/realms/staff"`
	Subject   string               `json:"subject" doc:"The provider's ID of you"`
	CreatedAt time.Time            `json:"created_at" doc:"When it was linked"`
}

// IdentityOf converts an identity.
func IdentityOf(i stockhand.Identity) Identity {
	return Identity{ID: i.ID, Issuer: i.Issuer, Subject: i.Subject, CreatedAt: i.Created}
}

// Passkey is a key pair of a person's device, which signs them in without a password.
type Passkey struct {
	ID         stockhand.PasskeyID `json:"id" example:"pky_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Name       string              `json:"name" example:"Laptop"`
	Synced     bool                `json:"synced" doc:"The device may copy it to your other devices"`
	CreatedAt  time.Time           `json:"created_at"`
	LastUsedAt *time.Time          `json:"last_used_at" doc:"null if it was never used"`
}

// PasskeyOf converts a passkey.
func PasskeyOf(p stockhand.Passkey) Passkey {
	return Passkey{ID: p.ID, Name: p.Name, Synced: p.Synced, CreatedAt: p.Created, LastUsedAt: TimeOrNull(p.LastUsed)}
}

// PasskeyOptions is what a browser asks the person's device.
type PasskeyOptions struct {
	PublicKey json.RawMessage `json:"public_key" doc:"For parseCreationOptionsFromJSON or parseRequestOptionsFromJSON of PublicKeyCredential"`
}

// NewSecondFactor is a second factor to add to an app.
type NewSecondFactor struct {
	Secret string `json:"secret,omitempty" doc:"In base 32, for typing it into the app" example:"JBSWY3DPEHPK3PXP…"`
	URL    string `json:"url,omitempty" doc:"The same for a QR code" example:"otpauth://totp/…"`
}

// RecoveryCodes are codes that each work once instead of the app.
type RecoveryCodes struct {
	Secret []string `json:"secret,omitempty" doc:"Shown only once"`
}
