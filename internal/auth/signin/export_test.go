package signin

import "testing"

func init() { hashMemory, hashPasses = 64, 1 }

// HashAsUsual makes new hashes cost what they do outside tests until the test is over.
func HashAsUsual(t testing.TB) {
	memory, passes := hashMemory, hashPasses
	hashMemory, hashPasses = usualMemory, usualPasses
	t.Cleanup(func() { hashMemory, hashPasses = memory, passes })
}

// CodeAt is for the test vectors of RFC 6238.
var CodeAt = codeAt

// Remembered returns how many counts are remembered as full.
func Remembered(s *Service) int { return len(s.guesses.full) }
