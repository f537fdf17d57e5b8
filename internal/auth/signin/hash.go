package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/stockhand/stockhand"
)

// The cost of a new hash: 19 MiB and two passes, which OWASP recommends as the least.
const (
	usualMemory = 19 << 10 // KiB
	usualPasses = 2
	hashThreads = 1
	saltSize    = 16
	hashSize    = 32
)

// Tests change them, because hashing would take most of their time.
var hashMemory, hashPasses uint32 = usualMemory, usualPasses

// mostHashing limits how many passwords are hashed at a time, and so the memory and processors that it takes.
var mostHashing = max(1, runtime.GOMAXPROCS(0)/2)

// hashWait is how long a request waits for its turn to hash.
const hashWait = 5 * time.Second

// turn waits for a turn to hash. Call done afterwards.
func (s *Service) turn(ctx context.Context) (done func(), err error) {
	timeout := time.NewTimer(hashWait)
	defer timeout.Stop()
	select {
	case s.hashing <- struct{}{}:
		return func() { <-s.hashing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timeout.C:
		return nil, tooMany(hashWait)
	}
}

// hash returns the Argon2id hash of a password in the PHC string format.
func (s *Service) hash(ctx context.Context, password string) (string, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return newHash(password), nil
}

func newHash(password string) string {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails since Go 1.24
	key := argon2.IDKey([]byte(password), salt, hashPasses, hashMemory, hashThreads, hashSize)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashPasses, hashThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func decoy() string { return newHash(rand.Text()) }

// matches reports whether the password has the hash. Without a hash it takes as long and reports false.
func (s *Service) matches(ctx context.Context, password, phc string) (bool, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	none := s.decoy() // also where there is a hash, so that the first answer takes no longer for a user who has none
	if phc == "" {
		_, _ = verify(password, none)
		return false, nil
	}
	return verify(password, phc)
}

// verify checks a password against a hash of any cost.
func verify(password, phc string) (bool, error) {
	var version int
	var memory, passes uint32
	var threads uint8
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, badHash()
	}
	_, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &passes, &threads)
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	key, keyErr := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || saltErr != nil || keyErr != nil || version != argon2.Version || memory > 1<<20 || passes == 0 ||
		threads == 0 || len(key) == 0 {
		return false, badHash()
	}
	got := argon2.IDKey([]byte(password), salt, passes, memory, threads, uint32(len(key)))
	return subtle.ConstantTimeCompare(got, key) == 1, nil
}

func badHash() error {
	return stockhand.Errorf(stockhand.CodeInternal, "the stored hash of a password cannot be read")
}
