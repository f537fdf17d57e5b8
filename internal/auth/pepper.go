package auth

import (
	"context"
	"crypto/rand"

	"github.com/stockhand/stockhand"
)

// Vault stores the installation's own secrets, encrypted. *store.System implements it.
type Vault interface {
	InstallationSecret(ctx context.Context, name string) (stockhand.Sealed, error)
	PutInstallationSecret(ctx context.Context, name string, sealed stockhand.Sealed) error
	ReplaceInstallationSecret(ctx context.Context, name string, seen, sealed stockhand.Sealed) error
}

// Sealer encrypts and decrypts. *secret.Ring implements it.
type Sealer interface {
	Seal(org stockhand.OrgID, connection stockhand.ConnectionID, credential []byte) (stockhand.Sealed, error)
	Open(org stockhand.OrgID, connection stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error)
	Stale(sealed stockhand.Sealed) bool
}

// The pepper is encrypted as a credential of an organization that cannot exist: real IDs have another form.
const (
	pepperName                        = "pepper"
	pepperOrg  stockhand.OrgID        = "installation"
	pepperFor  stockhand.ConnectionID = pepperName
	pepperSize                        = 32
)

// Pepper returns the key with which the secrets of keys and tokens are hashed. The first call creates it. It is stored
// in the database, encrypted with the ring, so that neither is of use without the other, and rotating the ring's keys
// does not change the pepper and so keeps every API key valid (docs/decisions/0011-a-pepper-at-rest.md). Replicas that
// start at the same time get the same one. It fails if the ring cannot decrypt it: a new one would invalidate all keys.
func Pepper(ctx context.Context, v Vault, ring Sealer) ([]byte, error) {
	sealed, err := v.InstallationSecret(ctx, pepperName)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		sealed, err = newPepper(ctx, v, ring)
	}
	if err != nil {
		return nil, err
	}
	return openPepper(ring, sealed)
}

func newPepper(ctx context.Context, v Vault, ring Sealer) (stockhand.Sealed, error) {
	pepper := make([]byte, pepperSize)
	_, _ = rand.Read(pepper) // never fails since Go 1.24
	sealed, err := ring.Seal(pepperOrg, pepperFor, pepper)
	if err != nil {
		return nil, err
	}
	if err := v.PutInstallationSecret(ctx, pepperName, sealed); err != nil {
		return nil, err
	}
	return v.InstallationSecret(ctx, pepperName) // another replica's, when that one was first
}

func openPepper(ring Sealer, sealed stockhand.Sealed) ([]byte, error) {
	pepper, err := ring.Open(pepperOrg, pepperFor, sealed)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the pepper of the API keys does not open: %w", err).
			WithHint("start with the secret key that this database was used with; without it every API key and " +
				"user token would end")
	}
	return pepper, nil
}

// SealPepper encrypts the pepper with the ring's first key if another key was used, and reports whether it did. It is
// part of rotating the ring; afterwards the old key may be removed.
func SealPepper(ctx context.Context, v Vault, ring Sealer) (changed bool, err error) {
	seen, err := v.InstallationSecret(ctx, pepperName)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound || (err == nil && !ring.Stale(seen)) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	pepper, err := openPepper(ring, seen)
	if err != nil {
		return false, err
	}
	sealed, err := ring.Seal(pepperOrg, pepperFor, pepper)
	if err != nil {
		return false, err
	}
	return true, v.ReplaceInstallationSecret(ctx, pepperName, seen, sealed)
}
