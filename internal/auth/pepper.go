package auth

import (
	"context"
	"crypto/rand"

	"github.com/stockhand/stockhand"
)

// Vault is where the installation's own secrets rest, sealed. The System of *store.DB does it.
type Vault interface {
	InstallationSecret(ctx context.Context, name string) (stockhand.Sealed, error)
	PutInstallationSecret(ctx context.Context, name string, sealed stockhand.Sealed) error
	ReplaceInstallationSecret(ctx context.Context, name string, seen, sealed stockhand.Sealed) error
}

// Sealer seals and opens; *secret.Ring does.
type Sealer interface {
	Seal(org stockhand.OrgID, connection stockhand.ConnectionID, credential []byte) (stockhand.Sealed, error)
	Open(org stockhand.OrgID, connection stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error)
	Stale(sealed stockhand.Sealed) bool
}

// The pepper is sealed as if for a connection of an organization that cannot be: ids of real ones have another form.
const (
	pepperName                        = "pepper"
	pepperOrg  stockhand.OrgID        = "installation"
	pepperFor  stockhand.ConnectionID = pepperName
	pepperSize                        = 32
)

// Pepper returns what the secrets of keys and tokens are hashed with. The first call on a record makes it; it rests in
// the record, sealed by the ring, so that neither is of use without the other and a rotation of the ring's keys leaves
// the pepper, and with it every API key, as it was (docs/decisions/0011-a-pepper-at-rest.md). Of several replicas that
// start at once all get the same. It fails when the ring cannot open it: a new one would silently end every key.
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

// SealPepper seals the pepper under the ring's first key when another one sealed it, and reports whether it did: a part
// of the rotation of the ring, after which the old key may be dropped.
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
